"""Paths that a question may describe: triples, each beginning where the one before ends. Pure functions.

A path is a row of three indexes, (first, middle, last); -1 where it is shorter, so that
the last triple is always in the last column.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrievers.triple.evidence import Floats, Indexes, top_candidates

Paths = NDArray[np.int64]
# How many triples are taken as last ones, and how many before each of them and before those.
BEAM = (20, 10, 3)
# Where more triples than these end at one entity, only the best are looked at.
CROWD = 256


@dataclass(frozen=True, slots=True, eq=False)
class Arrivals:
    """The triples of a graph by the entity they end at: `triples[starts[e]:starts[e + 1]]` end at e.

    heads, tails: int32 [T]; family: int8 [T], paths stay within one; triples: int64 [T];
    starts: int64 [E + 1].
    """

    heads: Indexes
    tails: Indexes
    family: NDArray[np.int8]
    triples: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def of(cls, heads: Indexes, tails: Indexes, family: NDArray[np.int8], entities: int) -> Arrivals:
        """Arrivals of T triples between `entities` entities."""
        starts = np.zeros(entities + 1, dtype=np.int64)
        np.cumsum(np.bincount(tails, minlength=entities), out=starts[1:])
        return cls(heads, tails, family, np.argsort(tails, kind="stable"), starts)

    def before(
        self, following: NDArray[np.int64], barred: NDArray[np.int64], scores: Floats, width: int
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """For each of n triples the `width` best that end where it begins: (which of the n, triple).

        following: int64 [n]; barred: int64 [n, b], entities that the new triple may not begin at;
        scores: float32 [T], -inf for triples that are not allowed. Ties go to the lower index.
        Where a crowd of triples ends at one entity, only its CROWD best are looked at.
        """
        which, found = self._ending_at(self.heads[following], scores)
        kept = (self.family[found] == self.family[following][which]) & (scores[found] > -np.inf)
        kept &= ~(self.heads[found][:, None] == barred[which]).any(axis=1)
        which, found = which[kept], found[kept]
        order = np.lexsort((found, -scores[found], which))
        which, found = which[order], found[order]
        first_of = np.searchsorted(which, np.arange(len(following)))
        within = np.arange(len(which)) - first_of[which]
        chosen = within < width
        return which[chosen], found[chosen]

    def _ending_at(self, nodes: Indexes, scores: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The triples that end at each of n nodes: (which of the n, triple); of a crowd only the best."""
        counts = self.starts[nodes + 1] - self.starts[nodes]
        crowded = counts > CROWD
        counts = np.where(crowded, 0, counts)
        which = np.repeat(np.arange(len(nodes)), counts)
        offsets = np.arange(len(which)) - np.repeat(np.cumsum(counts) - counts, counts)
        found = self.triples[self.starts[nodes][which] + offsets]
        for node in np.unique(nodes[crowded]):
            arriving = self.triples[self.starts[node] : self.starts[node + 1]]
            best = arriving[top_candidates(scores[arriving], CROWD)]
            lines = np.flatnonzero(nodes == node)
            which = np.concatenate([which, np.repeat(lines, len(best))])
            found = np.concatenate([found, np.tile(best, len(lines))])
        return which, found


def find_paths(
    arrivals: Arrivals, lasts: NDArray[np.int64], scores: Floats, beam: tuple[int, int, int] = BEAM
) -> Paths:
    """The paths of two and three triples that end in the best of `lasts`: int64 [P, 3], triples of the graph.

    lasts: int64 [n], the best first, of which `beam[0]` are followed back. No entity is met twice.
    """
    lasts = lasts[: beam[0]]
    heads, tails = arrivals.heads.astype(np.int64), arrivals.tails.astype(np.int64)
    loops = heads[lasts] == tails[lasts]
    lasts = lasts[~loops]
    which, middle = arrivals.before(lasts, np.stack([tails[lasts], heads[lasts]], axis=1), scores, beam[1])
    last = lasts[which]
    two = np.stack([np.full(len(last), -1), middle, last], axis=1)
    barred = np.stack([tails[last], heads[last], heads[middle]], axis=1)
    which, first = arrivals.before(middle, barred, scores, beam[2])
    three = np.stack([first, middle[which], last[which]], axis=1)
    return np.concatenate([two, three]).astype(np.int64)


def path_marginals(logits: NDArray[np.float64], paths: Paths, count: int) -> NDArray[np.float64]:
    """Log-probability that each of `count` triples is on the path asked for: float64 [count].

    logits: float64 [P]; paths: int64 [P, 3]; a triple on no path gets the logarithm of the least number.
    """
    weights = np.exp(logits - logits.max()) if len(logits) else np.zeros(0)
    on = paths >= 0
    shared = np.broadcast_to(weights[:, None], paths.shape)
    sums = np.bincount(paths[on], weights=shared[on], minlength=count)
    total = weights.sum() or 1.0
    marginals: NDArray[np.float64] = np.log(np.maximum(sums / total, np.finfo(np.float64).tiny))
    return marginals
