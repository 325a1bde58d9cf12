"""A small source in a real Neo4j: what is written, what is not written again, what is mended and removed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from neo4j import Session

from biomolkg.errors import BioMolKGError, Overloaded, SourceError
from biomolkg.settings import Settings
from cypher.catalogue import statement, statement_names
from cypher.client import Client
from graph_loader.chemistry import describe_molecule
from graph_loader.loading import load_biomolmqa
from graph_loader.writer import LOCK

from .conftest import (
    ACTIONS,
    DDI,
    DPI,
    DRUGS,
    HOSTILE_RELATION,
    MOLECULAR,
    PROTEINS,
    dump,
    last_transaction,
    write_published,
)

Count = Callable[[str], int]
TRIPLES = len(DDI) + len(DPI) + len(MOLECULAR)
PARAMETERS = {
    "rows": [{"id": "a", "name": "g", "head": "a", "tail": "b", "entity": "a",
             "properties": {"relation": "r", "mode": "m", "action": "i", "score": 1}}],
    "dataset": "biomolmqa", "id": "x", "kinds": ["DDI"], "superseded": [], "counts": {}, "properties": {},
    "version": "v", "loading": False,
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_published(tmp_path_factory.mktemp("published"))


@pytest.fixture(scope="module")
def loaded(client: Client, folder: Path, neo4j_server: Settings) -> Client:
    load_biomolmqa(client, folder, neo4j_server)
    return client


@pytest.fixture
def clean(loaded: Client, folder: Path, neo4j_server: Settings, session: Session) -> Iterator[list[object]]:
    """What the graph is after a load; it is so again when the test has ended."""
    load_biomolmqa(loaded, folder, neo4j_server)
    yield dump(session)
    load_biomolmqa(loaded, folder, neo4j_server)


def test_the_graph_has_what_the_files_say(loaded: Client, count: Count) -> None:
    assert count("MATCH (n:Entity:Drug) RETURN count(n)") == len(DRUGS)
    assert count("MATCH (n:Entity:Protein) RETURN count(n)") == len(PROTEINS)
    assert count("MATCH (:Drug)-[e:DDI]->(:Drug) RETURN count(e)") == len(DDI)
    assert count("MATCH (:Drug)-[e:DPI]->(:Protein) RETURN count(e)") == len(DPI)
    assert count("MATCH (:Drug)-[e:MOLECULAR]->(:Drug) RETURN count(e)") == len(MOLECULAR)
    assert count("MATCH (:Drug)-[e:ACTION]->(:Protein) RETURN count(e)") == len(ACTIONS)
    assert count(
        "MATCH ()-[e:DDI|DPI|MOLECULAR|ACTION]->() RETURN count(DISTINCT e.source)"
    ) == TRIPLES + len(ACTIONS)


def test_names_and_relations_are_kept_to_the_letter(loaded: Client, session: Session) -> None:
    names = {row["name"] for row in session.run("MATCH (e:Entity) RETURN e.name AS name")}
    assert {"3',5'-cyclic AMP", 'Drug, "quoted"', "Crohn's β-1 adrenergic receptor"} <= names
    relations = {row["r"] for row in session.run("MATCH (r:RelationType {kind: 'DDI'}) RETURN r.name AS r")}
    assert relations == {relation for _, relation, _, _ in DDI}
    assert HOSTILE_RELATION in relations


def test_a_structure_is_described_on_its_node_and_by_its_groups(loaded: Client, session: Session) -> None:
    node = session.run("MATCH (d:Drug {name: 'Ibuprofen'}) RETURN d").single(strict=True)["d"]
    said = describe_molecule(DRUGS[3672][1])
    assert (node["smiles"], node["canonical_smiles"]) == (DRUGS[3672][1], said.smiles)
    assert (node["inchikey"], node["formula"], node["charge"]) == (said.inchikey, "C13H18O2", 0)
    assert (node["logp"], node["tpsa"], node["scaffold"]) == (said.logp, 37.3, "c1ccccc1")
    assert (node["composition"], node["fingerprint"]) == ("single", said.fingerprint)
    linked = session.run(
        "MATCH (:Drug {name: 'Ibuprofen'})-[h:HAS_GROUP]->(g:FunctionalGroup) "
        "RETURN g.name AS name, h.count AS n"
    )
    assert {row["name"]: row["n"] for row in linked} == dict(said.groups)
    wrong = session.run(
        "MATCH (d:Drug) WHERE COUNT { (d)-[:HAS_GROUP]->() } <> size(d.groups) RETURN d.name AS name"
    ).data()
    assert wrong == []


def test_every_entity_is_described_and_every_text_embedded(loaded: Client, count: Count) -> None:
    assert (
        count("MATCH (e:Entity) WHERE NOT (e)-[:DESCRIBED_BY]->(:Passage {composed: true}) RETURN count(e)")
        == 0
    )
    assert count("MATCH (p:Passage) WHERE NOT p.composed RETURN count(DISTINCT p.document)") == 4
    assert count("MATCH (p:Passage) RETURN max(size(p.text))") <= 1200
    assert count("MATCH (n:Passage|RelationType) WHERE size(n.embedding) = 384 RETURN count(n)") == count(
        "MATCH (n:Passage|RelationType) RETURN count(n)"
    )


def test_relation_types_count_their_edges(loaded: Client, count: Count) -> None:
    wrong = """
    MATCH (r:RelationType)
    CALL (r) { MATCH ()-[e:DDI|DPI|MOLECULAR|ACTION]->() WHERE type(e) = r.kind AND e.relation = r.name
               RETURN count(e) AS n }
    WITH r, n WHERE r.count <> n RETURN count(r)"""
    assert count(wrong) == 0
    assert count("MATCH (r:RelationType) RETURN sum(r.count)") == TRIPLES + len(ACTIONS)


def test_a_second_load_writes_nothing(
    clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings, session: Session
) -> None:
    before = last_transaction(session)
    ledger = load_biomolmqa(loaded, folder, neo4j_server)
    assert last_transaction(session) == before
    assert not ledger.changed
    assert all(row.written == row.removed == 0 and row.unchanged == row.read for row in ledger.tables)
    assert dump(session) == clean


@pytest.mark.parametrize(
    "damage",
    [
        "MATCH ()-[e:DDI]->() WITH e LIMIT 1 DELETE e",
        "MATCH ()-[e:DPI]->() SET e.source = 'elsewhere'",
        "MATCH ()-[e:MOLECULAR]->() SET e.extra = 1",
        "MATCH (a)-[e:ACTION]->(b) WITH a, e, b LIMIT 1 CREATE (a)-[f:ACTION]->(b) SET f = properties(e)",
        "MATCH (a)-[:DPI]->(b) WITH * LIMIT 1 CREATE (a)-[:DDI {dataset: 'biomolmqa', relation: 'x'}]->(b)",
        "MATCH (n:Drug {name: 'Fentanyl'}) DETACH DELETE n",
        "MATCH (n:Drug {name: 'Fentanyl'}) SET n.smiles = 'C', n.groups = []",
        "MATCH (n:Protein) REMOVE n:Protein",
        "MATCH (n:Drug) SET n.fingerprint = null, n.charge = 7",
        "MATCH (:Drug)-[h:HAS_GROUP]->() SET h.count = h.count + 1",
        "MATCH (a)-[h:HAS_GROUP]->(b) WITH * LIMIT 1 CREATE (a)-[i:HAS_GROUP]->(b) SET i = properties(h)",
        "MATCH (g:FunctionalGroup) WITH g LIMIT 1 DETACH DELETE g",
        "CREATE (:FunctionalGroup {name: 'ghost'})",
        "CREATE (:Entity:Drug {id: 'pubchem.compound:1', name: 'ghost', datasets: ['biomolmqa']})",
        "MATCH (p:Passage) WITH p LIMIT 1 SET p.text = 'changed'",
        "MATCH ()-[d:DESCRIBED_BY]->() WITH d LIMIT 2 DELETE d",
        "MATCH (p:Passage) REMOVE p.embedding",
        "MATCH (r:RelationType) SET r.count = 0",
        "MATCH (r:RelationType) WITH r LIMIT 2 DELETE r",
        "MATCH (g:Graph) SET g.loading = true",
        "MATCH (l:Load) SET l.state = 'running'",
        "MATCH (l:Load) DELETE l",
    ],
)
def test_a_damaged_graph_is_mended(
    damage: str, clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings, session: Session
) -> None:
    session.run(damage).consume()
    assert dump(session) != clean
    before = last_transaction(session)
    assert load_biomolmqa(loaded, folder, neo4j_server).changed
    assert last_transaction(session) != before
    assert dump(session) == clean


def test_the_question_graph_takes_the_place_of_the_full_one_and_back(
    clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings, session: Session, count: Count
) -> None:
    ledger = load_biomolmqa(loaded, folder, neo4j_server, selection="question")
    assert count("MATCH ()-[e:DDI|DPI|MOLECULAR|ACTION]->() RETURN count(e)") == 3
    assert count("MATCH (d:Drug) RETURN count(d)") == 4
    assert {row.table: row.removed for row in ledger.tables}["ddi"] == len(DDI) - 1
    assert count("MATCH (l:Load {state: 'complete', selection: 'question'}) RETURN count(l)") == 1
    load_biomolmqa(loaded, folder, neo4j_server)
    assert dump(session) == clean


def test_other_data_sets_are_left_alone(
    clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings, session: Session, count: Count
) -> None:
    session.run(
        "MATCH (a:Drug {name: 'Trazodone'}), (b:Drug {name: 'Fentanyl'}) "
        "SET a.datasets = a.datasets + 'other' "
        "CREATE (a)-[:HAS_GROUP {dataset: 'other', count: 1}]->(:FunctionalGroup {name: 'of the other'}) "
        "CREATE (a)-[:DDI {dataset: 'other', relation: 'AN-EDGE', source: 'other:1'}]->(b)"
    ).consume()
    session.run(
        "MATCH (p:Protein {gene: 'ADRB1'}) SET p.datasets = p.datasets + 'other', p.pathways = 3"
    ).consume()
    load_biomolmqa(loaded, folder, neo4j_server, selection="question")
    assert count("MATCH ()-[e:DDI {dataset: 'other'}]->() RETURN count(e)") == 1
    assert (
        count("MATCH (p:Protein {gene: 'ADRB1', pathways: 3}) WHERE p.datasets = ['other'] RETURN count(p)")
        == 1
    )
    assert count("MATCH (r:RelationType {id: 'DDI:AN-EDGE'}) RETURN r.count") == 1
    assert count("MATCH (:FunctionalGroup {name: 'of the other'})<-[h:HAS_GROUP]-() RETURN count(h)") == 1
    session.run("MATCH (g:FunctionalGroup {name: 'of the other'}) DETACH DELETE g").consume()
    session.run("MATCH ()-[e:DDI {dataset: 'other'}]->() DELETE e").consume()
    session.run("MATCH (n:Entity) WHERE 'other' IN n.datasets REMOVE n.pathways "
                "SET n.datasets = ['biomolmqa']").consume()  # fmt: skip
    load_biomolmqa(loaded, folder, neo4j_server)
    assert dump(session) == clean


def test_a_source_that_is_refused_leaves_the_graph_as_it_was(
    clean: list[object], loaded: Client, neo4j_server: Settings, session: Session, tmp_path: Path
) -> None:
    broken = write_published(tmp_path / "broken")
    table = broken / "data/OAI/molecular_interactions/molecular_interactions_df.csv"
    table.write_bytes(table.read_bytes().replace(b"mechanism", b"m\xff", 1))
    before = last_transaction(session)
    with pytest.raises(SourceError, match="molecular_interactions_df"):
        load_biomolmqa(loaded, broken, neo4j_server)
    assert last_transaction(session) == before


@pytest.mark.parametrize(
    "smiles", ["C(c1ccccc1)N(C)(C)C", "C" * 20_000, "", "CCO ethanol", "Br[Br-]Br", "C\u2212C"]
)
def test_a_drug_whose_structure_cannot_be_read_is_kept_without_it(
    smiles: str, clean: list[object], loaded: Client, neo4j_server: Settings, tmp_path: Path, session: Session
) -> None:
    folder = write_published(tmp_path / "odd")
    table = folder / "data/mined_data/DDI_subset.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("CC(=O)N,", f"{smiles},"), encoding="utf-8")
    ledger = load_biomolmqa(loaded, folder, neo4j_server)
    (item,) = [item for item in ledger.omissions if "without structure" in item.reason]
    assert (item.count, item.taken) == (1, True)
    node = session.run("MATCH (d:Drug {id: 'pubchem.compound:60164'}) RETURN d").single(strict=True)["d"]
    assert "smiles" not in node
    assert not {"formula", "fingerprint", "scaffold", "logp"} & set(node)
    assert node["groups"] == []
    assert not session.run("MATCH (:Drug {id: 'pubchem.compound:60164'})-[h:HAS_GROUP]->() RETURN h").data()


def test_the_same_source_gives_the_same_version_and_another_gives_another(
    clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings
) -> None:
    versions = [
        load_biomolmqa(loaded, folder, neo4j_server, selection=selection).graph_version
        for selection in ("full", "question", "full")
    ]
    assert versions[0] == versions[2] != versions[1]


def test_a_load_waits_for_another_and_gives_up_with_a_clear_error(
    clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings
) -> None:
    hasty = neo4j_server.model_copy(update={"load_patience": 0.0})
    entered, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with loaded.exclusive(LOCK):
            entered.set()
            leave.wait(60)

    holder = threading.Thread(target=hold)
    holder.start()
    try:
        assert entered.wait(30)
        with pytest.raises(Overloaded, match="Another program is changing this database"):
            load_biomolmqa(loaded, folder, hasty)
        threading.Timer(1.0, leave.set).start()
        assert not load_biomolmqa(loaded, folder, neo4j_server).changed
    finally:
        leave.set()
        holder.join()


def test_loads_at_the_same_time_end_in_one_graph(
    clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings, session: Session
) -> None:
    session.run("MATCH ()-[e:DDI]->() DELETE e").consume()
    faults: list[BioMolKGError] = []

    def load() -> None:
        try:
            load_biomolmqa(loaded, folder, neo4j_server)
        except BioMolKGError as error:
            faults.append(error)

    threads = [threading.Thread(target=load) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert dump(session) == clean


def operators(plan: dict[str, object]) -> set[str]:
    found = {str(plan["operatorType"]).split("@")[0]}
    for child in plan.get("children", []):  # type: ignore[attr-defined]
        found |= operators(child)
    return found


@pytest.mark.parametrize("name", statement_names("load"))
def test_statements_of_a_load_find_nodes_by_index(name: str, loaded: Client, session: Session) -> None:
    summary = session.run(f"EXPLAIN {statement(name)}", PARAMETERS).consume()  # type: ignore[arg-type]
    assert summary.plan is not None
    found = operators(summary.plan)
    assert "AllNodesScan" not in found
    assert "CartesianProduct" not in found or any("Seek" in one for one in found)
    if name.startswith(("load/write_", "load/remove_", "load/begin", "load/finish")):
        assert not {one for one in found if "Scan" in one}


def test_a_batch_of_one_row_gives_the_same_graph(
    clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings, session: Session
) -> None:
    session.run("MATCH (n) WHERE NOT n:Load DETACH DELETE n").consume()
    load_biomolmqa(loaded, folder, neo4j_server.model_copy(update={"load_batch_rows": 1}))
    assert dump(session) == clean
