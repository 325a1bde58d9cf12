"""The parts of the managed server that need no server: supervisor, state, ports, Java, folder."""

import json
import os
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from biomolkg.errors import ConfigurationError, ServerError
from biomolkg.settings import Settings
from cypher import supervisor
from cypher.distribution import find_distribution
from cypher.home import ServerHome, write_private
from cypher.java import find_java
from cypher.ports import choose_ports, is_free
from cypher.state import ServerState, living, read_state, write_state

_STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); time.sleep(60)"
)


def wait_until(true: Callable[[], bool], seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def supervised(patience: float, *command: str) -> list[str]:
    return [sys.executable, "-I", supervisor.__file__, str(patience), *command]


@pytest.mark.parametrize("code", [0, 1, 2])
def test_the_supervisor_ends_as_its_command_does(code: int) -> None:
    command = supervised(5, sys.executable, "-c", f"raise SystemExit({code})")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert int(process.stdout.readline()) > 0
        assert process.wait(timeout=20) == code


@pytest.mark.parametrize("script", ["import time; time.sleep(60)", _STUBBORN])
def test_a_supervised_command_ends_when_its_parent_is_killed(script: str) -> None:
    parent = (
        "import subprocess, sys, time\n"
        f"command = {supervised(0.2, sys.executable, '-c', script)!r}\n"
        "child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)\n"
        "print(child.stdout.readline().decode(), flush=True)\n"
        "time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", parent], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        started = psutil.Process(pid).create_time()
        assert living(pid, started)
        process.send_signal(signal.SIGKILL)
    assert wait_until(lambda: living(pid, started) is None)


def state_of(pid: int, started: float) -> ServerState:
    return ServerState(pid, started, 7687, 7474, "5.26.30", owner=0, owner_started=0.0)


def test_only_the_process_that_was_recorded_counts_as_the_server(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    me = psutil.Process()
    assert read_state(home) is None
    write_state(home, state_of(me.pid, me.create_time()))
    assert read_state(home) == state_of(me.pid, me.create_time())
    write_state(home, state_of(me.pid, me.create_time() - 60))  # the id was reused
    assert read_state(home) is None
    ended = subprocess.Popen([sys.executable, "-c", ""])
    started = psutil.Process(ended.pid).create_time()
    assert wait_until(lambda: living(ended.pid, started) is None), "a zombie is no server"
    ended.wait()


_MISTYPED = json.dumps(
    {"pid": "x", "started": "y", "version": 1, "owner": 0, "owner_started": 0}
    | {"bolt_port": 1, "http_port": 2}
)


@pytest.mark.parametrize("text", [_MISTYPED, "", "{", "[]", "{}", '{"pid": 1}', "\x00", '{"pid": "x"}'])
def test_a_damaged_record_counts_as_none(tmp_path: Path, text: str) -> None:
    home = ServerHome(tmp_path)
    home.state_file.write_text(text)
    assert read_state(home) is None


def test_a_secret_is_never_readable_by_others(tmp_path: Path) -> None:
    path = tmp_path / "password"
    path.write_text("old")
    path.chmod(0o644)
    write_private(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["password"]


def test_each_home_makes_its_own_password(tmp_path: Path) -> None:
    homes = [ServerHome(tmp_path / name) for name in "ab"]
    for home in homes:
        home.prepare()
    passwords = [home.make_password() for home in homes]
    assert passwords[0] != passwords[1]
    assert homes[0].make_password() == passwords[0]
    assert min(map(len, passwords)) >= 20


def test_a_taken_port_is_avoided_or_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert not is_free(port)
        with pytest.raises(ConfigurationError, match=f"Port {port} is taken") as caught:
            choose_ports(Settings(_env_file=None, neo4j_bolt_port=port))
        assert "BIOMOLKG_NEO4J_BOLT_PORT" in str(caught.value)
        with pytest.raises(ConfigurationError, match="BIOMOLKG_NEO4J_HTTP_PORT"):
            choose_ports(Settings(_env_file=None, neo4j_http_port=port))
    with pytest.raises(ConfigurationError, match="BIOMOLKG_NEO4J_HTTP_PORT"):
        choose_ports(Settings(_env_file=None, neo4j_bolt_port=port, neo4j_http_port=port))


def test_when_the_usual_ports_are_taken_any_others_are_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as bolt, socket.create_server(("127.0.0.1", 0)) as http:
        monkeypatch.setattr("cypher.ports._BOLT", bolt.getsockname()[1])
        monkeypatch.setattr("cypher.ports._HTTP", http.getsockname()[1])
        chosen = choose_ports(Settings(_env_file=None))
        assert len({*chosen, bolt.getsockname()[1], http.getsockname()[1]}) == 4
        assert all(map(is_free, chosen))


def test_the_bundled_java_runs() -> None:
    java = find_java(None)
    assert java.major in {17, 21}
    assert find_java(java.executable.parent.parent) == java


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (None, "no bin/java"),
        ("echo 'openjdk version \"11.0.2\"' >&2", "Java 11"),
        ("exit 1", "no Java that runs"),
    ],
)
def test_a_java_that_cannot_run_neo4j_is_refused(tmp_path: Path, script: str | None, told: str) -> None:
    if script is not None:
        (tmp_path / "bin").mkdir()
        (tmp_path / "bin" / "java").write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / "bin" / "java").chmod(0o700)
    with pytest.raises(ConfigurationError, match=told) as caught:
        find_java(tmp_path)
    assert "BIOMOLKG_JAVA_HOME" in str(caught.value)


@pytest.mark.parametrize(("jar", "told"), [(None, "no Neo4j"), ("neo4j-4.4.1.jar", r"Neo4j 4\.4\.1")])
def test_a_neo4j_home_without_the_right_neo4j_is_refused(tmp_path: Path, jar: str | None, told: str) -> None:
    (tmp_path / "lib").mkdir()
    if jar:
        (tmp_path / "lib" / jar).touch()
    with pytest.raises(ConfigurationError, match=told):
        find_distribution(Settings(_env_file=None, neo4j_home=tmp_path))


def test_a_neo4j_of_the_users_own_comes_before_the_fetched_one(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "neo4j-5.26.1.jar").touch()
    found = find_distribution(Settings(_env_file=None, neo4j_home=tmp_path, server_cache=tmp_path / "none"))
    assert (found.lib, found.version) == (tmp_path / "lib", "5.26.1")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ServerError, match=r"file.*: Not a directory") as caught:
        ServerHome(tmp_path / "file" / "neo4j").prepare()
    assert "BIOMOLKG_HOME" in str(caught.value)
    if os.geteuid() != 0:  # root may write everywhere
        (tmp_path / "locked").mkdir(mode=0o500)
        with pytest.raises(ServerError, match="Permission denied"):
            ServerHome(tmp_path / "locked" / "neo4j").prepare()


def test_a_nearly_full_disk_is_told_before_neo4j_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _path: SimpleNamespace(free=50 * 2**20))
    with pytest.raises(ServerError, match=r"nearly full \(50 MB free\)"):
        ServerHome(tmp_path).prepare()


def test_the_record_holds_no_password(tmp_path: Path) -> None:
    home = ServerHome(tmp_path)
    write_state(home, state_of(1, 1.0))
    assert set(json.loads(home.state_file.read_text())) == {
        "pid", "started", "bolt_port", "http_port", "version", "owner", "owner_started",
    }  # fmt: skip


def test_a_password_is_nothing_that_a_command_line_reads_otherwise(tmp_path: Path) -> None:
    for number in range(300):
        home = ServerHome(tmp_path / str(number))
        home.root.mkdir()
        assert home.make_password().isalnum()
