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
        """X[w, s] for selected entities: float32 [W, count].

        places: int32 [E], the column of each entity, or -1 where it is not selected.
        """
        matrix = np.zeros((self.units, count), dtype=np.float32)
        columns = places[self.entities]
        kept = columns >= 0
        rows = np.repeat(np.arange(self.units), np.diff(self.starts))
        matrix[rows[kept], columns[kept]] = self.weights[kept]
        return matrix


def pair_scores(heads: Floats, tails: Floats) -> Floats:
    """Sum over units of the greater of the two ends: each word is spent on the end it fits better.

    heads, tails: float32 [W, C], X at the ends of C candidates; float32 [C].
    """
    scores: Floats = np.maximum(heads, tails).sum(axis=0)
    return scores


def split_scores(heads: Floats, tails: Floats) -> Floats:
    """The best cut of the question into a part about one end and a part about the other, in either order.

    heads, tails: float32 [W, C]; float32 [C].
    """
    if not len(heads):
        return np.zeros(heads.shape[1], dtype=np.float32)
    lead = np.cumsum(heads - tails, axis=0, dtype=np.float32)
    head_first = tails.sum(axis=0) + np.maximum(lead.max(axis=0), 0)
    tail_first = heads.sum(axis=0) - np.minimum(lead.min(axis=0), 0)
    scores: Floats = np.maximum(head_first, tail_first)
    return scores


def top_candidates(scores: Floats, allowed: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """The `count` of `allowed` with the highest `scores`, in no order; ties by the lower index.

    scores: float32 [T]; allowed: int64 [n], indexes into it.
    """
    if len(allowed) <= count:
        return allowed
    values = scores[allowed]
    bar = np.partition(values, len(values) - count)[len(values) - count]
    above = allowed[values > bar]
    ties = allowed[values == bar][: count - len(above)]
    return np.concatenate([above, ties])
