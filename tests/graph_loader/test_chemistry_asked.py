"""Molecular edges from a language model: a real HTTP server that answers well, badly, late or not."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from biomolkg.errors import BioMolKGError, ConfigurationError, InvalidMolecule, RequestFailed, RequestTimeout
from biomolkg.language_model import LanguageModel
from biomolkg.settings import Settings
from graph_loader.interactions.asked import propose_all, proposer
from graph_loader.interactions.categories import Category
from graph_loader.interactions.rules import propose
from graph_loader.ledger import Omissions

ACID, AMINE = "CC(=O)O", "CCN"
GOOD = propose(ACID, AMINE).model_dump(mode="json")


def completion(content: object) -> bytes:
    return json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode()


def changed(**fields: object) -> str:
    """The good answer with its first proposal changed."""
    first, *rest = GOOD["proposals"]
    return json.dumps({"proposals": [first | fields, *rest]})


class Model(ThreadingHTTPServer):
    """Answers with what is queued, one entry a request: (status, body, seconds between two halves)."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answering)
        self.answers: list[tuple[int, bytes, float]] = []
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []

    def settings(self, **fields: object) -> Settings:
        given = {
            "llm_base_url": f"http://127.0.0.1:{self.server_address[1]}/v1/",
            "llm_model": "tester",
            "llm_api_key": "secret",
        }
        return Settings(_env_file=None, **(given | fields))  # type: ignore[arg-type]

    def answer(self, *contents: object) -> None:
        self.answers += [(200, completion(content), 0.0) for content in contents]


class _Answering(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests.append((dict(self.headers) | {"path": self.path}, body))
        status, content, pause = self.server.answers.pop(0)
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        half = len(content) // 2
        try:
            self.wfile.write(content[:half])
            self.wfile.flush()
            if pause:
                time.sleep(pause)
            self.wfile.write(content[half:])
        except OSError:
            return

    def log_message(self, *_: object) -> None:
        return


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_a_good_answer_is_taken_and_the_question_is_whole(model: Model) -> None:
    model.answer(json.dumps(GOOD))
    with proposer(model.settings()) as proposing:
        assert proposing(ACID, AMINE) == propose(ACID, AMINE)
    ((headers, body),) = model.requests
    assert (headers["path"], headers["Authorization"]) == ("/v1/chat/completions", "Bearer secret")
    assert (body["model"], body["temperature"]) == ("tester", 0)
    assert body["response_format"]["json_schema"]["schema"]["title"] == "Proposals"
    asked = body["messages"][-1]["content"]
    assert f"First molecule: {ACID}\natoms: C0 C1 O2 O3" in asked
    assert f"Second molecule: {AMINE}\natoms: C0 C1 N2" in asked
    assert all(category in body["messages"][0]["content"] for category in Category)


def test_a_fenced_answer_and_one_that_proposes_nothing_are_taken(model: Model) -> None:
    model.answer(f"```json\n{json.dumps(GOOD)}\n```", '{"proposals": []}')
    with proposer(model.settings()) as proposing:
        assert proposing(ACID, AMINE) == propose(ACID, AMINE)
        assert proposing(ACID, AMINE).proposals == ()


BAD = {
    "prose": "They could form hydrogen bonds.",
    "not the form": '{"edges": []}',
    "a category of its own": changed(category="Covalent Bonding"),
    "a severity of its own": changed(severity="fatal"),
    "a score above one": changed(score=3),
    "no evidence": changed(first=[]),
    "an atom that is not there": changed(first=[{"role": "cation", "group": "amine", "atoms": [99]}]),
    "a negative atom": changed(first=[{"role": "cation", "group": "amine", "atoms": [-1]}]),
    "a field too many": changed(confidence="high"),
    "a text without end": changed(mechanism="x" * 10_000),
    "a category twice": json.dumps({"proposals": [GOOD["proposals"][0]] * 2}),
}


@pytest.mark.parametrize("bad", BAD.values(), ids=BAD)
def test_a_bad_answer_is_sent_back_once(model: Model, bad: str) -> None:
    model.answer(bad, json.dumps(GOOD), bad, bad)
    with proposer(model.settings()) as proposing:
        assert proposing(ACID, AMINE) == propose(ACID, AMINE)
        repeated = model.requests[1][1]["messages"]
        assert [message["role"] for message in repeated] == ["system", "user", "assistant", "user"]
        with pytest.raises(RequestFailed, match="twice"):
            proposing(ACID, AMINE)
    assert len(model.requests) == 4


FAILING = {
    "server error": ((500, b"boom", 0.0), RequestFailed, "500"),
    "key refused": ((401, b"{}", 0.0), RequestFailed, "401"),
    "no JSON": ((200, b"<html>", 0.0), RequestFailed, "not a chat completion"),
    "no choices": ((200, b'{"choices": []}', 0.0), RequestFailed, "not a chat completion"),
    "no text": ((200, completion(None), 0.0), RequestFailed, "without a text"),
    "not UTF-8": ((200, b"\xff\xfe\x00", 0.0), RequestFailed, "not a chat completion"),
    "nested without end": ((200, b"[" * 100_000, 0.0), RequestFailed, "not a chat completion"),
    "too long": ((200, completion("x" * 2_000_000), 0.0), RequestFailed, "too long"),
    "late": ((200, completion(json.dumps(GOOD)), 1.0), RequestTimeout, "in time"),
}


@pytest.mark.parametrize(("answer", "error", "message"), FAILING.values(), ids=FAILING)
def test_a_failing_model_is_named(
    model: Model, answer: tuple[int, bytes, float], error: type[BioMolKGError], message: str
) -> None:
    model.answers.append(answer)
    with proposer(model.settings(llm_timeout=0.3 if error is RequestTimeout else 20.0)) as proposing:
        with pytest.raises(error, match=message) as caught:
            proposing(ACID, AMINE)
        assert "secret" not in str(caught.value)
    assert len(model.requests) == 1


def test_one_failing_pair_does_not_stop_the_others(model: Model) -> None:
    model.answers = [
        (200, completion(json.dumps(GOOD)), 0.0),
        (503, b"", 0.0),
        (200, completion(json.dumps(GOOD)), 0.0),
    ]
    omissions = Omissions()
    pairs = [("1", ACID, AMINE), ("2", ACID, AMINE), ("bad", "C1CC", AMINE), ("3", ACID, AMINE)]
    with proposer(model.settings()) as proposing:
        kept = [identity for identity, _ in propose_all(pairs, proposing, omissions, file="pairs")]
    assert kept == ["1", "3"]
    assert {(it.reason, it.offenders) for it in omissions.listed()} == {
        ("the language model failed or gave no usable answer", ("2",)),
        ("a structure cannot be read", ("bad",)),
    }
    assert len(model.requests) == 3


def test_a_model_that_is_away_or_half_configured(model: Model) -> None:
    away = model.settings(llm_base_url="http://127.0.0.1:9/v1")
    with proposer(away) as proposing, pytest.raises(RequestFailed, match="cannot be reached"):
        proposing(ACID, AMINE)
    with pytest.raises(ConfigurationError), proposer(model.settings(llm_model=None)):
        pass
    with pytest.raises(ConfigurationError):
        LanguageModel(Settings(_env_file=None))
    with proposer(model.settings()) as proposing, pytest.raises(InvalidMolecule):
        proposing("C1CC", AMINE)
    assert model.requests == []
