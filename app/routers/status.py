"""How the service stands, and what is loaded."""

from __future__ import annotations

import platform

from fastapi import APIRouter
from starlette.responses import JSONResponse, Response

from app.dependencies import CurrentLive, CurrentMetrics, CurrentWorkers
from app.schemas import Health, Readiness, Version
from biomolkg import __version__

router = APIRouter(tags=["status"])


@router.get("/healthz", summary="The process answers")
async def health() -> Health:
    """200 from the moment that the service listens."""
    return Health(status="ok")


@router.get(
    "/readyz",
    response_model=Readiness,
    summary="Questions can be answered",
    responses={503: {"model": Readiness, "description": "Not yet; `reason` says why."}},
)
async def ready(live: CurrentLive, metrics: CurrentMetrics, workers: CurrentWorkers) -> Response:
    """200 when the database answers, its indexes are online and there is a snapshot of its graph.

    503 also when every worker thread has been at one piece of work for longer than a request may take.

    While a source is being loaded, the rest of the starter graph among them, and while its snapshot is being
    built, the answer stays 200 with `loading`: questions are answered from the graph as it was before.
    """
    condition, view = live.condition, live.view
    stuck = workers.stuck if live.ready else None
    is_ready = live.ready and stuck is None
    metrics.ready.set(is_ready)
    body = Readiness(
        ready=is_ready,
        reason=stuck or condition.reason,
        stage="stuck" if stuck else condition.stage,
        graph_version=None if view is None else view.graph_version,
        loading=condition.loading,
        notes=[] if view is None else list(view.model_faults.values()),
    )
    headers = {} if is_ready else {"Retry-After": "2"}
    return JSONResponse(body.model_dump(), status_code=200 if is_ready else 503, headers=headers)


@router.get("/version", summary="What runs here")
async def version(live: CurrentLive) -> Version:
    """The versions of the service, of its API and of what it stands on."""
    view = live.view
    return Version(
        name="biomolkg",
        version=__version__,
        api="v1",
        python=platform.python_version(),
        neo4j=live.neo4j,
        browser=live.browser,
        graph_version=None if view is None else view.graph_version,
    )


@router.get("/metrics", include_in_schema=True, summary="Prometheus metrics", response_class=Response)
async def show_metrics(live: CurrentLive, metrics: CurrentMetrics, workers: CurrentWorkers) -> Response:
    """Counters and gauges in Prometheus's text format."""
    metrics.ready.set(live.ready and workers.stuck is None)
    return Response(metrics.text(), media_type="text/plain; version=0.0.4; charset=utf-8")
