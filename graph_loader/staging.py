"""A source's records in a temporary file, between the pass that checks them and the one that writes them.

Whatever the length of the source, memory holds a batch of rows and a bounded
cache: a source is read to its end, and refused where it must be, before the
graph is touched.
"""

from __future__ import annotations

import json
import marshal
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, Self, TypeVar

from biomolkg.errors import ConfigurationError
from graph_loader.graph_records import GraphEdge, GraphNode, Literal, Value
from graph_loader.identity.things import Thing

Item = TypeVar("Item")

_CACHE_KIB = 32 * 1024
_HELD = 250_000
_BATCH = 2_000
_MARSHAL = 2  # the version of its form without references between equal texts
_LITERAL = "\0literal"
_TABLES = """
CREATE TABLE node (n INTEGER PRIMARY KEY, kind TEXT, texts INTEGER, row TEXT);
CREATE TABLE edge (n INTEGER PRIMARY KEY, head TEXT, row);
CREATE TABLE known (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE joined (id TEXT PRIMARY KEY, target TEXT, rank INTEGER, evidence TEXT) WITHOUT ROWID;
CREATE INDEX joined_target ON joined (target);
CREATE TABLE key (key TEXT, id TEXT, PRIMARY KEY (key, id)) WITHOUT ROWID;
CREATE TABLE thing (id TEXT PRIMARY KEY, row TEXT) WITHOUT ROWID;
CREATE TABLE name (key TEXT PRIMARY KEY, times INTEGER) WITHOUT ROWID;
CREATE TABLE left_out (id TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE held_node (id TEXT PRIMARY KEY, digest TEXT, datasets TEXT, met INTEGER) WITHOUT ROWID;
CREATE TABLE held_edge (digest TEXT PRIMARY KEY, element TEXT, kind TEXT, met INTEGER) WITHOUT ROWID;
CREATE TABLE surplus (element TEXT, kind TEXT);
CREATE TABLE held_passage (id TEXT PRIMARY KEY, met INTEGER) WITHOUT ROWID;
CREATE TABLE todo_node (n INTEGER PRIMARY KEY);
CREATE TABLE todo_edge (n INTEGER PRIMARY KEY);
"""


class StructureKeys(NamedTuple):
    """InChIKeys of a structure as it is, of it without counter-ions, and of each part of a mixture."""

    whole: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()


NO_KEYS = StructureKeys()


@dataclass(frozen=True, slots=True)
class StagedNode:
    """A node as it was staged; `structure` are the properties that follow from its SMILES.

    `inchikeys` are all that the source or the structure gives, `parents` those of it
    without counter-ions, `parts` those of each part of a mixture; `taxon` is its species.
    `optional`: it is of use only where the graph has the thing already.
    """

    n: int
    id: str
    kind: str
    source: str
    name: str | None
    labels: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    inchikey: str | None = None
    inchikeys: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    taxon: str | None = None
    xrefs: tuple[str, ...] = ()
    gene: str | None = None
    texts: tuple[tuple[str, str], ...] = ()
    structure: Mapping[str, Any] = field(default_factory=dict)
    properties: Mapping[str, Value] = field(default_factory=dict)
    optional: bool = False


class StagedEdge(NamedTuple):
    """An edge as it was staged, with the ids that the source gives its ends."""

    n: int
    kind: str
    head: str
    relation: str
    tail: str
    source: str
    type: str
    properties: Mapping[str, Value]

    @property
    def said(self) -> str:
        """All of it as text, which is the same whenever the source says the same."""
        return repr(self[1:])


class Staging:
    """The temporary file, for a `with` statement; that raises ConfigurationError when its folder is full."""

    def __init__(self) -> None:
        self._base = sqlite3.connect("", isolation_level=None, cached_statements=64)
        self._base.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._base.execute("PRAGMA journal_mode = OFF")
        self._base.execute("PRAGMA synchronous = OFF")
        self._base.executescript(_TABLES)
        self._base.execute("BEGIN")
        self._known: set[str] = set()
        self._nodes: list[tuple[int, str, int, str]] = []
        self._edges: list[tuple[int, str, bytes | str]] = []
        self._last_edge = 0
        self.nodes = 0
        self.edges: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        self._base.close()
        # Of this file, or of those that are kept while a source is read: all are in one folder.
        if isinstance(error, sqlite3.OperationalError):
            raise ConfigurationError(
                f"A temporary file of this load could not be written: {error}.",
                remedy="Free space in the temporary folder, or name another by the variable SQLITE_TMPDIR.",
            ) from error

    def knows(self, node_id: str) -> bool:
        """Whether the id was met before; it is from now on."""
        if node_id in self._known:
            return True
        if len(self._known) < _HELD:
            self._known.add(node_id)
            return False
        return self._base.execute("INSERT OR IGNORE INTO known VALUES (?)", (node_id,)).rowcount == 0

    def add_node(
        self,
        node: GraphNode,
        *,
        inchikey: str | None = None,
        keys: StructureKeys = NO_KEYS,
        taxon: str | None = None,
        structure: Mapping[str, Any] | None = None,
        gene: str | None = None,
        properties: Mapping[str, Value] | None = None,
        optional: bool = False,
    ) -> None:
        """Keep a node; `properties` stand for its own where they are given."""
        self.nodes += 1
        row = _encode(
            (
                node.id,
                node.kind,
                node.source,
                node.name,
                node.labels,
                node.synonyms,
                inchikey or node.inchikey,
                *keys,
                taxon,
                node.xrefs,
                gene,
                [(text.section, text.text) for text in node.texts],
                structure or {},
                node.properties if properties is None else properties,
                optional,
            )
        )
        self._nodes.append((self.nodes, node.kind, bool(node.texts), row))
        if len(self._nodes) >= _BATCH:
            self._flush()

    def add_edge(self, edge: GraphEdge) -> None:
        """Keep an edge."""
        self.edges[edge.kind] += 1
        self._last_edge += 1
        fields: Any = (*edge[:-1], edge.properties or {})
        try:
            row: bytes | str = marshal.dumps(fields, _MARSHAL)
        except ValueError:  # a Literal, of which marshal knows nothing
            row = _encode(fields)
        self._edges.append((self._last_edge, edge.head, row))
        if len(self._edges) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        self._base.executemany("INSERT INTO node VALUES (?, ?, ?, ?)", self._nodes)
        self._base.executemany("INSERT INTO edge VALUES (?, ?, ?)", self._edges)
        self._nodes.clear()
        self._edges.clear()

    def read_nodes(
        self, *, kinds: Iterable[str] = (), texts: bool = False, pending: bool = False
    ) -> Iterator[StagedNode]:
        """The nodes in the order of the source: of some kinds, with texts, or still to be written."""
        self._flush()
        wanted = [kind.replace("'", "") for kind in kinds]
        parts = ["SELECT n, row FROM node"]
        parts += ["JOIN todo_node USING (n)"] if pending else []
        parts += ["WHERE texts" if texts else "WHERE 1"]
        parts += [f"AND kind IN ({', '.join('?' * len(wanted))})"] if wanted else []
        for n, row in self._rows(" ".join([*parts, "ORDER BY n"]), wanted):
            fields = _decode(row)
            for at in (4, 5, 7, 8, 9, 11):
                fields[at] = tuple(fields[at])
            fields[13] = tuple((section, text) for section, text in fields[13])
            yield StagedNode(n, *fields)

    def read_edges(self, *, pending: bool = False, grouped: bool = False) -> Iterator[StagedEdge]:
        """The edges in the order of the source; `pending`: those still to be written.

        `grouped`: those of one head together, in which order the database writes
        them fastest.
        """
        self._flush()
        chosen = "edge JOIN todo_edge USING (n)" if pending else "edge"
        order = "head, n" if grouped else "n"
        for n, row in self._rows(f"SELECT n, row FROM {chosen} ORDER BY {order}"):  # noqa: S608 - of fixed texts
            # What is read here was written by this very process.
            fields = marshal.loads(row) if isinstance(row, bytes) else _decode(row)  # noqa: S302
            yield StagedEdge(n, *fields)

    def _rows(self, query: str, parameters: Iterable[object] = ()) -> Iterator[tuple[Any, ...]]:
        cursor = self._base.cursor()
        cursor.arraysize = _BATCH
        cursor.execute(query, tuple(parameters))
        while rows := cursor.fetchmany():
            yield from rows

    # What the graph has of the joinable things, by identifiers and names.

    def add_keys(self, keys: Iterable[tuple[str, str]]) -> None:
        """Keys of things that the graph has: (key, id)."""
        self._base.executemany("INSERT OR IGNORE INTO key VALUES (?, ?)", keys)

    def ids_of(self, key: str) -> set[str]:
        """The things that a key stands for."""
        return {row[0] for row in self._base.execute("SELECT id FROM key WHERE key = ?", (key,))}

    def add_thing(self, thing: Thing, *, under: str | None = None) -> None:
        """Keep what is known of a thing under its id, or another key."""
        row = _encode(tuple(getattr(thing, name) for name in Thing.__slots__))
        self._base.execute("INSERT OR REPLACE INTO thing VALUES (?, ?)", (under or thing.id, row))

    def thing_of(self, thing_id: str) -> Thing | None:
        """What is known of a thing, None when nothing was kept."""
        found = self._base.execute("SELECT row FROM thing WHERE id = ?", (thing_id,)).fetchone()
        if found is None:
            return None
        parts: list[Any] = [tuple(one) if isinstance(one, list) else one for one in _decode(found[0])]
        return Thing(*parts)

    def count_names(self, keys: Iterable[str]) -> None:
        """Say that a thing of the source has names with these keys."""
        self._base.executemany(
            "INSERT INTO name VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + 1",
            ((key,) for key in keys),
        )

    def times_named(self, key: str) -> int:
        """How many things of the source have a name with this key."""
        found = self._base.execute("SELECT times FROM name WHERE key = ?", (key,)).fetchone()
        return 0 if found is None else int(found[0])

    # Which nodes are which of the graph's.

    def join(self, node_id: str, target: str, rank: int, evidence: str) -> None:
        """Say that a node of the source is one that the graph has; a smaller `rank` is better evidence."""
        self._base.execute("INSERT INTO joined VALUES (?, ?, ?, ?)", (node_id, target, rank, evidence))

    def part(self, node_id: str) -> None:
        """Take a join back."""
        self._base.execute("DELETE FROM joined WHERE id = ?", (node_id,))

    def joined(self) -> Iterator[tuple[str, str, str]]:
        """Each join, by id: id, target, evidence."""
        yield from self._rows("SELECT id, target, evidence FROM joined ORDER BY id")

    def crowded(self) -> list[tuple[str, list[tuple[int, str]]]]:
        """The targets that several nodes were joined to: (rank, id) of these, the best first."""
        shared = self._base.execute(
            "SELECT target FROM joined GROUP BY target HAVING count(*) > 1"
        ).fetchall()
        return [
            (
                target,
                self._base.execute(
                    "SELECT rank, id FROM joined WHERE target = ? ORDER BY rank, id", (target,)
                ).fetchall(),
            )
            for (target,) in shared
        ]

    def target_of(self, node_id: str) -> str:
        """The id of the node in the graph."""
        found = self._base.execute("SELECT target FROM joined WHERE id = ?", (node_id,)).fetchone()
        return node_id if found is None else str(found[0])

    def evidence_of(self, node_id: str) -> str | None:
        """How a node was joined; None when it was not."""
        found = self._base.execute("SELECT evidence FROM joined WHERE id = ?", (node_id,)).fetchone()
        return None if found is None else str(found[0])

    def leave_out(self, node_id: str) -> None:
        """The node is not written."""
        self._base.execute("INSERT OR IGNORE INTO left_out VALUES (?)", (node_id,))

    def is_left_out(self, node_id: str) -> bool:
        """Whether a node is not written."""
        return self._base.execute("SELECT 1 FROM left_out WHERE id = ?", (node_id,)).fetchone() is not None

    # What the graph has of the data set, and what has to be written.

    def hold_nodes(self, rows: Iterable[tuple[str, str | None, str]]) -> None:
        """Nodes that the graph has of the data set: id, digest, datasets as JSON."""
        self._base.executemany("INSERT INTO held_node VALUES (?, ?, ?, 0)", rows)

    def meet_node(self, node_id: str) -> tuple[str | None, list[str]] | None:
        """Digest and data sets of a held node, which from now on counts as met."""
        found = self._base.execute(
            "UPDATE held_node SET met = 1 WHERE id = ? RETURNING digest, datasets", (node_id,)
        ).fetchone()
        return None if found is None else (found[0], json.loads(found[1]))

    def unmet_nodes(self) -> Iterator[tuple[str, list[str]]]:
        """The held nodes that the source does not have, with their data sets."""
        for node_id, datasets in self._rows("SELECT id, datasets FROM held_node WHERE NOT met ORDER BY id"):
            yield node_id, json.loads(datasets)

    def hold_edges(self, rows: Iterable[tuple[str | None, str, str]]) -> None:
        """Edges that the graph has of the data set: digest, element, kind; of one digest one is kept."""
        for digest, element, kind in rows:
            added = digest is not None and self._base.execute(
                "INSERT OR IGNORE INTO held_edge VALUES (?, ?, ?, 0)", (digest, element, kind)
            )
            if not added or added.rowcount == 0:
                self._base.execute("INSERT INTO surplus VALUES (?, ?)", (element, kind))

    def meet_edge(self, digest: str) -> bool:
        """Whether the graph has the edge, which from now on counts as met."""
        return self._base.execute("UPDATE held_edge SET met = 1 WHERE digest = ?", (digest,)).rowcount == 1

    def unmet_edges(self) -> Iterator[tuple[str, str]]:
        """Element and kind of held edges that the source does not have, or that are there twice."""
        yield from self._rows("SELECT element, kind FROM held_edge WHERE NOT met")
        yield from self._rows("SELECT element, kind FROM surplus")

    def hold_passages(self, ids: Iterable[str]) -> None:
        """Passages that the graph has of the data set."""
        self._base.executemany("INSERT INTO held_passage VALUES (?, 0)", ((one,) for one in ids))

    def meet_passage(self, passage: str) -> bool:
        """Whether the graph has the passage, which from now on counts as met."""
        return self._base.execute("UPDATE held_passage SET met = 1 WHERE id = ?", (passage,)).rowcount == 1

    def unmet_passages(self) -> Iterator[str]:
        """The held passages that the source does not have."""
        for (passage,) in self._rows("SELECT id FROM held_passage WHERE NOT met ORDER BY id"):
            yield passage

    def want_node(self, n: int) -> None:
        """The node has to be written."""
        self._base.execute("INSERT INTO todo_node VALUES (?)", (n,))

    def want_edge(self, n: int) -> None:
        """The edge has to be written."""
        self._base.execute("INSERT INTO todo_edge VALUES (?)", (n,))


def batches(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """The items in lists of at most `size`."""
    rest = iter(items)
    while some := list(islice(rest, size)):
        yield some


def _literal(value: object) -> object:
    if isinstance(value, Literal):
        return {_LITERAL: [value.kind, value.text]}
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} is no value of a property")


def _from_literal(found: dict[str, Any]) -> object:
    return Literal(*found[_LITERAL]) if _LITERAL in found else found


# Made once: json.dumps and json.loads would make one for each row.
_encode = json.JSONEncoder(default=_literal).encode
_decode = json.JSONDecoder(object_hook=_from_literal).decode
