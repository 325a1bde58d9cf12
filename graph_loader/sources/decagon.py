"""Decagon's tables, as SNAP publishes them: side effects of drug pairs and of drugs, targets, categories.

`bio-decagon-combo`, `-mono`, `-targets`, `-targets-all` and `-effectcategories`, and
the same of BioSNAP (`ChChSe-Decagon_polypharmacy` …). A file is recognised by its
columns, so its name does not matter.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.checks import Candidate, Rules, checked
from graph_loader.columns import has_columns, places, read_columns
from graph_loader.delimited import Cells, Dialect
from graph_loader.files import files_of
from graph_loader.graph_records import GraphEdge, GraphNode, Record
from graph_loader.reading import Reading
from graph_loader.sources.stitch_ids import parse_chemical

DATASET = "decagon"
HAS_SIDE_EFFECT = "has side effect"
TARGETS = "targets"
INTERACTS = "interacts with"
PAIR = "polypharmacy side effect"
RULES = Rules(dangling="keep", undirected=frozenset({PAIR, INTERACTS}))

_UMLS = re.compile(r"C\d{7}")
_GENE = re.compile(r"[1-9]\d{0,11}")
# From the cells of the layout's columns, and the row's source, to a record or a reason for none.
_Parse = Callable[[tuple[str, ...], str], GraphEdge | GraphNode | str]


@dataclass(frozen=True, slots=True)
class Layout:
    """A kind of table by its columns."""

    name: str
    columns: tuple[str, ...]
    parse: _Parse


def read_decagon(path: Path, reading: Reading) -> Iterator[Record]:
    """The tables of a folder (or one table): side effects as nodes, then what drugs have and do.

    A pair of drugs is undirected and comes once a side effect. Drugs are named by
    their compound only, so no node is made for them; the endpoints are not checked.
    `kind` is DDI for pairs and FACT for the rest; genes are `ncbigene:` CURIEs.

    Raises SourceError when no table is recognised, or one cannot be read.
    """
    tables = find_tables(path, LAYOUTS)
    tables.sort(key=lambda table: [layout.name for layout in LAYOUTS].index(table[1].name))
    yield from checked(_candidates(tables, reading), reading, RULES)


def find_tables(path: Path, layouts: tuple[Layout, ...]) -> list[tuple[Path, Layout]]:
    """The files of a folder, or the one file, that have the columns of a layout; the first that fits.

    Raises SourceError when there is none.
    """
    if not path.exists():
        raise SourceError(f"{path} does not exist.", remedy="Give a folder of tables, or one table.")
    found = []
    for item in files_of(path):
        layout = next((one for one in layouts if has_columns(item, _dialect(item), one.columns)), None)
        if layout is not None:
            found.append((item, layout))
    if not found:
        known = "; ".join(", ".join(layout.columns) for layout in layouts)
        raise SourceError(
            f"{path} has no table with columns that are known.",
            remedy=f"The first line must name one of: {known}.",
        )
    return found


def _dialect(path: Path) -> Dialect:
    return Dialect("\t", quote=None) if ".tsv" in path.suffixes else Dialect()


def _candidates(tables: list[tuple[Path, Layout]], reading: Reading) -> Iterator[Candidate]:
    effects: dict[str, str] = {}
    for path, layout in tables:
        table = read_columns(path, _dialect(path), layout.columns, reading)
        at = places(table.names, layout.columns, path.name)
        for row, cells in table.rows:
            place = f"row {row}"
            source = f"{DATASET}:{path.name}:{row}"
            values = _full(cells, at)
            parsed = layout.parse(values, source) if values else "empty cell"
            if isinstance(parsed, str):
                reading.skip(path.name, parsed, place)
                continue
            if isinstance(parsed, GraphNode):
                effects.setdefault(parsed.id, parsed.name or "")
                yield Candidate(parsed, (parsed.id,), path.name, place)
                continue
            if layout.name == "mono":
                known = effects.get(parsed.tail)
                if known is None:
                    effects[parsed.tail] = values[2]
                    yield Candidate(_side_effect(values[1:], source), (parsed.tail,), path.name, place)
                elif known != values[2]:
                    said = f"{place}: {parsed.tail} is {known!r} and {values[2]!r}"
                    reading.note(path.name, "side effect with another name", said)
            yield Candidate(parsed, (parsed.head, parsed.tail), path.name, place)
        reading.refuse_if_mostly_unusable(path.name)


def _full(cells: Cells, at: tuple[int, ...]) -> tuple[str, ...]:
    """The cells of the layout's columns; nothing when one of them is empty."""
    values = tuple((cells[place] or "").strip() for place in at)
    return values if all(values) else ()


def _combo(values: tuple[str, ...], source: str) -> GraphEdge | str:
    first, second = parse_chemical(values[0]), parse_chemical(values[1])
    if first is None or second is None:
        return "no STITCH compound"
    if not _UMLS.fullmatch(values[2]):
        return "no UMLS concept"
    return GraphEdge("DDI", first.curie, values[3], second.curie, source, PAIR, {"umls": values[2]})


def _mono(values: tuple[str, ...], source: str) -> GraphEdge | str:
    drug = parse_chemical(values[0])
    if drug is None:
        return "no STITCH compound"
    if not _UMLS.fullmatch(values[1]):
        return "no UMLS concept"
    return GraphEdge("FACT", drug.curie, HAS_SIDE_EFFECT, f"umls:{values[1]}", source, HAS_SIDE_EFFECT)


def _target(values: tuple[str, ...], source: str) -> GraphEdge | str:
    drug = parse_chemical(values[0])
    if drug is None:
        return "no STITCH compound"
    if not _GENE.fullmatch(values[1]):
        return "no gene number"
    return GraphEdge("FACT", drug.curie, TARGETS, f"ncbigene:{values[1]}", source, TARGETS)


def _genes(values: tuple[str, ...], source: str) -> GraphEdge | str:
    if not (_GENE.fullmatch(values[0]) and _GENE.fullmatch(values[1])):
        return "no gene number"
    return GraphEdge("FACT", f"ncbigene:{values[0]}", INTERACTS, f"ncbigene:{values[1]}", source, INTERACTS)


def _category(values: tuple[str, ...], source: str) -> GraphNode | str:
    if not _UMLS.fullmatch(values[0]):
        return "no UMLS concept"
    return _side_effect(values, source)


def _side_effect(values: tuple[str, ...], source: str) -> GraphNode:
    """A node from UMLS concept, name and, where there is one, disease class."""
    umls, name, *rest = values
    classes = {"disease_class": rest[0]} if rest else {}
    return GraphNode(f"umls:{umls}", "Thing", source, name, labels=("SideEffect",), properties=classes)


LAYOUTS = (
    Layout("effectcategories", ("Side Effect", "Side Effect Name", "Disease Class"), _category),
    Layout("combo", ("STITCH 1", "STITCH 2", "Polypharmacy Side Effect", "Side Effect Name"), _combo),
    Layout("mono", ("STITCH", "Individual Side Effect", "Side Effect Name"), _mono),
    Layout("targets", ("STITCH", "Gene"), _target),
    Layout("targets", ("Drug", "Gene"), _target),
    Layout("ppi", ("Gene 1", "Gene 2"), _genes),
)
