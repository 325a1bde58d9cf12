"""A small BioMol-MQA made by the tests, and a plain session to look at what was written."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest
from neo4j import GraphDatabase, Session

from biomolkg.settings import Settings
from cypher.home import server_home
from cypher.state import read_state
from graph_loader.sources.reactome import Reactome, read_reactome

DRUGS = {
    2173: ("3',5'-cyclic AMP", "CCO"),
    3345: ("Fentanyl", "CCC(=O)N(C1CCN(CC1)CCC2=CC=CC=C2)C3=CC=CC=C3"),
    3672: ("Ibuprofen", "CC(C)CC1=CC=C(C=C1)C(C)C(=O)O"),
    60164: ('Drug, "quoted"', "CC(=O)N"),
    5533: ("Trazodone", "C1CN(CCN1CCCN2C(=O)N3C=CC=CC3=N2)C4=CC(=CC=C4)Cl"),
    99: ("A long name that was wrap\nped", "c1ccccc1"),
}
PROTEINS = {
    "ENSP00000358963": ("5-hydroxytryptamine receptor 1B", "HTR1B", 3351),
    "ENSP00000358301": ("Crohn's β-1 adrenergic receptor", "ADRB1", 153),
}
HOSTILE_RELATION = "Foo]->(x) DETACH DELETE x //"
DDI = [
    (2173, "hypermagnesemia", 3345, "C0151714"),
    (2173, "Crohn's disease", 3672, "C0010346"),
    (60164, HOSTILE_RELATION, 3345, "C0000001"),
    (99, "AN-EDGE", 5533, "C0000002"),
    (5533, "a\tb", 3345, "C0000003"),
]
ACTIONS = [
    (5533, "ENSP00000358963", "inhibition", "inhibition", 991),
    (5533, "ENSP00000358963", "binding", "inhibition", 958),
    (5533, "ENSP00000358963", "binding", "inhibition", 911),
    (3672, "ENSP00000358301", "activation", "activation", 950),
]
DPI = [(5533, "binding and inhibition", "ENSP00000358963")]
MOLECULAR = [(3672, "π-π Stacking", 3345), (99, "Hydrogen Bonding", 3672)]
TEXTS = {
    "drug_data/Wiki/Fentanyl.txt": "Fentanyl is an opioid. It is given by patch.",
    "drug_data/Wiki/Ibuprofen.txt": "Ibuprofen relieves pain. " * 80,
    "drug_data/Wiki_complexified/Fentanyl.txt": "An anilidopiperidine analgesic.",
    "protein_data/Wiki/5-hydroxytryptamine receptor 1B.txt": "A receptor of serotonin.",
}
QUESTION = [
    (2173, "hypermagnesemia", 3345, 0),
    (3672, "π-π Stacking", 3345, 0),
    (5533, "binding and inhibition", "ENSP00000358963", 1),
]


def write_table(path: Path, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def write_published(folder: Path) -> Path:
    """The published layout with a handful of rows."""
    mined = folder / "data" / "mined_data"
    stitch = {cid: f"CID{cid:09d}" for cid in DRUGS}

    def name(entity: object) -> str:
        return DRUGS[entity][0] if entity in DRUGS else PROTEINS[str(entity)][0]  # type: ignore[index]

    ends = [f"drug_{end}_{what}" for end in "12" for what in ("CID", "name", "SMILES")]
    write_table(
        mined / "DDI_subset.csv",
        [*ends[:3], "relationship", *ends[3:]],
        [(stitch[head], *DRUGS[head], rel, stitch[tail], *DRUGS[tail]) for head, rel, tail, _ in DDI],
    )
    write_table(
        mined / "sampled_ddi.csv",
        ["STITCH 1", "STITCH 2", "Polypharmacy Side Effect", "Side Effect Name"],
        [(stitch[head], stitch[tail], code, relation) for head, relation, tail, code in DDI],
    )
    write_table(
        mined / "DPI_subset.csv",
        ["cid", "Gene", "Gene_Name", "Protein ID", "Protein_Name", "mode", "action", "a_is_acting", "score",
         "drug_name"],
        [
            (stitch[cid], PROTEINS[ensp][2], PROTEINS[ensp][1], f"9606.{ensp}", PROTEINS[ensp][0], mode,
             action, "t", score, DRUGS[cid][0])
            for cid, ensp, mode, action, score in ACTIONS
        ],
    )  # fmt: skip
    write_table(
        mined / "DPI_subset_with_rel.csv",
        ["drug_name", "relationship", "protein_name"],
        [(name(head), relation, name(tail)) for head, relation, tail in DPI],
    )
    write_table(
        folder / "data/OAI/molecular_interactions/molecular_interactions_df.csv",
        ["drug_1_name", "drug_2_name", "drug_1_SMILES", "drug_2_SMILES", "molecular_interaction", "mechanism",
         "evidence", "severity"],
        [
            (name(head), name(tail), DRUGS[head][1], DRUGS[tail][1], relation, "They attract.",
             "- line 1\n- line 2", "Moderate")
            for head, relation, tail in MOLECULAR
        ],
    )  # fmt: skip
    write_table(
        mined / "full_graph.csv",
        ["entity_1", "relationship", "entity_2", "label"],
        [(name(head), relation, name(tail), label) for head, relation, tail, label in QUESTION],
    )
    for path, text in TEXTS.items():
        target = folder / "data/background_information_data" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def published(tmp_path: Path) -> Path:
    return write_published(tmp_path / "biomolmqa")


@pytest.fixture(scope="package")
def whole_reactome(shared_data: Path) -> Reactome:
    """All that the files at hand hold, of every species; only to be read."""
    return read_reactome(shared_data / "reactome")


@pytest.fixture(scope="module")
def session(neo4j_server: Settings) -> Iterator[Session]:
    """A session that runs any Cypher, for looking and for doing damage."""
    home = server_home(neo4j_server)
    state = read_state(home)
    assert state is not None
    with (
        GraphDatabase.driver(state.bolt, auth=(neo4j_server.neo4j_user, home.read_password())) as driver,
        driver.session() as opened,
    ):
        yield opened


@pytest.fixture(scope="module")
def count(session: Session) -> Callable[[str], int]:
    """The single number that a query gives."""
    return lambda query: int(session.run(query).single(strict=True).value())  # type: ignore[arg-type]


def dump(session: Session) -> list[object]:
    """Every node and edge in one order, without what differs between runs: times and the ledger's counts."""

    def plain(properties: dict[str, object]) -> list[tuple[str, object]]:
        fields = sorted(properties.items())
        return [
            (name, [round(number, 4) for number in value] if name == "embedding" else value)  # type: ignore[attr-defined]
            for name, value in fields
        ]

    nodes = session.run(
        "MATCH (n) WHERE NOT n:Load AND NOT n:Graph RETURN labels(n) AS labels, properties(n) AS properties"
    )
    edges = session.run(
        "MATCH (a)-[e]->(b) RETURN type(e) AS type, a.id AS head, coalesce(b.id, b.name) AS tail, "
        "properties(e) AS properties"
    )
    loads = session.run(
        "MATCH (l:Load) WHERE l.state <> 'superseded' RETURN l.id AS id, l.state AS state ORDER BY id"
    )
    graph = session.run("MATCH (g:Graph) RETURN g.version AS version, g.loading AS loading")
    return [
        sorted(repr((sorted(row["labels"]), plain(row["properties"]))) for row in nodes),
        sorted(repr((row["type"], row["head"], row["tail"], plain(row["properties"]))) for row in edges),
        [dict(row) for row in loads],
        [dict(row) for row in graph],
    ]


def last_transaction(session: Session) -> frozenset[str]:
    """Neo4j's own mark of the last transaction that was committed: any write moves it, a read does not."""
    session.run("RETURN 1").consume()
    return session.last_bookmarks().raw_values
