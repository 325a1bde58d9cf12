"""The bundled tables are what the command makes of the published vocabularies."""

from pathlib import Path

import pytest

from biomolkg.lexicon.tables import COLUMNS, TABLES, table_file
from graph_loader.vocabulary.build.__main__ import main
from graph_loader.vocabulary.build.protein_forms import forms_of
from graph_loader.vocabulary.build.spelling import in_order, is_usual, kind_of, without_salt


def test_the_command_makes_the_bundled_tables_byte_for_byte(shared_data: Path, tmp_path: Path) -> None:
    assert main(["--data", str(shared_data), "--out", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.iterdir()} == {table_file(name) for name in COLUMNS}
    changed = [
        path.name for path in tmp_path.iterdir() if path.read_bytes() != (TABLES / path.name).read_bytes()
    ]
    assert not changed


def test_a_folder_without_the_vocabularies_is_refused_with_its_name(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert str(tmp_path) in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("aspirin", "synonym"),
        ("amphotericin B", "synonym"),
        ("50-78-2", "code"),
        ("SR-05000001570", "code"),
        ("CHEMBL143", "code"),
        ("P41PML4GHR", "code"),
        ("NSC 241240", "code"),
        ("9-Chloro-11,17,21-trihydroxy-16-methylpregna-1,4-diene-3,20-dione", "systematic"),
        ("6-{[Amino(phenyl)acetyl]amino}-3,3-dimethyl-7-oxo", "systematic"),
    ],
)
def test_names_are_told_apart_by_their_spelling(name: str, kind: str) -> None:
    assert kind_of(name) == kind


@pytest.mark.parametrize("name", ["(±)-Albuterol", "DL-Atenolol", "rac-Etodolac", "R-Pregabalin"])
def test_names_with_a_sign_of_stereochemistry_are_not_usual(name: str) -> None:
    assert not is_usual(name)


def test_salts_are_dropped_but_never_the_whole_name() -> None:
    assert without_salt("metformin hydrochloride") == "metformin"
    assert without_salt("ondansetron hydrochloride dihydrate") == "ondansetron"
    assert without_salt("calcium chloride") == "calcium chloride"
    assert without_salt("sodium") == "sodium"


def test_inverted_names_are_put_in_order() -> None:
    assert in_order("Acidosis, Lactic") == "Lactic Acidosis"
    assert in_order("Neoplasms") == "Neoplasms"


def test_forms_of_a_symbol_follow_its_family() -> None:
    assert {"COX-2", "cyclooxygenase-2", "COX II"} <= set(forms_of("PTGS2"))
    assert {"carbonic anhydrase XII", "CA XII"} <= set(forms_of("CA12"))
    assert list(forms_of("TP53")) == []
