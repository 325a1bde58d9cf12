"""The retrievers of this service: what each is for, and which one a request means."""

from __future__ import annotations

from dataclasses import dataclass

from app.models import SERVED
from app.state import View
from biomolkg.errors import ModelError, NotFound
from gnn.retriever import NETWORKS
from retrievers.hits import Retriever
from retrievers.neo4j import Neo4jRetriever
from retrievers.plain_first import PlainFirst
from retrievers.tagger.tagger import NAME as MENTIONS

DESCRIPTIONS = {
    "triple": "Scores every triple as a whole: texts, structures and relation against the question's words.",
    "neo4j": "Recognises entities and matches the relation's embedding, as Cypher in the database.",
    "gcn": "A graph convolutional network: states of nodes against the question's tokens. Needs training.",
    "sage": "The same with GraphSAGE's messages, which keep a node's own state apart. Needs training.",
    "gat": "The same with attention over neighbours. Needs training.",
    "bm25": "Passages that have the words of the question, rare words counting most (BM25).",
    "dense": "Passages whose embeddings are nearest to that of the question (exact cosine).",
    "hybrid": "Triples and passages in one ranking, each supporting the other; paths bring neighbours along.",
    "molecule": "Drugs by their structures: groups, fragments, names or a SMILES in the question.",
}

# Those that return the facts of a question that names things before anything else.
PLAIN_FIRST = frozenset(("triple", "neo4j", "hybrid"))


@dataclass(frozen=True, slots=True)
class Training:
    """Whether a retriever is trained, and how, or what there is to do."""

    trained: bool
    account: str


def training_of(view: View, name: str) -> Training:
    """How the retriever of that name was trained, or what there is to do."""
    model = view.trained.get(name)
    if model is not None:
        return Training(trained=True, account=model.training.account)
    if name in view.model_faults:
        return Training(trained=False, account=view.model_faults[name])
    if name == "neo4j":
        what = f"Untrained: `biomolkg train --retriever {MENTIONS}` trains a tagger of names for it."
        return Training(trained=False, account=view.model_faults.get(MENTIONS, what))
    if name in SERVED:
        return Training(trained=False, account=f"Untrained: `biomolkg train --retriever {name}` trains it.")
    return Training(trained=False, account="Untrained: it needs no training to answer.")


def is_ready(view: View, name: str) -> bool:
    """Whether the retriever of that name answers: a graph network does only when it is trained."""
    return name not in NETWORKS or name in view.trained


def pick(view: View, name: str, *, model: str) -> tuple[Retriever, str]:
    """The retriever of that name, and which model answers: `trained` or `untrained`.

    Raises NotFound, which lists the names there are, and ModelError when a
    trained one is demanded and it is not.
    """
    retriever, trained = _pick(view, name, model=model)
    return _plain_first(view, retriever), trained


def _plain_first(view: View, retriever: Retriever) -> Retriever:
    """The retriever behind a reading of the question, if it is one of those that answer questions."""
    published = isinstance(retriever, Neo4jRetriever) and retriever.published
    if retriever.name not in PLAIN_FIRST or published:
        return retriever
    return PlainFirst(retriever, view.reader, view.snapshot)


def _pick(view: View, name: str, *, model: str) -> tuple[Retriever, str]:
    retriever = view.retrievers.get(name)
    if retriever is None:
        raise NotFound(
            f"There is no retriever {name!r}.", remedy=f"There are: {', '.join(sorted(view.retrievers))}."
        )
    trained = view.trained.get(name)
    if trained is not None and model != "untrained":
        return trained.retriever, "trained"
    if model == "trained" or name in NETWORKS:
        fault = view.model_faults.get(MENTIONS if name == "neo4j" else name)
        reason = fault or f"The retriever {name!r} is not trained in this installation."
        if name not in NETWORKS:
            raise ModelError(reason, remedy="Leave `model` out, or give `auto` or `untrained`.")
        if trained is not None:
            raise ModelError(f"The retriever {name!r} has no untrained form.", remedy="Leave `model` out.")
        # A fault says itself what to do.
        remedy = None if name in view.model_faults else f"Run `biomolkg train --retriever {name}`."
        raise ModelError(reason, remedy=remedy)
    return retriever, "untrained"
