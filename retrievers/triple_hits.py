"""What every retriever of triples does alike: filter those of a snapshot, break ties, show them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from retrievers.evidence_types import EVIDENCE_TYPES
from retrievers.hits import Filters, Hit, TripleHit
from retrievers.snapshot import Snapshot


def passing_triples(snapshot: Snapshot, filters: Filters) -> NDArray[np.int64]:
    """Indexes of the triples that pass the filters, int64 [n], ascending."""
    kinds = filters.allowed_kinds()
    of_kind = np.array([relation.kind in kinds for relation in snapshot.relations], dtype=bool)
    passes = of_kind[snapshot.relation_of]
    if filters.evidence:
        wanted = np.array([name in filters.evidence for name in EVIDENCE_TYPES], dtype=bool)
        passes &= wanted[snapshot.evidence_codes()]
    if filters.sources:
        prefixes = tuple(filters.sources)
        passes &= np.array([source.startswith(prefixes) for source in snapshot.sources], dtype=bool)
    if filters.entities:
        listed = np.array([entity.id in filters.entities for entity in snapshot.entities], dtype=bool)
        passes &= listed[snapshot.heads] | listed[snapshot.tails]
    return np.flatnonzero(passes)


def tie_order(snapshot: Snapshot) -> NDArray[np.int64]:
    """The place of each triple in the order (head id, relation name, tail id): int64 [T]."""
    rank_of_name = np.argsort(np.argsort([relation.name for relation in snapshot.relations], kind="stable"))
    rank_of_id = np.argsort(np.argsort([entity.id for entity in snapshot.entities], kind="stable"))
    order = np.lexsort(
        (rank_of_id[snapshot.tails], rank_of_name[snapshot.relation_of], rank_of_id[snapshot.heads])
    )
    places = np.empty(len(order), dtype=np.int64)
    places[order] = np.arange(len(order))
    return places


def triple_hit(
    snapshot: Snapshot, triple: int, *, rank: int, score: float, parts: Mapping[str, float] | None
) -> Hit:
    """The triple with index `triple` as a hit."""
    relation = snapshot.relations[snapshot.relation_of[triple]]
    return Hit(
        rank=rank,
        score=score,
        source=snapshot.sources[triple],
        triple=TripleHit(
            head=snapshot.entities[snapshot.heads[triple]].reference,
            relation=relation.name,
            tail=snapshot.entities[snapshot.tails[triple]].reference,
            kind=relation.kind,
        ),
        parts=parts,
    )
