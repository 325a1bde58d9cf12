"""From evidence to the score of each triple: terms, weights, and the choice between texts and structures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from retrievers.triple.evidence import (
    Ends,
    Floats,
    Indexes,
    Rows,
    crossed_scores,
    cut_scores,
    pair_scores,
)
from retrievers.triple.relations import RelationMatch

TEXT_WEIGHTS: Mapping[str, float] = {
    "text_sum": 0.5,
    "text_pair": 1.0,
    "text_split": 1.0,
    "sentence": 1.0,
    "clause_pair": 2.0,
    "structure_pair": 0.25,
    "relation_words": 0.5,
    "relation_closeness": 1.0,
    "relation_exact": 0.5,
}
STRUCTURE_WEIGHTS: Mapping[str, float] = {
    "structure_pair": 0.25,
    "structure_split": 1.0,
    "structure_min": 0.5,
    "caption_pair": 0.4,
    "relation_words": 1.5,
    "relation_exact": 0.5,
}
NAMED_END = 0.5
# Of either kind of question.
CERTAIN_WEIGHTS: Mapping[str, float] = {
    "names": NAMED_END,
    "named_relation": 2.0,
    "relation_kind": 0.1,
    "crossed": 1.0,
}

VIEWS = ("text", "structure", "caption")
# Views of which the untrained score weighs the best cut.
WEIGHED_CUTS = ("text", "structure")

# Logit of "this question describes structures": per word, the strongest entity's chemical and lexical
# evidence; and by how much molecular relations fit better than others. Fitted by hand on train questions.
_LOGIT_STRUCTURE, _LOGIT_TEXT, _LOGIT_RELATION, _LOGIT_BIAS = 9.0, -4.0, 3.0, 1.5
# Logit of "one end is described by its text, the other by its structure": bias, and what texts and
# structures speak per word, the latter squared too. Fitted by `python -m retrievers.mixed_questions --fit`.
MIXED_WEIGHTS = (0.61, -4.34, 31.37, -102.45)
# Of train questions, none of which is mixed, 3 in 100 are taken for it, and they rank no worse.
_MIXED_FROM = 0.7
# Below this a vector says nothing: unrelated texts reach it by chance.
SENTENCE_FLOOR = 0.45
RELATION_FLOOR = 0.55


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """What one question says. E entities, R relations.

    sentence: float32 [E], clauses: float32 [n, E] with shares float32 [n]; named: float32 [E], how
    surely each entity is named; directness in [0, 1]: how far names and relation are all there is.
    """

    text: Rows
    structure: Rows
    caption: Rows
    sentence: Floats
    clauses: Floats
    shares: Floats
    relation: RelationMatch
    named: Floats
    directness: float
    units: int


@dataclass(frozen=True, slots=True, eq=False)
class Totals:
    """Sums over the question's units, float32 [E] each, as shares of the best entity's, and that best."""

    text: Floats
    structure: Floats
    caption: Floats
    best: Mapping[str, float]

    @classmethod
    def of(cls, evidence: Evidence) -> Totals:
        """The totals of `evidence`."""
        size = len(evidence.named)
        sums = {name: getattr(evidence, name).totals(size) for name in ("text", "structure", "caption")}
        best = {name: float(total.max(initial=0.0)) for name, total in sums.items()}
        shares = {name: total / best[name] if best[name] else total for name, total in sums.items()}
        return cls(**shares, best=best)


def structure_share(totals: Totals, units: int, relation_lead: float) -> float:
    """Probability in [0, 1] that the question describes structures and not texts.

    relation_lead: how much better the best molecular relation fits than the best other one.
    """
    words = max(units, 1)
    logit = (
        _LOGIT_STRUCTURE * totals.best["structure"] / words
        + _LOGIT_TEXT * totals.best["text"] / words
        + _LOGIT_RELATION * relation_lead
        + _LOGIT_BIAS
    )
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit))))


def mixed_features(totals: Totals, units: int) -> tuple[float, float, float, float]:
    """What MIXED_WEIGHTS weigh."""
    words = max(units, 1)
    text, structure = totals.best["text"] / words, totals.best["structure"] / words
    return 1.0, text, structure, structure * structure


def is_mixed(totals: Totals, units: int) -> bool:
    """Whether a question seems to describe one end by its text and the other by its structure.

    In a question about structures alone they speak more, in one about texts hardly.
    """
    features = mixed_features(totals, units)
    logit = sum(weight * value for weight, value in zip(MIXED_WEIGHTS, features, strict=True))
    return logit > math.log(_MIXED_FROM / (1 - _MIXED_FROM))


def crossed_term(evidence: Evidence, totals: Totals, heads: Indexes, tails: Indexes) -> Floats:
    """How well a cut parts the question into the text of one end and the structure of the other: [C]."""
    ends = Ends.of(heads, tails, len(evidence.named))
    told = ends.every_unit(evidence.text) / np.float32(totals.best["text"] or 1.0)
    built = ends.every_unit(evidence.structure) / np.float32(totals.best["structure"] or 1.0)
    return crossed_scores(told, built, ends)


def relation_scores(match: RelationMatch) -> Floats:
    """float32 [R]: how well each relation fits, the three views together."""
    scores: Floats = 0.5 * match.words + match.closeness + 0.5 * match.exact + 0.1 * match.kind
    return scores


def additive_scores(
    evidence: Evidence, totals: Totals, share: float, ends: tuple[Indexes, Indexes], relation_of: Indexes
) -> Floats:
    """First stage: a sum of one number an end and one a relation, float32 [n], cheap for every triple.

    ends: int32 [n] heads and tails; relation_of: int32 [n].
    """
    text = 2.0 * totals.text + evidence.sentence
    if len(evidence.clauses):
        text = text + 2.0 * (evidence.shares @ evidence.clauses)
    structure = 1.5 * totals.structure + 0.4 * totals.caption
    node = share * structure + (1 - share) * text + NAMED_END * evidence.named
    heads, tails = ends
    # `take` is twice as fast as an index here.
    scores: Floats = node.take(heads)
    scores += node.take(tails)
    scores += relation_scores(evidence.relation).take(relation_of)
    return scores


def candidate_terms(
    evidence: Evidence,
    totals: Totals,
    heads: Indexes,
    tails: Indexes,
    relations: Indexes,
    *,
    cuts: Sequence[str] = WEIGHED_CUTS,
) -> dict[str, Floats]:
    """Every term of C candidates, float32 [C] each, not yet weighted.

    heads, tails, relations: int32 [C]. cuts: the views that are cut in two; `<view>_order` is by how
    much the cut head-first beats the one tail-first.
    """
    ends = Ends.of(heads, tails, len(evidence.named))
    terms: dict[str, Floats] = {}
    for name in VIEWS:
        matrix = ends.dense(getattr(evidence, name))
        best = totals.best[name] or 1.0
        terms[f"{name}_pair"] = pair_scores(matrix, ends) / best
        if name in cuts:
            head_first, tail_first = cut_scores(matrix, ends)
            better: Floats = np.maximum(head_first, tail_first)
            terms[f"{name}_split"] = better / best
            terms[f"{name}_order"] = (head_first - tail_first) / best
    terms["text_sum"] = totals.text[heads] + totals.text[tails]
    terms["structure_min"] = np.minimum(totals.structure[heads], totals.structure[tails])
    terms["sentence"] = np.maximum(evidence.sentence[heads], evidence.sentence[tails])
    terms["clause_pair"] = pair_scores(weighted_clauses(evidence, ends), ends)
    terms["relation_words"] = evidence.relation.words[relations]
    terms["relation_closeness"] = evidence.relation.closeness[relations]
    terms["relation_kind"] = evidence.relation.kind[relations]
    terms["relation_exact"] = evidence.relation.exact[relations]
    named = evidence.named[heads], np.where(heads == tails, 0, evidence.named[tails])
    # A question that names both ends asks for this pair: that outweighs any description and, where names
    # are nearly all that is said, also a relation that fits other facts better.
    joint: Floats = np.minimum(*named)
    terms["names"] = named[0] + named[1] + np.float32(4 + 8 * evidence.directness) * joint
    # Asked of a named entity, the relation decides which of its facts are meant; a name dropped in
    # a long description is no such question.
    fit = terms["relation_words"] + terms["relation_kind"]
    terms["named_relation"] = evidence.directness * np.maximum(*named) * fit
    return terms


def weighted_clauses(evidence: Evidence, ends: Ends) -> Floats:
    """The closeness of clauses to entities times each clause's share of the question: float32 [n, N]."""
    clauses: Floats = evidence.shares[:, None] * evidence.clauses.take(ends.entities, axis=1)
    return clauses


def weighted_parts(terms: Mapping[str, Floats], share: float) -> dict[str, NDArray[np.float64]]:
    """The terms times their weights, mixed by `share`: what a score is the sum of."""
    parts = {}
    for name, values in terms.items():
        weight = share * STRUCTURE_WEIGHTS.get(name, 0.0) + (1 - share) * TEXT_WEIGHTS.get(name, 0.0)
        weight = CERTAIN_WEIGHTS.get(name, weight)
        if weight:
            parts[name] = (weight * values).astype(np.float64)
    return parts


def has_evidence(terms: Mapping[str, Floats]) -> NDArray[np.bool_]:
    """Whether, bool [C], anything but a chance resemblance speaks for a candidate."""
    found: NDArray[np.bool_] = (
        (terms["text_pair"] > 0)
        | (terms["structure_pair"] > 0)
        | (terms["caption_pair"] > 0)
        | (terms["relation_words"] > 0)
        | (terms["names"] > 0)
        | (terms["sentence"] > SENTENCE_FLOOR)
        | (terms["relation_closeness"] > RELATION_FLOOR)
    )
    return found
