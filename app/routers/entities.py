"""Entities: found, read, and walked from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Query
from starlette.responses import Response

from app.dependencies import CurrentLive, CurrentSettings, CurrentView, CurrentWorkers
from app.formatting import encode, ref_fields, triple_fields, worth_fields
from app.graph_state import read_graph_state
from app.hit_details import HitDetails
from app.limits import Workers, check_count
from app.responses import READ_PROBLEMS
from app.schemas import EntitiesAnswer, EntityAnswer, NeighborsAnswer, NeighborsQuery, SearchQuery
from app.state import LiveState, View
from biomolkg.errors import DatabaseUnavailable, NotFound
from cypher.client import Client
from retrievers.entities import (
    EntityPage,
    FoundEntity,
    Neighbor,
    NeighborPage,
    get_entity,
    neighbors,
    search_entities,
)
from retrievers.hits import EntityRef, TripleHit

T = TypeVar("T")
LONGEST_ID = 400
_READINGS = 3  # until one is of a single version

router = APIRouter(prefix="/v1/entities", tags=["entities"], responses=READ_PROBLEMS)
# Ids have slashes: this route fits every path below it, and has to be the last one of them.
last = APIRouter(prefix="/v1/entities", tags=["entities"], responses=READ_PROBLEMS)


@router.get("", response_model=EntitiesAnswer, summary="Search or list entities")
async def search(
    query: Annotated[SearchQuery, Query()],
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """Entities by words of a name, synonym or gene symbol, by id or by cross-reference; exact matches first.

    Every word has to occur; the last one may be the beginning of one. Without `q` all are listed by id.
    """
    check_count(query.limit, field="limit", limit=settings.max_page, noun="rows")
    page, version = await read_graph(workers, live, versioned(view, lambda: find(view.client, query)))
    body = {
        "graph_version": version,
        "total": page.total,
        "entities": [
            {**ref_fields(item.entity), "score": item.score, "exact": item.exact} for item in page.items
        ],
        "limit": query.limit,
        "offset": query.offset,
    }
    return Response(encode(body), media_type="application/json")


@router.get("/{entity_id:path}/neighbors", response_model=NeighborsAnswer, summary="The facts of one entity")
async def walk(
    entity_id: str,
    query: Annotated[NeighborsQuery, Query()],
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """The facts that have the entity as an end, ordered by kind, relation and the other end's id."""
    check_count(query.limit, field="limit", limit=settings.max_page, noun="rows")

    def work() -> tuple[NeighborPage, HitDetails]:
        page = neighbors(
            view.client,
            checked(entity_id),
            kinds=query.kinds,
            relation=query.relation,
            direction=query.direction,
            limit=query.limit,
            offset=query.offset,
        )
        triples = [triple_of(page.of, item) for item in page.items]
        return page, HitDetails(view, triples, frozenset(query.include))

    (page, more), version = await read_graph(workers, live, versioned(view, work))
    body = {
        "graph_version": version,
        "entity": ref_fields(page.of, more),
        "total": page.total,
        "neighbors": [neighbor_fields(page.of, item, more) for item in page.items],
        "limit": query.limit,
        "offset": query.offset,
    }
    return Response(encode(body), media_type="application/json")


@last.get("/{entity_id:path}", response_model=EntityAnswer, summary="Read one entity")
async def read(entity_id: str, live: CurrentLive, view: CurrentView, workers: CurrentWorkers) -> Response:
    """What the graph says of an entity itself; a cross-reference is as good as its id."""
    found = versioned(view, lambda: get_entity(view.client, checked(entity_id)))
    record, version = await read_graph(workers, live, found)
    fields = {name: value for name, value in asdict(record).items() if value is not None}
    return Response(encode({"graph_version": version, "entity": fields}), media_type="application/json")


def find(client: Client, query: SearchQuery) -> EntityPage:
    """The page of `query`; what reads like an id is looked up as one first."""
    if ":" in query.q and not query.offset:
        try:
            record = get_entity(client, query.q.strip())
        except NotFound:
            pass
        else:
            if query.label in {None, record.label}:
                found = FoundEntity(record.reference, 1.0, exact=True)
                return EntityPage(1, (found,))
    return search_entities(
        client, query.q if query.q.strip() else None, query.label, query.limit, query.offset
    )


def triple_of(of: EntityRef, neighbor: Neighbor) -> TripleHit:
    """A neighbor as the triple that it is the other end of."""
    head, tail = (of, neighbor.entity) if neighbor.direction == "out" else (neighbor.entity, of)
    return TripleHit(head, neighbor.relation, tail, neighbor.kind)


def neighbor_fields(of: EntityRef, neighbor: Neighbor, more: HitDetails) -> dict[str, Any]:
    """A neighbor as `app.schemas.NeighborOut`."""
    triple = triple_of(of, neighbor)
    fields: dict[str, Any] = {
        "triple": triple_fields(triple, more),
        "source": neighbor.source,
        **worth_fields(more.worth(triple, neighbor.source)),
    }
    properties = more.properties(triple)
    return fields if properties is None else fields | {"properties": properties}


def checked(entity_id: str) -> str:
    """The id. Raises NotFound for one that is longer than any id."""
    if len(entity_id) > LONGEST_ID:
        raise NotFound(f"There is no entity {entity_id[:40]!r}…: no id is that long.")
    return entity_id


def versioned(view: View, work: Callable[[], T]) -> Callable[[], tuple[T, str]]:
    """Work that reads the database, with the graph version that it read.

    After a load that is a newer one than the view's, until the view is of it too.
    """

    def read() -> tuple[T, str]:
        result = work()
        version = read_graph_state(view.client).version
        for _ in range(_READINGS):
            if version == view.graph_version:
                break
            before, result = version, work()
            version = read_graph_state(view.client).version
            if version == before:
                break
        return result, version or view.graph_version

    return read


async def read_graph(workers: Workers, live: LiveState, work: Callable[[], T]) -> T:
    """What `work` reads from the database; a lost connection is raised, and looked into at once."""
    try:
        return await workers.read(work)
    except DatabaseUnavailable:
        live.alarm.set()
        raise
