"""Triples and passages fused: hand-computed beliefs, and the contract on a small graph."""

import itertools
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
