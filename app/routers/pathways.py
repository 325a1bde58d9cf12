"""Reactome: pathways, what takes part in them, and reactions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query
from starlette.responses import Response

from app.dependencies import CurrentLive, CurrentSettings, CurrentView, CurrentWorkers
from app.formatting import encode, ref_fields
from app.limits import Workers, check_count
from app.pathway_schemas import (
    EventsAnswer,
    EventsQuery,
    ParticipantsAnswer,
    ParticipantsQuery,
    PathwayAnswer,
    ReactionAnswer,
)
from app.responses import READ_PROBLEMS
from app.state import LiveState, View
from biomolkg.errors import DatabaseUnavailable
from biomolkg.settings import Settings
from retrievers.pathways import find_events, get_pathway, get_reaction, pathway_participants

T = TypeVar("T")

router = APIRouter(prefix="/v1", tags=["pathways"], responses=READ_PROBLEMS)


@router.get("/pathways", response_model=EventsAnswer, summary="Search or list pathways")
async def find_pathways(
    query: Annotated[EventsQuery, Query()],
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """Pathways by words of a name or by stable id; exact matches first. Without `q` all are listed by id."""
    return await _found(query, "Pathway", settings, live, view, workers)


@router.get("/reactions", response_model=EventsAnswer, summary="Search or list reactions")
async def find_reactions(
    query: Annotated[EventsQuery, Query()],
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """Reactions by words of a name or by stable id; exact matches first. Without `q` all are listed by id."""
    return await _found(query, "Reaction", settings, live, view, workers)


@router.get("/pathways/{pathway_id}", response_model=PathwayAnswer, summary="Read one pathway")
async def read_pathway(
    pathway_id: str, live: CurrentLive, view: CurrentView, workers: CurrentWorkers
) -> Response:
    """A pathway of Reactome by stable id, with or without version: its place, its own reactions."""
    record = await _read(workers, live, lambda: get_pathway(view.client, pathway_id))
    return _answer(view, {"pathway": {"label": "Pathway", "preferred_name": record.name, **asdict(record)}})


@router.get(
    "/pathways/{pathway_id}/participants",
    response_model=ParticipantsAnswer,
    summary="What takes part in a pathway",
)
async def list_participants(
    pathway_id: str,
    query: Annotated[ParticipantsQuery, Query()],
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """Proteins, chemicals and sequences in a pathway and those below it; those in its own reactions first."""
    check_count(query.limit, field="limit", limit=settings.max_page, noun="rows")
    page = await _read(
        workers,
        live,
        lambda: pathway_participants(
            view.client,
            pathway_id,
            direct=query.direct,
            label=query.label,
            limit=query.limit,
            offset=query.offset,
        ),
    )
    body = {
        "pathway": asdict(page.of),
        "total": page.total,
        "participants": [asdict(item) for item in page.items],
        "limit": query.limit,
        "offset": query.offset,
    }
    return _answer(view, body)


@router.get("/reactions/{reaction_id}", response_model=ReactionAnswer, summary="Read one reaction")
async def read_reaction(
    reaction_id: str, live: CurrentLive, view: CurrentView, workers: CurrentWorkers
) -> Response:
    """A reaction of Reactome by stable id, with or without version, with all that takes part in it."""
    record = await _read(workers, live, lambda: get_reaction(view.client, reaction_id))
    return _answer(view, {"reaction": {"label": "Reaction", "preferred_name": record.name, **asdict(record)}})


async def _found(
    query: EventsQuery, label: str, settings: Settings, live: LiveState, view: View, workers: Workers
) -> Response:
    check_count(query.limit, field="limit", limit=settings.max_page, noun="rows")
    page = await _read(
        workers, live, lambda: find_events(view.client, query.q, label, query.limit, query.offset)
    )
    body = {
        "total": page.total,
        "events": [
            {**ref_fields(item.entity), "score": item.score, "exact": item.exact} for item in page.items
        ],
        "limit": query.limit,
        "offset": query.offset,
    }
    return _answer(view, body)


def _answer(view: View, body: dict[str, Any]) -> Response:
    return Response(encode({"graph_version": view.graph_version, **body}), media_type="application/json")


async def _read(workers: Workers, live: LiveState, work: Callable[[], T]) -> T:
    try:
        return await workers.read(work)
    except DatabaseUnavailable:
        live.alarm.set()
        raise
