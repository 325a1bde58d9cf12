"""What is counted of mentions: exact spans by type, and spellings that are linked rightly, wrongly or not."""

from __future__ import annotations

import random

import pytest

from biomolkg.tagged_text import Span, TaggedSentence
from evaluation.mentions import Ask, _Entity, _Mention, linking, span_scores, spellings

SENTENCE = TaggedSentence(
    ("Zarvopin", "acid", "caused", "nausea", "."), (Span(0, 2, "Chemical"), Span(3, 4, "Disease"))
)
DRUG = _Entity(id="d:1", name="Haloperidol", label="Drug")
OTHER = _Entity(id="d:2", name="Other", label="Drug")


def answering(*mentions: tuple[int, int, _Entity | None, str | None]) -> Ask:
    """A service that finds the same in every text."""
    found = [
        _Mention(start=s, end=e, entity=entity, label=label, score=0.9) for s, e, entity, label in mentions
    ]
    return lambda _text, _model: found


@pytest.mark.parametrize(
    ("mentions", "chemical", "disease", "f1"),
    [
        ([(0, 13, DRUG, None), (21, 27, None, "Disease")], (1, 1), (1, 1), 1),
        ([(0, 8, DRUG, None), (21, 27, None, "Disease")], (0, 0), (1, 1), 0.5),
        ([(0, 13, None, "Disease")], (0, 0), (0, 0), 0),
        ([(0, 13, DRUG, None), (0, 13, OTHER, None), (14, 20, None, "Protein")], (1, 1), (0, 0), 2 / 3),
        ([], (0, 0), (0, 0), 0),
    ],
)
def test_only_exact_spans_of_the_right_type_count(
    mentions: list[tuple[int, int, _Entity | None, str | None]],
    chemical: tuple[float, float],
    disease: tuple[float, float],
    f1: float,
) -> None:
    scores = span_scores([SENTENCE], answering(*mentions), "trained")
    found = [(scores[type_].precision, scores[type_].recall) for type_ in ("Chemical", "Disease")]
    assert found == [chemical, disease]
    assert (scores["all"].f1, scores["all"].spans) == (pytest.approx(f1), 2)


def test_a_spelling_is_linked_rightly_wrongly_or_not() -> None:
    asked = [("misspelt", "haloperidl", DRUG)]
    cases = {
        (1.0, 0.0): answering((0, 90, DRUG, None)),
        (0.0, 1.0): answering((0, 90, OTHER, None)),
        (0.0, 0.0): answering((0, 3, DRUG, None), (0, 90, None, "Chemical")),
    }
    for shares, ask in cases.items():
        linked = linking(asked, ask, "trained")["misspelt"]
        assert (linked.right, linked.wrong, linked.names) == (*shares, 1)


def test_spellings_are_not_the_name_and_repeat() -> None:
    made = list(spellings([DRUG], random.Random(1)))
    assert made == list(spellings([DRUG], random.Random(1)))
    assert {kind for kind, _, _ in made} == {"misspelt", "hyphen", "salt added"}
    assert all(spelling != DRUG.name for _, spelling, _ in made)
