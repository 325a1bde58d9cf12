"""Any graph in neo4j-admin's CSV files, as records of the graph."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from biomolkg.errors import SourceError
from biomolkg.identifiers import Identifier, as_curie, curie, identified, no_identifier
from biomolkg.identifiers.curies import whole_number
from graph_loader.checks import Candidate, Rules, checked, usable_names
from graph_loader.graph_records import (
    EDGE_KINDS,
    RESERVED_EDGE,
    RESERVED_NODE,
    GraphEdge,
    GraphNode,
    NodeText,
    Record,
    Value,
    property_names,
)
from graph_loader.kinds import BIOLINK, kind_of_labels
from graph_loader.reading import Reading
from graph_loader.relations import QUALIFIERS, is_negated, qualified_relation, relation_words
from graph_loader.sources.csv_graph.carried import find_carried, read_carried
from graph_loader.sources.csv_graph.layout import Layout, Written, find_layout, match_files
from graph_loader.sources.csv_graph.mapping import EdgeMapping, Mapping, NodeMapping
from graph_loader.sources.csv_graph.rows import CsvEdge, CsvNode, Group, Placed, group_header, read_group

ANY = "*"
_ENDS_HELD = 65_536
NO_IDENTIFIER = "an identifier that is none"
DECIMAL_ID = "id written as a decimal number, read as a whole one"
# Columns that mean the same in most graphs, where no mapping says what they mean.
_NAMES = ("name", "label", "title", "display_name", "preferred_name")
_SYNONYMS = ("synonyms", "synonym", "aliases", "alias")
_SMILES = ("smiles", "canonical_smiles")
_INCHIKEY = ("inchikey", "inchi_key")
_XREFS = ("xrefs", "xref", "equivalent_identifiers", "same_as")


def read_csv_graph(path: Path, reading: Reading, mapping: Mapping | None = None) -> Iterator[Record]:
    """The graph of a folder of CSV files (or of one file), all nodes before the first edge.

    Memory does not grow with the files. Everything that is left out is counted in
    `reading`; read once without writing to find out whether a source can be used.

    Raises SourceError when the files are not what neo4j-admin takes, or the mapping
    names a column that no file has.
    """
    mapping = mapping or Mapping()
    carried = find_carried(path) if path.exists() else []
    if carried:
        # Such tables have every edge in both directions.
        rules = replace(_rules(mapping), undirected=frozenset((ANY,)))
        dataset = mapping.dataset or dataset_name(path)
        yield from checked(read_carried(carried, reading, dataset), reading, rules)
        return
    layout = layout_of(path, mapping)
    nodes, edges = _sorted(layout, mapping)
    builder = _Builder(mapping.dataset or dataset_name(path), mapping)
    placed = (
        item
        for group in (*nodes, *edges)
        for item in read_group(
            group, layout.dialect, layout.array_delimiter, reading, ignore_extra=layout.ignore_extra
        )
    )
    yield from checked(builder.candidates(placed, reading), reading, _rules(mapping))


def _rules(mapping: Mapping) -> Rules:
    return Rules(
        max_labels=mapping.limits.max_labels,
        max_relations=mapping.limits.max_relations,
        self_loops=mapping.limits.self_loops,
        dangling=mapping.limits.dangling,
        undirected=frozenset(name for name, edge in mapping.edges.items() if edge.undirected),
        directed=frozenset(name for name, edge in mapping.edges.items() if not edge.undirected),
    )


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
    named: bool = False
    negated: bool = False

    def qualified(self, properties: Iterable[str]) -> bool:
        """Whether properties qualify the relation, which no mapping names."""
        return not (self.named or QUALIFIERS.isdisjoint(properties))


class _Builder:
    """Turns rows into candidates as the mapping says."""

    def __init__(self, dataset: str, mapping: Mapping) -> None:
        self._dataset = dataset
        self._mapping = mapping
        self._node_plan = lru_cache(4096)(self._plan_node)
        self._edge_plan = lru_cache(4096)(self._plan_edge)
        self._end = lru_cache(_ENDS_HELD)(self._read_end)

    def candidates(self, placed: Iterable[Placed], reading: Reading) -> Iterator[Candidate]:
        for record, file, row in placed:
            place = f"row {row}"
            source = f"{self._dataset}:{file}:{row}"
            if isinstance(record, CsvNode):
                if no_identifier(record.id):
                    reading.skip(file, NO_IDENTIFIER, f"{place}: {record.id!r}")
                    continue
                written = tuple(label.removeprefix(BIOLINK) for label in record.labels)
                labels = usable_names(written, reading, file, place, "label")
                node, key = self._node(record, labels, source)
                if record.id.strip() != whole_number(record.id.strip()):
                    reading.note(file, DECIMAL_ID, f"{place}: {record.id}")
                yield Candidate(node, (f"{record.space}\0{key}",), file, place)
            else:
                head = self._end(record.start, record.start_space)
                tail = self._end(record.end, record.end_space)
                if head is None or tail is None:
                    missing = record.start if head is None else record.end
                    reading.skip(file, NO_IDENTIFIER, f"{place}: {missing!r}")
                    continue
                plan = self._edge_plan(record.type)
                if plan.negated or is_negated("", record.properties):
                    reading.skip(file, "negated: says that it is not so", place, broken=False)
                    continue
                edge = self._edge(record, plan, head[0], tail[0], source)
                if not usable_names((edge.type,), reading, file, place, "type"):
                    reading.skip(file, "no usable type", place)
                    continue
                yield Candidate(edge, (head[1], tail[1]), file, place)

    def _node(self, node: CsvNode, labels: tuple[str, ...], source: str) -> tuple[GraphNode, str]:
        """The node, and the key by which edges name it."""
        left = dict(node.properties)
        plan = self._node_plan(labels, tuple(left))
        take = left.pop
        name = _text(take(plan.name, None)) if plan.name else None
        synonyms = [word for column in plan.synonyms for word in _words(take(column, None))]
        xrefs = [word for column in plan.xrefs for word in _words(take(column, None))]
        found = identified(node.id, prefix=plan.prefix, dataset=self._dataset, space=node.space)
        identifier = found.curie
        left |= beyond(found)
        made = GraphNode(
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
        return made, _key(node.id)

    def _read_end(self, written: str, space: str) -> tuple[str, str] | None:
        """Id and key of an end of an edge; None where it names nothing."""
        if no_identifier(written):
            return None
        found = as_curie(written) or curie(written, prefix=None, dataset=self._dataset, space=space)
        return found, f"{space}\0{_key(written)}"

    def _edge(self, edge: CsvEdge, plan: _EdgePlan, head: str, tail: str, source: str) -> GraphEdge:
        left = edge.properties
        own = None
        if plan.column and plan.column in left:
            left = dict(left)
            own = _text(left.pop(plan.column))
        # By position: this runs for each edge.
        return GraphEdge(
            plan.kind,
            head,
            own or (qualified_relation(edge.type, left) if plan.qualified(left) else plan.relation),
            tail,
            source,
            edge.type,
            property_names(left, RESERVED_EDGE) if left else {},
        )

    def _plan_node(self, labels: tuple[str, ...], columns: tuple[str, ...]) -> _NodePlan:
        mapping = self._node_mapping(labels)
        fold = {column.lower(): column for column in reversed(columns)}

        def known(names: tuple[str, ...]) -> str | None:
            return next((fold[name] for name in names if name in fold), None)

        synonyms, xrefs = known(_SYNONYMS), known(_XREFS)
        return _NodePlan(
            kind=mapping.kind or kind_of_labels(labels),
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
        written = (form for label in labels for form in (label, f"{BIOLINK}{label}"))
        return next((nodes[label] for label in (*written, ANY) if label in nodes), NodeMapping())

    def _plan_edge(self, name: str) -> _EdgePlan:
        mapping = self._mapping.edges.get(name) or self._mapping.edges.get(ANY) or EdgeMapping()
        words = mapping.name or relation_words(name)
        if mapping.kind is None and name in EDGE_KINDS:
            return _EdgePlan(name, words, mapping.relation or "relation", bool(mapping.name))
        negated = is_negated(name, {})
        return _EdgePlan(mapping.kind or "FACT", words, mapping.relation, bool(mapping.name), negated)


def _key(written: str) -> str:
    """By what edges and nodes know one another: the identifier that is meant, however it is spelt."""
    return as_curie(written) or whole_number(written.strip())


def beyond(found: Identifier) -> dict[str, Value]:
    """The version and the isoform that an identifier was written with, as properties."""
    said = {"identifier_version": found.version, "isoform": found.isoform}
    return {name: text for name, text in said.items() if text}


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
