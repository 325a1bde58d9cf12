"""Passages: what a hit or a citation names, and what is written of an entity."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from app.dependencies import CurrentLive, CurrentSettings, CurrentView, CurrentWorkers
from app.formatting import encode, passage_fields, ref_fields
from app.label_schemas import PassageAnswer, PassagesAnswer, PassagesQuery
from app.limits import check_count
from app.responses import READ_PROBLEMS
from app.routers.entities import checked, read_graph
from retrievers.labels import PassageRecord, entity_passages, get_passage

router = APIRouter(prefix="/v1", tags=["passages"], responses=READ_PROBLEMS)


@router.get("/passages/{passage_id:path}", response_model=PassageAnswer, summary="Read one passage")
async def read_passage(
    passage_id: str, live: CurrentLive, view: CurrentView, workers: CurrentWorkers
) -> Response:
    """A passage by the id that hits and citations show, with where it comes from."""
    record = await read_graph(workers, live, lambda: get_passage(view.client, checked(passage_id)))
    body = {"graph_version": view.graph_version, "passage": cited_fields(record)}
    return Response(encode(body), media_type="application/json")


@router.get(
    "/entities/{entity_id:path}/passages", response_model=PassagesAnswer, summary="The passages of one entity"
)
async def list_passages(
    entity_id: str,
    query: Annotated[PassagesQuery, Query()],
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """The passages that describe an entity, then those of its drug labels, document by document."""
    check_count(query.limit, field="limit", limit=settings.max_page, noun="rows")
    page = await read_graph(
        workers,
        live,
        lambda: entity_passages(
            view.client,
            checked(entity_id),
            section=query.section,
            limit=query.limit,
            offset=query.offset,
        ),
    )
    body = {
        "graph_version": view.graph_version,
        "entity": ref_fields(page.of),
        "total": page.total,
        "passages": [cited_fields(record) for record in page.items],
        "limit": query.limit,
        "offset": query.offset,
    }
    return Response(encode(body), media_type="application/json")


def cited_fields(record: PassageRecord) -> dict[str, Any]:
    """A passage as `app.label_schemas.CitedPassageOut`."""
    return {
        **passage_fields(record.passage, record.source),
        "source": record.source,
        "document": record.document,
        "position": record.position,
    }
