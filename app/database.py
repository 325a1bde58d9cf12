"""The database of one service: the Neo4j of the settings, or a managed one that it starts and restarts."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Iterator

import psutil
import structlog

from biomolkg.errors import DatabaseUnavailable, ServerError
from biomolkg.settings import Settings
from cypher.client import Client, connect
from cypher.server import ManagedServer
from cypher.state import ServerState, read_state

# A server that ran this long before it died counts as well again.
STEADY_SECONDS = 60.0
LONGEST_PAUSE = 30.0

logger = structlog.get_logger()


class Ending(Exception):  # no error: the service was told to stop
    """The service ends: whatever is under way is given up."""


class Telling:
    """A reporter for the fetch and the start of the server, which gives them up when the service ends."""

    def __init__(self, tell: Callable[[str], None], ending: threading.Event) -> None:
        self._tell = tell
        self._ending = ending

    def say(self, text: str) -> None:
        """One line."""
        if self._ending.is_set():
            raise Ending
        self._tell(text)

    @contextlib.contextmanager
    def download(self, text: str, total: int) -> Iterator[Callable[[int], None]]:
        """A line at every tenth of `total` bytes."""
        done, told = 0, 0

        def advance(count: int) -> None:
            nonlocal done, told
            done += count
            tenth = done * 10 // max(total, 1)
            if self._ending.is_set() or told < tenth < 10:
                told = tenth
                self.say(f"{text}: {done / 1e6:.0f} of {total / 1e6:.0f} MB")

        self.say(f"{text}: {total / 1e6:.0f} MB ...")
        began = time.perf_counter()
        yield advance
        self.say(f"{text}: {total / 1e6:.0f} MB in {time.perf_counter() - began:.1f} s.")


class Database:
    """Opens, watches over and closes the connection; used from the upkeep thread, save `interrupt`."""

    def __init__(
        self,
        settings: Settings,
        tell: Callable[[str], None],
        ending: threading.Event,
        *,
        launched: Callable[[], None] = lambda: None,
    ) -> None:
        """`launched` is called when there is only to wait for a server that has been started."""
        self._settings = settings
        self._tell = tell
        self._ending = ending
        self._server: ManagedServer | None = None
        if settings.neo4j_uri is None:
            self._server = ManagedServer(settings, Telling(tell, ending), launched=launched)
        self._client: Client | None = None
        self._retired: list[Client] = []
        self._restarts = 0
        self._up_since = 0.0
        self._starting = False

    @property
    def client(self) -> Client:
        """The current client. Raises DatabaseUnavailable before `open`."""
        if self._client is None:
            raise DatabaseUnavailable("There is no connection to Neo4j yet.")
        return self._client

    @property
    def browser(self) -> str | None:
        """Where Neo4j Browser is; known for a managed server only."""
        return None if self._server is None else self._server.status().http

    def open(self) -> None:
        """Connect, after starting the managed server if that is the one and it does not run.

        Raises DatabaseUnavailable (try again), or ServerError and AuthenticationFailed (do not).
        """
        if self._client is not None:
            self._client.verify()
            return
        if self._server is not None:
            running = self._server.status().running
            began = time.perf_counter()
            state = self._start(self._server)
            known = "is used" if running and not self._server.started_here else "runs"
            took = f"after {time.perf_counter() - began:.1f} s"
            self._tell(f"Neo4j {state.version} {known} {took}: {state.bolt}, Browser {state.http}")
        self._use(connect(self._settings))

    def recover(self, restarting: Callable[[], None]) -> None:
        """Be connected again, after a restart of the managed server if it died.

        `restarting` is called before each restart. Raises DatabaseUnavailable
        or ServerError when that did not succeed yet.
        """
        if self._server is None or self._server.status().running:
            self._reconnect()
            return
        if not self._server.home.state_file.exists() and read_state(self._server.home) is None:
            raise DatabaseUnavailable(
                "The managed Neo4j was stopped.", remedy="Start it with `biomolkg db start`."
            )
        if time.monotonic() - self._up_since > STEADY_SECONDS:
            self._restarts = 0
        limit = self._settings.neo4j_restart_limit
        if self._restarts >= limit:
            raise ServerError(
                f"The managed Neo4j died and was restarted {limit} times in a row; it is left alone now.",
                remedy=f"See the logs in {self._server.home.root / 'logs'}, then run `biomolkg db start`.",
            )
        if self._restarts and self._ending.wait(min(2.0**self._restarts, LONGEST_PAUSE)):
            raise Ending
        self._restarts += 1
        restarting()
        self._tell(f"Neo4j died; starting it again ({self._restarts} of {limit}) ...")
        logger.warning("neo4j restart", attempt=self._restarts, limit=limit)
        self._start(self._server)
        self._reconnect()

    def interrupt(self) -> None:
        """Cut short a start that is under way; any thread may call it."""
        if self._server is None or not self._starting:
            return
        state = read_state(self._server.home)
        if state is not None and state.owner == os.getpid():
            with contextlib.suppress(psutil.Error):
                psutil.Process(state.pid).terminate()

    def close(self) -> None:
        """Close every client, and stop the server if this service started it."""
        for client in [*self._retired, *([self._client] if self._client else [])]:
            client.close()
        if self._server is not None and self._server.started_here:
            self._tell("Stopping Neo4j ...")
            self._server.close()

    def _start(self, server: ManagedServer) -> ServerState:
        self._starting = True
        try:
            return server.start()
        finally:
            self._starting = False

    def _reconnect(self) -> None:
        """Keep the client while its address still holds, so that what runs on it goes on."""
        fresh = connect(self._settings)
        if self._client is not None and self._client.uri == fresh.uri:
            fresh.close()
            self._up_since = time.monotonic()
            return
        self._use(fresh)

    def _use(self, client: Client) -> None:
        # A request may still run on the old one; it is closed at the end.
        if self._client is not None:
            self._retired.append(self._client)
        self._client = client
        self._up_since = time.monotonic()
