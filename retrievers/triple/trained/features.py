"""What a trained ranker sees of each candidate: numbers without a trace of which entity it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from retrievers.triple.evidence import Floats, Indexes
from retrievers.triple.scores import Evidence, Totals, relation_scores
from retrievers.triple.trained.paths import Paths

_VIEWS = ("text", "structure", "caption")
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
    *(f"{view}_{name}" for view in _VIEWS for name in ("order", "head", "tail", "min", "max", "weight")),
    "caption_split", "sentence_min", "sentence_head", "clause_min",
    "relation_gap", "relation_rank", "untrained",
    *(f"{name}_gap" for name in _COMPARED),
    *LEARNED,
)  # fmt: skip
GAINS = (*(f"{view}_{hop}" for hop in ("second", "third") for view in (*_VIEWS, "clause")),)


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """The ends of C candidates among the N entities that occur in them.

    heads, tails: int64 [C], rows of `matrices`: for each view of the evidence X, float32 [N, W].
    """

    heads: Indexes
    tails: Indexes
    matrices: Mapping[str, Floats]

    @classmethod
    def of(cls, evidence: Evidence, heads: Indexes, tails: Indexes) -> Ends:
        """The ends of candidates between entities `heads` and `tails`, int32 [C]."""
        chosen = np.zeros(len(evidence.named), dtype=bool)
        chosen[heads] = chosen[tails] = True
        entities = np.flatnonzero(chosen)
        places = np.full(len(evidence.named), -1, dtype=np.int32)
        places[entities] = np.arange(len(entities), dtype=np.int32)
        matrices = {view: getattr(evidence, view).dense(places, len(entities)) for view in _VIEWS}
        matrices["clause"] = (evidence.shares[:, None] * evidence.clauses[:, entities]).T
        return cls(places[heads], places[tails], matrices)


def candidate_features(
    evidence: Evidence,
    totals: Totals,
    terms: Mapping[str, Floats],
    untrained: Floats,
    ends: Ends,
    heads: Indexes,
    tails: Indexes,
    relations: Indexes,
) -> Floats:
    """One row of FEATURES a candidate, those of LEARNED 0: float32 [C, F].

    terms: the terms of the untrained score, float32 [C] each; untrained: that score, float32 [C];
    heads, tails, relations: int32 [C].
    """
    columns: dict[str, Floats] = {name: terms[name] for name in _TERMS}
    for view in _VIEWS:
        matrix, best, share = ends.matrices[view], totals.best[view] or 1.0, getattr(totals, view)
        order, split, weight = _directions(matrix, ends)
        columns[f"{view}_order"] = order / best
        if view == "caption":
            columns["caption_split"] = split / best
        columns[f"{view}_weight"] = weight / np.float32(max(evidence.units, 1))
        columns[f"{view}_head"], columns[f"{view}_tail"] = share[heads], share[tails]
        columns[f"{view}_min"] = np.minimum(share[heads], share[tails])
        columns[f"{view}_max"] = np.maximum(share[heads], share[tails])
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


def path_gains(totals: Totals, ends: Ends, paths: Paths) -> Floats:
    """How much more of the question a path covers with each entity it adds: float32 [P, GAINS].

    Words are spent on the entity they fit best, as in the pair score; paths: int64 [P, 3], candidates.
    """
    gains = np.zeros((len(paths), len(GAINS)), dtype=np.float32)
    longer = np.flatnonzero(paths[:, 1] >= 0)
    first, middle, last = paths[longer].T
    third = first >= 0
    for column, (view, matrix) in enumerate(ends.matrices.items()):
        best = (totals.best[view] or 1.0) if view in totals.best else 1.0
        pair = np.maximum(matrix[ends.heads[last]], matrix[ends.tails[last]])
        two = np.maximum(pair, matrix[ends.heads[middle]])
        gains[longer, column] = (two - pair).sum(axis=1) / best
        three = np.maximum(two[third], matrix[ends.heads[first[third]]])
        gains[longer[third], len(ends.matrices) + column] = (three - two[third]).sum(axis=1) / best
    return gains


def _ranks(values: Floats) -> Floats:
    return np.argsort(np.argsort(values, kind="stable")).astype(np.float32)


def _directions(matrix: Floats, ends: Ends) -> tuple[Floats, Floats, Floats]:
    """By how much a cut head-first beats one tail-first, the better of both, the pair sum: float32 [C]."""
    left, right = matrix[ends.heads], matrix[ends.tails]
    if not matrix.shape[1]:
        nothing = np.zeros(len(left), dtype=np.float32)
        return nothing, nothing, nothing
    lead = np.cumsum(left - right, axis=1)
    head_first = right.sum(axis=1) + np.maximum(lead.max(axis=1), 0)
    tail_first = left.sum(axis=1) - np.minimum(lead.min(axis=1), 0)
    return head_first - tail_first, np.maximum(head_first, tail_first), np.maximum(left, right).sum(axis=1)
