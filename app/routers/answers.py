"""Questions in, answers with the facts behind them out; no language model is asked."""

from __future__ import annotations

import time
from functools import partial

from fastapi import APIRouter, Depends
from starlette.responses import Response

from app.answer_schemas import AnswerRequest, AnswersAnswer
from app.answering import AnswerPage
from app.catalogue import pick
from app.dependencies import (
    CurrentLive,
    CurrentMetrics,
    CurrentSettings,
    CurrentView,
    CurrentWorkers,
    require_json,
)
from app.formatting import encode
from app.limits import shared_out
from app.paging import read_cursor
from app.responses import PROBLEMS
from app.routers.retrieval import check_request
from biomolkg.errors import DatabaseUnavailable, InvalidRequest
from retrievers.hits import Filters

router = APIRouter(prefix="/v1", tags=["retrieval"], dependencies=[Depends(require_json)], responses=PROBLEMS)


@router.post("/answer", response_model=AnswersAnswer, summary="Answer one question or many")
async def answer(
    body: AnswerRequest,
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
    metrics: CurrentMetrics,
) -> Response:
    """A question that names things is read, and answered by all the facts that it asks for, or not at all.

    A question that describes things is answered by the best triples. No language model is asked.
    Where `answer` is null, `reason` and `notes` say why.
    """
    begun = time.perf_counter()
    check_request(body, settings)
    if body.cursor is not None and body.question is None:
        raise InvalidRequest(
            "A cursor is of one question.", field="cursor", remedy="Give `question`, not `questions`."
        )
    _, model = pick(view, "triple", model=body.model)
    asked = body.model_dump(exclude={"cursor", "k"})
    page = AnswerPage(view, model, body.k, read_cursor(body.cursor, view.graph_version, asked), asked)
    questions = (body.question,) if body.question is not None else tuple(body.questions or ())
    filters = Filters(frozenset(body.kinds), frozenset(body.sources), frozenset(body.entities))
    unknown = [entity for entity in dict.fromkeys(body.entities) if entity not in view.entity_ids]
    notes = [f"entities: {entity} is not in the graph." for entity in unknown]
    chunks = shared_out(questions, settings.batch_questions, workers.threads)
    try:
        pieces = await workers.compute_all(
            [partial(page.answers, chunk, filters, notes) for chunk in chunks], questions=len(questions)
        )
    except DatabaseUnavailable:
        live.alarm.set()
        raise
    metrics.questions.labels("answer").inc(len(questions))
    fields = {
        "graph_version": view.graph_version,
        "model": model,
        "results": [result for piece in pieces for result in piece],
        "took_ms": round((time.perf_counter() - begun) * 1000, 2),
    }
    return Response(encode(fields), media_type="application/json")
