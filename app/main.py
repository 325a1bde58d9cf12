"""The application: `create_app(settings)` gives a service that finds or starts its Neo4j by itself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import Depends, FastAPI

from app import openapi, pages, problems
from app.dependencies import refuse_unknown_query
from app.limits import Workers
from app.metrics import Metrics
from app.middleware import Intake
from app.routers import (
    answers,
    entities,
    facts,
    graph,
    labels,
    molecules,
    passages,
    pathways,
    retrieval,
    retrievers,
    status,
)
from app.state import LiveState
from app.upkeep import Host, Upkeep
from biomolkg import __version__
from biomolkg.settings import Settings

DESCRIPTION = """Questions in plain words in; ranked, attributed evidence of a biomedical knowledge graph out.

Errors are `application/problem+json`. Every response carries `X-Request-ID`; every answer the
`graph_version` that it was read from."""


def create_app(settings: Settings, host: Host | None = None) -> FastAPI:
    """The service; `host` is told what happens to it."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        workers = Workers(settings, live.database_fault)
        metrics.watch(workers.gate)
        upkeep = Upkeep(settings, live, metrics, host or Host())
        app.state.workers = workers
        upkeep.start()
        try:
            yield
        finally:
            workers.close()
            await upkeep.stop()

    live, metrics = LiveState(), Metrics()
    app = FastAPI(
        title="BioMolKG",
        version=__version__,
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.settings, app.state.live, app.state.metrics = settings, live, metrics
    app.add_middleware(Intake, settings=settings, metrics=metrics)
    problems.install(app)
    for router in (
        retrieval.router,
        retrievers.router,
        # Before the entities, whose ids may have slashes.
        passages.router,
        labels.router,
        entities.router,
        molecules.router,
        graph.router,
        pathways.router,
    ):
        app.include_router(router, dependencies=[Depends(refuse_unknown_query)])
    for router in (entities.last, answers.router, facts.router):
        app.include_router(router, dependencies=[Depends(refuse_unknown_query)])
    for router in (status.router, pages.router):
        app.include_router(router)
    pages.install_docs(app)
    openapi.install(app, settings)
    return app
