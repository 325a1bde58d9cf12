"""`biomolkg graph`: what is loaded, and taking it out again."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from app.commands import settings_of
from app.commands.account import progress, show

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False)


@app.callback()
def graph() -> None:
    """Say what is loaded, or remove a data set.

    Example: biomolkg graph stats
    """


@app.command()
def stats(
    context: typer.Context,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of tables.")] = False,
) -> None:
    """Print counts by kind and by source, the graph version, and every load.

    Example: biomolkg graph stats
    """
    from app.graph_access import open_graph  # noqa: PLC0415 - the driver is slow to import
    from app.overview import read_overview  # noqa: PLC0415

    with open_graph(settings_of(context)) as client:
        overview = read_overview(client)
    if as_json:
        fields = {
            "graph_version": overview.state.version,
            "loading": overview.state.loading,
            "counts": overview.counts,
            "evidence": [asdict(row) for row in overview.evidence],
            "loads": list(overview.loads),
        }
        typer.echo(json.dumps(fields, ensure_ascii=False, indent=2))
        return
    console = Console(highlight=False, soft_wrap=True)
    if overview.state.version is None and not overview.state.loading:
        console.print("The graph is empty. Load the starter graph: biomolkg load starter.")
        return
    counts = Table("what", "which", box=None, pad_edge=False)
    counts.add_column("count", justify="right")
    for what, named in overview.counts.items():
        for name, count in sorted(named.items()):
            counts.add_row(what, name, f"{count:,}")
    for row in overview.evidence:
        for what, count in (("triples", row.triples), ("passages", row.passages)):
            if count:
                counts.add_row(f"evidence of {what}", row.evidence_type, f"{count:,}")
    console.print(counts)
    for load in overview.loads:
        finished = load.get("finished") or "unfinished"
        console.print(
            f"load {load['dataset']} ({load.get('selection')}): {load['state']}, {finished}", markup=False
        )
    unfinished = " A load is under way or was interrupted; run it again." if overview.state.loading else ""
    console.print(f"Graph version {overview.state.version or 'none yet'}.{unfinished}")


@app.command()
def joins(
    context: typer.Context,
    *,
    audit: Annotated[
        Path | None,
        typer.Option(
            help="Compare them with the mappings of ChEBI, DrugBank and HGNC in this folder.",
            metavar="FOLDER",
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of lines.")] = False,
) -> None:
    """Print which things are one, by what evidence, and which joins were refused and why.

    With --audit, exit status 1 when a join is against the vocabularies and nothing explains it.

    Example: biomolkg graph joins
    """
    from app.graph_access import open_graph  # noqa: PLC0415
    from graph_loader.identity.account import read_joins  # noqa: PLC0415

    if audit is not None:
        _audit(context, audit, as_json=as_json)
        return
    with open_graph(settings_of(context)) as client:
        found = read_joins(client)
    if as_json:
        fields = [{"dataset": one.dataset, "joins": one.made, "refused": one.refused} for one in found]
        typer.echo(json.dumps({"datasets": fields}, ensure_ascii=False, indent=2))
        return
    console = Console(highlight=False, soft_wrap=True)
    for one in found:
        for made in one.made:
            first = "; ".join(made["first"])
            line = f"{one.dataset}: {made['count']:,} joined by {made['evidence']} (first: {first})"
            console.print(line, markup=False)
        for refused in one.refused:
            first = "; ".join(refused["first"])
            line = f"{one.dataset}: {refused['count']:,} refused: {refused['reason']} (first: {first})"
            console.print(line, markup=False)
    if not any(one.made or one.refused for one in found):
        console.print("Nothing was joined: each data set has things of its own.")


def _audit(context: typer.Context, folder: Path, *, as_json: bool) -> None:
    from app.graph_access import open_graph  # noqa: PLC0415
    from graph_loader.identity.audit import audit  # noqa: PLC0415

    with open_graph(settings_of(context)) as client:
        found = audit(client, folder)
    if as_json:
        typer.echo(json.dumps(asdict(found), ensure_ascii=False, indent=2))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for one in found.disagreements:
            line = f"{one.id} ({one.name}): {one.one} is {', '.join(one.says)}, not {one.other}"
            console.print(f"{line}: {one.explained or 'not explained'}", markup=False)
        console.print(
            f"{found.joined:,} joined things: {found.agreeing:,} pairs of identifiers as the tables have "
            f"them, {found.silent:,} that they do not know, {len(found.disagreements):,} otherwise, "
            f"of which {len(found.wrong):,} are not explained."
        )
    if found.wrong:
        raise typer.Exit(1)


@app.command()
def remove(
    context: typer.Context,
    dataset: Annotated[str, typer.Argument(help="Its name, as `graph stats` shows it.", metavar="DATASET")],
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the account as one JSON object.")] = False,
) -> None:
    """Remove a data set's facts, texts and words; what another data set says as well stays.

    Example: biomolkg graph remove decagon
    """
    from app.graph_access import open_graph  # noqa: PLC0415
    from graph_loader.removal import remove_dataset  # noqa: PLC0415

    settings = settings_of(context)
    with open_graph(settings) as client, progress() as report:
        ledger = remove_dataset(client, dataset, settings, report=report)
    show(ledger, as_json=as_json)
