"""`biomolkg bench`: published benchmarks against a running service, over HTTP."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console

from app.commands.bench_plain import plain
from biomolkg.errors import InvalidRequest, RequestFailed, SourceError
from biomolkg.extras import require_extra
from evaluation.answering import AnswerOutcome, run_answers
from evaluation.benchmark import Outcome, Setup, run_benchmark
from evaluation.client import Patience, Reading, ServiceClient
from evaluation.html_report import write_html
from evaluation.named import COUNT, make_named_questions, run_named
from evaluation.questions import QuestionSet, read_questions
from evaluation.report import (
    Report,
    Service,
    answer_table,
    as_json,
    named_table,
    quality_table,
    speed_table,
    write_trec,
)
from evaluation.splits import SHARE, split_entities, write_questions
from evaluation.timing import BATCH_SIZE

WIDTH = 140
NO_GOLD = (
    "it returns passages, and what is right in BioMol-MQA is triples: name retrievers of triples, "
    "or give --gold documents."
)
DEFAULT_URL = "http://127.0.0.1:8000"

Url = Annotated[str, typer.Option(help="Address of the service.")]
JsonFile = Annotated[Path | None, typer.Option("--json", help="File for everything that was measured.")]
BatchSize = Annotated[int, typer.Option(min=1, help="Questions in one request.")]
Timeout = Annotated[float, typer.Option(min=0.1, help="Seconds one answer may take.")]

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)
app.command()(plain)


@app.callback()
def bench() -> None:
    """Run a benchmark against a service.

    Example: biomolkg bench biomolmqa --questions validation.csv
    """


@app.command()
def biomolmqa(
    questions: Annotated[
        Path,
        typer.Option(
            help="The published csv, or a parquet of Question and Gold_Triples.", exists=True, dir_okay=False
        ),
    ],
    labels: Annotated[
        Path | None,
        typer.Option(
            help="csv of Question and Label for a parquet that has none.", exists=True, dir_okay=False
        ),
    ] = None,
    train: Annotated[
        Path | None,
        typer.Option(
            help="Question file of the training: tells seen and unseen entities apart.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    url: Url = DEFAULT_URL,
    retriever: Annotated[str, typer.Option(help="Names, separated by commas.")] = "triple,neo4j",
    model: Annotated[
        Literal["auto", "untrained", "trained", "both"] | None,
        typer.Option(help="Which model the retrievers use; both: side by side where trained."),
    ] = None,
    gold: Annotated[
        Literal["triples", "documents"],
        typer.Option(help="What is right: triples, or the paper's documents."),
    ] = "triples",
    sources: Annotated[str, typer.Option(help="Only hits of these sources, separated by commas.")] = "",
    k: Annotated[int, typer.Option(min=15, help="Hits a question: the depth of MRR.")] = 100,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first questions of the file.")] = None,
    batch_size: BatchSize = BATCH_SIZE,
    timeout: Timeout = 120.0,
    latency: Annotated[bool, typer.Option(help="Also measure speed.")] = True,  # noqa: FBT002  (a flag)
    answers: Annotated[  # noqa: FBT002  (a flag)
        bool, typer.Option("--answers", help="Also ask for answers: exact match and F1.")
    ] = False,
    json_file: JsonFile = None,
    trec: Annotated[Path | None, typer.Option(help="Folder for TREC run and qrels files.")] = None,
    html: Annotated[Path | None, typer.Option(help="File for a page with tables and plots.")] = None,
) -> None:
    """BioMol-MQA: hard/soft@k, recall, MRR by hops and modality, speed; the paper's rows beside.

    Example: biomolkg bench biomolmqa --questions validation.csv --retriever triple,hybrid --answers
    """
    require_extra("bench", "A benchmark")
    names = _names(retriever)
    asked = read_questions(questions, labels=labels, limit=limit)
    if gold == "documents":
        asked = _with_documents(asked)
    seen = _entities(train) if train else None
    options: dict[str, Any] = {} if model in {None, "both"} else {"model": model}
    if prefixes := [part.strip() for part in sources.split(",") if part.strip()]:
        options["sources"] = prefixes
    setup = Setup(depth=k, batch_size=batch_size, latency=latency, gold=gold, options=options)
    status = Console(stderr=True)

    def tell(line: str) -> None:
        status.print(line, highlight=False)

    reading: Reading = "documents" if gold == "documents" else "names"
    with ServiceClient(url, Patience(timeout=timeout), reading=reading) as client:
        service = Service.of(client)
        status.print(f"{service.describe()}.", soft_wrap=True, highlight=False)
        run = _Run(client, service, asked, setup, seen, tell, both=model == "both")
        for name in names:
            run.retrieve(name)
        if answers:
            run.answer()
    report = Report(
        datetime.now(UTC).isoformat(timespec="seconds"),
        service,
        asked,
        setup,
        run.outcomes,
        run.failures,
        run.answers,
    )
    _show(report)
    if json_file is not None:
        _write_json(json_file, as_json(report))
    if trec is not None:
        write_trec(report, trec)
    if html is not None:
        write_html(report, html)
    if run.failures:
        raise RequestFailed(" ".join(f"{name} failed: {why}" for name, why in run.failures.items()))


@app.command()
def named(
    url: Url = DEFAULT_URL,
    retriever: Annotated[str, typer.Option(help="Names, separated by commas.")] = "triple,neo4j,hybrid",
    count: Annotated[int, typer.Option(min=1, help="Questions to make.")] = COUNT,
    seed: Annotated[int, typer.Option(help="The same seed makes the same questions.")] = 0,
    batch_size: BatchSize = BATCH_SIZE,
    timeout: Timeout = 120.0,
    json_file: JsonFile = None,
) -> None:
    """Plain questions that name entities, made from the graph: how often a right triple is first.

    Example: biomolkg bench named --retriever triple --count 200
    """
    status = Console(stderr=True)
    names = _names(retriever)
    with ServiceClient(url, Patience(timeout=timeout), reading="ids") as client:
        service = Service.of(client)
        made = make_named_questions(client, count=count, seed=seed, tell=status.print)
        outcomes = []
        for name in names:
            if (returns := service.returns(name)) == "passage":
                raise InvalidRequest(f"{name}: {NO_GOLD}", field="retriever")
            options = _kinds(returns, service, "triples")
            outcomes.append(run_named(client, name, made, batch_size=batch_size, options=options))
    console = _console()
    console.print(named_table(outcomes))
    for outcome in outcomes:
        for failure in outcome.failures[:5]:
            line = f"{outcome.retriever} fails: {failure['question']} It gives {failure['first']}."
            console.print(line, soft_wrap=True, highlight=False, markup=False)
    if json_file is not None:
        _write_json(
            json_file,
            {
                "benchmark": "named",
                "service": asdict(service),
                "seed": seed,
                "retrievers": {
                    outcome.retriever: {
                        "shares": {
                            group: {"questions": number, **asdict(share)}
                            for group, (number, share) in outcome.shares.items()
                        },
                        "failures": list(outcome.failures),
                    }
                    for outcome in outcomes
                },
            },
        )


@app.command()
def split(
    questions: Annotated[
        Path, typer.Option(help="Question file, csv or parquet.", exists=True, dir_okay=False)
    ],
    out: Annotated[Path, typer.Option(help="Folder for train.parquet and test.parquet.", file_okay=False)],
    seed: Annotated[int, typer.Option(help="The same seed makes the same split.")] = 0,
    share: Annotated[float, typer.Option(min=0.01, max=0.99, help="Share of the entities held out.")] = SHARE,
) -> None:
    """Split questions so that no gold entity of a test question occurs in training.

    Example: biomolkg bench split --questions train.csv --out split --seed 1
    """
    require_extra("bench", "Splitting questions")
    made = split_entities(read_questions(questions).questions, seed=seed, share=share)
    write_questions(out / "train.parquet", made.train)
    write_questions(out / "test.parquet", made.test)
    typer.echo(
        f"{len(made.train)} questions to train on, {len(made.test)} to test, about {len(made.held_out)} "
        f"entities held out; {made.dropped} questions have entities of both or no gold and are left out."
    )


@dataclass(slots=True)
class _Run:
    """One run against a service: what came out, and what failed and why."""

    client: ServiceClient
    service: Service
    asked: QuestionSet
    setup: Setup
    seen: frozenset[str] | None
    tell: Callable[[str], None]
    both: bool
    outcomes: list[Outcome] = field(default_factory=list)
    answers: list[AnswerOutcome] = field(default_factory=list)
    failures: dict[str, str] = field(default_factory=dict)

    def retrieve(self, name: str) -> None:
        """Measure a retriever, with each model that is asked for."""
        setup, returns = self.setup, self.service.returns(name)
        if returns == "passage" and setup.gold == "triples":
            self.failures[name] = NO_GOLD
            return
        for label, more in self._models(name, trained_as=name):
            options = {**setup.options, **_kinds(returns, self.service, setup.gold), **more}
            try:
                outcome = run_benchmark(
                    self.client,
                    name,
                    self.asked.questions,
                    replace(setup, options=options),
                    seen=self.seen,
                    tell=self.tell,
                )
                self.outcomes.append(replace(outcome, retriever=label))
            except RequestFailed as error:
                self.failures[label] = str(error)

    def answer(self) -> None:
        """Measure answers, with each model that is asked for."""
        for label, more in self._models("answer", trained_as="triple"):
            try:
                outcome = run_answers(
                    self.client,
                    self.asked.questions,
                    batch_size=self.setup.batch_size,
                    name=label,
                    options={**self.setup.options, **more},
                    seen=self.seen,
                    tell=self.tell,
                )
                self.answers.append(outcome)
            except RequestFailed as error:
                self.failures[label] = str(error)

    def _models(self, name: str, *, trained_as: str) -> list[tuple[str, dict[str, Any]]]:
        """Label and options of each model; trained only where the service has such a model."""
        if not self.both:
            return [(name, {})]
        models = ["untrained", *(["trained"] if self.service.trained(trained_as) else [])]
        return [(f"{name}-{model}", {"model": model}) for model in models]


def _names(retriever: str) -> list[str]:
    names = list(dict.fromkeys(name for part in retriever.split(",") if (name := part.strip())))
    if not names:
        raise InvalidRequest("--retriever names no retriever.", field="retriever")
    return names


def _with_documents(asked: QuestionSet) -> QuestionSet:
    """Only the questions whose gold documents are known; the others are counted as without gold."""
    known = tuple(question for question in asked.questions if question.documents)
    if not known:
        raise SourceError(f"No question of {asked.name} tells its entities and what it describes.")
    missing = tuple(question.id for question in asked.questions if not question.documents)
    return replace(asked, questions=known, without_gold=(*asked.without_gold, *missing))


def _kinds(returns: str | None, service: Service, gold: str) -> dict[str, Any]:
    """What makes a retriever of both return what is gold."""
    if returns != "both":
        return {}
    return {"kinds": ["PASSAGE"] if gold == "documents" else [*service.triples]}


def _entities(train: Path) -> frozenset[str]:
    return frozenset().union(*(question.entities for question in read_questions(train).questions))


def _console() -> Console:
    console = Console()
    return console if console.is_terminal else Console(width=WIDTH)


def _show(report: Report) -> None:
    console = _console()
    console.print(f"{report.service.describe()}.", soft_wrap=True, highlight=False)
    if report.outcomes:
        console.print(quality_table(report))
    if report.answers:
        console.print(answer_table(report.answers))
    if timed := [(outcome.retriever, outcome.speed) for outcome in report.outcomes if outcome.speed]:
        console.print(speed_table(timed))
    for note in report.notes():
        console.print(f"Note: {note}", soft_wrap=True, highlight=False)


def _write_json(path: Path, report: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(report, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror or error}.") from error
