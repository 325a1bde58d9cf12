"""BM25 over passages: the words of the question that a passage has, the rare ones counting most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import bm25s
import numpy as np
from bm25s.tokenization import Tokenized

from retrievers.hits import Filters, Result
from retrievers.mentions import Gazetteer
from retrievers.passage_ranking import Indexes, PassageRanking, Scores, passage_text
from retrievers.snapshot import Snapshot
from retrievers.triple.words import split_words

K1, B = 1.5, 0.75
# A longer question is read up to here: what one question can cost stays bounded.
MAX_WORDS = 256
NOTHING = "words: no word of the question occurs in any passage that passes the filters"


def terms_of(text: str, *, limit: int | None = None) -> list[str]:
    """The stems (Snowball English) of the first `limit` words of `text`, function words left out."""
    return [word.stem for word in split_words(text, limit=limit) if word.counts]


class BM25Retriever:
    """Ranks passages by BM25 as Lucene has it (k1 1.5, b 0.75). Safe to call from threads."""

    name = "bm25"
    returns = "passage"

    def __init__(self, snapshot: Snapshot, gazetteer: Gazetteer) -> None:
        """Index every passage with its title and the name of its entity."""
        self._ranking = PassageRanking(snapshot, gazetteer)
        documents = [terms_of(passage_text(snapshot, at)) for at in range(len(snapshot.passages))]
        self._vocabulary: dict[str, int] = {}
        for document in documents:
            for term in document:
                self._vocabulary.setdefault(term, len(self._vocabulary))
        self._size = len(documents)
        self._index = bm25s.BM25(k1=K1, b=B, method="lucene", dtype="float64")
        if self._vocabulary:  # bm25s cannot index a corpus without a word
            ids = [[self._vocabulary[term] for term in document] for document in documents]
            # A copy: bm25s adds a term of its own to the vocabulary that it is given.
            corpus = Tokenized(ids=ids, vocab=dict(self._vocabulary))
            self._index.index(corpus, show_progress=False)

    def retrieve(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool = False
    ) -> list[Result]:
        """Rank at most `k` passages a question. `filters.kinds` does not apply to passages."""
        return [self._answer(question, k=k, filters=filters, explain=explain) for question in questions]

    def _answer(self, question: str, *, k: int, filters: Filters, explain: bool) -> Result:
        terms = terms_of(question, limit=MAX_WORDS)
        known = [term for term in terms if term in self._vocabulary]

        def parts(passages: Indexes) -> Mapping[str, Scores]:
            return self._weights(known, passages)

        return self._ranking.result(
            question,
            self._scores(known) if terms else None,
            k=k,
            filters=filters,
            nothing=NOTHING,
            explain=parts if explain else None,
        )

    def _scores(self, known: Sequence[str]) -> Scores:
        """float64 [P]: the score of every passage; a term that is repeated counts as often."""
        if not known:
            return np.zeros(self._size)
        scores: Scores = self._index.get_scores_from_ids([self._vocabulary[term] for term in known])
        return scores

    def _weights(self, known: Sequence[str], passages: Indexes) -> dict[str, Scores]:
        """By term, how much it adds to the score of each of `passages`."""
        matrix = self._index.scores if known else {}
        weights: dict[str, Scores] = {}
        for term, times in Counter(known).items():
            column = self._vocabulary[term]
            begin, end = matrix["indptr"][column], matrix["indptr"][column + 1]
            all_passages = np.zeros(self._size)
            all_passages[matrix["indices"][begin:end]] = matrix["data"][begin:end]
            weights[f"word:{term}"] = times * all_passages[passages]
        return weights
