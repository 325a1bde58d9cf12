"""The record of a running managed server, and whether it still tells the truth."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from cypher.home import ServerHome, write_private

_CLOCK_SLACK = 2.0  # seconds that a corrected system clock may move a start time by


@dataclass(frozen=True, slots=True)
class ServerState:
    """A managed server: its process, its addresses, and the process it ends with (0: none).

    A process id alone is no proof, since ids are reused: the start times, in
    seconds since 1970, tell the processes apart.
    """

    pid: int
    started: float
    bolt_port: int
    http_port: int
    version: str
    owner: int
    owner_started: float

    @property
    def bolt(self) -> str:
        """The address for drivers."""
        return f"bolt://127.0.0.1:{self.bolt_port}"

    @property
    def http(self) -> str:
        """The address of Neo4j Browser."""
        return f"http://127.0.0.1:{self.http_port}/browser/"

    @property
    def ends_with_owner(self) -> bool:
        """Whether the server stops when the process that started it does."""
        return self.owner != 0

    @property
    def owner_lives(self) -> bool:
        """Whether the process that the server ends with still runs."""
        return living(self.owner, self.owner_started) is not None


def living(pid: int, started: float) -> psutil.Process | None:
    """The process of that id and start time, or None when it has ended."""
    try:
        process = psutil.Process(pid)
        same = abs(process.create_time() - started) < _CLOCK_SLACK
        return process if same and process.status() != psutil.STATUS_ZOMBIE else None
    except (psutil.Error, TypeError, ValueError):
        return None


def listens(state: ServerState) -> bool:
    """Whether the server's own process has its Bolt port open; another program may have taken the port."""
    try:
        connections = psutil.Process(state.pid).net_connections(kind="tcp")
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True  # a system that does not tell
    return any(
        connection.status == psutil.CONN_LISTEN and connection.laddr.port == state.bolt_port
        for connection in connections
    )


def read_state(home: ServerHome) -> ServerState | None:
    """The server that runs in `home`, or None; a record that a killed server left behind counts as none."""
    try:
        state = ServerState(**json.loads(home.state_file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None
    return state if living(state.pid, state.started) else None


def write_state(home: ServerHome, state: ServerState) -> None:
    """Record `state`."""
    write_private(home.state_file, json.dumps(asdict(state), indent=2) + "\n")


def find_processes(root: Path) -> list[psutil.Process]:
    """Processes of this machine that run a Neo4j on the folder `root`, whatever started them."""
    flag = f"--home-dir={root}"
    found = []
    for process in psutil.process_iter(["cmdline", "name"]):
        command = process.info["cmdline"] or []
        if flag in command and "java" in (process.info["name"] or ""):
            found.append(process)
    return found
