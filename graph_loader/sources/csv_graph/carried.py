"""Tables whose rows are edges that carry their two nodes, as PrimeKG's `kg.csv`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from biomolkg.identifiers import curie, no_identifier
from biomolkg.identifiers.registry import fits, known_prefix
from graph_loader.checks import Candidate
from graph_loader.columns import has_columns, places, read_columns
from graph_loader.delimited import Cells, Dialect
from graph_loader.files import files_of
from graph_loader.graph_records import GraphEdge, GraphNode
from graph_loader.kinds import kind_of_labels
from graph_loader.reading import Reading

RELATION = ("relation", "display_relation")
END = ("id", "type", "name", "source")
COLUMNS = (*RELATION, *(f"{side}_{name}" for side in "xy" for name in END))
_DIALECTS = (Dialect(), Dialect("\t", quote=None))
_OBO_DIGITS = 7


def find_carried(path: Path) -> list[tuple[Path, Dialect]]:
    """The files of this form among those of a folder, or the one file, and how each is written."""
    return [
        (item, dialect)
        for item in files_of(path)
        for dialect in _DIALECTS
        if ".csv" in item.suffixes or ".tsv" in item.suffixes
        if has_columns(item, dialect, COLUMNS)
    ]


def read_carried(tables: list[tuple[Path, Dialect]], reading: Reading, dataset: str) -> Iterator[Candidate]:
    """All nodes of the rows, each once, before the edges: each file is read twice."""
    for path, dialect in tables:
        yield from _nodes(path, dialect, dataset)
    for path, dialect in tables:
        yield from _edges(path, dialect, reading, dataset)
        reading.refuse_if_mostly_unusable(path.name)


def _nodes(path: Path, dialect: Dialect, dataset: str) -> Iterator[Candidate]:
    # What is left out here is left out as an edge again, and counted then.
    table = read_columns(path, dialect, COLUMNS, Reading())
    at = places(table.names, COLUMNS, path.name)
    met: set[str] = set()
    for row, cells in table.rows:
        for node_id, (_, label, name, _) in zip(_ends(cells, at, dataset), _sides(cells, at), strict=True):
            if node_id is None or node_id in met:
                continue
            met.add(node_id)
            source = f"{dataset}:{path.name}:{row}"
            node = GraphNode(
                node_id, kind_of_labels((label,)), source, name or None, (label,) if label else ()
            )
            yield Candidate(node, (node_id,), path.name, f"row {row}")


def _edges(path: Path, dialect: Dialect, reading: Reading, dataset: str) -> Iterator[Candidate]:
    table = read_columns(path, dialect, COLUMNS, reading)
    at = places(table.names, COLUMNS, path.name)
    for row, cells in table.rows:
        head, tail = _ends(cells, at, dataset)
        kind, shown = ((cells[place] or "").strip() for place in at[:2])
        if head is None or tail is None or not (kind or shown):
            reading.skip(
                path.name, "no relation" if head and tail else "an identifier that is none", f"row {row}"
            )
            continue
        edge = GraphEdge("FACT", head, shown or kind, tail, f"{dataset}:{path.name}:{row}", kind or shown)
        yield Candidate(edge, (head, tail), path.name, f"row {row}")


def _sides(cells: Cells, at: tuple[int, ...]) -> list[tuple[str, ...]]:
    """Of both ends: identifier, label, name, and the namespace of the identifier."""
    said = [(cells[place] or "").strip() for place in at[len(RELATION) :]]
    return [tuple(said[: len(END)]), tuple(said[len(END) :])]


def _ends(cells: Cells, at: tuple[int, ...], dataset: str) -> list[str | None]:
    return [_curie(number, space, dataset) for number, _, _, space in _sides(cells, at)]


def _curie(number: str, space: str, dataset: str) -> str | None:
    if no_identifier(number):
        return None
    prefix = known_prefix(space) if space else None
    if prefix is not None:
        for local in (number, number.zfill(_OBO_DIGITS)):
            if fits(prefix, local):
                return curie(local, prefix=prefix, dataset=dataset)
    # Grouped diseases and the like have numbers of this data set's own.
    return f"{dataset}:{f'{space}/' if space else ''}{number}"
