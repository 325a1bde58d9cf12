"""Question files: small ones made here, and the published ones where they are at hand."""

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from biomolkg.errors import SourceError
from biomolkg.question_files import triple_key
from evaluation.questions import background_gold, read_questions

COLUMNS = ("Entities", "Question_Background", "Question", "Answer", "Label")
TWO_HOPS = """DRUG 1 NAME: beta-Alanine
DRUG 1 SMILES: NCCC(=O)O

DRUG 2 NAME: 5-Fluoro-uracil
DRUG 2 SMILES: C1=C(C(=O)NC(=O)N1)F

PROTEIN NAME: Alpha-2A adrenergic receptor

DRUG 1 - DRUG 2 INTERACTION TRIPLE (subject-predicate-object): beta-Alanine-π-π Stacking-5-Fluoro-uracil
DRUG 2 - PROTEIN INTERACTION TRIPLE (subject-predicate-object): \
5-Fluoro-uracil-binding and inhibition-Alpha-2A adrenergic receptor
"""


def background(*triples: tuple[str, str, str]) -> str:
    names = list(dict.fromkeys(name for head, _, tail in triples for name in (head, tail)))
    return "\n\n".join(
        [f"DRUG {n} NAME: {name}\nDRUG {n} BACKGROUND INFORMATION: Made." for n, name in enumerate(names, 1)]
        + [
            "\n".join(
                f"DRUG-DRUG INTERACTION TRIPLE (subject-predicate-object): {'-'.join(triple)}"
                for triple in triples
            )
        ]
    )


def write_csv(path: Path, *rows: tuple[str, ...], columns: tuple[str, ...] = COLUMNS) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(rows)
    return path


def write_parquet(path: Path, **columns: list[Any]) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


def test_a_background_gives_its_gold_although_names_contain_hyphens() -> None:
    stacking, binding = background_gold(TWO_HOPS)
    assert stacking.key == triple_key("beta-Alanine-π-π Stacking-5-Fluoro-uracil")
    assert (stacking.relation, stacking.entities) == ("π-π Stacking", ("beta-Alanine", "5-Fluoro-uracil"))
    assert (binding.relation, binding.entities[1]) == (
        "binding and inhibition",
        "Alpha-2A adrenergic receptor",
    )


def test_a_name_that_runs_over_a_line_end_is_one_name() -> None:
    text = background(("Rofecoxib", "gout", "4-\ncarboxamide"), ("4-\ncarboxamide", "rash", "Fentanyl"))
    assert [gold.key for gold in background_gold(text)] == [
        "Rofecoxib-gout-4-carboxamide",
        "4-carboxamide-rash-Fentanyl",
    ]
    assert background_gold(text)[0].relation == "gout"


def test_a_triple_of_unnamed_entities_is_kept_whole() -> None:
    (gold,) = background_gold("INTERACTION TRIPLE (subject-predicate-object): A-b-C")
    assert (gold.key, gold.relation, gold.entities) == ("A-b-C", None, ())


def test_csv_rows_become_questions(tmp_path: Path) -> None:
    file = write_csv(
        tmp_path / "made.csv",
        ("A-B", background(("A", "rash", "B")), " Which, and\nwhy? ", "B", "0"),
        ("", TWO_HOPS, "Which receptor?", "Alpha-2A adrenergic receptor", "7"),
        ("", background(("A", "Hydrogen Bonding", "C")), "Which compound?", "C", ""),
    )
    read = read_questions(file)
    assert [(q.id, q.hops, q.modality, q.label) for q in read.questions] == [
        ("q0001", 1, "drug text", 0),
        ("q0002", 2, "protein text", 7),
        ("q0003", 1, "molecule", None),
    ]
    assert read.questions[0].text == "Which, and\nwhy?"
    assert read.questions[0].answer == "B"
    assert "1 questions have no label" in " ".join(read.notes)
    assert [q.id for q in read_questions(file, limit=1).questions] == ["q0001"]


def test_questions_without_gold_and_repeated_rows_are_counted_and_left_out(tmp_path: Path) -> None:
    row = ("", background(("A", "rash", "B")), "Which?", "B", "0")
    other_gold = ("", background(("A", "rash", "C")), "Which?", "C", "0")
    read = read_questions(
        write_csv(tmp_path / "made.csv", row, ("", "nothing", "Why?", "", "0"), row, other_gold)
    )
    assert [q.id for q in read.questions] == ["q0001", "q0004"]
    assert (read.rows, read.without_gold, read.duplicates) == (4, ("q0002",), ("q0003",))
    assert any("left out of every mean: q0002" in note for note in read.notes)
    assert any("asked once: q0003" in note for note in read.notes)


def test_a_parquet_takes_nested_or_joined_gold_and_labels_from_a_csv(tmp_path: Path) -> None:
    nested = write_parquet(
        tmp_path / "nested.parquet",
        Question=["Which  one?", "And this?"],
        Gold_Triples=[[["A-1", "x-y", "B"]], [["B", "rash", "C"], ["C", "gout", "A-1"]]],
    )
    joined = write_parquet(
        tmp_path / "joined.parquet",
        Question=["Which  one?", "And this?"],
        Gold_Triples=[["A-1-x-y-B"], ["B-rash-C", "C-gout-A-1"]],
    )
    labels = write_csv(
        tmp_path / "labels.csv", ("Which one?", "4", "B"), columns=("Question", "Label", "Answer")
    )
    a, b = read_questions(nested, labels=labels), read_questions(joined, labels=labels)
    assert [q.keys for q in a.questions] == [q.keys for q in b.questions]
    assert (a.questions[0].modality, a.questions[0].hops, a.questions[0].answer) == ("molecule", 2, "B")
    assert (a.questions[1].modality, a.questions[1].hops, a.questions[1].label) == ("drug text", 2, None)
    assert b.questions[1].modality is None
    assert any("one gold triple a hop: q0001" in note for note in a.notes)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.csv", b"", "is empty"),
        ("header.csv", b"Question,Question_Background\n", "no rows"),
        ("missing.csv", b"Question,Answer\nWhich?,A\n", "Question_Background; it has Question, Answer"),
        ("ragged.csv", b"Question,Question_Background\nWhich?,A,B\n", "cannot be read as csv"),
        ("latin.csv", b"Question,Question_Background\nWhich \xe9?,A\n", "cannot be read as csv"),
        ("blank.csv", b'Question,Question_Background\n" ",A\n', "row 1: the question is blank"),
        ("label.csv", b"Question,Question_Background,Label\nWhich?,A,9\n", "row 1: Label is '9'"),
        ("nothing.csv", b"Question,Question_Background\nWhich?,A\n", "None of the 1 questions"),
        ("broken.parquet", b"PAR1 and no more", "cannot be read as parquet"),
        ("other.txt", b"Which?", "no question file"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_name(
    tmp_path: Path, name: str, content: bytes, says: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        read_questions(path)
    assert says in str(caught.value)
    assert str(path) in str(caught.value)


def test_gold_of_another_form_and_foreign_labels_are_refused(tmp_path: Path) -> None:
    pair = write_parquet(tmp_path / "pair.parquet", Question=["Which?"], Gold_Triples=[[["A", "B"]]])
    with pytest.raises(SourceError, match=r"row 1.*no gold triple"):
        read_questions(pair)
    text = write_parquet(tmp_path / "text.parquet", Question=["Which?"], Gold_Triples=["A-b-C"])
    with pytest.raises(SourceError, match=r"row 1.*not a list"):
        read_questions(text)
    good = write_parquet(tmp_path / "good.parquet", Question=["Which?"], Gold_Triples=[[["A", "b", "C"]]])
    labels = write_csv(tmp_path / "labels.csv", ("Another?", "1"), columns=("Question", "Label"))
    with pytest.raises(SourceError, match="No question of"):
        read_questions(good, labels=labels)
    with pytest.raises(SourceError, match=r"absent\.csv cannot be read"):
        read_questions(tmp_path / "absent.csv")


@pytest.fixture
def published(shared_data: Path) -> Path:
    return shared_data / "biomolmqa"


def test_the_published_validation_questions(published: Path) -> None:
    read = read_questions(published / "dataset_for_hf" / "validation.csv")
    assert len(read.questions) == 169
    assert read.notes == []
    assert Counter(q.label for q in read.questions) == {
        0: 50, 1: 10, 2: 10, 3: 50, 4: 10, 5: 10, 6: 9, 7: 10, 8: 10,
    }  # fmt: skip
    assert all(q.hops == len(q.gold) for q in read.questions)


def test_published_gold_is_the_same_in_both_forms_and_in_the_graph(published: Path) -> None:
    texts = read_questions(published / "dataset_for_hf" / "train.csv")
    lists = read_questions(published / "data" / "mined_data" / "train_gold.parquet")
    assert len(texts.questions) == len(lists.questions) == 1346
    for text, listed in zip(texts.questions, lists.questions, strict=True):
        assert (text.text, text.gold) == (listed.text, listed.gold)
        # Hops and modality are told from the gold exactly as the labels say.
        assert (text.hops, text.modality) == (listed.hops, listed.modality)

    with (published / "data" / "mined_data" / "full_graph.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["entity_1"], row["relationship"], row["entity_2"]) for row in csv.DictReader(file)]
    graph = {triple_key("-".join(row)) for row in rows}
    assert len(graph) == len(rows) == 1083
    assert all(question.keys <= graph for question in texts.questions)


def test_joined_forms_of_the_full_graph_are_all_different(published: Path) -> None:
    triples: list[tuple[str, str, str]] = []
    for name, columns in {
        "data/mined_data/DDI_subset.csv": ("drug_1_name", "relationship", "drug_2_name"),
        "data/mined_data/DPI_subset_with_rel.csv": ("drug_name", "relationship", "protein_name"),
        "data/OAI/molecular_interactions/molecular_interactions_df.csv": (
            "drug_1_name",
            "molecular_interaction",
            "drug_2_name",
        ),
    }.items():
        with (published / name).open(encoding="utf-8", newline="") as file:
            triples += [tuple(row[column] for column in columns) for row in csv.DictReader(file)]  # type: ignore[misc]
    assert len({triple_key("-".join(triple)) for triple in triples}) == len(triples) == 19_398
