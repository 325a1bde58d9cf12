"""Bounds on work: how much runs at once, how much waits, how long anything takes.

Work on the processor and on the database runs in threads, so that the event
loop never waits for it. A place in the gate is given back when the thread is
really done: a request that gave up does not make room for another before that.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from biomolkg.errors import BioMolKGError, DatabaseUnavailable, InvalidRequest, Overloaded, RequestTimeout
from biomolkg.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")

# Questions of the least piece of a request: each piece has a cost of its own.
_SHORTEST = 2


class Gate:
    """At most `places` at work and `queue` waiting; the next one is refused. Belongs to one event loop."""

    def __init__(self, places: int, queue: int) -> None:
        self._places = asyncio.Semaphore(places)
        self._queue = queue
        self.on_refusal: Callable[[], None] = lambda: None
        self.waiting = 0
        self.working = 0

    async def enter(self) -> None:
        """Take a place, waiting for one if need be. Raises Overloaded when too many wait already."""
        if self._places.locked():
            if self.waiting >= self._queue:
                self.on_refusal()
                raise Overloaded(
                    f"The service is at work on {self.working} requests and {self.waiting} more are waiting.",
                    retry_after=1,
                    remedy="Try again shortly, or send many questions in one request.",
                )
            self.waiting += 1
            try:
                await self._places.acquire()
            finally:
                self.waiting -= 1
        else:
            await self._places.acquire()
        self.working += 1

    def leave(self) -> None:
        """Give the place back."""
        self.working -= 1
        self._places.release()


def shared_out(questions: Sequence[str], most: int, threads: int) -> list[Sequence[str]]:
    """The questions in pieces of at most `most`, shorter towards the end: no thread waits long for another.

    Guided self-scheduling (Polychronopoulos and Kuck, IEEE Transactions on Computers, 1987).
    """
    pieces, at = [], 0
    while at < len(questions):
        left = len(questions) - at
        size = min(most, max(_SHORTEST, -(-left // (2 * threads))))
        pieces.append(questions[at : at + size])
        at += size
    return pieces


class Workers:
    """Threads for work on the processor and for work on the database, behind one gate."""

    def __init__(self, settings: Settings, database_fault: Callable[[], str | None] = lambda: None) -> None:
        """`database_fault` says why the database does not answer; None while it does."""
        self._database_fault = database_fault
        # When the pieces that are on a compute thread now began; threads add and remove their own.
        self._begun: dict[object, float] = {}
        self.gate = Gate(settings.max_concurrent_requests, settings.max_waiting_requests)
        self._timeout = settings.request_timeout
        self.threads = settings.worker_threads or os.cpu_count() or 1
        self._compute = ThreadPoolExecutor(self.threads, "compute")
        self._reads = ThreadPoolExecutor(settings.neo4j_pool_size, "read")

    async def compute(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` on a compute thread. Raises Overloaded, RequestTimeout, or what `work` raises."""
        return (await self._run(self._compute, [partial(work, *args, **kwargs)]))[0]

    async def compute_all(self, works: Sequence[Callable[[], T]], *, questions: int = 1) -> list[T]:
        """Run the pieces of one request, which takes one place, on all compute threads, in any order.

        No more of them wait for a thread than there are threads, so that other requests get in between.
        Raises as `compute` does, for the piece that failed first.
        """
        return await self._run(self._compute, works, questions)

    async def read(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work`, which waits for the database, on a read thread. Raises as `compute` does."""
        return (await self._run(self._reads, [partial(work, *args, **kwargs)]))[0]

    @property
    def stuck(self) -> str | None:
        """What is wrong when every compute thread is at one piece of work for too long; else None."""
        since = time.monotonic() - self._timeout
        if sum(begun < since for begun in list(self._begun.values())) < self.threads:
            return None
        return (
            f"Each of the {self.threads} worker threads has been at one piece of work for more than "
            f"{self._timeout:g} s, so no question is answered. Restart the service if this stays so."
        )

    def close(self) -> None:
        """Drop what has not started yet; what runs is left to end by itself."""
        self._compute.shutdown(wait=False, cancel_futures=True)
        self._reads.shutdown(wait=False, cancel_futures=True)

    async def _run(
        self, pool: ThreadPoolExecutor, works: Sequence[Callable[[], T]], questions: int = 1
    ) -> list[T]:
        deadline = asyncio.get_running_loop().time() + self._timeout
        try:
            async with asyncio.timeout_at(deadline):
                await self.gate.enter()
        except TimeoutError as error:
            raise self._too_late(questions) from error
        place = _Place(self.gate)
        turns = asyncio.Semaphore(self.threads)

        async def take_turn(work: Callable[[], T]) -> T:
            async with turns:
                return await self._submit(pool, work, place, deadline)

        def timed(work: Callable[[], T]) -> T:
            key = object()
            self._begun[key] = time.monotonic()
            try:
                return work()
            finally:
                del self._begun[key]

        if pool is self._compute:
            works = [partial(timed, work) for work in works]
        tasks = [asyncio.ensure_future(take_turn(work)) for work in works]
        try:
            return list(await asyncio.gather(*tasks))
        except _Late as error:
            raise self._too_late(questions) from error
        finally:
            for task in tasks:
                task.cancel()
            place.close()

    async def _submit(
        self, pool: ThreadPoolExecutor, work: Callable[[], T], place: _Place, deadline: float
    ) -> T:
        try:
            future: Future[T] = pool.submit(contextvars.copy_context().run, work)
        except RuntimeError as error:  # the pool is shut down: the service is ending
            raise Overloaded("The service is ending.", retry_after=5) from error
        place.hold(future)
        try:
            async with asyncio.timeout_at(deadline):
                return await asyncio.wrap_future(future)
        except TimeoutError as error:
            if future.done() and not future.cancelled() and isinstance(future.exception(), TimeoutError):
                raise  # the work's own
            future.cancel()
            raise _Late from error

    def _too_late(self, questions: int) -> BioMolKGError:
        late = f"The request took longer than {self._timeout:g} s"
        fault = self._database_fault()
        if fault:
            return DatabaseUnavailable(f"{late}: the database does not answer. {fault}")
        if self.stuck:
            return RequestTimeout(f"{late}. {self.stuck}")
        fewer = "Send fewer questions in one request, or raise" if questions > 1 else "Raise"
        return RequestTimeout(f"{late}.", remedy=f"{fewer} BIOMOLKG_REQUEST_TIMEOUT if it needs more.")


class _Late(Exception):  # never leaves this module
    """A piece of work took longer than its request may."""


class _Place:
    """A place in the gate, given back when the request needs it no more and its threads are really done."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._loop = asyncio.get_running_loop()
        self._holders = 1

    def hold(self, future: Future[T]) -> None:
        """Keep the place until `future` is done."""
        self._holders += 1
        future.add_done_callback(lambda _: self._release_soon())

    def close(self) -> None:
        """Nothing more will hold the place."""
        self._holders -= 1
        if not self._holders:
            self._gate.leave()

    def _release_soon(self) -> None:
        # The loop may have ended before a late thread did; then nobody waits at the gate.
        if not self._loop.is_closed():
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self.close)


def check_text(text: str, *, field: str, limit: int) -> None:
    """Raise InvalidRequest when `text` is longer than `limit` characters."""
    if len(text) > limit:
        raise InvalidRequest(
            f"{len(text):,} characters are more than the {limit:,} that are allowed.", field=field
        )


def check_count(count: int, *, field: str, limit: int, noun: str) -> None:
    """Raise InvalidRequest when `count` of `noun` is over `limit`."""
    if count > limit:
        raise InvalidRequest(f"{count:,} {noun} are more than the {limit:,} that are allowed.", field=field)
