"""Nodes and edges that a data set wants in the graph, as tables that are compared with it row by row.

Three kinds of tables: nodes that one data set owns, nodes that data sets share
(the same protein or label from two sources is one node), and edges. A table's
statements are `load/read_<name>` and `load/write_<name>`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from cypher.client import Client
from graph_loader.identity.evidence import evidence_of
from graph_loader.ledger import JoinCount
from graph_loader.plan import Difference, Encoding, Key, Plan, Row

EDGES = "edges"  # what removes the rows of tables of which each row is one edge
FORMAT = 1  # raise when the same source gives another graph
# What the vocabulary adds to things of any data set, which no data set states or takes away.
ADDED_PROPERTIES = frozenset(("preferred_name", "aliases", "more_xrefs"))


class Table(Protocol):
    """One table."""

    @property
    def name(self) -> str:
        """As the ledger and the statements name it."""
        ...

    def compare(self, client: Client, dataset: str, encoding: Encoding) -> Difference:
        """What the graph lacks, and has beyond it. Reads only."""
        ...

    def contents(self) -> Iterable[object]:
        """Everything that the rows say, for the content hash, in an order of its own."""
        ...


@dataclass(frozen=True, slots=True)
class Node:
    """A node that the graph shall hold; `text`, if any, is what its embedding is made of.

    `shared` are the properties that stay the data set's own on a node that
    another data set has too, whose other properties are left as they are.
    """

    id: str
    properties: Mapping[str, Any]
    labels: tuple[str, ...] = ()
    text: str | None = None
    shared: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Edge:
    """An edge that the graph shall hold, told from others of its ends by `type` and `part`."""

    type: str
    head: str
    tail: str
    properties: Mapping[str, Any]
    part: str | None = None

    @property
    def key(self) -> Key:
        """What makes it the same edge."""
        return self.type, self.head, self.tail, self.part


@dataclass(frozen=True, slots=True)
class OwnedNodes:
    """Nodes of this data set alone: they have exactly these properties, and `label` and their own labels."""

    name: str
    label: str
    nodes: Mapping[str, Node]

    def compare(self, client: Client, dataset: str, encoding: Encoding) -> Difference:
        """What the graph lacks, and has beyond it. Reads only."""
        difference = Difference(self.name, len(self.nodes), removal="nodes", removed_last=True)
        missing = dict(self.nodes)
        for found in _held(client, f"load/read_{self.name}", dataset=dataset):
            node = missing.get(found["id"])
            if node is None:
                difference.remove.append({"element": found["element"]})
                continue
            del missing[node.id]
            held = {
                name: value
                for name, value in found["properties"].items()
                if value is not None and name not in {"id", "embedding"}
            }
            properties = _properties(node, dataset, encoding)
            stale = sorted(set(found["labels"]) - {self.label, *node.labels})
            if (
                properties == held
                and not stale
                and set(node.labels) <= set(found["labels"])
                and found.get("dimension") == (encoding.dimension if node.text is not None else None)
            ):
                continue
            nulls = dict.fromkeys(held.keys() - properties.keys())
            difference.write.append(_row(node, properties | nulls, stale))
        for node in missing.values():
            difference.write.append(_row(node, _properties(node, dataset, encoding), []))
        return difference

    def contents(self) -> Iterable[object]:
        """Everything that the rows say, ordered by identity."""
        return (_content(self.nodes[key]) for key in sorted(self.nodes))


@dataclass(frozen=True, slots=True)
class SharedNodes:
    """Nodes that other data sets may have too, told by their `datasets`.

    Of such a node this data set keeps only what is its own: the `shared`
    properties, whose names begin with `prefix`, and the labels among `added`. A
    node that it has alone has exactly the properties of the table. With `words`,
    the data set that had a node first says what it is; what the others say stands
    beside it, every name with their `dataset_` in front, until they are the first.
    """

    name: str
    nodes: Mapping[str, Node]
    prefix: str
    added: tuple[str, ...] = ()
    words: bool = False

    def compare(self, client: Client, dataset: str, encoding: Encoding) -> Difference:  # noqa: ARG002
        """What the graph lacks, and has beyond it. Reads only."""
        difference = Difference(self.name, len(self.nodes), removal="claims", removed_last=True)
        held = {row["id"]: row for row in _held(client, f"load/read_{self.name}", dataset=dataset)}
        unclaimed = [key for key in self.nodes if key not in held]
        if unclaimed:
            held |= {row["id"]: row for row in _held(client, f"load/find_{self.name}", ids=unclaimed)}
        for node in self.nodes.values():
            row = self._change(held.pop(node.id, None), node, dataset)
            if row is not None:
                difference.write.append(row)
        for found in held.values():
            stale = [name for name in found["labels"] if name in self.added]
            difference.remove.append(withdrawn(found, dataset, self.prefix, stale, words=self.words))
        return difference

    def _change(self, found: Row | None, node: Node, dataset: str) -> Row | None:
        """The row to write; None when the node is as it shall be."""
        held = {} if found is None else found["properties"]
        datasets = [] if found is None else list(found["datasets"] or ())
        others = [name for name in datasets if name != dataset]
        first = not others or (self.words and datasets[0] == dataset)
        if first:
            stated = {**node.properties, **node.shared}
        elif self.words:
            stated = {f"{self.prefix}{name}": value for name, value in node.properties.items()}
        else:
            stated = dict(node.shared)
        theirs = tuple(f"{name}_" for name in others)
        stated |= {
            name: None
            for name in held
            if name not in stated
            and name not in {"id", "datasets", *ADDED_PROPERTIES}
            and (name.startswith(self.prefix) or (first and not name.startswith(theirs)))
        }
        agrees = all(held.get(name) == value for name, value in stated.items())
        labels = set() if found is None else set(found["labels"])
        if agrees and dataset in datasets and labels.issuperset(node.labels):
            return None
        stated["datasets"] = datasets if dataset in datasets else [*datasets, dataset]
        return {"id": node.id, "properties": stated, "labels": list(node.labels)}

    def contents(self) -> Iterable[object]:
        """Everything that the rows say, ordered by identity."""
        return (_content(self.nodes[key]) for key in sorted(self.nodes))


def withdrawn(
    found: Row, dataset: str, prefix: str, stale: Sequence[str] = (), *, words: bool = False
) -> Row:
    """The row that takes back what a data set says of a node; with `words`, the next one's come instead."""
    datasets: list[str] = found["datasets"]
    held: Row = found["properties"]
    others = [name for name in datasets if name != dataset]
    properties: Row = dict.fromkeys(name for name in held if name.startswith(prefix))
    if words and others and datasets[0] == dataset:
        theirs = tuple(f"{name}_" for name in others)
        heir = f"{others[0]}_"
        said = {name.removeprefix(heir): value for name, value in held.items() if name.startswith(heir)}
        # One that was written before a second source's words were kept has no others to take.
        if said:
            properties |= dict.fromkeys(name for name in held if name != "id" and not name.startswith(theirs))
            properties |= dict.fromkeys(name for name in held if name.startswith(heir))
            properties |= said
    properties["datasets"] = others
    return {
        "element": found["element"],
        "properties": properties,
        "stale": list(stale),
        "alone": not others,
    }


@dataclass(frozen=True, slots=True)
class Edges:
    """Edges of this data set."""

    name: str
    edges: Mapping[Key, Edge]

    def compare(self, client: Client, dataset: str, encoding: Encoding) -> Difference:  # noqa: ARG002
        """What the graph lacks, and has beyond it. Reads only."""
        difference = Difference(self.name, len(self.edges), removal=EDGES)
        missing = dict(self.edges)
        for found in _held(client, f"load/read_{self.name}", dataset=dataset):
            head = found["head"]
            for kind, tail, part, properties, element in found["edges"]:
                edge = missing.get((kind, head, tail, part))
                if edge is not None and properties == edge.properties:
                    del missing[edge.key]
                else:
                    gone = (kind, head, tail, part) not in self.edges
                    difference.remove.append({"element": element, "gone": gone})
        difference.write.extend(
            {"type": edge.type, "head": edge.head, "tail": edge.tail, "properties": dict(edge.properties)}
            for edge in missing.values()
        )
        return difference

    def contents(self) -> Iterable[object]:
        """Everything that the rows say, ordered by identity."""
        return (
            [edge.type, edge.head, edge.tail, edge.part or "", dict(edge.properties)]
            for edge in sorted(self.edges.values(), key=lambda edge: (*edge.key[:3], edge.part or ""))
        )


@dataclass(frozen=True, slots=True)
class GraphTables:
    """What the graph shall hold of one data set; `tables` in the order in which they are written."""

    dataset: str
    origin: str
    selection: str
    tables: tuple[Table, ...]
    encoding: Encoding

    def content_hash(self) -> str:
        """Identity of everything that a load leaves in the graph, joins to other data sets included."""
        digest = hashlib.sha256(f"{FORMAT} {self.dataset} {self.encoding.identity}\n".encode())
        for table in self.tables:
            digest.update(f"{table.name}\n".encode())
            for content in table.contents():
                digest.update(json.dumps(content, sort_keys=True, ensure_ascii=False).encode())
        return digest.hexdigest()

    def without(self, names: Collection[str]) -> GraphTables:
        """The same without the tables of these names."""
        return replace(self, tables=tuple(table for table in self.tables if table.name not in names))

    def joins(self) -> tuple[JoinCount, ...]:
        """What was recognised among the things of other data sets, by evidence."""
        found: dict[str, list[str]] = {}
        for table in self.tables:
            if isinstance(table, SharedNodes):
                for node in table.nodes.values():
                    said = node.shared.get(f"{table.prefix}join")
                    if said:
                        kind = evidence_of(said)
                        known = node.shared.get(f"{table.prefix}reference")
                        found.setdefault(kind, []).append(f"{known} is {node.id} by {said}")
            elif isinstance(table, Edges):
                for edge in table.edges.values():
                    if edge.type == "LABELS":
                        example = f"{edge.head} is about {edge.tail} by {edge.properties['named']}"
                        found.setdefault(edge.properties["evidence"], []).append(example)
        return tuple(JoinCount(kind, len(all_), tuple(all_[:5])) for kind, all_ in sorted(found.items()))

    def plan(self, client: Client) -> Plan:
        """What the graph lacks of this, and has beyond it. Reads only."""
        return Plan(tuple(table.compare(client, self.dataset, self.encoding) for table in self.tables))


def _held(client: Client, statement: str, **parameters: object) -> Iterator[Row]:
    """What a statement returns, whether it gives rows or many of them in one record, which is much faster."""
    for record in client.stream(statement, **parameters):
        if "rows" in record:
            yield from record["rows"]
        else:
            yield record


def edges_of(name: str, found: Iterable[Edge]) -> Edges:
    """The edges as a table; of those with one key the first is kept."""
    kept: dict[Key, Edge] = {}
    for edge in found:
        kept.setdefault(edge.key, edge)
    return Edges(name, kept)


def _properties(node: Node, dataset: str, encoding: Encoding) -> Row:
    own = {**node.properties, "dataset": dataset}
    return own | {"encoder": encoding.identity} if node.text is not None else own


def _row(node: Node, properties: Row, stale: Sequence[str]) -> Row:
    row: Row = {
        "id": node.id,
        "properties": properties,
        "labels": list(node.labels),
        "stale": list(stale),
    }
    return row if node.text is None else row | {"embed": node.text}


def _content(node: Node) -> object:
    return [node.id, list(node.labels), dict(node.properties), dict(node.shared)]
