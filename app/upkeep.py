"""The thread that brings the service up, watches its database, and puts a new graph version in place.

    database -> schema -> starter graph -> snapshot -> ready, then a look every few seconds

Of the starter graph only the part that questions are about is waited for; the
rest is loaded by a thread of its own while they are answered.

Each stage that is not done yet is the reason that `/readyz` gives. A database
that goes away is waited for; a managed one that died is started again, with
growing pauses, up to a limit.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from app.database import Database, Ending
from app.graph_state import GraphState, read_graph_state, read_neo4j_version
from app.metrics import Metrics
from app.starter import Starter
from app.state import LiveState, View
from app.view import Views
from biomolkg.errors import BioMolKGError, DatabaseError, DatabaseUnavailable
from biomolkg.settings import Settings

RETRY_PAUSES = (1.0, 2.0, 4.0, 8.0, 15.0, 30.0, 60.0)
INDEX_TIMEOUT = 120.0

logger = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Host:
    """Whoever runs the service: told what happens, when it is ready first, when it cannot go on."""

    say: Callable[[str], None] = lambda _line: None
    ready: Callable[[View], None] = lambda _view: None
    give_up: Callable[[], None] = lambda: None


class Upkeep:
    """Owns the thread, the client and the managed server of one service."""

    def __init__(
        self,
        settings: Settings,
        live: LiveState,
        metrics: Metrics,
        host: Host,
    ) -> None:
        self._settings = settings
        self._live = live
        self._metrics = metrics
        self._host = host
        self._ending = threading.Event()
        self._views = Views(settings)
        # Before that, the server's start would wait for whatever else is computed.
        self._database = Database(settings, self._tell, self._ending, launched=self._views.prepare)
        self._starter = Starter(settings, self._tell, self._ending)
        self._thread = threading.Thread(target=self._run, name="upkeep", daemon=True)

    def start(self) -> None:
        """Begin; returns at once."""
        self._thread.start()

    async def stop(self) -> None:
        """End the thread, the retrievers, the client, and the managed server if this service started it."""
        self._ending.set()
        self._live.alarm.set()
        self._database.interrupt()
        patience = self._settings.neo4j_stop_timeout + self._settings.shutdown_timeout
        await asyncio.to_thread(self._thread.join, patience)

    def _tell(self, line: str) -> None:
        self._host.say(line)
        logger.debug("progress", line=line)

    def _run(self) -> None:
        try:
            if self._settings.neo4j_uri is not None:
                self._views.prepare()
            self._bring_up()
            self._watch()
        except Ending:
            pass
        except BioMolKGError as error:
            if not self._ending.is_set():
                self._fail(error)
        except Exception as error:  # else the service would wait for a thread that is gone
            logger.exception("upkeep failed")
            self._fail(BioMolKGError(f"The service cannot start: {type(error).__name__}: {error}."))
        finally:
            self._wind_down()

    def _fail(self, error: BioMolKGError) -> None:
        self._live.fatal = error
        self._live.enter("failed", str(error))
        self._host.give_up()

    def _bring_up(self) -> None:
        """Until the first view answers. Raises BioMolKGError when trying again cannot help."""
        attempt = 0
        while True:
            try:
                self._connect()
                self._prepare_graph()
                self._refresh(self._look())
            except BioMolKGError as error:
                if not error.retryable:
                    raise
                self._live.enter(self._live.condition.stage, str(error))
                if attempt == 0:
                    self._tell(f"Waiting: {error}")
                self._pause(RETRY_PAUSES[min(attempt, len(RETRY_PAUSES) - 1)])
                attempt += 1
            else:
                return

    def _connect(self) -> None:
        self._live.enter("database", "Neo4j is starting or has not answered yet.")
        self._database.open()
        self._live.browser = self._database.browser
        self._live.neo4j = read_neo4j_version(self._database.client)
        self._check_ending()

    def _prepare_graph(self) -> None:
        client = self._database.client
        self._live.enter("schema", "The constraints and indexes of the database are being made.")
        client.apply_schema()
        client.await_indexes(INDEX_TIMEOUT)
        self._check_ending()
        if self._settings.starter_graph:
            self._live.enter("starter graph", "The starter graph is being loaded.")
            self._starter.load_awaited(client)
        self._check_ending()

    def _look(self) -> GraphState:
        """The graph's version as the database has it. Raises DatabaseError when it does not answer."""
        client = self._database.client
        client.verify()
        pending = client.pending_indexes()
        if pending:
            # One that somebody dropped is made again; one that is being built only takes its time.
            client.apply_schema()
            raise DatabaseUnavailable(f"These indexes are not online: {', '.join(pending)}.")
        return read_graph_state(client)

    def _refresh(self, state: GraphState) -> None:
        """Put a view of `state` in place unless the current one is of that version already."""
        view = self._live.view
        if state.loading and view is None:
            self._live.enter(
                "graph", "The graph is being loaded. If no load is running, one was cut off: run it again."
            )
            return
        if state.version is None:
            self._live.enter("graph", "The database holds no graph: load one with `biomolkg load`.")
            return
        same = (
            view is not None and view.graph_version == state.version and view.client is self._database.client
        )
        if same or state.loading:
            if same and view is not None:
                self._live.view = self._views.with_models(view)
            self._settle(state)
            return
        if view is not None and view.client is self._database.client:
            # The older version answers until then; a client of a server that is gone would not.
            self._live.settle(loading=True)
        else:
            self._live.enter("snapshot", f"The snapshot of graph version {state.version} is being built.")
        self._tell(f"Reading the graph, version {state.version} ...")
        began = time.perf_counter()
        fresh = self._views.build(self._database.client)
        self._check_ending()
        self._live.view = fresh
        self._views.retire_older()
        _spare_long_lived()
        self._settle(state)
        threading.Thread(target=self._warm_later, args=(fresh,), name="warming", daemon=True).start()
        self._tell(
            f"Read: {len(fresh.snapshot.entities):,} entities, {len(fresh.snapshot.heads):,} triples, "
            f"{len(fresh.snapshot.passages):,} passages, graph version {fresh.graph_version}, "
            f"in {time.perf_counter() - began:.1f} s."
        )
        if view is None:
            self._host.ready(fresh)
            self._starter.load_later(lambda: self._database.client, self._live.alarm.set)
        else:
            self._metrics.swaps.inc()

    def _settle(self, state: GraphState) -> None:
        self._live.settle(loading=state.loading or self._starter.pending)

    def _warm_later(self, view: View) -> None:
        """Read what questions may wait for, while others are answered; without it the first one waits."""
        try:
            self._views.warm_later(view)
        except BioMolKGError as error:  # the graph or its database has changed, or the service ends
            logger.info("not warmed", reason=str(error))
        else:
            _spare_long_lived()

    def _watch(self) -> None:
        """Look, again and again; every failure becomes a reason, none ends the watch."""
        failures = 0
        while True:
            pause = self._settings.watch_interval if failures < 2 else RETRY_PAUSES[min(failures, 6)]
            self._pause(min(pause, 60.0), alarm=True)
            self._views.close_retired()
            try:
                self._refresh(self._look())
            except DatabaseError as error:
                self._live.enter("database", str(error))
                if failures == 0:
                    logger.warning("database lost", error=str(error))
                    self._tell(f"Neo4j does not answer: {error}")
                failures = 0 if self._recover() else failures + 1
            except BioMolKGError as error:
                self._live.enter("snapshot", str(error))
                logger.warning("snapshot not built", error=str(error))
                failures += 1
            else:
                failures = 0

    def _recover(self) -> bool:
        """Start a managed server that died, or find one that came back; whether one answers now."""
        try:
            self._database.recover(self._restarting)
        except BioMolKGError as error:
            self._live.enter("database", str(error))
            return False
        return True

    def _restarting(self) -> None:
        self._metrics.restarts.inc()
        self._live.enter("database", "Neo4j died and is being started again.")

    def _pause(self, seconds: float, *, alarm: bool = False) -> None:
        if alarm:
            self._live.alarm.wait(seconds)
            self._live.alarm.clear()
        else:
            self._ending.wait(seconds)
        self._check_ending()

    def _check_ending(self) -> None:
        if self._ending.is_set():
            raise Ending

    def _wind_down(self) -> None:
        try:
            self._starter.stop()
            self._views.close()
        finally:
            self._database.close()


def _spare_long_lived() -> None:
    """Keep the garbage collector from going through all of a view again and again.

    Of 20,000 triples that takes 60 ms, in which nothing is answered.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
