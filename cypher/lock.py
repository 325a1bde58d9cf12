"""The lock of the managed server: which jars a Neo4j consists of, each with its size and SHA-256."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import file_digest
from importlib.resources import files
from pathlib import Path

from biomolkg.errors import ServerError

_HEADER = """\
# The jars of Neo4j Community and Neo4j Browser: group:artifact:version[:classifier] size SHA-256.
# They are fetched to the user's cache and are no part of this project; made by cypher/make_lock.py.
"""


@dataclass(frozen=True, slots=True)
class Jar:
    """One Maven artifact and what its file must be; `size` is in bytes."""

    group: str
    artifact: str
    version: str
    classifier: str
    sha256: str
    size: int

    @property
    def coordinate(self) -> str:
        """`group:artifact:version`, with `:classifier` where there is one."""
        parts = [self.group, self.artifact, self.version, *([self.classifier] if self.classifier else [])]
        return ":".join(parts)

    @property
    def filename(self) -> str:
        """The name of the jar in the server's `lib` folder; unique in the lock."""
        suffix = f"-{self.classifier}" if self.classifier else ""
        return f"{self.artifact}-{self.version}{suffix}.jar"

    def fault(self, path: Path) -> str | None:
        """What is wrong with the file at `path`, or None when size and SHA-256 are those of the lock."""
        try:
            with path.open("rb") as stream:
                size = path.stat().st_size
                if size != self.size:
                    return f"{self.filename} has {size:,} bytes instead of {self.size:,}"
                if file_digest(stream, "sha256").hexdigest() != self.sha256:
                    return f"{self.filename} has another SHA-256 than the lock"
        except FileNotFoundError:
            return f"{self.filename} is missing"
        except OSError as error:
            return f"{self.filename} cannot be read ({error.strerror})"
        return None


def format_lock(jars: Iterable[Jar]) -> str:
    """The text of a lock file."""
    return _HEADER + "".join(f"{jar.coordinate} {jar.size} {jar.sha256}\n" for jar in jars)


def parse_lock(text: str) -> tuple[Jar, ...]:
    """The jars of a lock file's text. Raises ServerError that names the line that is malformed."""
    jars = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            coordinate, size, digest = line.split()
            group, artifact, version, *rest = coordinate.split(":")
            (classifier,) = rest or ("",)
            jars.append(Jar(group, artifact, version, classifier, digest, int(size)))
        except ValueError as error:
            raise ServerError(
                f"Line {number} of the Neo4j lock is malformed: {line!r}.", remedy="Reinstall BioMolKG."
            ) from error
    return tuple(jars)


def read_lock() -> tuple[Jar, ...]:
    """The jars of the bundled lock."""
    return parse_lock((files("cypher") / "neo4j.lock").read_text(encoding="utf-8"))


def server_version(jars: Iterable[Jar]) -> str:
    """The Neo4j version that `jars` make up."""
    return next(jar.version for jar in jars if (jar.group, jar.artifact) == ("org.neo4j", "neo4j"))
