"""Scores that strictly decrease: what every retriever promises of its hits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def strictly_decreasing(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """`scores`, descending, with each that does not fall below the one before lowered by the least amount."""
    result = scores.copy()
    for index in range(1, len(result)):
        result[index] = min(result[index], np.nextafter(result[index - 1], -np.inf))
    return result
