"""Texts made harder by a language model: a real HTTP server, every file accounted for, runs that go on."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from biomolkg.errors import RequestFailed, SourceError
from biomolkg.language_model import LanguageModel
from graph_loader.rewriting import ACCOUNT, TextAccount, pieces_of, rewrite_texts
from tests.graph_loader.test_chemistry_asked import Model

EASY = "The drug slows the heart. It is given by mouth. It acts for a day. " * 4
HARD = (
    "Administered perorally, the pharmaceutical preparation decelerates cardiac contractility, "
    "its pharmacodynamic activity persisting approximately twenty-four hours. "
) * 2


@pytest.fixture
def model() -> Iterator[Model]:
    with Model() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "texts"
    made.mkdir()
    (made / "a long one.txt").write_text(EASY, encoding="utf-8")
    (made / "b short.txt").write_text("It is a drug.", encoding="utf-8")
    (made / "c latin.txt").write_bytes(b"caf\xe9 " * 100)
    (made / "d nul.txt").write_text("a\0b " * 100, encoding="utf-8")
    (made / "e large.txt").write_text("word " * 300_000, encoding="utf-8")
    (made / "f second.txt").write_text(EASY[::-1], encoding="utf-8")
    (made / "notes.md").write_text(EASY, encoding="utf-8")
    return made


def rewriting(text: str) -> str:
    return json.dumps({"text": text})


def run(folder: Path, model: Model, **fields: int) -> dict[str, TextAccount]:
    with LanguageModel(model.settings()) as asked:
        accounts = rewrite_texts(folder, folder.parent / "harder", asked, min_chars=100, **fields)
    return {account.file[0]: account for account in accounts}


def test_every_file_is_accounted_for_and_long_texts_are_harder(folder: Path, model: Model) -> None:
    model.answer(rewriting(HARD), rewriting(EASY))
    found = run(folder, model)
    assert [found[key].reason for key in "bcde"] == [
        "shorter than 100 characters", "not UTF-8", "a NUL byte", "over 1 MB"
    ]  # fmt: skip
    assert {found[key].status for key in "bcde"} == {"skipped"}
    first = found["a"]
    assert (first.status, first.reason) == ("rewritten", "")
    assert first.fog_after > first.fog_before + 5
    assert (folder.parent / "harder" / "a long one.txt").read_text(encoding="utf-8").strip() == HARD.strip()
    asked = model.requests[0][1]["messages"]
    assert asked[-1]["content"] == EASY.strip()
    assert "harder to read" in asked[0]["content"]
    lines = (folder.parent / "harder" / ACCOUNT).read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["file"][0] for line in lines] == list("abcdef")
    assert {path.suffix for path in (folder.parent / "harder").iterdir()} == {".txt", ".jsonl"}


def test_what_is_there_is_not_asked_for_again_until_it_changes(folder: Path, model: Model) -> None:
    model.answer(rewriting(HARD))
    assert run(folder, model, limit=1)["f"].reason == "over the limit of this run"
    model.answer(rewriting(HARD))
    assert {account.status for key, account in run(folder, model).items() if key in "af"} == {"rewritten"}
    assert len(model.requests) == 2
    before = run(folder, model)
    assert len(model.requests) == 2
    (folder / "a long one.txt").write_text(EASY + "It is old.", encoding="utf-8")
    (folder.parent / "harder" / "f second.txt").unlink()
    model.answer(rewriting(HARD), rewriting(HARD))
    after = run(folder, model)
    assert len(model.requests) == 4
    assert after["a"].source != before["a"].source


def test_answers_of_another_form_are_told_once_and_then_counted(folder: Path, model: Model) -> None:
    model.answer("Here is the text!", '{"text": "too short"}', '{"harder": "x"}', rewriting(HARD))
    found = run(folder, model)
    assert found["a"].status == "failed"
    assert "twice answered in a form that cannot be used" in found["a"].reason
    assert found["f"].status == "rewritten"
    assert "times as long" in found["a"].reason
    assert not (folder.parent / "harder" / "a long one.txt").exists()
    model.answer(rewriting(HARD))
    assert run(folder, model)["a"].status == "rewritten"


def test_a_model_that_fails_three_times_in_a_row_ends_the_run(folder: Path, model: Model) -> None:
    for name in ("g", "h"):
        (folder / f"{name}.txt").write_text(EASY, encoding="utf-8")
    model.answers += [(500, b"", 0.0)] * 3
    with pytest.raises(RequestFailed, match="status 500"):
        run(folder, model)
    assert len(model.requests) == 3
    model.answer(*[rewriting(HARD)] * 4)
    assert [key for key, account in run(folder, model).items() if account.status == "rewritten"] == list(
        "afgh"
    )


def test_folders_that_cannot_be_used_are_refused(folder: Path, model: Model, tmp_path: Path) -> None:
    with LanguageModel(model.settings()) as asked:
        for given, target in ((tmp_path / "gone", tmp_path / "out"), (folder, folder)):
            with pytest.raises(SourceError) as caught:
                rewrite_texts(given, target, asked)
            assert caught.value.remedy
        (tmp_path / "file").write_text("x")
        with pytest.raises(SourceError, match="cannot be written"):
            rewrite_texts(folder, tmp_path / "file" / "out", asked)


@hypothesis_settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ab .\n", max_size=300), st.integers(2, 40))
def test_pieces_hold_all_of_a_text_and_are_bounded(text: str, chars: int) -> None:
    pieces = list(pieces_of(text, chars=chars))
    assert all(0 < len(piece) <= chars for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(text.split())
