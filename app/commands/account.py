"""The progress of a load and the account of it, for a person or a script."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

if TYPE_CHECKING:
    from graph_loader.ledger import Ledger
    from graph_loader.writer import Report

AsJson = Annotated[bool, typer.Option("--json", help="Print the ledger as one JSON object.")]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Say what would be read, joined, written and removed; write nothing."),
]


@contextmanager
def progress(did: str = "written") -> Iterator[Report]:
    """A bar for each table when a person watches the terminal, else a line when a table is `did`."""
    console = Console(stderr=True, highlight=False, soft_wrap=True)
    if not console.is_terminal:
        yield (
            lambda table, done, total: console.print(f"{table}: {total:,} {did}") if done == total else None
        )
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bars:
        tasks = {}

        def report(table: str, done: int, total: int) -> None:
            if table not in tasks:
                # A source that is still being read does not say how long it is.
                tasks[table] = bars.add_task(table.replace("_", " "), total=total or None)
            bars.update(tasks[table], completed=done)

        yield report


def show(ledger: Ledger, *, as_json: bool) -> None:
    """Print the ledger on standard output."""
    if as_json:
        typer.echo(json.dumps(ledger.as_dict(), ensure_ascii=False, indent=2))
        return
    console = Console(highlight=False, soft_wrap=True)
    table = Table("table", box=None, pad_edge=False)
    done = ("to write", "unchanged", "to remove") if ledger.dry_run else ("written", "unchanged", "removed")
    for name in ("read", *done, "rows/s"):
        table.add_column(name, justify="right")
    for row in ledger.tables:
        rate = (
            f"{(row.written + row.removed) / row.seconds:,.0f}"
            if (row.written or row.removed) and row.seconds
            else ""
        )
        table.add_row(
            row.table.replace("_", " "),
            *(f"{count:,}" for count in (row.read, row.written, row.unchanged, row.removed)),
            rate,
        )
    console.print(table)
    for join in ledger.joins:
        first = f" (first: {'; '.join(join.examples)})" if join.examples else ""
        console.print(f"joined by {join.evidence}: {join.count:,}{first}", markup=False)
    if not ledger.omissions and ledger.content:
        console.print("Nothing was skipped.")
    for item in ledger.omissions:
        what = "taken, but" if item.taken else "skipped:"
        first = "; ".join(item.offenders)
        console.print(f"{item.file}: {item.count:,} {what} {item.reason} (first: {first})", markup=False)
    if ledger.dry_run:
        console.print("A dry run: nothing was written.")
    elif not ledger.changed:
        console.print("The graph agreed with the source already; nothing was written.")
    rows = sum(row.read for row in ledger.tables)
    if not ledger.content:
        console.print(
            f"{ledger.dataset} is removed: graph version {ledger.graph_version}, {ledger.seconds:.1f} s."
        )
        return
    would_be = "would be " if ledger.dry_run else ""
    console.print(
        f"{ledger.dataset} ({ledger.selection}): graph version {would_be}{ledger.graph_version}, "
        f"{rows:,} rows in {ledger.seconds:.1f} s ({rows / ledger.seconds:,.0f} rows/s)."
    )
