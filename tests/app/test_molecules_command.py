"""`biomolkg molecules` and `biomolkg texts`, as a person or a script calls them."""

from __future__ import annotations

import csv
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.cli import run
from biomolkg.settings import Settings
from graph_loader.interactions.rules import propose
from tests.graph_loader.test_chemistry_asked import Model

NAPROXEN = "CC(C1=CC2=C(C=C1)C=C(C=C2)OC)C(=O)O"
PYRIDOSTIGMINE = "C[N+]1=CC=CC(=C1)OC(=O)N(C)C"
COLUMNS = ("drug_1_name", "drug_2_name", "drug_1_SMILES", "drug_2_SMILES", "molecular_interaction")


@pytest.fixture
def home(starter: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The home whose Neo4j holds the starter graph, for commands of this process."""
    monkeypatch.setenv("BIOMOLKG_HOME", str(starter.home))
    return starter


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    with Model() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        monkeypatch.setenv("BIOMOLKG_LLM_BASE_URL", f"http://127.0.0.1:{server.server_address[1]}/v1")
        monkeypatch.setenv("BIOMOLKG_LLM_MODEL", "tester")
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def published(tmp_path: Path) -> Path:
    path = tmp_path / "edges.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        writer.writerow(("Naproxen", "Pyridostigmine", NAPROXEN, PYRIDOSTIGMINE, "ionic interaction"))
        writer.writerow(("Naproxen", "Benzene", NAPROXEN, "c1ccccc1", "Hydrogen Bonding"))
        writer.writerow(("Naproxen", "broken", NAPROXEN, "C1CC", "Hydrogen Bonding"))
    return path


def failed(capsys: pytest.CaptureFixture[str]) -> str:
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return captured.err.strip().splitlines()[-1]


def test_edges_between_drugs_of_the_graph(home: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["molecules", "interactions", "naproxen", "pubchem.compound:4991", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["first"]["name"], answer["second"]["name"]) == ("Naproxen", "Pyridostigmine")
    expected = propose(NAPROXEN, PYRIDOSTIGMINE).model_dump(mode="json")["proposals"]
    assert [{**edge, "evidence": None} for edge in answer["proposals"]] == [
        {**edge, "evidence": None} for edge in expected
    ]
    assert answer["proposals"][0]["evidence"].startswith("Naproxen: carboxylic acid")
    assert run(["molecules", "interactions", "Naproxen", "Pyridostigmine"]) == 0
    assert "Ionic Interaction (high)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("drug", "message"),
    [
        ("Naproxenn", "is called 'Naproxenn'"),
        ("uniprot:P35367", "has no structure"),
        ("x:1", "no entity 'x:1'"),
    ],
)
def test_drugs_that_are_not_there_are_told(
    home: Settings, drug: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["molecules", "interactions", "Naproxen", drug]) == 2
    assert message in failed(capsys)


def test_drugs_are_found_by_their_structures(home: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--like", "Celecoxib", "--group", "sulfonamide", "--substructure", "c1ccccc1", "-k", "3"]
    assert run(["molecules", "search", *arguments, "--json"]) == 0
    hits = json.loads(capsys.readouterr().out)["hits"]
    assert (hits[0]["name"], hits[0]["score"]) == ("Celecoxib", 1.0)
    assert {match["name"] for match in hits[0]["matches"]} == {"sulfonamide", "c1ccccc1"}
    assert run(["molecules", "search", *arguments]) == 0
    assert "sulfonamide × 1" in capsys.readouterr().out
    assert run(["molecules", "search", "--smiles", "--like", NAPROXEN, "-k", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hits"][0]["name"] == "Naproxen"
    for wrong in (["--group", "sulfonamide:x"], ["--substructure", "C("], ["--group", "no such"], []):
        assert run(["molecules", "search", *wrong]) == 2
        assert failed(capsys)


def test_agreement_is_measured_and_what_failed_is_counted(
    published: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["molecules", "edges", str(published), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["edges"]["all"]["edges"] == 3
    assert found["edges"]["all"]["first"] == pytest.approx(1 / 3)
    assert found["skipped"] == {"a structure cannot be read": 1}
    assert sum(part["edges"] for name, part in found["edges"].items() if name != "all") == 3
    assert run(["molecules", "edges", str(published)]) == 0
    assert "a structure cannot be read" in capsys.readouterr().out


def test_the_published_edges_agree_as_documented(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["molecules", "edges", str(shared_data / "biomolmqa"), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["edges"]["all"]
    assert (found["edges"], round(found["first"], 3), round(found["among"], 3)) == (499, 0.836, 0.974)


def test_a_language_model_takes_the_place_of_the_rules(
    published: Path, model: Model, capsys: pytest.CaptureFixture[str]
) -> None:
    good = propose(NAPROXEN, PYRIDOSTIGMINE).model_dump_json()
    model.answer(good)
    arguments = ["molecules", "interactions", "--smiles", "--model", NAPROXEN, PYRIDOSTIGMINE]
    assert run([*arguments, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["proposals"][0]["category"] == "Ionic Interaction"
    model.answer("They attract.", '{"proposals": [{"category": "Magnetism"}]}')
    assert run(arguments) == 1
    assert "twice answered in a form that cannot be used" in failed(capsys)
    model.answer(good, "no JSON", "again none")
    assert run(["molecules", "edges", str(published), "--model", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["skipped"] == {
        "the language model failed or gave no usable answer": 1,
        "a structure cannot be read": 1,
    }


def test_without_a_language_model_the_remedy_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["molecules", "interactions", "--smiles", "--model", "CCO", "CCN"]) == 2
    assert "BIOMOLKG_LLM_BASE_URL" in failed(capsys)


def test_texts_are_rewritten_and_accounted_for(
    tmp_path: Path, model: Model, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "a.txt").write_text(
        "The drug slows the heart. It acts fast. " * 4, encoding="utf-8"
    )
    (tmp_path / "texts" / "b.txt").write_text("Short.", encoding="utf-8")
    hard = "Pharmacologically, administration decelerates cardiovascular contractility considerably. " * 2
    model.answer(json.dumps({"text": hard}))
    arguments = ["texts", "rewrite", str(tmp_path / "texts"), str(tmp_path / "out"), "--min-chars", "50"]
    assert run(arguments) == 0
    printed = capsys.readouterr().out
    assert "1 of 2 texts are rewritten" in printed
    assert "1 skipped: shorter than 50 characters" in printed
    assert run([*arguments, "--json"]) == 0
    account = json.loads(capsys.readouterr().out)
    assert account["fog_after"] > account["fog_before"] > 0
    assert [item["status"] for item in account["files"]] == ["rewritten", "skipped"]
    assert run(["texts", "rewrite", str(tmp_path / "gone"), str(tmp_path / "out")]) == 2
    assert "has no .txt files" in failed(capsys)
