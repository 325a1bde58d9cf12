"""Asks a service the questions over HTTP and judges what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from biomolkg.errors import RequestFailed
from evaluation.client import ServiceClient
from evaluation.plain.gold import Question
from evaluation.plain.replies import read_hits, read_reply
from evaluation.plain.scoring import Outcome, judge, judge_hits

_MOST_CANDIDATES = 100
_HITS = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with what was said to it. `confidence` is None of a retriever, which claims none."""

    question: Question
    outcome: Outcome
    said: str
    confidence: float | None


def ask_answers(
    client: ServiceClient,
    questions: Sequence[Question],
    *,
    batch_size: int,
    tell: Callable[[int], None] = lambda _: None,
) -> list[Judged]:
    """What `/v1/answer` says. `tell` hears how many are done. Raises RequestFailed."""
    judged = []
    for question, result in _results(client, "/v1/answer", questions, batch_size, k=_MOST_CANDIDATES):
        reply = read_reply(result)
        outcome = judge(question.gold, reply)
        judged.append(Judged(question, outcome, reply.describe(), reply.confidence))
        tell(len(judged))
    return judged


def ask_retriever(
    client: ServiceClient,
    retriever: str,
    questions: Sequence[Question],
    *,
    batch_size: int,
    tell: Callable[[int], None] = lambda _: None,
) -> list[Judged]:
    """What a retriever finds, of the questions that hits can answer. Raises RequestFailed."""
    judged = []
    path = f"/v1/retrieve/{retriever}"
    for number, (question, result) in enumerate(
        _results(client, path, questions, batch_size, k=_HITS), start=1
    ):
        hits = read_hits(result)
        if (outcome := judge_hits(question.gold, hits)) is not None:
            judged.append(Judged(question, outcome, "; ".join(hits[:3]) or "nothing", None))
        tell(number)
    return judged


def _results(
    client: ServiceClient, path: str, questions: Sequence[Question], size: int, *, k: int
) -> Iterator[tuple[Question, dict[str, Any]]]:
    for start in range(0, len(questions), size):
        part = questions[start : start + size]
        body = {"questions": [it.question for it in part], "k": k}
        results = client.post(path, body).get("results")
        if not isinstance(results, list) or len(results) != len(part):
            raise RequestFailed(
                f"{path} was asked {len(part)} questions and does not give as many results.",
                remedy="Is it a BioMolKG service of this version?",
            )
        yield from zip(part, results, strict=True)
