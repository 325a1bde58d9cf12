"""KGX: a graph of the Biolink model as two tables, of nodes and of edges, tab-separated or lines of JSON.

Layout: "KGX Specification", KGX format as TSV and as JSON Lines. In TSV quotes are
ordinary characters, `|` separates the values of columns that hold several.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from biomolkg.errors import SourceError
from biomolkg.identifiers import as_curie, curie, identified, no_identifier
from graph_loader.checks import Candidate, Rules, checked, usable_names
from graph_loader.columns import places, read_columns
from graph_loader.delimited import Dialect
from graph_loader.files import TextFile, files_of, opened
from graph_loader.graph_records import (
    RESERVED_EDGE,
    RESERVED_NODE,
    GraphEdge,
    GraphNode,
    NodeText,
    Record,
    Value,
    property_names,
)
from graph_loader.hints import hint_of_files
from graph_loader.kinds import kind_of_labels
from graph_loader.reading import Reading
from graph_loader.relations import is_negated, qualified_relation
from graph_loader.sources.csv_graph.source import NO_IDENTIFIER, beyond

LIST_DELIMITER = "|"
_DANGLING = "Give --dangling keep to load edges whose nodes are not listed."
# Slots that the Biolink model says are multivalued; any other column is one text, bars and all.
MULTIVALUED = frozenset(
    (
        "category",
        "xref",
        "xrefs",
        "synonym",
        "synonyms",
        "exact_synonym",
        "same_as",
        "equivalent_identifiers",
        "provided_by",
        "publications",
        "qualifiers",
        "knowledge_source",
        "aggregator_knowledge_source",
        "supporting_data_source",
        "has_evidence",
        "in_taxon",
        "related_synonym",
        "broad_synonym",
        "narrow_synonym",
        "type",
        "iri_list",
        "has_gene",
        "source_record_urls",
    )
)
_SYNONYMS = ("synonym", "synonyms", "exact_synonym", "related_synonym")
_XREFS = ("xref", "xrefs", "same_as", "equivalent_identifiers")
NODE_COLUMNS = ("id", "category")
EDGE_COLUMNS = ("subject", "predicate", "object")
_TABLE = re.compile(r"(?P<stem>.*?)(?P<kind>nodes|edges)\.(tsv|txt|csv|jsonl|ndjson)(\.gz)?", re.IGNORECASE)


def read_kgx(path: Path, reading: Reading, *, dataset: str, rules: Rules | None = None) -> Iterator[Record]:
    """The graph of a folder with `*nodes.tsv` and `*edges.tsv` (or of one of the two), nodes first.

    Categories become labels without `biolink:`; predicates become relation names as
    words, with their qualifiers, and stay as `type`. `description` becomes a text. Edges
    that are negated are left out and counted. Of edges without a node file only the
    edges come, and are not checked against nodes.

    Raises SourceError when there is no such file or a core column is missing.
    """
    nodes, edges = _tables(path)
    rules = rules or Rules()
    if not nodes:
        rules = replace(rules, dangling="keep")
    rules = replace(rules, remedy=_DANGLING)
    yield from checked(_candidates(nodes, edges, reading, dataset), reading, rules)


def _tables(path: Path) -> tuple[list[Path], list[Path]]:
    if not path.exists():
        raise SourceError(f"{path} does not exist.", remedy="Give the folder of nodes.tsv and edges.tsv.")
    found: dict[str, list[Path]] = {"nodes": [], "edges": []}
    for item in files_of(path):
        name = _TABLE.fullmatch(item.name)
        if name:
            found[name["kind"].lower()].append(item)
    if not any(found.values()):
        raise SourceError(
            f"{path} has no nodes.tsv and no edges.tsv.",
            remedy="KGX names its tables *nodes.tsv and *edges.tsv, or .jsonl. "
            + (hint_of_files(item.name for item in files_of(path)) or "Try `biomolkg load csv`."),
        )
    return found["nodes"], found["edges"]


def _candidates(
    nodes: Sequence[Path], edges: Sequence[Path], reading: Reading, dataset: str
) -> Iterator[Candidate]:
    for path in nodes:
        yield from _nodes(path, reading, dataset)
    for path in edges:
        yield from _edges(path, reading, dataset)


def _dialect(path: Path) -> Dialect:
    """Tab without quotes; comma with quotes for the .csv that KGX writes as well."""
    return Dialect(",") if ".csv" in path.suffixes else Dialect("\t", quote=None)


def _nodes(path: Path, reading: Reading, dataset: str) -> Iterator[Candidate]:
    for row, values in _rows(path, NODE_COLUMNS, reading):
        place = f"row {row}"
        identifier = _one(values.pop("id", None)) or ""
        if no_identifier(identifier):
            reading.skip(path.name, "no id" if not identifier else NO_IDENTIFIER, place)
            continue
        written = _several(values.pop("category", None))
        labels = usable_names([_local(word) for word in written], reading, path.name, place, "category")
        found = identified(identifier, prefix=None, dataset=dataset)
        node_id = found.curie
        values.update(beyond(found))
        name = _one(values.pop("name", None))
        synonyms = [word for column in _SYNONYMS for word in _several(values.pop(column, None))]
        xrefs = dict.fromkeys(
            as_curie(word) or word for column in _XREFS for word in _several(values.pop(column, None))
        )
        xrefs.pop(node_id, None)
        description = _one(values.pop("description", None))
        node = GraphNode(
            id=node_id,
            kind=kind_of_labels(labels),
            source=f"{dataset}:{path.name}:{row}",
            name=name,
            labels=labels,
            synonyms=tuple(word for word in dict.fromkeys(synonyms) if word != name),
            smiles=_one(values.pop("smiles", None)),
            inchikey=_one(values.pop("inchikey", None)),
            xrefs=tuple(xrefs),
            texts=(NodeText("description", description),) if description else (),
            properties=property_names(values, RESERVED_NODE),
        )
        yield Candidate(node, (node_id,), path.name, place)
    reading.refuse_if_mostly_unusable(path.name)


def _edges(path: Path, reading: Reading, dataset: str) -> Iterator[Candidate]:
    for row, values in _rows(path, EDGE_COLUMNS, reading):
        place = f"row {row}"
        subject, predicate, target = (_one(values.pop(name, None)) or "" for name in EDGE_COLUMNS)
        missing = next(
            (
                name
                for name, cell in zip(EDGE_COLUMNS, (subject, predicate, target), strict=True)
                if not cell or (name != "predicate" and no_identifier(cell))
            ),
            None,
        )
        if missing:
            reading.skip(path.name, f"no {missing}", place)
            continue
        if not usable_names((predicate,), reading, path.name, place, "predicate"):
            reading.skip(path.name, "no usable predicate", place)
            continue
        values.pop("id", None)
        if is_negated(predicate, values):
            # Biolink: the association is not true. A triple is an answer, whatever stands beside it.
            reading.skip(path.name, "negated: says that it is not so", place, broken=False)
            continue
        ends = (
            curie(subject, prefix=None, dataset=dataset),
            curie(target, prefix=None, dataset=dataset),
        )
        edge = GraphEdge(
            kind="FACT",
            head=ends[0],
            relation=qualified_relation(predicate, values),
            tail=ends[1],
            source=f"{dataset}:{path.name}:{row}",
            type=predicate,
            properties=property_names(values, RESERVED_EDGE),
        )
        yield Candidate(edge, ends, path.name, place)
    reading.refuse_if_mostly_unusable(path.name)


def _rows(path: Path, core: Sequence[str], reading: Reading) -> Iterator[tuple[int, dict[str, Value]]]:
    """Number and values of each row, of a table or of lines of JSON; what says nothing is not there."""
    if ".jsonl" in path.suffixes or ".ndjson" in path.suffixes:
        yield from _json_rows(path, reading)
        return
    table = read_columns(path, _dialect(path), core, reading)
    at = dict(zip(core, places(table.names, core), strict=True))
    for row, cells in table.rows:
        values = _values(table.names, cells)
        for name, place in at.items():
            values.pop(table.names[place], None)
            if cell := cells[place]:
                values[name] = cell
        yield row, values


def _json_rows(path: Path, reading: Reading) -> Iterator[tuple[int, dict[str, Value]]]:
    with opened(path) as stream:
        for row, line in enumerate(TextFile(stream, path.name), start=1):
            if not line.strip():
                continue
            reading.rows[path.name] += 1
            try:
                found = json.loads(line)
            except ValueError:
                found = None
            if not isinstance(found, dict):
                reading.skip(path.name, "no JSON object", f"row {row}")
                continue
            yield (
                row,
                {name: value for name, said in found.items() if (value := _json_value(said)) is not None},
            )


def _json_value(said: object) -> Value | None:
    """A value of JSON as a property has it; objects and lists of them as their JSON."""
    if isinstance(said, str | int | float | bool):
        return None if said == "" else said
    if isinstance(said, list) and not any(isinstance(one, list | dict) for one in said):
        return tuple(str(one) for one in said if one is not None) or None
    return None if said is None else json.dumps(said, sort_keys=True)


def _values(names: Sequence[str], cells: Sequence[str | None]) -> dict[str, Value]:
    values: dict[str, Value] = {}
    for name, cell in zip(names, cells, strict=True):
        if cell and name:
            values[name] = tuple(_several(cell)) if name in MULTIVALUED else cell
    return values


def _several(value: Value | None) -> list[str]:
    if value is None:
        return []
    items = value if isinstance(value, tuple) else str(value).split(LIST_DELIMITER)
    return [word for item in items if (word := str(item).strip())]


def _one(value: Value | None) -> str | None:
    return None if value is None else str(value).strip() or None


def _local(category: str) -> str:
    return category.removeprefix("biolink:")
