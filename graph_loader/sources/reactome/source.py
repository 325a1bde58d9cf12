"""Reads whatever of Reactome's downloads lies in a folder, and merges it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.files import opened
from graph_loader.sources.reactome.biopax import read_biopax
from graph_loader.sources.reactome.diagrams import Steps, read_diagram
from graph_loader.sources.reactome.files import members
from graph_loader.sources.reactome.hierarchy import complete_hierarchy, read_pathways, read_relations
from graph_loader.sources.reactome.participants import Participants
from graph_loader.sources.reactome.store import Reactome
from graph_loader.sources.reactome.tables import TABLE_NAME, read_table

_DIAGRAM_SUFFIXES = (".graph.json", ".graph.json.gz")
_DIAGRAM_ARCHIVES = ("diagram.tgz", "diagrams.tgz", "diagram.tar.gz", "diagrams.tar.gz")
_BIOPAX_SUFFIXES = (".owl", ".owl.gz", ".xml", ".xml.gz")
_BIOPAX_ARCHIVES = ("biopax.zip", "biopax3.zip")


@dataclass(frozen=True)
class ReactomeFiles:
    """The files that were recognised by their names, each kind in the order of the names."""

    pathways: tuple[Path, ...]
    relations: tuple[Path, ...]
    tables: tuple[Path, ...]
    diagrams: tuple[Path, ...]
    diagram_archives: tuple[Path, ...]
    biopax: tuple[Path, ...]
    biopax_archives: tuple[Path, ...]


def find_files(path: Path) -> ReactomeFiles:
    """Recognise Reactome's files at `path`, a file or a folder that is searched to any depth.

    Raises SourceError when there is none, or when the hierarchy comes without the pathways' names.
    """
    if not path.exists():
        raise SourceError(f"{path} does not exist.", remedy="Give the folder of Reactome's downloads.")
    candidates = [path] if path.is_file() else sorted(item for item in path.rglob("*") if item.is_file())

    def named(*names: str) -> tuple[Path, ...]:
        return tuple(item for item in candidates if item.name in names)

    def ending(suffixes: tuple[str, ...]) -> tuple[Path, ...]:
        return tuple(item for item in candidates if item.name.endswith(suffixes))

    found = ReactomeFiles(
        pathways=named("ReactomePathways.txt", "ReactomePathways.txt.gz"),
        relations=named("ReactomePathwaysRelation.txt", "ReactomePathwaysRelation.txt.gz"),
        tables=tuple(item for item in candidates if TABLE_NAME.fullmatch(item.name)),
        diagrams=ending(_DIAGRAM_SUFFIXES),
        diagram_archives=named(*_DIAGRAM_ARCHIVES),
        biopax=ending(_BIOPAX_SUFFIXES),
        biopax_archives=named(*_BIOPAX_ARCHIVES),
    )
    if not any(vars(found).values()):
        raise SourceError(
            f"{path} holds no file of Reactome.",
            remedy="Looked for *.graph.json, diagram.tgz, ReactomePathways.txt, UniProt2Reactome*.txt and "
            "its sisters, *.owl, *.xml and biopax.zip; see docs/reactome.md.",
        )
    if found.relations and not found.pathways:
        raise SourceError(
            f"{found.relations[0].name} comes without ReactomePathways.txt, which names its pathways.",
            remedy="Put both files of one release into the folder.",
        )
    return found


def read_reactome(path: Path, species: Collection[str] | None = None) -> Reactome:
    """Read and merge every file of Reactome at `path`; `species` narrows the text tables (None: all).

    Memory grows with the number of different things, not with the size or number of files: one diagram, one
    line, one BioPAX element is held at a time. Raises SourceError naming the file and the place for a file
    that is broken, for a species that no pathway is of, and when nothing is found, since a load of nothing
    would empty the graph; anything smaller is counted in the result's tally.
    """
    files = find_files(path)
    reactome = Reactome()
    steps = Steps({}, {})
    _read_pathways(files.pathways, reactome, species)
    for item in files.relations:
        read_relations(item, reactome)
    for item in files.diagrams:
        with opened(item) as stream:
            read_diagram(stream, item.name, reactome, steps)
        reactome.tally.read["diagrams"] += 1
    for archive in files.diagram_archives:
        for name, stream in members(archive, (".graph.json",)):
            read_diagram(stream, name, reactome, steps)
            reactome.tally.read["diagrams"] += 1
    for item in files.biopax:
        with opened(item) as stream:
            read_biopax(stream, item.name, reactome)
    for archive in files.biopax_archives:
        for name, stream in members(archive, (".owl", ".xml")):
            read_biopax(stream, name, reactome)
    for item in files.tables:
        read_table(item, reactome, species)
    steps.settle(reactome)
    _refuse_nothing(path, reactome)
    complete_hierarchy(reactome)
    for whole, part in Participants(reactome).cycles():
        reactome.tally.note("cycle of complexes or sets", f"{whole} > {part}")
    return reactome


def _read_pathways(files: tuple[Path, ...], reactome: Reactome, species: Collection[str] | None) -> None:
    met: set[str] = set()
    for item in files:
        met |= read_pathways(item, reactome, species)
    unknown = sorted(set(species or ()) - met) if files else []
    if unknown:
        raise SourceError(
            f"{files[0].name} has no pathway of the species {', '.join(map(repr, unknown))}.",
            remedy=f"It has: {', '.join(sorted(met - {''}))}.",
        )


def _refuse_nothing(path: Path, reactome: Reactome) -> None:
    if not (reactome.pathways or reactome.reactions or reactome.entities):
        raise SourceError(
            f"{path} holds no pathway, reaction or molecule of Reactome.",
            remedy="Fetch the files again; docs/reactome.md shows which there are.",
        )
