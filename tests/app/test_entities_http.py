"""Entities over HTTP by any form of their ids and names, and pathways and reactions by name."""

from __future__ import annotations

from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from neo4j import GraphDatabase

from biomolkg.settings import Settings
from cypher.client import connect
from cypher.home import server_home
from retrievers.entities import get_entity, id_forms, names_query, written_forms

ASPIRIN = "pubchem.compound:2244"
LABELS = ("Drug", "Protein", "Chemical", "Gene", "Transcript", "DrugClass", "Thing")


def found(http: httpx.Client, q: str, **query: object) -> list[str]:
    response = http.get("/v1/entities", params={"q": q, "limit": 200, **query})  # type: ignore[dict-item]
    assert response.status_code == 200, response.text
    return [row["id"] for row in response.json()["entities"]]


@pytest.mark.parametrize(
    ("hyphened", "plain"),
    [("COX-2", "COX2"), ("COX-1", "COX1"), ("PDE-4B", "PDE4B"), ("HTR-1A", "HTR1A"), ("5-HT-2A", "5HT2A")],
)
def test_a_hyphen_more_finds_what_is_found_without_it(http: httpx.Client, hyphened: str, plain: str) -> None:
    without = found(http, plain)
    assert without
    assert set(without) <= set(found(http, hyphened))
    assert found(http, hyphened)[0] == without[0]


@pytest.mark.parametrize(
    ("name", "entity"),
    [("COX-2", "uniprot:P35354"), ("c-KIT", "uniprot:P10721"), ("aspirin", ASPIRIN), ("ASPIRIN", ASPIRIN)],
)
def test_names_that_people_use_find_the_thing_first(http: httpx.Client, name: str, entity: str) -> None:
    assert found(http, name)[0] == entity


@given(st.text(max_size=30))
def test_any_text_gives_a_query_or_none(text: str) -> None:
    query = names_query(text)
    assert query is None or query.startswith("(+")
    assert text.strip().lower() in written_forms(text)


@given(st.text(max_size=60))
def test_the_id_as_it_is_written_is_tried_first(identifier: str) -> None:
    assert id_forms(identifier)[0] == identifier
    assert len(set(id_forms(identifier))) == len(id_forms(identifier))


@pytest.mark.parametrize(
    "written", ["PUBCHEM.COMPOUND:2244", "PubChem.Compound:2244", "DrugBank:DB00945", "drugbank:db00945"]
)
def test_the_case_of_an_identifier_does_not_count(http: httpx.Client, written: str) -> None:
    assert http.get(f"/v1/entities/{written}").json()["entity"]["id"] == ASPIRIN


def test_nor_does_that_of_an_accession(http: httpx.Client) -> None:
    assert http.get("/v1/entities/uniprot:p35367").json()["entity"]["id"] == "uniprot:P35367"
    assert http.get("/v1/entities/UniProt:P35367/neighbors").json()["entity"]["id"] == "uniprot:P35367"
    asked = {
        "question": "Which drugs inhibit the histamine H1 receptor?",
        "entities": ["UNIPROT:p35367"],
        "k": 3,
    }
    (result,) = http.post("/v1/retrieve/triple", json=asked).json()["results"]
    assert result["hits"]
    assert not any("is not in the graph" in note for note in result["notes"])


LOCAL = st.lists(
    st.text(
        st.characters(min_codepoint=33, max_codepoint=126, exclude_characters="?#"), min_size=1, max_size=8
    ),
    min_size=1,
    max_size=4,
).map("/".join)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(local=LOCAL)
def test_an_id_with_slashes_is_reached_with_all_its_routes(
    http: httpx.Client, starter: Settings, local: str
) -> None:
    identifier = f"test:{local}"
    if identifier.endswith(("/neighbors", "/depiction.svg", "/passages")) or "/." in f"/{identifier}":
        return
    home = server_home(starter)
    with (
        connect(starter) as client,
        GraphDatabase.driver(client.uri, auth=(starter.neo4j_user, home.read_password())) as driver,
    ):
        driver.execute_query(
            "CREATE (:Entity:Drug {id: $id, name: 'a/b', smiles: 'CCO', datasets: ['test']})", id=identifier
        )
        try:
            assert get_entity(client, identifier).id == identifier
            for path in (quote(identifier, safe=":/"), quote(identifier, safe="")):
                assert http.get(f"/v1/entities/{path}").json()["entity"]["id"] == identifier
                assert http.get(f"/v1/entities/{path}/neighbors").json()["entity"]["id"] == identifier
                drawn = http.get(f"/v1/entities/{path}/depiction.svg")
                assert (drawn.status_code, drawn.headers["content-type"]) == (200, "image/svg+xml")
        finally:
            driver.execute_query("MATCH (n:Entity {id: $id}) DELETE n", id=identifier)


@pytest.mark.parametrize("label", LABELS)
def test_the_filter_by_label_knows_every_label(http: httpx.Client, label: str) -> None:
    rows = http.get("/v1/entities", params={"label": label, "limit": 50}).json()
    counts = http.get("/v1/graph").json()["counts"]["entities"]
    assert rows["total"] == counts.get(label, 0)
    assert all(row["id"] for row in rows["entities"])


def test_classes_are_found_by_the_names_of_the_vocabulary(http: httpx.Client) -> None:
    rows = http.get("/v1/entities", params={"q": "NSAID", "label": "DrugClass"}).json()["entities"]
    assert rows[0]["name"] == "non-steroidal anti-inflammatory drug"


@pytest.mark.parametrize(("route", "label"), [("pathways", "Pathway"), ("reactions", "Reaction")])
def test_events_are_listed_and_found_by_name_and_stable_id(
    http: httpx.Client, route: str, label: str
) -> None:
    listed = http.get(f"/v1/{route}", params={"limit": 5}).json()
    assert listed["total"] == http.get("/v1/graph").json()["counts"]["nodes"][label]
    one = listed["events"][-1]
    assert one["label"] == label
    named = http.get(f"/v1/{route}", params={"q": one["name"].upper()}).json()["events"]
    assert one["id"] in [row["id"] for row in named if row["exact"]]
    stable = one["id"].partition(":")[2]
    assert [row["id"] for row in http.get(f"/v1/{route}", params={"q": stable}).json()["events"]] == [
        one["id"]
    ]
    assert http.get(f"/v1/{route}/{stable}").status_code == 200
    assert http.get(f"/v1/{route}", params={"q": "xyzzyx"}).json()["events"] == []
    entities = http.get("/v1/entities", params={"q": one["name"], "label": label}).json()["entities"]
    assert one["id"] in [row["id"] for row in entities]


def test_a_similarity_that_is_no_number_is_refused(http: httpx.Client) -> None:
    body = {"similar_to": {"id": ASPIRIN}, "min_similarity": False}
    refused = http.post("/v1/molecules/search", json=body)
    assert refused.status_code == 422
    assert refused.json()["errors"][0]["field"] == "min_similarity"
    for number in (0, 1, 0.5):
        assert http.post("/v1/molecules/search", json=body | {"min_similarity": number}).status_code == 200


def test_the_description_declares_problems_and_limits(http: httpx.Client, starter: Settings) -> None:
    described = http.get("/openapi.json").json()
    for path, operations in described["paths"].items():
        if not path.startswith("/v1/"):
            continue
        for method, operation in operations.items():
            problems = {code: it for code, it in operation["responses"].items() if int(code) >= 400}
            assert ("400" in problems) or method == "get", path
            for code, answer in problems.items():
                assert list(answer["content"]) == ["application/problem+json"], (path, code)
            for parameter in operation.get("parameters", ()):
                if parameter["name"] == "limit":
                    assert parameter["schema"]["maximum"] == starter.max_page
    schemas = described["components"]["schemas"]
    assert schemas["Problem"]["properties"]["errors"]["items"] == {
        "$ref": "#/components/schemas/FieldErrorOut"
    }
    assert schemas["RetrieveRequest"]["properties"]["k"]["maximum"] == starter.max_k
    assert [one["required"] for one in schemas["RetrieveRequest"]["oneOf"]] == [["question"], ["questions"]]
    assert [one["required"] for one in schemas["MoleculeIn"]["oneOf"]] == [["id"], ["smiles"]]
