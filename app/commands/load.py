"""`biomolkg load`: put a source into the graph and print the account of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from app.commands import load_tables, settings_of
from app.commands.account import AsJson, DryRun, progress, show
from biomolkg.errors import SourceError

app = typer.Typer(
    help="Load a source into the graph.\n\nExample: biomolkg load starter",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)
load_tables.add_to(app)


@app.command()
def biomolmqa(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="The folder of BioMol-MQA as published.", metavar="DIR")],
    *,
    graph: Annotated[
        Literal["full", "question"],
        typer.Option(help="Every interaction, or only the 1,083 that the questions were made from."),
    ] = "full",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Load BioMol-MQA: drugs, proteins, their interactions, and texts.

    Example: biomolkg load biomolmqa ../shared/data/biomolmqa
    """
    from app.graph_access import open_graph  # noqa: PLC0415 - the driver and RDKit are slow to import
    from graph_loader.loading import load_biomolmqa  # noqa: PLC0415
    from graph_loader.sources.biomolmqa import check_layout  # noqa: PLC0415
    from graph_loader.vocabulary.loading import with_vocabulary  # noqa: PLC0415

    settings = settings_of(context)
    check_layout(folder, graph)
    with open_graph(settings) as client, progress() as report:
        ledger = load_biomolmqa(client, folder, settings, selection=graph, report=report, dry_run=dry_run)
        ledger = with_vocabulary(client, ledger, settings, report=report)
    show(ledger, as_json=as_json)


@app.command()
def starter(
    context: typer.Context,
    *,
    pathways: Annotated[
        bool, typer.Option(help="With Reactome's human pathways and reactions, or without.")
    ] = True,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Load the bundled starter graph: the facts of BioMol-MQA and Reactome without any texts.

    Example: biomolkg load starter
    """
    from app.graph_access import open_graph  # noqa: PLC0415
    from graph_loader.loading import load_starter, load_starter_pathways  # noqa: PLC0415
    from graph_loader.vocabulary.loading import with_vocabulary  # noqa: PLC0415

    settings = settings_of(context)
    with open_graph(settings) as client, progress() as report:
        ledger = load_starter(client, settings, report=report, dry_run=dry_run)
        if pathways:
            ledger = ledger.followed_by(
                load_starter_pathways(client, settings, report=report, dry_run=dry_run)
            )
        ledger = with_vocabulary(client, ledger, settings, report=report)
    show(ledger, as_json=as_json)


@app.command()
def vocabulary(
    context: typer.Context,
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Load the bundled names and classes of drugs and proteins; other loads do so by themselves.

    Example: biomolkg load vocabulary
    """
    from app.graph_access import open_graph  # noqa: PLC0415
    from graph_loader.vocabulary.loading import load_vocabulary  # noqa: PLC0415

    settings = settings_of(context)
    with open_graph(settings) as client, progress() as report:
        ledger = load_vocabulary(client, settings, report=report, dry_run=dry_run)
    show(ledger, as_json=as_json)


@app.command()
def spl(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="A label's XML, a folder or a zip of labels.", metavar="PATH")],
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Load FDA labels as Structured Product Labeling, and join them to the drugs of the graph.

    Example: biomolkg load spl ../shared/data/spl
    """
    _labels(context, path, "spl", dry_run=dry_run, as_json=as_json)


@app.command()
def openfda(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="openFDA's JSON, or a folder or zip of it.", metavar="PATH")],
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Load FDA labels as openFDA's JSON, and join them to the drugs of the graph.

    Example: biomolkg load openfda ../shared/data/label_text
    """
    _labels(context, path, "openfda", dry_run=dry_run, as_json=as_json)


@app.command()
def reactome(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="The folder of Reactome's downloads.", metavar="DIR")],
    *,
    species: Annotated[
        list[str] | None,
        typer.Option(help='Take only pathways of it, as "Homo sapiens"; may be repeated.'),
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Load Reactome: pathways, reactions and molecules, joined to the proteins of the graph.

    Example: biomolkg load reactome ../shared/data/reactome
    """
    from app.graph_access import open_graph  # noqa: PLC0415
    from graph_loader.loading import load_reactome  # noqa: PLC0415
    from graph_loader.vocabulary.loading import with_vocabulary  # noqa: PLC0415

    settings = settings_of(context)
    _refuse_missing(folder)
    with open_graph(settings) as client, progress() as report:
        ledger = load_reactome(
            client, folder, settings, species=species or (), report=report, dry_run=dry_run
        )
        ledger = with_vocabulary(client, ledger, settings, report=report)
    show(ledger, as_json=as_json)


def _labels(
    context: typer.Context, path: Path, dataset: Literal["spl", "openfda"], *, dry_run: bool, as_json: bool
) -> None:
    from app.graph_access import open_graph  # noqa: PLC0415
    from graph_loader.loading import load_labels  # noqa: PLC0415
    from graph_loader.vocabulary.loading import with_vocabulary  # noqa: PLC0415

    settings = settings_of(context)
    _refuse_missing(path)
    with open_graph(settings) as client, progress() as report:
        ledger = load_labels(client, path, settings, dataset=dataset, report=report, dry_run=dry_run)
        ledger = with_vocabulary(client, ledger, settings, report=report)
    show(ledger, as_json=as_json)


def _refuse_missing(path: Path) -> None:
    """Raise SourceError before a database is started for a path that is not there."""
    if not path.exists():
        raise SourceError(f"{path} does not exist.", remedy="Give the path of the downloaded files.")
