"""The life of a managed server on a folder of its own; each start takes some seconds."""

import contextlib
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from app.cli import run
from biomolkg.errors import AuthenticationFailed, DatabaseError, DatabaseUnavailable, ServerError
from biomolkg.settings import Settings
from cypher.client import connect
from cypher.home import server_home
from cypher.ports import choose_ports
from cypher.progress import Quiet
from cypher.server import ManagedServer
from cypher.state import find_processes, living, read_state
from tests.conftest import scratch_settings
from tests.cypher.statements import own_statements

_STATEMENTS = {
    "pair": "UNWIND range(1, 200) AS j CREATE (:Pair {batch: $batch})-[:WITH]->(:Pair {batch: $batch})",
    "pairs": "MATCH (n:Pair) WITH n.batch AS batch, count(*) AS nodes RETURN batch, nodes ORDER BY batch",
    "loose": "MATCH (n:Pair) WHERE NOT (n)--() RETURN count(*) AS loose",
}


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Settings]:
    # For a Java that lives for seconds the second compiler costs more than it gains.
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1")
    # A path with a space, an apostrophe and a letter outside ASCII is a path that people have.
    made = scratch_settings(tmp_path / "Zoë's data", neo4j_retry_time=0)
    yield made
    ManagedServer(made).stop()
    for lost in find_processes(server_home(made).root):  # of a test that failed without a record
        lost.kill()


def start_and_wait(settings: Settings) -> "subprocess.Popen[str]":
    """A program that starts the server as `biomolkg serve` does, and then does nothing."""
    program = (
        "import sys, time\n"
        "from biomolkg.settings import Settings\n"
        "from cypher.server import ManagedServer\n"
        "settings = Settings.model_validate_json(sys.argv[1])\n"
        "print(ManagedServer(settings).start().pid, flush=True)\n"
        "time.sleep(600)\n"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program, settings.model_dump_json()], stdout=subprocess.PIPE, text=True
    )


@pytest.mark.timeout(900)
def test_a_server_ends_with_its_owner_and_survives_being_killed(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    own_statements(monkeypatch, _STATEMENTS)
    home = server_home(settings)

    # 1. Started by another program, which is killed: the server ends, and a start meanwhile waits for that.
    with start_and_wait(settings) as owner:
        assert owner.stdout is not None
        first = int(owner.stdout.readline())
        assert ManagedServer(settings).start().pid == first, "a running server is used, not started again"
        owner.send_signal(signal.SIGKILL)
    # The first ports it chooses are taken by the time it listens; it chooses others.
    server = ManagedServer(settings)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        offers = iter([(port, port + 1)])
        monkeypatch.setattr(
            "cypher.server.choose_ports", lambda given: next(offers, None) or choose_ports(given)
        )
        state = server.start(detached=True)
    assert server.started_here
    assert next(offers, None) is None
    assert state.bolt_port != port
    assert state.pid != first
    assert not psutil.pid_exists(first) or living(first, state.started) is None

    # 2. Killed while it writes: every batch is there whole or not at all.
    done: list[int] = []
    with connect(settings) as client:

        def write() -> None:
            with contextlib.suppress(DatabaseError):
                for batch in range(10_000):
                    client.write("pair", batch=batch)
                    done.append(batch)

        writer = threading.Thread(target=write)
        writer.start()
        while len(done) < 20:
            time.sleep(0.01)
        victim = psutil.Process(state.pid)
        victim.kill()
        writer.join()
        with pytest.raises(DatabaseUnavailable):
            client.read("pairs")
    # Its connections end before it does.
    with contextlib.suppress(psutil.NoSuchProcess):
        victim.wait(30)
    assert read_state(home) is None
    with pytest.raises(DatabaseUnavailable, match="No Neo4j runs"):
        connect(settings)
    assert server.status().running is False

    # 3. `db start` twice, on the folder that the killed one left.
    flags = ["--home", str(settings.home)]
    monkeypatch.setenv("BIOMOLKG_SERVER_CACHE", str(settings.server_cache))
    monkeypatch.setenv("BIOMOLKG_NEO4J_HEAP_MB", str(settings.neo4j_heap_mb))
    assert run([*flags, "db", "start"]) == 0
    assert "Neo4j is running." in capsys.readouterr().out
    state = read_state(home)
    assert state is not None
    assert run([*flags, "db", "start"]) == 0
    assert "running already" in capsys.readouterr().out
    with connect(settings) as client:
        batches = {row["batch"]: row["nodes"] for row in client.read("pairs")}
        assert set(done) <= set(batches), "what was acknowledged is kept"
        assert len(batches) <= len(done) + 1
        assert set(batches.values()) == {400}
        assert client.read("loose") == [{"loose": 0}]

    # 4. Faults while it runs.
    record = home.state_file.read_text()
    home.state_file.unlink()
    with pytest.raises(ServerError, match=rf"Another process \({state.pid}\) already uses the data"):
        ManagedServer(settings).start()
    assert psutil.pid_exists(state.pid), "the server that holds the data is left alone"
    home.state_file.write_text(record)
    password = home.read_password()
    home.password_file.write_text("not the password\n")
    with pytest.raises(AuthenticationFailed, match="refuses the password in"):
        ManagedServer(settings).start()
    home.password_file.unlink()
    assert run([*flags, "db", "start"]) == 1
    assert str(home.password_file) in capsys.readouterr().err
    home.password_file.write_text(password + "\n")

    # 5. Stopped.
    assert run([*flags, "db", "stop"]) == 0
    assert "has stopped" in capsys.readouterr().out
    assert living(state.pid, state.started) is None
    assert run([*flags, "db", "stop"]) == 0
    assert "was not running" in capsys.readouterr().out


@pytest.mark.timeout(900)
def test_two_servers_that_choose_the_same_ports_both_come_up(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = scratch_settings(tmp_path / "other")
    both_chose = threading.Barrier(2, timeout=120)
    offered = choose_ports(settings)
    first_choices = 0
    lock = threading.Lock()

    def choose(given: Settings) -> tuple[int, int]:
        """The same free ports for both, as two services that start together see them."""
        nonlocal first_choices
        with lock:
            first_choices += 1
            mine = first_choices <= 2
        if not mine:
            return choose_ports(given)
        both_chose.wait()
        return offered

    monkeypatch.setattr("cypher.server.choose_ports", choose)
    said: list[str] = []
    reporter = Quiet()
    monkeypatch.setattr(reporter, "say", said.append)
    servers = [ManagedServer(settings, reporter), ManagedServer(other, reporter)]
    try:
        with ThreadPoolExecutor(2) as pool:
            states = list(pool.map(lambda server: server.start(), servers))
    finally:
        for server in servers:
            server.close()
    assert first_choices > 2, "neither found its ports taken"
    assert states[0].bolt_port != states[1].bolt_port
    assert states[0].http_port != states[1].http_port
    (told,) = [line for line in said if "taken" in line]
    assert re.search(r"Its log says: .*:\d+.*already in use", told), told


def test_a_server_that_does_not_come_up_shows_its_log_and_leaves_nothing(settings: Settings) -> None:
    # Long enough for Java to say something, too short for Neo4j to answer.
    hurried = settings.model_copy(update={"neo4j_start_timeout": 3.0})
    with pytest.raises(ServerError, match="did not answer within 3 s") as caught:
        ManagedServer(hurried).start()
    assert "BIOMOLKG_NEO4J_START_TIMEOUT" in str(caught.value)
    assert not server_home(settings).state_file.exists()

    greedy = settings.model_copy(update={"neo4j_pagecache_mb": 10**9})
    with pytest.raises(ServerError, match=r"ended while it started \(exit code \d+\)") as caught:
        ManagedServer(greedy).start()
    assert "BIOMOLKG_NEO4J_PAGECACHE_MB" in str(caught.value)
    assert "exceeds physical memory" in str(caught.value), "the end of the log is shown"
    assert not server_home(settings).state_file.exists()
