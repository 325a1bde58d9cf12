"""The triple retriever with a trained ranking, beside the untrained one that it was made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from retrievers.hits import Filters, Result, Retriever
from retrievers.reactome_snapshot import KIND as REACTOME
from retrievers.triple.retriever import TripleRetriever

UNTRAINED_NOTE = "model: where facts of Reactome are asked for, all are ranked without training"


class TrainedTriple:
    """Ranks with a trained stack; what it was not trained for is answered untrained, and `notes` say so."""

    name = "triple"
    returns = "triple"

    def __init__(self, untrained: Retriever, trained: TripleRetriever) -> None:
        self._untrained = untrained
        self._trained = trained

    @property
    def without_reactome(self) -> TripleRetriever:
        """The trained retriever."""
        return self._trained

    def retrieve(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool = False
    ) -> list[Result]:
        """Rank at most `k` triples a question; a score is the log-probability that the answer needs it."""
        if REACTOME not in filters.kinds:
            return self._trained.retrieve(questions, k=k, filters=filters, explain=explain)
        found = self._untrained.retrieve(questions, k=k, filters=filters, explain=explain)
        return [replace(result, notes=(*result.notes, UNTRAINED_NOTE)) for result in found]
