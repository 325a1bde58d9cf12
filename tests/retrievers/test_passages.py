"""The retrievers of passages: an oracle for their ranking and scores, and what both promise."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import load_settings
from retrievers.bm25 import K1, MAX_WORDS, B, BM25Retriever, terms_of
from retrievers.dense import DECIMALS, DenseRetriever
from retrievers.hits import Filters, PassageHit, Result, Retriever
from retrievers.mentions import Gazetteer
from retrievers.passage_ranking import best_passages, passage_text
from retrievers.snapshot import Passage, Snapshot
from retrievers.triple.words import FUNCTION_WORDS
from tests.retrievers.small import small_snapshot

NAMES = ("bm25", "dense")


@pytest.fixture(scope="module")
def small_encoder(tmp_path_factory: pytest.TempPathFactory) -> SentenceEncoder:
    return SentenceEncoder(load_settings(home=tmp_path_factory.mktemp("home")))


def with_passages(base: Snapshot, encoder: SentenceEncoder, passages: Iterable[Passage]) -> Snapshot:
    kept = tuple(passages)
    return replace(base, passages=kept, passage_embeddings=encoder.encode([it.text for it in kept]))


@pytest.fixture(scope="module")
def snapshot_of_texts(small_encoder: SentenceEncoder) -> Snapshot:
    """The small graph with some more passages: of other sources, of no entity, of equal text, of no text."""
    base = small_snapshot(small_encoder)
    more = [
        Passage("z2", -1, "Grapefruit slows the enzymes of the gut.", "", "advice", "label:9", "z", 1, False),
        Passage("z1", -1, "Grapefruit slows the enzymes of the gut.", "", "advice", "label:9", "z", 0, False),
        Passage("a0", 2, "Against depression, depression and poor sleep.", "Trial", None, "trials:1", "t", 0,
                False),
        Passage("e0", 5, "", "", None, "made", "e", 0, True),
    ]  # fmt: skip
    return with_passages(base, small_encoder, [*base.passages, *more])


def build(snapshot: Snapshot, encoder: SentenceEncoder) -> dict[str, Retriever]:
    gazetteer = Gazetteer(snapshot)
    return {
        "bm25": BM25Retriever(snapshot, gazetteer),
        "dense": DenseRetriever(snapshot, encoder, gazetteer),
    }


@pytest.fixture(scope="module")
def retrievers(snapshot_of_texts: Snapshot, small_encoder: SentenceEncoder) -> dict[str, Retriever]:
    return build(snapshot_of_texts, small_encoder)


def ask(retriever: Retriever, question: str, k: int = 10, **filters: Iterable[str]) -> Result:
    chosen = Filters(**{name: frozenset(values) for name, values in filters.items()})
    return retriever.retrieve([question], k=k, filters=chosen, explain=True)[0]


def ids(result: Result) -> list[str]:
    return [hit.passage.id for hit in result.hits if hit.passage is not None]


def slow_bm25(question: str, texts: list[str]) -> list[float]:
    """BM25 as the formula says (Robertson and Zaragoza 2009, with Lucene's idf), term by term."""
    documents = [Counter(terms_of(text)) for text in texts]
    mean = sum(document.total() for document in documents) / len(documents)
    scores = []
    for document in documents:
        score = 0.0
        for term in terms_of(question):
            holders = sum(term in other for other in documents)
            rarity = math.log(1 + (len(documents) - holders + 0.5) / (holders + 0.5))
            length = 1 - B + B * document.total() / mean
            score += rarity * document[term] / (document[term] + K1 * length)
        scores.append(score)
    return scores


def slow_cosines(question: str, snapshot: Snapshot, encoder: SentenceEncoder) -> list[float]:
    content = " ".join(word for word in re.findall(r"\w+", question) if word.lower() not in FUNCTION_WORDS)
    vector = encoder.encode_questions([content])[0][0].tolist()
    return [
        round(sum(a * b for a, b in zip(vector, row, strict=True)), DECIMALS)
        for row in snapshot.passage_embeddings.tolist()
    ]


@hypothesis_settings(max_examples=200, deadline=None)
@given(
    scores=st.lists(st.sampled_from([-1.0, 0.0, 0.5, 1.0, 2.0, math.nan]), max_size=12),
    k=st.integers(1, 15),
    data=st.data(),
)
def test_the_best_are_those_of_sorting_everything(scores: list[float], k: int, data: Any) -> None:
    allowed = data.draw(st.permutations(range(len(scores))))[: data.draw(st.integers(0, len(scores)))]
    found = best_passages(np.array(scores), np.array(allowed, dtype=np.int64), k)
    ranked = sorted((at for at in allowed if scores[at] > 0), key=lambda at: (-scores[at], allowed.index(at)))
    assert found.tolist() == ranked[:k]


@pytest.mark.parametrize(
    "question",
    [
        "depression sleep Trazodone",
        "sleep sleep",
        "What slows the loss of bone?",
        "grapefruit",
        "pain, fever",
    ],
)
def test_scores_are_the_formula(
    retrievers: dict[str, Retriever],
    snapshot_of_texts: Snapshot,
    small_encoder: SentenceEncoder,
    question: str,
) -> None:
    passages = snapshot_of_texts.passages
    texts = [passage_text(snapshot_of_texts, at) for at in range(len(passages))]
    expected = {
        "bm25": slow_bm25(question, texts),
        "dense": slow_cosines(question, snapshot_of_texts, small_encoder),
    }
    for name, scores in expected.items():
        right = {passage.id: score for passage, score in zip(passages, scores, strict=True) if score > 0}
        hits = ask(retrievers[name], question, k=100).hits
        assert {hit.passage.id: hit.score for hit in hits if hit.passage} == pytest.approx(right, abs=2e-6)


@pytest.mark.parametrize("name", NAMES)
def test_a_described_entity_is_found_by_its_text(retrievers: dict[str, Retriever], name: str) -> None:
    result = ask(retrievers[name], "What is taken every week against osteoporosis to slow bone loss?")
    first = result.hits[0].passage
    assert first is not None
    assert first.entity is not None
    assert first.entity.name == "Alendronic acid"
    assert (result.hits[0].source, first.section, first.title) == ("made", "raw", "Alendronic acid")
    named = ask(retrievers[name], "sleep and Trazodone")
    assert [mention.entity.name for mention in named.mentions] == ["Trazodone"]


@pytest.mark.parametrize("name", NAMES)
def test_scores_decrease_ties_go_by_id_and_parts_sum_up(retrievers: dict[str, Retriever], name: str) -> None:
    hits = ask(retrievers[name], "grapefruit slows enzymes", k=1_000).hits
    assert [hit.passage.id for hit in hits[:2] if hit.passage] == ["z1", "z2"]
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert all(above.score > below.score > 0 for above, below in itertools.pairwise(hits))
    for hit in hits:
        assert hit.parts is not None
        assert math.fsum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-12)
    assert "tie" in (hits[1].parts or {})
    assert hits[0].passage is not None
    assert hits[0].passage.entity is None
    alone = ask(retrievers[name], "grapefruit slows enzymes", k=1)
    assert ids(alone) == ["z1"]
    plain = retrievers[name].retrieve(["grapefruit"], k=1, filters=Filters())[0]
    assert plain.hits[0].parts is None


@pytest.mark.parametrize("name", NAMES)
def test_filters_apply_before_the_cut(retrievers: dict[str, Retriever], name: str) -> None:
    retriever = retrievers[name]
    question = "depression and sleep, grapefruit and bone"
    assert ids(ask(retriever, question, k=1, sources={"trials:"})) == ["a0"]
    assert set(ids(ask(retriever, question, sources={"trials:", "label"}))) == {"a0", "z1", "z2"}
    assert set(ids(ask(retriever, question, entities={"pubchem.compound:3"}))) == {"a0", "p2"}
    assert ids(ask(retriever, question, entities={"pubchem.compound:3"}, sources={"made"})) == ["p2"]
    for nothing in ({"sources": {"nowhere"}}, {"entities": {"pubchem.compound:0"}}):
        result = ask(retriever, question, **nothing)
        assert not result.hits
        assert [note.split(":")[0] for note in result.notes] == ["filters"]
    kinds = ask(retriever, question, kinds={"DDI"})
    assert ids(kinds) == ids(ask(retriever, question))
    assert [note.split(":")[0] for note in kinds.notes] == ["kinds"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("question", ["", " ", "the of and", "?!", "🙂", "(" * 4_000, "\ud800"])
def test_a_question_that_says_nothing_gets_nothing_and_the_reason(
    retrievers: dict[str, Retriever], name: str, question: str
) -> None:
    result = ask(retrievers[name], question)
    assert not result.hits
    assert [note.split(":")[0] for note in result.notes] == ["words"]


def test_nonsense_has_no_word_in_common_with_anything(retrievers: dict[str, Retriever]) -> None:
    result = ask(retrievers["bm25"], "zzzz qqqq")
    assert not result.hits
    assert "occurs in any passage" in result.notes[0]
    # Words beyond the limit are not read.
    assert not ask(retrievers["bm25"], "zzzz " * MAX_WORDS + "osteoporosis").hits
    assert ask(retrievers["bm25"], "zzzz " * (MAX_WORDS - 1) + "osteoporosis").hits


@pytest.mark.parametrize("name", NAMES)
def test_graphs_without_texts_answer_too(
    snapshot_of_texts: Snapshot, small_encoder: SentenceEncoder, name: str
) -> None:
    empty = replace(
        snapshot_of_texts, passages=(), passage_embeddings=np.zeros((0, small_encoder.dimension), np.float32)
    )
    result = ask(build(empty, small_encoder)[name], "bone", sources={"made"})
    assert (list(result.hits), [note.split(":")[0] for note in result.notes]) == ([], ["passages"])
    wordless = replace(
        empty,
        passages=(Passage("w", -1, "?!", "", None, "made", "w", 0, composed=False),),
        passage_embeddings=np.zeros((1, small_encoder.dimension), np.float32),
    )
    result = ask(build(wordless, small_encoder)[name], "bone")
    assert not result.hits
    assert result.notes


@pytest.mark.parametrize("name", NAMES)
def test_batches_and_threads_answer_as_single_questions_do(
    retrievers: dict[str, Retriever], name: str
) -> None:
    retriever = retrievers[name]
    assert retriever.retrieve([], k=3, filters=Filters()) == []
    questions = ["bone", "", "sleep at night", "zzzz", "fever and pain"] * 14
    batch = retriever.retrieve(questions, k=3, filters=Filters())
    assert [result.question for result in batch] == questions
    with ThreadPoolExecutor(4) as pool:
        alone = list(pool.map(lambda question: ask(retriever, question, k=3), questions))
    for together, single in zip(batch, alone, strict=True):
        assert ids(together) == ids(single)
        assert [hit.score for hit in together.hits] == pytest.approx(
            [hit.score for hit in single.hits], abs=5e-6
        )
        assert together.notes == single.notes


def test_a_label_passage_is_found_by_product_substance_drug_and_topic(
    snapshot_of_texts: Snapshot, small_encoder: SentenceEncoder
) -> None:
    sections = (("Contraindications", "4.1 Who"), ("Overdosage", "10 Too much"))
    more = [
        Passage(
            f"l{at}", -1, "Call a doctor at once.", title, "made", "spl:1:1:0", f"l{at}", 0, False,
            label="dailymed:1", product="Slumbra", names=("Slumbra", "Trazodone hydrochloride"),
            drugs=("pubchem.compound:3",), topic=topic, section_title=title,
        )
        for at, (topic, title) in enumerate(sections)
    ]  # fmt: skip
    snapshot = with_passages(snapshot_of_texts, small_encoder, [*snapshot_of_texts.passages, *more])
    bm25 = build(snapshot, small_encoder)["bm25"]

    def first(question: str, **only: frozenset[str]) -> PassageHit:
        (result,) = bm25.retrieve([question], k=1, filters=Filters(**only))
        assert result.hits[0].passage is not None
        return result.hits[0].passage

    for name in ("Slumbra", "trazodone hydrochloride", "trazodone"):
        assert first(f"contraindications of {name}").id == "l0"
        assert first(f"overdosage of {name}").id == "l1"
    of_drug = first("doctor", entities=frozenset({"pubchem.compound:3"}))
    assert (of_drug.label, of_drug.product) == ("dailymed:1", "Slumbra")
    assert of_drug.section_title in {"4.1 Who", "10 Too much"}
    assert [drug.name for drug in of_drug.drugs] == ["Trazodone"]
    (other,) = bm25.retrieve(
        ["call at once"], k=9, filters=Filters(entities=frozenset({"pubchem.compound:4"}))
    )
    assert not other.hits
