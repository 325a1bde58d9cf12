"""Structures of anyone's own graph: their functional groups are joined, kept in step, and taken out again."""

from __future__ import annotations

from pathlib import Path

import pytest
from neo4j import Session

from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.chemistry import describe_molecule
from graph_loader.removal import remove_dataset
from graph_loader.sources.csv_graph import read_mapping
from graph_loader.table_loading import load_tables
from graph_loader.table_sources import csv_source

from .conftest import last_transaction

NAPROXEN, METFORMIN, BENZENE = "CC(C1=CC2=C(C=C1)C=C(C=C2)OC)C(=O)O", "CN(C)C(=N)N=C(N)N", "c1ccccc1"


def linked(session: Session) -> dict[str, dict[str, int]]:
    rows = session.run(
        "MATCH (e)-[h:HAS_GROUP {dataset: 'mine'}]->(g:FunctionalGroup) "
        "RETURN e.name AS entity, collect([g.name, h.count]) AS groups"
    )
    return {row["entity"]: dict(row["groups"]) for row in rows}


@pytest.fixture
def write(client: Client, neo4j_server: Settings, tmp_path: Path):  # type: ignore[no-untyped-def]
    def load(*rows: tuple[str, str]) -> bool:
        folder = tmp_path / "mine"
        folder.mkdir(exist_ok=True)
        lines = ["id:ID,name,smiles,:LABEL", *(f"{name},{name},{smiles},Mol" for name, smiles in rows)]
        (folder / "Node.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
        (tmp_path / "mine.toml").write_text('[nodes.Mol]\nkind = "Drug"\n')
        source = csv_source(folder, read_mapping(tmp_path / "mine.toml"), name="mine")
        return load_tables(client, source, neo4j_server).changed

    return load


def test_groups_follow_the_structures(
    write, client: Client, session: Session, neo4j_server: Settings
) -> None:  # type: ignore[no-untyped-def]
    write(("Naproxen", NAPROXEN), ("Odd", "C1CC"), ("Metformin", METFORMIN))
    expected = {
        name: dict(describe_molecule(smiles).groups)
        for name, smiles in (("Naproxen", NAPROXEN), ("Metformin", METFORMIN))
    }
    assert linked(session) == expected
    before = last_transaction(session)
    assert not write(("Naproxen", NAPROXEN), ("Odd", "C1CC"), ("Metformin", METFORMIN))
    assert last_transaction(session) == before
    write(("Naproxen", BENZENE), ("Odd", ""))
    assert linked(session) == {"Naproxen": dict(describe_molecule(BENZENE).groups)}
    remove_dataset(client, "mine", neo4j_server)
    assert linked(session) == {}
    assert session.run("MATCH (g:FunctionalGroup) RETURN count(g)").single(strict=True).value() == 0
