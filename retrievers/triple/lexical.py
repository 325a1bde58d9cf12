"""BM25 of single words against documents: which entities a word speaks of, and how strongly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from retrievers.triple.evidence import Floats, Indexes, Rows

_NONE = (np.zeros(0, np.int32), np.zeros(0, np.float32))


class TermIndex:
    """BM25 term weights (Robertson and Zaragoza 2009) over documents given as terms.

    Document i belongs to `owners[i]` (default: i itself); a term's weight for an owner
    is that of its best document.
    """

    def __init__(
        self,
        documents: Sequence[Iterable[str]],
        *,
        k1: float = 1.2,
        b: float = 0.75,
        average: float | None = None,
    ) -> None:
        counts = [Counter(document) for document in documents]
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float64)
        filled = lengths[lengths > 0]
        mean = average or (float(filled.mean()) if len(filled) else 1.0)
        postings: dict[str, list[tuple[int, int]]] = {}
        for index, count in enumerate(counts):
            for term, occurrences in count.items():
                postings.setdefault(term, []).append((index, occurrences))
        self.size = len(documents)
        self._postings: dict[str, tuple[Indexes, Floats]] = {}
        for term, entries in postings.items():
            owners = np.array([index for index, _ in entries], dtype=np.int32)
            times = np.array([times for _, times in entries], dtype=np.float64)
            rarity = self._rarity(len(owners), max(1, len(filled)))
            length = lengths[owners] / mean
            weight = rarity * times * (k1 + 1) / (times + k1 * (1 - b + b * length))
            self._postings[term] = (owners, weight.astype(np.float32))

    @staticmethod
    def _rarity(holders: int, documents: int) -> float:
        return math.log1p((documents - holders + 0.5) / (holders + 0.5))

    def row(self, term: str) -> tuple[Indexes, Floats]:
        """Documents that hold `term` and its weight in each."""
        return self._postings.get(term, _NONE)

    def rows(self, terms: Iterable[str | None]) -> Rows:
        """One row a term; None gives an empty one."""
        return Rows.of([_NONE if term is None else self.row(term) for term in terms])

    def scores(self, terms: Iterable[str]) -> NDArray[np.float32]:
        """float32 [documents]: the BM25 score of each for the query `terms`."""
        return self.rows(terms).totals(self.size)
