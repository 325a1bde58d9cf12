"""Training questions: read from each kind of file, made from a graph, found in a snapshot."""

import itertools
import json

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import SourceError
from biomolkg.settings import load_settings
from retrievers.made_questions import make_questions
from retrievers.training_questions import TrainingQuestion, place_questions, read_training_questions
from tests.retrievers.small import ENTITIES, RELATIONS, TRIPLES, small_snapshot

FIRST = ("Alendronic acid", "Back Ache", "Diazepam")
SECOND = ("Diazepam", "erythema", "Trazodone")


@pytest.fixture(scope="module")
def snapshot(tmp_path_factory):
    return small_snapshot(SentenceEncoder(load_settings(home=tmp_path_factory.mktemp("home"))))


def lines(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def test_each_kind_of_file_says_the_same(tmp_path):
    background = (
        "DRUG 1 NAME: Alendronic acid\nDRUG 2 NAME: Diazepam\nDRUG 3 NAME: Trazodone\n\n"
        "INTERACTION TRIPLE (s-p-o): Alendronic acid-Back Ache-Diazepam\n"
        "INTERACTION TRIPLE (s-p-o): Diazepam-erythema-Trazodone"
    )
    table = tmp_path / "a.csv"
    table.write_text(f'Question,Question_Background\n"Which one?","{background}"\n', encoding="utf-8")
    columns = tmp_path / "b.parquet"
    gold = pa.array([[list(FIRST), list(SECOND)]], type=pa.list_(pa.list_(pa.string())))
    parquet.write_table(pa.table({"Question": ["Which one?"], "Gold_Triples": gold}), columns)
    listed = lines(tmp_path / "c.jsonl", {"question": " Which one? ", "gold": [FIRST, SECOND]})
    expected = (TrainingQuestion("Which one?", (FIRST, SECOND)),)
    for path in (table, columns, listed):
        assert read_training_questions([path]).questions == expected
    together = read_training_questions([table, columns, listed])
    assert together.questions == expected
    assert together.left_out == {"repeated": 2}
    assert together.sha256 == read_training_questions([listed]).sha256


def test_what_cannot_be_trained_on_is_counted(tmp_path):
    path = lines(
        tmp_path / "q.jsonl",
        {"question": "A?", "gold": [FIRST]},
        {"question": "B?", "gold": []},
        {"question": "C?", "gold": ["joined-by-hyphens"]},
    )
    found = read_training_questions([path])
    assert len(found.questions) == 1
    assert found.left_out == {"without gold": 1, "gold not told apart": 1}


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("q.txt", b"x", "must be one of"),
        ("q.jsonl", b"", "is empty"),
        ("q.jsonl", b"{oops\n", "row 1: not JSON"),
        ("q.jsonl", b"\xff\xfe", "not UTF-8"),
        ("q.jsonl", b'["a"]\n', "row 1: no object"),
        ("q.jsonl", b'{"question": "  ", "gold": [["a", "b", "c"]]}\n', "row 1: the question is blank"),
        ("q.jsonl", b'{"question": "x", "gold": [["a", "b"]]}\n', "row 1: ['a', 'b'] is no gold triple"),
        ("q.jsonl", b'{"question": "x", "gold": []}\n', "no question can be trained on (1 without gold)"),
        ("q.csv", b"Question\nx\n", "lacks the column Question_Background"),
        ("q.parquet", b"PAR1", "cannot be read as parquet"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_with_its_row(tmp_path, name, content, told):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError) as raised:
        read_training_questions([path])
    assert told in str(raised.value)
    assert name in str(raised.value)
    with pytest.raises(SourceError, match=r"missing\.csv cannot be read"):
        read_training_questions([tmp_path / "missing.csv"])


def test_gold_is_found_by_names_and_what_is_missing_is_given_back(snapshot):
    asked = [
        TrainingQuestion("known", (FIRST, SECOND)),
        TrainingQuestion("half known", (FIRST, ("Diazepam", "gout", "Trazodone"))),
    ]
    placed, missing = place_questions(asked, snapshot)
    assert [item.question for item in placed] == ["known"]
    assert missing == asked[1:]
    assert [step.tolist() for step in placed[0].steps] == [[0], [2]]
    assert placed[0].gold.tolist() == [0, 2]


def test_made_questions_are_about_the_graph_and_repeatable(snapshot):
    made = make_questions(snapshot, count=50, seed=4)
    assert make_questions(snapshot, count=50, seed=4) == made
    assert make_questions(snapshot, count=50, seed=5).questions != made.questions
    placed, missing = place_questions(made.questions, snapshot)
    assert not missing
    asked = {int(item.steps[-1][0]) for item in placed}
    answerable = {at for at, (_, relation, _) in enumerate(TRIPLES) if RELATIONS[relation].kind != "ACTION"}
    assert asked == answerable
    for item in placed:
        ends = [(snapshot.heads[step[0]], snapshot.tails[step[0]]) for step in item.steps]
        assert all(one[1] == other[0] for one, other in itertools.pairwise(ends))
        relation = RELATIONS[snapshot.relation_of[item.steps[-1][0]]].name
        assert relation in item.question
    texts = " ".join(item.question for item in made.questions)
    assert any(entity.name in texts for entity in ENTITIES)
    few = make_questions(snapshot, count=2, seed=4)
    assert len(few.questions) == 2
    assert np.unique([item.question for item in made.questions]).size == len(made.questions)
