"""The facts of a snapshot by entity, by pair and by relation, without a database."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from retrievers.evidence_types import EVIDENCE_TYPES, evidence_type
from retrievers.hits import Filters
from retrievers.plain.records import Fact
from retrievers.snapshot import Snapshot

SYMMETRIC = frozenset(("DDI", "MOLECULAR"))
TARGET = frozenset(("DPI", "ACTION"))
INHIBITION, ACTIVATION, BINDING = "inhibition", "activation", "binding"
_ORDER: dict[str, int] = {name: at for at, name in enumerate(EVIDENCE_TYPES)}
Indexes = NDArray[np.int64]


class Facts:
    """Looks facts up. `inhibits`, `activates`: bool [R], what a relation's name says. Safe to share."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.entities = snapshot.entities
        self.kind_of = [relation.kind for relation in snapshot.relations]
        names = [relation.name.casefold() for relation in snapshot.relations]
        acting = [kind not in SYMMETRIC for kind in self.kind_of]
        self.inhibits = _flags("inhibit" in name or "antagon" in name for name in names) & _flags(acting)
        self.activates = (
            _flags(("activat" in name or "agonis" in name) and "antagon" not in name for name in names)
            & _flags(acting)
            & ~self.inhibits
        )
        self._places = {entity.id: at for at, entity in enumerate(self.entities)}
        self._head = _Rows(snapshot.heads, len(self.entities))
        self._tail = _Rows(snapshot.tails, len(self.entities))
        self._relation = _Rows(snapshot.relation_of, len(names))
        self._disputed = self._contradictions()

    def place_of(self, entity_id: str) -> int | None:
        """The place of an entity by its id."""
        return self._places.get(entity_id)

    def of_entity(self, entity: int, kinds: Iterable[str] = ()) -> Indexes:
        """The triples with the entity at either end, ascending; `kinds` empty: all."""
        return self._only(np.union1d(self._head[entity], self._tail[entity]), kinds)

    def from_head(self, entity: int, kinds: Iterable[str] = ()) -> Indexes:
        """The triples with the entity as head."""
        return self._only(self._head[entity], kinds)

    def to_tail(self, entity: int, kinds: Iterable[str] = ()) -> Indexes:
        """The triples with the entity as tail."""
        return self._only(self._tail[entity], kinds)

    def of_relation(self, relation: int) -> Indexes:
        """The triples of a relation type."""
        return self._relation[relation]

    def between(self, one: int, other: int, kinds: Iterable[str] = ()) -> Indexes:
        """The triples that join two entities, in either direction."""
        near: Indexes = self.of_entity(one if self.degree(one) <= self.degree(other) else other, kinds)
        heads, tails = self.snapshot.heads[near], self.snapshot.tails[near]
        joined = ((heads == one) & (tails == other)) | ((heads == other) & (tails == one))
        found: Indexes = near[joined]
        return found

    def degree(self, entity: int) -> int:
        """How many ends of triples the entity is."""
        return len(self._head[entity]) + len(self._tail[entity])

    def other_end(self, triple: int, entity: int) -> int:
        """The end that is not `entity`."""
        head = int(self.snapshot.heads[triple])
        return int(self.snapshot.tails[triple]) if head == entity else head

    def with_polarity(self, triples: Indexes, relation: str | None) -> Indexes:
        """The triples whose relation inhibits or activates; all of them for any other word."""
        if relation not in {INHIBITION, ACTIVATION}:
            return triples
        flags = self.inhibits if relation == INHIBITION else self.activates
        return triples[flags[self.snapshot.relation_of[triples]]]

    def polarity(self, triple: int) -> str | None:
        """What the triple's relation says: inhibition, activation, or neither."""
        relation = self.snapshot.relation_of[triple]
        return INHIBITION if self.inhibits[relation] else ACTIVATION if self.activates[relation] else None

    def disputed(self, triple: int) -> bool:
        """Whether other facts of the same pair say the contrary."""
        return (int(self.snapshot.heads[triple]), int(self.snapshot.tails[triple])) in self._disputed

    def allowed(self, triples: Indexes, filters: Filters) -> Indexes:
        """The triples that pass the filters of a request; empty `kinds` allow every kind."""
        evidence: frozenset[str] = getattr(filters, "evidence", frozenset())
        if not (filters.kinds or filters.sources or filters.entities or evidence):
            return triples
        return np.array([at for at in triples if self._passes(int(at), filters, evidence)], dtype=np.int64)

    def told(self, triples: Sequence[int] | Indexes) -> list[Fact]:
        """The triples as facts: what several sources state is one; the strongest evidence first."""
        snapshot = self.snapshot
        groups: dict[tuple[int, int, int], list[int]] = defaultdict(list)
        for triple in triples:
            at = int(triple)
            head, tail = int(snapshot.heads[at]), int(snapshot.tails[at])
            relation = int(snapshot.relation_of[at])
            if self.kind_of[relation] in SYMMETRIC and tail < head:
                head, tail = tail, head
            groups[head, relation, tail].append(at)
        found = [self._fact(members) for members in groups.values()]
        return sorted(found, key=lambda fact: (_ORDER.get(fact.evidence_type, len(_ORDER)), fact.triple))

    def _fact(self, triples: Sequence[int]) -> Fact:
        first = triples[0]
        relation = self.snapshot.relations[self.snapshot.relation_of[first]]
        return Fact(
            head=self.entities[self.snapshot.heads[first]].reference,
            relation=relation.name,
            tail=self.entities[self.snapshot.tails[first]].reference,
            kind=relation.kind,
            evidence_type=evidence_type(relation.kind),
            disputed=self.disputed(first),
            sources=tuple(dict.fromkeys(self.snapshot.sources[at] for at in triples)),
            triple=first,
        )

    def _passes(self, triple: int, filters: Filters, evidence: frozenset[str]) -> bool:
        kind = self.kind_of[self.snapshot.relation_of[triple]]
        if filters.kinds and kind not in filters.kinds:
            return False
        if evidence and evidence_type(kind) not in evidence:
            return False
        if filters.sources and not self.snapshot.sources[triple].startswith(tuple(filters.sources)):
            return False
        ends = self.snapshot.heads[triple], self.snapshot.tails[triple]
        return not filters.entities or any(self.entities[end].id in filters.entities for end in ends)

    def _only(self, triples: Indexes, kinds: Iterable[str]) -> Indexes:
        wanted = frozenset(kinds)
        if not wanted or not len(triples):
            return triples
        flags = _flags(kind in wanted for kind in self.kind_of)
        return triples[flags[self.snapshot.relation_of[triples]]]

    def _contradictions(self) -> frozenset[tuple[int, int]]:
        pairs = []
        for flags in (self.inhibits, self.activates):
            triples = np.flatnonzero(flags[self.snapshot.relation_of] if len(flags) else np.zeros(0, bool))
            ends = zip(self.snapshot.heads[triples], self.snapshot.tails[triples], strict=True)
            pairs.append({(int(head), int(tail)) for head, tail in ends})
        return frozenset(pairs[0] & pairs[1])


class _Rows:
    """Which rows of a column have a value: one sorted array for all values."""

    def __init__(self, column: NDArray[np.int32], values: int) -> None:
        self._order: Indexes = np.argsort(column, kind="stable").astype(np.int64)
        self._start = np.searchsorted(column[self._order], np.arange(values + 1))

    def __getitem__(self, value: int) -> Indexes:
        return self._order[self._start[value] : self._start[value + 1]]


def _flags(values: Iterable[bool]) -> NDArray[np.bool_]:
    return np.fromiter(values, dtype=np.bool_)
