"""What is loaded."""

from __future__ import annotations

from dataclasses import asdict

from fastapi import APIRouter
from starlette.responses import Response

from app.dependencies import CurrentLive, CurrentView, CurrentWorkers
from app.formatting import encode
from app.overview import read_overview
from app.responses import READ_PROBLEMS
from app.schemas import GraphAnswer
from biomolkg.errors import DatabaseUnavailable

router = APIRouter(prefix="/v1", tags=["graph"], responses=READ_PROBLEMS)


@router.get("/graph", response_model=GraphAnswer, summary="What is loaded")
async def show_graph(live: CurrentLive, view: CurrentView, workers: CurrentWorkers) -> Response:
    """The graph version, counts by label, kind and data set, and every load."""
    try:
        overview = await workers.read(read_overview, view.client)
    except DatabaseUnavailable:
        live.alarm.set()
        raise
    body = {
        "graph_version": overview.state.version or view.graph_version,
        "loading": overview.state.loading,
        "counts": overview.counts,
        "evidence": [asdict(row) for row in overview.evidence],
        "loads": overview.loads,
    }
    return Response(encode(body), media_type="application/json")
