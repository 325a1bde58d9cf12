import csv
import itertools
from dataclasses import replace

import numpy as np
import pytest

from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import load_settings
from retrievers.hits import Filters
from retrievers.snapshot import Relation
from retrievers.triple import TripleRetriever
from tests.retrievers.published import gold_triples, published_snapshot
from tests.retrievers.small import RELATIONS, TRIPLES, small_snapshot


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return load_settings(home=tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def encoder(settings):
    return SentenceEncoder(settings)


@pytest.fixture(scope="module")
def triple(settings, encoder):
    retriever = TripleRetriever(small_snapshot(encoder), encoder, settings)
    yield retriever
    retriever.close()


def ask(triple, question, k=10, **filters):
    chosen = Filters(**{name: frozenset(values) for name, values in filters.items()})
    return triple.retrieve([question], k=k, filters=chosen, explain=True)[0]


def shown(result):
    return [(hit.triple.head.name, hit.triple.relation, hit.triple.tail.name) for hit in result.hits]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which proteins does TRAZODONE inhibit?", {"Alpha-2B adrenergic receptor", "Histamine H1 receptor"}),
        ("what does desyrel bind and inhibit", {"Alpha-2B adrenergic receptor", "Histamine H1 receptor"}),
        ("What inhibits the α-2B adrenergic receptor?", {"Alpha-2B adrenergic receptor"}),
    ],
)
def test_facts_of_a_named_entity_come_first(triple, question, first):
    hits = ask(triple, question).hits[: len(first)]
    assert {hit.triple.tail.name for hit in hits} == first
    assert all(hit.triple.relation == "binding and inhibition" for hit in hits)


@pytest.mark.parametrize(
    "question", ["What happens when Alendronic-Acid and diazepam are combined?", "fosamax with DIAZEPAM"]
)
def test_both_ends_named_come_first(triple, question):
    result = ask(triple, question)
    assert {row[0] for row in shown(result)[:2]} == {"Alendronic acid"}
    assert {row[2] for row in shown(result)[:2]} == {"Diazepam"}
    assert {mention.entity.name for mention in result.mentions} == {"Alendronic acid", "Diazepam"}


def test_described_entities_are_found_without_their_names(triple):
    text = ask(
        triple, "Which drug against arthritis pain gives back ache with a hormone replaced after menopause?"
    )
    assert shown(text)[0] == ("Estradiol", "Back Ache", "Naproxen")
    structure = ask(triple, "Which bisphosphonate forms a hydrogen bond with the chlorinated benzodiazepine?")
    assert shown(structure)[0] == ("Alendronic acid", "Hydrogen Bonding", "Diazepam")
    spelling = ask(triple, "pi-pi stacking of a methoxynaphthalene with a benzodiazepine")
    assert shown(spelling)[0] == ("Naproxen", "π-π Stacking", "Diazepam")


def test_scores_decrease_and_parts_sum_to_them(triple):
    hits = ask(triple, "Which bisphosphonate forms a hydrogen bond with a drug for anxiety?").hits
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert all(above.score > below.score for above, below in itertools.pairwise(hits))
    for hit in hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-9)


def test_actions_answer_where_nothing_else_is_known_of_a_target(triple, encoder, tmp_path):
    """A plain question about what has actions only; those of others, and described ones, stay out."""
    with_actions = small_snapshot(encoder)
    relations = (*with_actions.relations, Relation("activation", "ACTION"))
    action = RELATIONS.index(Relation("inhibition", "ACTION"))
    # Naproxen and H1 inhibits twice, Diazepam and 2B once; of Naproxen and Diazepam nothing else is known.
    more = ((1, action, 5), (3, action, 6), (3, action, 6), (3, len(RELATIONS), 6))
    heads, relation_of, tails = np.array((*TRIPLES, *more), dtype=np.int32).T
    order = np.lexsort((tails, relation_of, heads))
    snapshot = replace(
        with_actions,
        relations=relations,
        heads=heads[order],
        relation_of=relation_of[order],
        tails=tails[order],
        sources=tuple(f"made:facts.csv:{row}" for row in range(len(order))),
        relation_embeddings=encoder.encode([relation.name for relation in relations]),
    )
    retriever = TripleRetriever(snapshot, encoder, load_settings(home=tmp_path))
    try:
        naproxen = ask(retriever, "What does naproxen inhibit?")
        assert shown(naproxen)[:2] == [
            ("Naproxen", "inhibition", "Histamine H1 receptor"),
            ("Naproxen", "activation", "Histamine H1 receptor"),
        ]
        assert shown(naproxen).count(("Naproxen", "inhibition", "Histamine H1 receptor")) == 1
        assert not any("Diazepam" in row and "inhibition" in row for row in shown(naproxen))
        trazodone = ask(retriever, "What does trazodone inhibit?")
        assert {hit.triple.kind for hit in trazodone.hits} <= {"DDI", "DPI", "MOLECULAR"}
        described = ask(retriever, "What does the drug that eases the pain of arthritis and fever inhibit?")
        assert "ACTION" not in {hit.triple.kind for hit in described.hits}
        chosen = ask(retriever, "What does naproxen inhibit?", kinds={"DDI", "DPI"})
        assert "ACTION" not in {hit.triple.kind for hit in chosen.hits}
    finally:
        retriever.close()


def test_who_asks_for_pathways_is_told_their_kind(triple):
    def told(question, **kinds):
        return any(note.startswith("kinds: pathways") for note in ask(triple, question, **kinds).notes)

    assert told("Which pathways does the histamine H1 receptor take part in?")
    assert not told("Which pathways does the histamine H1 receptor take part in?", kinds={"REACTOME"})
    assert not told("Which drugs inhibit the histamine H1 receptor?")


def test_filters_apply_before_the_cut(triple):
    question = "Which bisphosphonate forms a hydrogen bond with the benzodiazepine?"
    assert {hit.triple.kind for hit in ask(triple, question).hits} <= {"DDI", "DPI", "MOLECULAR"}
    (only,) = ask(triple, question + " osteoporosis", k=1, kinds={"DDI"}).hits
    assert only.triple.kind == "DDI"
    assert {hit.triple.kind for hit in ask(triple, "trazodone inhibits", kinds={"ACTION"}).hits} == {"ACTION"}
    near = ask(triple, question, entities={"pubchem.compound:4"}).hits
    assert near
    assert all("Naproxen" in (hit.triple.head.name, hit.triple.tail.name) for hit in near)
    assert [hit.source for hit in ask(triple, question, sources={"made:facts.csv:2"}).hits] == [
        "made:facts.csv:2"
    ]
    nothing = ask(triple, question, sources={"other:"})
    assert not nothing.hits
    assert any(note.startswith("filters:") for note in nothing.notes)


@pytest.mark.parametrize(
    "question", ["", " ", "zzzz", "the of and", "?!?!", "🙂🙂", "(" * 10_000, "\n\n", "x" * 4_000]
)
def test_a_question_that_says_nothing_gets_nothing_and_the_reasons(triple, question):
    result = ask(triple, question)
    assert not result.hits
    assert {note.split(":")[0] for note in result.notes} >= {"names", "texts", "structures", "scoring"}


@pytest.mark.parametrize(
    "question",
    [
        "thiazole " * 440,
        "CC(=O)Oc1ccccc1C(=O)O and N[C@@H](C)C(=O)O",
        "ethane\nbenzene\npyridine\r\nnaphthalene",
        "benzodiazepine" + "-" * 3_900,
        "1,2,3,4,5,6-" * 300 + "hexachlorocyclohexane",
    ],
)
def test_hostile_questions_leave_the_next_one_unharmed(triple, question):
    ask(triple, question)
    result = ask(triple, "Which bisphosphonate forms a hydrogen bond with the benzodiazepine?")
    assert shown(result)[0] == ("Alendronic acid", "Hydrogen Bonding", "Diazepam")


def test_a_batch_answers_as_its_questions_do_alone(triple):
    questions = ["Trazodone and sleep", "zzzz", "a steroid with a phenol", "back ache", ""]
    batch = triple.retrieve(questions, k=5, filters=Filters())
    assert [result.question for result in batch] == questions
    for question, result in zip(questions, batch, strict=True):
        alone = triple.retrieve([question], k=5, filters=Filters())[0]
        assert [hit.triple for hit in alone.hits] == [hit.triple for hit in result.hits]
        assert [hit.score for hit in alone.hits] == pytest.approx(
            [hit.score for hit in result.hits], abs=1e-4
        )


def test_published_validation_questions_stay_above_the_floor(shared_data, settings, encoder):
    snapshot = published_snapshot(shared_data / "biomolmqa", encoder)
    retriever = TripleRetriever(snapshot, encoder, settings)
    try:
        with (shared_data / "biomolmqa/dataset_for_hf/validation.csv").open(
            newline="", encoding="utf-8"
        ) as file:
            rows = list(csv.DictReader(file))
        results = retriever.retrieve([row["Question"] for row in rows], k=100, filters=Filters())
    finally:
        retriever.close()
    assert len(rows) == 169
    total = 0.0
    for row, result in zip(rows, results, strict=True):
        gold = gold_triples(row["Question_Background"])
        assert gold
        total += next((1 / rank for rank, found in enumerate(shown(result), 1) if "-".join(found) in gold), 0)
    assert total / len(rows) >= 0.9
