"""`biomolkg bench plain`: questions made from the starter graph, and asked of the running service."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from app.cli import run
from biomolkg.errors import InvalidRequest
from biomolkg.names import name_key
from biomolkg.settings import Settings
from cypher.client import Client, connect
from evaluation.plain import (
    KINDS,
    Graph,
    Names,
    Question,
    make_questions,
    read_graph,
    read_names,
    read_questions,
    read_wordings,
)
from evaluation.plain.graph import pair_key

# The starter graph of the tests has no labels.
NOT_IN_STARTER = {"label section"}
OF_CLASSES = {"class yes", "class unknown", "class members", "class and relation"}
DECLINED = {
    "check nothing", "relation nothing", "interaction nothing", "effect other", "class unknown",
    "pathway nothing", "property not there", "absent drug", "absent protein", "absent effect", "stranger",
    "outside", "acts on a drug", "protein acts",
}  # fmt: skip
OUTCOMES = ("right", "partly", "honest", "wrong")


@pytest.fixture(scope="module")
def database(starter: Settings, http: httpx.Client) -> Iterator[Client]:
    """The database of the running service."""
    assert http.get("/readyz").status_code == 200
    with connect(starter) as client:
        yield client


@pytest.fixture(scope="module")
def graph(database: Client) -> Graph:
    return read_graph(database)


@pytest.fixture(scope="module")
def names(graph: Graph) -> Names:
    return read_names(graph)


@pytest.fixture(scope="module")
def questions(graph: Graph, names: Names) -> tuple[Question, ...]:
    return make_questions(graph, names, read_wordings("set1"), per_kind=6).questions


def test_every_kind_that_the_graph_can_be_asked_is(questions: tuple[Question, ...], graph: Graph) -> None:
    missing = set(KINDS) - {question.kind for question in questions}
    assert missing == NOT_IN_STARTER | (set() if graph.classes else OF_CLASSES)
    assert len({question.question for question in questions}) == len(questions)
    assert len({question.id for question in questions}) == len(questions)
    for question in questions:
        assert "{" not in question.question, question.question
        assert question.gold.decline == (question.kind in DECLINED) or question.kind in {
            "polite", "long text", "lower case",
        }, question  # fmt: skip
        assert len(question.question) <= 4_000


def test_the_same_seed_makes_the_same_questions_of_each_kind(
    graph: Graph, names: Names, questions: tuple[Question, ...]
) -> None:
    wordings = read_wordings("set1")
    kinds = ["misspelt", "other drugs", "interaction nothing"]
    again = make_questions(graph, names, wordings, per_kind=6, kinds=kinds).questions
    assert list(again) == [it for kind in kinds for it in questions if it.kind == kind]
    other = make_questions(graph, names, wordings, per_kind=6, kinds=kinds, seed=1).questions
    assert {it.question for it in other} != {it.question for it in again}
    with pytest.raises(InvalidRequest, match="no kind 'guesses'"):
        make_questions(graph, names, wordings, kinds=["guesses"])


def neighbours(http: httpx.Client, id_: str, kinds: list[str]) -> set[tuple[str, str, str]]:
    found = set()
    offset, total = 0, 1
    while offset < total:
        page = http.get(
            f"/v1/entities/{quote(id_, safe=':')}/neighbors",
            params={"kinds": kinds, "limit": 200, "offset": offset},
        ).json()
        for row in page["neighbors"]:
            triple = row["triple"]
            found.add((triple["head"]["id"], triple["relation"].lower(), triple["tail"]["id"]))
        total, offset = page["total"], offset + 200
    return found


def test_the_facts_are_those_that_the_service_shows(graph: Graph, http: httpx.Client) -> None:
    for protein in random.Random(3).sample(sorted(graph.ligands), 12):
        shown = neighbours(http, protein, ["DPI", "ACTION"])
        assert shown == {
            (drug, relation, protein)
            for drug in graph.ligands[protein]
            for relation in graph.acts[drug, protein]
        }
    for drug in random.Random(4).sample(sorted(graph.partners), 12):
        shown = neighbours(http, drug, ["DDI"])
        assert {(pair_key(head, tail), relation) for head, relation, tail in shown} == {
            (pair_key(drug, other), relation.lower())
            for other in graph.partners[drug]
            for relation in graph.effects[pair_key(drug, other)]
        }


def test_what_is_right_holds_in_the_graph(questions: tuple[Question, ...], graph: Graph) -> None:
    """The gold of each question again, from the question's own words and from nothing that made it."""
    called = {}
    for id_ in {*graph.drugs, *graph.ligands}:
        thing = graph.drugs.get(id_) or graph.proteins[id_]
        for name in filter(None, (thing.name, thing.preferred_name, thing.gene, *thing.synonyms)):
            called.setdefault(name_key(name), set()).add(id_)

    def mentioned(text: str) -> set[str]:
        words = name_key(text).split()
        spans = {" ".join(words[at : at + size]) for at in range(len(words)) for size in range(1, 7)}
        return {next(iter(called[it])) for it in spans & set(called) if len(called[it]) == 1}

    judged = 0
    for question in questions:
        ids = mentioned(question.question)
        drugs, proteins = sorted(ids & set(graph.drugs)), sorted(ids & set(graph.ligands))
        if question.kind == "check nothing" and len(drugs) == len(proteins) == 1:
            assert (drugs[0], proteins[0]) not in graph.acts
        elif question.kind in {"interaction nothing", "relation nothing"} and len(drugs) == 2:
            assert pair_key(*drugs) not in graph.effects
        elif question.kind in {"interaction yes", "effect yes"} and len(drugs) == 2:
            assert pair_key(*drugs) in graph.effects
        elif question.kind == "drugs of a protein" and len(proteins) == 1:
            assert question.gold.items <= graph.ligands[proteins[0]]
        elif question.kind == "proteins of a drug" and len(drugs) == 1:
            assert question.gold.items <= graph.targets[drugs[0]]
        elif question.kind == "partners of a drug" and len(drugs) == 1:
            assert question.gold.items == graph.partners[drugs[0]]
        else:
            continue
        judged += 1
    assert judged >= 20


def test_names_of_what_is_absent_are_absent(names: Names, graph: Graph, http: httpx.Client) -> None:
    assert len(names.absent_drugs) > 50
    for name in random.Random(5).sample(names.absent_drugs, 20):
        found = http.get("/v1/entities", params={"q": name, "limit": 10}).json()["entities"]
        assert name_key(name) not in {name_key(entity["name"]) for entity in found}, name
    for name in names.absent_conditions:
        assert name_key(name) not in {name_key(it) for found in graph.effects.values() for it in found}


def bench(starter: Settings, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setenv("BIOMOLKG_HOME", str(starter.home))
    return run(["bench", "plain", *arguments])


def test_a_run_over_http_tells_all_that_it_measured(
    starter: Settings,
    http: httpx.Client,
    graph: Graph,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out, made, wrong = tmp_path / "out.json", tmp_path / "made.jsonl", tmp_path / "wrong.jsonl"
    chosen = ["proteins of a drug", "interaction nothing", "effect yes", "property", "outside"]
    code = bench(
        starter, monkeypatch, "--url", str(http.base_url), "--limit", "3", "--json", str(out),
        "--write", str(made), "--errors", str(wrong), "--retriever", "triple",
        *(flag for kind in chosen for flag in ("--kind", kind)),
    )  # fmt: skip
    told = capsys.readouterr()
    assert code == 0, told.err
    record: dict[str, Any] = json.loads(out.read_text())
    assert record["service"]["version"]["graph_version"] == http.get("/version").json()["graph_version"]
    run_of = record["runs"]["answer"]
    assert list(run_of["kinds"]) == chosen
    assert run_of["all"]["questions"] == 15 == sum(run_of["all"][it] for it in OUTCOMES)
    assert sum(row["answers"] for row in run_of["confidence"]) == 15
    assert "property" not in record["runs"]["triple"]["kinds"]

    rows = [json.loads(line) for line in wrong.read_text().splitlines()]
    assert sum(row["asked"] == "answer" for row in rows) == 15 - run_of["all"]["right"]
    assert all(row["expected"] and row["got"] for row in rows)

    asked = read_questions(made)
    assert [question.kind for question in asked] == [kind for kind in chosen for _ in range(3)]
    again = tmp_path / "again.json"
    code = bench(
        starter, monkeypatch, "--url", str(http.base_url), "--questions", str(made), "--json", str(again)
    )
    assert code == 0
    assert json.loads(again.read_text())["runs"]["answer"] == run_of


def test_wrong_calls_are_told_in_one_line(
    starter: Settings, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for arguments, why in (
        (["--set", "set0", "--no-ask", "--write", "x"], "no set of wordings"),
        (["--no-ask"], "--write"),
    ):
        assert bench(starter, monkeypatch, *arguments) == 2
        told = capsys.readouterr().err
        assert re.search(why, told)
        assert "Traceback" not in told
