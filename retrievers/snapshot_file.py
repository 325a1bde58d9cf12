"""A snapshot on disk: what was read from the database once is read from a file at the next start.

The file is `cache/snapshot-<database>.safetensors` under the home, one for each database. Its records are
JSON; nothing in it is ever executed. A hash over arrays and records is checked before anything is used.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import structlog
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

import biomolkg
from biomolkg import names, preferred_names
from cypher.catalogue import statement, statement_names
from retrievers import classes, evidence_types, hits, label_records, snapshot
from retrievers.artifacts import Arrays, content_hash
from retrievers.classes import DrugClass, RoleFact
from retrievers.snapshot import Entity, Passage, Relation, Snapshot, Sources

FORMAT = "biomolkg-snapshot-1"
# What turns the database's rows into a snapshot: after a change of it, files of before are not used.
_READ_BY: tuple[ModuleType, ...] = (
    classes,
    evidence_types,
    hits,
    label_records,
    names,
    preferred_names,
    snapshot,
)
_RECORDS = {
    "entities": Entity,
    "relations": Relation,
    "passages": Passage,
    "classes": DrugClass,
    "roles": RoleFact,
}
_INTEGERS = ("heads", "relation_of", "tails", "file_of", "rows")
_VECTORS = ("relation_embeddings", "passage_embeddings")

logger = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class GraphMark:
    """Which state of a graph a snapshot is of: its version, and a digest of the loads that made it."""

    version: str
    loads: str


class SnapshotFile:
    """The file of one database. Several processes may read and write it at once."""

    def __init__(self, home: Path, database: str) -> None:
        """`database`: what tells the databases of one home apart, such as an address."""
        digest = hashlib.sha256(database.encode("utf-8", "surrogatepass")).hexdigest()
        self.path = home / "cache" / f"snapshot-{digest[:16]}.safetensors"

    def load(self) -> tuple[GraphMark, Snapshot] | None:
        """What was written last; None where there is nothing that can be used, with a line in the log."""
        if not self.path.is_file():
            return None
        try:
            return _read(self.path)
        except (SafetensorError, OSError, ValueError, TypeError, LookupError, RecursionError) as error:
            logger.warning("snapshot file not used", path=str(self.path), reason=str(error))
            return None

    def save(self, mark: GraphMark, read: Snapshot) -> None:
        """Write it; the file of before stays until the new one is whole. A failure is a line in the log."""
        arrays, described = _arrays(read), json.dumps({"version": mark.version, "loads": mark.loads})
        metadata = {
            "format": FORMAT,
            "read_by": read_by(),
            "mark": described,
            "sha256": content_hash(arrays, described),
        }
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self.path.parent, suffix=".part", delete=False) as file:
                part = Path(file.name)
            try:
                save_file(dict(arrays), part, metadata=metadata)
                part.replace(self.path)
            finally:
                part.unlink(missing_ok=True)
        except (OSError, SafetensorError) as error:
            logger.warning("snapshot file not written", path=str(self.path), reason=str(error))


@lru_cache(maxsize=1)
def read_by() -> str:
    """A digest of the code and the statements that a snapshot is read with."""
    digest = hashlib.sha256(biomolkg.__version__.encode())
    for module in _READ_BY:
        assert module.__file__ is not None
        digest.update(Path(module.__file__).read_bytes())
    for name in statement_names("read"):
        if name.startswith("read/snapshot_"):
            digest.update(statement(name).encode())
    return digest.hexdigest()


def _read(path: Path) -> tuple[GraphMark, Snapshot]:
    with safe_open(path, framework="numpy") as file:
        metadata = file.metadata() or {}
        if metadata.get("format") != FORMAT:
            raise ValueError(f"its format is {metadata.get('format')!r}, not {FORMAT!r}")
        if metadata.get("read_by") != read_by():
            raise ValueError("it was written by another version of this program")
        arrays = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - not a mapping
    described = metadata.get("mark", "")
    if metadata.get("sha256") != content_hash(arrays, described):
        raise ValueError("its content is not what was written")
    mark = GraphMark(**json.loads(described))
    content = json.loads(arrays["records"].tobytes().decode("utf-8", "surrogatepass"))
    once: dict[Any, Any] = {}
    records = {
        name: tuple(kind(*(_frozen(value, once) for value in row)) for row in content[name])
        for name, kind in _RECORDS.items()
    }
    return mark, Snapshot(
        graph_version=mark.version,
        heads=arrays["heads"],
        relation_of=arrays["relation_of"],
        tails=arrays["tails"],
        sources=Sources(content["files"], arrays["file_of"], arrays["rows"]),
        relation_embeddings=arrays["relation_embeddings"],
        passage_embeddings=arrays["passage_embeddings"],
        stated_evidence=arrays.get("stated_evidence"),
        **records,
    )


def _frozen(value: Any, once: dict[Any, Any]) -> Any:
    """A list as a tuple; equal ones, as all passages of a label have, are one object."""
    if type(value) is list:
        made = tuple(value)
        return once.setdefault(made, made)
    return value


def _arrays(read: Snapshot) -> Arrays:
    sources = read.sources
    assert isinstance(sources, Sources)
    content = {name: _rows(getattr(read, name)) for name in _RECORDS} | {"files": sources.files}
    text = json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass")
    arrays: dict[str, NDArray[Any]] = {
        "heads": read.heads,
        "relation_of": read.relation_of,
        "tails": read.tails,
        "file_of": sources.file_of,
        "rows": sources.rows,
        "relation_embeddings": read.relation_embeddings,
        "passage_embeddings": read.passage_embeddings,
        "records": np.frombuffer(text, dtype=np.uint8),
    }
    if read.stated_evidence is not None:
        arrays["stated_evidence"] = read.stated_evidence
    return {name: np.ascontiguousarray(array) for name, array in arrays.items()}


def _rows(records: Sequence[Any]) -> Iterable[list[Any]]:
    """The values that a record is made from, in their order."""
    if not records:
        return []
    named = [field.name for field in fields(records[0]) if field.init]
    return [[getattr(record, name) for name in named] for record in records]
