"""The retrievers of this service: what each is for, and which one a request means."""

from __future__ import annotations

from dataclasses import dataclass

from app.state import View
from biomolkg.errors import ModelError, NotFound
from retrievers.hits import Retriever

DESCRIPTIONS = {
    "triple": "Scores every triple as a whole: texts, structures and relation against the question's words.",
    "neo4j": "Recognises entities and matches the relation's embedding, as Cypher in the database.",
    "bm25": "Passages that have the words of the question, rare words counting most (BM25).",
    "dense": "Passages whose embeddings are nearest to that of the question (exact cosine).",
}


@dataclass(frozen=True, slots=True)
class Training:
    """Whether a retriever is trained, and how, or what there is to do."""

    trained: bool
    account: str


def training_of(_retriever: Retriever) -> Training:
    """How a retriever of this service was trained."""
    return Training(trained=False, account="Untrained: it needs no training to answer.")


def pick(view: View, name: str, *, model: str) -> Retriever:
    """The retriever of that name.

    Raises NotFound, which lists the names there are, and ModelError when a
    trained one is demanded and it is not.
    """
    retriever = view.retrievers.get(name)
    if retriever is None:
        raise NotFound(
            f"There is no retriever {name!r}.", remedy=f"There are: {', '.join(sorted(view.retrievers))}."
        )
    if model == "trained" and not training_of(retriever).trained:
        raise ModelError(
            f"The retriever {name!r} is not trained in this installation.",
            remedy="Leave `model` out, or give `auto` or `untrained`.",
        )
    return retriever
