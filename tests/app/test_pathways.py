"""Pathways and reactions over HTTP, and Reactome's facts as triples."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.graph_state import missing_starter_parts
from biomolkg.settings import Settings
from cypher.client import Client, connect
from graph_loader.bundled_reactome import read_bundled_reactome
from graph_loader.loading import load_starter, load_starter_pathways
from graph_loader.sources.reactome import Reactome
from tests.cypher.statements import own_statements
from tests.reactome_part import PATHWAYS, narrowed, write_part

from .test_docs import page


@pytest.fixture(scope="module")
def graph(starter: Settings) -> Iterator[Client]:
    with connect(starter) as client:
        yield client


@pytest.fixture(scope="module")
def bundled() -> Reactome:
    """The part of the bundled tables that the graph has."""
    return narrowed(read_bundled_reactome(), PATHWAYS)


def facts(http: httpx.Client, question: str, retriever: str, *kinds: str) -> list[dict[str, Any]]:
    """The triples of the three best hits."""
    body = {"question": question, "kinds": kinds, "k": 3}
    answer = http.post(f"/v1/retrieve/{retriever}", json=body).raise_for_status().json()
    return [hit["triple"] for hit in answer["results"][0]["hits"]]


def asked(bundled: Reactome, count: int) -> list[tuple[str, str, str, frozenset[str]]]:
    """Questions about reactions: the question, the relation, the reaction, and the names that answer it."""
    wordings = {
        "catalyzes": ("Which protein catalyzes the reaction {}?", "What is the catalyst of {}?"),
        "consumes": ("What goes into the reaction {}?", "Which molecules does {} consume?"),
        "produces": ("What does the reaction {} produce?",),
    }
    chosen = random.Random(11)
    names = Counter(reaction.name for reaction in bundled.reactions.values())
    single = [reaction for reaction in bundled.reactions.values() if names[reaction.name] == 1]
    found = []
    while len(found) < count:
        relation = sorted(wordings)[len(found) % len(wordings)]
        reaction = chosen.choice(single)
        ends = {
            "catalyzes": reaction.catalysts,
            "consumes": [part.entity for part in reaction.inputs],
            "produces": [part.entity for part in reaction.outputs],
        }[relation]
        if ends:
            answers = frozenset(bundled.entities[end].name for end in ends)
            question = chosen.choice(wordings[relation]).format(reaction.name)
            found.append((question, relation, reaction.id, answers))
    return found


@pytest.mark.parametrize(("retriever", "enough"), [("triple", 48), ("neo4j", 46)])
def test_questions_about_a_reaction_put_a_right_triple_first(
    http: httpx.Client, bundled: Reactome, retriever: str, enough: int
) -> None:
    right = 0
    for question, relation, reaction, answers in asked(bundled, 50):
        first = next(iter(facts(http, question, retriever, "REACTOME")), None)
        if first is not None and first["relation"] == relation and first["kind"] == "REACTOME":
            event, end = ("tail", "head") if relation == "catalyzes" else ("head", "tail")
            right += first[event]["id"] == f"reactome:{reaction}" and first[end]["name"] in answers
    assert right >= enough


@pytest.mark.parametrize("retriever", ["triple", "neo4j"])
def test_facts_of_reactome_come_only_when_they_are_asked_for(http: httpx.Client, retriever: str) -> None:
    plain = facts(http, "What does Trazodone inhibit?", retriever)
    assert plain
    assert "REACTOME" not in {fact["kind"] for fact in plain}
    # So much is told that the ranking has to find what is meant.
    question = (
        "A tired gardener on a wooden bench under a purple umbrella asks "
        "which pathways serotonin takes part in, and what Trazodone inhibits?"
    )
    assert {fact["kind"] for fact in facts(http, question, retriever, "REACTOME")} == {"REACTOME"}
    answer = http.post(
        f"/v1/retrieve/{retriever}",
        json={"question": question, "kinds": ["REACTOME", "DPI"], "k": 40, "explain": True},
    ).json()
    hits: Sequence[dict[str, Any]] = answer["results"][0]["hits"]
    assert {hit["triple"]["kind"] for hit in hits} == {"REACTOME", "DPI"}
    scores = [hit["score"] for hit in hits]
    assert scores == sorted(set(scores), reverse=True)
    assert [hit["rank"] for hit in hits] == list(range(1, len(hits) + 1))


def test_participants_are_paged_and_counted(http: httpx.Client) -> None:
    path = "/v1/pathways/R-HSA-109581"
    pathway = http.get(path).json()["pathway"]
    listed: list[dict[str, Any]] = []
    while len(listed) < pathway["participants"]:
        page = http.get(f"{path}/participants", params={"limit": 150, "offset": len(listed)}).json()
        assert page["total"] == pathway["participants"]
        assert page["participants"], "a page is empty before all were listed"
        listed += page["participants"]
    assert len({item["entity"]["id"] for item in listed}) == len(listed)
    assert sum(item["direct"] for item in listed) == pathway["direct"]
    lower = http.get(f"{path}/participants", params={"direct": "false", "label": "Protein", "limit": 200})
    assert {item["entity"]["label"] for item in lower.json()["participants"]} == {"Protein"}
    assert http.get(f"{path}/participants", params={"limit": 1_000}).status_code == 422


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("/v1/pathways/R-HSA-177284", "/v1/reactions/R-HSA-177284"),
        ("/v1/pathways/R-HSA-177284/participants", "/v1/reactions/R-HSA-177284"),
        ("/v1/reactions/R-HSA-109606.3", "/v1/pathways/R-HSA-109606"),
        ("/v1/reactions/R-HSA-111920", "physical entity"),
        ("/v1/pathways/R-HSA-999999999", "/v1/graph"),
        ("/v1/pathways/apoptosis", "R-HSA-109606"),
        (f"/v1/reactions/{'x' * 500}", "R-HSA-109606"),
    ],
)
def test_unknown_ids_are_told_with_a_hint(http: httpx.Client, path: str, hint: str) -> None:
    answer = http.get(path)
    assert answer.status_code == 404
    assert answer.headers["content-type"] == "application/problem+json"
    assert hint in answer.json()["detail"]
    assert len(answer.json()["detail"]) < 300


def test_from_drug_to_target_to_pathway_as_documented(graph: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = re.findall(r"^```cypher\n(.*?)^```$", page("reactome.md"), flags=re.MULTILINE | re.DOTALL)
    own_statements(monkeypatch, {f"own/{at}": text for at, text in enumerate(shown)})
    reached, left = graph.read("own/0"), graph.read("own/1")
    assert ("Loxapine", "5-hydroxytryptamine receptor 1B", "Serotonin receptors") in {
        (row["drug"], row["target"], row["pathway"]) for row in reached
    }
    assert {row["evidence"].startswith("identifier uniprot:") for row in reached} == {True}
    assert {"GUCY2D", "GUCY2F", "NANP"} < {row["gene"] for row in left}
    assert "HTR1B" not in {row["gene"] for row in left}


def test_a_second_load_writes_nothing(graph: Client, starter: Settings, tmp_path: Path) -> None:
    assert missing_starter_parts(graph) == ()
    write_part(tmp_path)
    assert not load_starter_pathways(graph, starter, folder=tmp_path).changed
    assert not load_starter(graph, starter).changed


def test_relation_types_count_the_edges_that_are_read_as_triples(
    graph: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {
        "own/stated": "MATCH (r:RelationType {kind: 'REACTOME'}) WHERE size(r.embedding) = 384 "
        "RETURN sum(r.count) AS count",
        "own/found": "MATCH (:Reaction)-[e:INPUT|OUTPUT|CATALYZED_BY|REGULATED_BY]->() WITH count(e) AS some "
        "MATCH ()-[e:PARTICIPATES_IN {direct: true}]->() WITH some, count(e) AS more "
        "RETURN some + more AS count",
    }
    own_statements(monkeypatch, texts)
    (stated,), (found,) = graph.read("own/stated"), graph.read("own/found")
    assert stated == found
    assert found["count"] > 1_000
