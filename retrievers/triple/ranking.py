"""The second stage: the best candidates of the first one scored term by term, or by a trained stack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrievers.snapshot import Snapshot
from retrievers.triple.evidence import top_candidates
from retrievers.triple.scores import (
    additive_scores,
    candidate_terms,
    crossed_term,
    has_evidence,
    is_mixed,
    weighted_parts,
)
from retrievers.triple.trained.ranker import CANDIDATES as TRAINED_CANDIDATES
from retrievers.triple.trained.ranker import FirstStage, InputMaker
from retrievers.triple.trained.stack import Stack
from retrievers.triple_hits import tie_order

CANDIDATES = 800


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """Triples of one question, int64 [n], best first; their scores, float64 [n], and the parts of these."""

    triples: NDArray[np.int64]
    scores: NDArray[np.float64]
    parts: Mapping[str, NDArray[np.float64]]


class Ranking:
    """Orders the triples of a snapshot, each once; ties go by (head id, relation name, tail id)."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._tie_order = tie_order(snapshot)
        self.inputs = InputMaker(snapshot)

    def untrained(
        self, stage: FirstStage, k: int = CANDIDATES, *, without: frozenset[str] = frozenset()
    ) -> Ranked:
        """At most `k` triples by the sum of their terms, less those named."""
        snapshot = self._snapshot
        mixed = is_mixed(stage.totals, stage.evidence.units)
        picked = stage.allowed[self._picked(stage, max(CANDIDATES, k), mixed=mixed)]
        terms = candidate_terms(
            stage.evidence,
            stage.totals,
            snapshot.heads[picked],
            snapshot.tails[picked],
            snapshot.relation_of[picked],
        )
        if mixed:
            heads, tails = snapshot.heads[picked], snapshot.tails[picked]
            terms["crossed"] = crossed_term(stage.evidence, stage.totals, heads, tails)
        kept = np.flatnonzero(has_evidence(terms))
        parts = {
            name: part[kept]
            for name, part in weighted_parts(terms, stage.share).items()
            if name not in without
        }
        scores = np.sum(list(parts.values()), axis=0) if parts else np.zeros(len(kept))
        return self._best(picked[kept], scores, parts, k)

    def _picked(self, stage: FirstStage, count: int, *, mixed: bool) -> NDArray[np.int64]:
        """Candidates among `stage.allowed`; of a mixed question also those with both views weighed alike."""
        picked = top_candidates(stage.scores, count)
        if not mixed:
            return picked
        snapshot, allowed = self._snapshot, stage.allowed
        ends = (snapshot.heads[allowed], snapshot.tails[allowed])
        relations = snapshot.relation_of[allowed]
        scores = additive_scores(stage.evidence, stage.totals, 0.5, ends, relations)
        return np.union1d(picked, top_candidates(scores, count))

    def trained(
        self, stage: FirstStage, stack: Stack, k: int = TRAINED_CANDIDATES, *, explain: bool = False
    ) -> Ranked:
        """At most `k` triples as the stack scores them; `parts` only where they are to be explained."""
        inputs, terms = self.inputs.make(stage, count=max(TRAINED_CANDIDATES, k))
        ranked = stack.rank(self.inputs.with_learned(inputs, stack.interaction), explain=explain)
        kept = np.flatnonzero(has_evidence(terms))
        parts = {name: part[kept] for name, part in ranked.parts.items()}
        return self._best(inputs.candidates[kept], ranked.scores[kept], parts, k)

    def _best(
        self,
        triples: NDArray[np.int64],
        scores: NDArray[np.float64],
        parts: Mapping[str, NDArray[np.float64]],
        k: int,
    ) -> Ranked:
        order = np.lexsort((self._tie_order[triples], -scores))
        order = order[self._said_first(triples[order])][:k]
        return Ranked(triples[order], scores[order], {name: part[order] for name, part in parts.items()})

    def _said_first(self, triples: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Of rows that say the same, which have equal scores and so stand together, the first: bool [n]."""
        snapshot = self._snapshot
        first = np.ones(len(triples), dtype=bool)
        if len(triples):
            columns = [column[triples] for column in (snapshot.heads, snapshot.relation_of, snapshot.tails)]
            first[1:] = np.any([column[1:] != column[:-1] for column in columns], axis=0)
        return first
