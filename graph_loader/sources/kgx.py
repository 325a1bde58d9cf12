"""KGX: a graph of the Biolink model as two tab-separated tables, of nodes and of edges.

Layout: "KGX Specification", KGX format as TSV. Quotes are ordinary characters, `|`
separates the values of columns that hold several.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.checks import Candidate, Rules, checked, usable_names
from graph_loader.columns import places, read_columns
from graph_loader.curies import as_curie, curie
from graph_loader.delimited import Dialect
from graph_loader.files import files_of
from graph_loader.graph_records import (
    RESERVED_EDGE,
    RESERVED_NODE,
    GraphEdge,
    GraphNode,
    NodeText,
    Record,
    Value,
    property_names,
    relation_words,
)
from graph_loader.reading import Reading

LIST_DELIMITER = "|"
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
_TRUE = frozenset(("true", "1", "yes"))
_SYNONYMS = ("synonym", "synonyms", "exact_synonym", "related_synonym")
_XREFS = ("xref", "xrefs", "same_as", "equivalent_identifiers")
_KINDS = {
    "Drug": "Drug",
    "SmallMolecule": "Chemical",
    "ChemicalEntity": "Chemical",
    "MolecularMixture": "Chemical",
    "Protein": "Protein",
    "Pathway": "Pathway",
}
_TABLE = re.compile(r"(?P<stem>.*?)(?P<kind>nodes|edges)\.(tsv|txt|csv)(\.gz)?", re.IGNORECASE)


def read_kgx(path: Path, reading: Reading, *, dataset: str, rules: Rules | None = None) -> Iterator[Record]:
    """The graph of a folder with `*nodes.tsv` and `*edges.tsv` (or of one of the two), nodes first.

    Categories become labels without `biolink:`; predicates become relation names as
    words and stay as `type`. `description` becomes a text. Edges that are `negated` are
    left out and counted. Of edges without a node
    file only the edges come, and are not checked against nodes.

    Raises SourceError when there is no such file or a core column is missing.
    """
    nodes, edges = _tables(path)
    rules = rules or Rules()
    if not nodes:
        rules = Rules(rules.max_labels, rules.max_relations, rules.self_loops, rules.undirected, "keep")
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
            remedy="KGX names its tables *nodes.tsv and *edges.tsv.",
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
    table = read_columns(path, _dialect(path), ("id", "category"), reading)
    names = table.names
    at = places(names, ("id", "category"))
    for row, cells in table.rows:
        place = f"row {row}"
        identifier = (cells[at[0]] or "").strip()
        if not identifier:
            reading.skip(path.name, "no id", place)
            continue
        values = _values(names, cells)
        for column in ("id", "category"):
            values.pop(column, None)
        written = _several(cells[at[1]])
        labels = usable_names([_local(word) for word in written], reading, path.name, place, "category")
        node_id = curie(identifier, prefix=None, dataset=dataset)
        name = _one(values.pop("name", None))
        synonyms = [word for column in _SYNONYMS for word in _several(values.pop(column, None))]
        xrefs = dict.fromkeys(
            as_curie(word) or word for column in _XREFS for word in _several(values.pop(column, None))
        )
        xrefs.pop(node_id, None)
        description = _one(values.pop("description", None))
        node = GraphNode(
            id=node_id,
            kind=next((_KINDS[label] for label in labels if label in _KINDS), "Thing"),
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
    core = ("subject", "predicate", "object")
    table = read_columns(path, _dialect(path), core, reading)
    at = places(table.names, core)
    for row, cells in table.rows:
        place = f"row {row}"
        subject, predicate, target = ((cells[index] or "").strip() for index in at)
        missing = next(
            (name for name, cell in zip(core, (subject, predicate, target), strict=True) if not cell), None
        )
        if missing:
            reading.skip(path.name, f"no {missing}", place)
            continue
        if not usable_names((predicate,), reading, path.name, place, "predicate"):
            reading.skip(path.name, "no usable predicate", place)
            continue
        values = _values(table.names, cells)
        for name in (*core, "id"):
            values.pop(name, None)
        if str(values.get("negated")).strip().lower() in _TRUE:
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
            relation=relation_words(predicate),
            tail=ends[1],
            source=f"{dataset}:{path.name}:{row}",
            type=predicate,
            properties=property_names(values, RESERVED_EDGE),
        )
        yield Candidate(edge, ends, path.name, place)
    reading.refuse_if_mostly_unusable(path.name)


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
