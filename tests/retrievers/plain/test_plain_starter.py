"""Plain questions on the bundled starter graph, by kind: what must come, and what must not be claimed."""

from __future__ import annotations

import pytest

from retrievers.plain import PlainAnswer, PlainReader


def names(answer: PlainAnswer) -> set[str]:
    return {item.entity.preferred_name for item in answer.items if item.entity is not None}


def ask(reader: PlainReader, question: str) -> PlainAnswer:
    answer = reader.answer(question)
    assert answer is not None, question
    return answer


TARGETS = {
    "Which proteins does 5-FU inhibit?": {"thymidylate synthetase"},
    "What does paracetamol bind to?": {
        "prostaglandin-endoperoxide synthase 1",
        "prostaglandin-endoperoxide synthase 2",
    },
}


@pytest.mark.parametrize("question", TARGETS)
def test_what_a_drug_acts_on_is_listed_completely(reader: PlainReader, question: str) -> None:
    answer = ask(reader, question)
    assert names(answer) == TARGETS[question]
    assert answer.confidence > 0.9


def test_a_list_is_complete_over_dpi_and_action(reader: PlainReader) -> None:
    found = {item.entity.id for item in ask(reader, "Which drugs inhibit DRD2?").items if item.entity}
    snapshot = reader.snapshot
    target = next(at for at, it in enumerate(snapshot.entities) if it.gene == "DRD2")
    expected = {
        snapshot.entities[head].id
        for head, relation, tail in zip(snapshot.heads, snapshot.relation_of, snapshot.tails, strict=True)
        if tail == target and "inhibition" in snapshot.relations[relation].name
    }
    assert found == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs inhibit DRD2?",
        "which drugs inhibit drd2",
        "WHICH DRUGS INHIBIT DRD2?",
        "Please list all drugs that block the dopamine D2 receptor.",
        "Could you tell me which drugs are antagonists of the D2 receptor?",
        "By which drugs is the D2 receptor inhibited?",
        "antagonists   of the D2-receptor",
    ],
)
def test_wording_case_and_spacing_do_not_change_a_list(reader: PlainReader, question: str) -> None:
    expected = ask(reader, "Which drugs inhibit DRD2?")
    answer = ask(reader, question)
    assert {item.entity for item in answer.items} == {item.entity for item in expected.items}
    assert answer.confidence > 0.8


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Does haloperidol block DRD2?", "yes"),
        ("Do warfarin and fentanyl interact?", "yes"),
        ("Can I take fentanyl with warfarin?", "yes"),
        ("Is aspirin an NSAID?", "yes"),
        ("Does haloperidol activate DRD2?", "no"),
    ],
)
def test_a_verdict_is_what_a_fact_says(reader: PlainReader, question: str, verdict: str) -> None:
    answer = ask(reader, question)
    assert (answer.kind, answer.verdict) == ("yes_no", verdict)
    assert answer.because


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Do aspirin and warfarin interact?", "no_fact"),
        ("Can I take ibuprofen with lisinopril?", "no_fact"),
        ("Is it safe to take warfarin with sildenafil?", "no_fact"),
        ("Is there an interaction between metformin and semaglutide?", "not_in_graph"),
        ("Which proteins does promazine inhibit?", "not_in_graph"),
        ("Which receptors does risperidone block?", "not_in_graph"),
        ("Which drugs interact with St. John's wort?", "not_in_graph"),
        ("Does metformin with furosemide cause lactic acidosis?", "no_fact"),
        ("What is the half-life of warfarin?", "not_in_graph"),
        ("Which proteins inhibit trazodone?", "no_fact"),
        ("What does the histamine H1 receptor inhibit?", "no_fact"),
        ("Which proteins does trazodone NOT inhibit?", "not_understood"),
        ("What is the capital of France?", "outside"),
        ("Who won the 1998 world cup?", "outside"),
        ("Which drugs inhibit foobarase?", "unknown_name"),
    ],
)
def test_what_the_graph_cannot_answer_is_declined(reader: PlainReader, question: str, reason: str) -> None:
    answer = ask(reader, question)
    assert answer.abstained
    assert answer.answer is None
    assert answer.reason == reason
    assert answer.notes


def test_no_interaction_is_told_with_both_names_and_is_not_called_safe(reader: PlainReader) -> None:
    answer = ask(reader, "Do aspirin and warfarin interact?")
    assert answer.verdict == "unknown"
    assert all(word in answer.notes[0] for word in ("aspirin", "warfarin", "absence of a fact is not safety"))


def test_a_misspelt_name_is_read_and_told(reader: PlainReader) -> None:
    right, wrong = (ask(reader, f"Which proteins does {it} inhibit?") for it in ("trazodone", "Trazadone"))
    assert names(right) == names(wrong)
    assert wrong.confidence < right.confidence
    assert any("trazodone" in note for note in wrong.notes)


def test_an_effect_is_found_by_its_name(reader: PlainReader) -> None:
    answer = ask(reader, "Which drug pairs cause rhabdomyolysis?")
    assert len(answer.items) == 2
    assert {item.relation for item in answer.items} == {"rhabdomyolysis"}


def test_what_is_left_out_is_left_out(reader: PlainReader) -> None:
    whole = ask(reader, "Which drugs inhibit DRD2?")
    answer = ask(reader, "Which drugs other than haloperidol inhibit the D2 receptor?")
    assert names(whole) - names(answer) == {"haloperidol"}
    assert answer.understood.polarity == "except"


def test_a_description_is_left_to_the_ranking(reader: PlainReader) -> None:
    question = (
        "Which drug with a fused tricyclic core and a basic side chain raises the level of another one?"
    )
    assert reader.answer(question) is None
