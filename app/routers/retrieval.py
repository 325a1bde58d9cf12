"""Questions in, ranked hits out."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import dataclass
from functools import partial

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response, StreamingResponse

from app.answer_schemas import AnswerRequest
from app.catalogue import pick
from app.dependencies import (
    CurrentLive,
    CurrentMetrics,
    CurrentSettings,
    CurrentView,
    CurrentWorkers,
    require_json,
)
from app.formatting import answer_bytes, encode, line_bytes, mention_fields, result_bytes, unlinked_fields
from app.hit_details import HitDetails
from app.limits import Workers, check_count, check_text, shared_out
from app.responses import PROBLEMS
from app.schemas import MentionsAnswer, MentionsRequest, RetrieveAnswer, RetrieveRequest
from app.state import LiveState, View
from biomolkg.errors import BioMolKGError, DatabaseUnavailable, InvalidRequest, ModelError
from biomolkg.settings import Settings
from retrievers.entities import id_forms
from retrievers.hits import PASSAGE_KIND, Filters, Result, Retriever
from retrievers.tagger.tagger import NAME as MENTIONS

STREAM = "application/x-ndjson"
# Small enough that the first line comes soon, large enough that the encoder works in batches.
STREAM_QUESTIONS = 16

router = APIRouter(prefix="/v1", tags=["retrieval"], dependencies=[Depends(require_json)], responses=PROBLEMS)


@router.post(
    "/retrieve/{retriever}",
    response_model=RetrieveAnswer,
    summary="Ask one question or many",
    responses={200: {"content": {STREAM: {"schema": {"type": "string"}}}, "description": "The results."}},
)
async def retrieve(
    retriever: str,
    body: RetrieveRequest,
    request: Request,
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
    metrics: CurrentMetrics,
) -> Response:
    """Rank evidence for each question.

    Lists answer in the order asked. With `Accept: application/x-ndjson` each result is a line
    of its own, sent as soon as it is there.
    """
    begun = time.perf_counter()
    check_request(body, settings)
    asked = _Asked.of(body, view, *pick(view, retriever, model=body.model))
    counted = metrics.questions.labels(retriever)
    if wants_stream(request.headers.get("accept", "")):
        chunks = _chunks(asked.questions, STREAM_QUESTIONS)
        # The first piece is done before the status is sent: an overload or a broken database is a problem.
        first = await _answer(asked, chunks[0], workers, live)
        lines = _lines(asked, first, chunks[1:], workers, live)
        counted.inc(len(asked.questions))
        return StreamingResponse(lines, media_type=STREAM)
    chunks = shared_out(asked.questions, settings.batch_questions, workers.threads)
    results = await _answer_all(asked, chunks, workers, live)
    counted.inc(len(asked.questions))
    took_ms = (time.perf_counter() - begun) * 1000
    return Response(
        answer_bytes(retriever, view.graph_version, results, took_ms, model=asked.model),
        media_type="application/json",
    )


@router.post("/mentions", response_model=MentionsAnswer, summary="Find the entities that a text names")
async def find_mentions(
    body: MentionsRequest, settings: CurrentSettings, view: CurrentView, workers: CurrentWorkers
) -> Response:
    """Names and synonyms of entities, whatever their case, hyphens, accents or Greek letters.

    With a trained tagger misspelt names too, and chemicals, diseases and proteins that the graph
    does not have.
    """
    check_text(body.text, field="text", limit=settings.max_text_chars)
    recogniser = None if body.model == "untrained" else view.recogniser
    if body.model == "trained" and recogniser is None:
        raise ModelError(
            view.model_faults.get(MENTIONS, "No tagger of names is trained in this installation."),
            remedy=f"Run `biomolkg train --retriever {MENTIONS}`, or leave `model` out.",
        )
    if recogniser is None:
        mentions = [mention_fields(item) for item in await workers.compute(view.gazetteer.find, body.text)]
    else:
        found = await workers.compute(recogniser.recognise, body.text)
        mentions = [
            *(mention_fields(item) for item in found.mentions),
            *(unlinked_fields(item) for item in found.unlinked),
        ]
        mentions.sort(key=lambda item: int(item["start"]))
    fields = {"graph_version": view.graph_version, "mentions": mentions}
    return Response(encode(fields), media_type="application/json")


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request that is fit to be answered, and the view that answers all of it."""

    view: View
    retriever: Retriever
    model: str
    questions: tuple[str, ...]
    k: int
    filters: Filters
    explain: bool
    include: frozenset[str]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, body: RetrieveRequest, view: View, retriever: Retriever, model: str) -> _Asked:
        questions = (body.question,) if body.question is not None else tuple(body.questions or ())
        kinds = frozenset(body.kinds)
        if retriever.returns == "passage":
            kinds -= {PASSAGE_KIND}
        elif retriever.returns == "triple" and PASSAGE_KIND in kinds:
            raise InvalidRequest(
                f"{retriever.name} returns triples, no passages.",
                field="kinds",
                remedy="Ask hybrid, bm25 or dense, or leave PASSAGE out.",
            )
        if retriever.returns == "triple" and body.per_entity is not None:
            raise InvalidRequest(
                f"{retriever.name} returns triples, no passages.",
                field="per_entity",
                remedy="Ask hybrid, bm25 or dense, or leave per_entity out.",
            )
        entities = [known_id(entity, view.entity_ids) for entity in dict.fromkeys(body.entities)]
        unknown = [entity for entity in entities if entity not in view.entity_ids]
        return cls(
            view=view,
            retriever=retriever,
            model=model,
            questions=questions,
            k=body.k,
            filters=Filters(
                frozenset(kinds),
                frozenset(body.sources),
                frozenset(entities),
                per_entity=body.per_entity,
                evidence=frozenset(body.evidence),
            ),
            explain=body.explain,
            include=frozenset(body.include),
            notes=tuple(f"entities: {entity} is not in the graph." for entity in unknown),
        )

    def answer(self, questions: Sequence[str]) -> list[bytes]:
        """The results of `questions` as JSON."""
        results = self.retriever.retrieve(questions, k=self.k, filters=self.filters, explain=self.explain)
        triples = [hit.triple for result in results for hit in result.hits if hit.triple is not None]
        more = HitDetails(self.view, triples, self.include)
        return [result_bytes(self._noted(result), more) for result in results]

    def _noted(self, result: Result) -> Result:
        if not self.notes:
            return result
        return Result(result.question, result.hits, result.mentions, (*result.notes, *self.notes))


def known_id(identifier: str, known: Collection[str]) -> str:
    """The id of an entity that is meant, whatever the case of its prefix; as it is given if there is none."""
    return next((form for form in id_forms(identifier) if form in known), identifier)


def check_request(body: RetrieveRequest | AnswerRequest, settings: Settings) -> None:
    """Raise InvalidRequest when not one of question and questions is given, or something is over a limit."""
    questions = body.questions or []
    if (body.question is None) == (body.questions is None):
        raise InvalidRequest("Give exactly one of question and questions.", field="question")
    check_count(len(questions), field="questions", limit=settings.max_questions, noun="questions")
    check_count(body.k, field="k", limit=settings.max_k, noun="hits")
    if body.question is not None:
        check_text(body.question, field="question", limit=settings.max_question_chars)
    for index, question in enumerate(questions):
        check_text(question, field=f"questions[{index}]", limit=settings.max_question_chars)
    for field in ("sources", "entities", "kinds"):
        check_count(len(getattr(body, field)), field=field, limit=settings.max_filter_values, noun="values")


def wants_stream(accept: str) -> bool:
    """Whether an Accept header asks for lines."""
    return any(part.partition(";")[0].strip().lower() == STREAM for part in accept.split(","))


def _chunks(questions: Sequence[str], size: int) -> list[Sequence[str]]:
    return [questions[at : at + size] for at in range(0, len(questions), size)]


async def _answer(asked: _Asked, questions: Sequence[str], workers: Workers, live: LiveState) -> list[bytes]:
    return await _answer_all(asked, [questions], workers, live)


async def _answer_all(
    asked: _Asked, chunks: Sequence[Sequence[str]], workers: Workers, live: LiveState
) -> list[bytes]:
    try:
        pieces = await workers.compute_all(
            [partial(asked.answer, chunk) for chunk in chunks], questions=len(asked.questions)
        )
    except DatabaseUnavailable:
        live.alarm.set()
        raise
    return [result for piece in pieces for result in piece]


async def _lines(
    asked: _Asked, first: list[bytes], rest: Sequence[Sequence[str]], workers: Workers, live: LiveState
) -> AsyncIterator[bytes]:
    """A line a result. A failure on the way ends the stream with a line that has only `error`."""
    name, version, model = asked.retriever.name, asked.view.graph_version, asked.model
    for result in first:
        yield line_bytes(name, version, result, model=model)
    for chunk in rest:
        try:
            results = await _answer(asked, chunk, workers, live)
        except BioMolKGError as error:
            yield encode({"error": {"type": error.slug, "detail": str(error)}}) + b"\n"
            return
        for result in results:
            yield line_bytes(name, version, result, model=model)
