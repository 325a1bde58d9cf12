"""Drug labels in a real Neo4j, beside a small BioMol-MQA: what is joined, replaced, left alone, mended."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from neo4j import Session

from app.overview import read_overview
from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.label_drugs import AMBIGUOUS, UNMATCHED
from graph_loader.ledger import Omissions
from graph_loader.loading import load_biomolmqa, load_labels
from graph_loader.removal import remove_dataset
from graph_loader.sources.spl import read_labels
from graph_loader.writer import LOCK
from retrievers.snapshot import read_snapshot

from .conftest import dump, last_transaction, write_published

Count = Callable[[str], int]
SET_ID = "11111111-2222-3333-4444-00000000000"


def spl(
    number: int,
    *ingredients: str,
    version: int = 1,
    text: str = "Take one.",
    unii: str = "",
    moiety: tuple[str, str] | None = None,
) -> str:
    """A label of a product with these active ingredients; `unii` and `moiety`, (name, UNII), of each."""
    code = '<code code="{}" codeSystem="2.16.840.1.113883.4.9"/>'
    acting = ""
    if moiety:
        acting = (
            f"<activeMoiety><activeMoiety>{code.format(moiety[1])}<name>{moiety[0]}</name></activeMoiety>"
            "</activeMoiety>"
        )
    active = "".join(
        f'<ingredient classCode="ACTIM"><ingredientSubstance>{code.format(unii) if unii else ""}'
        f"<name>{name}</name>{acting}</ingredientSubstance></ingredient>"
        for name in ingredients
    )
    return (
        '<document xmlns="urn:hl7-org:v3"><code code="34391-3" displayName="HUMAN PRESCRIPTION DRUG LABEL"/>'
        f'<title>Label {number}</title><setId root="{SET_ID}{number}"/><versionNumber value="{version}"/>'
        "<component><structuredBody>"
        '<component><section><code code="48780-1" codeSystem="2.16.840.1.113883.6.1"/><subject>'
        f"<manufacturedProduct><manufacturedProduct><name>Brand {number}</name>{active}"
        "</manufacturedProduct></manufacturedProduct></subject></section></component>"
        '<component><section><code code="34067-9" codeSystem="2.16.840.1.113883.6.1"/>'
        f"<title>Indications</title><text>{text}</text></section></component>"
        "</structuredBody></component></document>"
    )


def write_labels(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for number, content in {
        1: spl(1, "FENTANYL"),
        2: spl(2, "Ibuprofen sodium", "Trazodone hydrochloride"),
        3: spl(3, "sodium chloride"),
        4: spl(4, "Twin"),
    }.items():
        (folder / f"{number}.xml").write_text(content, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_labels(tmp_path_factory.mktemp("labels"))


@pytest.fixture(scope="module")
def loaded(
    client: Client,
    folder: Path,
    neo4j_server: Settings,
    session: Session,
    tmp_path_factory: pytest.TempPathFactory,
) -> Client:
    load_biomolmqa(client, write_published(tmp_path_factory.mktemp("published")), neo4j_server)
    # Two drugs of other sources that share a name.
    session.run(
        "UNWIND [7, 8] AS n CREATE (:Entity:Drug {id: 'pubchem.compound:' + n, name: 'D' + n, "
        "synonyms: ['twin'], datasets: ['other']})"
    ).consume()
    load_labels(client, folder, neo4j_server, dataset="spl")
    return client


@pytest.fixture
def clean(loaded: Client, folder: Path, neo4j_server: Settings, session: Session) -> Iterator[list[object]]:
    """What the graph is after the loads; it is so again when the test has ended."""
    load_labels(loaded, folder, neo4j_server, dataset="spl")
    yield dump(session)
    load_labels(loaded, folder, neo4j_server, dataset="spl")


def test_labels_are_joined_to_drugs_by_name_synonym_and_without_salts(
    loaded: Client, session: Session
) -> None:
    found = {
        (row["label"], row["drug"])
        for row in session.run(
            "MATCH (l:DrugLabel)-[e:LABELS]->(d:Drug) WHERE e.evidence IS NOT NULL AND e.dataset = 'spl' "
            "RETURN l.title AS label, d.name AS drug"
        )
    }
    assert found == {("Label 1", "Fentanyl"), ("Label 2", "Ibuprofen"), ("Label 2", "Trazodone")}


def test_what_no_name_or_several_drugs_claim_is_kept_and_counted(
    loaded: Client, folder: Path, neo4j_server: Settings
) -> None:
    ledger = load_labels(loaded, folder, neo4j_server, dataset="spl")
    noted = {item.reason: item for item in ledger.omissions}
    assert noted[UNMATCHED].count == 2
    assert noted[UNMATCHED].taken
    assert noted[AMBIGUOUS].count == 1
    assert "pubchem.compound:7, pubchem.compound:8" in noted[AMBIGUOUS].offenders[0]


def test_sections_are_embedded_passages_with_their_code(loaded: Client, count: Count) -> None:
    joined = "MATCH (:DrugLabel)-[:HAS_SECTION]->(p:Passage {dataset: 'spl'})"
    assert count(f"{joined} WHERE p.section = '34067-9' RETURN count(p)") == 4
    assert count(f"{joined} WHERE size(p.embedding) = 384 RETURN count(DISTINCT p)") == 4


def test_a_second_load_writes_nothing(
    clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings, session: Session
) -> None:
    before = last_transaction(session)
    ledger = load_labels(loaded, folder, neo4j_server, dataset="spl")
    assert last_transaction(session) == before
    assert not ledger.changed
    assert all(row.unchanged == row.read for row in ledger.tables)


@pytest.mark.parametrize(
    "damage",
    [
        "MATCH (l:DrugLabel) WITH l LIMIT 1 DETACH DELETE l",
        "MATCH (l:DrugLabel) SET l.title = 'changed', l.extra = 1",
        "MATCH (p:Passage {dataset: 'spl'}) WITH p LIMIT 1 SET p.text = 'changed'",
        "MATCH (p:Passage {dataset: 'spl'}) REMOVE p.embedding",
        "MATCH ()-[e:HAS_SECTION]->() WITH e LIMIT 2 DELETE e",
        "MATCH ()-[e:LABELS]->() SET e.evidence = 'none'",
        "MATCH (a)-[e:LABELS]->(b) WITH a, e, b LIMIT 1 CREATE (a)-[f:LABELS]->(b) SET f = properties(e)",
        "CREATE (:DrugLabel {id: 'dailymed:ghost', datasets: ['spl']})",
        "CREATE (:Passage {id: 'passage:ghost', dataset: 'spl'})",
        "MATCH (l:Load {dataset: 'spl'}), (g:Graph) SET l.state = 'running', g.loading = true",
    ],
)  # fmt: skip
def test_a_damaged_or_half_written_graph_is_mended(
    damage: str, clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings, session: Session
) -> None:
    session.run(damage).consume()
    assert dump(session) != clean
    assert load_labels(loaded, folder, neo4j_server, dataset="spl").changed
    assert dump(session) == clean


def test_the_graph_follows_the_source_and_comes_back(
    clean: list[object],
    loaded: Client,
    neo4j_server: Settings,
    count: Count,
    tmp_path: Path,
    session: Session,
) -> None:
    fewer = write_labels(tmp_path / "labels")
    (fewer / "3.xml").unlink()
    (fewer / "1.xml").write_text(spl(1, "FENTANYL", version=2, text="Take two."), encoding="utf-8")
    ledger = load_labels(loaded, fewer, neo4j_server, dataset="spl")
    assert {row.table: row.removed for row in ledger.tables}["drug_labels"] == 1
    assert count("MATCH (:DrugLabel)-[:HAS_SECTION]->(p) WHERE p.text ENDS WITH 'one.' RETURN count(p)") == 2
    assert count("MATCH (l:DrugLabel {version: 2}) RETURN count(l)") == 1
    assert count("MATCH (p:Passage {dataset: 'spl'}) WHERE NOT (p)<-[:HAS_SECTION]-() RETURN count(p)") == 0


def test_a_label_of_two_sources_is_one_node_with_the_passages_of_both(
    clean: list[object],
    loaded: Client,
    neo4j_server: Settings,
    count: Count,
    tmp_path: Path,
    session: Session,
) -> None:
    result = {"set_id": f"{SET_ID}1", "version": "9", "indications_and_usage": ["Another text."],
              "openfda": {"generic_name": ["IBUPROFEN"]}}  # fmt: skip
    other = {**result, "set_id": f"{SET_ID}9"}
    file = tmp_path / "labels.json"
    file.write_text(json.dumps({"results": [result, other]}), encoding="utf-8")
    load_labels(loaded, file, neo4j_server, dataset="openfda")
    assert count(f"MATCH (l:DrugLabel {{id: 'dailymed:{SET_ID}1', title: 'Label 1', version: 1}}) "
                 "RETURN COUNT { (l)-[:HAS_SECTION]->() }") == 2  # fmt: skip
    assert count(f"MATCH (:DrugLabel {{id: 'dailymed:{SET_ID}1'}})-[:LABELS]->(d) RETURN count(d)") == 2
    file.write_text(json.dumps({"results": [other]}), encoding="utf-8")
    load_labels(loaded, file, neo4j_server, dataset="openfda")
    assert count("MATCH (l:DrugLabel) WHERE 'openfda' IN l.datasets RETURN count(l)") == 1
    assert count(f"MATCH (l:DrugLabel {{id: 'dailymed:{SET_ID}1'}}) RETURN COUNT {{ (l)-->() }}") == 2
    session.run("MATCH (n:DrugLabel|Passage) WHERE 'openfda' IN n.datasets OR n.dataset = 'openfda' "
                "DETACH DELETE n").consume()  # fmt: skip
    session.run("MATCH (l:Load {dataset: 'openfda'}) DELETE l").consume()


def test_a_removal_leaves_the_label_to_the_source_that_has_it_still(
    clean: list[object],
    loaded: Client,
    folder: Path,
    neo4j_server: Settings,
    tmp_path: Path,
    session: Session,
) -> None:
    result = {"set_id": f"{SET_ID}1", "version": "9", "indications_and_usage": ["Another text."],
              "openfda": {"generic_name": ["IBUPROFEN"]}}  # fmt: skip
    file = tmp_path / "labels.json"
    file.write_text(json.dumps({"results": [result]}), encoding="utf-8")

    def load(dataset: Literal["spl", "openfda"], path: Path) -> object:
        load_labels(loaded, path, neo4j_server, dataset=dataset)
        return dump(session)

    def left_by(dataset: str) -> object:
        remove_dataset(loaded, dataset, neo4j_server)
        return dump(session)

    both = load("openfda", file)
    # The first source changes its words though the second has the label as well, and takes them back.
    (folder / "1.xml").write_text(spl(1, "FENTANYL").replace("Label 1", "Label one"), encoding="utf-8")
    load("spl", folder)
    title = f"MATCH (l:DrugLabel {{id: 'dailymed:{SET_ID}1'}}) RETURN l.title"
    assert session.run(title).single(strict=True).value() == "Label one"
    write_labels(folder)
    assert load("spl", folder) == both
    # Who is left has its own words, as if it had been the only one.
    second = left_by("spl")
    left_by("openfda")
    assert load("openfda", file) == second
    # And so the other way round.
    load("spl", folder)
    assert left_by("openfda") == clean


def test_the_version_tells_what_is_loaded_whatever_the_order_of_loads(
    clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings, tmp_path: Path
) -> None:
    one = tmp_path / "one"
    one.mkdir()
    (one / "1.xml").write_text(spl(1, "FENTANYL"), encoding="utf-8")
    versions = [
        load_labels(loaded, path, neo4j_server, dataset="spl").graph_version for path in (folder, one, folder)
    ]
    assert versions[0] == versions[2] != versions[1]


def test_what_is_loaded_counts_labels_and_their_links(loaded: Client) -> None:
    counts = read_overview(loaded).counts
    assert counts["nodes"]["DrugLabel"] == 4
    assert (counts["links"]["HAS_SECTION"], counts["links"]["LABELS"]) == (4, 3)


def test_passages_of_labels_are_no_texts_of_entities(loaded: Client) -> None:
    snapshot = read_snapshot(loaded)
    assert {one.entity for one in snapshot.passages if one.source.startswith("spl:")} == {-1}


def test_passages_of_labels_know_their_label_and_its_drugs(loaded: Client) -> None:
    snapshot = read_snapshot(loaded)
    (one,) = (p for p in snapshot.passages if p.label == f"dailymed:{SET_ID}2")
    names = {entity.id: entity.name for entity in snapshot.entities}
    assert (one.product, one.section_title, one.topic, one.boxed) == (
        "Brand 2", "Indications", "Indications and usage", False,
    )  # fmt: skip
    assert one.names == ("Brand 2", "Ibuprofen sodium", "Trazodone hydrochloride")
    assert [names[drug] for drug in one.drugs] == ["Ibuprofen", "Trazodone"]
    assert not any(p.drugs or p.label for p in snapshot.passages if not p.source.startswith("spl:"))


def test_the_vector_of_a_label_passage_says_which_drug_it_is_of(
    loaded: Client, neo4j_server: Settings
) -> None:
    snapshot = read_snapshot(loaded)
    at = next(i for i, p in enumerate(snapshot.passages) if p.label == f"dailymed:{SET_ID}1")
    text = "Brand 1 (FENTANYL). Indications and usage. Indications. Take one."
    expected = SentenceEncoder(neo4j_server).encode([text])[0]
    assert expected @ snapshot.passage_embeddings[at] > 0.99


@pytest.fixture
def only_labelled(clean: list[object], loaded: Client, neo4j_server: Settings, tmp_path: Path) -> Path:
    """The labels and two more of a drug that no other source has, loaded."""
    folder = write_labels(tmp_path / "more")
    rare, salt = ("RAREMAB", "RAREMAB0AA"), ("RAREMAB SODIUM", "RAREMAB0SA")
    for number, content in {
        6: spl(6, salt[0], unii=salt[1], moiety=rare),
        7: spl(7, rare[0], unii=rare[1]),
        8: spl(8, "NUMBERLESS"),
    }.items():
        (folder / f"{number}.xml").write_text(content, encoding="utf-8")
    load_labels(loaded, folder, neo4j_server, dataset="spl")
    return folder


def test_a_drug_that_only_labels_name_is_an_entity_by_its_unii(
    only_labelled: Path, loaded: Client, neo4j_server: Settings, session: Session
) -> None:
    snapshot = read_snapshot(loaded)
    own = [entity for entity in snapshot.entities if entity.id.startswith("unii:")]
    assert [(one.id, one.name, one.label) for one in own] == [("unii:RAREMAB0AA", "Raremab", "Drug")]
    assert own[0].synonyms == ("Brand 6", "Brand 7", "Raremab sodium")
    labels = {p.label for p in snapshot.passages if p.drugs == ("unii:RAREMAB0AA",)}
    assert labels == {f"dailymed:{SET_ID}6", f"dailymed:{SET_ID}7"}
    before = last_transaction(session)
    assert not load_labels(loaded, only_labelled, neo4j_server, dataset="spl").changed
    assert last_transaction(session) == before


def test_what_labels_alone_named_goes_with_them(
    only_labelled: Path, loaded: Client, neo4j_server: Settings, session: Session, count: Count
) -> None:
    own = "MATCH (d:Drug) WHERE d.id STARTS WITH 'unii:' RETURN count(d)"
    assert count(own) == 1
    for number in (6, 7):
        (only_labelled / f"{number}.xml").unlink()
    load_labels(loaded, only_labelled, neo4j_server, dataset="spl")
    assert count(own) == 0
    write_labels(only_labelled)
    (only_labelled / "7.xml").write_text(spl(7, "RAREMAB", unii="RAREMAB0AA"), encoding="utf-8")
    load_labels(loaded, only_labelled, neo4j_server, dataset="spl")
    remove_dataset(loaded, "spl", neo4j_server)
    assert count(own) == 0


@pytest.mark.parametrize(
    "properties", ["{name: 'Raremab', xrefs: []}", "{name: 'R', xrefs: ['unii:RAREMAB0AA']}"]
)
def test_a_drug_of_another_source_takes_the_place_of_the_labels_own(
    properties: str,
    only_labelled: Path,
    loaded: Client,
    neo4j_server: Settings,
    session: Session,
    count: Count,
) -> None:
    session.run(
        f"CREATE (d:Entity:Drug {properties}) SET d.id = 'other:1', d.synonyms = [], d.datasets = ['other']"
    ).consume()
    load_labels(loaded, only_labelled, neo4j_server, dataset="spl")
    assert count("MATCH (d:Drug) WHERE d.id STARTS WITH 'unii:' RETURN count(d)") == 0
    assert count("MATCH (:DrugLabel)-[:LABELS]->(:Drug {id: 'other:1'}) RETURN count(*)") == 2
    session.run("MATCH (d:Drug {id: 'other:1'}) DETACH DELETE d").consume()


def test_a_drug_that_two_label_sources_name_stays_while_one_of_them_does(
    only_labelled: Path, loaded: Client, neo4j_server: Settings, session: Session, tmp_path: Path
) -> None:
    known = {"substance_name": ["RAREMAB"], "unii": ["RAREMAB0AA"], "brand_name": ["Ninth"]}
    result = {"set_id": f"{SET_ID}9", "indications_and_usage": ["Other."], "openfda": known}
    file = tmp_path / "labels.json"
    file.write_text(json.dumps({"results": [result]}), encoding="utf-8")
    load_labels(loaded, file, neo4j_server, dataset="openfda")
    remove_dataset(loaded, "spl", neo4j_server)
    kept = session.run(
        "MATCH (d:Drug {id: 'unii:RAREMAB0AA'}) RETURN d.name, d.datasets, d.synonyms"
    ).single()
    assert kept is not None
    assert kept.values() == ["Raremab", ["openfda"], ["Ninth"]]
    remove_dataset(loaded, "openfda", neo4j_server)
    assert not session.run("MATCH (d:Drug) WHERE d.id STARTS WITH 'unii:' RETURN d").values()


def test_labels_are_joined_to_what_a_load_that_they_waited_for_brought(
    clean: list[object],
    loaded: Client,
    folder: Path,
    neo4j_server: Settings,
    session: Session,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits, exclusive = threading.Event(), loaded.exclusive

    @contextmanager
    def watched(name: str, *, patience: float = 0.0) -> Iterator[None]:
        waits.set()
        with exclusive(name, patience=patience):
            yield

    monkeypatch.setattr(loaded, "exclusive", watched)
    with ThreadPoolExecutor() as pool, exclusive(LOCK, patience=5):
        pending = pool.submit(load_labels, loaded, folder, neo4j_server, dataset="spl")
        assert waits.wait(60)
        session.run(
            "CREATE (:Entity:Drug {id: 'other:2', name: 'Brand 3', synonyms: [], datasets: ['other']})"
        ).consume()
    pending.result(60)
    found = session.run("MATCH (:DrugLabel)-[:LABELS]->(d {id: 'other:2'}) RETURN count(d)").single(
        strict=True
    )
    session.run("MATCH (d:Drug {id: 'other:2'}) DETACH DELETE d").consume()
    assert found.value() == 1


def test_a_published_label_arrives_whole(
    clean: list[object],
    loaded: Client,
    neo4j_server: Settings,
    count: Count,
    shared_data: Path,
    tmp_path: Path,
) -> None:
    # One label: vectors of all 1,500 passages would take minutes.
    path = shared_data / "spl" / "cough.xml"
    (label,) = read_labels(path, neo4j_server, Omissions())
    load_labels(loaded, path, neo4j_server, dataset="spl")
    assert count("MATCH (:DrugLabel)-[:HAS_SECTION]->(p) RETURN count(p)") == len(list(label.passages()))
