"""The bundled starter graph: its counts, its bytes, and that the published folder says the same."""

from __future__ import annotations

import csv
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from neo4j import Session

from biomolkg.encoder import encoder_identity
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.bundled import bundled_folder, read_names, read_starter, write_starter
from graph_loader.embeddings import Embeddings, read_vectors, text_key
from graph_loader.loading import load_biomolmqa, load_starter
from graph_loader.starter.build import build
from graph_loader.starter.embed import starter_texts

from .conftest import dump, last_transaction

Count = Callable[[str], int]
FACTS = {"DDI": 18_585, "DPI": 314, "MOLECULAR": 499, "ACTION": 938}


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_tables_hold_what_is_promised() -> None:
    starter = read_starter()
    assert len(starter.drugs) == len({drug.name for drug in starter.drugs}) == 494
    assert len(starter.proteins) == 198
    assert Counter(fact.kind for fact in starter.facts) == FACTS
    ends = {end for fact in starter.facts if fact.kind != "ACTION" for end in (fact.head, fact.tail)}
    assert len(ends) == 549
    assert starter.texts == ()
    assert not any(name in fact.details for fact in starter.facts for name in ("mechanism", "evidence"))


def test_synonyms_name_drugs_that_the_source_lists_by_number_or_systematically() -> None:
    synonyms = read_names("synonyms")
    named = {name.casefold(): cid for cid, names in synonyms.items() for name in names}
    smiles = {drug.cid: drug.smiles for drug in read_starter().drugs}
    # An independent check by formula-free eye: the anticoagulant, two antipsychotics, an antibiotic.
    assert smiles[named["warfarin"]] == "CC(=O)CC(C1=CC=CC=C1)C2=C(OC3=CC=CC=C3C2=O)O"
    assert "S1" in str(smiles[named["olanzapine"]])
    assert "Cl" in str(smiles[named["clozapine"]])
    assert len(named) == sum(len(names) for names in synonyms.values())


def test_written_again_the_tables_have_the_same_bytes(tmp_path: Path) -> None:
    write_starter(tmp_path, read_starter())
    written = sorted(path.name for path in tmp_path.iterdir())
    assert "ddi.tsv.gz" in written
    for name in written:
        assert (tmp_path / name).read_bytes() == (bundled_folder() / name).read_bytes()


def test_the_tables_are_those_that_the_data_give(tmp_path: Path, shared_data: Path) -> None:
    build(shared_data, tmp_path)
    for path in tmp_path.iterdir():
        assert path.read_bytes() == (bundled_folder() / path.name).read_bytes(), path.name


def test_every_text_of_the_starter_graph_has_a_bundled_vector(neo4j_server: Settings) -> None:
    vectors = read_vectors(encoder_identity(neo4j_server)[0])
    missing = [text for text in starter_texts(neo4j_server) if text_key(text) not in vectors]
    assert not missing, "run python -m graph_loader.starter.embed"


class Counting:
    """A real encoder's place, to count what is asked of it."""

    def __init__(self, wrapped: Callable[[], object]) -> None:
        self.asked: list[str] = []
        self._wrapped = wrapped

    def encode(self, texts: list[str]) -> object:
        self.asked += texts
        return self._wrapped().encode(texts)  # type: ignore[attr-defined]


def test_a_text_is_embedded_once_and_a_damaged_file_costs_only_time(
    neo4j_server: Settings, tmp_path: Path
) -> None:
    from biomolkg.encoder import SentenceEncoder

    settings = neo4j_server.model_copy(update={"home": tmp_path})
    identity, dimension = encoder_identity(settings)
    real = SentenceEncoder(settings)
    counting = Counting(lambda: real)

    def embeddings() -> Embeddings:
        return Embeddings(settings, identity=identity, dimension=dimension, encoder=lambda: counting)  # type: ignore[arg-type,return-value]

    first = embeddings().encode(["a new text", "another", "a new text"])
    assert counting.asked == ["a new text", "another"]
    again = embeddings().encode(["another", "a new text"])
    assert counting.asked == ["a new text", "another"]
    assert (again[::-1] == first[:2]).all()
    (file,) = (tmp_path / "cache").glob("embeddings-*.sqlite")
    file.write_bytes(b"not a database, but long enough to be taken for one" * 50)
    assert abs(embeddings().encode(["another"]) - first[1]).max() < 1e-5


@pytest.fixture(scope="module")
def started(client: Client, neo4j_server: Settings) -> Client:
    ledger = load_starter(client, neo4j_server)
    assert {row.table: row.read for row in ledger.tables}["ddi"] == FACTS["DDI"]
    return client


def test_the_starter_graph_is_loaded_whole_and_once(
    started: Client, neo4j_server: Settings, session: Session, count: Count
) -> None:
    assert count("MATCH (d:Drug) RETURN count(d)") == 494
    assert count("MATCH (p:Protein) RETURN count(p)") == 198
    assert count("MATCH (p:Protein) WHERE p.id STARTS WITH 'uniprot:' RETURN count(p)") == 162
    for kind, expected in FACTS.items():
        assert count(f"MATCH ()-[e:{kind}]->() RETURN count(e)") == expected
    assert count("MATCH (n:Entity) WHERE (n)-[:DDI|DPI|MOLECULAR]-() RETURN count(n)") == 549
    assert count("MATCH (e:Entity) WHERE NOT (e)-[:DESCRIBED_BY]->() RETURN count(e)") == 0
    before = last_transaction(session)
    assert not load_starter(started, neo4j_server).changed
    assert last_transaction(session) == before


def load_in_a_process(settings: Settings) -> subprocess.Popen[bytes]:
    environment = os.environ | {"BIOMOLKG_HOME": str(settings.home), "BIOMOLKG_LOAD_BATCH_ROWS": "200"}
    return subprocess.Popen(
        [sys.executable, "-m", "app.cli", "load", "starter"],
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def test_a_load_killed_at_any_moment_and_repeated_gives_the_same_graph(
    started: Client, neo4j_server: Settings, session: Session, count: Count
) -> None:
    clean = dump(session)
    moments = random.Random()
    for _ in range(2):
        session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS").consume()
        loading = load_in_a_process(neo4j_server)
        while loading.poll() is None and not count("MATCH (g:Graph {loading: true}) RETURN count(g)"):
            time.sleep(0.05)
        time.sleep(moments.uniform(0, 3))
        loading.send_signal(signal.SIGKILL)
        killed = loading.wait() == -signal.SIGKILL
        halfway = dump(session)
        assert not killed or halfway == clean or count("MATCH (g:Graph {loading: true}) RETURN count(g)") == 1
        ledger = load_starter(started, neo4j_server)
        assert ledger.changed == (halfway != clean)
        assert dump(session) == clean


def test_the_published_folder_adds_to_the_starter_graph_what_it_gives_without_it(
    started: Client, neo4j_server: Settings, session: Session, count: Count, shared_data: Path
) -> None:
    folder = shared_data / "biomolmqa"
    ledger = load_biomolmqa(started, folder, neo4j_server)
    tables = {row.table: row for row in ledger.tables}
    assert ledger.omissions == ()
    for table in ("drugs", "proteins", "ddi", "dpi", "action", "relation_types"):
        assert (tables[table].written, tables[table].removed) == (0, 0), table
    assert tables["molecular"].written == FACTS["MOLECULAR"]
    assert tables["passages"].removed == 0
    upon_starter = dump(session)
    check_against_files(session, folder, count)

    load_biomolmqa(started, folder, neo4j_server, selection="question")
    assert count("MATCH ()-[e:DDI|DPI|MOLECULAR]->() RETURN count(e)") == len(
        rows(folder / "data/mined_data/full_graph.csv")
    )
    session.run("MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS").consume()
    load_biomolmqa(started, folder, neo4j_server)
    assert dump(session) == upon_starter


def check_against_files(session: Session, folder: Path, count: Count) -> None:
    """Compare the graph with the files, read without any code of the loader."""
    mined = folder / "data/mined_data"
    ddi = rows(mined / "DDI_subset.csv")
    expected = {
        (
            int(row["drug_1_CID"][3:]),
            row["relationship"],
            int(row["drug_2_CID"][3:]),
            f"biomolmqa:DDI_subset.csv:{at}",
        )
        for at, row in enumerate(ddi, start=1)
    }
    found = session.run("MATCH (a)-[e:DDI]->(b) RETURN a.id AS a, e.relation AS r, b.id AS b, e.source AS s")
    assert {
        (int(row["a"].split(":")[1]), row["r"], int(row["b"].split(":")[1]), row["s"]) for row in found
    } == expected
    assert count("MATCH ()-[e:DDI]->() RETURN count(e)") == len(ddi)
    for kind, path, names in (
        ("DPI", mined / "DPI_subset_with_rel.csv", ("drug_name", "relationship", "protein_name")),
        (
            "MOLECULAR",
            folder / "data/OAI/molecular_interactions/molecular_interactions_df.csv",
            ("drug_1_name", "molecular_interaction", "drug_2_name"),
        ),
    ):
        listed = Counter(tuple(row[name].replace("\n", "") for name in names) for row in rows(path))
        held = session.run(f"MATCH (a)-[e:{kind}]->(b) RETURN a.name AS a, e.relation AS r, b.name AS b")  # type: ignore[arg-type]
        assert Counter((row["a"], row["r"], row["b"]) for row in held) == listed
    assert count("MATCH ()-[e:ACTION]->() RETURN count(e)") == len(rows(mined / "DPI_subset.csv"))
    texts = folder / "data/background_information_data"
    for section, folders in {
        "raw": ("drug_data/Wiki", "protein_data/Wiki"),
        "rewritten": ("drug_data/Wiki_complexified",),
    }.items():
        files = [file for name in folders for file in (texts / name).glob("*.txt")]
        assert count(f"MATCH (p:Passage {{section: '{section}'}}) RETURN count(DISTINCT p.document)") == len(
            files
        )
        for file in files:
            words = file.read_text(encoding="utf-8").split()
            held = session.run(
                "MATCH (e:Entity {name: $name})-[:DESCRIBED_BY]->(p:Passage {section: $section}) "
                "RETURN p.text AS text ORDER BY p.position",
                name=file.stem,
                section=section,
            )
            assert " ".join(row["text"] for row in held).split() == words, file.name
