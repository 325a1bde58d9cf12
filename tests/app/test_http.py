"""Every route: it works, what is not there, what is not allowed; and what a hostile caller may send."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from app.schemas import (
    EntitiesAnswer,
    EntityAnswer,
    GraphAnswer,
    MentionsAnswer,
    NeighborsAnswer,
    Problem,
    Readiness,
    RetrieveAnswer,
    RetrieversAnswer,
    Version,
)

RETRIEVERS = ("triple", "neo4j")
PASSAGE_RETRIEVERS = ("bm25", "dense", "molecule")
NETWORKS = ("gcn", "sage", "gat")
TRAZODONE, WARFARIN, FENTANYL = "pubchem.compound:5533", "pubchem.compound:6691", "pubchem.compound:3345"
LUCENE = [
    *'+-!(){}[]^"~*?:\\/',
    "&&",
    "||",
    "AND",
    "OR",
    "NOT",
    "TB-",
    "IL-6",
    "node:",
    "C++",
    "(x)",
    "b/testing",
]


def check_problem(response: httpx.Response, status: int, slug: str, field: str | None = None) -> Problem:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    assert response.headers["x-request-id"]
    found = Problem.model_validate_json(response.content)
    assert found.type == f"urn:biomolkg:problem:{slug}"
    assert found.status == status
    assert found.detail
    if field is not None:
        assert field in [item.field for item in found.errors], found
    return found


def ask(http: httpx.Client, retriever: str = "triple", **fields: Any) -> RetrieveAnswer:
    response = http.post(f"/v1/retrieve/{retriever}", json=fields)
    assert response.status_code == 200, response.text
    return RetrieveAnswer.model_validate_json(response.content)


# --- retrieval


@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_a_question_that_names_two_drugs_gets_their_triple_first(http: httpx.Client, retriever: str) -> None:
    question = "What happens when WARFARIN and fentanyl are combined?"
    answer = ask(http, retriever, question=question, k=5)
    [result] = answer.results
    first = result.hits[0].triple
    assert first is not None
    assert {first.head.id, first.tail.id} == {WARFARIN, FENTANYL}
    assert {mention.entity.id for mention in result.mentions} == {WARFARIN, FENTANYL}
    assert all(question[item.start : item.end] == item.text for item in result.mentions)
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    scores = [hit.score for hit in result.hits]
    assert all(left > right for left, right in pairwise(scores))
    assert all(hit.source.startswith("biomolmqa") for hit in result.hits)


def test_lists_answer_in_order_and_as_single_questions_do(http: httpx.Client) -> None:
    questions = ["Which proteins does Trazodone inhibit?", "zzzz", "Which drugs interact with Warfarin?"] * 25
    answer = ask(http, questions=questions, k=3)
    assert [result.question for result in answer.results] == questions
    alone = ask(http, question=questions[0], k=3).results[0]
    together = [result for result in answer.results if result.question == questions[0]]
    for result in together:
        assert [hit.triple for hit in result.hits] == [hit.triple for hit in alone.hits]


def test_filters_and_explain(http: httpx.Client) -> None:
    answer = ask(
        http, question="What does Trazodone do?", kinds=["DPI"], entities=[TRAZODONE], explain=True, k=4
    )
    hits = answer.results[0].hits
    assert hits
    for hit in hits:
        assert hit.triple is not None
        assert hit.triple.kind == "DPI"
        assert TRAZODONE in {hit.triple.head.id, hit.triple.tail.id}
        assert hit.parts
        assert sum(hit.parts.values()) == pytest.approx(hit.score, rel=1e-4, abs=1e-4)
    none = ask(http, question="What does Trazodone do?", sources=["nowhere"]).results[0]
    assert none.hits == []
    unknown = ask(http, question="What does Trazodone do?", entities=["pubchem.compound:1"]).results[0]
    assert any("pubchem.compound:1 is not in the graph" in note for note in unknown.notes)


@pytest.mark.parametrize("retriever", PASSAGE_RETRIEVERS)
def test_passages_are_ranked_filtered_and_explained(http: httpx.Client, retriever: str) -> None:
    questions = ["Which proteins does Trazodone inhibit?", "", "the of and", *LUCENE, "Trazodone (AND) \\ *"]
    answer = ask(http, retriever, questions=questions, entities=[TRAZODONE], explain=True, k=5)
    assert [result.question for result in answer.results] == questions
    by_question = {result.question: result for result in answer.results}
    for asked in (questions[0], questions[-1]):
        result = by_question[asked]
        assert [mention.entity.id for mention in result.mentions] == [TRAZODONE]
        assert result.hits
        for hit in result.hits:
            assert (hit.kind, hit.triple) == ("passage", None)
            assert hit.passage is not None
            assert hit.passage.entity is not None
            assert hit.passage.entity.id == TRAZODONE
            assert hit.passage.text
            assert hit.source
            assert hit.parts
            assert sum(hit.parts.values()) == pytest.approx(hit.score)
        assert all(left.score > right.score for left, right in pairwise(result.hits))
    for asked in ("", "the of and"):
        assert by_question[asked].hits == []
        assert by_question[asked].notes
    fields = {"question": questions[0], "k": 100}
    everything = ask(http, retriever, **fields).results[0].hits
    assert 0 < len(everything) <= 100
    first = everything[0].passage
    assert first is not None
    assert first.entity is not None
    assert first.entity.id == TRAZODONE
    assert ask(http, retriever, sources=["nowhere"], **fields).results[0].hits == []
    [noted] = ask(http, retriever, kinds=["DPI"], **fields).results
    assert [hit.passage for hit in noted.hits] == [hit.passage for hit in everything]
    assert any(note.startswith("kinds:") for note in noted.notes)
    unknown = ask(http, retriever, entities=["pubchem.compound:1"], **fields).results[0]
    assert any("pubchem.compound:1 is not in the graph" in note for note in unknown.notes)


def test_a_stream_has_a_line_for_each_question_in_order(http: httpx.Client) -> None:
    questions = [f"Which drugs cause side effect number {at} with Warfarin?" for at in range(40)]
    with http.stream(
        "POST",
        "/v1/retrieve/triple",
        json={"questions": questions, "k": 1},
        headers={"Accept": "application/x-ndjson"},
    ) as response:
        assert response.headers["content-type"] == "application/x-ndjson"
        lines = [json.loads(line) for line in response.iter_lines()]
    assert [line["question"] for line in lines] == questions
    assert {line["retriever"] for line in lines} == {"triple"}
    assert len({line["graph_version"] for line in lines}) == 1


def test_an_unknown_retriever_lists_those_there_are(http: httpx.Client) -> None:
    found = check_problem(http.post("/v1/retrieve/nothing", json={"question": "x"}), 404, "not-found")
    for name in (*RETRIEVERS, *PASSAGE_RETRIEVERS):
        assert name in found.detail


def test_a_trained_model_is_refused_while_there_is_none(http: httpx.Client) -> None:
    response = http.post("/v1/retrieve/triple", json={"question": "x", "model": "trained"})
    check_problem(response, 503, "model-not-ready")
    assert ask(http, question="Warfarin", model="untrained").results[0].hits


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "question"),
        ({"question": "x", "questions": ["x"]}, "question"),
        ({"question": None}, "question"),
        ({"question": 7}, "question"),
        ({"question": ["x"]}, "question"),
        ({"question": {"a": 1}}, "question"),
        ({"questions": []}, "questions"),
        ({"questions": "x"}, "questions"),
        ({"questions": ["x", None]}, "questions[1]"),
        ({"questions": ["x"] * 257}, "questions"),
        ({"question": "x" * 4_001}, "question"),
        ({"questions": ["x", "y" * 4_001]}, "questions[1]"),
        ({"question": "x", "k": 0}, "k"),
        ({"question": "x", "k": -1}, "k"),
        ({"question": "x", "k": 101}, "k"),
        ({"question": "x", "k": "5"}, "k"),
        ({"question": "x", "k": 2.5}, "k"),
        ({"question": "x", "k": True}, "k"),
        ({"question": "x", "k": 10**400}, "k"),
        ({"question": "x", "kinds": ["XXX"]}, "kinds[0]"),
        ({"question": "x", "kinds": "DDI"}, "kinds"),
        ({"question": "x", "sources": [1]}, "sources[0]"),
        ({"question": "x", "entities": ["e"] * 257}, "entities"),
        ({"question": "x", "model": "best"}, "model"),
        ({"question": "x", "explain": "yes"}, "explain"),
        ({"question": "x", "quesiton": "y"}, "quesiton"),
        ({"question": "a\x00b"}, "question"),
        ({"questions": ["a", "b\x00"]}, "questions[1]"),
        ({"question": "x", "sources": ["\x00"]}, "sources[0]"),
        ({"question": "x", "entities": ["\x00"]}, "entities[0]"),
        ({"question": "x", "a\x00": 1}, "a\x00"),
        ([], "body"),
        ("x", "body"),
        (None, "body"),
    ],
    ids=lambda value: None if isinstance(value, str) else json.dumps(value)[:40],
)
def test_what_cannot_be_used_is_a_problem_that_names_the_field(
    http: httpx.Client, body: Any, field: str
) -> None:
    check_problem(http.post("/v1/retrieve/triple", json=body), 422, "invalid-request", field)


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b'{"question": "x",}',
        b"\xff\xfe",
        b"nonsense",
        b"[" * 100_000,
        b'{"k":' * 50_000,
        b'{"question": "\xff"}',
    ],
)
def test_a_body_that_is_no_json(http: httpx.Client, body: bytes) -> None:
    response = http.post("/v1/retrieve/triple", content=body, headers={"Content-Type": "application/json"})
    check_problem(response, 400, "malformed-json")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"k": ' + b"9" * 5_000 + b"}", "an integer with too many digits"),
        (b'{"question": "\xff"}', "not UTF-8: the byte at position 14"),
        ('{"question": "x"}'.encode("utf-16"), "looks like UTF-16"),
        ('{"question": "x"}'.encode("utf-16-be"), "looks like UTF-16"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"question": "a\nb"}', "Invalid control character at character 15."),
    ],
    ids=["digits", "bytes", "utf-16", "utf-16-be", "deep", "control"],
)
def test_what_is_wrong_with_a_body_is_named(http: httpx.Client, body: bytes, said: str) -> None:
    response = http.post("/v1/retrieve/triple", content=body, headers={"Content-Type": "application/json"})
    check_problem(response, 400, "malformed-json")
    assert said in response.json()["detail"]


def test_unknown_query_parameters_are_refused(http: httpx.Client) -> None:
    for path in ("/v1/graph", "/v1/retrievers", "/v1/entities", f"/v1/entities/{WARFARIN}"):
        check_problem(http.get(path, params={"nonsense": "1"}), 422, "invalid-request", "nonsense")
    asked = http.post("/v1/retrieve/triple", params={"k": "3"}, json={"question": "x"})
    check_problem(asked, 422, "invalid-request", "k")


def test_nul_bytes_are_refused_wherever_they_are(http: httpx.Client) -> None:
    raw = http.post(
        "/v1/retrieve/triple", content=b'{"question": "a\x00b"}', headers={"Content-Type": "application/json"}
    )
    check_problem(raw, 422, "invalid-request")
    for path in (
        "/v1/entities/a%00b",
        "/v1/entities?q=a%00b",
        "/v1/entities/x/neighbors?kinds=%00",
        "/%00",
        "/healthz?x=%00",
    ):
        check_problem(http.get(path), 422, "invalid-request")
    check_problem(http.post("/v1/retrieve/%00", json={"question": "x"}), 422, "invalid-request")
    check_problem(http.post("/v1/mentions", json={"text": "\x00"}), 422, "invalid-request", "text")


def test_bodies_of_another_type_or_too_large(http: httpx.Client) -> None:
    for headers in (
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {},
    ):
        response = http.post("/v1/retrieve/triple", content=b'{"question": "x"}', headers=headers)
        check_problem(response, 415, "unsupported-media-type")
    large = b'{"question": "' + b"x" * 5_000_000 + b'"}'
    kind = {"Content-Type": "application/json"}
    check_problem(http.post("/v1/retrieve/triple", content=large, headers=kind), 413, "body-too-large")
    pieces = (large[at : at + 65_536] for at in range(0, len(large), 65_536))
    check_problem(http.post("/v1/retrieve/triple", content=pieces, headers=kind), 413, "body-too-large")
    accepted = http.post(
        "/v1/retrieve/triple",
        content=b'{"question": "x"}',
        headers={"Content-Type": "application/json; charset=utf-8"},
    )
    assert accepted.status_code == 200


@pytest.mark.parametrize("retriever", RETRIEVERS)
def test_no_character_is_an_operator(http: httpx.Client, retriever: str) -> None:
    questions = [
        "",
        " ",
        "the of and",
        *LUCENE,
        *(f"Warfarin {text} Fentanyl" for text in LUCENE),
        "😀",
        "β",
    ]
    answer = ask(http, retriever, questions=questions, k=2)
    by_question = {result.question: result for result in answer.results}
    assert by_question[""].hits == []
    for text in LUCENE:
        found = by_question[f"Warfarin {text} Fentanyl"]
        if (
            text == "IL-6"
        ):  # A protein that the graph has not: what is asked of all three is told to be unknown.
            assert found.hits == []
            assert any("not in this graph" in note for note in found.notes)
            continue
        first = found.hits[0].triple
        assert first is not None
        assert {first.head.id, first.tail.id} == {WARFARIN, FENTANYL}, text


@hypothesis_settings(max_examples=40, deadline=None)
@given(question=st.text(st.characters(exclude_characters="\x00"), max_size=200))
def test_any_text_is_answered_or_refused_but_never_breaks(http: httpx.Client, question: str) -> None:
    body = json.dumps({"questions": [question, "Warfarin"], "k": 1})
    response = http.post("/v1/retrieve/triple", content=body, headers={"Content-Type": "application/json"})
    surrogate = any(0xD800 <= ord(char) <= 0xDFFF for char in question)
    if surrogate:
        check_problem(response, 422, "invalid-request")
    else:
        assert RetrieveAnswer.model_validate_json(response.content).results[0].question == question


def test_a_lone_surrogate_is_a_problem(http: httpx.Client) -> None:
    for body in (b'{"question": "\\ud800"}', b'{"question": "x", "\\udfff": 1}'):
        response = http.post(
            "/v1/retrieve/triple", content=body, headers={"Content-Type": "application/json"}
        )
        check_problem(response, 422, "invalid-request")


# --- the other routes


def test_retrievers(http: httpx.Client) -> None:
    answer = RetrieversAnswer.model_validate_json(http.get("/v1/retrievers").content)
    names = {*RETRIEVERS, *PASSAGE_RETRIEVERS, *NETWORKS, "hybrid"}
    assert {retriever.name for retriever in answer.retrievers} == names
    assert all(retriever.description for retriever in answer.retrievers)
    assert {retriever.name for retriever in answer.retrievers if not retriever.ready} == set(NETWORKS)
    passages = {retriever.name for retriever in answer.retrievers if retriever.returns == "passage"}
    assert passages == set(PASSAGE_RETRIEVERS)
    check_problem(http.get("/v1/retriever"), 404, "no-such-route")
    check_problem(http.delete("/v1/retrievers"), 405, "method-not-allowed")


@pytest.mark.parametrize("model", ["auto", "trained", "untrained"])
def test_an_untrained_network_says_what_to_do(http: httpx.Client, model: str) -> None:
    response = http.post("/v1/retrieve/sage", json={"question": "Warfarin", "model": model})
    found = check_problem(response, 503, "model-not-ready")
    assert "biomolkg train --retriever sage" in found.detail
    listed = RetrieversAnswer.model_validate_json(http.get("/v1/retrievers").content).retrievers
    sage = next(retriever for retriever in listed if retriever.name == "sage")
    assert "biomolkg train --retriever sage" in sage.training


def test_mentions(http: httpx.Client) -> None:
    text = "Warfarin was given with trazodone hydrochloride."
    answer = MentionsAnswer.model_validate_json(http.post("/v1/mentions", json={"text": text}).content)
    assert [item.entity.id for item in answer.mentions] == [WARFARIN, TRAZODONE]
    check_problem(http.post("/v1/mentions", json={"text": "x" * 20_001}), 422, "invalid-request", "text")
    check_problem(http.post("/v1/mentions", json={"question": "x"}), 422, "invalid-request", "question")
    assert http.get("/v1/mentions").status_code == 405


def test_entities_are_found_by_name_synonym_id_and_cross_reference(http: httpx.Client) -> None:
    for query in ("trazodone", "TRAZODONE", TRAZODONE):
        found = http.get("/v1/entities", params={"q": query, "label": "Drug"})
        answer = EntitiesAnswer.model_validate_json(found.content)
        assert answer.entities[0].id == TRAZODONE, query
    assert http.get("/v1/entities", params={"q": "zzzzqqq"}).json()["entities"] == []
    for field, value in (("limit", 0), ("limit", 201), ("offset", -1), ("label", "Elephant"), ("limt", 1)):
        check_problem(http.get("/v1/entities", params={field: value}), 422, "invalid-request", field)


@pytest.mark.parametrize("text", LUCENE)
def test_searching_for_operators_is_a_search(http: httpx.Client, text: str) -> None:
    assert http.get("/v1/entities", params={"q": text}).status_code == 200
    if any(char.isalnum() for char in text):
        return
    found = http.get("/v1/entities", params={"q": f"warfarin {text}"})
    assert WARFARIN in [entity["id"] for entity in found.json()["entities"]]


def test_pages_do_not_overlap(http: httpx.Client) -> None:
    pages = [
        http.get("/v1/entities", params={"label": "Drug", "limit": 50, "offset": offset}).json()["entities"]
        for offset in range(0, 550, 50)
    ]
    ids = [entity["id"] for page in pages for entity in page]
    assert len(ids) == len(set(ids)) == 494


def test_one_entity_by_id_and_by_cross_reference(http: httpx.Client) -> None:
    answer = EntityAnswer.model_validate_json(http.get(f"/v1/entities/{TRAZODONE}").content)
    assert answer.entity.name == "Trazodone"
    assert answer.entity.model_dump()["smiles"]
    protein = http.get("/v1/entities", params={"q": "HTR1A", "label": "Protein"}).json()["entities"][0]
    whole = EntityAnswer.model_validate_json(http.get(f"/v1/entities/{protein['id']}").content).entity
    for xref in whole.xrefs:
        assert http.get(f"/v1/entities/{xref}").json()["entity"]["id"] == whole.id, xref
    check_problem(http.get("/v1/entities/pubchem.compound:0"), 404, "not-found")
    check_problem(http.get("/v1/entities/%F0%9F%98%80"), 404, "not-found")
    assert http.post(f"/v1/entities/{TRAZODONE}").status_code == 405


def test_neighbors(http: httpx.Client) -> None:
    path = f"/v1/entities/{TRAZODONE}/neighbors"
    answer = NeighborsAnswer.model_validate_json(
        http.get(path, params={"kinds": "DPI", "limit": 200}).content
    )
    assert answer.entity.id == TRAZODONE
    assert answer.neighbors
    for neighbor in answer.neighbors:
        assert neighbor.triple.kind == "DPI"
        assert TRAZODONE in {neighbor.triple.head.id, neighbor.triple.tail.id}
        assert neighbor.source.startswith("biomolmqa")
    check_problem(http.get("/v1/entities/pubchem.compound:0/neighbors"), 404, "not-found")
    check_problem(http.get(path, params={"limit": 201}), 422, "invalid-request", "limit")
    check_problem(http.get(path, params={"kinds": "X"}), 422, "invalid-request", "kinds[0]")


def test_the_graph_says_what_is_loaded(http: httpx.Client) -> None:
    answer = GraphAnswer.model_validate_json(http.get("/v1/graph").content)
    assert answer.counts["entities"]["Drug"] == 494
    # The 198 of the interactions, and those of the part of Reactome that these tests load.
    assert answer.counts["entities"]["Protein"] > 198
    roles = answer.counts["triples"].pop("HAS_ROLE")
    assert answer.counts["triples"] == {"ACTION": 938, "DDI": 18_585, "DPI": 314, "MOLECULAR": 499}
    assert answer.counts["sources"] == {"biomolmqa": 18_585 + 314 + 499 + 938, "vocabulary": roles}
    assert {(load.dataset, load.state) for load in answer.loads} == {
        ("biomolmqa", "complete"),
        ("reactome", "complete"),
        ("vocabulary", "complete"),
    }
    assert answer.counts["passages"]["composed"] >= 692
    assert answer.graph_version == ask(http, question="x").graph_version


def test_status(http: httpx.Client) -> None:
    assert http.get("/healthz").json() == {"status": "ok"}
    readiness = Readiness.model_validate_json(http.get("/readyz").content)
    assert readiness.ready
    version = Version.model_validate_json(http.get("/version").content)
    assert version.neo4j is not None
    assert version.graph_version == readiness.graph_version
    metrics = http.get("/metrics").text
    assert 'biomolkg_http_requests_total{method="GET",route="/healthz",status="200"}' in metrics
    assert "biomolkg_ready 1.0" in metrics
    assert http.head("/healthz").status_code == 200
    check_problem(http.post("/readyz", json={}), 405, "method-not-allowed")


def test_the_pages_need_no_other_server(http: httpx.Client) -> None:
    for path in ("/", "/docs"):
        page = http.get(path)
        assert page.status_code == 200
        assert "text/html" in page.headers["content-type"]
        assert "//" not in page.text.replace("// ", "").replace("</", "<"), path
    for name in ("swagger-ui-bundle.js", "swagger-ui.css", "favicon.png"):
        assert http.get(f"/docs/{name}").status_code == 200
    check_problem(http.get("/docs/../secrets"), 404, "no-such-route")


def test_a_request_id_is_kept_when_it_is_sane(http: httpx.Client) -> None:
    assert (
        http.get("/healthz", headers={"X-Request-ID": "abc-1.2_3:4"}).headers["x-request-id"] == "abc-1.2_3:4"
    )
    for odd in ("", "a b", "x" * 129, "a;b", "<script>"):
        made = http.get("/healthz", headers={"X-Request-ID": odd}).headers["x-request-id"]
        assert made
        assert made != odd
    assert check_problem(http.get("/nowhere", headers={"X-Request-ID": "mine"}), 404, "no-such-route")
    assert http.get("/nowhere", headers={"X-Request-ID": "mine"}).headers["x-request-id"] == "mine"


def test_examples_of_the_api_page_run(http: httpx.Client, service: FastAPI) -> None:
    description = http.get("/openapi.json").json()
    ran = 0
    for path, operations in description["paths"].items():
        for method, operation in operations.items():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is None:
                continue
            schema = description["components"]["schemas"][content["schema"]["$ref"].rsplit("/", 1)[-1]]
            assert schema["examples"], path
            for example in schema["examples"]:
                response = http.request(method, path.format(retriever="triple"), json=example)
                assert response.status_code == 200, response.text
                assert not any(result.get("hits") == [] for result in response.json().get("results", []))
                ran += 1
    assert ran >= 3


# --- under load


def test_the_event_loop_answers_while_a_large_batch_is_worked_on(http: httpx.Client) -> None:
    questions = [
        f"Which drug of group {at} with a thiazole ring raises the level of Warfarin?" for at in range(256)
    ]
    with ThreadPoolExecutor(1) as pool:
        batch = pool.submit(http.post, "/v1/retrieve/triple", json={"questions": questions})
        during = 0
        while not batch.done():
            assert http.get("/healthz").status_code == 200
            during += not batch.done()
        assert batch.result().status_code == 200
    assert during >= 5


def test_many_requests_at_once_are_all_answered(http: httpx.Client) -> None:
    async def flood() -> list[httpx.Response]:
        limits = httpx.Limits(max_connections=150)
        async with httpx.AsyncClient(
            base_url=http.base_url, timeout=60, limits=limits, trust_env=False
        ) as client:
            asked = [
                client.post("/v1/retrieve/neo4j", json={"question": "Warfarin and Fentanyl"})
                for _ in range(75)
            ]
            looked = [client.get(f"/v1/entities/{TRAZODONE}") for _ in range(75)]
            return await asyncio.gather(*asked, *looked)

    assert {response.status_code for response in asyncio.run(flood())} == {200}
