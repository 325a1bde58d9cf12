"""BioMol-MQA against a running service: one retriever's quality by group of questions, and its speed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from evaluation.client import ServiceClient
from evaluation.metrics import Estimate, Ranking, estimate, gold_ranks, judged_order, measure_names, score
from evaluation.questions import Question
from evaluation.timing import BATCH_SIZE, Speed, measure_speed

OVERALL = "all"


@dataclass(frozen=True, slots=True)
class Setup:
    """How a benchmark is run. `depth` is the k of each request; `options` are more fields of its body.

    The client reads hits as documents when those are the gold.
    """

    depth: int = 100
    batch_size: int = BATCH_SIZE
    latency: bool = True
    gold: Literal["triples", "documents"] = "triples"
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Group:
    """The measures over some of the questions, by name."""

    name: str
    questions: int
    measures: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one retriever reached.

    `ranks` holds the rank of each gold triple by question, None beyond the depth;
    `ties` counts hits with the score of the hit before, which the HTTP contract
    rules out; `disagreements` questions whose first hits differ between asked
    alone and asked in a batch (None when they were not asked alone).
    """

    retriever: str
    graph_version: str
    depth: int
    groups: tuple[Group, ...]
    rankings: Mapping[str, Ranking]
    ranks: Mapping[str, Mapping[str, int | None]]
    without_hits: int
    ties: int
    disagreements: int | None
    speed: Speed | None

    @property
    def overall(self) -> Mapping[str, Estimate]:
        """The measures over all questions."""
        return self.groups[0].measures


def run_benchmark(
    client: ServiceClient,
    retriever: str,
    questions: Sequence[Question],
    setup: Setup,
    *,
    seen: frozenset[str] | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Ask all questions and score the answers. `seen` are the entities of training questions, if known.

    Speed is measured first, so that its first pass finds the service as it was.
    Raises RequestFailed.
    """
    texts = [question.text for question in questions]
    speed: Speed | None = None
    alone: list[Ranking] = []
    if setup.latency:
        tell(f"{retriever}: one question at a time, then batches of {setup.batch_size}")
        speed, alone = measure_speed(
            client, retriever, texts, batch_size=setup.batch_size, options=setup.options
        )
    tell(f"{retriever}: {len(questions)} questions, {setup.depth} hits each")
    answers = list(
        client.batches(retriever, texts, k=setup.depth, size=setup.batch_size, options=setup.options)
    )
    ranked = [ranking for answer in answers for ranking in answer.rankings]
    rankings = {question.id: ranking for question, ranking in zip(questions, ranked, strict=True)}
    gold = gold_keys(questions, setup)
    values = score(gold, rankings, depth=setup.depth)
    names = measure_names(setup.depth)
    outcome = Outcome(
        retriever=retriever,
        graph_version=answers[0].graph_version,
        depth=setup.depth,
        groups=tuple(
            Group(name, len(rows), dict(zip(names, estimate(values[rows]), strict=True)))
            for name, rows in group_rows(questions, seen=seen).items()
        ),
        rankings=rankings,
        ranks={id_: gold_ranks(rankings[id_], keys) for id_, keys in gold.items()},
        without_hits=sum(not ranking.keys for ranking in ranked),
        ties=sum(ranking.ties for ranking in ranked),
        disagreements=_disagreements(alone, ranked) if setup.latency else None,
        speed=speed,
    )
    found = outcome.overall
    tell(
        f"{retriever}: MRR {found['mrr'].mean:.3f}, hard/soft@5 "
        f"{found['hard@5'].mean:.2f} / {found['soft@5'].mean:.2f}"
    )
    return outcome


def gold_keys(questions: Sequence[Question], setup: Setup) -> dict[str, frozenset[str]]:
    """What is right for each question, by its id."""
    documents = setup.gold == "documents"
    return {question.id: question.documents if documents else question.keys for question in questions}


def group_rows(questions: Sequence[Question], *, seen: frozenset[str] | None = None) -> dict[str, list[int]]:
    """Positions of the questions of each group; all questions come first, empty groups are left out.

    A question is "seen" when every gold entity is in `seen`, "unseen" when none is.
    """
    tests: dict[str, Callable[[Question], bool]] = {
        OVERALL: lambda _: True,
        "1 hop": lambda question: question.hops == 1,
        "2 hops": lambda question: question.hops == 2,
        "3 hops": lambda question: question.hops == 3,
        "text": lambda question: question.modality in {"drug text", "protein text"},
        "text, drugs only": lambda question: question.modality == "drug text",
        "text, protein": lambda question: question.modality == "protein text",
        "molecule": lambda question: question.modality == "molecule",
    }
    if seen is not None:
        tests["seen entities"] = lambda question: bool(question.entities) and question.entities <= seen
        tests["partly seen"] = lambda question: (
            bool(question.entities & seen) and not question.entities <= seen
        )
        tests["unseen entities"] = lambda question: bool(question.entities) and not question.entities & seen
    rows = {
        name: [row for row, question in enumerate(questions) if belongs(question)]
        for name, belongs in tests.items()
    }
    return {name: found for name, found in rows.items() if found}


def _disagreements(alone: Sequence[Ranking], batched: Sequence[Ranking]) -> int:
    return sum(
        single.keys != batch.keys[: len(single.keys)] for single, batch in zip(alone, batched, strict=False)
    )


def trec_run(outcome: Outcome, gold: Mapping[str, frozenset[str]]) -> list[str]:
    """Lines of a TREC run in the judged order; scores count down, so they strictly decrease."""
    lines = []
    for id_, ranking in outcome.rankings.items():
        order = judged_order(ranking, gold.get(id_, frozenset()))
        lines += [
            f"{id_} Q0 {key} {rank} {len(order) - rank + 1} {outcome.retriever}"
            for rank, key in enumerate(order, start=1)
        ]
    return lines
