"""Which end of a triple is asked for: roles by hand, and answers on a small graph."""

import numpy as np
import pytest

from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from retrievers.answers import Answerer
from retrievers.fusion import TRAINED, Floats
from retrievers.hits import Filters
from retrievers.question_roles import ROLES, asked_label, chooses, word_roles
from retrievers.triple import TripleRetriever
from retrievers.triple.words import split_words
from tests.retrievers.small import small_snapshot


def roles(question: str) -> dict[str, str]:
    words = split_words(question)
    return {word.folded: ROLES[at] for word, at in zip(words, word_roles(question, words), strict=True)}


def test_roles_are_told_by_the_cue_before_a_word() -> None:
    found = roles("In sleepers, which hypnotic, a sedative, causes nausea when combined with a painkiller?")
    expected = {"sleepers": "before", "hypnotic": "asked", "sedative": "asked", "painkiller": "other"}
    assert {word: found[word] for word in expected} == expected
    found = roles("When an opioid is given alongside a diuretic, which drug raises the pulse?")
    assert (found["opioid"], found["diuretic"], found["pulse"]) == ("before", "other", "asked")
    assert chooses("Between a base and an acid, which one accepts?")
    assert not chooses("Which base accepts?")
    assert [
        asked_label(text)
        for text in ("Which receptor is blocked?", "What common medicine calms?", "Who was it?")
    ] == ["Protein", "Drug", None]


@pytest.fixture(scope="module")
def answerer(neo4j_server: Settings, encoder: SentenceEncoder):
    snapshot = small_snapshot(encoder)
    triple = TripleRetriever(snapshot, encoder, neo4j_server)
    yield Answerer(snapshot, triple)
    triple.close()


@pytest.mark.parametrize(
    ("question", "kind", "answer"),
    [
        ("What happens when Alendronic acid and Diazepam are taken together?", "relation", "Back Ache"),
        ("Which proteins does Désyrel inhibit?", "entity", "Alpha-2B adrenergic receptor"),
        ("Which drug inhibits the Histamine H1 receptor?", "entity", "Trazodone"),
        ("Which drug, known to calm anxiety, gives erythema used with one that lifts depression?",
         "entity", "Diazepam"),
        ("Which drug, known to lift depression, gives erythema when used with one that calms anxiety?",
         "entity", "Trazodone"),
        ("zzzz qqqq", None, None),
        ("What happens when Naproxen and Trazodone are combined?", None, None),
        ("Is there any known interaction between Naproxen and Trazodone?", None, None),
        ("Is there an interaction between Alendronic acid and Trazodone?", None, None),
    ],
)  # fmt: skip
def test_the_thing_that_is_asked_for_is_the_answer(
    answerer: Answerer, question: str, kind: str | None, answer: str | None
) -> None:
    (found,) = answerer.answer([question], k=3, filters=Filters())
    assert (found.kind, found.answer) == (kind, answer)
    assert (found.reason is None) == (answer is not None)
    assert found.confidence <= 0.93
    scores = [candidate.score for candidate in found.candidates]
    assert scores == sorted(scores, reverse=True)
    assert sum(scores) <= 1 + 1e-9
    assert max(scores, default=0.0) <= found.confidence
    for candidate in found.candidates:
        assert candidate.triples, "every candidate cites triples"
        for hit in candidate.triples:
            assert hit.triple is not None
            named = {hit.triple.head, hit.triple.tail, hit.triple.relation}
            assert (candidate.entity or candidate.text) in named
    assert bool(found.notes) or found.answer is not None


def test_of_a_believed_path_the_last_triple_answers(answerer: Answerer) -> None:
    """Alendronic acid -> Diazepam -> Trazodone, both steps as good as certain."""
    (result,) = answerer._triples.retrieve(["erythema Back Ache"], k=100, filters=Filters())
    hits = [(hit, hit.triple) for hit in result.hits if hit.triple]
    path = {("Alendronic acid", "Diazepam"), ("Diazepam", "Trazodone")}
    scores: Floats = np.array(
        [0.0 if (triple.head.name, triple.tail.name) in path else -20.0 for _, triple in hits]
    )
    belief = answerer._believe(hits, scores, TRAINED)
    best = hits[int(belief.argmax())][1]
    assert (best.head.name, best.tail.name) == ("Diazepam", "Trazodone")
    assert belief.sum() == pytest.approx(1.0)
