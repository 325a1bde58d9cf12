"""Which Neo4j is started: one the user has unpacked, or the fetched one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from biomolkg.errors import ConfigurationError
from biomolkg.settings import Settings
from cypher.fetch import fetch_server
from cypher.lock import read_lock, server_version
from cypher.progress import Reporter

_JAR = re.compile(r"neo4j-(\d+\.\d+\.\d+)\.jar")
_SUPPORTED = "5.26."


@dataclass(frozen=True, slots=True)
class Distribution:
    """A Neo4j that can be started; `lib` is the folder of its jars."""

    lib: Path
    version: str


def find_distribution(settings: Settings, reporter: Reporter | None = None) -> Distribution:
    """The Neo4j in `settings.neo4j_home`, else the fetched one, which is fetched now if need be.

    Raises ConfigurationError when `neo4j_home` holds no Neo4j 5.26, ServerError as `fetch_server` does.
    """
    if settings.neo4j_home is None:
        return Distribution(fetch_server(settings, reporter), server_version(read_lock()))
    lib = settings.neo4j_home / "lib"
    versions = [match.group(1) for path in lib.glob("neo4j-*.jar") if (match := _JAR.fullmatch(path.name))]
    if not versions or not versions[0].startswith(_SUPPORTED):
        found = f"Neo4j {versions[0]}" if versions else "no Neo4j"
        raise ConfigurationError(
            f"BIOMOLKG_NEO4J_HOME is {settings.neo4j_home}, which holds {found}; 5.26 is needed.",
            remedy="Set it to the folder of an unpacked Neo4j 5.26, or unset it to use the fetched one.",
        )
    return Distribution(lib, versions[0])
