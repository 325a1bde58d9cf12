"""The sources that come as delimited text, each as one stream of records with a name and a fingerprint."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from biomolkg.errors import SourceError
from graph_loader.checks import Rules
from graph_loader.files import files_of, refuse_device
from graph_loader.graph_records import GraphNode, Record
from graph_loader.reader_process import Read, read_beside
from graph_loader.reading import Reading
from graph_loader.sources.csv_graph import Mapping, read_csv_graph
from graph_loader.sources.csv_graph.source import dataset_name
from graph_loader.sources.decagon import DATASET as DECAGON
from graph_loader.sources.decagon import read_decagon
from graph_loader.sources.kgx import read_kgx
from graph_loader.sources.names import OBO, read_names
from graph_loader.sources.stitch import DATASET as STITCH
from graph_loader.sources.stitch import HUMAN, read_stitch

Kind = Literal["csv", "kgx", "decagon", "stitch", "names"]

# Data sets of loaders of their own: another source under such a name would take their place.
TAKEN = frozenset(("biomolmqa", "reactome", "spl", "openfda", DECAGON, STITCH))
_CHUNK_BYTES = 1024 * 1024
# Less is read before a process for it has started.
_LEAST_BESIDE_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TableSource:
    """A source to load. `read` reads it anew at each call and counts in the reading what it leaves out.

    `size` is that of its files in bytes, `fingerprint` a hash over them and the options.
    `optional`: its nodes are of use only where the graph has the thing already, as synonyms are.
    `small` is the kind of a small molecule that only edges name. `place` is where a source lies whose
    data set has its name from there and not from whoever loads it.
    """

    dataset: str
    origin: str
    selection: str
    size: int
    fingerprint: str
    read: Read
    optional: bool = False
    small: str = "Chemical"
    place: str | None = None

    def records(self, reading: Reading) -> Iterator[Record]:
        """All that `read` gives; files of some size are read by a process of their own."""
        if self.size < _LEAST_BESIDE_BYTES:
            return self.read(reading)
        return read_beside(self.read, reading)


def csv_source(path: Path, mapping: Mapping | None = None, *, name: str | None = None) -> TableSource:
    """Any graph in CSV; the data set is named by `name`, the mapping, or the folder.

    Raises SourceError when the path is missing or the name cannot be used.
    """
    given = mapping or Mapping()
    dataset = checked_name(name or given.dataset or dataset_name(path))
    used = given.model_copy(update={"dataset": dataset})
    return TableSource(
        dataset,
        path.name,
        "csv",
        size_of(path),
        fingerprint(path, "csv", dataset, used.model_dump_json()),
        partial(read_csv_graph, path, mapping=used),
        place=_place(path, name or given.dataset),
    )


def kgx_source(
    path: Path, *, name: str | None = None, dangling: Literal["skip", "keep"] = "skip"
) -> TableSource:
    """A KGX graph. `dangling`: whether edges to nodes that it does not list are kept.

    Raises SourceError as `csv_source` does.
    """
    dataset = checked_name(name or dataset_name(path))
    return TableSource(
        dataset,
        path.name,
        "kgx",
        size_of(path),
        fingerprint(path, "kgx", dataset, dangling),
        partial(read_kgx, path, dataset=dataset, rules=Rules(dangling=dangling)),
        place=_place(path, name),
    )


def decagon_source(path: Path) -> TableSource:
    """Decagon's tables. Raises SourceError when the path is missing."""
    return TableSource(
        DECAGON,
        path.name,
        "all tables",
        size_of(path),
        fingerprint(path, "decagon"),
        partial(read_decagon, path),
        small="Drug",
    )


def stitch_source(path: Path, *, min_score: int = 0, taxon: int | None = HUMAN) -> TableSource:
    """One file of STITCH. Raises SourceError when the path is missing."""
    species = "all species" if taxon is None else f"taxon {taxon}"
    return TableSource(
        STITCH,
        path.name,
        f"score from {min_score}, {species}",
        size_of(path),
        fingerprint(path, "stitch", str(min_score), str(taxon)),
        partial(read_stitch, path, min_score=min_score, taxon=taxon),
    )


def names_source(path: Path, *, name: str | None = None) -> TableSource:
    """Names of drugs: DrugCentral, or any table of names. Raises SourceError as `csv_source` does."""
    _require(path)
    published = (
        any(OBO.fullmatch(item.name) for item in files_of(path))
        if path.is_dir()
        else "drugcentral" in path.name
    )
    dataset = checked_name(name or ("drugcentral" if published else dataset_name(path)))
    return TableSource(
        dataset,
        path.name,
        "names",
        size_of(path),
        fingerprint(path, "names", dataset),
        partial(_read_named, path, dataset=dataset),
        optional=True,
        place=None if published else _place(path, name),
    )


def _read_named(path: Path, reading: Reading, *, dataset: str) -> Iterator[Record]:
    for entry in read_names(path, reading, dataset=dataset):
        names = entry.names
        if not names:
            reading.skip(entry.source, "no name", entry.id, broken=False)
            continue
        yield GraphNode(
            id=entry.id,
            kind="Drug",
            source=entry.source,
            name=names[0],
            synonyms=names[1:],
            smiles=entry.smiles or None,
            inchikey=entry.inchikey or None,
            xrefs=tuple(f"{kind}:{one}" for kind, one in (("cas", entry.cas), ("unii", entry.unii)) if one),
        )


def _place(path: Path, name: str | None) -> str | None:
    return None if name else str(path.resolve())


def checked_name(name: str) -> str:
    """A data set's name. Raises SourceError for one that cannot be used, or that another loader has."""
    try:
        Mapping(dataset=name)
    except ValueError as error:
        raise SourceError(
            f"{name!r} cannot be a data set's name.",
            remedy="Give one of a letter and up to 62 more small letters, digits, '_', '.' or '-'.",
        ) from error
    if name in TAKEN:
        raise SourceError(
            f"The data set {name!r} is one that `biomolkg load {name}` loads.",
            remedy="Give another name with --name.",
        )
    return name


def size_of(path: Path) -> int:
    """Bytes of a file, or of those in a folder; 0 when there is none, which `fingerprint` tells."""
    return sum(item.stat().st_size for item in files_of(path)) if path.exists() else 0


def fingerprint(path: Path, *options: str) -> str:
    """A hash over the options and the names and bytes of a file, or of those in a folder.

    Raises SourceError when the path is missing or a file cannot be read.
    """
    _require(path)
    whole = hashlib.sha256("\0".join(options).encode())
    for item in files_of(path):
        whole.update(f"\0{item.name}\0".encode())
        try:
            with item.open("rb") as stream:
                while chunk := stream.read(_CHUNK_BYTES):
                    whole.update(chunk)
        except OSError as error:
            raise SourceError(f"{item} cannot be read: {error.strerror or error}.") from error
    return whole.hexdigest()


def _require(path: Path) -> None:
    if not path.exists():
        raise SourceError(f"{path} does not exist.", remedy="Give the path of the files.")
    refuse_device(path)
