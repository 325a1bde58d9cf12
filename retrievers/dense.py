"""Dense retrieval of passages: cosine of the question's embedding with every passage's, exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder import SentenceEncoder
from retrievers.hits import Filters, Result
from retrievers.mentions import Gazetteer
from retrievers.passage_ranking import Indexes, PassageRanking, Scores
from retrievers.snapshot import Snapshot
from retrievers.triple.words import content_spans, split_words

NOTHING = "vectors: no passage that passes the filters is anywhere near the question"
# Questions of one matrix product: bounds the room that cosines take, 4 bytes a question and passage.
BATCH = 64
# Below this, cosines differ with the size of the batch; passages with one text must tie.
DECIMALS = 6


def cosines(questions: NDArray[np.float32], passages: NDArray[np.float32]) -> Scores:
    """float64 [Q, P], rounded to 6 places. questions, passages: float32 [Q, D], [P, D], unit length."""
    products: Scores = (questions @ passages.T).astype(np.float64)
    products.round(DECIMALS, out=products)
    return products


class DenseRetriever:
    """Ranks passages by the nearness of their embeddings. Safe to call from threads."""

    name = "dense"
    returns = "passage"

    def __init__(self, snapshot: Snapshot, encoder: SentenceEncoder, gazetteer: Gazetteer) -> None:
        """Uses the embeddings of the snapshot as they are; a passage without one is never returned."""
        self._encoder = encoder
        self._embeddings = snapshot.passage_embeddings
        self._ranking = PassageRanking(snapshot, gazetteer)

    def retrieve(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool = False
    ) -> list[Result]:
        """Rank at most `k` passages a question. `filters.kinds` does not apply to passages."""
        results: list[Result] = []
        for start in range(0, len(questions), BATCH):
            batch = questions[start : start + BATCH]
            rows = self._scores(batch)
            results += [
                self._answer(question, row, k=k, filters=filters, explain=explain)
                for question, row in zip(batch, rows, strict=True)
            ]
        return results

    def _scores(self, questions: Sequence[str]) -> list[Scores | None]:
        """float64 [P] a question; None for one without a word that counts, though it has a vector."""
        spans = [content_spans(split_words(question)) for question in questions]
        spoken = [at for at, words in enumerate(spans) if words]
        rows: list[Scores | None] = [None] * len(questions)
        if spoken and len(self._embeddings):
            vectors, _ = self._encoder.encode_questions(
                [questions[at] for at in spoken], [spans[at] for at in spoken]
            )
            for at, row in zip(spoken, cosines(vectors, self._embeddings), strict=True):
                rows[at] = row
        return rows

    def _answer(
        self, question: str, row: Scores | None, *, k: int, filters: Filters, explain: bool
    ) -> Result:
        def parts(passages: Indexes) -> Mapping[str, Scores]:
            return {} if row is None else {"cosine": row[passages]}

        return self._ranking.result(
            question, row, k=k, filters=filters, nothing=NOTHING, explain=parts if explain else None
        )
