"""The fog index against cases counted by hand."""

from __future__ import annotations

import pytest

from biomolkg.readability import gunning_fog, syllables


@pytest.mark.parametrize(
    ("word", "count"),
    [("the", 1), ("drug", 1), ("table", 2), ("receptor", 3), ("inhibited", 4), ("caused", 1), ("made", 1),
     ("rhythm", 1), ("medicine", 3), ("free", 1)],
)  # fmt: skip
def test_syllables(word: str, count: int) -> None:
    assert syllables(word) == count


@pytest.mark.parametrize(
    ("text", "fog"),
    [
        ("", 0.0),
        ("123 … !", 0.0),
        # Five words in one sentence, none of three syllables.
        ("The drug slows the heart.", 0.4 * 5),
        # Ten words in two sentences; "inhibitor" and "receptor" are hard.
        ("It is an inhibitor of this receptor. It acts fast.", 0.4 * (10 / 2 + 100 * 2 / 10)),
        # A name inside a sentence is not hard, one that opens it cannot be told from a word.
        ("We gave Acetaminophen to him.", 0.4 * 5),
        # -ing adds the third syllable of "happening": not hard.
        ("What is happening now?", 0.4 * 4),
    ],
)
def test_the_fog_index(text: str, fog: float) -> None:
    assert gunning_fog(text) == pytest.approx(fog)
