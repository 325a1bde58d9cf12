"""`biomolkg serve` as a process: its life, its ends, and what it leaves behind."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self, get_args

import httpx
import psutil
import pytest

from app.commands.ask import Kind
from app.schemas import AskedKind
from biomolkg.settings import Settings
from tests.reactome_part import write_part

PROJECT = Path(__file__).resolve().parents[2]
QUESTION = {"question": "What happens when Warfarin and Fentanyl are combined?", "k": 3}


def environment(settings: Settings, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BIOMOLKG_")}
    return kept | {
        "BIOMOLKG_HOME": str(settings.home),
        "BIOMOLKG_SERVER_CACHE": str(settings.server_cache),
        "BIOMOLKG_NEO4J_HEAP_MB": "512",
        "BIOMOLKG_NEO4J_PAGECACHE_MB": "64",
        "BIOMOLKG_WATCH_INTERVAL": "0.2",
        "BIOMOLKG_STARTER_PATHWAYS": "false",
        **more,
    }


class Service:
    """`biomolkg serve` on a free port, its lines and a client."""

    def __init__(
        self, settings: Settings, *flags: str, program: tuple[str, str] = ("-m", "app.cli"), **more: str
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *program, "serve", "--port", "0", *flags],
            cwd=PROJECT,
            env=environment(settings, **more),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.lines: list[str] = []
        self.errors: list[str] = []
        self._readers = [
            threading.Thread(target=self._read, args=(stream, lines), daemon=True)
            for stream, lines in ((self.process.stdout, self.lines), (self.process.stderr, self.errors))
        ]
        for reader in self._readers:
            reader.start()
        self.http = httpx.Client(base_url=self._address(), timeout=60, trust_env=False)

    @staticmethod
    def _read(stream: object, lines: list[str]) -> None:
        # One by one, so that a line is seen when it is written.
        lines.extend(line.rstrip("\n") for line in stream)  # type: ignore[attr-defined]

    def _address(self) -> str:
        def listening() -> str | None:
            return next(
                (found.group() for line in self.lines if (found := re.search(r"http://\S+:\d+", line))), None
            )

        return until(listening, 60, lambda: f"{self.lines} {self.errors}")

    def ready(self) -> dict[str, object]:
        def answers() -> dict[str, object] | None:
            assert self.process.poll() is None, self.errors
            with contextlib.suppress(httpx.TransportError):
                response = self.http.get("/readyz")
                return response.json() if response.status_code == 200 else None
            return None

        return until(answers, 280, lambda: f"{self.lines} {self.errors}")

    def neo4j(self) -> int:
        """The process id of the managed Neo4j below this service."""
        for child in psutil.Process(self.process.pid).children(recursive=True):
            with contextlib.suppress(psutil.Error):
                # The supervisor beside it has the same words among its arguments.
                if child.name() == "java" and "CommunityEntryPoint" in " ".join(child.cmdline()):
                    return child.pid
        pytest.fail("no Neo4j runs below the service")

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        code = self.process.wait(60)
        for reader in self._readers:
            reader.join(10)
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()
        if self.process.poll() is None:
            self.end(signal.SIGKILL)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()


def until(found: object, seconds: float, state: object) -> object:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = found()  # type: ignore[operator]
        if value:
            return value
        time.sleep(0.05)
    pytest.fail(f"not within {seconds} s: {state()}")  # type: ignore[operator]


def gone(processes: list[psutil.Process], seconds: float = 40) -> None:
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    assert not alive, [process.cmdline()[:3] for process in alive]


@pytest.fixture
def own_home(tmp_path: Path, neo4j_server: Settings) -> Settings:
    """A home that has never been used; Neo4j's files are those of the run, and so is the encoder's check."""
    if (neo4j_server.home / "models").exists():
        shutil.copytree(neo4j_server.home / "models", tmp_path / "home" / "models")
    return neo4j_server.model_copy(update={"home": tmp_path / "home"})


@pytest.mark.timeout(900)
def test_a_life_with_two_murders(own_home: Settings) -> None:
    with Service(own_home) as first:
        assert first.http.get("/healthz").status_code == 200
        early = first.http.get("/readyz")
        assert early.status_code == 503
        assert early.json()["reason"]
        refused = first.http.post("/v1/retrieve/triple", json=QUESTION)
        assert refused.status_code == 503
        assert refused.json()["type"] == "urn:biomolkg:problem:not-ready"
        version = first.ready()["graph_version"]
        before = first.http.post("/v1/retrieve/triple", json=QUESTION).json()["results"]

        os.kill(first.neo4j(), signal.SIGKILL)
        lost = until(
            lambda: (found := first.http.get("/readyz")).status_code == 503 and found.json(),
            30,
            lambda: first.lines,
        )
        assert isinstance(lost, dict)
        assert lost["stage"] == "database"
        away = first.http.get("/v1/graph")
        assert away.status_code == 503 or away.json()["graph_version"] == version
        assert first.ready()["graph_version"] == version
        assert first.http.post("/v1/retrieve/neo4j", json=QUESTION).status_code == 200
        assert re.search(
            r"^biomolkg_neo4j_restarts_total [1-9]", first.http.get("/metrics").text, re.MULTILINE
        )

        left = first.children()
        assert len(left) >= 2
        first.process.kill()
        first.process.wait(10)
        # No wait here: the next start has to cope with a Neo4j that is still ending.
        with Service(own_home) as second:
            assert second.ready()["graph_version"] == version
            gone(left)
            assert second.http.post("/v1/retrieve/triple", json=QUESTION).json()["results"] == before
            assert not any("Loading the starter graph" in line for line in second.lines)
            below = second.children()
            assert second.end(signal.SIGINT) == 130
            gone(below, 1)
            assert second.lines[-1] == "Stopped."
        for service in (first, second):
            assert "Traceback" not in "\n".join([*service.lines, *service.errors])


BLOCKED = """
    import json, os, socket
    _connect, _lookup = socket.socket.connect, socket.getaddrinfo

    def _note(address):
        with open(os.environ["ATTEMPTS"], "a") as file:
            file.write(json.dumps(str(address)) + "\\\\n")

    def _local(host):
        return host in (None, "", "localhost") or str(host).startswith("127.") or host == "::1"

    def connect(self, address):
        if isinstance(address, tuple) and not _local(address[0]):
            _note(address)
            raise OSError("refused by the test")
        return _connect(self, address)

    def getaddrinfo(host, *rest, **more):
        if not _local(host.decode() if isinstance(host, bytes) else host):
            _note(host)
            raise socket.gaierror("refused by the test")
        return _lookup(host, *rest, **more)

    socket.socket.connect = connect
    socket.getaddrinfo = getaddrinfo
"""


def test_nothing_outside_is_called_at_run_time(starter: Settings, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(textwrap.dedent(BLOCKED).replace("\\\\n", "\\n"))
    attempts = tmp_path / "attempts"
    attempts.touch()
    refusing = {"PYTHONPATH": str(tmp_path), "ATTEMPTS": str(attempts), "HF_HUB_OFFLINE": "0"}
    probe = "import socket\ntry: socket.create_connection(('192.0.2.1', 80))\nexcept OSError: pass"
    subprocess.run([sys.executable, "-c", probe], env=environment(starter, **refusing), check=True)
    assert "192.0.2.1" in attempts.read_text(), "the guard does not guard"
    attempts.write_text("")
    with Service(starter, **refusing) as service:
        service.ready()
        remote: set[str] = set()
        watched = [psutil.Process(service.process.pid), *service.children()]
        for retriever in ("triple", "neo4j"):
            assert service.http.post(f"/v1/retrieve/{retriever}", json=QUESTION).json()["results"][0]["hits"]
            for process in watched:
                with contextlib.suppress(psutil.Error):
                    remote |= {link.raddr.ip for link in process.net_connections() if link.raddr}
        assert service.http.get("/v1/entities", params={"q": "warfarin"}).json()["entities"]
        assert service.http.get("/docs").status_code == 200
        assert {
            ip for ip in remote if not ip.startswith("127.") and ip not in ("::1", "::ffff:127.0.0.1")
        } == set()
        assert service.end(signal.SIGTERM) == 0
    assert attempts.read_text() == ""
    # The Neo4j that ran before goes on running.
    done = run_command(starter, "db", "status", "--json")
    assert json.loads(done.stdout)["running"] is True


STUCK = """
import sys, time
import app.cli, app.routers.retrieval
app.routers.retrieval._Asked.answer = lambda *_: time.sleep(600)
sys.exit(app.cli.run(sys.argv[1:]))
"""


def test_a_stuck_worker_is_told_and_does_not_hold_up_the_end(starter: Settings) -> None:
    limits = {
        "BIOMOLKG_WORKER_THREADS": "1",
        "BIOMOLKG_REQUEST_TIMEOUT": "3",
        "BIOMOLKG_SHUTDOWN_TIMEOUT": "1",
        "BIOMOLKG_LOG_FORMAT": "json",
    }
    with Service(starter, program=("-c", STUCK), **limits) as service:
        service.ready()
        late = service.http.post("/v1/retrieve/triple", json=QUESTION)
        assert late.status_code == 504
        assert "fewer questions" not in late.json()["detail"]
        told = until(
            lambda: (found := service.http.get("/readyz")).status_code == 503 and found.json(),
            60,
            lambda: service.lines,
        )
        assert isinstance(told, dict)
        assert told["stage"] == "stuck"
        assert "one piece of work" in told["reason"]
        answers: list[httpx.Response] = []
        waiting = threading.Thread(
            target=lambda: answers.append(service.http.post("/v1/retrieve/triple", json=QUESTION))
        )
        waiting.start()
        time.sleep(0.5)
        # The worker sleeps for ten minutes, and this waits for one: it is not waited for.
        assert service.end(signal.SIGTERM) == 0
        waiting.join(10)
        assert [answer.status_code for answer in answers] == [503]
        assert "is ending" in answers[0].json()["detail"]
        logged = "\n".join(service.errors)
        assert "threads are still at work" in logged
        assert "Exception in ASGI" not in logged
        assert '"status": 0' not in logged
        assert service.lines[-1] == "Stopped."


def run_command(settings: Settings, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "app.cli", *words],
        cwd=PROJECT,
        env=environment(settings, **more),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture(scope="module")
def taken_port() -> Iterator[int]:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen(1)
        yield holder.getsockname()[1]


@pytest.mark.parametrize(
    ("words", "variables", "code", "expected"),
    [
        (["serve", "--port", "TAKEN"], {}, 2, "is taken by another program"),
        (["serve", "--host", "300.1.1.1"], {}, 2, "cannot listen on 300.1.1.1"),
        (["serve", "--port", "65536"], {}, 2, "less than or equal to 65535"),
        (["serve"], {"BIOMOLKG_PORT": "x"}, 2, "BIOMOLKG_PORT"),
        (["--neo4j-uri", "http://x", "serve"], {}, 2, "BIOMOLKG_NEO4J_URI"),
        (["serve", "--port", "0"], {"BIOMOLKG_JAVA_HOME": "/nowhere"}, 2, "There is no bin/java in /nowhere"),
        (["serve", "--port", "0"], {"BIOMOLKG_HOME": "/proc/nowhere"}, 1, "/proc/nowhere"),
        (["nonsense"], {}, 2, "nonsense"),
        (["ask"], {}, 2, "Missing argument"),
        (["ask", "x", "--url", "http://127.0.0.1:1"], {}, 1, "No service answers at http://127.0.0.1:1"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_work_is_one_clear_message(
    own_home: Settings, taken_port: int, words: list[str], variables: dict[str, str], code: int, expected: str
) -> None:
    words = [str(taken_port) if word == "TAKEN" else word for word in words]
    done = run_command(own_home, *words, **variables)
    assert expected in " ".join(done.stderr.split()), (done.stdout, done.stderr)
    assert done.returncode == code
    assert "Traceback" not in done.stderr + done.stdout
    assert not (own_home.home / "neo4j" / "data" / "databases").exists()


def test_help_needs_no_model_and_no_driver() -> None:
    heavy = "{'torch', 'neo4j', 'numpy', 'fastapi'}"
    code = f"import sys, app.cli; app.cli.run(['--help']); print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip().endswith("[]")
    assert "doctor" in done.stdout


def test_ask_a_service_and_without_one(starter: Settings, http: httpx.Client) -> None:
    for words in (["--url", str(http.base_url)], []):
        done = run_command(starter, "ask", QUESTION["question"], "--k", "2", *words, BIOMOLKG_PORT="1")
        assert done.returncode == 0, done.stderr
        assert "warfarin" in done.stdout
        assert "fentanyl" in done.stdout
        assert "DDI_subset.csv" in done.stdout
    assert [kind.value for kind in Kind] == list(get_args(AskedKind))
    url = ["--url", str(http.base_url), "--json"]
    for kinds, verdict, facts in (
        ([], "yes", {"ACTION"}),  # of COX-1 the graph knows nothing else
        (["--kind", "ACTION", "--kind", "DPI"], "yes", {"ACTION"}),
        (["--kind", "DDI"], "unknown", set()),
    ):
        done = run_command(starter, "ask", "Does aspirin inhibit COX-1?", "--k", "1", *kinds, *url)
        (result,) = json.loads(done.stdout)["results"]
        assert result["verdict"] == verdict
        assert {fact["kind"] for fact in result["because"]} == facts
    unknown = run_command(starter, "ask", "x", "--retriever", "nothing", "--url", str(http.base_url))
    assert unknown.returncode == 2
    assert "triple" in unknown.stderr


def test_doctor_finds_nothing_wrong_and_then_what_is(starter: Settings, own_home: Settings) -> None:
    well = run_command(starter, "doctor", "--json", BIOMOLKG_PORT="0")
    findings = {finding["subject"]: finding for finding in json.loads(well.stdout)}
    assert {finding["state"] for finding in findings.values()} == {"ok"}, findings
    assert {"database", "indexes", "graph", "sentence encoder", "chemical names"} <= set(findings)
    assert well.returncode == 0
    ill = run_command(own_home, "doctor", BIOMOLKG_PORT="0", BIOMOLKG_ENCODER_PATH="/nowhere")
    assert ill.returncode == 1
    assert "FAIL  sentence encoder" in ill.stdout
    assert "note  database" in ill.stdout
    assert "BIOMOLKG_ENCODER_PATH" in ill.stdout


HELD = """
import dataclasses, os, sys, time
from pathlib import Path
import app.cli, app.starter

def load(client, settings, *, report):
    def held(table, done, total):
        while not Path(os.environ["GATE"]).exists():
            report(table, done, total)
            time.sleep(0.1)
        report(table, done, total)
    return parts[-1].load(client, settings, folder=Path(os.environ["PART"]), report=held)

parts = app.starter.PARTS
app.starter.PARTS = (*parts[:-1], dataclasses.replace(parts[-1], load=load))
sys.exit(app.cli.run(sys.argv[1:]))
"""


@pytest.mark.timeout(900)
def test_questions_are_answered_while_pathways_load(own_home: Settings, tmp_path: Path) -> None:
    gate, part = tmp_path / "gate", tmp_path / "part"
    part.mkdir()
    write_part(part)
    given = {"GATE": str(gate), "PART": str(part), "BIOMOLKG_STARTER_PATHWAYS": "true"}
    with Service(own_home, program=("-c", HELD), **given) as service:
        early = service.ready()
        assert early["loading"] is True
        before = service.http.post("/v1/retrieve/triple", json=QUESTION).json()
        assert before["results"][0]["hits"]
        until(
            lambda: any("questions are answered meanwhile" in line for line in service.lines),
            60,
            lambda: service.lines,
        )
        assert service.http.get("/readyz").json()["graph_version"] == early["graph_version"]
        gate.touch()
        later = until(
            lambda: (found := service.http.get("/readyz").json())["loading"] is False and found,
            120,
            lambda: service.lines,
        )
        assert isinstance(later, dict)
        assert later["ready"] is True
        assert later["graph_version"] != early["graph_version"]
        after = service.http.post("/v1/retrieve/triple", json=QUESTION).json()
        assert after["graph_version"] == later["graph_version"]
        assert after["results"][0]["hits"] == before["results"][0]["hits"]
        assert service.http.get("/v1/graph").json()["counts"]["nodes"]["Pathway"] > 10
        assert service.end(signal.SIGTERM) == 0
        told = "\n".join(service.lines)
        for line in (
            r"Neo4j 5\.26\.\d+ runs after [\d.]+ s: bolt://",
            r"Loaded drugs, proteins and their interactions: [\d,]+ rows in [\d.]+ s\.",
            r"BioMolKG is ready after [\d.]+ s",
            r"Loaded Reactome's pathways and reactions: [\d,]+ rows in [\d.]+ s\.",
        ):
            assert re.search(line, told), (line, told)
