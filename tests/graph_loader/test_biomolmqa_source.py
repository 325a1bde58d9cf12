"""Reading the published layout: what is taken, what is refused, and that nothing is left out silently."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biomolkg.errors import SourceError
from graph_loader.ledger import Omissions
from graph_loader.sources.biomolmqa import read_biomolmqa
from graph_loader.tables import read_table

from .conftest import ACTIONS, DDI, DPI, DRUGS, HOSTILE_RELATION, MOLECULAR, PROTEINS, TEXTS, write_table

MINED = Path("data/mined_data")
WIKI = Path("data/background_information_data/drug_data/Wiki")


def edit(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


def reasons(omissions: Omissions) -> dict[tuple[str, str], int]:
    return {(item.file, item.reason): item.count for item in omissions.listed()}


def test_every_row_becomes_a_fact_with_its_file_and_row(published: Path) -> None:
    omissions = Omissions()
    source = read_biomolmqa(published, omissions=omissions)
    assert omissions.listed() == ()
    assert len(source.drugs) == len(DRUGS)
    assert len(source.proteins) == len(PROTEINS)
    assert len(source.facts) == len(DDI) + len(ACTIONS) + len(DPI) + len(MOLECULAR)
    assert len(source.texts) == len(TEXTS)
    third = next(fact for fact in source.facts if fact.source == "biomolmqa:DDI_subset.csv:3")
    assert (third.head, third.relation, third.tail) == (60164, HOSTILE_RELATION, 3345)
    assert third.details == {"umls": "C0000001"}
    molecular = next(fact for fact in source.facts if fact.kind == "MOLECULAR")
    assert molecular.details["evidence"] == "- line 1\n- line 2"


def test_a_wrapped_name_is_joined_and_found_as_printed(published: Path) -> None:
    drug = next(drug for drug in read_biomolmqa(published).drugs if drug.cid == 99)
    assert drug.name == "A long name that was wrapped"
    assert drug.aliases == ("A long name that was wrap ped",)


def test_the_question_graph_is_a_part_of_the_full_one(published: Path) -> None:
    full = {fact.source: fact for fact in read_biomolmqa(published).facts}
    question = read_biomolmqa(published, selection="question")
    assert len(question.facts) == 3
    assert all(full[fact.source] == fact for fact in question.facts)
    assert {drug.cid for drug in question.drugs} == {2173, 3345, 3672, 5533}


@pytest.mark.parametrize("ending", ["byte order mark", "CRLF", "no final line end", "spaces around cells"])
def test_harmless_forms_of_a_table_change_nothing(published: Path, ending: str) -> None:
    expected = read_biomolmqa(published).facts
    changes: dict[str, Callable[[bytes], bytes]] = {
        "byte order mark": lambda content: b"\xef\xbb\xbf" + content,
        "CRLF": lambda content: content.replace(b"\n", b"\r\n"),
        "no final line end": lambda content: content.rstrip(b"\n"),
        "spaces around cells": lambda content: content.replace(b",CID", b", CID"),
    }
    edit(published / MINED / "DDI_subset.csv", changes[ending])
    assert read_biomolmqa(published).facts == expected


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda content: content.replace(b"Fentanyl", b"Fentan\xffl", 1), "line 2"),
        (lambda content: content.replace(b"relationship", b"relation", 1), "lacks the column relationship"),
        (lambda content: content.replace(b",", b";"), "lacks the columns"),
        (lambda content: content.split(b"\n", 1)[0] + b"\n", "no rows"),
        (lambda _: b"", "no header"),
        (lambda content: content + b'CID000000099,"never closed', "DDI_subset.csv, line"),
        (lambda content: content.replace(b"CID0", b"X0"), "CID is no STITCH number"),
    ],
    ids=["not UTF-8", "column missing", "delimiter", "header only", "empty", "quote", "mostly unusable"],
)
def test_a_table_that_is_not_what_it_should_be_is_refused(
    published: Path, change: Callable[[bytes], bytes], named: str
) -> None:
    edit(published / MINED / "DDI_subset.csv", change)
    with pytest.raises(SourceError) as caught:
        read_biomolmqa(published)
    assert "DDI_subset.csv" in str(caught.value)
    assert named in str(caught.value)


@pytest.mark.parametrize("table", ["sampled_ddi.csv", "DPI_subset.csv", "DPI_subset_with_rel.csv"])
def test_a_missing_table_is_named_before_anything_is_read(published: Path, table: str) -> None:
    (published / MINED / table).unlink()
    with pytest.raises(SourceError, match=table):
        read_biomolmqa(published)


def test_the_wrong_folder_is_refused_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="holds data/mined_data"):
        read_biomolmqa(tmp_path / "absent")


F = "Fentanyl,CCC(=O)N(C1CCN(CC1)CCC2=CC=CC=C2)C3=CC=CC=C3"
I = "Ibuprofen,CC(C)CC1=CC=C(C=C1)C(C)C(=O)O"  # noqa: E741


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (f"CID000003345,{F},pain,CID000003345,{F}", "both ends are the same entity"),
        (f"CID000003345,{F},AN-EDGE,CID000003672", "wrong number of columns"),
        (f"CID000003345,{F},,CID000003672,{I}", "empty relationship"),
        (f"CID000003345,{F},a\x00b,CID000003672,{I}", "NUL byte"),
        (f"CID000003345,{F},a\x01b,CID000003672,{I}", "control character"),
        (f"pubchem:3345,{F},pain,CID000003672,{I}", "CID is no STITCH number"),
        ("CID000003345,{F},hypermagnesemia,CID000002173,\"3',5'-cyclic AMP\",CCO".replace("{F}", F),
         "duplicate in the other direction"),
    ],
)  # fmt: skip
def test_an_unusable_row_is_left_out_and_counted(published: Path, row: str, reason: str) -> None:
    expected = read_biomolmqa(published).facts
    edit(published / MINED / "DDI_subset.csv", lambda content: content + row.encode() + b"\n")
    omissions = Omissions()
    assert read_biomolmqa(published, omissions=omissions).facts == expected
    (item,) = omissions.listed()
    assert (item.file, item.reason, item.count) == ("DDI_subset.csv", reason, 1)
    assert item.offenders == (f"row {len(DDI) + 1}",)


def test_a_repeated_row_is_kept_once_and_counted(published: Path) -> None:
    edit(published / MINED / "DDI_subset.csv", lambda content: content + content.split(b"\n", 1)[1])
    omissions = Omissions()
    source = read_biomolmqa(published, omissions=omissions)
    assert sum(fact.kind == "DDI" for fact in source.facts) == len(DDI)
    assert reasons(omissions) == {("DDI_subset.csv", "duplicate"): len(DDI)}


def test_a_second_name_for_one_number_is_counted_and_the_first_kept(published: Path) -> None:
    edit(
        published / MINED / "DDI_subset.csv",
        lambda content: content + f"CID000003345,Duragesic,CCO,pain,CID000003672,{I}\n".encode(),
    )
    omissions = Omissions()
    source = read_biomolmqa(published, omissions=omissions)
    assert next(drug.name for drug in source.drugs if drug.cid == 3345) == "Fentanyl"
    assert sum(fact.kind == "DDI" for fact in source.facts) == len(DDI) + 1
    assert set(reasons(omissions)) >= {
        ("DDI_subset.csv", "second name for a drug, first kept"),
        ("DDI_subset.csv", "second SMILES for a drug, first kept"),
    }


def test_a_name_that_nobody_has_or_two_have_joins_nothing(published: Path) -> None:
    edit(
        published / MINED / "DPI_subset_with_rel.csv",
        lambda content: content + b"Nobody,binding and inhibition,5-hydroxytryptamine receptor 1B\n",
    )
    omissions = Omissions()
    source = read_biomolmqa(published, omissions=omissions)
    assert sum(fact.kind == "DPI" for fact in source.facts) == len(DPI)
    assert reasons(omissions) == {("DPI_subset_with_rel.csv", "drug name is not known"): 1}


def test_texts_that_cannot_be_used_are_counted(published: Path) -> None:
    (published / WIKI / "Nobody.txt").write_text("About nobody.", encoding="utf-8")
    (published / WIKI / "Trazodone.txt").write_bytes(b"Caf\xe9")
    (published / WIKI / "Fentanyl.txt").write_text(" \n", encoding="utf-8")
    (published / WIKI / "Ibuprofen.txt").write_text("a\x00b", encoding="utf-8")
    omissions = Omissions()
    source = read_biomolmqa(published, omissions=omissions)
    assert len(source.texts) == len(TEXTS) - 2
    assert {reason for _, reason in reasons(omissions)} == {
        "name is not known", "unreadable or not UTF-8", "empty text", "NUL byte",
    }  # fmt: skip


PRINTABLE = st.text(
    st.characters(blacklist_categories=("Cc", "Cs", "Zl", "Zp"), blacklist_characters="\ufeff\x85"),
    min_size=1,
).filter(lambda text: text.strip() == text and text.strip() != "")


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(PRINTABLE, PRINTABLE, PRINTABLE), min_size=1, max_size=8))
def test_what_a_table_says_is_what_is_read(tmp_path: Path, rows: list[tuple[str, str, str]]) -> None:
    path = tmp_path / "table.csv"
    write_table(path, ["one", "two", "three"], rows)
    omissions = Omissions()
    read = list(read_table(path, ["three", "one", "two"], omissions))
    assert read == [(number, (row[2], row[0], row[1])) for number, row in enumerate(rows, start=1)]
    assert omissions.listed() == ()
