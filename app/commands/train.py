"""`biomolkg train`: train retrievers on questions, and say how good they are on others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from app.commands import settings_of
from biomolkg.errors import InvalidRequest, NotReady

if TYPE_CHECKING:
    from retrievers.artifacts import Artifact

app = typer.Typer(help="Train retrievers on questions.", pretty_exceptions_enable=False)


@app.command()
def train(
    context: typer.Context,
    questions: Annotated[
        list[Path] | None,
        typer.Option(
            help="A .csv, .parquet or .jsonl of questions with gold triples; may be repeated. "
            "Default: questions made from the graph.",
            metavar="FILE",
        ),
    ] = None,
    retriever: Annotated[
        list[str] | None, typer.Option(help="What to train; may be repeated. Default: all that can be.")
    ] = None,
    tokens: Annotated[
        list[Path] | None,
        typer.Option(
            help="A file of typed tokens that `mentions` learns from beside the graph's names; "
            "may be repeated.",
            metavar="FILE",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is drawn.")] = 0,
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what was measured as one JSON object.")
    ] = False,
) -> None:
    """Train retrievers for the graph as it is; a running service takes the new models over by itself.

    Example: biomolkg train --questions train.csv --retriever triple
    """
    from app.commands.account import progress  # noqa: PLC0415 - each is slow to import
    from app.graph_access import open_graph  # noqa: PLC0415
    from app.training import TRAINERS, train_mentions  # noqa: PLC0415
    from biomolkg.extras import require_extra  # noqa: PLC0415
    from biomolkg.token_files import read_token_files  # noqa: PLC0415
    from retrievers.artifacts import save_artifact  # noqa: PLC0415
    from retrievers.made_questions import make_questions  # noqa: PLC0415
    from retrievers.snapshot import read_snapshot  # noqa: PLC0415
    from retrievers.tagger.tagger import NAME as MENTIONS  # noqa: PLC0415
    from retrievers.training_questions import read_training_questions  # noqa: PLC0415

    settings = settings_of(context)
    names = list(dict.fromkeys(retriever or TRAINERS))
    unknown = [name for name in names if name not in TRAINERS]
    if unknown:
        raise InvalidRequest(
            f"The retriever {unknown[0]!r} cannot be trained.",
            field="retriever",
            remedy=f"These can: {', '.join(TRAINERS)}.",
        )
    if tokens and MENTIONS not in names:
        raise InvalidRequest(
            f"Nothing that is trained here reads the tokens of {tokens[0]}.",
            field="tokens",
            remedy=f"Add `--retriever {MENTIONS}`.",
        )
    require_extra("train", "Training")
    # What is wrong with a file is said before anything is trained.
    read_token_files(tokens or ())
    trainers = {**TRAINERS, MENTIONS: train_mentions(tokens or ())}
    asked = read_training_questions(questions) if questions else None
    with open_graph(settings) as client:
        snapshot = read_snapshot(client)
    if not len(snapshot.heads):
        raise NotReady("The graph has no triples to train on.", remedy="Load a source with `biomolkg load`.")
    if asked is None:
        asked = make_questions(snapshot, seed=seed)
    artifacts: list[Artifact] = []
    with progress() as report:
        for name in names:
            artifact = trainers[name](snapshot, asked, settings, seed, report)
            path = save_artifact(settings.home, artifact)
            artifacts.append(artifact)
            if not as_json:
                Console(highlight=False, soft_wrap=True).print(f"{name}: written to {path}", markup=False)
    show(artifacts, left_out=asked.left_out, as_json=as_json)


def show(artifacts: list[Artifact], *, left_out: object, as_json: bool) -> None:
    """Print what was measured on standard output."""
    if as_json:
        fields = {
            artifact.name: {
                "graph_version": artifact.training.graph_version,
                "questions": artifact.training.questions,
                "origin": artifact.training.origin,
                "sha256": artifact.training.sha256,
                "seed": artifact.training.seed,
                "date": artifact.training.date,
                "figures": dict(artifact.training.figures),
            }
            for artifact in artifacts
        }
        typer.echo(json.dumps({"models": fields, "left_out": left_out}, ensure_ascii=False, indent=2))
        return
    console = Console(highlight=False, soft_wrap=True)
    for artifact in artifacts:
        console.print(artifact.training.account, markup=False)
        table = Table("measured", box=None, pad_edge=False)
        table.add_column(artifact.name, justify="right")
        for name, value in artifact.training.figures.items():
            shown = f"{value:,.0f}" if float(value).is_integer() else f"{value:.3f}"
            table.add_row(name.replace("_", " "), shown)
        console.print(table)
    if left_out:
        console.print(f"Left out of the questions: {left_out}", markup=False)
