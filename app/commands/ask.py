"""`biomolkg ask`: one question, its answer with the facts behind it."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated, Any

import httpx
import typer
from rich.console import Console

from app.commands import settings_of
from app.commands.answer_view import show_answer, show_hits
from biomolkg.errors import InvalidRequest, NotFound, NotReady, RequestFailed
from biomolkg.settings import Settings

TIMEOUT = 90.0
_WIDE = 160


class Kind(StrEnum):
    """What can be asked for."""

    DDI = "DDI"
    DPI = "DPI"
    MOLECULAR = "MOLECULAR"
    ACTION = "ACTION"
    FACT = "FACT"
    REACTOME = "REACTOME"
    HAS_ROLE = "HAS_ROLE"
    PASSAGE = "PASSAGE"


app = typer.Typer(help="Ask one question from the terminal.", pretty_exceptions_enable=False)


@app.command()
def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(help="A question in plain words.")],
    url: Annotated[
        str | None,
        typer.Option(help="Address of a service; default: the one of the settings, else none is needed."),
    ] = None,
    retriever: Annotated[
        str | None, typer.Option(help="Show what this retriever ranks, instead of an answer.")
    ] = None,
    k: Annotated[int, typer.Option("--k", "-k", min=1, max=100, help="Items or hits.")] = 10,
    kinds: Annotated[
        list[Kind] | None,
        typer.Option("--kind", help="Kind of triple, as often as wanted; default: what the question needs."),
    ] = None,
    *,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show the terms of each score; of `triple`, if of none named.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
) -> None:
    """Ask a running service; without one, the graph is opened for this one question.

    Example: biomolkg ask "What happens when Warfarin and Fentanyl are combined?"
    """
    settings = settings_of(context)
    asked = [kind.value for kind in kinds or ()]
    if explain and retriever is None:
        retriever = "triple"
    answer = _over_http(
        url or f"http://{settings.host}:{settings.port}",
        "/v1/answer" if retriever is None else f"/v1/retrieve/{retriever}",
        {"question": question, "k": k, "kinds": asked} | ({"explain": True} if explain else {}),
        required=url is not None,
    )
    if answer is None:
        answer = _in_process(settings, retriever, question, k=k, kinds=asked, explain=explain)
    if as_json:
        typer.echo(json.dumps(answer, ensure_ascii=False, indent=2))
        return
    console = Console(highlight=False)
    if not sys.stdout.isatty():
        console.width = max(console.width, _WIDE)
    if retriever is None:
        show_answer(console, answer)
    else:
        show_hits(console, answer, explain=explain)


def _over_http(url: str, path: str, body: dict[str, Any], *, required: bool) -> dict[str, Any] | None:
    """The service's answer; None when none listens and none is required."""
    try:
        with httpx.Client(base_url=url, timeout=TIMEOUT, trust_env=required) as client:
            response = client.post(path, json=body)
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        if not required:
            return None
        raise RequestFailed(
            f"No service answers at {url}.", remedy="Start one with `biomolkg serve`, or leave --url out."
        ) from error
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise RequestFailed(
            f"The service at {url} did not answer: {error or type(error).__name__}."
        ) from error
    try:
        answer = response.json()
    except ValueError:
        answer = None
    if not isinstance(answer, dict) or not ({"results", "detail"} & set(answer)):
        raise RequestFailed(
            f"What answers at {url} is no BioMolKG service.", remedy="Give its address with --url."
        )
    if response.is_success:
        return answer
    kinds = {404: NotFound, 422: InvalidRequest, 503: NotReady}
    raise kinds.get(response.status_code, RequestFailed)(str(answer["detail"]))


def _in_process(
    settings: Settings,
    retriever: str | None,
    question: str,
    *,
    k: int,
    kinds: Sequence[str],
    explain: bool,
) -> dict[str, Any]:
    """Open the graph, answer, close it again."""
    from app.once import answer_once  # noqa: PLC0415  (models are loaded only when no service runs)

    return answer_once(settings, retriever, question, k=k, kinds=kinds, explain=explain)
