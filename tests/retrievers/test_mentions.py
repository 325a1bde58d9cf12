"""Names are found however they are written, and ordinary words are not taken for them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biomolkg.names import name_words
from retrievers.mentions import Gazetteer, tokens
from retrievers.snapshot import Entity, Snapshot, Sources

SYSTEMATIC = (
    "6-{[Amino(phenyl)acetyl]amino}-3,3-dimethyl-7-oxo-4-thia-1-azabicyclo[3.2.0]heptane-2-carboxylate"
)
ENTITIES = (
    Entity("d:1", "Warfarin", "Drug", ("coumafene", "ICE", "rat killer")),
    Entity("p:1", "Beta-1 adrenergic receptor", "Protein", ("adrenergic receptor, beta 1",), gene="ADRB1"),
    Entity("d:2", SYSTEMATIC, "Drug"),
    Entity("d:3", "alendronic acid", "Drug"),
    Entity("d:4", "158747-02-5", "Drug"),
    Entity("d:5", "Xenazol", "Drug", ("warfarin", "aid", "CAN", "Speed")),
    Entity("p:2", "Catalase", "Protein", gene="CAT"),
    Entity("d:6", "Potassium chloride", "Drug"),
    Entity("d:7", "Fexofenadine hydrochloride", "Drug"),
    Entity("p:3", "Histamine H1 receptor", "Protein", gene="HRH1"),
    Entity("d:8", "Valproate", "Drug", ("sharedine",)),
    Entity("d:9", "Zonisamide", "Drug", ("sharedine",)),
)


def snapshot_of(entities: tuple[Entity, ...]) -> Snapshot:
    nothing = np.zeros(0, dtype=np.int32)
    vectors = np.zeros((0, 384), dtype=np.float32)
    sources = Sources((), nothing, nothing)
    return Snapshot("v", entities, (), (), nothing, nothing, nothing, sources, vectors, vectors)


GAZETTEER = Gazetteer(snapshot_of(ENTITIES))


@pytest.mark.parametrize(
    ("question", "text", "entity"),
    [
        ("Is WARFARIN safe?", "WARFARIN", "d:1"),
        ("Warfarin's effects", "Warfarin", "d:1"),
        ("two warfarins", "warfarins", "d:1"),
        ("Wârfarín", "Wârfarín", "d:1"),
        ("warfarin-induced bleeding", "warfarin", "d:1"),
        ("warfarin sodium is given", "warfarin sodium", "d:1"),
        ("fexofenadine or not", "fexofenadine", "d:7"),
        ("What does alendronate do?", "alendronate", "d:3"),
        ("valproic acid", "valproic acid", "d:8"),
        ("the β1-adrenergic receptor", "β1-adrenergic receptor", "p:1"),
        ("the beta 1 adrenergic receptors", "beta 1 adrenergic receptors", "p:1"),
        ("the Beta1 adrenergic receptor", "Beta1 adrenergic receptor", "p:1"),
        ("adrb1 inhibitors", "adrb1", "p:1"),
        ("a histamine-H1-receptor blocker", "histamine-H1-receptor", "p:3"),
        (f"Does {SYSTEMATIC} help?", SYSTEMATIC, "d:2"),
        ("dose of 158747-02-5", "158747-02-5", "d:4"),
        ("dose of 158747 02 5", "158747 02 5", "d:4"),
        ("dose of 158747–02–5", "158747–02–5", "d:4"),
        ("potassium chloride", "potassium chloride", "d:6"),
        ("ICE and fire", "ICE", "d:1"),
        ("the gene CAT", "CAT", "p:2"),
    ],
)
def test_a_name_is_found_as_it_is_written(question: str, text: str, entity: str) -> None:
    first = GAZETTEER.find(question)[0]
    assert (first.text, first.entity.id) == (text, entity)
    assert question[first.start : first.end] == text


@pytest.mark.parametrize(
    "question",
    [
        "can ice aid the cat?",
        "Can the aid come at speed?",
        "Speed matters.",
        "a row of 158747025 things",
        "unwarfarinlike",
        "potassium",
        "",
        "+ - && || ! ( ) { } [ ] ^ ~ * ? : \\ /",
    ],
)
def test_ordinary_words_are_no_names(question: str) -> None:
    assert GAZETTEER.find(question) == []


def test_a_name_beats_a_synonym_and_equals_share() -> None:
    warfarin = GAZETTEER.find("warfarin")
    assert [mention.entity.id for mention in warfarin] == ["d:1", "d:5"]
    assert warfarin[0].score == 1.0 > warfarin[1].score
    shared = GAZETTEER.find("sharedine")
    assert [mention.entity.id for mention in shared] == ["d:8", "d:9"]
    assert shared[0].score == shared[1].score < 0.5


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_tokens_are_the_words_of_a_name_with_their_places(text: str) -> None:
    found = tokens(text)
    assert [token.text for token in found] == name_words(text)
    assert all(0 <= token.start < token.end <= len(text) for token in found)
    assert all(left.start <= right.start for left, right in itertools.pairwise(found))


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([entity for entity in ENTITIES if entity.name != "158747-02-5"]),
    st.sampled_from(["{}", "({})", "is {}?", "{}'s", "“{}”", "x/{}"]),
    st.sampled_from([str.upper, str.lower, str.title, lambda name: name.replace("-", " ")]),
)
def test_every_name_is_found_in_every_setting(entity: Entity, frame: str, spell: object) -> None:
    question = frame.format(spell(entity.name))  # type: ignore[operator]
    assert entity.id in {mention.entity.id for mention in GAZETTEER.find(question)}
