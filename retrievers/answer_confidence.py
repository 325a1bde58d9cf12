"""How far the answer to a description is to be believed: a logistic model, and bounds by evidence.

The weights are fitted by `python -m retrievers.answers_fit` on questions that the graph can answer and
on the same questions after the facts that answer them were taken out of it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from retrievers.evidence_types import evidence_type
from retrievers.triple.scores import candidate_terms, weighted_parts
from retrievers.triple.trained.ranker import FirstStage

# Log-odds that the best candidate is right.
BIAS = -6.11
WEIGHTS: Mapping[str, float] = {
    "share": 0.59,
    "relation": 0.87,
    "closeness": 1.22,
    "texts": 1.43,
    "structures": 2.1,
    "molecular": 0.96,
}
# No answer is surer than what it rests on.
BOUNDS: Mapping[str, float] = {
    "curated": 0.95,
    "label": 0.9,
    "database": 0.93,
    "report_signal": 0.85,
    "text_mined": 0.8,
    "imported": 0.8,
    "model_written": 0.6,
}
LEAST_BOUND = 0.6
_SURELY = 1e-3
# Parts of a score that speak for the answer's facts: in the words of the question, not in its names.
_PARTS: Mapping[str, Sequence[str]] = {
    "relation": ("relation_words", "relation_exact"),
    "closeness": ("relation_closeness",),
    "texts": ("text_pair", "text_split"),
    "structures": ("structure_split", "structure_min"),
}


def confidence_features(share: float, stage: FirstStage, triple: tuple[int, int, int]) -> dict[str, float]:
    """What tells whether an answer is right.

    share: the answer's part of the belief in all answers. triple: head, relation and tail of the best
    triple, as places in the snapshot. Shares alone cannot tell: something is always the nearest.
    """
    head, relation, tail = (np.array([at], dtype=np.int32) for at in triple)
    terms = candidate_terms(stage.evidence, stage.totals, head, tail, relation)
    parts = weighted_parts(terms, stage.share)
    sums = {
        name: sum(float(parts[part][0]) for part in summed if part in parts)
        for name, summed in _PARTS.items()
    }
    odds = math.log(share + _SURELY) - math.log(1.0 - share + _SURELY)
    return {"share": odds, **sums, "molecular": stage.share}


def confidence(features: Mapping[str, float], kind: str, source: str) -> float:
    """Probability that the answer is right, at most what evidence of its kind and source is worth."""
    logit = BIAS + sum(WEIGHTS[name] * value for name, value in features.items())
    bound = BOUNDS.get(evidence_type(kind, source), LEAST_BOUND)
    return min(bound, 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit)))))
