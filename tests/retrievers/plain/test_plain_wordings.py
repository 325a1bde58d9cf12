"""Sorts of contact, marks apart from words, names misspelt in the sentence before, filters told."""

from __future__ import annotations

import pytest

from retrievers.hits import Filters
from retrievers.plain import PlainAnswer, PlainReader


def ask(reader: PlainReader, question: str, **filters: frozenset[str]) -> PlainAnswer:
    answer = reader.answer(question, filters=Filters(**filters))
    assert answer is not None, question
    return answer


def partners(reader: PlainReader, drug: str, *parts: str) -> set[str]:
    """What the tables join with a drug by a molecular edge whose name has one of some parts."""
    snapshot = reader.snapshot
    place = next(at for at, it in enumerate(snapshot.entities) if it.name == drug)
    found = set()
    for head, relation, tail in zip(snapshot.heads, snapshot.relation_of, snapshot.tails, strict=True):
        kind, name = snapshot.relations[relation].kind, snapshot.relations[relation].name.casefold()
        if kind == "MOLECULAR" and place in {head, tail} and any(part in name for part in parts):
            found.add(snapshot.entities[tail if head == place else head].id)
    return found


@pytest.mark.parametrize(
    ("question", "drug", "parts"),
    [
        ("Which molecules does exemestane show π-π stacking with?", "Exemestane", ("stack", "π-π")),
        ("With which compound does Exemestane show Pi-Pi stacking?", "Exemestane", ("stack", "π-π")),
        ("Which drugs form hydrogen bonds with oxaprozin?", "Oxaprozin", ("hydrogen",)),
        ("Which drugs have a molecular interaction with oxaprozin?", "Oxaprozin", ("",)),
    ],
)
def test_a_sort_of_contact_is_not_another(
    reader: PlainReader, question: str, drug: str, parts: tuple[str, ...]
) -> None:
    expected = partners(reader, drug, *parts)
    assert {item.entity.id for item in ask(reader, question).items if item.entity} == expected
    assert expected


def test_contacts_of_another_sort_are_told_apart(reader: PlainReader) -> None:
    assert ask(reader, "Do trazodone and fentanyl interact through hydrogen bonding?").verdict == "yes"
    answer = ask(reader, "Do trazodone and fentanyl interact through π-π stacking?")
    assert (answer.verdict, answer.reason) == ("unknown", "no_fact")
    assert "in this way" in answer.notes[0]
    assert "Hydrogen Bonding" in {fact.relation for fact in answer.related}
    # A sort that no edge of the graph is of.
    answer = ask(reader, "Which drugs have van der Waals contacts with trazodone?")
    assert (answer.reason, answer.items) == ("no_fact", ())


@pytest.mark.parametrize("mark", ["?", "!", "?!", ".", "…"])
def test_a_mark_that_stands_apart_ends_no_sentence(reader: PlainReader, mark: str) -> None:
    for text in (f"Warfarin {mark} Fentanyl", f"Do warfarin and fentanyl interact {mark}"):
        answer = ask(reader, text)
        ends = answer.because[0].head, answer.because[0].tail
        assert {end.preferred_name for end in ends} == {"warfarin", "fentanyl"}


@pytest.mark.parametrize("mark", ["?", "!?", "?!", "??", "? "])
def test_a_mark_behind_a_word_ends_a_sentence(reader: PlainReader, mark: str) -> None:
    answer = ask(reader, f"My patient has pain. Do warfarin and fentanyl interact{mark} Thank you so much.")
    assert answer.verdict == "yes"
    assert "thank" not in " ".join(answer.notes).casefold()


@pytest.mark.parametrize(
    "text",
    ["Trazodonne was started. Which proteins does it inhibit?", "On trazodnoe now. What does it inhibit?"],
)
def test_a_name_misspelt_in_the_sentence_before_is_meant(reader: PlainReader, text: str) -> None:
    expected = ask(reader, "Which proteins does trazodone inhibit?")
    answer = ask(reader, text)
    assert {item.entity for item in answer.items} == {item.entity for item in expected.items}
    assert answer.confidence < expected.confidence
    assert any(note.startswith("read ") for note in answer.notes)


def test_a_word_of_the_question_is_no_part_of_a_name(reader: PlainReader) -> None:
    answer = ask(reader, "Which proteins does 2-Chloropromazine activate?")
    assert not answer.abstained
    assert all(fact.head.preferred_name == "chlorpromazine" for fact in answer.because)


def test_facts_that_filters_leave_out_are_not_said_to_be_missing(reader: PlainReader) -> None:
    question = "Do warfarin and fentanyl interact?"
    assert ask(reader, question).verdict == "yes"
    narrowed = ask(reader, question, evidence=frozenset(("database",)))
    assert (narrowed.verdict, narrowed.reason) == ("unknown", "no_fact")
    assert any("filters of the request" in note for note in narrowed.notes)
    assert not any("filters" in note for note in ask(reader, "Do aspirin and warfarin interact?").notes)
