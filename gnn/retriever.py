"""The retrievers gcn, sage and gat: trained node states against a question's words, without torch."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import ModelError
from gnn.node_words import NodeWords
from gnn.scores import AskedQuestion, read_states
from retrievers.artifacts import Artifact
from retrievers.hits import Filters, Hit, Result
from retrievers.score_order import strictly_decreasing
from retrievers.snapshot import Snapshot
from retrievers.triple.evidence import top_candidates
from retrievers.triple.words import split_words
from retrievers.triple_hits import passing_triples, tie_order, triple_hit

NETWORKS = ("gcn", "sage", "gat")
# Triples that get the full score; of a larger graph those with the best first score. The published full
# graph has fewer, so that there nothing is left out.
CANDIDATES = 20_000


class GraphRetriever:
    """Ranks fact edges by one trained network. Safe to call from threads.

    Ties in score are broken by (head id, relation name, tail id); of equal scores
    each later one is lowered by the least amount, shown as the part `tie`.
    """

    returns = "triple"

    def __init__(
        self,
        artifact: Artifact,
        snapshot: Snapshot,
        encoder: SentenceEncoder,
        *,
        words: NodeWords | None = None,
    ) -> None:
        """`words` may be shared by the networks of one snapshot.

        Raises ModelError when the artifact is of another encoder or form. That it is of the
        snapshot's graph version is checked by `retrievers.artifacts.load_artifact`.
        """
        self.name = artifact.name
        self.training = artifact.training
        self._states = read_states(
            artifact,
            nodes=len(snapshot.entities),
            relations=len(snapshot.relations),
            encoder=encoder.identity,
        )
        self._snapshot = snapshot
        self._encoder = encoder
        self._words = words or NodeWords(snapshot)
        self._order = tie_order(snapshot)
        self._heads, self._tails = snapshot.heads.astype(np.int64), snapshot.tails.astype(np.int64)
        self._relations = snapshot.relation_of.astype(np.int64)
        self._allowed = lru_cache(maxsize=64)(partial(passing_triples, snapshot))

    def retrieve(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool = False
    ) -> list[Result]:
        """Rank at most `k` triples a question: one pass of the encoder and products with node states."""
        allowed = self._allowed(filters)
        vectors, tokens = self._encoder.encode_questions(questions)
        results = []
        for question, vector, states in zip(questions, vectors, tokens, strict=True):
            if not len(allowed):
                notes = ("filters: no triple of the graph passes them",)
                results.append(Result(question, (), (), notes))
            elif not any(word.counts for word in split_words(question)) or not len(states.states):
                notes = ("words: the question has no word that can speak of a triple",)
                results.append(Result(question, (), (), notes))
            else:
                asked = AskedQuestion(
                    tokens=states.states,
                    vector=vector,
                    texts=self._words.text_rows(question),
                    groups=self._words.group_rows(question),
                )
                results.append(Result(question, self._rank(asked, allowed, k, explain=explain)))
        return results

    def _rank(
        self, asked: AskedQuestion, allowed: NDArray[np.int64], k: int, *, explain: bool
    ) -> tuple[Hit, ...]:
        picked = allowed
        if len(allowed) > max(CANDIDATES, k):
            first = self._states.additive(asked, *self._columns(allowed))
            picked = allowed[top_candidates(first, max(CANDIDATES, k))]
        parts = self._states.parts(asked, *self._columns(picked))
        scores = np.sum(list(parts.values()), axis=0)
        best = _best(scores, self._order[picked], k)
        shown = strictly_decreasing(scores[best])
        hits = []
        for rank, (at, score) in enumerate(zip(best.tolist(), shown.tolist(), strict=True), 1):
            explained = None
            if explain:
                explained = {name: float(part[at]) for name, part in parts.items() if part[at]}
                if score != scores[at]:
                    explained["tie"] = score - float(scores[at])
            hits.append(triple_hit(self._snapshot, int(picked[at]), rank=rank, score=score, parts=explained))
        return tuple(hits)

    def _columns(
        self, triples: NDArray[np.int64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        return self._heads[triples], self._tails[triples], self._relations[triples]


class UntrainedNetwork:
    """A network that nobody has trained yet: it answers nothing, and says what to do about it."""

    returns = "triple"

    def __init__(self, name: str, snapshot: Snapshot, encoder: SentenceEncoder, words: SharedWords) -> None:
        self.name = name
        self._snapshot = snapshot
        self._encoder = encoder
        self._words = words

    def retrieve(
        self,
        questions: Sequence[str],  # noqa: ARG002 - the shape of every retriever
        *,
        k: int,  # noqa: ARG002
        filters: Filters,  # noqa: ARG002
        explain: bool = False,  # noqa: ARG002
    ) -> list[Result]:
        """Raise ModelError: without training there is no score."""
        raise ModelError(
            f"The retriever {self.name!r} is not trained in this installation, and has no untrained form.",
            remedy=f"Run `biomolkg train --retriever {self.name}`.",
        )

    def ranked_by(self, artifact: Artifact) -> GraphRetriever:
        """The network with the states that training left. Raises ModelError when they do not fit."""
        return GraphRetriever(artifact, self._snapshot, self._encoder, words=self._words.get())


class SharedWords:
    """The words of a snapshot's nodes for all networks of it, read when the first needs them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._lock = threading.Lock()
        self._words: NodeWords | None = None

    def get(self) -> NodeWords:
        """The same object each time."""
        with self._lock:
            if self._words is None:
                self._words = NodeWords(self._snapshot)
            return self._words


def untrained_networks(snapshot: Snapshot, encoder: SentenceEncoder) -> tuple[UntrainedNetwork, ...]:
    """gcn, sage and gat of one snapshot, before any model is put to work."""
    words = SharedWords(snapshot)
    return tuple(UntrainedNetwork(name, snapshot, encoder, words) for name in NETWORKS)


def _best(scores: NDArray[np.float64], order: NDArray[np.int64], k: int) -> NDArray[np.int64]:
    """Places of the `k` best scores, best first, ties by the lower `order`."""
    if len(scores) > k:
        bar = np.partition(scores, len(scores) - k)[len(scores) - k]
        kept = np.flatnonzero(scores >= bar)
    else:
        kept = np.arange(len(scores))
    best: NDArray[np.int64] = kept[np.lexsort((order[kept], -scores[kept]))[:k]]
    return best
