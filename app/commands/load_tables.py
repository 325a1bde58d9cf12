"""`biomolkg load csv|kgx|decagon|stitch|names`: graphs and facts that come as delimited text."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands import settings_of
from app.commands.account import AsJson, DryRun, progress, show
from biomolkg.errors import SourceError

if TYPE_CHECKING:
    from graph_loader.table_sources import TableSource

# graph_loader is imported in the commands: the driver and RDKit are slow to import.
DatasetName = Annotated[
    str | None,
    typer.Option(
        "--name", help="Name of the data set; default: the mapping's, or the folder's.", metavar="NAME"
    ),
]


class Dangling(StrEnum):
    """What becomes of edges to nodes that a source does not list."""

    SKIP = "skip"
    KEEP = "keep"


def add_to(app: typer.Typer) -> None:
    """Add the commands of this module."""
    for command in (csv, kgx, decagon, stitch, names):
        app.command()(command)


def csv(
    context: typer.Context,
    path: Annotated[
        Path, typer.Argument(help="A folder of CSV files with neo4j-admin headers, or one.", metavar="PATH")
    ],
    *,
    mapping: Annotated[
        Path | None,
        typer.Option(help="TOML that says what columns, labels and types mean.", metavar="FILE"),
    ] = None,
    name: DatasetName = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Load any graph: CSV with the headers of neo4j-admin import, as BioCypher writes it.

    Example: biomolkg load csv mygraph --mapping mygraph/mapping.toml
    """
    from graph_loader.sources.csv_graph import read_mapping  # noqa: PLC0415
    from graph_loader.table_sources import csv_source  # noqa: PLC0415

    said = None if mapping is None else read_mapping(mapping)
    _load(context, csv_source(path, said, name=name), dry_run=dry_run, as_json=as_json)


def kgx(
    context: typer.Context,
    path: Annotated[
        Path, typer.Argument(help="A folder with nodes.tsv and edges.tsv, or .jsonl.", metavar="PATH")
    ],
    *,
    dangling: Annotated[
        Dangling, typer.Option(help="Edges to nodes that are not listed: leave out, or keep.")
    ] = Dangling.SKIP,
    name: DatasetName = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Load a KGX graph: nodes and edges of the Biolink model as TSV or JSON Lines.

    Example: biomolkg load kgx kg --name kg
    """
    from graph_loader.table_sources import kgx_source  # noqa: PLC0415

    _load(context, kgx_source(path, name=name, dangling=dangling.value), dry_run=dry_run, as_json=as_json)


def decagon(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="The folder of Decagon's tables, or one.", metavar="PATH")],
    *,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Load Decagon: side effects of drugs and pairs of drugs, targets, interactions of proteins.

    Example: biomolkg load decagon ../shared/data/decagon
    """
    from graph_loader.table_sources import decagon_source  # noqa: PLC0415

    _load(context, decagon_source(path), dry_run=dry_run, as_json=as_json)


def stitch(
    context: typer.Context,
    path: Annotated[Path, typer.Argument(help="STITCH's actions or protein-chemical links.", metavar="FILE")],
    *,
    min_score: Annotated[int, typer.Option(min=0, max=1000, help="Leave out lower scores, of 1,000.")] = 0,
    taxon: Annotated[int, typer.Option(min=0, help="Proteins of this species only; 0: of all.")] = 9606,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Load STITCH: actions of chemicals on proteins, or scored links between them.

    Example: biomolkg load stitch 9606.actions.v5.0.tsv.gz --min-score 700
    """
    from graph_loader.table_sources import stitch_source  # noqa: PLC0415

    source = stitch_source(path, min_score=min_score, taxon=taxon or None)
    _load(context, source, dry_run=dry_run, as_json=as_json)


def names(
    context: typer.Context,
    path: Annotated[
        Path, typer.Argument(help="The folder of DrugCentral, or a table of names.", metavar="PATH")
    ],
    *,
    name: DatasetName = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Load names of drugs that the graph has: each drug is found by these names as well.

    Example: biomolkg load names ../shared/data/drugcentral
    """
    from graph_loader.table_sources import names_source  # noqa: PLC0415

    _load(context, names_source(path, name=name), dry_run=dry_run, as_json=as_json)


def _load(context: typer.Context, source: TableSource, *, dry_run: bool, as_json: bool) -> None:
    from app.graph_access import open_graph  # noqa: PLC0415
    from graph_loader.reading import Reading  # noqa: PLC0415
    from graph_loader.table_loading import load_tables  # noqa: PLC0415
    from graph_loader.vocabulary.loading import with_vocabulary  # noqa: PLC0415

    settings = settings_of(context)
    # The first record is read before a database is started, so that a wrong path is told at once.
    reading = Reading()
    if next(iter(source.read(reading)), None) is None:
        reasons = "; ".join(
            f"{item.reason} ({item.count:,}, first {item.offenders[0]})" for item in reading.skipped.listed()
        )
        raise SourceError(
            f"{source.origin} has no row that can be loaded{': ' if reasons else ''}{reasons}.",
            remedy="Check the path, the columns and the options.",
        )
    with open_graph(settings) as client, progress() as report:
        ledger = load_tables(client, source, settings, report=report, dry_run=dry_run)
        ledger = with_vocabulary(client, ledger, settings, report=report)
    show(ledger, as_json=as_json)
