"""Questions in, answers with the triples behind them out; no language model is asked."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter, Depends
from starlette.responses import Response

from app.answer_schemas import AnswerRequest, AnswersAnswer
from app.catalogue import pick
from app.dependencies import CurrentMetrics, CurrentSettings, CurrentView, CurrentWorkers, require_json
from app.formatting import encode, hit_fields, ref_fields
from app.limits import shared_out
from app.responses import PROBLEMS
from app.routers.retrieval import check_request
from retrievers.answers import Answer, Answerer
from retrievers.hits import Filters

router = APIRouter(prefix="/v1", tags=["retrieval"], dependencies=[Depends(require_json)], responses=PROBLEMS)


@router.post("/answer", response_model=AnswersAnswer, summary="Answer one question or many")
async def answer(
    body: AnswerRequest,
    settings: CurrentSettings,
    view: CurrentView,
    workers: CurrentWorkers,
    metrics: CurrentMetrics,
) -> Response:
    """The entity or the relation that is asked for, by the best triples, which are cited.

    No language model is asked. Without evidence, or with too little confidence, `answer` is null.
    """
    begun = time.perf_counter()
    check_request(body, settings)
    _, model = pick(view, "triple", model=body.model)
    questions = (body.question,) if body.question is not None else tuple(body.questions or ())
    filters = Filters(frozenset(body.kinds), frozenset(body.sources), frozenset(body.entities))
    unknown = [entity for entity in dict.fromkeys(body.entities) if entity not in view.entity_ids]
    notes = [f"entities: {entity} is not in the graph." for entity in unknown]
    chunks = shared_out(questions, settings.batch_questions, workers.threads)
    pieces = await workers.compute_all(
        [partial(_answers, view.answerers[model], chunk, body.k, filters, notes) for chunk in chunks],
        questions=len(questions),
    )
    metrics.questions.labels("answer").inc(len(questions))
    fields = {
        "graph_version": view.graph_version,
        "model": model,
        "results": [result for piece in pieces for result in piece],
        "took_ms": round((time.perf_counter() - begun) * 1000, 2),
    }
    return Response(encode(fields), media_type="application/json")


def _answers(
    answerer: Answerer, questions: Sequence[str], k: int, filters: Filters, notes: Sequence[str]
) -> list[dict[str, Any]]:
    return [_fields(found, notes) for found in answerer.answer(questions, k=k, filters=filters)]


def _fields(found: Answer, notes: Sequence[str]) -> dict[str, Any]:
    """An answer as `app.answer_schemas.AnsweredOut`."""
    return {
        "question": found.question,
        "answer": found.answer,
        "kind": found.kind,
        "confidence": round(found.confidence, 6),
        "abstained": found.answer is None,
        "candidates": [
            {
                "rank": rank,
                "answer": candidate.text,
                "entity": None if candidate.entity is None else ref_fields(candidate.entity),
                "score": round(candidate.score, 6),
                "triples": [
                    {name: value for name, value in hit_fields(hit).items() if name != "kind"}
                    for hit in candidate.triples
                ],
            }
            for rank, candidate in enumerate(found.candidates, start=1)
        ],
        "notes": [*found.notes, *notes],
    }
