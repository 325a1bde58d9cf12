"""`biomolkg texts`: prepare texts before they are loaded."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from app.commands import settings_of

app = typer.Typer(
    help="Prepare texts before they are loaded.\n\nExample: biomolkg texts rewrite texts harder",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


@app.callback()
def texts() -> None:
    """Prepare texts before they are loaded.

    Example: biomolkg texts rewrite texts harder
    """


@app.command()
def rewrite(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(help="Folder of one text a file (.txt).", metavar="DIR")],
    target: Annotated[Path, typer.Argument(help="Folder for the rewritten texts.", metavar="OUT")],
    *,
    min_chars: Annotated[int, typer.Option(min=1, help="Leave shorter texts as they are.")] = 1_000,
    limit: Annotated[int | None, typer.Option(min=1, help="Texts to ask for in this run.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the account as one JSON object.")] = False,
) -> None:
    """Let the language model of the settings make long texts harder to read, with the fog index told.

    Example: BIOMOLKG_LLM_BASE_URL=http://127.0.0.1:11434/v1 BIOMOLKG_LLM_MODEL=llama3 biomolkg texts
    rewrite texts harder
    """
    from app.commands.account import progress  # noqa: PLC0415
    from biomolkg.language_model import LanguageModel  # noqa: PLC0415
    from graph_loader.rewriting import ACCOUNT, rewrite_texts  # noqa: PLC0415

    with LanguageModel(settings_of(context)) as model, progress("done") as report:
        accounts = rewrite_texts(
            folder,
            target,
            model,
            min_chars=min_chars,
            limit=limit,
            report=lambda done, total: report("texts", done, total),
        )
    rewritten = [account for account in accounts if account.status == "rewritten"]
    means = [
        sum(values) / len(rewritten) if rewritten else 0.0
        for values in (
            [account.fog_before for account in rewritten],
            [account.fog_after for account in rewritten],
        )
    ]
    if as_json:
        fields = {
            "files": [asdict(account) for account in accounts],
            "rewritten": len(rewritten),
            "fog_before": round(means[0], 2),
            "fog_after": round(means[1], 2),
        }
        typer.echo(json.dumps(fields, ensure_ascii=False, indent=2))
        return
    typer.echo(
        f"{len(rewritten)} of {len(accounts)} texts are rewritten in {target}; mean Gunning fog "
        f"{means[0]:.1f} before, {means[1]:.1f} after."
    )
    reasons = Counter((account.status, account.reason) for account in accounts if account.reason)
    for (status, reason), count in sorted(reasons.items()):
        typer.echo(f"{count} {status}: {reason}")
    typer.echo(f"{target / ACCOUNT} accounts for each.")
