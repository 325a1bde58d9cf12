"""Which retrievers there are."""

from __future__ import annotations

from typing import Literal, cast

from fastapi import APIRouter

from app.catalogue import DESCRIPTIONS, is_ready, training_of
from app.dependencies import CurrentView
from app.responses import READ_PROBLEMS
from app.schemas import RetrieverOut, RetrieversAnswer

router = APIRouter(prefix="/v1", tags=["retrieval"], responses=READ_PROBLEMS)


@router.get("/retrievers", summary="List the retrievers")
async def list_retrievers(view: CurrentView) -> RetrieversAnswer:
    """What each returns, whether it is ready, and how it was trained."""
    return RetrieversAnswer(
        graph_version=view.graph_version,
        retrievers=[
            RetrieverOut(
                name=name,
                returns=cast("Literal['triple', 'passage', 'both']", retriever.returns),
                description=DESCRIPTIONS.get(name, ""),
                ready=is_ready(view, name),
                trained=training_of(view, name).trained,
                training=training_of(view, name).account,
            )
            for name, retriever in view.retrievers.items()
        ],
    )
