"""`biomolkg doctor`: every part of the installation tried, each fault with its remedy."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from app.commands import settings_of

MARKS = {"ok": ("ok  ", "green"), "note": ("note", "yellow"), "fault": ("FAIL", "red")}

app = typer.Typer(
    help="Say what is wrong with this installation, with remedies.", pretty_exceptions_enable=False
)


@app.command()
def doctor(
    context: typer.Context,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False,
) -> None:
    """Try every part; the exit code is 1 when one is broken.

    Example: biomolkg doctor --json
    """
    from app.diagnosis import examine  # noqa: PLC0415  (models are loaded by it)

    findings = examine(settings_of(context))
    faults = sum(finding.state == "fault" for finding in findings)
    if as_json:
        typer.echo(json.dumps([finding.as_dict() for finding in findings], indent=2, ensure_ascii=False))
    else:
        console = Console(highlight=False, soft_wrap=True)
        for finding in findings:
            mark, colour = MARKS[finding.state]
            console.print(Text.assemble((mark, colour), f"  {finding.subject}: {finding.detail}"))
            if finding.remedy:
                console.print(Text(f"      {finding.remedy}"))
        console.print("Everything works." if not faults else f"{faults} part(s) are broken.")
    if faults:
        raise typer.Exit(1)
