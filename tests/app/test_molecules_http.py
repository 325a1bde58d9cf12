"""The routes of molecules: drawn, searched, compared; and what a hostile caller may send."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from lxml import etree
from rdkit import Chem

from app.molecule_schemas import InteractionsAnswer, MoleculesAnswer
from app.schemas import Problem

CELECOXIB, TRAZODONE, METFORMIN = "pubchem.compound:2662", "pubchem.compound:5533", "pubchem.compound:4091"
PROTEIN = "uniprot:P35367"
NAPROXEN = "CC(C1=CC2=C(C=C1)C=C(C=C2)OC)C(=O)O"
COLOUR = "#FFCC59"
ENDLESS = "~".join(["*"] * 60) + "~[#17]"


def problem(response: httpx.Response, status: int, slug: str) -> Problem:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/problem+json"
    found = Problem.model_validate_json(response.content)
    assert found.type == f"urn:biomolkg:problem:{slug}"
    assert len(found.detail) < 500
    return found


def net(width: int) -> str:
    """A SMILES of carbon in a square net, in which there are more long walks than can be tried."""
    molecule = Chem.RWMol()
    for at in range(width * width):
        molecule.AddAtom(Chem.Atom("C"))
        if at % width:
            molecule.AddBond(at - 1, at, Chem.BondType.SINGLE)
        if at >= width:
            molecule.AddBond(at - width, at, Chem.BondType.SINGLE)
    return str(Chem.MolToSmiles(molecule))


def search(http: httpx.Client, **body: Any) -> MoleculesAnswer:
    response = http.post("/v1/molecules/search", json=body)
    assert response.status_code == 200, response.text
    return MoleculesAnswer.model_validate_json(response.content)


def test_an_entity_is_drawn_with_its_fragment(http: httpx.Client) -> None:
    path = f"/v1/entities/{CELECOXIB}/depiction.svg"
    plain = http.get(path, params={"width": 250, "height": 120})
    assert plain.headers["content-type"] == "image/svg+xml"
    assert "default-src 'none'" in plain.headers["content-security-policy"]
    assert plain.headers["x-graph-version"]
    root = etree.fromstring(plain.content)
    assert (root.get("width"), root.get("height")) == ("250px", "120px")
    assert COLOUR not in plain.text.upper()
    for fragment in ("sulfonamide", "S(=O)(=O)N", "[#16](~[#8])~[#8]", "C1=CC=CC=C1"):
        assert COLOUR in http.get(path, params={"highlight": fragment}).text.upper(), fragment
    by_xref = http.get("/v1/entities/stitch:CID000002662/depiction.svg", params={"width": 250, "height": 120})
    assert by_xref.content == plain.content


def test_any_smiles_is_drawn(http: httpx.Client) -> None:
    drawn = http.get("/v1/depiction.svg", params={"smiles": NAPROXEN, "highlight": "carboxylic acid"})
    assert COLOUR in drawn.text.upper()
    assert etree.fromstring(drawn.content).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize(
    ("path", "params", "status", "slug"),
    [
        (f"/v1/entities/{PROTEIN}/depiction.svg", {}, 422, "invalid-molecule"),
        ("/v1/entities/pubchem.compound:0/depiction.svg", {}, 404, "not-found"),
        (f"/v1/entities/{CELECOXIB}/depiction.svg", {"width": 2_001}, 422, "invalid-request"),
        (f"/v1/entities/{CELECOXIB}/depiction.svg", {"colour": "red"}, 422, "invalid-request"),
        (f"/v1/entities/{CELECOXIB}/depiction.svg", {"highlight": "no such group"}, 422, "invalid-molecule"),
        (f"/v1/entities/{CELECOXIB}/depiction.svg", {"highlight": "C\0"}, 422, "invalid-request"),
        (f"/v1/entities/{CELECOXIB}/depiction.svg", {"highlight": "C" * 401}, 422, "invalid-molecule"),
        ("/v1/depiction.svg", {}, 422, "invalid-request"),
        ("/v1/depiction.svg", {"smiles": ""}, 422, "invalid-molecule"),
        ("/v1/depiction.svg", {"smiles": "CCO ethanol"}, 422, "invalid-molecule"),
        ("/v1/depiction.svg", {"smiles": "C" * 20_000}, 422, "invalid-molecule"),
        ("/v1/depiction.svg", {"smiles": "C" * 1_000}, 422, "invalid-molecule"),
        ("/v1/depiction.svg", {"smiles": "C\0C"}, 422, "invalid-request"),
        ("/v1/depiction.svg", {"smiles": "c1cccc1"}, 422, "invalid-molecule"),
    ],
)
def test_what_cannot_be_drawn_is_told(
    http: httpx.Client, path: str, params: dict[str, Any], status: int, slug: str
) -> None:
    problem(http.get(path, params=params), status, slug)


def test_similar_molecules_are_found_by_entity_and_by_smiles(http: httpx.Client) -> None:
    by_id = search(http, similar_to={"id": TRAZODONE}, k=5)
    assert (by_id.hits[0].entity.id, by_id.hits[0].score) == (TRAZODONE, 1.0)
    assert [hit.rank for hit in by_id.hits] == [1, 2, 3, 4, 5]
    assert [hit.score for hit in by_id.hits] == sorted((hit.score for hit in by_id.hits), reverse=True)
    by_smiles = search(http, similar_to={"smiles": by_id.hits[0].smiles}, min_similarity=0.5, k=5)
    assert [hit.entity.id for hit in by_smiles.hits] == [
        hit.entity.id for hit in by_id.hits if hit.score >= 0.5
    ]


def test_conditions_together_and_where_they_hold(http: httpx.Client) -> None:
    found = search(
        http,
        similar_to={"smiles": NAPROXEN},
        substructure="[CX3](=O)[OX2H1]",
        groups={"Benzene ring": 1, "sulfonamide": 1},
        k=3,
    )
    assert found.hits
    for hit in found.hits:
        pattern, *groups = hit.matches
        assert (pattern.name, pattern.count) == ("[CX3](=O)[OX2H1]", len(pattern.atoms))
        assert {match.name for match in groups} == {"benzene ring", "sulfonamide"}
        symbols = [hit.smiles.count("S"), *(len(place) for match in hit.matches for place in match.atoms)]
        assert all(symbols)
    nothing = search(http, groups={"sulfonamide": 90})
    assert nothing.hits == []
    assert nothing.notes


@pytest.mark.parametrize(
    ("body", "slug"),
    [
        ({}, "invalid-request"),
        ({"similar_to": {}}, "invalid-request"),
        ({"similar_to": {"id": TRAZODONE, "smiles": "CCO"}}, "invalid-request"),
        ({"similar_to": {"smiles": ""}}, "invalid-molecule"),
        ({"similar_to": {"smiles": "C" * 20_000}}, "invalid-molecule"),
        ({"similar_to": {"smiles": "CCO ethanol"}}, "invalid-molecule"),
        ({"similar_to": {"smiles": "C\0"}}, "invalid-request"),
        ({"similar_to": {"id": PROTEIN}}, "invalid-molecule"),
        ({"similar_to": {"smiles": "CCO"}, "min_similarity": 1.5}, "invalid-request"),
        ({"substructure": ""}, "invalid-molecule"),
        ({"substructure": "C("}, "invalid-molecule"),
        ({"substructure": "[$([$([$([$(C)])])])]"}, "invalid-molecule"),
        ({"substructure": "[$(C)]" * 17}, "invalid-molecule"),
        ({"substructure": "C" * 401}, "invalid-molecule"),
        ({"groups": {"sulfonamide": 0}}, "invalid-request"),
        ({"groups": {f"group {at}": 1 for at in range(257)}}, "invalid-request"),
        ({"groups": {"sulfonamide": 1}, "k": 0}, "invalid-request"),
        ({"groups": {"sulfonamide": 1}, "k": 101}, "invalid-request"),
        ({"groups": {"sulfonamide": 1}, "kk": 1}, "invalid-request"),
    ],
)
def test_what_cannot_be_searched_is_told(http: httpx.Client, body: dict[str, Any], slug: str) -> None:
    problem(http.post("/v1/molecules/search", json=body), 422, slug)


def test_a_group_that_is_not_known_is_answered_with_the_nearest(http: httpx.Client) -> None:
    response = http.post("/v1/molecules/search", json={"groups": {"sulphonamid": 1}})
    assert "sulfonamide" in problem(response, 404, "not-found").detail


def test_other_requests_are_answered_during_an_endless_search(http: httpx.Client, service: FastAPI) -> None:
    with ThreadPoolExecutor(1) as pool:
        hostile = {"smiles": net(9), "highlight": ENDLESS}
        endless = pool.submit(http.get, "/v1/depiction.svg", params=hostile)
        during = 0
        while not endless.done():
            assert http.get("/healthz").status_code == 200
            during += not endless.done()
        found = problem(endless.result(), 504, "request-timeout")
    assert "smaller or more specific" in found.detail
    assert during >= 5


def interactions(http: httpx.Client, first: dict[str, str], second: dict[str, str]) -> InteractionsAnswer:
    response = http.post("/v1/molecules/interactions", json={"first": first, "second": second})
    assert response.status_code == 200, response.text
    return InteractionsAnswer.model_validate_json(response.content)


def test_edges_between_any_two_molecules(http: httpx.Client) -> None:
    found = interactions(http, {"smiles": NAPROXEN}, {"id": METFORMIN})
    assert (found.first.entity, found.second.entity.id) == (None, METFORMIN)  # type: ignore[union-attr]
    assert found.recorded == []
    ionic = next(item for item in found.proposals if item.category == "Ionic Interaction")
    assert ionic.mechanism
    assert ionic.evidence.startswith("The first molecule: carboxylic acid")
    assert ionic.severity in {"low", "moderate", "high"}
    assert ionic.first[0].role == "anion"
    back = interactions(http, {"id": METFORMIN}, {"smiles": NAPROXEN})
    assert [(item.category, item.score) for item in back.proposals] == [
        (item.category, item.score) for item in found.proposals
    ]


def test_edges_that_the_graph_has_are_shown_beside_the_proposed(http: httpx.Client) -> None:
    neighbors = http.get(f"/v1/entities/{TRAZODONE}/neighbors", params={"kinds": "MOLECULAR"}).json()
    edge = neighbors["neighbors"][0]
    ends = [edge["triple"][end]["id"] for end in ("head", "tail")]
    for first, second in (ends, ends[::-1]):
        found = interactions(http, {"id": first}, {"id": second})
        assert [item.model_dump(exclude_unset=True) for item in found.recorded] == [edge]
        assert found.recorded[0].evidence_type == "model_written"


def test_impossible_pairs_are_told(http: httpx.Client) -> None:
    for second, slug in (({"id": PROTEIN}, "invalid-molecule"), ({"smiles": "C1CC"}, "invalid-molecule")):
        body = {"first": {"smiles": "CCO"}, "second": second}
        problem(http.post("/v1/molecules/interactions", json=body), 422, slug)
    problem(http.post("/v1/molecules/interactions", json={"first": {"id": "x"}}), 422, "invalid-request")


def test_an_entity_shows_what_its_structure_says(http: httpx.Client) -> None:
    entity = http.get(f"/v1/entities/{CELECOXIB}").json()["entity"]
    assert (entity["formula"], entity["charge"], entity["composition"]) == ("C17H14F3N3O2S", 0, "single")
    assert entity["logp"] > 3
    assert entity["tpsa"] == 77.98
    assert entity["scaffold"]
    assert entity["groups"]["sulfonamide"] == 1
