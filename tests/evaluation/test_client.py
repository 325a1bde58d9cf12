"""The client against a server that misbehaves on purpose: put off, slow, wrong, gone."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from app.cli import run
from biomolkg.errors import InvalidRequest, RequestFailed
from evaluation.client import Patience, ServiceClient

Reply = tuple[int, dict[str, str], bytes]
TRIPLE = {"head": {"name": "A-1"}, "relation": "x y", "tail": {"name": "B"}, "kind": "DDI"}
PROBLEM = {"detail": "The service is full.", "errors": [{"field": "k", "message": "is over 100"}]}


def hit(rank: int, score: float, **evidence: Any) -> dict[str, Any]:
    return {"rank": rank, "score": score, "source": "made", **(evidence or {"triple": TRIPLE})}


def answer(questions: list[str], *hits: dict[str, Any], **fields: Any) -> dict[str, Any]:
    results = [{"question": question, "mentions": [], "hits": list(hits)} for question in questions]
    return {"graph_version": "v1", "results": results, "took_ms": 1.0, **fields}


def ok(body: object) -> Reply:
    return 200, {"Content-Type": "application/json"}, json.dumps(body).encode()


def put_off(after: str | None, *, status: int = 503) -> Reply:
    headers = {"Content-Type": "application/problem+json"} | ({} if after is None else {"Retry-After": after})
    return status, headers, json.dumps(PROBLEM).encode()


class FaultyServer:
    """Gives its replies in turn, the last one for ever; keeps the bodies it was sent."""

    def __init__(self) -> None:
        self.replies: list[Reply | Callable[[], Reply]] = []
        self.bodies: list[Any] = []
        outer = self

        class Turn(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.bodies.append(body)
                reply = outer.replies.pop(0) if len(outer.replies) > 1 else outer.replies[0]
                status, headers, content = reply() if callable(reply) else reply
                self.send_response(status)
                for name, value in {**headers, "Content-Length": str(len(content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def do_GET(self) -> None:
                content = json.dumps({"graph_version": "v1", "version": "made"}).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_: object) -> None: ...

        class QuietServer(ThreadingHTTPServer):
            # A client that gave up waiting breaks the pipe; that is the fault under test.
            def handle_error(self, *_: object) -> None: ...

        self.http = QuietServer(("127.0.0.1", 0), Turn)
        self.url = f"http://127.0.0.1:{self.http.server_port}"


@pytest.fixture
def server() -> Iterator[FaultyServer]:
    faulty = FaultyServer()
    thread = threading.Thread(target=faulty.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield faulty
    faulty.http.shutdown()
    thread.join()
    faulty.http.server_close()


@pytest.fixture
def client(server: FaultyServer) -> Iterator[ServiceClient]:
    with ServiceClient(server.url + "/", Patience(timeout=2.0, retries=2, longest_wait=1.0)) as client:
        yield client


def test_hits_become_keys_in_their_order(server: FaultyServer, client: ServiceClient) -> None:
    server.replies = [ok(answer(["Q?"], hit(1, 2.5), hit(2, 1.5, passage={"id": "p 1"})))]
    found = client.retrieve("triple", ["Q?"], k=7, options={"model": "untrained"})
    assert server.bodies == [{"questions": ["Q?"], "k": 7, "model": "untrained"}]
    (ranking,) = found.rankings
    assert (ranking.keys, ranking.scores) == (("A-1-xy-B", "passage:p1"), (2.5, 1.5))
    assert (found.graph_version, found.server_ms) == ("v1", 1.0)
    assert found.seconds > 0


def test_questions_go_in_batches_and_come_back_in_order(server: FaultyServer, client: ServiceClient) -> None:
    asked = [f"Question {n}?" for n in range(5)]
    server.replies = [lambda: ok(answer(server.bodies[-1]["questions"], hit(1, float(len(server.bodies)))))]
    answers = list(client.batches("triple", asked, k=1, size=2))
    assert [body["questions"] for body in server.bodies] == [asked[:2], asked[2:4], asked[4:]]
    assert [len(found.rankings) for found in answers] == [2, 2, 1]


def test_a_request_that_is_put_off_is_repeated_when_the_service_says_so(
    server: FaultyServer, client: ServiceClient
) -> None:
    server.replies = [put_off("1"), put_off("Wed, 21 Oct 2015 07:28:00 GMT"), ok(answer(["Q?"]))]
    start = time.monotonic()
    assert client.retrieve("triple", ["Q?"], k=1).rankings[0].keys == ()
    assert time.monotonic() - start >= 1.0
    assert client.retries == 2


@pytest.mark.parametrize(
    ("reply", "requests"),
    [
        (put_off("0"), 3),  # as often as patience allows
        (put_off("3600"), 1),  # longer than patience allows
        (put_off(None), 1),  # not asked to come again
        (put_off("soon"), 1),
        (put_off("0", status=422), 1),
        (put_off("0", status=500), 1),
    ],
)
def test_a_refusal_ends_the_run_with_the_problem(
    server: FaultyServer, client: ServiceClient, reply: Reply, requests: int
) -> None:
    server.replies = [reply]
    with pytest.raises(RequestFailed, match=f"{reply[0]}.*The service is full. k: is over 100"):
        client.retrieve("triple", ["Q?"], k=1)
    assert len(server.bodies) == requests


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ((200, {}, b"<html>"), "not JSON"),
        ((200, {}, b"[]"), "not a JSON object"),
        (ok({"results": []}), "graph_version: Field required"),
        (ok(answer([])), "in their order"),
        (ok(answer(["Another?"])), "in their order"),
        (ok(answer(["Q?"], hit(1, 2.0), hit(2, 1.0), hit(3, 0.5))), "3 hits for k = 2"),
        (ok(answer(["Q?"], hit(1, 1.0), hit(2, 2.0))), "the score rises"),
        (ok(answer(["Q?"], hit(2, 1.0))), "ranks"),
        (ok(answer(["Q?"], {"rank": 1, "score": 1.0})), "neither a triple nor a passage"),
        (ok(answer(["Q?"], hit(1, float("nan")))), "score"),
    ],
)
def test_an_answer_against_the_contract_is_refused(
    server: FaultyServer, client: ServiceClient, reply: Reply, says: str
) -> None:
    server.replies = [reply]
    with pytest.raises(RequestFailed, match="not what the HTTP contract promises") as caught:
        client.retrieve("triple", ["Q?"], k=2)
    assert says in str(caught.value)


def test_a_graph_that_changes_under_a_run_ends_it(server: FaultyServer, client: ServiceClient) -> None:
    server.replies = [ok(answer(["Q?"])), ok(answer(["Q?"], graph_version="v2"))]
    with pytest.raises(RequestFailed, match="from version v1 to v2"):
        list(client.batches("triple", ["Q?", "Q?"], k=1, size=1))


def test_no_answer_in_time_and_no_service_at_all_say_what_to_do(server: FaultyServer) -> None:
    late = threading.Event()

    def slow() -> Reply:
        late.wait(5)
        return ok(answer(["Q?"]))

    server.replies = [slow]
    with (
        ServiceClient(server.url, Patience(timeout=0.2)) as hasty,
        pytest.raises(RequestFailed, match=r"not answered within 0.2 s.*--timeout"),
    ):
        hasty.retrieve("triple", ["Q?"], k=1)
    late.set()

    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with ServiceClient(url) as lonely, pytest.raises(RequestFailed, match=r"No service.*make serve"):
            lonely.get("/version")
    for wrong in ("localhost:8000", "http://[", "ftp://127.0.0.1", ""):
        with pytest.raises(InvalidRequest, match="no http address"):
            ServiceClient(wrong)


def test_the_command_ends_with_an_error_when_a_request_fails(
    server: FaultyServer, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = tmp_path / "made.csv"
    questions.write_text(
        'Question,Question_Background\nQ?,"INTERACTION TRIPLE (subject-predicate-object): A-b-C"\n'
    )
    server.replies = [put_off(None, status=500)]
    arguments = ["--questions", str(questions), "--url", server.url, "--json", str(tmp_path / "out.json")]
    assert run(["bench", "biomolmqa", *arguments]) == 1
    shown = capsys.readouterr()
    assert "triple failed" in shown.err
    assert "neo4j failed" in shown.err
    assert "The service is full." in shown.err
    assert set(json.loads((tmp_path / "out.json").read_text())["failures"]) == {"triple", "neo4j"}
