"""The managed Neo4j: a child process on loopback, one for each `settings.home`.

`start` finds a server that already runs on the same folder and uses that;
else it fetches what is missing, picks free ports, sets the password, and
returns when a query is answered. A server that was not started `detached`
ends with the process that started it, even when that one is killed.
"""

from __future__ import annotations

import contextlib
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import psutil
from filelock import FileLock, Timeout

from biomolkg.errors import AuthenticationFailed, DatabaseUnavailable, ServerError
from biomolkg.settings import Settings
from cypher import launch
from cypher.distribution import Distribution, find_distribution
from cypher.home import ServerHome, server_home
from cypher.java import Java, find_java
from cypher.ports import choose_ports
from cypher.progress import Quiet, Reporter
from cypher.state import ServerState, find_processes, listens, living, read_state, write_state

_STORE_HELD = 2  # Neo4j's exit code when another process has the data folder
_STORE_HELD_WORDS = ("StoreLockException", "FileLockException", "Lock file has been locked")
_POLL = 0.2  # seconds
_PORT_TRIES = 3
_PORT_TAKEN = re.compile(r"BindException|[Aa]ddress [^\n]*already in use")
_REASONS = 3  # messages of the log that an error repeats


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """What `biomolkg db status` tells; addresses are None when nothing runs."""

    running: bool
    bolt: str | None
    http: str | None
    user: str
    password_file: Path | None
    version: str | None
    pid: int | None


class PortsTaken(ServerError):
    """Another program took a port between its choice and the server's start."""


class ManagedServer:
    """Starts, stops and describes the managed Neo4j of `settings.home`.

    As a context manager it stops, at the end, the server that it started itself.
    """

    def __init__(
        self,
        settings: Settings,
        reporter: Reporter | None = None,
        *,
        launched: Callable[[], None] = lambda: None,
    ) -> None:
        """`launched` is called as soon as a server's process runs, before it answers."""
        self._settings = settings
        self._launched = launched
        self._reporter = reporter or Quiet()
        self._home = server_home(settings)
        self._process: subprocess.Popen[bytes] | None = None
        self.started_here = False

    @property
    def home(self) -> ServerHome:
        """Where the server's files are."""
        return self._home

    def status(self) -> ServerStatus:
        """Whether the server runs and where it is reached."""
        state = read_state(self._home)
        return ServerStatus(
            running=state is not None,
            bolt=state.bolt if state else None,
            http=state.http if state else None,
            user=self._settings.neo4j_user,
            password_file=self._home.password_file,
            version=state.version if state else None,
            pid=state.pid if state else None,
        )

    def start(self, *, detached: bool = False) -> ServerState:
        """The server that runs from now on; `started_here` tells whether this call started it.

        Raises ServerError when it cannot be fetched or does not come up (with the
        tail of its log), AuthenticationFailed when the password file is not its own,
        ConfigurationError when a setting cannot be used.
        """
        self._home.prepare()
        with self._locked():
            state = self._running()
            self._forget_ended()
            if state is not None:
                self._launched()
                self._await_answer(state)
                return state
            distribution = find_distribution(self._settings, self._reporter)
            java = find_java(self._settings.java_home)
            self._reporter.say(f"Starting Neo4j {distribution.version} ...")
            for attempt in range(1, _PORT_TRIES + 1):
                try:
                    return self._launch(distribution, java, detached=detached)
                except PortsTaken as taken:
                    if attempt == _PORT_TRIES:
                        raise
                    self._reporter.say(f"{taken.message} Starting it again on another port ...")
        raise AssertionError

    def stop(self) -> bool:
        """Stop the server, whoever started it; False when none ran. It is killed when it takes too long."""
        if not self._home.root.exists():
            return False
        with self._locked():
            state = read_state(self._home)
            if state is not None:
                self._end(state)
            self._home.state_file.unlink(missing_ok=True)
            return state is not None

    def close(self) -> None:
        """Stop the server if this object started it and it was not detached."""
        if self._process is not None:
            self.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the folder while a server is started or stopped in it."""
        patience = self._settings.neo4j_start_timeout + self._settings.neo4j_stop_timeout
        lock = FileLock(self._home.lock_file)
        try:
            try:
                lock.acquire(timeout=0)
            except Timeout:
                self._reporter.say("Another program is starting or stopping this Neo4j; waiting for it.")
                lock.acquire(timeout=patience)
        except Timeout as error:
            raise ServerError(
                f"Another program has been starting or stopping the Neo4j in {self._home.root} "
                f"for {patience:g} s.",
                remedy="End that program, then try again.",
            ) from error
        except OSError as error:
            raise self._home.unusable(error) from error
        try:
            yield
        finally:
            lock.release()

    def _running(self) -> ServerState | None:
        """The server to use, once one whose owner was killed has ended."""
        state = read_state(self._home)
        if state is not None and state.ends_with_owner and not state.owner_lives:
            self._reporter.say("The Neo4j of a program that was killed is stopping; waiting for it.")
            self._await_end(state)
            return None
        return state

    def _forget_ended(self) -> None:
        """Take note of the end of a server that this object started and that has died since."""
        if self._process is not None and self._process.poll() is not None:
            launch.reap(self._process)
            self._process = None
        self.started_here = self._process is not None

    def _launch(self, distribution: Distribution, java: Java, *, detached: bool) -> ServerState:
        settings, home = self._settings, self._home
        if find_processes(home.root):
            raise self._held()
        bolt, http = choose_ports(settings)
        try:
            home.write_conf(settings, bolt=bolt, http=http)
            if not home.initialised:
                launch.set_password(java, distribution.lib, home)
            else:
                home.read_password()
            command = java.server_command(
                lib=distribution.lib, home=home.root, heap_mb=settings.neo4j_heap_mb
            )
            if detached:
                process, pid = launch.detached(command, home)
            else:
                process, pid = launch.supervised(command, home, settings.neo4j_stop_timeout)
        except OSError as error:
            raise home.unusable(error) from error
        try:
            me = psutil.Process()
            state = ServerState(
                pid=pid,
                started=psutil.Process(pid).create_time(),
                bolt_port=bolt,
                http_port=http,
                version=distribution.version,
                owner=0 if detached else me.pid,
                owner_started=0.0 if detached else me.create_time(),
            )
            write_state(home, state)
            self._launched()
            self._await_answer(state, process)
        except BaseException as error:
            self._discard(process, pid)
            if isinstance(error, psutil.NoSuchProcess):
                raise self._failure(process.wait()) from error
            raise
        self.started_here = True
        if detached:
            # It lives on after this process; nobody here will ask how it ended.
            process.returncode = 0
        else:
            self._process = process
        return state

    def _await_answer(self, state: ServerState, process: subprocess.Popen[bytes] | None = None) -> None:
        """Return when the server answers a query."""
        from cypher.client import Client  # noqa: PLC0415  (the driver takes a second to load)

        deadline = time.monotonic() + self._settings.neo4j_start_timeout
        with Client(state.bolt, password=self._home.read_password(), settings=self._settings) as client:
            while True:
                if process is not None and process.poll() is not None:
                    raise self._failure(process.returncode)
                if process is None and living(state.pid, state.started) is None:
                    raise ServerError("Neo4j stopped while it was waited for.", remedy="Start it again.")
                try:
                    if listens(state):
                        client.verify()
                        return
                except AuthenticationFailed as error:
                    raise AuthenticationFailed(
                        f"The managed Neo4j refuses the password in {self._home.password_file}.",
                        remedy="Put its own password back into that file, or move the folder "
                        f"{self._home.root} away to begin with an empty database.",
                    ) from error
                except DatabaseUnavailable:
                    pass  # it listens before it answers
                if time.monotonic() > deadline:
                    raise self._late()
                time.sleep(_POLL)

    def _late(self) -> ServerError:
        return ServerError(
            f"Neo4j did not answer within {self._settings.neo4j_start_timeout:g} s.",
            remedy=f"If the machine is slow, raise BIOMOLKG_NEO4J_START_TIMEOUT. {self._log()}",
        )

    def _failure(self, code: int) -> ServerError:
        """Why the server ended by itself with the exit code `code`."""
        log = self._home.read_log()
        if code == _STORE_HELD or any(word in log for word in _STORE_HELD_WORDS):
            return self._held()
        reason = " ".join(self._home.log_errors()[-_REASONS:])
        if _PORT_TAKEN.search(log):
            return PortsTaken(
                f"A port for Neo4j was taken by another program while it started. Its log says: {reason}",
                remedy="Try again, or set BIOMOLKG_NEO4J_BOLT_PORT and BIOMOLKG_NEO4J_HTTP_PORT to 0.",
            )
        tail = self._home.log_tail()
        memory = "Lower BIOMOLKG_NEO4J_HEAP_MB or BIOMOLKG_NEO4J_PAGECACHE_MB. "
        return ServerError(
            f"Neo4j ended while it started (exit code {code})."
            + (f" Its log says: {reason}" if reason else ""),
            remedy=(memory if "memory" in tail.lower() else "") + self._log(),
        )

    def _log(self) -> str:
        folder = self._home.console_log.parent
        return f"The whole logs are in {folder}; the last one ends:\n{self._home.log_tail()}"

    def _held(self) -> ServerError:
        holders = ", ".join(str(process.pid) for process in find_processes(self._home.root))
        return ServerError(
            f"Another process{f' ({holders})' if holders else ''} already uses the data in "
            f"{self._home.root / 'data'}.",
            remedy="End it, then try again.",
        )

    def _discard(self, process: subprocess.Popen[bytes], pid: int) -> None:
        """End a server that did not come up, and forget it."""
        with contextlib.suppress(psutil.Error):
            launch.end(psutil.Process(pid), self._settings.neo4j_stop_timeout)
        launch.reap(process)
        self._home.state_file.unlink(missing_ok=True)

    def _end(self, state: ServerState) -> None:
        server = living(state.pid, state.started)
        if server is not None and launch.end(server, self._settings.neo4j_stop_timeout):
            self._reporter.say(
                f"Neo4j did not stop within {self._settings.neo4j_stop_timeout:g} s and was killed; "
                "it recovers at its next start."
            )
        if self._process is not None:
            launch.reap(self._process)
            self._process = None

    def _await_end(self, state: ServerState) -> None:
        deadline = time.monotonic() + self._settings.neo4j_stop_timeout
        while living(state.pid, state.started) is not None:
            if time.monotonic() > deadline:
                self._end(state)
                return
            time.sleep(_POLL)
