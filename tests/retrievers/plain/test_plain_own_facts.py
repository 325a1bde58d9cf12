"""A user's own graph: other kinds of things, other relations, none of the bundled names needed."""

from __future__ import annotations

import pytest

from retrievers.plain import PlainReader
from retrievers.snapshot import Entity
from tests.retrievers.plain.starter import snapshot_of


@pytest.fixture(scope="module")
def own() -> PlainReader:
    entities = [
        Entity("x:1", "Zorblaxin", "Thing", labels=("Compound", "Thing")),
        Entity("x:2", "Quendomab", "Thing", labels=("Compound", "Thing")),
        Entity("x:3", "grumbling fever", "Thing", labels=("Disease", "Thing")),
        Entity("x:4", "Marsh palsy", "Thing", labels=("Disease", "Thing")),
        Entity("x:5", "FNORD7", "Thing", labels=("Gene", "Thing")),
    ]
    triples = [
        ("x:1", "FACT", "treats", "x:3", "own:1"),
        ("x:2", "FACT", "treats", "x:3", "own:2"),
        ("x:2", "FACT", "treats", "x:4", "own:3"),
        ("x:5", "FACT", "associated_with", "x:4", "own:4"),
    ]
    return PlainReader(snapshot_of(entities, triples))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which disease does Zorblaxin treat?", {"grumbling fever"}),
        ("What does Quendomab treat?", {"grumbling fever", "Marsh palsy"}),
        ("Which compounds treat grumbling fever?", {"Zorblaxin", "Quendomab"}),
        ("By which compounds is Marsh palsy treated?", {"Quendomab"}),
        ("Which gene is associated with Marsh palsy?", {"FNORD7"}),
    ],
)
def test_relations_are_read_by_their_names(own: PlainReader, question: str, expected: set[str]) -> None:
    answer = own.answer(question)
    assert answer is not None
    assert {item.entity.preferred_name for item in answer.items if item.entity} == expected
    assert {fact.evidence_type for item in answer.items for fact in item.facts} == {"imported"}


@pytest.mark.parametrize(
    ("question", "verdict"),
    [("Does Zorblaxin treat grumbling fever?", "yes"), ("Does Zorblaxin treat Marsh palsy?", "unknown")],
)
def test_a_verdict_comes_from_own_facts(own: PlainReader, question: str, verdict: str) -> None:
    answer = own.answer(question)
    assert answer is not None
    assert answer.verdict == verdict
