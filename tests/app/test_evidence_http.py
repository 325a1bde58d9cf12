"""What every hit says of its worth: evidence, all sources, contradictions, properties on request."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from retrievers.evidence_types import EVIDENCE_TYPES, MEANINGS, evidence_type
from retrievers.hits import TRIPLE_KINDS

TRAZODONE = "pubchem.compound:5533"
ASPIRIN = "pubchem.compound:2244"
WARFARIN, FENTANYL = "pubchem.compound:6691", "pubchem.compound:3345"
Json = dict[str, Any]


def ask(http: httpx.Client, question: str, retriever: str = "triple", **fields: object) -> list[Json]:
    response = http.post(f"/v1/retrieve/{retriever}", json={"question": question, **fields})
    assert response.status_code == 200, response.text
    hits: list[Json] = response.json()["results"][0]["hits"]
    return hits


def neighbors(http: httpx.Client, entity: str, **query: object) -> list[Json]:
    response = http.get(f"/v1/entities/{entity}/neighbors", params={"limit": 200, **query})  # type: ignore[dict-item]
    assert response.status_code == 200, response.text
    found: list[Json] = response.json()["neighbors"]
    return found


@pytest.mark.parametrize("retriever", ["triple", "neo4j"])
def test_every_hit_says_what_evidence_it_is(http: httpx.Client, retriever: str) -> None:
    for question, *kinds in (
        ("Which proteins does Trazodone inhibit?",),
        ("Which proteins does Trazodone inhibit?", "ACTION"),
        ("Which drugs interact with Trazodone?", "DDI"),
        ("Which drugs have a molecular interaction with Trazodone?", "MOLECULAR"),
        ("Which proteins does Trazodone inhibit?", "REACTOME"),
    ):
        hits = ask(http, question, retriever, kinds=kinds, k=20)
        assert hits, question
        assert {hit["triple"]["kind"] for hit in hits} <= set(kinds or ["DPI", "ACTION"])
        for hit in hits:
            assert hit["evidence_type"] == evidence_type(hit["triple"]["kind"])
            assert hit["source"] in hit["sources"]
            assert isinstance(hit["disputed"], bool)
            assert "properties" not in hit


def test_passages_say_it_too(http: httpx.Client) -> None:
    for retriever in ("bm25", "dense", "hybrid"):
        hits = ask(http, "What is known of the structure of Trazodone?", retriever, k=50)
        passages = [hit for hit in hits if hit["kind"] == "passage"]
        assert passages
        assert {hit["evidence_type"] for hit in passages} == {"composed"}


@pytest.mark.parametrize("retriever", ["triple", "neo4j", "hybrid"])
def test_evidence_is_a_filter(http: httpx.Client, retriever: str) -> None:
    question = "What is known about Trazodone?"
    for evidence in (["report_signal"], ["database"], ["model_written"], ["database", "model_written"]):
        hits = ask(http, question, retriever, evidence=evidence, k=20)
        assert hits
        assert {hit["evidence_type"] for hit in hits} <= set(evidence)
    assert ask(http, question, retriever, evidence=["text_mined"]) == []
    pair = {"question": "What happens when Warfarin and Fentanyl are combined?"}
    (signal, *_) = ask(http, pair["question"], retriever, evidence=["report_signal"])
    assert {signal["triple"][end]["id"] for end in ("head", "tail")} == {WARFARIN, FENTANYL}
    # That a fact was not looked at is not said to be no fact.
    for narrow in ({"evidence": ["database"]}, {"kinds": ["MOLECULAR"]}):
        (result,) = http.post(f"/v1/retrieve/{retriever}", json=pair | narrow).json()["results"]
        assert result["hits"] == []
        assert any("filters of the request" in note for note in result["notes"])
    refused = http.post(f"/v1/retrieve/{retriever}", json={"question": question, "evidence": ["rumour"]})
    assert refused.status_code == 422


def test_properties_of_the_edges_come_where_they_are_asked_for(http: httpx.Client) -> None:
    (hit, *_) = ask(http, "What happens when Warfarin and Fentanyl are combined?", include=["properties"])
    (signal,) = hit["properties"]
    assert signal["umls"].startswith("C")
    assert signal["source"] == hit["source"]
    assert not {"relation", "digest"} & signal.keys()
    hits = ask(http, "Which proteins does Trazodone inhibit?", kinds=["DPI"], include=["properties"])
    rows = [row for hit in hits for row in hit["properties"]]
    assert rows
    for row in rows:
        assert row["stitch"]
        assert all({"mode", "action", "score", "source"} <= one.keys() for one in row["stitch"])
        assert all(0 < one["score"] <= 1_000 for one in row["stitch"])


def test_identifiers_and_labels_of_both_ends_come_where_they_are_asked_for(http: httpx.Client) -> None:
    hits = ask(http, "Which proteins does Trazodone inhibit?", kinds=["DPI"], include=["xrefs", "labels"])
    for hit in hits:
        for end in (hit["triple"]["head"], hit["triple"]["tail"]):
            assert end["label"] in end["labels"]
            assert end["xrefs"]
    drug = next(hit["triple"]["head"] for hit in hits if hit["triple"]["head"]["id"] == TRAZODONE)
    assert "drugbank:DB00656" in drug["xrefs"]
    (hit, *_) = ask(http, "apoptosis", kinds=["REACTOME"], include=["labels"])
    assert all(hit["triple"][end]["label"] in hit["triple"][end]["labels"] for end in ("head", "tail"))


def test_facts_of_a_pair_that_contradict_each_other_are_disputed(http: httpx.Client) -> None:
    found = {
        (row["triple"]["head"]["id"], row["triple"]["tail"]["id"], row["triple"]["relation"]): row["disputed"]
        for page in http.get("/v1/entities", params={"label": "Drug", "limit": 200}).json()["entities"]
        for row in neighbors(http, page["id"], kinds=["DPI", "ACTION"])
    }
    says: dict[tuple[str, str], set[str]] = {}
    for head, tail, relation in found:
        says.setdefault((head, tail), set()).update(
            word for word in ("inhibition", "activation") if word in relation
        )
    contrary = {pair for pair, words in says.items() if len(words) == 2}
    assert contrary
    for (head, tail, relation), disputed in found.items():
        polar = "inhibition" in relation or "activation" in relation
        assert disputed == (polar and (head, tail) in contrary)


def test_rows_that_say_the_same_are_one_fact_with_all_sources(http: httpx.Client) -> None:
    rows = [
        row
        for page in http.get("/v1/entities", params={"label": "Drug", "limit": 200}).json()["entities"]
        for row in neighbors(http, page["id"], kinds=["ACTION"])
    ]
    told = [
        (row["triple"]["head"]["id"], row["triple"]["relation"], row["triple"]["tail"]["id"]) for row in rows
    ]
    assert len(told) == len(set(told))
    assert any(len(row["sources"]) > 1 for row in rows)
    assert all(row["sources"] == list(dict.fromkeys(row["sources"])) for row in rows)


def test_classes_of_a_drug_are_among_its_neighbours_when_asked_for(http: httpx.Client) -> None:
    assert all(row["triple"]["kind"] != "HAS_ROLE" for row in neighbors(http, ASPIRIN))
    rows = neighbors(http, ASPIRIN, kinds=["HAS_ROLE"], include="properties,labels")
    assert {row["evidence_type"] for row in rows} == {"curated"}
    assert {row["triple"]["tail"]["label"] for row in rows} == {"DrugClass"}
    named = {row["triple"]["tail"]["name"]: row for row in rows}
    role = named["non-steroidal anti-inflammatory drug"]
    assert role["properties"][0]["via"].startswith("chebi:")
    members = neighbors(http, role["triple"]["tail"]["id"], kinds=["HAS_ROLE"], direction="in")
    assert ASPIRIN in {row["triple"]["head"]["id"] for row in members}
    assert http.get(f"/v1/entities/{ASPIRIN}").json()["entity"]["facts"]["HAS_ROLE"] == len(rows)


def test_the_graph_counts_its_evidence(http: httpx.Client) -> None:
    body = http.get("/v1/graph").json()
    counted = {row["evidence_type"]: row for row in body["evidence"]}
    triples = body["counts"]["triples"]
    assert counted["report_signal"]["triples"] == triples["DDI"]
    assert counted["database"]["triples"] == triples["DPI"] + triples["ACTION"]
    assert counted["model_written"]["triples"] == triples["MOLECULAR"]
    assert counted["curated"]["triples"] == triples["HAS_ROLE"] > 0
    assert sum(row["passages"] for row in body["evidence"]) == sum(body["counts"]["passages"].values())
    for name, row in counted.items():
        meaning = MEANINGS[name]  # type: ignore[index]
        assert (row["knowledge_level"], row["agent_type"]) == (meaning.knowledge_level, meaning.agent_type)


def test_every_kind_has_a_type_of_evidence_and_every_type_a_meaning() -> None:
    assert set(MEANINGS) == set(EVIDENCE_TYPES)
    assert {evidence_type(kind) for kind in TRIPLE_KINDS} <= set(EVIDENCE_TYPES)
    assert evidence_type("PASSAGE", "spl:1:2") == "label"
