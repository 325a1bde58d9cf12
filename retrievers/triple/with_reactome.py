"""The triple retriever with Reactome's facts beside the others, in a snapshot read when first asked for."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from retrievers.hits import Filters, Hit, Mention, Result, triple_order
from retrievers.reactome_snapshot import KIND, ReactomeFacts
from retrievers.reactome_words import asked_relations
from retrievers.score_order import strictly_decreasing
from retrievers.triple.retriever import TripleRetriever
from retrievers.triple.trained.retrieval import TrainedTriple
from retrievers.triple.trained.stack import Stack

CANDIDATES = 200
ASKED = 2.0


class TripleWithReactome:
    """`triple`: facts of Reactome only where `kinds` names REACTOME. Safe to call from threads."""

    name = "triple"
    returns = "triple"

    def __init__(
        self,
        others: TripleRetriever,
        facts: ReactomeFacts,
        encoder: SentenceEncoder,
        settings: Settings,
    ) -> None:
        """`others` answers for all other kinds; `facts` are of the same graph version."""
        self._others = others
        self._facts = facts
        self._encoder = encoder
        self._settings = settings
        self._lock = threading.Lock()
        self._reactome: TripleRetriever | None = None

    @property
    def without_reactome(self) -> TripleRetriever:
        """The retriever of all other facts."""
        return self._others

    def close(self) -> None:
        """End the chemistry readers' processes; a later question starts them again."""
        self._others.close()
        if self._reactome is not None:
            self._reactome.close()

    def ranked_by(self, stack: Stack) -> TrainedTriple:
        """The same with a trained ranking, which knows nothing of Reactome's facts."""
        return TrainedTriple(self, self._others.ranked_by(stack))

    def retrieve(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool = False
    ) -> list[Result]:
        """Rank at most `k` triples a question.

        The first question about Reactome takes seconds longer. Raises NotReady when the
        database holds another version of the graph by then.
        """
        if KIND not in filters.kinds:
            return self._others.retrieve(questions, k=k, filters=filters, explain=explain)
        deep = self._about_reactome().retrieve(
            questions, k=max(k, CANDIDATES), filters=filters, explain=explain
        )
        found = [prefer_asked(result, k) for result in deep]
        kinds = filters.kinds - {KIND}
        if not kinds:
            return found
        others = self._others.retrieve(questions, k=k, filters=replace(filters, kinds=kinds), explain=explain)
        return [merged(one, other, k) for one, other in zip(others, found, strict=True)]

    def _about_reactome(self) -> TripleRetriever:
        with self._lock:
            if self._reactome is None:
                self._reactome = TripleRetriever(self._facts.snapshot(), self._encoder, self._settings)
            return self._reactome


def prefer_asked(result: Result, k: int) -> Result:
    """The `k` best hits after each of an asked relation has gained ASKED.

    All facts of a reaction that is named have its name: the relation decides which of them is meant.
    """
    spans = [(mention.start, mention.end) for mention in result.mentions]
    asked = asked_relations(result.question, spans)
    gained = [
        _gained(hit, ASKED) if hit.triple is not None and hit.triple.relation in asked else hit
        for hit in result.hits
    ]
    return replace(result, hits=_ranked_anew(gained, k))


def merged(one: Result, other: Result, k: int) -> Result:
    """The `k` best hits of both by score, ranked anew; mentions and notes of both, each once."""
    mentions: dict[Mention, None] = dict.fromkeys((*one.mentions, *other.mentions))
    return Result(
        one.question,
        _ranked_anew([*one.hits, *other.hits], k),
        sorted(mentions, key=lambda mention: (mention.start, -mention.score, mention.entity.id)),
        tuple(dict.fromkeys((*one.notes, *other.notes))),
    )


def _gained(hit: Hit, gain: float) -> Hit:
    parts = None if hit.parts is None else {**hit.parts, "asked": gain}
    return replace(hit, score=hit.score + gain, parts=parts)


def _ranked_anew(hits: Sequence[Hit], k: int) -> list[Hit]:
    best = sorted(hits, key=lambda hit: (-hit.score, triple_order(hit)))[:k]
    scores = strictly_decreasing(np.array([hit.score for hit in best], dtype=np.float64))
    return [
        _ranked(hit, rank, float(score))
        for rank, (hit, score) in enumerate(zip(best, scores, strict=True), start=1)
    ]


def _ranked(hit: Hit, rank: int, score: float) -> Hit:
    parts = hit.parts
    if parts is not None and score != hit.score:
        parts = {**parts, "tie": parts.get("tie", 0.0) + score - hit.score}
    return replace(hit, rank=rank, score=score, parts=parts)
