"""The bundled names and classes in the graph: given to what is there, kept in step, taken out again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from neo4j import Session

from biomolkg import lexicon
from biomolkg.preferred_names import NameKind, name_kind
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.ledger import Ledger
from graph_loader.loading import load_biomolmqa, load_starter, load_starter_pathways
from graph_loader.removal import remove_dataset
from graph_loader.table_loading import load_tables
from graph_loader.table_sources import kgx_source
from graph_loader.vocabulary.loading import load_vocabulary, with_vocabulary
from graph_loader.vocabulary.matching import vocabulary
from retrievers.snapshot import read_snapshot
from tests.conftest import empty_database
from tests.reactome_part import write_part

from .conftest import dump, last_transaction

IBUPROFEN = "pubchem.compound:3672\tbiolink:Drug\tIbuprofen\t"
Count = Callable[[str], int]


@pytest.fixture
def empty(client: Client) -> Client:
    empty_database(client)
    return client


@pytest.fixture(scope="module")
def named_starter(client: Client, neo4j_server: Settings) -> tuple[Client, Ledger]:
    """The starter graph with its names, and the account of them; for the tests before the first `empty`."""
    load_starter(client, neo4j_server)
    return client, load_vocabulary(client, neo4j_server)


def write_kgx(folder: Path, node: str, head: str, tail: str) -> Path:
    """A graph of one node (id, category, name, xref) and ibuprofen, and one edge."""
    folder.mkdir()
    (folder / "kg_nodes.tsv").write_text(f"id\tcategory\tname\txref\n{node}\n{IBUPROFEN}\n")
    edge = f"1\t{head}\tbiolink:related_to\t{tail}"
    (folder / "kg_edges.tsv").write_text(f"id\tsubject\tpredicate\tobject\n{edge}\n")
    return folder


def named(*, drug: bool, **row: object) -> str | None:
    found = vocabulary().find({"drug": drug, "gene": None, "name": None, "xrefs": [], **row})
    return None if found is None else found.preferred_name


def test_things_are_told_by_id_cross_reference_and_symbol_and_by_nothing_that_two_have() -> None:
    assert named(drug=True, id="pubchem.compound:2244") == "aspirin"
    assert named(drug=True, id="mykg:1", xrefs=["drugbank:DB00945"]) == "aspirin"
    assert named(drug=True, id="mykg:1", xrefs=["drugbank:DB00945", "drugbank:DB00331"]) is None
    assert named(drug=True, id="mykg:1", gene="HRH1") is None
    assert named(drug=False, id="uniprot:P35367") == "histamine receptor H1"
    assert named(drug=False, id="ensembl:ENSP00000387662", gene="HRH1") == "histamine receptor H1"
    assert named(drug=False, id="uniprot:P31390", gene="HRH1") is None, "the rat's"
    assert named(drug=False, id="mykg:1", gene="Hrh1") is None
    assert named(drug=False, id="ncbigene:3269") == "histamine receptor H1"


def test_every_drug_has_a_name_that_is_no_number_or_code(
    named_starter: tuple[Client, Ledger], neo4j_server: Settings, session: Session
) -> None:
    client, account = named_starter
    assert {row.table: row.read for row in account.tables}["preferred_names"] == 494 + 198
    snapshot = read_snapshot(client)
    drugs = [entity for entity in snapshot.entities if entity.label == "Drug"]
    known = [drug for drug in drugs if name_kind(drug.preferred_name) < NameKind.SYSTEMATIC]
    assert len(known) >= 0.97 * len(drugs) > 0
    assert next(drug for drug in drugs if drug.id == "pubchem.compound:2244").preferred_name == "aspirin"
    assert all(protein.aliases for protein in snapshot.entities if protein.label == "Protein")
    assert "drugbank:DB00945" in next(d for d in drugs if d.preferred_name == "aspirin").xrefs
    before = last_transaction(session)
    again = load_vocabulary(client, neo4j_server)
    assert (again.changed, again.graph_version) == (False, account.graph_version)
    assert last_transaction(session) == before


def test_classes_come_with_all_that_is_above_them(named_starter: tuple[Client, Ledger]) -> None:
    snapshot = read_snapshot(named_starter[0])
    every = {one.id: one for one in lexicon.classes()}
    assert len(snapshot.classes) > 500
    for one in snapshot.classes:
        stated = {parent for parent in every[one.id].parents if parent in every}
        assert {snapshot.classes[parent].id for parent in one.parents} == stated
        assert one.hidden == every[one.id].hidden
    roles = {
        (snapshot.entities[fact.drug].id, snapshot.classes[fact.drug_class].id, fact.relation)
        for fact in snapshot.roles
    }
    bundled = {(role.drug, role.drug_class, role.relation) for role in lexicon.roles()}
    assert roles == bundled
    assert all(fact.source.startswith("vocabulary:roles:") for fact in snapshot.roles)


def test_names_stay_out_of_what_questions_are_described_by(named_starter: tuple[Client, Ledger]) -> None:
    snapshot = read_snapshot(named_starter[0])
    bare = read_snapshot_without(named_starter[0])
    assert [(one.id, one.name, one.synonyms) for one in snapshot.entities] == bare
    assert {relation.kind for relation in snapshot.relations}.isdisjoint({"HAS_ROLE", "IS_A"})


def read_snapshot_without(client: Client) -> list[tuple[str, str, tuple[str, ...]]]:
    """Names and synonyms as the data sets state them."""
    rows = client.read("load/joinable_entities", own="biomolmqa:", species=[])
    stated = {row["id"]: (row["id"], row["name"], tuple(row["synonyms"] or ())) for row in rows}
    return [stated[key] for key in sorted(stated)]


def test_the_graph_is_the_same_whichever_was_loaded_first_and_as_before_once_names_are_taken_out(
    named_starter: tuple[Client, Ledger], neo4j_server: Settings, session: Session, tmp_path: Path
) -> None:
    client, _ = named_starter
    write_part(tmp_path)
    first = load_starter_pathways(client, neo4j_server, folder=tmp_path)
    one = dump(session)
    empty_database(client)
    load_starter(client, neo4j_server)
    load_starter_pathways(client, neo4j_server, folder=tmp_path)
    bare = dump(session)
    last = load_vocabulary(client, neo4j_server)
    assert first.graph_version == last.graph_version
    assert dump(session) == one != bare
    before = last_transaction(session)
    assert not load_starter(client, neo4j_server).changed
    assert not load_starter_pathways(client, neo4j_server, folder=tmp_path).changed
    assert last_transaction(session) == before
    remove_dataset(client, "vocabulary", neo4j_server)
    assert dump(session) == bare


def test_what_a_later_source_brings_has_names_before_its_load_is_finished(
    empty: Client, neo4j_server: Settings, published: Path, tmp_path: Path, count: Count
) -> None:
    load_biomolmqa(empty, published, neo4j_server)
    load_vocabulary(empty, neo4j_server)
    assert count("MATCH (n:Entity {preferred_name: 'warfarin'}) RETURN count(n)") == 0
    folder = write_kgx(
        tmp_path / "mygraph",
        "mygraph:7\tbiolink:Drug\tcoumadine\tdrugbank:DB00682",
        "mygraph:7",
        "pubchem.compound:3672",
    )
    source = kgx_source(folder)
    account = load_tables(empty, source, neo4j_server)
    assert count("MATCH (n:Entity {preferred_name: 'warfarin'}) RETURN count(n)") == 1
    assert count("MATCH (:Entity {id: 'mygraph:7'})-[r:HAS_ROLE]->(:DrugClass) RETURN count(r)") > 0
    again = load_tables(empty, source, neo4j_server)
    assert (again.changed, again.graph_version) == (False, account.graph_version)
    remove_dataset(empty, "mygraph", neo4j_server)
    assert count("MATCH (n:Entity {preferred_name: 'warfarin'}) RETURN count(n)") == 0
    orphans = "MATCH (c:DrugClass) WHERE NOT (c)<-[:HAS_ROLE|IS_A]-() RETURN count(c)"
    assert count(orphans) == 0


def test_a_thing_of_another_source_that_is_a_class_as_well_stays_its_own(
    empty: Client, neo4j_server: Settings, published: Path, tmp_path: Path, session: Session
) -> None:
    load_biomolmqa(empty, published, neo4j_server)
    folder = write_kgx(
        tmp_path / "mygraph",
        "chebi:35480\tbiolink:NamedThing\tmy painkillers\t",
        "pubchem.compound:3672",
        "chebi:35480",
    )
    load_tables(empty, kgx_source(folder), neo4j_server)
    before = dump(session)
    load_vocabulary(empty, neo4j_server)
    ((labels, name),) = session.run("MATCH (n {id: 'chebi:35480'}) RETURN labels(n), n.name").values()
    assert {"DrugClass", "Thing"} <= set(labels)
    assert name == "my painkillers"
    classes = {one.id: one.name for one in read_snapshot(empty).classes}
    assert classes["chebi:35480"] == "analgesic"
    assert not load_tables(empty, kgx_source(folder), neo4j_server).changed
    remove_dataset(empty, "vocabulary", neo4j_server)
    assert dump(session) == before


def test_a_load_from_the_command_line_brings_it_once_and_a_dry_run_tells_the_version(
    empty: Client, neo4j_server: Settings, published: Path
) -> None:
    planned = with_vocabulary(
        empty, load_biomolmqa(empty, published, neo4j_server, dry_run=True), neo4j_server
    )
    assert not empty.read("load/ledger")
    done = with_vocabulary(empty, load_biomolmqa(empty, published, neo4j_server), neo4j_server)
    assert done.graph_version == planned.graph_version
    assert {"ddi", "preferred_names"} <= {row.table for row in done.tables}
    again = with_vocabulary(empty, load_biomolmqa(empty, published, neo4j_server), neo4j_server)
    assert (again.changed, again.graph_version) == (False, done.graph_version)


def test_what_was_damaged_is_mended(
    empty: Client, neo4j_server: Settings, published: Path, session: Session
) -> None:
    load_biomolmqa(empty, published, neo4j_server)
    load_vocabulary(empty, neo4j_server)
    whole = dump(session)
    session.run("MATCH (n:Drug) REMOVE n.preferred_name, n.aliases").consume()
    session.run("MATCH (:Drug)-[r:HAS_ROLE]->() DELETE r").consume()
    session.run("MATCH (c:DrugClass) WHERE NOT (c)-[:IS_A]->() DETACH DELETE c").consume()
    session.run("MATCH (p:Protein) SET p.preferred_name = 'wrong'").consume()
    load_vocabulary(empty, neo4j_server)
    assert dump(session) == whole


def test_the_last_data_set_takes_the_names_with_it(
    empty: Client, neo4j_server: Settings, published: Path, count: Count
) -> None:
    load_biomolmqa(empty, published, neo4j_server)
    load_vocabulary(empty, neo4j_server)
    assert remove_dataset(empty, "biomolmqa", neo4j_server).graph_version == "none"
    assert count("MATCH (n) WHERE n:Entity OR n:Load RETURN count(n)") == 0
