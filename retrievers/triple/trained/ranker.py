"""From a question as the untrained first stage left it to the inputs of the trained stack."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from retrievers.snapshot import Snapshot
from retrievers.triple.evidence import Ends, Floats, top_candidates
from retrievers.triple.scores import VIEWS, Evidence, Totals, candidate_terms, weighted_parts
from retrievers.triple.trained.features import (
    FEATURES,
    LEARNED,
    candidate_features,
    path_gains,
    path_matrices,
)
from retrievers.triple.trained.interaction import LEAST_SHARE, Interaction
from retrievers.triple.trained.paths import Arrivals, Paths, find_paths
from retrievers.triple.trained.stack import Inputs
from retrievers.triple.trained.wording import Wording

MOLECULAR = "MOLECULAR"
# Fewer than without training: what completes a path is added to them.
CANDIDATES = 500
NO_PATHS: Paths = np.zeros((0, 3), dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class FirstStage:
    """One question read and its additive scores: `scores` float32 [n] of the triples `allowed`, int64 [n].

    share: the untrained probability that the question describes structures; tokens: float32 [W, d], states
    of its tokens, none where it was not sent through the encoder.
    """

    question: str
    evidence: Evidence
    totals: Totals
    share: float
    allowed: NDArray[np.int64]
    scores: Floats
    tokens: Floats = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))


class InputMaker:
    """Makes the inputs of a stack for questions about one snapshot. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot) -> None:
        molecular = np.array([relation.kind == MOLECULAR for relation in snapshot.relations], dtype=np.int8)
        self._snapshot = snapshot
        self._arrivals = Arrivals.of(
            snapshot.heads, snapshot.tails, molecular[snapshot.relation_of], len(snapshot.entities)
        )

    def make(
        self, stage: FirstStage, *, count: int = CANDIDATES, required: Paths = NO_PATHS
    ) -> tuple[Inputs, Mapping[str, Floats]]:
        """The inputs, and the untrained terms of the candidates, float32 [C] each.

        count: how many of the first stage's best to take; required: int64 [m, 3], paths of triples
        that are taken whether they are found or not.
        """
        snapshot, triples = self._snapshot, len(self._snapshot.heads)
        best = top_candidates(stage.scores, count)
        everything = np.full(triples, -np.inf, dtype=np.float32)
        everything[stage.allowed] = stage.scores
        picked = stage.allowed[best]
        terms = self._terms(stage, picked)
        untrained = _untrained(terms, stage.share)
        lasts = picked[np.lexsort((picked, -untrained))]
        longer = np.concatenate([find_paths(self._arrivals, lasts, everything), required])
        used = longer[longer >= 0]
        candidates = np.unique(np.concatenate([picked, used]))
        extra = np.setdiff1d(candidates, picked, assume_unique=True)
        if len(extra):
            order = np.argsort(np.concatenate([picked, extra]), kind="stable")
            more = self._terms(stage, extra)
            terms = {name: np.concatenate([values, more[name]])[order] for name, values in terms.items()}
        else:
            order = np.argsort(picked, kind="stable")
            terms = {name: values[order] for name, values in terms.items()}
        heads, tails = snapshot.heads[candidates], snapshot.tails[candidates]
        features = candidate_features(
            stage.evidence,
            stage.totals,
            terms,
            _untrained(terms, stage.share),
            heads,
            tails,
            snapshot.relation_of[candidates],
        )
        single = np.full((len(candidates), 3), -1, dtype=np.int64)
        single[:, 2] = np.arange(len(candidates))
        longer = longer[longer[:, 1] >= 0]
        local = np.where(longer >= 0, np.searchsorted(candidates, longer), -1)
        paths = np.concatenate([single, local])
        ends = Ends.of(heads, tails, len(snapshot.entities))
        gains = path_gains(path_matrices(stage.evidence, ends), stage.totals, ends, paths)
        inputs = Inputs(
            candidates,
            features,
            paths,
            gains,
            Wording.of(stage.question),
            stage.share,
            stage.evidence.units,
            stage.tokens,
        )
        return inputs, terms

    def with_learned(self, inputs: Inputs, interaction: Interaction | None) -> Inputs:
        """The same inputs with the features LEARNED; 0 where the question hardly describes structures."""
        if interaction is None or inputs.share < LEAST_SHARE or not len(inputs.tokens):
            return inputs
        snapshot, candidates = self._snapshot, inputs.candidates
        features = inputs.features.copy()
        features[:, FEATURES.index(LEARNED[0]) :] = interaction.columns(
            inputs.tokens,
            snapshot.heads[candidates],
            snapshot.tails[candidates],
            snapshot.relation_of[candidates],
        )
        return replace(inputs, features=features)

    def _terms(self, stage: FirstStage, triples: NDArray[np.int64]) -> dict[str, Floats]:
        snapshot = self._snapshot
        return candidate_terms(
            stage.evidence,
            stage.totals,
            snapshot.heads[triples],
            snapshot.tails[triples],
            snapshot.relation_of[triples],
            cuts=VIEWS,
        )


def _untrained(terms: Mapping[str, Floats], share: float) -> Floats:
    total: Floats = np.sum(list(weighted_parts(terms, share).values()), axis=0).astype(np.float32)
    return total
