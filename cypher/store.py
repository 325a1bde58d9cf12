"""The managed server's store while no server runs: replaced whole by neo4j-admin, or left as it was."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from biomolkg.errors import ServerError
from biomolkg.settings import Settings
from cypher import launch
from cypher.distribution import find_distribution
from cypher.home import ServerHome
from cypher.java import Java, find_java
from cypher.server import ManagedServer
from cypher.state import find_processes

_TAIL = 12  # lines
_ASIDE = ".replaced"


@dataclass(frozen=True, slots=True)
class OfflineStore:
    """A store that no server has open."""

    home: ServerHome
    java: Java
    lib: Path
    database: str
    heap_mb: int

    def import_csv(self, options: Sequence[str]) -> None:
        """Fill the store by `neo4j-admin database import full`; `options` name files and format.

        Raises ServerError with what the tool said when it fails.
        """
        environment = {**os.environ, "NEO4J_HOME": str(self.home.root), "NEO4J_CONF": str(self.home.conf)}
        with tempfile.TemporaryDirectory(dir=self.home.root / "run") as scratch:
            command = [
                str(self.java.executable),
                f"-Xmx{self.heap_mb}m",
                "-cp",
                str(self.lib / "*"),
                "org.neo4j.cli.AdminTool",
                "database",
                "import",
                "full",
                self.database,
                "--overwrite-destination=true",
                f"--report-file={Path(scratch) / 'report'}",
                *options,
            ]
            done = subprocess.run(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                check=False,
            )
        if done.returncode != 0:
            # Of a command line that it cannot use the tool tells why first, and then all its options.
            why = done.stderr.partition("USAGE")[0].splitlines()
            said = [line for line in [*done.stdout.splitlines(), *why] if line.strip()]
            tail = "\n".join(f"  {line}" for line in said[-_TAIL:])
            raise ServerError(f"neo4j-admin could not import. What it said:\n{tail}")


@contextlib.contextmanager
def replaced_store(server: ManagedServer, settings: Settings, *, overwrite: bool) -> Iterator[OfflineStore]:
    """An empty store in the place of the server's; the one before comes back when the block fails.

    Raises ServerError when a server runs on it, or when there is a store and not `overwrite`.
    """
    home = server.home
    home.prepare()
    if server.status().running or find_processes(home.root):
        raise ServerError(
            f"A Neo4j runs on {home.root}, and its store can be replaced only while none does.",
            remedy="Stop it: end `biomolkg serve`, or `biomolkg db stop`.",
        )
    folders = [home.root / "data" / part / settings.neo4j_database for part in ("databases", "transactions")]
    if any(folder.exists() for folder in folders) and not overwrite:
        raise ServerError(
            f"There is a database in {home.root / 'data'} already.",
            remedy="Give --overwrite to replace it, or set BIOMOLKG_HOME to another folder.",
        )
    distribution, java = find_distribution(settings), find_java(settings.java_home)
    home.write_conf(settings, bolt=0, http=0)
    if not home.initialised:
        launch.set_password(java, distribution.lib, home)
    aside = [folder.with_name(folder.name + _ASIDE) for folder in folders]
    _move(folders, aside)
    try:
        yield OfflineStore(home, java, distribution.lib, settings.neo4j_database, settings.neo4j_heap_mb)
    except BaseException:
        server.close()
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
        _move(aside, folders)
        raise
    for folder in aside:
        shutil.rmtree(folder, ignore_errors=True)


def _move(sources: Sequence[Path], targets: Sequence[Path]) -> None:
    for source, target in zip(sources, targets, strict=True):
        if source.exists():
            shutil.rmtree(target, ignore_errors=True)
            source.replace(target)
