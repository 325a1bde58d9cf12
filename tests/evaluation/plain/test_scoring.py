"""What a reply is worth, and the shares that are told of it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biomolkg.errors import SourceError
from evaluation.plain.gold import Gold, Question, read_questions, write_questions
from evaluation.plain.replies import read_hits, read_reply
from evaluation.plain.scoring import BINS, Share, bin_of, judge, judge_hits

IDS = st.sets(st.sampled_from([f"uniprot:P{number}" for number in range(12)]), min_size=1, max_size=8)


def answered(**parts: Any) -> dict[str, Any]:
    """A result of `/v1/answer` with these parts."""
    whole = {"question": "?", "kind": "list", "answer": None, "verdict": None, "items": [], "total": 0,
             "confidence": 0.9, "abstained": False, "reason": None, "because": []}  # fmt: skip
    return whole | parts


def entities(ids: set[str]) -> list[dict[str, Any]]:
    return [{"entity": {"id": it, "name": it, "label": "Protein"}, "facts": []} for it in sorted(ids)]


def fact(head: str, relation: str, tail: str) -> dict[str, Any]:
    return {"head": {"id": head, "name": head}, "relation": relation, "tail": {"id": tail, "name": tail}}


def old(
    answer: str | None, triple: dict[str, Any] | None = None, entity: str | None = None
) -> dict[str, Any]:
    """A result from before answers had verdicts and items."""
    candidate = {
        "rank": 1, "answer": answer, "score": 0.9,
        "entity": {"id": entity, "name": entity} if entity else None,
        "triples": [{"rank": 1, "triple": triple}] if triple else [],
    }  # fmt: skip
    return {
        "question": "?",
        "answer": answer,
        "kind": "entity",
        "confidence": 0.9,
        "abstained": answer is None,
        "candidates": [candidate] if answer else [],
    }


@given(gold=IDS, got=IDS)
def test_a_list_is_right_only_when_it_is_the_set(gold: set[str], got: set[str]) -> None:
    reply = read_reply(answered(items=entities(got), total=len(got)))
    outcome = judge(Gold(items=frozenset(gold)), reply)
    assert outcome == ("right" if gold == got else "partly" if gold & got else "wrong")


@given(gold=IDS, also=IDS, got=IDS)
def test_what_may_be_told_too_is_neither_missed_nor_wrong(
    gold: set[str], also: set[str], got: set[str]
) -> None:
    reply = read_reply(answered(items=entities(got), total=len(got)))
    outcome = judge(Gold(items=frozenset(gold), also=frozenset(also)), reply)
    assert (outcome == "right") == (gold <= got <= gold | also)
    assert (outcome == "wrong") == (not got & (gold | also))


@given(gold=IDS.filter(lambda ids: len(ids) > 2), total=st.integers(0, 20))
def test_a_page_of_a_list_is_right_when_its_total_is(gold: set[str], total: int) -> None:
    page = set(sorted(gold)[:2])
    outcome = judge(Gold(items=frozenset(gold)), read_reply(answered(items=entities(page), total=total)))
    assert outcome == ("right" if total == len(gold) else "partly")


@pytest.mark.parametrize(
    ("said", "outcome"),
    [("yes", "right"), ("no", "wrong"), ("unknown", "honest"), (None, "wrong")],
)
def test_a_verdict_is_compared_with_the_gold(said: str | None, outcome: str) -> None:
    reply = read_reply(answered(kind="yes_no", verdict=said, answer="in words"))
    assert judge(Gold(verdicts=frozenset({"yes"})), reply) == outcome


@pytest.mark.parametrize(
    ("parts", "outcome"),
    [
        ({"verdict": "unknown"}, "right"),
        ({"abstained": True, "reason": "no_fact", "answer": "It is not known."}, "right"),
        ({}, "right"),
        ({"verdict": "no"}, "wrong"),
        ({"answer": "Aspirin"}, "wrong"),
        ({"items": entities({"uniprot:P1"}), "total": 1}, "wrong"),
        ({"answer": "0", "kind": "count"}, "wrong"),
    ],
)
def test_of_what_the_graph_does_not_say_nothing_may_be_claimed(parts: dict[str, Any], outcome: str) -> None:
    assert judge(Gold(decline=True), read_reply(answered(**parts))) == outcome


def test_none_is_a_right_count_where_none_can_be() -> None:
    gold = Gold(decline=True, count=(0, 0))
    assert judge(gold, read_reply(answered(kind="count", answer="0"))) == "right"
    assert judge(gold, read_reply(answered(kind="count", answer="3"))) == "wrong"


def test_no_answer_is_honest_where_there_is_one_and_right_where_it_may_be() -> None:
    reply = read_reply(answered(abstained=True, reason="not_understood"))
    assert judge(Gold(items=frozenset({"a:1"})), reply) == "honest"
    assert judge(Gold(items=frozenset({"a:1"}), may_decline=True), reply) == "right"


@given(low=st.integers(0, 2_000), more=st.integers(0, 50), said=st.integers(0, 3_000))
def test_a_count_is_the_first_figure_of_the_answer(low: int, more: int, said: int) -> None:
    for answer in (f"{said}", f"{said:,} drugs are known, 7 of them by two sources."):
        outcome = judge(Gold(count=(low, low + more)), read_reply(answered(kind="count", answer=answer)))
        assert outcome == ("right" if low <= said <= low + more else "wrong")


def test_a_count_without_words_is_the_total() -> None:
    assert judge(Gold(count=(4, 4)), read_reply(answered(kind="count", total=4))) == "right"


def test_figures_may_be_rounded_and_formulas_may_have_subscripts() -> None:
    weight = Gold(number=180.159)
    assert judge(weight, read_reply(answered(answer="180.2 g/mol"))) == "right"
    assert judge(weight, read_reply(answered(answer="194.2 g/mol"))) == "wrong"
    formula = Gold(text="C9H8O4")
    assert judge(formula, read_reply(answered(answer="C₉H₈O₄"))) == "right"
    assert judge(formula, read_reply(answered(answer="C9H8O4S"))) == "wrong"


def test_pairs_are_the_ends_of_facts_in_any_order() -> None:
    gold = Gold(items=frozenset({"a:1|b:2"}))
    for ends in (("a:1", "b:2"), ("b:2", "a:1")):
        item = {"entity": None, "relation": "gout", "facts": [fact(ends[0], "gout", ends[1])]}
        assert judge(gold, read_reply(answered(items=[item], total=1))) == "right"
    other = {"entity": None, "relation": "gout", "facts": [fact("a:1", "gout", "c:3")]}
    assert judge(gold, read_reply(answered(items=[other], total=1))) == "wrong"


def test_a_pair_with_the_drug_that_was_given_says_the_other() -> None:
    gold = Gold(items=frozenset({"b:2", "c:3"}))
    pairs = [
        {"entity": None, "relation": "gout", "facts": [fact("a:1", "gout", it)]} for it in ("b:2", "c:3")
    ]
    assert judge(gold, read_reply(answered(items=pairs, total=2))) == "right"
    assert judge(gold, read_reply(answered(items=pairs[:1], total=1))) == "partly"
    wrong = {"entity": None, "relation": "gout", "facts": [fact("a:1", "gout", "d:4")]}
    assert judge(gold, read_reply(answered(items=[wrong], total=1))) == "wrong"


def test_the_right_fact_without_a_verdict_is_half_an_answer() -> None:
    gold = Gold(verdicts=frozenset({"yes"}), facts=frozenset({"a:1|gout|b:2"}))
    right, wrong = ({"facts": [fact("a:1", it, "b:2")], "relation": it} for it in ("gout", "cough"))
    assert judge(gold, read_reply(answered(items=[right], total=1, answer="gout"))) == "partly"
    assert judge(gold, read_reply(answered(items=[wrong], total=1, answer="cough"))) == "wrong"
    assert judge(gold, read_reply(answered(items=[right], total=1, verdict="no"))) == "wrong"


def test_relations_are_compared_without_case_and_found_in_the_facts_too() -> None:
    gold = Gold(items=frozenset({"relation:high blood pressure"}))
    item = {"entity": None, "relation": "High blood pressure", "facts": []}
    assert judge(gold, read_reply(answered(items=[item], total=1))) == "right"
    because = [fact("a:1", "High Blood Pressure", "b:2")]
    assert judge(gold, read_reply(answered(kind="relation", answer="…", because=because))) == "right"
    because = [fact("a:1", "gout", "b:2")]
    assert judge(gold, read_reply(answered(kind="relation", answer="…", because=because))) == "wrong"


def test_a_passage_of_the_section_must_come_first() -> None:
    gold = Gold(items=frozenset({"passage:1", "passage:2"}))
    first, other = ({"passage": {"id": f"passage:{at}"}} for at in (2, 9))
    assert judge(gold, read_reply(answered(items=[first, other], total=2))) == "right"
    assert judge(gold, read_reply(answered(items=[other, first], total=2))) == "partly"
    assert judge(gold, read_reply(answered(items=[other], total=1))) == "wrong"


def test_answers_of_before_are_read() -> None:
    gold = Gold(verdicts=frozenset({"yes"}), facts=frozenset({"a:1|binding and inhibition|b:2"}))
    triple = fact("a:1", "Binding and inhibition", "b:2")
    assert judge(gold, read_reply(old("B", triple, "b:2"))) == "right"
    assert judge(gold, read_reply(old("C", fact("a:1", "binding and inhibition", "c:3"), "c:3"))) == "wrong"
    assert judge(gold, read_reply(old(None))) == "honest"
    assert judge(Gold(decline=True), read_reply(old("B", triple, "b:2"))) == "wrong"
    assert judge(Gold(items=frozenset({"b:2"})), read_reply(old("B", triple, "b:2"))) == "right"
    assert judge(Gold(items=frozenset({"b:2", "c:3"})), read_reply(old("B", triple, "b:2"))) == "partly"


def test_hits_are_right_by_the_first_of_them() -> None:
    gold = Gold(items=frozenset({"b:2"}), facts=frozenset({"a:1|inhibition|b:2"}))
    right, wrong = fact("a:1", "inhibition", "b:2"), fact("a:1", "inhibition", "c:3")
    hits = [{"rank": rank, "triple": triple} for rank, triple in enumerate((wrong, right), start=1)]
    assert judge_hits(gold, read_hits({"hits": hits[::-1]})) == "right"
    assert judge_hits(gold, read_hits({"hits": hits})) == "partly"
    assert judge_hits(gold, read_hits({"hits": hits[:1]})) == "wrong"
    assert judge_hits(gold, []) == "honest"
    assert judge_hits(Gold(decline=True), []) == "right"
    assert judge_hits(Gold(decline=True), read_hits({"hits": hits})) == "wrong"
    assert judge_hits(Gold(number=1.0), read_hits({"hits": hits})) is None


@given(of=st.integers(1, 5_000), share=st.floats(0, 1))
def test_the_interval_has_the_share_and_is_the_root_of_its_equation(of: int, share: float) -> None:
    hits = round(share * of)
    found = Share(hits, of)
    low, high = found.bounds
    assert 0.0 <= low <= found.mean + 1e-12 <= high + 2e-12 <= 1.0 + 2e-12
    for bound in (low, high):
        # By definition a bound is as many standard errors of its own from the share as 95 % are.
        gap = abs(found.mean - bound)
        assert math.isclose(gap, 1.959964 * math.sqrt(bound * (1 - bound) / of), abs_tol=1e-6)


def test_each_confidence_has_a_bin() -> None:
    assert [bin_of(it) for it in (-0.1, 0.0, 0.49, 0.5, 0.8, 0.899, 0.95, 1.0)] == [
        0.0, 0.0, 0.0, 0.5, 0.8, 0.8, 0.95, 0.95,
    ]  # fmt: skip
    assert BINS[0] == 0.0


def test_questions_come_back_from_their_file(tmp_path: Any) -> None:
    made = [
        Question(id="x/1", kind="list", question="Which?", gold=Gold(items=frozenset({"a:1", "b:2"}))),
        Question(id="x/2", kind="none", question="Whether π?", gold=Gold(decline=True, count=(0, 0))),
        Question(id="x/3", kind="yes", question="Is it?", gold=Gold(verdicts=frozenset({"yes", "no"}))),
    ]
    path = tmp_path / "questions.jsonl"
    write_questions(path, made)
    assert read_questions(path) == made


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"id": "1", "kind": "k", "question": "?", "gold": {}}', "exactly one"),
        (
            '{"id": "1", "kind": "k", "question": "?", "gold": {"decline": true, "items": ["a"]}}',
            "exactly one",
        ),
        ('{"id": "1", "kind": "k", "question": "?", "gold": {"verdicts": ["maybe"]}}', "verdicts"),
        ('{"id": "1", "question": "?"}', "kind"),
        ("no json", "JSON"),
    ],
)
def test_a_wrong_line_of_a_file_is_named(tmp_path: Any, line: str, why: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(f"\n{line}\n")
    with pytest.raises(SourceError, match=rf"line 2.*{why}"):
        read_questions(path)
