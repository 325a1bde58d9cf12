"""Facts of what a question names come first, or nothing comes; on a small graph, with the real reader."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from retrievers.bm25 import BM25Retriever
from retrievers.dense import DenseRetriever
from retrievers.hits import Filters, Hit, Result
from retrievers.hybrid import HybridRetriever
from retrievers.mentions import Gazetteer
from retrievers.plain import PlainReader
from retrievers.plain_first import PlainFirst
from retrievers.snapshot import Snapshot
from retrievers.triple import TripleRetriever
from tests.retrievers.small import small_snapshot

DESCRIBED = "Which drug, known to calm anxiety, gives erythema used with one that lifts depression?"
TARGETS = "Which proteins does trazodone inhibit?"
NO_FACT = "Do naproxen and trazodone interact?"


@pytest.fixture(scope="module")
def small(encoder: SentenceEncoder) -> Snapshot:
    return small_snapshot(encoder)


@pytest.fixture(scope="module")
def reader(small: Snapshot) -> PlainReader:
    return PlainReader(small)


@pytest.fixture(scope="module")
def plain_triple(
    small: Snapshot, neo4j_server: Settings, encoder: SentenceEncoder
) -> Iterator[TripleRetriever]:
    retriever = TripleRetriever(small, encoder, neo4j_server)
    yield retriever
    retriever.close()


@pytest.fixture(scope="module")
def triple(plain_triple: TripleRetriever, reader: PlainReader, small: Snapshot) -> PlainFirst:
    return PlainFirst(plain_triple, reader, small)


@pytest.fixture(scope="module")
def hybrid(
    plain_triple: TripleRetriever, reader: PlainReader, small: Snapshot, encoder: SentenceEncoder
) -> PlainFirst:
    gazetteer = Gazetteer(small)
    passages = [BM25Retriever(small, gazetteer), DenseRetriever(small, encoder, gazetteer)]
    return PlainFirst(HybridRetriever(small, plain_triple, passages), reader, small)


def ends(hits: Sequence[Hit]) -> list[tuple[str, str, str]]:
    return [(hit.triple.head.name, hit.triple.relation, hit.triple.tail.name) for hit in hits if hit.triple]


def well_ranked(result: Result, *, explained: bool) -> None:
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    assert all(one.score > other.score for one, other in pairwise(result.hits))
    for hit in result.hits:
        assert (hit.parts is not None) == explained
        if hit.parts is not None:
            assert sum(hit.parts.values()) == pytest.approx(hit.score)


def test_a_plain_question_gets_its_facts_and_no_others(triple: PlainFirst) -> None:
    (result,) = triple.retrieve([TARGETS], k=10, filters=Filters(), explain=True)
    assert {head for head, _, _ in ends(result.hits)} == {"Trazodone"}
    assert {tail for *_, tail in ends(result.hits)} == {
        "Alpha-2B adrenergic receptor",
        "Histamine H1 receptor",
    }
    assert all("inhibition" in relation for _, relation, _ in ends(result.hits))
    (mention,) = result.mentions
    assert (mention.text, mention.entity.name) == ("trazodone", "Trazodone")
    well_ranked(result, explained=True)


def test_k_cuts_the_facts(triple: PlainFirst) -> None:
    (result,) = triple.retrieve([TARGETS], k=1, filters=Filters())
    assert len(result.hits) == 1
    well_ranked(result, explained=False)


def test_what_has_no_fact_gets_no_hit_and_the_reason(triple: PlainFirst, hybrid: PlainFirst) -> None:
    for retriever in (triple, hybrid):
        (result,) = retriever.retrieve([NO_FACT], k=10, filters=Filters())
        assert not result.hits
        assert any("interact" in note for note in result.notes)
        assert {mention.entity.name for mention in result.mentions} == {"Naproxen", "Trazodone"}


def test_a_batch_answers_in_its_order_as_each_alone(triple: PlainFirst, hybrid: PlainFirst) -> None:
    questions = [DESCRIBED, TARGETS, NO_FACT, DESCRIBED, TARGETS]
    for retriever in (triple, hybrid):
        together = retriever.retrieve(questions, k=5, filters=Filters(), explain=True)
        assert [result.question for result in together] == questions
        for result in together:
            well_ranked(result, explained=True)
            (alone,) = retriever.retrieve([result.question], k=5, filters=Filters(), explain=True)
            assert [(hit.triple, hit.passage) for hit in alone.hits] == [
                (hit.triple, hit.passage) for hit in result.hits
            ]


def test_a_description_is_ranked_as_before(triple: PlainFirst, plain_triple: TripleRetriever) -> None:
    assert triple.retrieve([DESCRIBED], k=5, filters=Filters()) == plain_triple.retrieve(
        [DESCRIBED], k=5, filters=Filters()
    )


def test_passages_follow_the_facts_where_they_are_asked_for(hybrid: PlainFirst) -> None:
    (both,) = hybrid.retrieve([TARGETS], k=10, filters=Filters(), explain=True)
    kinds = [hit.kind for hit in both.hits]
    assert kinds == sorted(kinds, key=lambda kind: kind == "passage")
    assert set(kinds) == {"triple", "passage"}
    well_ranked(both, explained=True)
    (only,) = hybrid.retrieve([TARGETS], k=10, filters=Filters(kinds=frozenset({"PASSAGE"})))
    assert {hit.kind for hit in only.hits} == {"passage"}
    (facts,) = hybrid.retrieve([TARGETS], k=10, filters=Filters(kinds=frozenset({"DPI"})))
    assert {hit.triple.kind for hit in facts.hits if hit.triple} == {"DPI"}


def test_filters_hold_for_facts(triple: PlainFirst) -> None:
    asked = {
        "kinds": Filters(kinds=frozenset({"ACTION"})),
        "sources": Filters(sources=frozenset({"made:facts.csv:6"})),
        "entities": Filters(entities=frozenset({"uniprot:P18089"})),
    }
    for name, filters in asked.items():
        (result,) = triple.retrieve([TARGETS], k=10, filters=filters)
        assert {tail for *_, tail in ends(result.hits)} == {"Alpha-2B adrenergic receptor"}, name
        if name == "sources":
            assert [hit.source for hit in result.hits] == ["made:facts.csv:6"]
    (none,) = triple.retrieve([TARGETS], k=10, filters=Filters(sources=frozenset({"elsewhere"})))
    assert not none.hits
