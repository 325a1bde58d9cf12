"""Drug labels: found by product or drug, and read by section."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from starlette.responses import Response

from app.dependencies import CurrentLive, CurrentSettings, CurrentView, CurrentWorkers
from app.formatting import encode, ref_fields
from app.label_schemas import LabelAnswer, LabelsAnswer, LabelsQuery, SectionQuery
from app.limits import check_count
from app.responses import READ_PROBLEMS
from app.routers.entities import checked, read_graph
from retrievers.labels import DrugLabel, LabelSection, get_label, search_labels

router = APIRouter(prefix="/v1/labels", tags=["passages"], responses=READ_PROBLEMS)


@router.get("", response_model=LabelsAnswer, summary="Search or list drug labels")
async def search(
    query: Annotated[LabelsQuery, Query()],
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """Labels by words of a product, a substance or any name of their drugs; without `q` all of them."""
    check_count(query.limit, field="limit", limit=settings.max_page, noun="rows")
    page = await read_graph(
        workers,
        live,
        lambda: search_labels(view.client, query.q, limit=query.limit, offset=query.offset),
    )
    body = {
        "graph_version": view.graph_version,
        "total": page.total,
        "labels": [{**_fields(label), "exact": exact} for label, exact in page.items],
        "limit": query.limit,
        "offset": query.offset,
    }
    return Response(encode(body), media_type="application/json")


@router.get("/{label_id:path}", response_model=LabelAnswer, summary="Read one drug label")
async def read(
    label_id: str,
    query: Annotated[SectionQuery, Query()],
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """A label by its id or set id: its products, date and drugs, and its sections with their passages."""
    label = await read_graph(
        workers, live, lambda: get_label(view.client, checked(label_id), section=query.section)
    )
    sections = [_section_fields(section) for section in label.sections]
    body = {"graph_version": view.graph_version, "label": {**_fields(label), "sections": sections}}
    return Response(encode(body), media_type="application/json")


def _fields(label: DrugLabel) -> dict[str, Any]:
    drugs = [ref_fields(drug) for drug in label.drugs]
    return {"id": label.id, "product": label.product, **label.stated, "drugs": drugs}


def _section_fields(section: LabelSection) -> dict[str, Any]:
    return {
        "section": section.section,
        "section_title": section.section_title,
        "topic": section.topic,
        "title": section.title,
        "boxed": section.boxed,
        "passages": [
            {
                "id": record.passage.id,
                "text": record.passage.text,
                "source": record.source,
                "position": record.position,
            }
            for record in section.passages
        ],
    }
