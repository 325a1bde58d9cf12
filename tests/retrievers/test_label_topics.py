"""Which sections of a label a question's words ask for."""

import pytest

from retrievers.label_topics import asking_words, wanted_sections


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Is there a boxed warning for it?", {"34066-1"}),
        ("What are the warnings?", {"34071-1"}),
        ("Should it be refrigerated?", {"44425-7"}),
        ("Is it safe while breast-feeding?", {"34080-2"}),
        ("Dosing in the elderly", {"34068-7", "34082-8"}),
        ("Which proteins does it inhibit?", set()),
        ("", set()),
    ],
)
def test_the_longest_phrase_says_which_section_is_meant(question: str, first: set[str]) -> None:
    wanted = wanted_sections(question)
    assert wanted.first == first
    assert wanted.first <= wanted.codes


def test_a_question_may_speak_of_the_label_itself() -> None:
    assert wanted_sections("What does the package insert say of tuberculosis?").label
    assert not wanted_sections("What causes tuberculosis?").label


def test_a_section_is_found_by_what_asks_for_it() -> None:
    assert "overdose" in asking_words("34088-5")
    assert asking_words("00000-0") == asking_words(None) == ""
