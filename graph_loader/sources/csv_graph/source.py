"""Any graph in neo4j-admin's CSV files, as records of the graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.checks import Candidate, Rules, checked, usable_names
from graph_loader.curies import as_curie, curie
from graph_loader.graph_records import (
    EDGE_KINDS,
    NODE_KINDS,
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
from graph_loader.sources.csv_graph.layout import Layout, Written, find_layout, match_files
from graph_loader.sources.csv_graph.mapping import EdgeMapping, Mapping, NodeMapping
from graph_loader.sources.csv_graph.rows import CsvEdge, CsvNode, Group, Placed, group_header, read_group

ANY = "*"
# Columns that mean the same in most graphs, where no mapping says what they mean.
_NAMES = ("name", "label", "title", "display_name", "preferred_name")
_SYNONYMS = ("synonyms", "synonym", "aliases", "alias")
_SMILES = ("smiles", "canonical_smiles")
_INCHIKEY = ("inchikey", "inchi_key")
_XREFS = ("xrefs", "xref", "equivalent_identifiers", "same_as")
_NODE_KIND = {kind.lower(): kind for kind in NODE_KINDS}


def read_csv_graph(path: Path, reading: Reading, mapping: Mapping | None = None) -> Iterator[Record]:
    """The graph of a folder of CSV files (or of one file), all nodes before the first edge.

    Memory does not grow with the files. Everything that is left out is counted in
    `reading`; read once without writing to find out whether a source can be used.

    Raises SourceError when the files are not what neo4j-admin takes, or the mapping
    names a column that no file has.
    """
    mapping = mapping or Mapping()
    layout = layout_of(path, mapping)
    nodes, edges = _sorted(layout, mapping)
    builder = _Builder(mapping.dataset or dataset_name(path), mapping)
    rules = Rules(
        max_labels=mapping.limits.max_labels,
        max_relations=mapping.limits.max_relations,
        self_loops=mapping.limits.self_loops,
        dangling=mapping.limits.dangling,
        undirected=frozenset(name for name, edge in mapping.edges.items() if edge.undirected),
    )
    placed = (
        item
        for group in (*nodes, *edges)
        for item in read_group(group, layout.dialect, layout.array_delimiter, reading)
    )
    yield from checked(builder.candidates(placed, reading), reading, rules)


def layout_of(path: Path, mapping: Mapping) -> Layout:
    """The layout that a mapping and the files give together; raises as `find_layout` does."""
    folder = path if path.is_dir() else path.parent
    groups = [
        Group(match_files(folder, item.files), labels=item.labels, type=item.type) for item in mapping.groups
    ]
    asked = mapping.format
    return find_layout(
        path, Written(asked.delimiter, asked.array_delimiter, asked.quote, asked.encoding), groups
    )


def dataset_name(path: Path) -> str:
    """A data set's name from a folder's or a file's."""
    stem = path.resolve().name.split(".")[0].lower()
    return re.sub(r"[^a-z0-9_-]+", "-", stem).strip("-").lstrip("0123456789_-") or "graph"


def _sorted(layout: Layout, mapping: Mapping) -> tuple[list[Group], list[Group]]:
    nodes: list[Group] = []
    edges: list[Group] = []
    columns: set[str] = set()
    for group in layout.groups:
        header = group_header(group, layout.dialect)
        columns.update(column.name for column in header.columns if column.role in {None, "ID"})
        (edges if header.is_edges else nodes).append(group)
    named = {name for node in mapping.nodes.values() for name in node.columns()}
    named |= {edge.relation for edge in mapping.edges.values() if edge.relation}
    missing = sorted(named - columns)
    if missing:
        raise SourceError(
            f"The mapping names {', '.join(map(repr, missing))}, which no file has as a column.",
            remedy=f"The columns are {', '.join(sorted(filter(None, columns))[:40])}.",
        )
    return nodes, edges


@dataclass(frozen=True, slots=True)
class _NodePlan:
    """Where the parts of nodes with the same labels and properties are; made once for all of them."""

    kind: str
    prefix: str | None
    name: str | None
    smiles: str | None
    inchikey: str | None
    synonyms: tuple[str, ...]
    xrefs: tuple[str, ...]
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class _EdgePlan:
    """What relationships of one type become."""

    kind: str
    relation: str
    column: str | None


class _Builder:
    """Turns rows into candidates as the mapping says."""

    def __init__(self, dataset: str, mapping: Mapping) -> None:
        self._dataset = dataset
        self._mapping = mapping
        self._node_plan = lru_cache(4096)(self._plan_node)
        self._edge_plan = lru_cache(4096)(self._plan_edge)

    def candidates(self, placed: Iterable[Placed], reading: Reading) -> Iterator[Candidate]:
        for record, file, row in placed:
            place = f"row {row}"
            source = f"{self._dataset}:{file}:{row}"
            if isinstance(record, CsvNode):
                labels = usable_names(record.labels, reading, file, place, "label")
                node = self._node(record, labels, source)
                yield Candidate(node, (f"{record.space}\0{record.id}",), file, place)
            else:
                edge = self._edge(record, source)
                if not usable_names((edge.type,), reading, file, place, "type"):
                    reading.skip(file, "no usable type", place)
                    continue
                keys = (f"{record.start_space}\0{record.start}", f"{record.end_space}\0{record.end}")
                yield Candidate(edge, keys, file, place)

    def _node(self, node: CsvNode, labels: tuple[str, ...], source: str) -> GraphNode:
        left = dict(node.properties)
        plan = self._node_plan(labels, tuple(left))
        take = left.pop
        name = _text(take(plan.name, None)) if plan.name else None
        synonyms = [word for column in plan.synonyms for word in _words(take(column, None))]
        xrefs = [word for column in plan.xrefs for word in _words(take(column, None))]
        identifier = curie(node.id, prefix=plan.prefix, dataset=self._dataset, space=node.space)
        return GraphNode(
            id=identifier,
            kind=plan.kind,
            source=source,
            name=name,
            labels=labels,
            synonyms=tuple(word for word in dict.fromkeys(synonyms) if word != name) if synonyms else (),
            smiles=_text(take(plan.smiles, None)) if plan.smiles else None,
            inchikey=_text(take(plan.inchikey, None)) if plan.inchikey else None,
            xrefs=_xrefs(xrefs, identifier) if xrefs else (),
            texts=tuple(
                NodeText(section, text)
                for column, section in plan.texts
                for text in _words(take(column, None))
            ),
            properties=property_names(left, RESERVED_NODE) if left else {},
        )

    def _edge(self, edge: CsvEdge, source: str) -> GraphEdge:
        plan = self._edge_plan(edge.type)
        left = edge.properties
        own = None
        if plan.column and plan.column in left:
            left = dict(left)
            own = _text(left.pop(plan.column))
        # By position, and what is a CURIE as it stands at once: this runs for each edge.
        return GraphEdge(
            plan.kind,
            as_curie(edge.start)
            or curie(edge.start, prefix=None, dataset=self._dataset, space=edge.start_space),
            own or plan.relation,
            as_curie(edge.end) or curie(edge.end, prefix=None, dataset=self._dataset, space=edge.end_space),
            source,
            edge.type,
            property_names(left, RESERVED_EDGE) if left else {},
        )

    def _plan_node(self, labels: tuple[str, ...], columns: tuple[str, ...]) -> _NodePlan:
        mapping = self._node_mapping(labels)
        named = [label.lower() for label in labels]
        fold = {column.lower(): column for column in reversed(columns)}

        def known(names: tuple[str, ...]) -> str | None:
            return next((fold[name] for name in names if name in fold), None)

        synonyms, xrefs = known(_SYNONYMS), known(_XREFS)
        return _NodePlan(
            kind=mapping.kind or next((_NODE_KIND[name] for name in named if name in _NODE_KIND), "Thing"),
            prefix=mapping.prefix,
            name=mapping.name or known(_NAMES),
            smiles=mapping.smiles or known(_SMILES),
            inchikey=mapping.inchikey or known(_INCHIKEY),
            synonyms=mapping.synonyms or ((synonyms,) if synonyms else ()),
            xrefs=mapping.xrefs or ((xrefs,) if xrefs else ()),
            texts=tuple(mapping.texts.items()),
        )

    def _node_mapping(self, labels: tuple[str, ...]) -> NodeMapping:
        nodes = self._mapping.nodes
        return next((nodes[label] for label in (*labels, ANY) if label in nodes), NodeMapping())

    def _plan_edge(self, name: str) -> _EdgePlan:
        mapping = self._mapping.edges.get(name) or self._mapping.edges.get(ANY) or EdgeMapping()
        words = mapping.name or relation_words(name)
        if mapping.kind is None and name in EDGE_KINDS:
            return _EdgePlan(name, words, mapping.relation or "relation")
        return _EdgePlan(mapping.kind or "FACT", words, mapping.relation)


def _text(value: Value | None) -> str | None:
    """A value as one text; None when it says nothing."""
    words = _words(value)
    return " ".join(words) or None


def _words(value: Value | None) -> list[str]:
    """A value as texts without white space around them, empty ones left out."""
    if value is None:
        return []
    if isinstance(value, str):
        word = value.strip()
        return [word] if word else []
    items = value if isinstance(value, tuple) else (value,)
    return [word for item in items if (word := str(item).strip())]


def _xrefs(written: Iterable[str], identifier: str) -> tuple[str, ...]:
    """Cross-references as CURIEs, each once, without the node's own id."""
    found = dict.fromkeys(as_curie(word) or word for word in written)
    found.pop(identifier, None)
    return tuple(found)
