"""Questions that users asked and that were answered wrongly, with the right value on the starter graph."""

from __future__ import annotations

import pytest

from retrievers.plain import PlainAnswer, PlainReader

SEROTONIN_2C = "5-hydroxytryptamine receptor 2C"


def ask(reader: PlainReader, question: str) -> PlainAnswer:
    answer = reader.answer(question)
    assert answer is not None, question
    return answer


def names(answer: PlainAnswer) -> set[str]:
    return {item.entity.preferred_name for item in answer.items if item.entity is not None}


@pytest.mark.parametrize(
    ("question", "some", "total"),
    [
        ("antagonists of the D2 receptor", {"loxapine", "chlorpromazine", "clozapine", "haloperidol"}, 18),
        ("Which drugs other than haloperidol inhibit the D2 receptor?", {"loxapine", "clozapine"}, 17),
        ("Which SSRIs bind 5-HT2C?", {"citalopram"}, 1),
        ("Which statins inhibit HMG-CoA reductase?", {"simvastatin"}, 1),
        ("tyrosine kinase inhibitors that hit c-KIT", {"imatinib", "sunitinib", "sorafenib", "dasatinib"}, 4),
        ("Which enzyme is the target of 5-FU?", {"thymidylate synthetase"}, 1),
        ("What does APAP bind to?", {"prostaglandin-endoperoxide synthase 1"}, 2),
        ("Which proteins does Trazadone inhibit?", {"histamine receptor H1"}, 8),
        ("Compare the targets of carvedilol and metoprolol", {"adrenoceptor beta 1"}, 23),
        ("Which drugs inhibit the serotonin transporter?", {"citalopram", "trazodone"}, 12),
        ("Which antipsychotics do not bind the H1 receptor?", {"ziprasidone"}, 2),
    ],
)
def test_lists(reader: PlainReader, question: str, some: set[str], total: int) -> None:
    answer = ask(reader, question)
    assert some <= names(answer)
    assert len(answer.items) == total


@pytest.mark.parametrize(
    ("question", "relations"),
    [
        ("What happens if I combine Viagra and Norvasc?", {"gastric inflammation"}),
        ("ASA and COX-2", {"inhibition"}),
        ("Which drug pairs cause rhabdomyolysis?", {"rhabdomyolysis"}),
        ("Which two drugs together cause thrombocytopenia?", {"thrombocytopenia"}),
        ("rhabdomyolysis", {"rhabdomyolysis"}),
    ],
)
def test_relations(reader: PlainReader, question: str, relations: set[str]) -> None:
    answer = ask(reader, question)
    assert {fact.relation for fact in answer.because} == relations


def test_opioids_and_benzodiazepines_are_pairs(reader: PlainReader) -> None:
    answer = ask(reader, "interactions of opioids with benzodiazepines")
    pairs = {
        frozenset((fact.head.preferred_name, fact.tail.preferred_name))
        for item in answer.items
        for fact in item.facts
    }
    assert {frozenset(("fentanyl", "temazepam")), frozenset(("fentanyl", "triazolam"))} <= pairs


def test_partners_without_those_of_another_drug(reader: PlainReader) -> None:
    of_warfarin = names(ask(reader, "Which drugs interact with warfarin?"))
    of_ibuprofen = names(ask(reader, "Which drugs interact with ibuprofen?"))
    answer = ask(reader, "Which drug interacts with warfarin but not with ibuprofen?")
    assert names(answer) == of_warfarin - of_ibuprofen - {"ibuprofen"}


@pytest.mark.parametrize(
    "name",
    ["D2 receptor", "D2R", "dopamine D2 receptor", "DRD2", "D(2) dopamine receptor", "d2-receptor"],
)
def test_the_names_of_one_receptor_give_one_list(reader: PlainReader, name: str) -> None:
    assert names(ask(reader, f"Which drugs inhibit {name}?")) == names(
        ask(reader, "Which drugs inhibit DRD2?")
    )


@pytest.mark.parametrize(
    ("name", "gene"),
    [
        ("5-HT1A", "HTR1A"), ("MOR", "OPRM1"), ("PXR", "NR1I2"), ("CD117", "KIT"), ("H1R", "HRH1"),
        ("NET", "SLC6A2"), ("DAT", "SLC6A3"), ("beta1 adrenoceptor", "ADRB1"), ("β1", "ADRB1"),
        ("mu opioid receptor", "OPRM1"), ("serotonin transporter", "SLC6A4"), ("HMG-CoA reductase", "HMGCR"),
        ("Kv11.1", "KCNH2"), ("COX-1", "PTGS1"),
    ],
)  # fmt: skip
def test_names_that_people_use_are_known(reader: PlainReader, name: str, gene: str) -> None:
    answer = ask(reader, f"Which drugs act on {name}?")
    ids = {ref.id for named in answer.understood.objects for ref in named.entities}
    assert ids == {it.id for it in reader.snapshot.entities if it.gene == gene}


def test_a_long_case_does_not_drown_its_question(reader: PlainReader) -> None:
    case = "The patient, a retired teacher, was seen for tiredness. The examination showed nothing. " * 38
    answer = ask(reader, f"{case}Which proteins does trazodone inhibit?")
    assert names(answer) == names(ask(reader, "Which proteins does trazodone inhibit?"))


@pytest.mark.parametrize(
    "question",
    [
        "¿Qué proteínas no inhibe la trazodona?",
        "Welche Proteine hemmt Trazodon nicht?",
        "曲唑酮抑制哪些蛋白质？",
    ],
)
def test_other_languages_do_not_mislead(reader: PlainReader, question: str) -> None:
    answer = reader.answer(question)
    assert answer is None or answer.abstained or answer.confidence <= 0.5


@pytest.mark.parametrize(
    "question",
    [
        "Which drugs target the D2 receptor?",
        "Which drugs have DRD2 as a target?",
        "Which drugs have DRD2 among their targets?",
        "The D2 receptor: who targets it?",
    ],
)
def test_a_target_is_what_is_acted_on(reader: PlainReader, question: str) -> None:
    assert names(ask(reader, question)) == names(ask(reader, "Which drugs act on DRD2?"))


@pytest.mark.parametrize(
    "question", ["None of the NSAIDs inhibits COX-2, right?", "No drug blocks DRD2, correct?"]
)
def test_none_is_denied_by_one_fact(reader: PlainReader, question: str) -> None:
    answer = ask(reader, question)
    assert (answer.verdict, bool(answer.because)) == ("no", True)


@pytest.mark.parametrize(
    "question",
    [
        "Is warfarin safer than heparin?",
        "Which drug is the strongest DRD2 inhibitor?",
        "Which drugs inhibit COX-2 in mice?",
        "Why does haloperidol block DRD2?",
    ],
)
def test_what_no_fact_says_is_declined(reader: PlainReader, question: str) -> None:
    answer = ask(reader, question)
    assert (answer.abstained, answer.reason) == (True, "not_understood")


@pytest.mark.parametrize("name", ["alcohol", "prozac", "grapefruit juice", "semaglutide"])
def test_what_the_graph_lacks_is_no_stranger(reader: PlainReader, name: str) -> None:
    assert ask(reader, f"Does {name} interact with warfarin?").reason == "not_in_graph"


def test_a_case_is_asked_of_each_of_its_drugs(reader: PlainReader) -> None:
    case = "The patient takes warfarin, digoxin and sertraline. Any interactions with fentanyl?"
    answer = ask(reader, case)
    pairs = {frozenset((fact.head.preferred_name, fact.tail.preferred_name)) for fact in answer.because}
    assert pairs == {frozenset(("warfarin", "fentanyl")), frozenset(("sertraline", "fentanyl"))}
    assert any("digoxin" in note for note in answer.notes)


def test_shared_targets_are_proteins(reader: PlainReader) -> None:
    one, other = (names(ask(reader, f"What does {it} act on?")) for it in ("clozapine", "haloperidol"))
    answer = ask(reader, "What do clozapine and haloperidol have in common as targets?")
    assert names(answer) == one & other
