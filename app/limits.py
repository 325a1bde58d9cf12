"""Bounds on work: how much runs at once, how much waits, how long anything takes.

Work on the processor and on the database runs in threads, so that the event
loop never waits for it. A place in the gate is given back when the thread is
really done: a request that gave up does not make room for another before that.
"""

from __future__ import annotations

import asyncio
import contextvars
import os
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from biomolkg.errors import InvalidRequest, Overloaded, RequestTimeout
from biomolkg.settings import Settings

P = ParamSpec("P")
T = TypeVar("T")


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


class Workers:
    """Threads for work on the processor and for work on the database, behind one gate."""

    def __init__(self, settings: Settings) -> None:
        self.gate = Gate(settings.max_concurrent_requests, settings.max_waiting_requests)
        self._timeout = settings.request_timeout
        self._compute = ThreadPoolExecutor(settings.worker_threads or os.cpu_count() or 1, "compute")
        self._reads = ThreadPoolExecutor(settings.neo4j_pool_size, "read")

    async def compute(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work` on a compute thread. Raises Overloaded, RequestTimeout, or what `work` raises."""
        return await self._run(self._compute, partial(work, *args, **kwargs))

    async def read(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run `work`, which waits for the database, on a read thread. Raises as `compute` does."""
        return await self._run(self._reads, partial(work, *args, **kwargs))

    def close(self) -> None:
        """Drop what has not started yet; what runs is left to end by itself."""
        self._compute.shutdown(wait=False, cancel_futures=True)
        self._reads.shutdown(wait=False, cancel_futures=True)

    async def _run(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._timeout
        try:
            async with asyncio.timeout_at(deadline):
                await self.gate.enter()
        except TimeoutError as error:
            raise self._too_late() from error
        try:
            future: Future[T] = pool.submit(contextvars.copy_context().run, work)
        except RuntimeError as error:  # the pool is shut down: the service is ending
            self.gate.leave()
            raise Overloaded("The service is ending.", retry_after=5) from error
        future.add_done_callback(lambda _: _leave_soon(loop, self.gate))
        try:
            async with asyncio.timeout_at(deadline):
                return await asyncio.wrap_future(future)
        except TimeoutError as error:
            if future.done() and not future.cancelled() and isinstance(future.exception(), TimeoutError):
                raise  # the work's own
            future.cancel()
            raise self._too_late() from error

    def _too_late(self) -> RequestTimeout:
        return RequestTimeout(
            f"The request took longer than {self._timeout:g} s.",
            remedy="Send fewer questions in one request, or raise BIOMOLKG_REQUEST_TIMEOUT.",
        )


def _leave_soon(loop: asyncio.AbstractEventLoop, gate: Gate) -> None:
    # The loop may have ended before a late thread did; then nobody waits at the gate.
    if not loop.is_closed():
        try:
            loop.call_soon_threadsafe(gate.leave)
        except RuntimeError:
            return


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
