"""What serves needs nothing that only trains or measures: every retriever answers without it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from cypher.client import connect
from cypher.server import ManagedServer
from gnn.training import Schedule
from gnn.training import train as train_network
from retrievers.artifacts import save_artifact
from retrievers.made_questions import make_questions
from retrievers.snapshot import Snapshot, read_snapshot
from retrievers.training_questions import TrainingSet
from retrievers.triple import TripleRetriever
from retrievers.triple.trained.training import train as train_triple
from tests.app.serving_only import unavailable_modules
from tests.app.test_serve import Service, environment
from tests.small_tagger import Trained

PROGRAM = ("-u", str(Path(__file__).with_name("serving_only.py")))
NETWORKS = ("gcn", "sage", "gat")
TRAINED = ("triple", *NETWORKS)
QUESTION = "Which proteins does Trazodone inhibit?"
STRUCTURE = "Which molecule with a coumarin and a nitro group forms a hydrogen bond with a bisphosphonate?"


def few_questions(snapshot: Snapshot) -> TrainingSet:
    made = make_questions(snapshot, seed=0)
    every = max(1, len(made.questions) // 30)
    return TrainingSet(made.origin, made.questions[::every][:30])


def train_all(snapshot: Snapshot, settings: Settings) -> None:
    """A model of each kind, hardly trained: how it is computed is the same."""
    encoder = SentenceEncoder(settings)
    questions = few_questions(snapshot)
    short = Schedule(epochs=1, batch=32, width=16, near=8, random=50, of_kind=20)
    for name in NETWORKS:
        artifact = train_network(
            snapshot, questions, settings, architecture=name, schedule=short, encoder=encoder
        )
        save_artifact(settings.home, artifact)
    triple = TripleRetriever(snapshot, encoder, settings)
    try:
        save_artifact(settings.home, train_triple(triple, snapshot, questions, seed=0, networks=1))
    finally:
        triple.close()


@pytest.fixture(scope="module")
def service(
    starter: Settings, small_tagger: Trained, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Service]:
    own = starter.model_copy(update={"home": tmp_path_factory.mktemp("serving")})
    with connect(starter) as client:
        train_all(read_snapshot(client), own)
    save_artifact(own.home, small_tagger.artifact)
    server = ManagedServer(starter)
    state = server.status()
    assert state.bolt is not None
    given = {
        "BIOMOLKG_NEO4J_URI": state.bolt,
        "BIOMOLKG_NEO4J_PASSWORD": server.home.read_password(),
    }
    with Service(own, program=PROGRAM, **given) as running:
        running.ready()
        yield running


@pytest.mark.timeout(600)
def test_every_retriever_answers_without_what_trains(service: Service) -> None:
    rows = {row["name"]: row for row in service.http.get("/v1/retrievers").json()["retrievers"]}
    assert set(rows) >= {"triple", "neo4j", "bm25", "dense", "hybrid", "molecule", *NETWORKS}
    assert not service.http.get("/readyz").json()["notes"]
    assert {name for name, row in rows.items() if row["trained"]} >= set(TRAINED)
    for name in rows:
        for model in ("untrained", "trained") if name == "triple" else ("auto",):
            for question in (QUESTION, STRUCTURE):
                asked = {"question": question, "k": 5, "model": model}
                answer = service.http.post(f"/v1/retrieve/{name}", json=asked)
                assert answer.status_code == 200, (name, answer.text)
                if name in TRAINED:
                    assert answer.json()["model"] == ("trained" if model == "auto" else model)
                    assert answer.json()["results"][0]["hits"], name
    assert service.http.post("/v1/answer", json={"question": QUESTION}).json()["results"]
    mentions = service.http.post("/v1/mentions", json={"text": "zarvopin caused nausea", "model": "trained"})
    assert mentions.status_code == 200, mentions.text


def test_what_trains_and_measures_is_out_of_reach_there() -> None:
    assert {"torch", "flair", "transformers", "sentence_transformers", "torch_geometric"} <= {
        *unavailable_modules()
    }
    assert {"pyarrow", "scipy", "ir_measures", "matplotlib", "botocore"} <= {*unavailable_modules()}


@pytest.mark.parametrize(
    ("command", "extra", "target"),
    [
        (("train",), "train", "make train"),
        (("bench", "biomolmqa", "--questions", "FILE"), "bench", "make measure"),
        (("bench", "split", "--questions", "FILE", "--out", "split"), "bench", "make measure"),
    ],
)
def test_a_command_without_its_extra_says_in_one_line_what_to_run(
    tmp_path: Path, command: tuple[str, ...], extra: str, target: str
) -> None:
    questions = tmp_path / "asked.csv"
    questions.write_text("Question,Question_Background\n", encoding="utf-8")
    words = [str(questions) if word == "FILE" else word for word in command]
    done = subprocess.run(
        [sys.executable, *PROGRAM, *words],
        env=environment(Settings(_env_file=None, home=tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert f"pip install 'biomolkg[{extra}]'" in line
    assert target in line
