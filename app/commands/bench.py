"""`biomolkg bench`: published benchmarks against a running service, over HTTP."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from rich.console import Console

from biomolkg.errors import InvalidRequest, RequestFailed, SourceError
from evaluation.benchmark import Outcome, Setup, run_benchmark
from evaluation.client import Patience, ServiceClient
from evaluation.questions import read_questions
from evaluation.report import Report, Service, as_json, quality_table, speed_table, write_trec
from evaluation.timing import BATCH_SIZE

WIDTH = 140
NO_GOLD = "it returns passages, and what is right in BioMol-MQA is triples: name retrievers of triples."

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


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
    url: Annotated[str, typer.Option(help="Address of the service.")] = "http://127.0.0.1:8000",
    retriever: Annotated[str, typer.Option(help="Names, separated by commas.")] = "triple,neo4j",
    model: Annotated[
        Literal["auto", "untrained", "trained"] | None, typer.Option(help="Which model the retrievers use.")
    ] = None,
    k: Annotated[int, typer.Option(min=15, help="Hits a question: the depth of MRR.")] = 100,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first questions of the file.")] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Questions in one request.")] = BATCH_SIZE,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds one answer may take.")] = 120.0,
    latency: Annotated[bool, typer.Option(help="Also measure speed.")] = True,  # noqa: FBT002  (a flag)
    json_file: Annotated[
        Path | None, typer.Option("--json", help="File for everything that was measured.")
    ] = None,
    trec: Annotated[Path | None, typer.Option(help="Folder for TREC run and qrels files.")] = None,
) -> None:
    """BioMol-MQA: hard/soft@k, recall, MRR by hops and modality, speed; the paper's rows beside."""
    names = list(dict.fromkeys(name for part in retriever.split(",") if (name := part.strip())))
    if not names:
        raise InvalidRequest("--retriever names no retriever.", field="retriever")
    asked = read_questions(questions, labels=labels, limit=limit)
    seen = _entities(train) if train else None
    setup = Setup(
        depth=k, batch_size=batch_size, latency=latency, options={} if model is None else {"model": model}
    )
    status = Console(stderr=True)
    outcomes: list[Outcome] = []
    failures: dict[str, str] = {}
    with ServiceClient(url, Patience(timeout=timeout)) as client:
        service = Service.of(client)
        status.print(f"{service.describe()}.", soft_wrap=True, highlight=False)
        for name in names:
            if service.returns(name) == "passage":
                failures[name] = NO_GOLD
                continue
            try:
                outcomes.append(
                    run_benchmark(
                        client,
                        name,
                        asked.questions,
                        setup,
                        seen=seen,
                        tell=lambda line: status.print(line, highlight=False),
                    )
                )
            except RequestFailed as error:
                failures[name] = str(error)
    report = Report(
        datetime.now(UTC).isoformat(timespec="seconds"), service, asked, setup, outcomes, failures
    )
    _show(report)
    if json_file is not None:
        _write_json(json_file, as_json(report))
    if trec is not None:
        write_trec(report, trec)
    if failures:
        raise RequestFailed(" ".join(f"{name} failed: {why}" for name, why in failures.items()))


def _entities(train: Path) -> frozenset[str]:
    return frozenset().union(*(question.entities for question in read_questions(train).questions))


def _show(report: Report) -> None:
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    console.print(f"{report.service.describe()}.", soft_wrap=True, highlight=False)
    if report.outcomes:
        console.print(quality_table(report))
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
