"""What must not change an answer, and what no text may do."""

from __future__ import annotations

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from retrievers.hits import Filters
from retrievers.plain import REASONS, FactQuery, PlainReader
from tests.retrievers.plain.starter import starter_snapshot

DRUGS = sorted(it.preferred_name for it in starter_snapshot().entities if it.label == "Drug")
GENES = sorted({it.gene for it in starter_snapshot().entities if it.gene})
few = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@few
@given(one=st.sampled_from(DRUGS), other=st.sampled_from(DRUGS))
def test_the_order_of_a_pair_does_not_matter(reader: PlainReader, one: str, other: str) -> None:
    if one == other:
        return
    forth, back = (reader.answer(f"Does {a} interact with {b}?") for a, b in ((one, other), (other, one)))
    assert forth is not None
    assert back is not None
    assert (forth.verdict, forth.reason, set(forth.because)) == (back.verdict, back.reason, set(back.because))


@few
@given(drug=st.sampled_from(DRUGS), gene=st.sampled_from(GENES), data=st.data())
def test_case_spacing_and_politeness_do_not_matter(
    reader: PlainReader, drug: str, gene: str, data: st.DataObject
) -> None:
    plain = reader.answer(f"Does {drug} inhibit {gene}?")
    frame = data.draw(
        st.sampled_from(
            [
                "does {} inhibit {}",
                "Does  {}  inhibit   {} ?",
                "Please tell me whether {} inhibits {}.",
                "Is it true that {} inhibits {}?",
                "Do you know if {} blocks {}?",
            ]
        )
    )
    other = reader.answer(frame.format(drug, gene))
    assert plain is not None
    assert other is not None
    assert (plain.verdict, plain.reason) == (other.verdict, other.reason)


@few
@given(text=st.text(max_size=300))
def test_any_text_is_answered_or_declined(reader: PlainReader, text: str) -> None:
    answer = reader.answer(text)
    if answer is not None:
        assert answer.abstained == (answer.reason in REASONS)
        assert 0 <= answer.confidence <= 1
        assert answer.abstained == (answer.answer is None)


@pytest.mark.parametrize("part", ["not ", "warfarin ", "Which drugs ", "DRD2, ", "trazodne ", "x" * 40 + " "])
def test_time_grows_with_the_length_only(reader: PlainReader, part: str) -> None:
    def seconds(length: int) -> float:
        """Of this thread on the processor, whatever else the machine does."""
        text = (part * length)[:length] + "?"
        best = float("inf")
        for _ in range(3):
            start = time.thread_time()
            reader.answer(text)
            best = min(best, time.thread_time() - start)
        return best

    seconds(400)
    assert seconds(4000) < 40 * seconds(400) + 0.05


def test_filters_restrict_the_facts(reader: PlainReader) -> None:
    question = "Which drugs inhibit DRD2?"
    every, some = (
        reader.answer(question, filters=Filters(kinds=kinds)) for kinds in (frozenset(), frozenset(("DPI",)))
    )
    assert every is not None
    assert some is not None
    assert {fact.kind for item in some.items for fact in item.facts} == {"DPI"}
    assert len(some.items) < len(every.items)


def test_facts_by_structure_are_those_of_the_question(reader: PlainReader) -> None:
    answer = reader.answer("Which drugs inhibit DRD2?")
    page = reader.facts(FactQuery(relation="inhibits", object="dopamine D2 receptor"))
    assert answer is not None
    assert {fact.head for fact in page.facts} == {item.entity for item in answer.items}
    rest = reader.facts(FactQuery(relation="inhibits", object="DRD2", offset=3, limit=2))
    assert rest.facts == page.facts[3:5]
    assert rest.total == page.total


def test_facts_of_a_symmetric_kind_are_found_from_both_ends(reader: PlainReader) -> None:
    pages = [
        reader.facts(FactQuery(subject=a, object=b))
        for a, b in (("warfarin", "fentanyl"), ("fentanyl", "warfarin"))
    ]
    assert pages[0].facts == pages[1].facts
    assert pages[0].total == 1


def test_an_unknown_name_in_a_structure_is_told(reader: PlainReader) -> None:
    page = reader.facts(FactQuery(subject="foobarol"))
    assert (page.total, page.notes) == (0, ("'foobarol' is not in the graph",))
