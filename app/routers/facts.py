"""Facts by structure: for agents that have read the question themselves."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter, Depends
from starlette.responses import Response

from app.answer_formatting import fact_fields
from app.dependencies import CurrentMetrics, CurrentSettings, CurrentView, CurrentWorkers, require_json
from app.fact_schemas import FactsAnswer, FactsRequest
from app.formatting import encode, ref_fields
from app.limits import check_count
from app.paging import read_cursor, write_cursor
from app.responses import PROBLEMS
from app.state import View
from biomolkg.errors import AmbiguousName, NotFound
from retrievers.hits import EntityRef, Filters
from retrievers.plain import FactQuery

_ANY = "any"

router = APIRouter(prefix="/v1", tags=["retrieval"], dependencies=[Depends(require_json)], responses=PROBLEMS)


@router.post("/facts", response_model=FactsAnswer, summary="Look facts up by their ends and relation")
async def look_up(
    body: FactsRequest,
    settings: CurrentSettings,
    view: CurrentView,
    workers: CurrentWorkers,
    metrics: CurrentMetrics,
) -> Response:
    """The facts between two things, of one thing, of a relation, or of the members of a class.

    A name is read as in a question. One that means several things is refused, with what it may mean.
    """
    begun = time.perf_counter()
    check_count(body.limit, field="limit", limit=settings.max_page, noun="facts")
    for field in ("kinds", "evidence", "sources"):
        check_count(len(getattr(body, field)), field=field, limit=settings.max_filter_values, noun="values")
    fields = await workers.compute(_page, view, body)
    metrics.questions.labels("facts").inc()
    took_ms = round((time.perf_counter() - begun) * 1000, 2)
    return Response(
        encode({"graph_version": view.graph_version, **fields, "took_ms": took_ms}),
        media_type="application/json",
    )


def _page(view: View, body: FactsRequest) -> dict[str, Any]:
    asked = body.model_dump(exclude={"cursor", "limit"})
    offset = read_cursor(body.cursor, view.graph_version, asked)
    ends = {
        "subject": _resolved(view, "subject", body.subject),
        "object": _resolved(view, "object", body.object),
        "class": _resolved(view, "class", body.class_),
    }
    query = FactQuery(
        subject=_asked(body.subject, ends["subject"]),
        relation=None if body.relation is None or body.relation.casefold() == _ANY else body.relation,
        object=_asked(body.object, ends["object"]),
        kinds=frozenset(body.kinds),
        evidence=frozenset(body.evidence),
        class_=None if body.class_ is None else ends["class"][0].name,
        offset=offset,
        limit=body.limit,
    )
    page = view.reader.facts(query, filters=Filters(sources=frozenset(body.sources)))
    after = offset + len(page.facts)
    more = page.facts and after < page.total
    return {
        "resolved": {name: [ref_fields(entity) for entity in found] for name, found in ends.items()},
        "facts": [fact_fields(fact) for fact in page.facts],
        "total": page.total,
        "cursor": write_cursor(view.graph_version, asked, after) if more else None,
        "notes": list(page.notes),
    }


def _resolved(view: View, field: str, name: str | None) -> tuple[EntityRef, ...]:
    """What a name stands for. Raises NotFound or AmbiguousName."""
    if name is None:
        return ()
    found = view.reader.resolve(name, kind="class" if field == "class" else None)
    if not found.entities:
        what = "class of drugs" if field == "class" else "thing"
        raise NotFound(
            f"{field}: the graph has no {what} {name!r}.", remedy="Search /v1/entities?q=… for it."
        )
    if found.ambiguous:
        raise AmbiguousName(
            f"{field}: {name!r} means {len(found.entities)} things.",
            field=field,
            candidates=[f"{it.id}: {it.preferred_name}" for it in found.entities],
        )
    return found.entities


def _asked(name: str | None, found: tuple[EntityRef, ...]) -> str | None:
    """The id of one thing; a family or class by its name."""
    return found[0].id if len(found) == 1 and found[0].label != "DrugClass" else name
