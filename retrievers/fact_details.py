"""What a fact is worth beside its rank: all its sources, its evidence, and what contradicts it."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cypher.client import Client
from retrievers.evidence_types import EVIDENCE_TYPES, EvidenceType, evidence_type
from retrievers.hits import TripleHit
from retrievers.snapshot import Entity, Snapshot

_ACTS = frozenset(("DPI", "ACTION", "FACT"))
_INHIBITS = re.compile(r"\b(?:inhibit|antagoni|block|inactivat|deactivat)", re.IGNORECASE)
_ACTIVATES = re.compile(r"\b(?:re)?(?:activat|agoni)", re.IGNORECASE)
# What the graph keeps on an edge for itself, or is said in the hit already.
_KEPT = frozenset(("relation", "digest"))


@dataclass(frozen=True, slots=True)
class FactWorth:
    """The evidence of a fact, every source that states it, and whether others of its pair contradict it."""

    evidence_type: EvidenceType
    sources: tuple[str, ...]
    disputed: bool = False


def polarity(kind: str, relation: str) -> int:
    """-1: the head inhibits the tail; 1: it activates it; 0: the relation says neither."""
    if kind not in _ACTS:
        return 0
    if _INHIBITS.search(relation):
        return -1
    return 1 if _ACTIVATES.search(relation) else 0


class FactDetails:
    """Looks facts of one snapshot up. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._places = {entity.id: at for at, entity in enumerate(snapshot.entities)}
        self._relations = {(one.kind, one.name): at for at, one in enumerate(snapshot.relations)}
        self._codes = snapshot.evidence_codes()
        self._polarity = np.array([polarity(one.kind, one.name) for one in snapshot.relations], dtype=np.int8)
        pairs = snapshot.heads.astype(np.int64) * len(snapshot.entities) + snapshot.tails
        says = self._polarity[snapshot.relation_of] if len(snapshot.relations) else np.zeros(0, np.int8)
        self._disputed = frozenset(np.intersect1d(pairs[says < 0], pairs[says > 0]).tolist())

    def entity(self, id_: str) -> Entity | None:
        """The entity with this id, if it is an end of a triple or a text describes it."""
        place = self._places.get(id_)
        return None if place is None else self._snapshot.entities[place]

    def worth(self, triple: TripleHit, source: str) -> FactWorth:
        """What a fact is worth; one that the snapshot lacks, as Reactome's, has the `source` given."""
        head, tail = self._places.get(triple.head.id), self._places.get(triple.tail.id)
        relation = self._relations.get((triple.kind, triple.relation))
        if head is None or tail is None or relation is None:
            return FactWorth(evidence_type(triple.kind), (source,))
        found = self._rows(head, relation, tail)
        if not len(found):
            return FactWorth(evidence_type(triple.kind), (source,))
        sources = dict.fromkeys(self._snapshot.sources[at] for at in found)
        pair = head * len(self._snapshot.entities) + tail
        return FactWorth(
            EVIDENCE_TYPES[min(int(self._codes[at]) for at in found)],
            tuple(sources),
            disputed=bool(self._polarity[relation]) and pair in self._disputed,
        )

    def _rows(self, head: int, relation: int, tail: int) -> range:
        """The rows that state a fact: heads ascend, in them relations, in them tails."""
        start, end = 0, len(self._snapshot.heads)
        for column, value in (
            (self._snapshot.heads, head),
            (self._snapshot.relation_of, relation),
            (self._snapshot.tails, tail),
        ):
            part = column[start:end]
            start, end = (
                start + int(np.searchsorted(part, value, side="left")),
                start + int(np.searchsorted(part, value, side="right")),
            )
        return range(start, end)


def fact_properties(client: Client, facts: Sequence[TripleHit]) -> list[list[dict[str, Any]]]:
    """What the edges of each fact say, one object a source; a DPI also has the rows of STITCH behind it.

    Reactome's triples say nothing beside their source. Raises DatabaseError.
    """
    found: list[list[dict[str, Any]]] = [[] for _ in facts]
    stitch: list[list[dict[str, Any]]] = [[] for _ in facts]
    asked = [
        {"head": fact.head.id, "tail": fact.tail.id, "kind": fact.kind, "relation": fact.relation}
        for fact in facts
    ]
    for row in client.read("read/fact_properties", facts=asked):
        at = row["at"]
        held = {name: value for name, value in sorted(row["properties"].items()) if name not in _KEPT}
        if row["kind"] == facts[at].kind:
            found[at].append(held)
        else:
            stitch[at].append(held)
    for at, rows in enumerate(stitch):
        for one in found[at] if rows else ():
            one["stitch"] = rows
    return found


def entity_details(
    client: Client, details: FactDetails, ids: Collection[str]
) -> Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """The cross-references and labels of entities, by id. Raises DatabaseError."""
    held = {id_: details.entity(id_) for id_ in ids}
    known = {id_: (one.xrefs, one.labels) for id_, one in held.items() if one is not None}
    others = sorted(set(ids) - known.keys())
    for row in client.read("read/entity_details", ids=others) if others else ():
        known[row["id"]] = (
            tuple(dict.fromkeys(row["xrefs"])),
            tuple(sorted(label for label in row["labels"] if label != "Entity")),
        )
    return known
