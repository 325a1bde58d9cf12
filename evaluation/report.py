"""What is shown and written of a benchmark: tables, one JSON object, TREC files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from biomolkg.errors import SourceError
from evaluation.answering import MEASURES, AnswerOutcome
from evaluation.benchmark import Group, Outcome, Setup, gold_keys, trec_run
from evaluation.client import ServiceClient
from evaluation.metrics import CUTOFFS, RESAMPLES, SEED, Estimate, qrels
from evaluation.naive import NaiveSpeed
from evaluation.named import NamedOutcome
from evaluation.published import BIOMOLMQA, Published
from evaluation.questions import QuestionSet
from evaluation.timing import WARM_UP, K, Latency, Speed

# Kept in the graph, but no part of a ranking unless it is asked for.
UNRANKED_KINDS = frozenset({"ACTION", "REACTOME", "HAS_ROLE"})


@dataclass(frozen=True, slots=True)
class Service:
    """What was measured: the answers of /version, /v1/graph and /v1/retrievers at the start."""

    url: str
    version: Mapping[str, Any]
    graph: Mapping[str, Any]
    retrievers: Mapping[str, Any]

    @classmethod
    def of(cls, client: ServiceClient) -> Service:
        """Ask the service what it is. Raises RequestFailed."""
        return cls(client.url, client.get("/version"), client.get("/v1/graph"), client.get("/v1/retrievers"))

    def returns(self, retriever: str) -> str | None:
        """`triple`, `passage` or `both`; None for a retriever that the service does not list."""
        row = self._retriever(retriever)
        return None if row is None else str(row.get("returns"))

    def trained(self, retriever: str) -> bool:
        """Whether the service has a trained model of that retriever."""
        row = self._retriever(retriever)
        return row is not None and bool(row.get("trained"))

    def _retriever(self, name: str) -> Mapping[str, Any] | None:
        listed = self.retrievers.get("retrievers")
        for row in listed if isinstance(listed, list) else ():
            if isinstance(row, Mapping) and row.get("name") == name:
                return row
        return None

    @property
    def triples(self) -> dict[str, int]:
        """How many triples are ranked, by kind."""
        counts = self._counts("triples")
        return {kind: count for kind, count in counts.items() if kind not in UNRANKED_KINDS}

    def describe(self) -> str:
        """One line: version, graph version, and what there is to rank and to read.

        The starter graph and the full graph have the same triples; only their passages differ.
        """
        return (
            f"BioMolKG {self.version.get('version', 'of unknown version')} at {self.url}; "
            f"graph {self.graph.get('graph_version', 'of unknown version')} with "
            f"{_total('triples', self.triples)} and {_total('passages', self._counts('passages'))}"
        )

    def _counts(self, name: str) -> dict[str, int]:
        counts = self.graph.get("counts")
        found = counts.get(name) if isinstance(counts, Mapping) else None
        return {str(kind): int(count) for kind, count in found.items()} if isinstance(found, Mapping) else {}


@dataclass(frozen=True, slots=True)
class Report:
    """A whole run: what was asked of which service, what came out, what failed and why."""

    date: str
    service: Service
    questions: QuestionSet
    setup: Setup
    outcomes: Sequence[Outcome]
    failures: Mapping[str, str] = field(default_factory=dict)
    answers: Sequence[AnswerOutcome] = ()

    def notes(self) -> list[str]:
        """What a reader of the tables must know."""
        notes = self.questions.notes
        for outcome in self.outcomes:
            found = {
                f"{outcome.without_hits} questions have no hits and count 0": outcome.without_hits,
                f"{outcome.ties} hits tie with the one before and are read as the worst order": outcome.ties,
                f"{outcome.disagreements} questions rank differently alone and in a batch": (
                    outcome.disagreements
                ),
                f"{outcome.speed.repeats if outcome.speed else 0} requests were put off by the service": (
                    outcome.speed.repeats if outcome.speed else 0
                ),
            }
            notes += [f"{outcome.retriever}: {text}." for text, count in found.items() if count]
        for answers in self.answers:
            if answers.abstained:
                notes.append(f"{answers.name}: {answers.abstained} questions got no answer and count 0.")
            if answers.without_answer:
                notes.append(f"{answers.name}: {answers.without_answer} questions have no Answer to compare.")
        return notes


def quality_table(report: Report) -> Table:
    """Quality of each retriever by group of questions, and the paper's rows for reference."""
    table = Table(
        title=f"BioMol-MQA, {report.setup.gold}, {report.questions.name}, {report.setup.depth} hits each",
        caption="MRR with its bootstrap interval (95 %). Rows of the paper: its test split, as published.",
    )
    table.add_column("retriever")
    table.add_column("questions")
    for name in ("n", *(f"hard/soft@{k}" for k in CUTOFFS), "recall@5", "precision@5", "MRR"):
        table.add_column(name, justify="right", no_wrap=True)
    for outcome in report.outcomes:
        for position, group in enumerate(outcome.groups):
            table.add_row(outcome.retriever if not position else "", *_quality(group))
        table.add_section()
    for row in BIOMOLMQA:
        table.add_row(f"paper: {row.system}", row.over, *_published(row), style="dim")
    return table


def answer_table(outcomes: Iterable[AnswerOutcome]) -> Table:
    """Answers by group of questions."""
    table = Table(
        title="Answers without a language model",
        caption="Exact match with its bootstrap interval (95 %). The paper's best model with retrieval: .54.",
    )
    table.add_column("")
    table.add_column("questions")
    for name in ("n", *MEASURES):
        table.add_column(name, justify="right", no_wrap=True)
    for outcome in outcomes:
        for position, group in enumerate(outcome.groups):
            exact = group.measures[MEASURES[0]]
            table.add_row(
                outcome.name if not position else "",
                group.name,
                str(group.questions),
                f"{exact.mean:.3f} [{exact.low:.3f}, {exact.high:.3f}]",
                *(f"{group.measures[name].mean:.3f}" for name in MEASURES[1:]),
            )
        table.add_section()
    return table


def named_table(outcomes: Sequence[NamedOutcome]) -> Table:
    """Share of plain questions with a right triple first."""
    table = Table(title="Questions that name their entities: share with a right triple first")
    table.add_column("questions")
    table.add_column("n", justify="right")
    for outcome in outcomes:
        table.add_column(outcome.retriever, justify="right", no_wrap=True)
    for name, (count, _) in outcomes[0].shares.items():
        shares = [outcome.shares[name][1] for outcome in outcomes]
        cells = [f"{share.mean:.3f} [{share.low:.3f}, {share.high:.3f}]" for share in shares]
        table.add_row(name, str(count), *cells)
    return table


def speed_table(outcomes: Iterable[tuple[str, Speed]], naive: NaiveSpeed | None = None) -> Table:
    """Latency and rates of each retriever, and how many times faster than the naive baseline it is."""
    table = Table(
        title="Speed over HTTP, milliseconds and questions per second",
        caption=f"Single questions of k = {K}, after {len(WARM_UP)} to warm up: first time and again.",
        box=SIMPLE_HEAD,
        padding=0,
        pad_edge=False,
    )
    table.add_column("retriever", no_wrap=True)
    for name in ("first p50", "first p99", "again p50", "again p99", "single/s", "batched/s", "ratio"):
        # On two lines, so that eighty columns hold the table.
        table.add_column(name.replace(" ", "\n"), justify="right", no_wrap=True)
    if naive is not None:
        table.add_column("×\nnaive", justify="right", no_wrap=True)
    for retriever, speed in outcomes:
        cells = [
            *(f"{value:.1f}" for value in (*_times(speed.first), *_times(speed.again))),
            f"{speed.single_rate:.1f}",
            f"{speed.batch_rate:.1f}",
            f"{speed.ratio:.2f}",
        ]
        if naive is not None:
            cells.append(f"{naive.seconds * speed.single_rate:,.0f}")
        table.add_row(retriever, *cells)
    return table


def speed_json(speed: Speed) -> dict[str, Any]:
    """A speed with its derived rates."""
    return {**asdict(speed), "single_rate": speed.single_rate, "ratio": speed.ratio}


def as_json(report: Report) -> dict[str, Any]:
    """Everything that was measured and under which circumstances, as one JSON object."""
    questions = report.questions
    return {
        "benchmark": "biomolmqa",
        "date": report.date,
        "service": {**asdict(report.service), "triples": report.service.triples},
        "questions": {
            "file": questions.name,
            "sha256": questions.sha256,
            "rows": questions.rows,
            "scored": len(questions.questions),
            "without_gold": list(questions.without_gold),
            "duplicates": list(questions.duplicates),
            "labelled": questions.labelled,
        },
        "setup": {**asdict(report.setup), "bootstrap": {"resamples": RESAMPLES, "seed": SEED}},
        "notes": report.notes(),
        "retrievers": {
            outcome.retriever: {
                "graph_version": outcome.graph_version,
                "groups": _groups(outcome.groups),
                "without_hits": outcome.without_hits,
                "ties": outcome.ties,
                "disagreements": outcome.disagreements,
                "speed": speed_json(outcome.speed) if outcome.speed else None,
                "questions": [
                    {
                        "id": question.id,
                        "hops": question.hops,
                        "modality": question.modality,
                        "label": question.label,
                        "gold_ranks": dict(outcome.ranks[question.id]),
                        "hits": len(outcome.rankings[question.id].keys),
                    }
                    for question in questions.questions
                ],
            }
            for outcome in report.outcomes
        },
        "answers": {
            outcome.name: {
                "graph_version": outcome.graph_version,
                "groups": _groups(outcome.groups),
                "abstained": outcome.abstained,
                "without_answer": outcome.without_answer,
                "questions": [
                    {"id": id_, "answer": it.answer, "confidence": it.confidence}
                    for id_, it in outcome.answers.items()
                ],
            }
            for outcome in report.answers
        },
        "failures": dict(report.failures),
        "published": [asdict(row) for row in BIOMOLMQA],
    }


def _groups(groups: Iterable[Group]) -> dict[str, Any]:
    return {
        group.name: {
            "questions": group.questions,
            **{name: asdict(value) for name, value in group.measures.items()},
        }
        for group in groups
    }


def write_trec(report: Report, folder: Path) -> list[Path]:
    """Write `biomolmqa.qrels` and a `<retriever>.run` each into `folder`; give the paths.

    Raises SourceError when the folder cannot be written.
    """
    gold = gold_keys(report.questions.questions, report.setup)
    files = {
        "biomolmqa.qrels": [
            f"{qrel.query_id} {qrel.iteration} {qrel.doc_id} {qrel.relevance}" for qrel in qrels(gold)
        ]
    }
    files |= {f"{outcome.retriever}.run": trec_run(outcome, gold) for outcome in report.outcomes}
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, lines in files.items():
            path = folder / name
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            written.append(path)
    except OSError as error:
        raise SourceError(f"{folder} cannot be written: {error.strerror or error}.") from error
    return written


def _quality(group: Group) -> list[str]:
    measures = group.measures
    pairs = [f"{_share(measures[f'hard@{k}'])} / {_share(measures[f'soft@{k}'])}" for k in CUTOFFS]
    mrr = measures["mrr"]
    return [
        group.name,
        str(group.questions),
        *pairs,
        _share(measures["recall@5"]),
        _share(measures["precision@5"]),
        f"{mrr.mean:.3f} [{mrr.low:.3f}, {mrr.high:.3f}]",
    ]


def _published(row: Published) -> list[str]:
    pairs = [
        "" if pair is None else f"{pair[0]:.2f} / {pair[1]:.2f}" for pair in (row.at5, row.at10, row.at15)
    ]
    return ["168", *pairs, "", "", f"{row.mrr:.2f}"]


def _share(estimate: Estimate) -> str:
    return f"{estimate.mean:.2f}"


def _times(latency: Latency) -> tuple[float, float]:
    return latency.p50, latency.p99


def _total(noun: str, counts: Mapping[str, int]) -> str:
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in counts.items())
    return f"{sum(counts.values()):,} {noun} ({kinds or 'kinds unknown'})"
