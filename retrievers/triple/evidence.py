"""Evidence as sparse rows, and how two entities share a question: the numeric core, pure functions.

A question is a sequence of W units (words). For each kind of evidence, unit w
speaks of some entities e with weights X[w, e] > 0. X is kept as rows of
(entities, weights), so that a question costs what it touches, not W x E.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Indexes = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """X of one question: row w holds `entities[starts[w]:starts[w + 1]]` with their `weights`.

    starts: int64 [W + 1]; entities: int32 [n]; weights: float32 [n]. An entity is at most once in a row.
    """

    starts: NDArray[np.int64]
    entities: Indexes
    weights: Floats

    @classmethod
    def of(cls, rows: Sequence[tuple[Indexes, Floats]]) -> Rows:
        """Rows from one (entities, weights) pair a unit."""
        starts = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(entities) for entities, _ in rows], out=starts[1:])
        if not rows:
            return cls(starts, np.zeros(0, np.int32), np.zeros(0, np.float32))
        return cls(
            starts,
            np.concatenate([entities for entities, _ in rows]).astype(np.int32, copy=False),
            np.concatenate([weights for _, weights in rows]).astype(np.float32, copy=False),
        )

    @property
    def units(self) -> int:
        """W."""
        return len(self.starts) - 1

    def totals(self, size: int) -> Floats:
        """The sum over units for each of `size` entities: float32 [size]."""
        return np.bincount(self.entities, weights=self.weights, minlength=size).astype(np.float32)

    def dense(self, places: Indexes, count: int) -> Floats:
        """X of selected entities, float32 [count, V]: one column for each of the V rows that are not empty.

        places: int32 [E], the row of each entity in the result, or -1 where it is not selected.
        """
        lengths = np.diff(self.starts)
        filled = np.flatnonzero(lengths)
        matrix = np.zeros((count, len(filled)), dtype=np.float32)
        chosen = places[self.entities]
        columns = np.repeat(np.arange(len(filled)), lengths[filled])
        kept = chosen >= 0
        matrix[chosen[kept], columns[kept]] = self.weights[kept]
        return matrix


def pair_scores(heads: Floats, tails: Floats) -> Floats:
    """Sum over units of the greater of the two ends: each word is spent on the end it fits better.

    heads, tails: float32 [C, W], X at the ends of C candidates; float32 [C].
    """
    scores: Floats = np.maximum(heads, tails).sum(axis=1)
    return scores


def split_scores(heads: Floats, tails: Floats) -> Floats:
    """The best cut of the question into a part about one end and a part about the other, in either order.

    heads, tails: float32 [C, W]; float32 [C].
    """
    if not heads.shape[1]:
        return np.zeros(len(heads), dtype=np.float32)
    lead = np.cumsum(heads - tails, axis=1)
    head_first = tails.sum(axis=1) + np.maximum(lead.max(axis=1), 0)
    tail_first = heads.sum(axis=1) - np.minimum(lead.min(axis=1), 0)
    scores: Floats = np.maximum(head_first, tail_first)
    return scores


def top_candidates(
    scores: Floats | NDArray[np.float64], allowed: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    """The `count` of `allowed` with the highest `scores`, in no order; ties by the lower index.

    scores: float32 or float64 [T]; allowed: int64 [n], indexes into it.
    """
    if len(allowed) <= count:
        return allowed
    values = scores[allowed]
    bar = np.partition(values, len(values) - count)[len(values) - count]
    above = allowed[values > bar]
    ties = allowed[values == bar][: count - len(above)]
    return np.concatenate([above, ties])
