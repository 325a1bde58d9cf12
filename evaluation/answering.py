"""`/v1/answer` against the `Answer` of a question file: exact match and token F1."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from biomolkg.errors import RequestFailed
from evaluation.benchmark import Group, group_rows
from evaluation.client import Answered, ServiceClient
from evaluation.metrics import estimate
from evaluation.questions import Question

MEASURES = ("exact match", "F1", "among 2", "among 5")
CANDIDATES = 5
_TOKEN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """What the answers reached. `abstained` counts questions without an answer, which count 0."""

    name: str
    graph_version: str
    groups: tuple[Group, ...]
    answers: Mapping[str, Answered]
    abstained: int
    without_answer: int


def same_answer(text: str) -> str:
    """The form in which answers are compared: composed Unicode, no case, single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split())


def token_f1(found: str, expected: str) -> float:
    """Harmonic mean of precision and recall of the words of `found`, as in SQuAD; 0 without a common one."""
    given, wanted = (Counter(_TOKEN.findall(same_answer(text))) for text in (found, expected))
    common = sum((given & wanted).values())
    return 2 * common / (sum(given.values()) + sum(wanted.values())) if common else 0.0


def answer_scores(answered: Answered, expected: str) -> tuple[float, float, float, float]:
    """The MEASURES of one answer."""
    wanted = same_answer(expected)
    candidates = [same_answer(candidate.answer) for candidate in answered.candidates]
    answer = answered.answer
    return (
        float(answer is not None and same_answer(answer) == wanted),
        0.0 if answer is None else token_f1(answer, expected),
        float(wanted in candidates[:2]),
        float(wanted in candidates[:5]),
    )


def run_answers(
    client: ServiceClient,
    questions: Sequence[Question],
    *,
    batch_size: int,
    name: str = "answer",
    options: Mapping[str, Any] | None = None,
    seen: frozenset[str] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> AnswerOutcome:
    """Ask for the answer to each question that has one, and score it. Raises RequestFailed."""
    asked = [question for question in questions if question.answer]
    if not asked:
        raise RequestFailed("No question of the file has an Answer, so answers cannot be measured.")
    tell(f"{name}: {len(asked)} questions")
    found: list[Answered] = []
    versions = set()
    for start in range(0, len(asked), batch_size):
        texts = [question.text for question in asked[start : start + batch_size]]
        answers, version = client.answer(texts, k=CANDIDATES, options=options)
        found += answers
        versions.add(version)
    if len(versions) > 1:
        raise RequestFailed("The graph changed during the run.", remedy="Run the benchmark again.")
    values = np.array(
        [answer_scores(it, question.answer or "") for it, question in zip(found, asked, strict=True)]
    )
    outcome = AnswerOutcome(
        name=name,
        graph_version=versions.pop(),
        groups=tuple(
            Group(group, len(rows), dict(zip(MEASURES, estimate(values[rows]), strict=True)))
            for group, rows in group_rows(asked, seen=seen).items()
        ),
        answers={question.id: it for question, it in zip(asked, found, strict=True)},
        abstained=sum(it.answer is None for it in found),
        without_answer=len(questions) - len(asked),
    )
    tell(f"{name}: exact match {outcome.groups[0].measures['exact match'].mean:.3f}")
    return outcome
