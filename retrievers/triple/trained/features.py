"""What a trained ranker sees of each candidate: numbers without a trace of which entity it is."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from retrievers.triple.evidence import Ends, Floats, Indexes
from retrievers.triple.scores import VIEWS, Evidence, Totals, relation_scores, weighted_clauses
from retrievers.triple.trained.paths import Paths

_TERMS = (
    "text_pair", "text_split", "text_sum", "sentence", "clause_pair",
    "structure_pair", "structure_split", "structure_min", "caption_pair",
    "relation_words", "relation_closeness", "relation_kind", "relation_exact",
    "names", "named_relation",
)  # fmt: skip
_COMPARED = (
    "text_pair", "text_split", "structure_pair", "structure_split", "caption_pair", "clause_pair",
    "sentence", "structure_min", "untrained",
)  # fmt: skip

# What an interaction of tokens and structures adds; 0 without one.
LEARNED = ("learned", "learned_relation", "learned_head", "learned_tail")
FEATURES = (
    *_TERMS,
    *(f"{view}_{name}" for view in VIEWS for name in ("order", "head", "tail", "min", "max", "weight")),
    "caption_split", "sentence_min", "sentence_head", "clause_min",
    "relation_gap", "relation_rank", "untrained",
    *(f"{name}_gap" for name in _COMPARED),
    *LEARNED,
)  # fmt: skip
GAINS = (*(f"{view}_{hop}" for hop in ("second", "third") for view in (*VIEWS, "clause")),)


def candidate_features(
    evidence: Evidence,
    totals: Totals,
    terms: Mapping[str, Floats],
    untrained: Floats,
    heads: Indexes,
    tails: Indexes,
    relations: Indexes,
) -> Floats:
    """One row of FEATURES a candidate, those of LEARNED 0: float32 [C, F].

    terms: those of the untrained score with the cuts of every view, float32 [C] each; untrained: that
    score, float32 [C]; heads, tails, relations: int32 [C].
    """
    columns: dict[str, Floats] = {name: terms[name] for name in _TERMS}
    for view in VIEWS:
        best, share = totals.best[view] or 1.0, getattr(totals, view)
        columns[f"{view}_order"] = terms[f"{view}_order"]
        columns[f"{view}_weight"] = terms[f"{view}_pair"] * np.float32(best / max(evidence.units, 1))
        columns[f"{view}_head"], columns[f"{view}_tail"] = share[heads], share[tails]
        columns[f"{view}_min"] = np.minimum(share[heads], share[tails])
        columns[f"{view}_max"] = np.maximum(share[heads], share[tails])
    columns["caption_split"] = terms["caption_split"]
    columns["sentence_head"] = evidence.sentence[heads]
    columns["sentence_min"] = np.minimum(evidence.sentence[heads], evidence.sentence[tails])
    nearest = evidence.clauses.max(axis=0, initial=0.0)
    columns["clause_min"] = np.minimum(nearest[heads], nearest[tails])
    fit = relation_scores(evidence.relation)
    columns["relation_gap"] = (fit - fit[relations].max(initial=0.0))[relations]
    columns["relation_rank"] = np.log1p(_ranks(-fit))[relations].astype(np.float32)
    columns["untrained"] = untrained
    for name in _COMPARED:
        columns[f"{name}_gap"] = columns[name] - columns[name].max(initial=0.0)
    columns |= dict.fromkeys(LEARNED, np.zeros_like(untrained))
    return np.stack([columns[name] for name in FEATURES], axis=1).astype(np.float32)


def path_matrices(evidence: Evidence, ends: Ends) -> dict[str, Floats]:
    """X of the entities of `ends` for each view and for the clauses: float32 [W, N] each."""
    matrices = {view: ends.dense(getattr(evidence, view)) for view in VIEWS}
    matrices["clause"] = weighted_clauses(evidence, ends)
    return matrices


def path_gains(matrices: Mapping[str, Floats], totals: Totals, ends: Ends, paths: Paths) -> Floats:
    """How much more of the question a path covers with each entity it adds: float32 [P, GAINS].

    Words are spent on the entity they fit best, as in the pair score. matrices: those of `path_matrices`;
    paths: int64 [P, 3], candidates.
    """
    gains = np.zeros((len(paths), len(GAINS)), dtype=np.float32)
    longer = np.flatnonzero(paths[:, 1] >= 0)
    first, middle, last = paths[longer].T
    third = first >= 0
    for column, (view, matrix) in enumerate(matrices.items()):
        best = totals.best.get(view) or 1.0
        pair = matrix.take(ends.heads[last], axis=1)
        np.maximum(pair, matrix.take(ends.tails[last], axis=1), out=pair)
        two = np.maximum(pair, matrix.take(ends.heads[middle], axis=1))
        gains[longer, column] = (two - pair).sum(axis=0) / best
        two = two[:, third]
        three = np.maximum(two, matrix.take(ends.heads[first[third]], axis=1))
        gains[longer[third], len(matrices) + column] = (three - two).sum(axis=0) / best
    return gains


def _ranks(values: Floats) -> Floats:
    return np.argsort(np.argsort(values, kind="stable")).astype(np.float32)
