"""What routes ask for, as annotated aliases."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

from app.limits import Workers
from app.metrics import Metrics
from app.state import LiveState, View
from biomolkg.errors import InvalidRequest
from biomolkg.settings import Settings


def _settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


def _live(request: Request) -> LiveState:
    live: LiveState = request.app.state.live
    return live


def _workers(request: Request) -> Workers:
    workers: Workers = request.app.state.workers
    return workers


def _metrics(request: Request) -> Metrics:
    metrics: Metrics = request.app.state.metrics
    return metrics


def _view(request: Request) -> View:
    return _live(request).current()


async def require_json(request: Request) -> None:
    """Refuse a body that is not declared as JSON with 415."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    json_like = kind == "application/json" or (kind.startswith("application/") and kind.endswith("+json"))
    if not json_like and await request.body():
        raise HTTPException(
            415, f"The body must be declared as application/json, not as {kind or 'nothing at all'}."
        )


async def refuse_unknown_query(request: Request) -> None:
    """Refuse query parameters on a route that takes none; elsewhere the model of the query does."""
    route = request.scope["route"]
    if request.query_params and not route.dependant.query_params:
        name = next(iter(request.query_params))
        raise InvalidRequest(
            f"There is no query parameter {name!r}.", field=name, remedy="This route takes none."
        )


CurrentSettings = Annotated[Settings, Depends(_settings)]
CurrentLive = Annotated[LiveState, Depends(_live)]
CurrentWorkers = Annotated[Workers, Depends(_workers)]
CurrentMetrics = Annotated[Metrics, Depends(_metrics)]
CurrentView = Annotated[View, Depends(_view)]
