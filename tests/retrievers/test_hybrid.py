"""Triples and passages fused: hand-computed beliefs, and the contract on a small graph."""

import itertools
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from retrievers.bm25 import BM25Retriever
from retrievers.dense import DenseRetriever
from retrievers.fusion import TRAINED, path_support, probabilities, reciprocal_rank
from retrievers.hits import PASSAGE_KIND, Filters
from retrievers.hybrid import HybridRetriever
from retrievers.mentions import Gazetteer
from retrievers.snapshot import Entity, Passage
from retrievers.triple import TripleRetriever
from tests.retrievers.small import small_snapshot

QUESTION = "Which drug against osteoporosis, once a week, gives back ache with one that calms anxiety?"


@pytest.fixture(scope="module")
def hybrid(neo4j_server: Settings, encoder: SentenceEncoder):
    snapshot = small_snapshot(encoder)
    structures = [
        replace(passage, id=f"s{passage.entity}", section="structure", composed=True, source="composed")
        for passage in snapshot.passages
    ]
    snapshot = replace(
        snapshot,
        passages=(*snapshot.passages, *structures),
        passage_embeddings=np.concatenate([snapshot.passage_embeddings] * 2),
    )
    gazetteer = Gazetteer(snapshot)
    triple = TripleRetriever(snapshot, encoder, neo4j_server)
    yield HybridRetriever(
        snapshot, triple, [BM25Retriever(snapshot, gazetteer), DenseRetriever(snapshot, encoder, gazetteer)]
    )
    triple.close()


def test_beliefs_by_hand() -> None:
    assert probabilities(np.log([2.0, 1.0, 1.0]), 1.0) == pytest.approx([0.5, 0.25, 0.25])
    assert len(probabilities(np.zeros(0), 1.0)) == 0
    # 0 -> 1 is led to by 2 -> 0 and, three times less believed, 3 -> 0.
    heads, tails = np.array([0, 2, 3]), np.array([1, 0, 0])
    assert path_support(heads, tails, np.array([0.6, 0.3, 0.1])) == pytest.approx([0.0, 0.45, 0.15])
    assert [reciprocal_rank(rank, 60.0) for rank in (1, 62)] == pytest.approx([1.0, 0.5])
    assert TRAINED.belief(np.log([0.5, 1.0])) == pytest.approx([0.5, 1.0])


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.floats(0, 1)), max_size=12))
def test_path_support_is_what_adding_one_by_one_gives(rows: list[tuple[int, int, float]]) -> None:
    heads, tails, belief = (np.array([row[at] for row in rows]) for at in range(3))
    expected = []
    for _, tail, own in rows:
        arriving = sum(other for _, end, other in rows if end == tail)
        begun = sum(other for start, _, other in rows if start == tail)
        expected.append(own / arriving * begun if arriving else 0.0)
    found = path_support(heads.astype(np.int64), tails.astype(np.int64), belief.astype(np.float64))
    assert found == pytest.approx(expected)


def test_both_kinds_in_one_falling_list_whose_parts_sum_up(hybrid: HybridRetriever) -> None:
    (result,) = hybrid.retrieve([QUESTION], k=20, filters=Filters(), explain=True)
    assert {hit.kind for hit in result.hits} == {"triple", "passage"}
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    assert all(above.score > below.score for above, below in itertools.pairwise(result.hits))
    for hit in result.hits:
        assert hit.parts is not None
        assert sum(hit.parts.values()) == pytest.approx(hit.score)
    first = next(hit.triple for hit in result.hits if hit.triple)
    assert (first.head.name, first.relation, first.tail.name) == ("Alendronic acid", "Back Ache", "Diazepam")
    passages = [hit.passage for hit in result.hits if hit.passage]
    assert {passage.id for passage in passages[:2]} == {"p0", "p1"}, "texts, for a question about texts"
    again = hybrid.retrieve([QUESTION, "zzzz"], k=3, filters=Filters())
    assert [hit.score for hit in again[0].hits] == [hit.score for hit in result.hits[:3]]
    assert (again[1].hits, bool(again[1].notes)) == ([], True)


def test_filters_say_which_hits_come(hybrid: HybridRetriever) -> None:
    def hits(**fields: set[str]):
        filters = Filters(**{name: frozenset(values) for name, values in fields.items()})
        return hybrid.retrieve([QUESTION], k=50, filters=filters)[0].hits

    assert {hit.kind for hit in hits(kinds={PASSAGE_KIND})} == {"passage"}
    assert {hit.triple and hit.triple.kind for hit in hits(kinds={"DDI"})} == {"DDI"}
    mixed = hits(kinds={"MOLECULAR", PASSAGE_KIND})
    assert {hit.triple.kind if hit.triple else hit.kind for hit in mixed} == {"MOLECULAR", "passage"}
    about = hits(entities={"pubchem.compound:2"})
    assert about
    assert {hit.passage.entity.id for hit in about if hit.passage} == {"pubchem.compound:2"}
    assert all(
        "pubchem.compound:2" in (hit.triple.head.id, hit.triple.tail.id) for hit in about if hit.triple
    )
    composed = hits(kinds={PASSAGE_KIND}, sources={"composed"})
    assert composed
    assert {hit.source for hit in composed} == {"composed"}


def test_as_many_passages_of_each_entity_as_wanted(hybrid: HybridRetriever) -> None:
    passages = Filters(kinds=frozenset({PASSAGE_KIND}))

    def counted(per_entity: int | None) -> Counter[str]:
        (result,) = hybrid.retrieve([QUESTION], k=50, filters=replace(passages, per_entity=per_entity))
        assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
        return Counter(hit.passage.entity.id for hit in result.hits if hit.passage)

    assert max(counted(None).values()) > 1
    assert set(counted(1).values()) == {1}
    assert counted(1).keys() == counted(None).keys()


SECTIONS = {
    "34066-1": ("Boxed warning", "It can stop the breath."),
    "34068-7": ("Dosage and administration", "Take 50 mg once a day, and not above 400 mg."),
    "42228-7": ("Pregnancy", "Studies of animals showed harm."),
    "34070-3": ("Contraindications", "Not for those who are allergic to it."),
    "44425-7": ("Storage and handling", "Keep it below 25 degrees."),
    "34084-4": ("Adverse reactions", "Sleep, thirst."),
}


@pytest.fixture(scope="module")
def with_labels(neo4j_server: Settings, encoder: SentenceEncoder):
    """The small graph with labels of trazodone and of a drug that has no other fact."""
    base = small_snapshot(encoder)
    drugs = {
        "Slumbra": ("pubchem.compound:3", "Trazodone hydrochloride"),
        "Raremab": ("unii:RARE", "raremab-x"),
    }
    passages = [
        Passage(
            f"{product}-{code}", -1, text, topic.upper(), code, f"spl:{product}:1:{at}", f"{product}#{at}", 0,
            composed=False, label=f"dailymed:{product}", product=product, names=(product, substance),
            drugs=(drug,), topic=topic, section_title=topic.upper(), boxed=code == "34066-1",
        )
        for product, (drug, substance) in drugs.items()
        for at, (code, (topic, text)) in enumerate(SECTIONS.items())
    ]  # fmt: skip
    snapshot = replace(
        base,
        entities=(
            *base.entities[:5],
            Entity("unii:RARE", "Raremab", "Drug", ("Raremab-X",)),
            *base.entities[5:],
        ),
        heads=np.where(base.heads >= 5, base.heads + 1, base.heads),
        tails=np.where(base.tails >= 5, base.tails + 1, base.tails),
        passages=(*base.passages, *passages),
        passage_embeddings=np.concatenate(
            [base.passage_embeddings, encoder.encode([f"{p.product}. {p.topic}. {p.text}" for p in passages])]
        ),
    )
    gazetteer = Gazetteer(snapshot)
    triple = TripleRetriever(snapshot, encoder, neo4j_server)
    yield HybridRetriever(
        snapshot, triple, [BM25Retriever(snapshot, gazetteer), DenseRetriever(snapshot, encoder, gazetteer)]
    )
    triple.close()


@pytest.mark.parametrize("kinds", [(), (PASSAGE_KIND,)])
@pytest.mark.parametrize(
    ("wording", "code"),
    [
        ("What is the boxed warning of {}?", "34066-1"),
        ("maximum dose of {}", "34068-7"),
        ("How much {} may I take in a day?", "34068-7"),
        ("May {} be used in pregnancy?", "42228-7"),
        ("Who should not take {}?", "34070-3"),
        ("contraindications of {}", "34070-3"),
        ("How is {} stored?", "44425-7"),
        ("What side effects does {} have?", "34084-4"),
    ],
)
def test_a_question_about_a_label_finds_its_section_first(
    with_labels: HybridRetriever, wording: str, code: str, kinds: tuple[str, ...]
) -> None:
    names = {
        "Slumbra": ("Slumbra", "trazodone", "trazodone hydrochloride"),
        "Raremab": ("Raremab", "raremab-x"),
    }
    for product, spelt in names.items():
        for name in spelt:
            (result,) = with_labels.retrieve(
                [wording.format(name)], k=3, filters=Filters(kinds=frozenset(kinds)), explain=True
            )
            first = result.hits[0]
            assert first.passage is not None
            assert first.passage.id == f"{product}-{code}"
            assert first.parts is not None
            assert sum(first.parts.values()) == pytest.approx(first.score)


def test_a_question_about_facts_is_answered_by_facts_though_there_is_a_label(
    with_labels: HybridRetriever,
) -> None:
    (result,) = with_labels.retrieve(["Which proteins does trazodone inhibit?"], k=3, filters=Filters())
    assert [hit.triple.relation for hit in result.hits if hit.triple] == ["binding and inhibition"] * 2
    (described,) = with_labels.retrieve([QUESTION], k=3, filters=Filters())
    assert not [hit for hit in described.hits if hit.passage and hit.passage.label]


def test_the_drugs_of_labels_are_a_filter(with_labels: HybridRetriever) -> None:
    only = Filters(kinds=frozenset({PASSAGE_KIND}), entities=frozenset({"unii:RARE"}))
    (result,) = with_labels.retrieve(["Raremab"], k=50, filters=only)
    assert {hit.passage.product for hit in result.hits if hit.passage} == {"Raremab"}
    assert len(result.hits) > 2
    assert len(with_labels.retrieve(["Raremab"], k=50, filters=replace(only, per_entity=2))[0].hits) == 2
