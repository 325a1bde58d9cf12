"""The HTTP side of a benchmark: questions go to a running service, rankings come back.

A request is repeated only when the service asks for it (503 with Retry-After),
a bounded number of times. Whatever else goes wrong raises RequestFailed with
the problem's detail: a benchmark with holes in it is not a benchmark.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Annotated, Any, Literal, Self, TypeVar

import httpx
from pydantic import BaseModel, Field, FiniteFloat, ValidationError

from biomolkg.errors import InvalidRequest, RequestFailed
from biomolkg.question_files import triple_key
from evaluation.documents import MOLECULAR, OTHER, STRUCTURE, Document, ranked_documents
from evaluation.metrics import Ranking

Reading = Literal["names", "ids", "documents"]
Model = TypeVar("Model", bound=BaseModel)
SERVE_REMEDY = "Start one with `make serve` (or `biomolkg serve`), or give its address with --url."
_ADDRESS = re.compile(r"https?://(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?(/\S*)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a client waits: seconds for one answer, repeats after 503, seconds of one Retry-After."""

    timeout: float = 120.0
    retries: int = 5
    longest_wait: float = 30.0


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one request.

    `seconds` is the time of the exchange that succeeded, measured here;
    `server_ms` the service's own figure for it. `rankings` are in the order of the questions.
    """

    rankings: tuple[Ranking, ...]
    graph_version: str
    seconds: float
    server_ms: float | None


class _Entity(BaseModel):
    name: str
    id: str = ""


class _Triple(BaseModel):
    head: _Entity
    relation: str
    tail: _Entity
    kind: str = ""


class _Passage(BaseModel):
    id: str
    section: str | None = None
    entity: _Entity | None = None


class _Hit(BaseModel):
    rank: Annotated[int, Field(ge=1)]
    score: FiniteFloat
    triple: _Triple | None = None
    passage: _Passage | None = None

    @property
    def key(self) -> str:
        if self.triple is not None:
            triple = self.triple
            return triple_key(f"{triple.head.name}-{triple.relation}-{triple.tail.name}")
        if self.passage is not None:
            return triple_key(f"passage:{self.passage.id}")
        raise ValueError(f"the hit at rank {self.rank} is neither a triple nor a passage")

    @property
    def id_key(self) -> str:
        if self.triple is None:
            return self.key
        triple = self.triple
        return triple_key(f"{triple.head.id}-{triple.relation}-{triple.tail.id}")

    @property
    def documents(self) -> list[Document]:
        """The document of a passage; those of both ends of a triple."""
        if self.triple is not None:
            section = STRUCTURE if self.triple.kind == MOLECULAR else None
            return [Document(end.name, section) for end in (self.triple.head, self.triple.tail)]
        if self.passage is None:
            raise ValueError(f"the hit at rank {self.rank} is neither a triple nor a passage")
        if self.passage.entity is None:
            return [Document(self.passage.id, OTHER)]
        return [Document(self.passage.entity.name, self.passage.section)]


class _Result(BaseModel):
    question: str
    hits: list[_Hit]

    def ranking(self, reading: Reading) -> Ranking:
        ranks = [hit.rank for hit in self.hits]
        if ranks != list(range(1, len(ranks) + 1)):
            raise ValueError("the ranks of its hits do not count from 1")
        keys = tuple(hit.id_key if reading == "ids" else hit.key for hit in self.hits)
        ranking = Ranking(keys, tuple(hit.score for hit in self.hits))
        if reading == "documents":
            return ranked_documents(document for hit in self.hits for document in hit.documents)
        return ranking


class _Retrieved(BaseModel):
    graph_version: str
    results: list[_Result]
    took_ms: float | None = None


class Candidate(BaseModel):
    """A possible answer, from 0 to 1."""

    answer: str
    score: FiniteFloat


class Answered(BaseModel):
    """What `/v1/answer` says to one question; `answer` is None when it abstains."""

    question: str
    answer: str | None
    confidence: FiniteFloat
    candidates: list[Candidate]


class _Answers(BaseModel):
    graph_version: str
    results: list[Answered]


class ServiceClient:
    """A service at `url`. `retries` counts how often it put a request off.

    Raises InvalidRequest when `url` is no http address.
    """

    def __init__(self, url: str, patience: Patience | None = None, *, reading: Reading = "names") -> None:
        """`reading`: what rankings are of: triples by the names or the ids of their ends, or documents."""
        self.url = url.rstrip("/")
        self._reading = reading
        self.retries = 0
        self._patience = patience or Patience()
        if not _ADDRESS.fullmatch(self.url):
            raise InvalidRequest(
                f"{url!r} is no http address of a service.", field="url", remedy=SERVE_REMEDY
            )
        # No proxy of the environment: a benchmark measures the service, not a way to it.
        self._http = httpx.Client(base_url=self.url, timeout=self._patience.timeout, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(self, path: str) -> dict[str, Any]:
        """The JSON object at `path`. Raises RequestFailed."""
        response, _ = self._send("GET", path)
        return self._object(response)

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """The JSON object that answers `body`. Raises RequestFailed."""
        response, _ = self._send("POST", path, body)
        return self._object(response)

    def retrieve(
        self, retriever: str, questions: Sequence[str], *, k: int, options: Mapping[str, Any] | None = None
    ) -> Answer:
        """One request of `questions`, at most `k` hits each; `options` are more fields of the body.

        Raises RequestFailed when it fails, or when the answer is not one ranking
        a question, in the order asked, with ranks from 1 and falling scores.
        """
        path = f"/v1/retrieve/{retriever}"
        body = {"questions": list(questions), "k": k, **(options or {})}
        response, seconds = self._send("POST", path, body)
        retrieved = self._parse(response, _Retrieved)
        asked = [result.question for result in retrieved.results]
        if asked != list(questions):
            raise self._malformed(
                response, f"{len(questions)} questions were asked, and it does not answer them in their order"
            )
        rankings = []
        for number, result in enumerate(retrieved.results, start=1):
            if len(result.hits) > k:
                raise self._malformed(response, f"question {number} has {len(result.hits)} hits for k = {k}")
            try:
                rankings.append(result.ranking(self._reading))
            except ValueError as error:
                raise self._malformed(response, f"question {number}: {error}") from error
        return Answer(tuple(rankings), retrieved.graph_version, seconds, retrieved.took_ms)

    def answer(
        self, questions: Sequence[str], *, k: int, options: Mapping[str, Any] | None = None
    ) -> tuple[list[Answered], str]:
        """Answers to one request of `questions`, at most `k` candidates each, and the graph version.

        Raises RequestFailed.
        """
        body = {"questions": list(questions), "k": k, **(options or {})}
        response, _ = self._send("POST", "/v1/answer", body)
        answers = self._parse(response, _Answers)
        if [result.question for result in answers.results] != list(questions):
            raise self._malformed(response, "it does not answer the questions in their order")
        return answers.results, answers.graph_version

    def batches(
        self,
        retriever: str,
        questions: Sequence[str],
        *,
        k: int,
        size: int,
        options: Mapping[str, Any] | None = None,
    ) -> Iterator[Answer]:
        """Answers to `questions`, `size` a request. Raises RequestFailed, also when the graph changes."""
        version: str | None = None
        for start in range(0, len(questions), size):
            answer = self.retrieve(retriever, questions[start : start + size], k=k, options=options)
            if version is not None and answer.graph_version != version:
                raise RequestFailed(
                    f"The graph changed during the run, from version {version} to {answer.graph_version}.",
                    remedy="Run the benchmark again when nothing is being loaded.",
                )
            version = answer.graph_version
            yield answer

    def _send(self, method: str, path: str, body: object = None) -> tuple[httpx.Response, float]:
        """Response and seconds of the exchange that succeeded."""
        for attempt in range(self._patience.retries + 1):
            start = time.perf_counter()
            try:
                response = self._http.request(method, path, json=body)
            except httpx.TimeoutException as error:
                raise RequestFailed(
                    f"{method} {self.url}{path} was not answered within {self._patience.timeout:g} s.",
                    remedy="Give more time with --timeout, or smaller batches with --batch-size.",
                ) from error
            except httpx.ConnectError as error:
                raise RequestFailed(f"No service answers at {self.url}.", remedy=SERVE_REMEDY) from error
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise RequestFailed(
                    f"{method} {self.url}{path} failed: {str(error).rstrip('.') or type(error).__name__}.",
                    remedy="The service's log may say why.",
                ) from error
            seconds = time.perf_counter() - start
            if response.is_success:
                return response, seconds
            wait = _retry_after(response)
            if wait is None or wait > self._patience.longest_wait or attempt == self._patience.retries:
                break
            self.retries += 1
            time.sleep(wait)
        raise self._refused(response, attempt)

    def _refused(self, response: httpx.Response, repeats: int) -> RequestFailed:
        request = f"{response.request.method} {response.request.url}"
        again = f" (after {repeats} repeats)" if repeats else ""
        detail = response.text[:300] or response.reason_phrase
        try:
            problem = response.json()
        except ValueError:
            problem = None
        if isinstance(problem, dict) and "detail" in problem:
            fields = "; ".join(
                f"{item.get('field')}: {item.get('message')}"
                for item in problem.get("errors") or ()
                if isinstance(item, dict)
            )
            detail = f"{problem['detail']} {fields}".strip()
        return RequestFailed(f"{request} was answered with {response.status_code}{again}: {detail}")

    def _object(self, response: httpx.Response) -> dict[str, Any]:
        try:
            value = response.json()
        except ValueError as error:
            raise self._malformed(response, "it is not JSON") from error
        if not isinstance(value, dict):
            raise self._malformed(response, "it is not a JSON object")
        return value

    def _parse(self, response: httpx.Response, model: type[Model]) -> Model:
        try:
            return model.model_validate(self._object(response))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise self._malformed(response, f"{where}: {first['msg']}") from error

    def _malformed(self, response: httpx.Response, why: str) -> RequestFailed:
        request = f"{response.request.method} {response.request.url}"
        return RequestFailed(
            f"The answer to {request} is not what the HTTP contract promises: {why}.",
            remedy="Is it a BioMolKG service of this version?",
        )


def _retry_after(response: httpx.Response) -> float | None:
    """Seconds to wait before the same request, None when the service does not ask for it again."""
    value = response.headers.get("Retry-After")
    if response.status_code != httpx.codes.SERVICE_UNAVAILABLE or value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - datetime.now(UTC)).total_seconds())
