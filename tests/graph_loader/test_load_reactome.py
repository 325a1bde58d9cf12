"""Reactome in a real Neo4j, beside a small BioMol-MQA: what is joined and why, left to others, mended."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from neo4j import Session

from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.bundled import read_names, read_starter
from graph_loader.identity.account import read_joins
from graph_loader.identity.reactome_joins import Joins
from graph_loader.ledger import Omissions
from graph_loader.loading import load_biomolmqa, load_reactome
from graph_loader.plan import Encoding
from graph_loader.reactome_tables import reactome_tables
from graph_loader.sources.reactome import Participants, Reactome, edges, read_reactome
from retrievers.snapshot import read_snapshot

from .conftest import dump, last_transaction, write_published
from .test_reactome_files import diagram, hierarchy, node, protein, save

Count = Callable[[str], int]
SEROTONIN = "P28222"  # the accession that the bundled table gives HTR1B
NODES = [
    node(10, children=[11, 12], displayName="A:B [plasma membrane]"),
    protein(11, f"{SEROTONIN}-2", "HTR1B", "HTR1DB", displayName="HTR1B [plasma membrane]"),
    node(12, "SimpleEntity", identifier="15377", displayName="water [cytosol]"),
    node(13, "DefinedSet", children=[11]),
    protein(14, "P99999", "ODD1"),
    node(15, "SimpleEntity", identifier="5855", displayName="ibuprofen [cytosol]"),
    protein(16, "ENSG00000123456", "HTR1B"),
]
REACTIONS = [
    node(20, "Reaction", inputs=[11, 12], outputs=[10], catalysts=[13], inhibitors=[12, 14], activators=[14]),
    node(21, "Reaction", inputs=[10, 15], outputs=[16], preceding=[20]),
]
TO_PATHWAY = "MATCH (:Drug)-[:DPI]->(p:Protein)-[:PARTICIPATES_IN]->(w:Pathway)"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save(hierarchy(tmp_path_factory.mktemp("reactome")), diagram(3, NODES, REACTIONS))


@pytest.fixture(scope="module")
def published_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_published(tmp_path_factory.mktemp("published"))


@pytest.fixture(scope="module")
def loaded(client: Client, folder: Path, published_once: Path, neo4j_server: Settings) -> Client:
    load_biomolmqa(client, published_once, neo4j_server)
    load_reactome(client, folder, neo4j_server)
    return client


@pytest.fixture
def clean(loaded: Client, folder: Path, neo4j_server: Settings, session: Session) -> Iterator[list[object]]:
    """What the graph is after the loads; it is so again when the test has ended."""
    load_reactome(loaded, folder, neo4j_server)
    yield dump(session)
    load_reactome(loaded, folder, neo4j_server)


def test_the_graph_has_the_edges_that_the_files_stand_for(
    loaded: Client, folder: Path, session: Session
) -> None:
    reactome = read_reactome(folder)
    # The chemical that ChEBI itself says is a drug of the benchmark.
    joined = {"chebi:5855": "pubchem.compound:3672"}
    expected = sorted(
        (e.kind, joined.get(e.head, e.head), joined.get(e.tail, e.tail), e.regulation or "")
        for e in edges(reactome, Participants(reactome))
    )
    found = session.run(
        "MATCH (a)-[e {dataset: 'reactome'}]->(b) "
        "RETURN type(e) AS kind, a.id AS head, b.id AS tail, coalesce(e.regulation, '') AS regulation"
    )
    assert sorted((row["kind"], row["head"], row["tail"], row["regulation"]) for row in found) == expected


def test_a_drug_reaches_pathways_through_its_target(loaded: Client, session: Session, count: Count) -> None:
    rows = session.run(f"{TO_PATHWAY} RETURN w.name AS name, p.name AS protein, p.reactome_join AS join")
    found = {(row["name"], row["protein"], row["join"]) for row in rows}
    assert {name for name, _, _ in found} == {"Upper", "Middle", "Lower"}
    ((protein_name, join),) = {(protein_name, join) for _, protein_name, join in found}
    assert protein_name == "5-hydroxytryptamine receptor 1B"  # the first source's name stays
    assert join == f"identifier uniprot:{SEROTONIN}"
    assert (
        count("MATCH (e:PhysicalEntity)-[r:REFERS_TO {identifier: 'P28222-2'}]->(:Protein) RETURN count(r)")
        == 1
    )


def test_classes_are_labels_and_a_small_molecule_is_joined_by_chebis_own_mapping(
    loaded: Client, folder: Path, neo4j_server: Settings, count: Count
) -> None:
    assert count("MATCH (n:PhysicalEntity:EntitySet:DefinedSet) RETURN count(n)") == 1
    assert count("MATCH (n:PhysicalEntity:Complex {compartment: 'plasma membrane'}) RETURN count(n)") == 1
    assert count("MATCH (n:Gene {id: 'ensembl:ENSG00000123456'}) RETURN count(n)") == 1
    assert count("MATCH (n:Chemical) WHERE NOT n:Drug RETURN count(n)") == 1
    joins = load_reactome(loaded, folder, neo4j_server).joins
    assert {join.evidence: join.count for join in joins} == {"identifier": 1, "a vocabulary's own mapping": 1}
    stored = {one.dataset: one.made for one in read_joins(loaded)}
    assert [row["evidence"] for row in stored["reactome"]] == [join.evidence for join in joins]


def test_a_second_load_of_either_source_writes_nothing(
    clean: list[object],
    loaded: Client,
    folder: Path,
    published_once: Path,
    neo4j_server: Settings,
    session: Session,
) -> None:
    before = last_transaction(session)
    ledger = load_reactome(loaded, folder, neo4j_server)
    assert not load_biomolmqa(loaded, published_once, neo4j_server).changed
    assert last_transaction(session) == before
    assert all(row.unchanged == row.read and not row.removed for row in ledger.tables)


@pytest.mark.parametrize(
    "damage",
    [
        "MATCH (n:Pathway) WITH n LIMIT 1 DETACH DELETE n",
        "MATCH (n:Reaction) SET n.name = 'changed', n.extra = 1",
        "MATCH (n:Complex) REMOVE n:Complex SET n:Cell",
        "MATCH (n:Gene) SET n.name = 'changed', n.extra = 1",
        "MATCH (n:Protein {gene: 'HTR1B'}) SET n.reactome_join = 'changed', n.reactome_extra = 1",
        "MATCH (n:Protein {gene: 'HTR1B'}) SET n.datasets = ['biomolmqa']",
        "MATCH ()-[e:INPUT]->() DELETE e",
        "MATCH ()-[e:REGULATED_BY]->() SET e.regulation = 'regulation'",
        "MATCH (a)-[e:PARTICIPATES_IN]->(b) CREATE (a)-[f:PARTICIPATES_IN]->(b) SET f = properties(e)",
        "MATCH (a:Pathway), (b:Reaction) CREATE (a)-[:HAS_EVENT {dataset: 'reactome', source: 'no'}]->(b)",
        "CREATE (:Entity:Chemical {id: 'chebi:1', name: 'ghost', datasets: ['reactome']})",
        "CREATE (:PhysicalEntity {id: 'reactome:R-HSA-99', dataset: 'reactome'})",
        "MATCH (l:Load {dataset: 'reactome'}), (g:Graph) SET l.state = 'running', g.loading = true",
    ],
)  # fmt: skip
def test_a_damaged_or_half_written_graph_is_mended(
    damage: str, clean: list[object], loaded: Client, folder: Path, neo4j_server: Settings, session: Session
) -> None:
    session.run(damage).consume()
    assert dump(session) != clean
    assert load_reactome(loaded, folder, neo4j_server).changed
    assert dump(session) == clean


def test_what_the_source_no_longer_has_goes_and_what_is_shared_stays(
    clean: list[object],
    loaded: Client,
    published_once: Path,
    neo4j_server: Settings,
    count: Count,
    tmp_path: Path,
) -> None:
    water_only = diagram(3, NODES[2:3], [node(20, "Reaction", inputs=[12], outputs=[12])])
    smaller = save(hierarchy(tmp_path), water_only)
    load_reactome(loaded, smaller, neo4j_server)
    assert count("MATCH (n:PhysicalEntity) RETURN count(n)") == 1
    assert count("MATCH (n:Protein) WHERE 'reactome' IN n.datasets RETURN count(n)") == 0
    assert count("MATCH (n:Protein {gene: 'HTR1B'}) WHERE n.reactome_join IS NULL RETURN count(n)") == 1
    assert not load_biomolmqa(loaded, published_once, neo4j_server).changed


def test_the_snapshot_of_the_retrievers_is_as_without_reactome(
    loaded: Client, folder: Path, published_once: Path, neo4j_server: Settings, session: Session
) -> None:
    beside = read_snapshot(loaded)
    session.run(
        "MATCH (n) WHERE n.dataset = 'reactome' OR n.datasets = ['reactome'] DETACH DELETE n"
    ).consume()
    alone = read_snapshot(loaded)
    assert beside.entities == alone.entities
    assert beside.passages == alone.passages
    assert np.array_equal(beside.heads, alone.heads)
    load_reactome(loaded, folder, neo4j_server)


def test_whatever_comes_first_the_benchmarks_names_are_shown(
    loaded: Client, folder: Path, published_once: Path, neo4j_server: Settings, session: Session, count: Count
) -> None:
    session.run("MATCH (n) DETACH DELETE n").consume()
    load_reactome(loaded, folder, neo4j_server)
    assert count("MATCH (n:Protein {name: 'HTR1B'}) RETURN count(n)") == 1
    load_biomolmqa(loaded, published_once, neo4j_server)
    load_reactome(loaded, folder, neo4j_server)
    rows = session.run(
        f"MATCH (n:Protein {{id: 'uniprot:{SEROTONIN}'}}) RETURN n.name AS name, n.reactome_name AS other"
    )
    assert [(row["name"], row["other"]) for row in rows] == [("5-hydroxytryptamine receptor 1B", "HTR1B")]
    assert not load_biomolmqa(loaded, published_once, neo4j_server).changed
    assert not load_reactome(loaded, folder, neo4j_server).changed


HELD = [
    {
        "id": id_,
        "name": name,
        "gene": gene,
        "synonyms": synonyms,
        "xrefs": xrefs,
        "datasets": [dataset],
        "labels": ["Protein" if gene else "Drug"],
    }
    for id_, name, gene, synonyms, xrefs, dataset in [
        ("uniprot:P1", "one", "G1", [], [], "a"),
        ("ensembl:E2", "two", "G2", [], ["uniprot:P2"], "a"),
        ("ensembl:E3", "three", "G2", [], ["uniprot:P3"], "a"),
        ("ensembl:E4", "four", "G2", [], ["uniprot:P3"], "a"),
        ("ensembl:E5", "five", "G5", [], [], "a"),
        ("uniprot:P6", "six", "G6", [], [], "reactome"),
        ("drug:1", "Acid", None, ["Sour"], ["chebi:1", "iuphar.ligand:9"], "a"),
    ]
]


@pytest.mark.parametrize(
    ("accession", "gene", "joined"),
    [
        ("uniprot:P1", None, "uniprot:P1"),
        ("uniprot:P2", None, "ensembl:E2"),
        ("uniprot:P3", None, None),  # two proteins have it
        ("uniprot:P5", "G5", "ensembl:E5"),
        ("uniprot:P5", None, None),  # a symbol that is not its own
        ("uniprot:P7", "G1", None),  # that gene's protein is known by another accession
        ("uniprot:P6", "G6", None),  # Reactome's own node is no evidence
    ],
)
def test_proteins_are_joined_by_what_is_certain(accession: str, gene: str | None, joined: str | None) -> None:
    assert Joins(HELD, "reactome").protein(accession, gene).id == joined


@pytest.mark.parametrize(
    ("identifier", "names", "joined"),
    [
        ("iuphar.ligand:9", ["anything"], "drug:1"),
        ("chebi:1", ["acid(1-)"], None),  # the number alone
        ("chebi:1", ["sour"], "drug:1"),
        ("chebi:2", ["acid"], None),  # the name alone
    ],
)
def test_chemicals_are_not_joined_by_chebi_or_name_alone(
    identifier: str, names: list[str], joined: str | None
) -> None:
    assert Joins(HELD, "reactome").chemical(identifier, names).id == joined


def test_rows_are_counted_as_the_files_at_hand_have_them(whole_reactome: Reactome) -> None:
    """The counts of docs/reactome.md, as rows: writing them all would take a minute of a suite's time."""
    tables = reactome_tables(whole_reactome, "all species", [], Encoding("none", 384), Omissions())
    counts = {table.name: len(getattr(table, "nodes", None) or table.edges) for table in tables.tables}  # type: ignore[attr-defined]
    assert counts == {
        "pathways": 21_036,
        "reactions": 5_265,
        "physical_entities": 22_989,
        "references": len({e.reference.curie for e in whole_reactome.entities.values() if e.reference}),
        "subpathways": 21_215,
        "events": 26_772 - 21_215,
        "participants": 10_332 + 9_039 + 2_931 + 561,
        "preceding": 4_418,
        "parts": 13_279 + 11_596,
        "referrals": 15_118,
        "participations": 68_711,
        "reactome_relations": 7,
    }


def test_311_of_the_314_labelled_interactions_reach_a_pathway(whole_reactome: Reactome) -> None:
    starter, xrefs = read_starter(), read_names("xrefs")
    ids = {
        protein.ensp: next(
            (name for name in xrefs.get(protein.ensp, ()) if name.startswith("uniprot:")), protein.ensp
        )
        for protein in starter.proteins
    }
    held = [
        {"id": ids[protein.ensp], "name": protein.name, "gene": protein.gene, "synonyms": [], "xrefs": [],
         "datasets": ["biomolmqa"], "labels": ["Protein"]}
        for protein in starter.proteins
    ]  # fmt: skip
    tables = reactome_tables(whole_reactome, "all species", held, Encoding("none", 384), Omissions())
    (participations,) = [table for table in tables.tables if table.name == "participations"]
    direct = {edge.head for edge in participations.edges.values() if edge.properties["direct"]}  # type: ignore[attr-defined]
    targets = [ids[str(fact.tail)] for fact in starter.facts if fact.kind == "DPI"]
    assert (len(targets), sum(target in direct for target in targets)) == (314, 311)
