"""How a question is worded: hashed words and word sequences, which tell its hops and what it describes."""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrievers.triple.evidence import Floats

BUCKETS = 4096
LONGEST = 3
_WORD = re.compile(r"[a-z]+|\?")


@dataclass(frozen=True, slots=True, eq=False)
class Wording:
    """A sparse vector of unit length: int64 [n] buckets, ascending, with float32 [n] weights."""

    buckets: NDArray[np.int64]
    weights: Floats

    @classmethod
    def of(cls, question: str) -> Wording:
        """Of one to three words in a row, 1 + log of how often."""
        words = _WORD.findall(question.lower())
        counts = Counter(
            zlib.crc32(" ".join(words[at : at + size]).encode()) % BUCKETS
            for size in range(1, LONGEST + 1)
            for at in range(len(words) - size + 1)
        )
        buckets = np.array(sorted(counts), dtype=np.int64)
        weights = np.array([1 + math.log(counts[bucket]) for bucket in buckets.tolist()], dtype=np.float32)
        length = float(np.linalg.norm(weights))
        return cls(buckets, weights / length if length else weights)

    def times(self, matrix: Floats) -> Floats:
        """The product with float32 [BUCKETS, n]: float32 [n]."""
        product: Floats = self.weights @ matrix[self.buckets]
        return product
