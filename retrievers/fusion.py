"""How triples and passages support each other: pure functions over arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrievers.hits import Result

Floats = NDArray[np.float64]
Indexes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Calibration:
    """What belongs to the scores of one ranking of triples.

    temperature: of the softmax that makes beliefs of scores; path: what a triple gains of the
    belief of those that it leads to. marginal: scores are log-probabilities that the answer
    needs the triple, alone or on a path, and are taken as they are.
    """

    temperature: float
    path: float
    marginal: bool = False

    def belief(self, scores: Floats) -> Floats:
        """How far each triple is believed for itself: float64 [n]."""
        if self.marginal:
            believed: Floats = np.exp(np.minimum(scores, 0.0))
            return believed
        return probabilities(scores, self.temperature)


def calibration_of(result: Result) -> Calibration:
    """What the scores of a result of `triple` are to be taken for."""
    return TRAINED if result.trained else UNTRAINED


# How the constants were found is told in docs/hybrid.md.
UNTRAINED = Calibration(temperature=0.15, path=0.2)
TRAINED = Calibration(temperature=1.0, path=0.0, marginal=True)
RANK_CONSTANT = 60.0
LEAST_BELIEF = 1e-3
# Fitted by `python -m retrievers.fusion_fit`.
TRIPLE_WEIGHTS: Mapping[str, float] = {"bias": -0.55, "belief": 1.18, "path": 1.18, "passages": 2.58}
PASSAGE_WEIGHTS: Mapping[str, float] = {"bias": 1.35, "belief": 1.23, "bm25": 0.38, "dense": 0.49}
# Of passages that no triple can speak for: the same questions without the belief in triples.
LABEL_WEIGHTS: Mapping[str, float] = {"bias": -5.69, "bm25": 2.72, "dense": 1.82}


def probabilities(scores: Floats, temperature: float) -> Floats:
    """Softmax of `scores`, float64 [n]: what part of the belief each triple has."""
    if not len(scores):
        return np.zeros(0)
    shares: Floats = np.exp((scores - scores.max()) / temperature)
    return shares / float(shares.sum())


def path_support(heads: Indexes, tails: Indexes, belief: Floats) -> Floats:
    """What each triple gains from those that begin where it ends: float64 [n].

    heads, tails: int64 [n], ends as numbers of entities. A triple shares its belief among
    the triples that lead to its head, in proportion to their own belief.
    """
    if not len(belief):
        return np.zeros(0)
    size = int(max(heads.max(), tails.max())) + 1
    begun = np.bincount(heads, weights=belief, minlength=size)
    arrived = np.bincount(tails, weights=belief, minlength=size)
    # A share first: the least beliefs are too small to be divided by.
    share = np.divide(belief, arrived[tails], out=np.zeros(len(belief)), where=arrived[tails] > 0)
    support: Floats = share * begun[tails]
    return support


def reciprocal_rank(rank: float, constant: float) -> float:
    """(1 + constant) / (rank + constant): 1 for the first, 0 for a rank of infinity.

    Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion", SIGIR 2009, scaled so that no weight
    depends on the constant.
    """
    return (1.0 + constant) / (rank + constant)
