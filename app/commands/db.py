"""`biomolkg db`: start, stop and look at the managed Neo4j."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from app.commands import settings_of
from biomolkg.errors import ConfigurationError, DatabaseUnavailable
from biomolkg.settings import Settings
from cypher.fetch import fetch_server
from cypher.progress import Terminal
from cypher.server import ManagedServer, ServerStatus

app = typer.Typer(
    help="Start, stop and look at the managed Neo4j.\n\nExample: biomolkg db status", no_args_is_help=True
)

_EXPORT_SECONDS = 6 * 3_600.0

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of lines.")]


@app.command()
def start(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Start Neo4j in the background; it runs until `biomolkg db stop`.

    Example: biomolkg db start
    """
    settings = settings_of(context)
    _refuse_given(settings, "start")
    server = ManagedServer(settings, Terminal())
    server.start(detached=True)
    if not as_json:
        typer.echo("Neo4j is running." if server.started_here else "Neo4j was running already.")
    _tell(server.status(), as_json=as_json)


@app.command()
def stop(context: typer.Context) -> None:
    """Stop Neo4j; its data stays.

    Example: biomolkg db stop
    """
    settings = settings_of(context)
    _refuse_given(settings, "stop")
    stopped = ManagedServer(settings, Terminal()).stop()
    typer.echo("Neo4j has stopped." if stopped else "Neo4j was not running.")


@app.command()
def status(context: typer.Context, *, as_json: AsJson = False) -> None:
    """Print whether Neo4j runs, its addresses, and the file that holds its password.

    Example: biomolkg db status --json
    """
    _tell(_status(settings_of(context)), as_json=as_json)


@app.command()
def browser(
    context: typer.Context,
    *,
    show: Annotated[bool, typer.Option("--open", help="Open the address in the web browser.")] = False,
) -> None:
    """Print the address of Neo4j Browser.

    Example: biomolkg db browser --open
    """
    found = _status(settings_of(context))
    if found.http is None:
        raise DatabaseUnavailable(
            "No managed Neo4j runs, so there is no Neo4j Browser.", remedy="Start it: biomolkg db start."
        )
    typer.echo(found.http)
    typer.echo(f"Log in as {found.user}; the password is in {found.password_file}.", err=True)
    if show:
        typer.launch(found.http)


@app.command()
def fetch(context: typer.Context) -> None:
    """Fetch Neo4j now, or repair a damaged one, without starting it.

    Example: biomolkg db fetch
    """
    lib = fetch_server(settings_of(context), Terminal())
    typer.echo(f"Neo4j is complete in {lib}.")


@app.command("export")
def export_(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.", metavar="DIR")],
    *,
    as_json: AsJson = False,
) -> None:
    """Write the whole graph as CSV files that neo4j-admin, `db import` and `load csv` read.

    Example: biomolkg db export graph-2026
    """
    from app.graph_access import open_graph  # noqa: PLC0415  (the driver takes a second to load)
    from graph_loader.graph_export import export_graph  # noqa: PLC0415

    settings = settings_of(context)
    # One transaction reads everything, so that it is one state of the graph.
    patient = settings.model_copy(update={"neo4j_transaction_timeout": _EXPORT_SECONDS})
    reporter = Terminal()
    with open_graph(patient) as client:
        written = export_graph(client, folder, tell=reporter.say)
    if as_json:
        typer.echo(json.dumps(asdict(written), default=str))
        return
    typer.echo(
        f"{written.nodes:,} nodes and {written.relationships:,} relationships of graph version "
        f"{written.graph_version} are in {written.folder}: {written.files} files, "
        f"{written.size / 1e6:,.1f} MB."
    )


@app.command("import")
def import_(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="What `biomolkg db export` wrote.", metavar="DIR")],
    *,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the database that is there.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Put an export into the managed Neo4j while it does not run: the fastest way to fill it.

    Example: biomolkg db import graph-2026
    """
    from graph_loader.graph_import import import_graph  # noqa: PLC0415

    settings = settings_of(context)
    _refuse_given(settings, "import into")
    found = import_graph(folder, settings, overwrite=overwrite, reporter=Terminal())
    if as_json:
        typer.echo(json.dumps({**asdict(found), "rate": found.rate}))
        return
    typer.echo(
        f"{found.nodes:,} nodes and {found.relationships:,} relationships of graph version "
        f"{found.graph_version} are imported: {found.rate:,.0f} a second by neo4j-admin, "
        f"{found.seconds:.0f} s with indexes."
    )


def _status(settings: Settings) -> ServerStatus:
    """The managed server's, or that of the Neo4j given by URI."""
    if settings.neo4j_uri is None:
        return ManagedServer(settings).status()
    from cypher.client import connect  # noqa: PLC0415  (the driver takes a second to load)

    try:
        connect(settings).close()
        running = True
    except DatabaseUnavailable:
        running = False
    return ServerStatus(
        running=running,
        bolt=settings.neo4j_uri,
        http=None,
        user=settings.neo4j_user,
        password_file=None,
        version=None,
        pid=None,
    )


def _tell(found: ServerStatus, *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(asdict(found), default=str))
        return
    if not found.running and found.bolt is None:
        typer.echo("Neo4j is not running. Start it: biomolkg db start")
    elif not found.running:
        typer.echo("Neo4j does not answer at the address in BIOMOLKG_NEO4J_URI.")
    lines = {
        "Version": found.version,
        "Bolt": found.bolt,
        "Browser": found.http,
        "User": found.user,
        "Password file": found.password_file,
        "Process": found.pid,
    }
    for name, value in lines.items():
        if value is not None:
            typer.echo(f"{name + ':':15}{value}")


def _refuse_given(settings: Settings, verb: str) -> None:
    """A Neo4j given by its address is its owner's to start and stop."""
    if settings.neo4j_uri is not None:
        raise ConfigurationError(
            f"BioMolKG can {verb} only the Neo4j that it manages, not the one at {settings.neo4j_uri}.",
            remedy=f"Unset BIOMOLKG_NEO4J_URI to {verb} the managed one.",
        )
