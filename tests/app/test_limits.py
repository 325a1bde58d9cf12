"""The gate and the workers behind it: what is too much is refused, and nothing is let in early."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.limits import Gate, Workers, shared_out
from biomolkg.errors import DatabaseUnavailable, Overloaded, RequestTimeout
from biomolkg.settings import Settings


def few(**fields: object) -> Settings:
    return Settings(_env_file=None, worker_threads=2, **fields)  # type: ignore[arg-type]


def test_one_more_than_places_and_queue_is_refused() -> None:
    async def scene() -> None:
        gate = Gate(places=1, queue=1)
        await gate.enter()
        second = asyncio.create_task(gate.enter())
        await asyncio.sleep(0)
        assert (gate.working, gate.waiting) == (1, 1)
        with pytest.raises(Overloaded) as refused:
            await gate.enter()
        assert refused.value.retry_after >= 1
        gate.leave()
        await second
        assert (gate.working, gate.waiting) == (1, 0)
        gate.leave()
        await gate.enter()

    asyncio.run(scene())


def test_a_waiting_request_that_is_cancelled_leaves_the_queue() -> None:
    async def scene() -> None:
        gate = Gate(places=1, queue=1)
        await gate.enter()
        for _ in range(3):
            waiting = asyncio.create_task(gate.enter())
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.gather(waiting, return_exceptions=True)
        assert gate.waiting == 0
        gate.leave()
        await asyncio.wait_for(gate.enter(), 5)

    asyncio.run(scene())


def test_a_place_is_free_only_when_the_thread_is_done() -> None:
    release = threading.Event()

    async def scene() -> None:
        workers = Workers(few(max_concurrent_requests=1, max_waiting_requests=0, request_timeout=0.05))
        with pytest.raises(RequestTimeout):
            await workers.compute(release.wait)
        with pytest.raises(Overloaded):
            await workers.compute(lambda: 1)
        release.set()
        while workers.gate.working:
            await asyncio.sleep(0.005)
        assert await workers.compute(lambda: 1) == 1
        workers.close()

    asyncio.run(scene())


def test_a_late_request_is_told_what_helps() -> None:
    release = threading.Event()
    faults: list[str] = []

    async def late(workers: Workers, count: int) -> str:
        with pytest.raises((RequestTimeout, DatabaseUnavailable)) as raised:
            await workers.compute_all([release.wait], questions=count)
        return f"{type(raised.value).__name__} {raised.value}"

    async def scene() -> None:
        workers = Workers(few(request_timeout=0.1), lambda: faults[0] if faults else None)
        assert "fewer questions" in await late(workers, 2)
        assert workers.stuck is None
        assert "fewer questions" not in await late(workers, 1)
        assert "2 worker threads" in await late(workers, 2)
        assert workers.stuck is not None
        faults.append("Neo4j is away.")
        assert (await late(workers, 2)).endswith("does not answer. Neo4j is away.")
        release.set()
        while workers.gate.working:
            await asyncio.sleep(0.005)
        assert workers.stuck is None
        workers.close()

    try:
        asyncio.run(scene())
    finally:
        release.set()


def test_the_pieces_of_a_request_take_one_place_all_threads_and_keep_their_order() -> None:
    together = threading.Barrier(2, timeout=30)

    def piece(at: int) -> int:
        together.wait()  # passes only if two pieces run at once
        return at

    async def scene() -> None:
        workers = Workers(few(max_concurrent_requests=1, max_waiting_requests=0))
        assert await workers.compute_all([partial(piece, at) for at in range(6)]) == list(range(6))
        while workers.gate.working:
            await asyncio.sleep(0.005)
        workers.close()

    asyncio.run(scene())


def test_a_piece_that_fails_ends_the_others_and_gives_the_place_back() -> None:
    begun = []

    def piece(at: int) -> None:
        begun.append(at)
        if at == 0:
            raise ValueError("the first piece")
        time.sleep(0.02)

    async def scene() -> None:
        workers = Workers(few(max_concurrent_requests=1, max_waiting_requests=0))
        with pytest.raises(ValueError, match="the first piece"):
            await workers.compute_all([partial(piece, at) for at in range(50)])
        while workers.gate.working:
            await asyncio.sleep(0.005)
        assert len(begun) < 50
        workers.close()

    asyncio.run(scene())


def test_waiting_for_a_place_ends_with_the_time_of_the_request() -> None:
    release = threading.Event()

    async def scene() -> None:
        workers = Workers(few(max_concurrent_requests=1, max_waiting_requests=5, request_timeout=0.1))
        held = asyncio.create_task(workers.compute(release.wait))
        await asyncio.sleep(0)
        with pytest.raises(RequestTimeout):
            await workers.compute(lambda: 1)
        release.set()
        await asyncio.gather(held, return_exceptions=True)
        workers.close()

    asyncio.run(scene())


def test_errors_of_the_work_come_through_as_they_are() -> None:
    def fail(error: Exception) -> None:
        raise error

    async def scene() -> None:
        workers = Workers(few())
        for error in (TimeoutError("the work's own"), ValueError("x")):
            with pytest.raises(type(error), match=str(error)):
                await workers.read(fail, error)
        assert workers.gate.working == 0 or await asyncio.sleep(0.01) is None
        assert workers.gate.working == 0
        workers.close()
        with pytest.raises(Overloaded):
            await workers.compute(lambda: 1)

    asyncio.run(scene())


@pytest.fixture(scope="module")
def narrow(starter: Settings, run_service: Callable[..., Any]) -> Iterator[httpx.Client]:
    """A service that works on one request at once and lets one wait."""
    limits = {"max_concurrent_requests": 1, "max_waiting_requests": 1, "max_body_bytes": 100_000}
    with run_service(starter.model_copy(update=limits)) as (_, client):
        yield client


def test_an_overloaded_service_says_when_to_come_back(narrow: httpx.Client) -> None:
    body = {
        "questions": [
            f"Which drug with a thiazole ring raises the level of Warfarin {at}?" for at in range(64)
        ]
    }
    with ThreadPoolExecutor(8) as pool:
        responses = list(pool.map(lambda _: narrow.post("/v1/retrieve/triple", json=body), range(8)))
    codes = [response.status_code for response in responses]
    assert set(codes) == {200, 503}
    assert codes.count(200) >= 2
    for response in responses:
        if response.status_code == 503:
            assert int(response.headers["retry-after"]) >= 1
            assert response.json()["type"] == "urn:biomolkg:problem:overloaded"
    refused = codes.count(503)
    assert f"biomolkg_overload_refusals_total {refused}.0" in narrow.get("/metrics").text
    assert narrow.get("/readyz").status_code == 200
    assert narrow.post("/v1/retrieve/triple", json={"question": "Warfarin"}).status_code == 200


@given(st.integers(1, 200), st.integers(1, 16), st.integers(1, 8))
def test_long_lists_are_shared_out_in_pieces_that_grow_shorter(count: int, most: int, threads: int) -> None:
    questions = [str(number) for number in range(count)]
    pieces = shared_out(questions, most, threads)
    assert [question for piece in pieces for question in piece] == questions
    sizes = [len(piece) for piece in pieces]
    assert sizes == sorted(sizes, reverse=True)
    assert max(sizes) <= most
    if count >= 2 * threads:
        assert len(pieces) >= threads, "every thread has something to do"
