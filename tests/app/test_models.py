"""A trained model beside the untrained retriever, over HTTP: taken over, told, and let go."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest

from app.cli import run
from app.schemas import MentionsAnswer
from biomolkg.settings import Settings
from cypher.client import connect
from retrievers.artifacts import Artifact, Training, artifact_path, save_artifact
from retrievers.made_questions import make_questions
from retrievers.snapshot import read_snapshot
from retrievers.triple.trained.features import FEATURES, GAINS
from retrievers.triple.trained.stack import ASKED, HOPS
from retrievers.triple.trained.wording import BUCKETS
from tests.small_tagger import Trained

QUESTION = "Which molecule with a coumarin and a nitro group forms a hydrogen bond with a bisphosphonate?"
PLAIN = "What happens when Warfarin and Fentanyl are combined?"


def model(graph_version: str) -> Artifact:
    """A stack that ranks by the untrained score and believes in one hop only."""
    linear = np.zeros((2, len(FEATURES), 4), dtype=np.float32)
    linear[:, FEATURES.index("untrained"), 0] = 6.0
    shapes = {
        "inner": (2, len(FEATURES) + len(ASKED), 2),
        "inner_bias": (2, 2),
        "outer": (2, 2, 4),
        "gains": (2, len(GAINS)),
        "hops": (BUCKETS, HOPS),
        "hops_bias": (HOPS,),
        "kinds": (BUCKETS,),
        "kinds_bias": (1,),
        "hop_scale": (1,),
        "hop_bias": (HOPS,),
    }
    arrays = {name: np.zeros(shape, dtype=np.float32) for name, shape in shapes.items()}
    arrays["hop_bias"][1:] = -40.0
    training = Training(graph_version, 1346, "asked.csv", "0" * 64, 0, date="2024-05-06T07:08:09+00:00")
    return Artifact("triple", training, {"linear": linear, **arrays})


@pytest.fixture
def home(starter: Settings, http: httpx.Client) -> Iterator[Settings]:
    """Settings of the running service; afterwards it has no model again."""
    yield starter
    for name in ("triple", "gcn", "mentions"):
        artifact_path(starter.home, name).unlink(missing_ok=True)
    trained = ("triple", "neo4j")
    until(
        lambda: (
            not any(told(http, name)["trained"] for name in trained)
            and not http.get("/readyz").json()["notes"]
        )
    )


def told(http: httpx.Client, retriever: str = "triple") -> dict[str, object]:
    rows = http.get("/v1/retrievers").json()["retrievers"]
    return next(row for row in rows if row["name"] == retriever)


def until(holds: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "the service did not notice the model"
        time.sleep(0.1)


def ask(http: httpx.Client, retriever: str = "triple", **fields: object) -> httpx.Response:
    asked = {"question": QUESTION, "k": 5, "explain": True} | fields
    return http.post(f"/v1/retrieve/{retriever}", json=asked)


def test_a_running_service_takes_a_model_over(home: Settings, http: httpx.Client) -> None:
    version = http.get("/readyz").json()["graph_version"]
    assert ask(http).json()["model"] == "untrained"
    assert "biomolkg train --retriever triple" in str(told(http)["training"])
    save_artifact(home.home, model(version))
    until(lambda: bool(told(http)["trained"]))
    account = str(told(http)["training"])
    assert all(part in account for part in ("1346 questions", "asked.csv", "2024-05-06", version))
    answers = {name: ask(http, model=name).json() for name in ("auto", "trained", "untrained")}
    assert {name: answer["model"] for name, answer in answers.items()} == {
        "auto": "trained",
        "trained": "trained",
        "untrained": "untrained",
    }
    trained, untrained = (answers[name]["results"][0]["hits"] for name in ("trained", "untrained"))
    assert trained[0]["triple"] == untrained[0]["triple"]
    assert trained[0]["score"] != untrained[0]["score"]
    for hit in trained:
        assert sum(hit["parts"].values()) == pytest.approx(hit["score"], abs=1e-6)
    lines = http.post(
        "/v1/retrieve/triple", json={"question": QUESTION}, headers={"Accept": "application/x-ndjson"}
    )
    assert lines.json()["model"] == "trained"
    mixed = ask(http, kinds=["REACTOME", "DDI"]).json()["results"][0]
    assert any("without training" in note for note in mixed["notes"])
    plain = ask(http, question=PLAIN).json()["results"][0]
    assert plain["hits"]
    assert plain["hits"] == ask(http, question=PLAIN, model="untrained").json()["results"][0]["hits"]
    # What rests on these scores takes them for what they are.
    for path in ("/v1/retrieve/hybrid", "/v1/answer"):
        both = [
            http.post(path, json={"question": PLAIN, "model": name}).json()["results"][0]
            for name in ("trained", "untrained")
        ]
        for result in both:
            del result["notes"]
        assert both[0] == both[1]


@pytest.mark.parametrize("fault", ["another graph", "damaged", "misshapen"])
def test_a_model_that_does_not_fit_is_told_and_not_served(
    home: Settings, http: httpx.Client, fault: str
) -> None:
    artifact = model("another" if fault == "another graph" else http.get("/readyz").json()["graph_version"])
    if fault == "misshapen":
        artifact = Artifact("triple", artifact.training, {"linear": np.zeros(3, dtype=np.float32)})
    path = save_artifact(home.home, artifact)
    if fault == "damaged":
        path.write_bytes(path.read_bytes()[:-4])
    until(lambda: bool(http.get("/readyz").json()["notes"]))
    ready = http.get("/readyz")
    assert ready.status_code == 200
    assert "biomolkg train" in ready.json()["notes"][0]
    refused = ask(http, model="trained")
    assert refused.status_code == 503
    assert refused.json()["type"] == "urn:biomolkg:problem:model-not-ready"
    assert ask(http).json()["model"] == "untrained"
    assert "biomolkg train" in str(told(http)["training"])


def test_what_the_command_trains_is_served_at_once(
    home: Settings, http: httpx.Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with connect(home) as client:
        asked = make_questions(read_snapshot(client), count=24, seed=3)
    file = tmp_path / "asked.jsonl"
    lines = [{"question": item.question, "gold": item.gold} for item in asked.questions]
    lines.append({"question": "Who?", "gold": [["Nobody", "knows", "Noone"]]})
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    chosen = ["--retriever", "triple", "--retriever", "gcn"]
    assert run(["--home", str(home.home), "train", "--questions", str(file), *chosen, "--json"]) == 0
    models = json.loads(capsys.readouterr().out)["models"]
    model = models["triple"]
    assert models["gcn"]["questions"] == 24
    assert model["questions"] == 24
    assert model["figures"]["questions_left_out"] == 1
    assert 0 < model["figures"]["cross_validated_mrr"] <= 1
    assert 0 < model["figures"]["untrained_mrr"] <= 1
    until(lambda: bool(told(http)["trained"] and told(http, "gcn")["trained"]))
    assert "24 questions (asked.jsonl)" in str(told(http)["training"])
    for retriever in ("triple", "gcn"):
        answer = ask(http, retriever).json()
        assert answer["model"] == "trained"
        hits = answer["results"][0]["hits"]
        assert hits
        assert all(sum(hit["parts"].values()) == pytest.approx(hit["score"], abs=1e-6) for hit in hits)


def test_training_needs_names_and_files_that_exist(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "--retriever", "bm25"]) == 2
    assert "These can: triple" in capsys.readouterr().err
    assert run(["train", "--retriever", "triple", "--tokens", "typed.txt"]) == 2
    assert "--retriever mentions" in capsys.readouterr().err
    assert run(["train", "--tokens", "nowhere.txt"]) == 2
    assert "nowhere.txt cannot be read" in capsys.readouterr().err
    assert run(["train", "--questions", "nowhere.csv"]) == 2
    assert "nowhere.csv cannot be read" in capsys.readouterr().err


def test_a_trained_tagger_finds_what_no_name_is(
    home: Settings, http: httpx.Client, small_tagger: Trained
) -> None:
    text = "Trazodonne caused nausea in mice. No headache was seen after warfarin."
    asked = {"question": "Which proteins does Trazodone inhibit?", "k": 3}
    before = http.post("/v1/mentions", json={"text": text}).json()["mentions"]
    assert [item["text"] for item in before] == ["warfarin"]
    assert "biomolkg train --retriever mentions" in str(told(http, "neo4j")["training"])
    assert http.post("/v1/mentions", json={"text": text, "model": "trained"}).status_code == 503
    save_artifact(home.home, small_tagger.artifact)
    until(lambda: bool(told(http, "neo4j")["trained"]))
    found = MentionsAnswer.model_validate_json(http.post("/v1/mentions", json={"text": text}).content)
    assert [(it.text, it.label if it.entity is None else "linked") for it in found.mentions] == [
        ("Trazodonne", "linked"),
        ("nausea", "Disease"),
        ("headache", "Disease"),
        ("warfarin", "linked"),
    ]
    untrained = http.post("/v1/mentions", json={"text": text, "model": "untrained"})
    assert untrained.json()["mentions"] == before
    assert found.mentions[0].entity is not None
    assert found.mentions[0].entity.name == "Trazodone"
    assert [item["label"] for item in http.post("/v1/mentions", json={"text": text}).json()["mentions"]
            if "label" in item] == ["Disease", "Disease"]  # fmt: skip
    answers = {
        model: http.post("/v1/retrieve/neo4j", json={**asked, "model": model}).json()
        for model in ("trained", "untrained")
    }
    assert answers["trained"]["model"] == "trained"
    assert answers["trained"]["results"] == answers["untrained"]["results"]
    wrong = {**asked, "question": "Which proteins does Trazodonne inhibit?"}
    named = http.post("/v1/retrieve/neo4j", json=wrong).json()["results"][0]
    assert [mention["entity"]["name"] for mention in named["mentions"]] == ["Trazodone"]
    assert "Trazodone" in {named["hits"][0]["triple"][end]["name"] for end in ("head", "tail")}


def test_a_damaged_tagger_is_told_and_names_are_found_without_it(
    home: Settings, http: httpx.Client, small_tagger: Trained
) -> None:
    path = save_artifact(home.home, small_tagger.artifact)
    path.write_bytes(path.read_bytes()[:-4])
    until(lambda: bool(http.get("/readyz").json()["notes"]))
    assert "biomolkg train --retriever mentions" in str(told(http, "neo4j")["training"])
    refused = http.post("/v1/retrieve/neo4j", json={"question": PLAIN, "model": "trained"})
    assert refused.json()["type"] == "urn:biomolkg:problem:model-not-ready"
    found = http.post("/v1/mentions", json={"text": "warfarin"}).json()["mentions"]
    assert [item["text"] for item in found] == ["warfarin"]
