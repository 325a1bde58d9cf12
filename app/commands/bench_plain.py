"""`biomolkg bench plain`: plain questions made from the loaded graph, asked of a service."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from app.commands import settings_of
from biomolkg.errors import InvalidRequest, SourceError
from cypher.client import connect
from evaluation.client import Patience, ServiceClient
from evaluation.plain import (
    Judged,
    Question,
    ask_answers,
    ask_retriever,
    make_questions,
    read_graph,
    read_names,
    read_questions,
    read_wordings,
    write_questions,
)
from evaluation.plain.making import PER_KIND
from evaluation.plain.reporting import as_record, confidence_table, errors, kind_table, summary
from evaluation.report import Service

ANSWER = "answer"
WIDTH = 140
BATCH_SIZE = 16


def plain(
    context: typer.Context,
    url: Annotated[str | None, typer.Option(help="Address of the service; default: the settings'.")] = None,
    wordings: Annotated[
        str, typer.Option("--set", help="Set of wordings, or a file of one that ends in .toml.")
    ] = "set1",
    limit: Annotated[int, typer.Option(min=1, help="Questions of each kind.")] = PER_KIND,
    seed: Annotated[int, typer.Option(help="The same seed makes the same questions.")] = 0,
    kinds: Annotated[
        list[str] | None, typer.Option("--kind", help="Only this kind; as often as wanted.")
    ] = None,
    retriever: Annotated[
        str, typer.Option(help="Also measure the hits of these retrievers; names separated by commas.")
    ] = "",
    questions: Annotated[
        Path | None,
        typer.Option(help="Questions to ask instead: a file of --write, or of its form.", exists=True),
    ] = None,
    write: Annotated[Path | None, typer.Option(help="File for the questions with what is right.")] = None,
    errors_file: Annotated[
        Path | None, typer.Option("--errors", help="File for what is not right, one JSON object a line.")
    ] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="File for everything that was measured.")
    ] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Questions in one request.")] = BATCH_SIZE,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds one answer may take.")] = 120.0,
    *,
    ask: Annotated[bool, typer.Option(help="Ask the service; --no-ask only makes the questions.")] = True,
) -> None:
    """Plain questions of fifty kinds, made from the graph: right, partly, honest or wrong.

    The facts are read from the Neo4j of the settings, which must be that of the service.

    Example: biomolkg bench plain --set set1 --errors wrong.jsonl
    """
    settings = settings_of(context)
    status = Console(stderr=True)
    if not ask and write is None:
        raise InvalidRequest("--no-ask makes questions for a file, and --write names none.", field="write")
    if questions is not None:
        asked: Sequence[Question] = read_questions(questions)
    else:
        chosen = read_wordings(wordings)
        with connect(settings) as database:
            graph = read_graph(database)
        status.print("The facts are read.", highlight=False)
        asked = make_questions(
            graph,
            read_names(graph),
            chosen,
            kinds=kinds or (),
            per_kind=limit,
            seed=seed,
            tell=lambda line: status.print(line, highlight=False),
        ).questions
    if write is not None:
        write_questions(write, asked)
        status.print(f"{len(asked)} questions are in {write}.", highlight=False)
    if not ask:
        return
    address = url or f"http://{settings.host}:{settings.port}"
    with ServiceClient(address, Patience(timeout=timeout)) as client:
        service = Service.of(client)
        status.print(f"{service.describe()}.", soft_wrap=True, highlight=False)
        runs = _run(client, asked, retriever, batch_size, status)
    _show(runs)
    if errors_file is not None:
        rows = [{"asked": name, **row} for name, judged in runs.items() for row in errors(judged)]
        _write(errors_file, "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in rows))
    if json_file is not None:
        record = {
            "benchmark": "plain",
            "service": asdict(service),
            "set": None if questions else wordings,
            "seed": seed,
            "runs": {name: as_record(judged) for name, judged in runs.items()},
        }
        _write(json_file, json.dumps(record, indent=2, ensure_ascii=False) + "\n")


def _run(
    client: ServiceClient, asked: Sequence[Question], retriever: str, batch_size: int, status: Console
) -> dict[str, list[Judged]]:
    """What each asked says, with a bar for a person and a line a tenth otherwise."""
    names = [ANSWER, *dict.fromkeys(name for part in retriever.split(",") if (name := part.strip()))]
    runs: dict[str, list[Judged]] = {}
    with Progress(console=status, transient=True, disable=not status.is_terminal) as progress:
        for name in names:
            task = progress.add_task(name, total=len(asked))

            def advance(done: int, name: str = name, task: Any = task) -> None:
                progress.update(task, completed=done)
                tenth = max(1, len(asked) // 10)
                if not status.is_terminal and done % tenth == 0:
                    status.print(f"{name}: {done} of {len(asked)}", highlight=False)

            runs[name] = _judged(client, name, asked, batch_size, advance)
    return runs


def _judged(
    client: ServiceClient,
    name: str,
    asked: Sequence[Question],
    batch_size: int,
    tell: Callable[[int], None],
) -> list[Judged]:
    if name == ANSWER:
        return ask_answers(client, asked, batch_size=batch_size, tell=tell)
    return ask_retriever(client, name, asked, batch_size=batch_size, tell=tell)


def _show(runs: dict[str, list[Judged]]) -> None:
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    for name, judged in runs.items():
        console.print(kind_table(name, judged))
        if name == ANSWER:
            console.print(confidence_table(name, judged))
        console.print(f"{name}: {summary(judged)}.", soft_wrap=True, highlight=False)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror or error}.") from error
