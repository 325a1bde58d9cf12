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
        filled = [row for row in rows if len(row[0])]
        if not filled:
            return cls(starts, np.zeros(0, np.int32), np.zeros(0, np.float32))
        return cls(
            starts,
            np.concatenate([entities for entities, _ in filled]).astype(np.int32, copy=False),
            np.concatenate([weights for _, weights in filled]).astype(np.float32, copy=False),
        )

    @property
    def units(self) -> int:
        """W."""
        return len(self.starts) - 1

    def totals(self, size: int) -> Floats:
        """The sum over units for each of `size` entities: float32 [size]."""
        return np.bincount(self.entities, weights=self.weights, minlength=size).astype(np.float32)

    def dense(self, places: Indexes, count: int) -> Floats:
        """X of selected entities, float32 [V, count]: a row for each of the V units that speak of any entity.

        places: int32 [E], the column of each entity in the result, or -1 where it is not selected.
        """
        lengths = np.diff(self.starts)
        filled = np.flatnonzero(lengths)
        matrix = np.zeros((len(filled), count), dtype=np.float32)
        chosen = places[self.entities]
        rows = np.repeat(np.arange(len(filled)), lengths[filled])
        kept = np.flatnonzero(chosen >= 0)
        matrix[rows[kept], chosen[kept]] = self.weights[kept]
        return matrix


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The ends of C candidates among the N entities that occur in them.

    entities: int64 [N], ascending; places: int32 [E], where each entity is among them, or -1; heads,
    tails: int64 [C], places. Matrices over them are float32 [W, N]: units are rows, since sums of
    short rows are slow.
    """

    entities: NDArray[np.int64]
    places: Indexes
    heads: NDArray[np.int64]
    tails: NDArray[np.int64]

    @classmethod
    def of(cls, heads: Indexes | NDArray[np.int64], tails: Indexes | NDArray[np.int64], size: int) -> Ends:
        """The ends of candidates between entities `heads` and `tails`, integers [C], of `size` entities."""
        chosen = np.zeros(size, dtype=bool)
        chosen[heads] = chosen[tails] = True
        entities = np.flatnonzero(chosen)
        places = np.full(size, -1, dtype=np.int32)
        places[entities] = np.arange(len(entities), dtype=np.int32)
        return cls(entities, places, places[heads].astype(np.int64), places[tails].astype(np.int64))

    def dense(self, rows: Rows) -> Floats:
        """X of the entities: float32 [V, N]."""
        return rows.dense(self.places, len(self.entities))

    def every_unit(self, rows: Rows) -> Floats:
        """X of the entities with a row for each unit: float32 [W, N]."""
        matrix = np.zeros((rows.units, len(self.entities)), dtype=np.float32)
        matrix[np.flatnonzero(np.diff(rows.starts))] = self.dense(rows)
        return matrix


def pair_scores(matrix: Floats, ends: Ends) -> Floats:
    """Sum over units of the greater of the two ends: each word is spent on the end it fits better.

    matrix: float32 [W, N], X of the entities of `ends`; float32 [C].
    """
    heads = matrix.take(ends.heads, axis=1)
    scores: Floats = np.maximum(heads, matrix.take(ends.tails, axis=1), out=heads).sum(axis=0)
    return scores


def cut_scores(matrix: Floats, ends: Ends) -> tuple[Floats, Floats]:
    """The best cut of the question into a part about one end and, after it, a part about the other.

    Once with the head first and once with the tail first, float32 [C] each. matrix: float32 [W, N].
    """
    if not len(matrix):
        nothing = np.zeros(len(ends.heads), dtype=np.float32)
        return nothing, nothing
    upto = matrix.cumsum(axis=0)
    lead = upto.take(ends.heads, axis=1)
    lead -= upto.take(ends.tails, axis=1)
    head_first = upto[-1].take(ends.tails) + np.maximum(lead.max(axis=0), 0)
    tail_first = upto[-1].take(ends.heads) - np.minimum(lead.min(axis=0), 0)
    return head_first, tail_first


def crossed_scores(told: Floats, built: Floats, ends: Ends) -> Floats:
    """The best cut into a part about the text of one end and a part about the structure of the other.

    told, built: float32 [W, N], X by texts and by structures of the entities of `ends`; float32 [C].
    """
    best = np.zeros(len(ends.heads), dtype=np.float32)
    if not len(told):
        return best
    texts, structures = told.cumsum(axis=0), built.cumsum(axis=0)
    for one, other in ((ends.heads, ends.tails), (ends.tails, ends.heads)):
        lead = texts.take(one, axis=1)
        lead -= structures.take(other, axis=1)
        text_first = structures[-1].take(other) + np.maximum(lead.max(axis=0), 0)
        structure_first = texts[-1].take(one) - np.minimum(lead.min(axis=0), 0)
        best = np.maximum(best, np.maximum(text_first, structure_first))
    return best


def top_candidates(scores: Floats | NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Indexes of the `count` highest of `scores`, float32 or float64 [n], in no order; ties by the lower."""
    if len(scores) <= count:
        return np.arange(len(scores))
    bar = np.partition(scores, len(scores) - count)[len(scores) - count]
    above = np.flatnonzero(scores > bar)
    ties = np.flatnonzero(scores == bar)[: count - len(above)]
    return np.concatenate([above, ties])
