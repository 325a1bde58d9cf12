"""Which end of a triple a description asks for: a logistic model of where in the question each is described.

The weights are fitted by `python -m retrievers.answers_fit`; docs/answers.md says what they rest on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from retrievers.fusion import LEAST_BELIEF, Floats
from retrievers.question_roles import ROLES, chooses, word_roles
from retrievers.triple.evidence import Rows
from retrievers.triple.retriever import MAX_UNITS
from retrievers.triple.trained.ranker import FirstStage
from retrievers.triple.words import Word, split_words

# Log-odds that the tail is asked for.
BIAS = 0.2
WEIGHTS: Mapping[str, float] = {
    "before": -1.48,
    "asked": 3.23,
    "other": -3.04,
    "after": 0.62,
    "choice": 0.68,
    "order_of_two": -0.79,
    "order_asked_first": -1.41,
    "object": 2.49,
    "acceptor": 1.09,
    "donors": 1.54,
    "acceptors": 0.43,
    "words": 2.19,
    "protein": 2.62,
    "path": 0.77,
    "of_two": -0.61,
}
CAPTIONS = 0.3

_OBJECT = re.compile(r"\bobject\b", re.IGNORECASE)
_SUBJECT = re.compile(r"\bsubject\b", re.IGNORECASE)
_ACCEPTOR = re.compile(r"\baccept\w*", re.IGNORECASE)
_DONOR = re.compile(r"\bdono\w*", re.IGNORECASE)
_ASKED_FIRST = re.compile(r"\W*(?:which|what)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class EndReading:
    """A question's words with their roles, int64 [W], and what each says of the entities."""

    question: str
    words: tuple[Word, ...]
    roles: np.ndarray
    stage: FirstStage

    @classmethod
    def of(cls, question: str, stage: FirstStage) -> EndReading:
        """The reading of a question as the first stage left it."""
        words = tuple(split_words(question, limit=MAX_UNITS))
        return cls(question, words, np.array(word_roles(question, words), dtype=np.int64), stage)

    def of_entity(self, entity: int) -> Floats:
        """float64 [W]: how much each word speaks of an entity, texts and structures mixed as in `triple`."""
        stage = self.stage
        weights = {"text": 1 - stage.share, "structure": stage.share, "caption": CAPTIONS * stage.share}
        total = np.zeros(stage.evidence.units)
        for name, weight in weights.items():
            best = stage.totals.best[name] or 1.0
            total += weight / best * _column(getattr(stage.evidence, name), entity)
        return total


def end_features(
    head: Floats,
    tail: Floats,
    reading: EndReading,
    bonding: tuple[tuple[int, int], tuple[int, int]],
    *,
    molecular: bool,
    protein: bool,
    arriving: float,
) -> dict[str, float]:
    """What tells which end is asked for; positive values of the roles are for the tail.

    head, tail: float64 [W], how much each word speaks of each end; bonding: their donors and
    acceptors; arriving: the belief of triples that end at the head, as in a path of several hops.
    """
    lead = tail - head
    total = float(np.abs(lead).sum()) or 1.0
    features = {role: float(lead[reading.roles == at].sum()) / total for at, role in enumerate(ROLES)}
    question = reading.question
    order = _place(np.maximum(lead, 0)) - _place(np.maximum(-lead, 0))
    of_two = chooses(question)
    turn = molecular * (float(bool(_ACCEPTOR.search(question))) - float(bool(_DONOR.search(question))))
    (head_donors, head_acceptors), (tail_donors, tail_acceptors) = bonding
    return features | {
        "order_of_two": of_two * order,
        "order_asked_first": bool(_ASKED_FIRST.match(question)) * order,
        "object": float(bool(_OBJECT.search(question))) - float(bool(_SUBJECT.search(question))),
        "acceptor": turn,
        "donors": -turn * math.tanh((tail_donors - head_donors) / 2),
        "acceptors": turn * math.tanh((tail_acceptors - head_acceptors) / 3),
        "words": len(lead) / 50,
        "protein": float(protein),
        "path": math.log(arriving + LEAST_BELIEF) / 5,
        "of_two": float(of_two),
    }


def tail_odds(features: Mapping[str, float]) -> float:
    """Probability that the tail is asked for."""
    logit = BIAS + sum(WEIGHTS[name] * value for name, value in features.items())
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit))))


def _column(rows: Rows, entity: int) -> Floats:
    """float64 [W]: the weights of one entity."""
    column = np.zeros(rows.units)
    places = np.flatnonzero(rows.entities == entity)
    column[np.searchsorted(rows.starts, places, side="right") - 1] = rows.weights[places]
    return column


def _place(weights: Floats) -> float:
    """The mean place in the question, 0 to 1, of what has these weights."""
    total = float(weights.sum())
    if not total:
        return 0.0
    return float(weights @ np.arange(len(weights))) / max(len(weights) - 1, 1) / total
