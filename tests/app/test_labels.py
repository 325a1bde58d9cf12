"""Passages and drug labels over HTTP, of a published label beside the starter graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from app.label_schemas import LabelAnswer, LabelsAnswer, PassageAnswer, PassagesAnswer
from app.schemas import Problem, RetrieveAnswer
from biomolkg.settings import Settings
from cypher.client import connect
from graph_loader.loading import load_labels
from graph_loader.removal import remove_dataset

SET_ID = "11111111-2222-3333-4444-555555555555"
TRAZODONE, RARE = "pubchem.compound:5533", "unii:RAREMAB0AA"


def section(code: str, title: str, text: str, boxed: str = "") -> str:
    return (
        f'<component><section><code code="{code}" codeSystem="2.16.840.1.113883.6.1"/>'
        f"<title>{title}</title><text>{text}{boxed}</text></section></component>"
    )


def label(set_id: str, product: str, substance: str, unii: str) -> str:
    """A label of one product, with sections of three topics."""
    return (
        '<document xmlns="urn:hl7-org:v3"><code code="34391-3" displayName="HUMAN PRESCRIPTION DRUG LABEL"/>'
        f'<title>{product}</title><effectiveTime value="20200131"/><setId root="{set_id}"/>'
        '<versionNumber value="3"/><component><structuredBody>'
        '<component><section><code code="48780-1" codeSystem="2.16.840.1.113883.6.1"/><subject>'
        f"<manufacturedProduct><manufacturedProduct><name>{product}</name>"
        '<ingredient classCode="ACTIM"><ingredientSubstance>'
        f'<code code="{unii}" codeSystem="2.16.840.1.113883.4.9"/><name>{substance}</name>'
        "</ingredientSubstance></ingredient>"
        "</manufacturedProduct></manufacturedProduct></subject></section></component>"
        f"{section('34066-1', 'WARNING: BREATHING', 'It can stop the breath.')}"
        f"{section('34068-7', 'DOSAGE', 'Take 50 mg once a day, and not above 400 mg.')}"
        f"{section('34070-3', 'CONTRAINDICATIONS', 'Not for those who are allergic to it.')}"
        "</structuredBody></component></document>"
    )


@pytest.fixture(scope="module")
def http(
    http: httpx.Client,
    starter: Settings,
    taken_over: Callable[[str], None],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[httpx.Client]:
    """The service while its graph has two labels, one of a drug that nothing else tells of."""
    folder: Path = tmp_path_factory.mktemp("labels")
    (folder / "1.xml").write_text(label(SET_ID, "Slumbra", "TRAZODONE HYDROCHLORIDE", "6E8ZO8LRNM"), "utf-8")
    (folder / "2.xml").write_text(
        label(SET_ID.replace("1", "6"), "Immunex", "RAREMAB", "RAREMAB0AA"), "utf-8"
    )
    with connect(starter) as client:
        taken_over(load_labels(client, folder, starter, dataset="spl").graph_version)
        yield http
        taken_over(remove_dataset(client, "spl", starter).graph_version)


def test_a_label_question_is_answered_by_a_passage_that_can_be_opened(http: httpx.Client) -> None:
    for name, drug in (("Slumbra", TRAZODONE), ("trazodone", TRAZODONE), ("raremab", RARE)):
        body = {"question": f"What is the boxed warning of {name}?", "k": 1}
        answer = RetrieveAnswer.model_validate(http.post("/v1/retrieve/hybrid", json=body).json())
        found = answer.results[0].hits[0].passage
        assert found is not None
        assert (found.section, found.topic, found.boxed) == ("34066-1", "Boxed warning", True)
        assert (found.section_title, found.effective) == ("WARNING: BREATHING", "2020-01-31")
        assert found.evidence_type == "label"
        assert [each.id for each in found.drugs or ()] == [drug]
        opened = PassageAnswer.model_validate(http.get(f"/v1/passages/{found.id}").json()).passage
        assert opened.model_dump(include=set(type(found).model_fields)) == found.model_dump()
        assert opened.source.startswith("spl:")
        assert found.label is not None
        whole = LabelAnswer.model_validate(http.get(f"/v1/labels/{found.label}").json()).label
        assert found.id in {passage.id for part in whole.sections for passage in part.passages}


def test_a_label_is_read_by_set_id_section_by_section(http: httpx.Client) -> None:
    whole = LabelAnswer.model_validate(http.get(f"/v1/labels/{SET_ID}").json()).label
    assert (whole.id, whole.product, whole.version) == (f"dailymed:{SET_ID}", "Slumbra", 3)
    assert [part.section for part in whole.sections] == ["34066-1", "34068-7", "34070-3"]
    assert [drug.id for drug in whole.drugs] == [TRAZODONE]
    one = LabelAnswer.model_validate(http.get(f"/v1/labels/{SET_ID}?section=34068-7").json()).label
    assert [part.section_title for part in one.sections] == ["DOSAGE"]
    assert http.get("/v1/labels/dailymed:none").status_code == 404


def test_labels_are_found_by_product_substance_and_names_of_the_drug(http: httpx.Client) -> None:
    def found(query: str) -> list[tuple[str, bool]]:
        answer = LabelsAnswer.model_validate(http.get("/v1/labels", params={"q": query}).json())
        assert answer.total == len(answer.labels)
        return [(one.product, one.exact) for one in answer.labels]

    assert found("") == [("Immunex", False), ("Slumbra", False)]
    assert found("slumbra") == found("Trazodone") == [("Slumbra", True)]
    assert found("hydrochloride") == [("Slumbra", False)]
    assert found("raremab") == [("Immunex", True)]
    assert found("nothing of it") == found("---") == []
    page = LabelsAnswer.model_validate(http.get("/v1/labels?limit=1&offset=1").json())
    assert (page.total, [one.product for one in page.labels]) == (2, ["Slumbra"])


def test_the_passages_of_an_entity_come_in_pages_its_labels_after_its_own(http: httpx.Client) -> None:
    path = f"/v1/entities/{TRAZODONE}/passages"
    whole = PassagesAnswer.model_validate(http.get(path, params={"limit": 100}).json())
    assert whole.entity.id == TRAZODONE
    labelled = [one.label is not None for one in whole.passages]
    assert labelled == sorted(labelled)
    assert labelled.count(True) == 3
    assert whole.total == len(whole.passages)
    pages = [
        PassagesAnswer.model_validate(http.get(path, params={"limit": 2, "offset": at}).json()).passages
        for at in range(0, whole.total, 2)
    ]
    assert [one for page in pages for one in page] == whole.passages
    boxed = http.get(path, params={"section": "34066-1"}).json()
    assert [one["boxed"] for one in boxed["passages"]] == [True]


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/passages/none/of/these", 404),
        ("/v1/passages/none%2Fof%2Fthese", 404),
        ("/v1/entities/none/of:these/passages", 404),
        ("/v1/labels/none/of/these", 404),
        ("/v1/labels?limit=9999", 422),
        ("/v1/labels?unknown=1", 422),
        (f"/v1/passages/{'x' * 500}", 404),
        (f"/v1/entities/{TRAZODONE}/passages?limit=0", 422),
    ],
)
def test_what_is_not_there_or_not_allowed_is_a_problem(http: httpx.Client, path: str, status: int) -> None:
    response = http.get(path)
    assert Problem.model_validate(response.json()).status == response.status_code == status
    assert response.headers["content-type"] == "application/problem+json"


def test_passages_of_each_entity_are_bounded_where_asked(http: httpx.Client) -> None:
    body = {"question": "trazodone dose", "k": 20, "kinds": ["PASSAGE"], "entities": [TRAZODONE]}
    many = http.post("/v1/retrieve/hybrid", json=body).json()["results"][0]["hits"]
    one = http.post("/v1/retrieve/hybrid", json={**body, "per_entity": 1}).json()["results"][0]["hits"]
    assert len(many) > 1
    assert one[0]["passage"]["id"] == many[0]["passage"]["id"]
    assert len(one) == 1
    refused = http.post("/v1/retrieve/triple", json={"question": "trazodone", "per_entity": 1})
    assert refused.json()["errors"][0]["field"] == "per_entity"
