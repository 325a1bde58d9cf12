"""What must hold of the nodes and edges of any source, whatever file they come from."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal as Choice
from typing import NamedTuple

from biomolkg.errors import SourceError
from graph_loader.facts_seen import DIGEST_BYTES, FactsSeen
from graph_loader.graph_records import GraphEdge, GraphNode, Record, is_plain_name, name_fault
from graph_loader.reading import Reading

_CACHE_KIB = 32 * 1024
_RECENT = 50_000
_HELD = 250_000
_FACTS_HELD = 100_000
# Before an id, so that it is no key of an id space.
_ID = "\0\0"
_ANY = "*"


@dataclass(frozen=True, slots=True)
class Rules:
    """How strict the checks are.

    `max_labels` and `max_relations` are how many different labels and relation names
    a source may have: a column of identifiers taken for labels stalls a database.
    `self_loops`: whether an edge from a node to itself is taken. `undirected`: types
    of edges that say the same in both directions; `*` stands for all types that are
    in neither this nor `directed`. `dangling`: whether edges to nodes that the source
    does not list are left out; `remedy` is what to do where none has its nodes.
    """

    max_labels: int = 1_000
    max_relations: int = 20_000
    self_loops: bool = False
    undirected: frozenset[str] = field(default_factory=frozenset)
    directed: frozenset[str] = field(default_factory=frozenset)
    dangling: Choice["skip", "keep"] = "skip"
    remedy: str = "Are the id spaces in the headers the same, and are all node files there?"

    def is_undirected(self, kind: str) -> bool:
        """Whether edges of a type say the same in both directions."""
        return kind in self.undirected or (_ANY in self.undirected and kind not in self.directed)


class Candidate(NamedTuple):
    """A record that is still to be checked, its endpoints as the source writes them.

    `keys` are the node's key (one) or the edge's endpoints (head, tail); a key is
    the identifier within its id space. `place` names the row.
    """

    record: Record
    keys: tuple[str, ...]
    file: str
    place: str


class Seen:
    """Nodes and edges met so far: the first ids and the last facts in memory, the rest in a file.

    The file is temporary, with a cache of 32 MiB. Close it, or use `contextlib.closing`.
    """

    def __init__(self, held: int | None = None) -> None:
        self._held = held = _HELD if held is None else held
        self._nodes: dict[str, tuple[str, str | None]] = {}
        self._recent: dict[str, str | None] = {}
        self._base = sqlite3.connect("", isolation_level=None, cached_statements=16)
        self._base.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._base.execute("PRAGMA journal_mode = OFF")
        self._base.execute("PRAGMA synchronous = OFF")
        self._base.execute("CREATE TABLE node (key TEXT PRIMARY KEY, id TEXT, name TEXT) WITHOUT ROWID")
        self._facts = FactsSeen(self._base, min(held, _FACTS_HELD))
        self._base.execute("BEGIN")

    def add_node(self, key: str, node_id: str, name: str | None) -> bool:
        """Whether key and id are new; the key then stands for the id in any case."""
        return self._insert(key, node_id, name) and self._insert(_ID + node_id, node_id, name)

    def name_of(self, node_id: str) -> str | None:
        """The name that came with an id first."""
        found = self._find(_ID + node_id)
        return None if found is None else found[1]

    def id_of(self, key: str) -> str | None:
        """The id of a node that was added, else None."""
        held = self._nodes.get(key)
        if held is not None:
            return held[0]
        if len(self._nodes) < self._held:
            return None
        try:
            return self._recent[key]
        except KeyError:
            found = self._find(key)
            if len(self._recent) >= _RECENT:
                self._recent.clear()
            node_id = self._recent[key] = None if found is None else found[0]
            return node_id

    def add_fact(self, said: str) -> bool:
        """Whether a fact, given as all that it says, is new."""
        return self._facts.add(_digest(said))

    def has_fact(self, said: str) -> bool:
        """Whether a fact was added."""
        return _digest(said) in self._facts

    def close(self) -> None:
        """Forget everything."""
        self._base.close()

    def _insert(self, key: str, node_id: str, name: str | None) -> bool:
        if key in self._nodes:
            return False
        if len(self._nodes) < self._held:
            self._nodes[key] = (node_id, name)
            return True
        added = self._base.execute("INSERT OR IGNORE INTO node VALUES (?, ?, ?)", (key, node_id, name))
        return added.rowcount == 1

    def _find(self, key: str) -> tuple[str, str | None] | None:
        held = self._nodes.get(key)
        if held is not None:
            return held
        row = self._base.execute("SELECT id, name FROM node WHERE key = ?", (key,)).fetchone()
        return None if row is None else (row[0], row[1])


def _digest(said: str) -> bytes:
    return hashlib.blake2b(said.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).digest()


def checked(candidates: Iterable[Candidate], reading: Reading, rules: Rules) -> Iterator[Record]:
    """The candidates that can be taken, with the ids of their endpoints; nodes must come before edges.

    Left out and counted: repeated nodes and edges, edges whose endpoints are not
    there, self loops. A node that comes again under another name gives that name
    to the notes; the first one stays. An edge is repeated when it says the very
    same, in either direction if its type is undirected.

    Raises SourceError when there are too many different labels or relation names.
    """
    with closing(Seen()) as seen:
        check = _Check(seen, reading, rules)
        for candidate in candidates:
            record = candidate.record
            if isinstance(record, GraphNode):
                taken: Record | None = check.node(record, candidate)
            else:
                taken = check.edge(record, candidate)
            if taken is not None:
                yield taken
        check.refuse_if_all_dangling()


class _Check:
    def __init__(self, seen: Seen, reading: Reading, rules: Rules) -> None:
        self._seen = seen
        self._reading = reading
        self._rules = rules
        self._edges = 0
        self._dangling: list[str] = []
        self._dangling_count = 0

    def refuse_if_all_dangling(self) -> None:
        """Raise SourceError when there are edges but no endpoint fits a node."""
        if self._edges and self._dangling_count == self._edges:
            raise SourceError(
                f"None of the {self._edges} edges has both its nodes, first {self._dangling[0]}.",
                remedy=self._rules.remedy,
            )

    def node(self, node: GraphNode, at: Candidate) -> GraphNode | None:
        (key,) = at.keys
        for label in node.labels:
            self._count(label, at, "label")
        if self._seen.add_node(key, node.id, node.name):
            return node
        first = self._seen.name_of(node.id)
        if node.name is not None and node.name != first:
            said = f"{at.place}: {node.id} is {first!r} and {node.name!r}"
            self._reading.skip(at.file, "id again with another name", said, broken=False)
        else:
            self._reading.skip(at.file, "id again", f"{at.place}: {node.id}", broken=False)
        return None

    def edge(self, edge: GraphEdge, at: Candidate) -> GraphEdge | None:
        rules = self._rules
        self._edges += 1
        head, tail = self._seen.id_of(at.keys[0]), self._seen.id_of(at.keys[1])
        if rules.dangling == "keep":
            head, tail = head or edge.head, tail or edge.tail
        if head is None or tail is None:
            self._dangling_count += 1
            missing = at.keys[0 if head is None else 1].rpartition("\0")[2]
            self._dangling = self._dangling or [f"{at.file}, {at.place}: {missing}"]
            self._reading.skip(at.file, "endpoint that no node has", f"{at.place}: {missing}", broken=False)
            return None
        if head == tail and not rules.self_loops:
            self._reading.skip(at.file, "edge from a node to itself", f"{at.place}: {head}", broken=False)
            return None
        ends = sorted((head, tail)) if rules.is_undirected(edge.type) else (head, tail)
        details = sorted(edge.properties.items(), key=_name) if edge.properties else ""
        said = f"{edge.kind}\0{edge.relation}\0{ends[0]}\0{ends[1]}\0{details}"
        if not self._seen.add_fact(said):
            self._reading.skip(
                at.file, "edge again", f"{at.place}: {head} {edge.relation} {tail}", broken=False
            )
            return None
        self._count(edge.relation, at, "relation name")
        if head == edge.head and tail == edge.tail:
            return edge
        return GraphEdge(edge.kind, head, edge.relation, tail, edge.source, edge.type, edge.properties)

    def _count(self, name: str, at: Candidate, role: str) -> None:
        counts, most = (
            (self._reading.labels, self._rules.max_labels)
            if role == "label"
            else (self._reading.relations, self._rules.max_relations)
        )
        if name not in counts:
            if len(counts) >= most:
                raise SourceError(
                    f"{at.file}, {at.place}: {name[:80]!r} is one {role} more than the {most:,} allowed.",
                    remedy="A column of identifiers or values is not a label or type; load it as a property.",
                )
            if role == "label" and not is_plain_name(name):
                self._reading.note(
                    at.file, "label that is no plain word, kept as data", f"{at.place}: {name!r}"
                )
        counts[name] += 1


def _name(item: tuple[str, object]) -> str:
    return item[0]


def usable_names(names: Iterable[str], reading: Reading, file: str, place: str, role: str) -> tuple[str, ...]:
    """The names that can be labels or types as data; the others are counted."""
    taken = dict.fromkeys(names)
    for name in tuple(taken):
        fault = _fault(name)
        if fault is not None:
            del taken[name]
            reading.note(file, f"{role} that {fault}, left out", f"{place}: {name[:40]!r}")
    return tuple(taken)


_fault = lru_cache(4096)(name_fault)
