"""The bundled part of Reactome: the downloads say the same, and drugs reach pathways through their targets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from neo4j import Session

from app.graph_state import missing_starter_parts
from biomolkg.errors import SourceError
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.bundled_reactome import SPECIES, read_bundled_reactome, write_bundled_reactome
from graph_loader.loading import load_reactome, load_starter, load_starter_pathways

from .conftest import last_transaction

Count = Callable[[str], int]


@pytest.fixture(scope="module")
def started(client: Client, neo4j_server: Settings) -> Client:
    """Both parts of the starter graph."""
    assert missing_starter_parts(client) == ("biomolmqa", "reactome")
    load_starter(client, neo4j_server)
    assert missing_starter_parts(client) == ("reactome",)
    load_starter_pathways(client, neo4j_server)
    assert missing_starter_parts(client) == ()
    return client


def test_written_again_the_tables_are_the_same(tmp_path: Path) -> None:
    reactome = read_bundled_reactome()
    write_bundled_reactome(tmp_path, reactome)
    again = read_bundled_reactome(tmp_path)
    for part in ("pathways", "reactions", "entities", "below", "listed"):
        assert getattr(again, part) == getattr(reactome, part), part
    (tmp_path / "reactome_reactions.tsv.gz").write_bytes(b"no gzip")
    with pytest.raises(SourceError, match="reactome_reactions"):
        read_bundled_reactome(tmp_path)


def test_a_second_load_and_the_downloads_of_the_same_species_write_nothing(
    started: Client, neo4j_server: Settings, session: Session, shared_data: Path
) -> None:
    before = last_transaction(session)
    assert not load_starter_pathways(started, neo4j_server).changed
    ledger = load_reactome(started, shared_data / "reactome", neo4j_server, species=[SPECIES])
    assert last_transaction(session) == before
    assert {row.table: row.unchanged for row in ledger.tables}["participations"] == 68_711
    assert not load_starter(started, neo4j_server).changed


def test_from_drug_to_target_to_pathway_with_the_evidence_of_the_join(
    started: Client, session: Session, count: Count
) -> None:
    line = "MATCH (d:Drug)-[r:DPI]->(p:Protein)-[:PARTICIPATES_IN {direct: true}]->(w:Pathway) "
    assert count(f"{line} RETURN count(DISTINCT r)") == 311
    joins = session.run(f"{line} RETURN DISTINCT p.id AS id, p.reactome_join AS join")
    assert {row["join"] == f"identifier {row['id']}" for row in joins} == {True}
    left = session.run(
        "MATCH (:Drug)-[:DPI]->(p:Protein) WHERE NOT EXISTS { (p)-[:PARTICIPATES_IN]->(:Pathway) } "
        "RETURN DISTINCT p.gene AS gene ORDER BY gene"
    )
    assert [row["gene"] for row in left] == ["GUCY2D", "GUCY2F", "NANP"]


def test_relation_types_count_the_edges_that_are_read_as_triples(started: Client, session: Session) -> None:
    stated = session.run(
        "MATCH (r:RelationType {kind: 'REACTOME'}) WHERE size(r.embedding) = 384 "
        "RETURN r.name AS name, r.count AS count"
    )
    found = session.run(
        "MATCH ()-[e:INPUT|OUTPUT|CATALYZED_BY]->() RETURN type(e) AS type, count(e) AS count "
        "UNION MATCH ()-[e:PARTICIPATES_IN {direct: true}]->() RETURN type(e) AS type, count(e) AS count "
        "UNION MATCH ()-[e:REGULATED_BY]->() RETURN 'by ' + e.regulation AS type, count(e) AS count"
    )
    names = {
        "INPUT": "consumes",
        "OUTPUT": "produces",
        "CATALYZED_BY": "catalyzes",
        "PARTICIPATES_IN": "participates in",
        "by requirement": "regulates as a requirement",
    }
    expected = {names.get(row["type"], f"regulates {row['type']}"): row["count"] for row in found}
    assert {row["name"]: row["count"] for row in stated} == expected
    assert sum(expected.values()) == 45_935
