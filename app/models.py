"""Trained models of one home: which are there, which fit the graph, and how each answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import structlog

from app.state import TrainedModel, View
from biomolkg.errors import ModelError
from gnn.retriever import NETWORKS, UntrainedNetwork
from retrievers.answers import Answerer
from retrievers.artifacts import Artifact, artifact_path, load_artifact
from retrievers.hits import Retriever
from retrievers.hybrid import HybridRetriever
from retrievers.neo4j import Neo4jRetriever
from retrievers.tagger.recognition import Recogniser
from retrievers.tagger.tagger import NAME as MENTIONS
from retrievers.tagger.tagger import Tagger
from retrievers.triple.trained.retrieval import TrainedTriple
from retrievers.triple.trained.stack import Stack
from retrievers.triple.with_reactome import TripleWithReactome

logger = structlog.get_logger()

Serve = Callable[[View, Artifact], Retriever]


def _serve_triple(view: View, artifact: Artifact) -> Retriever:
    untrained = view.retrievers["triple"]
    assert isinstance(untrained, TripleWithReactome)
    return untrained.ranked_by(Stack.of(artifact.arrays))


def _serve_network(name: str) -> Serve:
    def serve(view: View, artifact: Artifact) -> Retriever:
        untrained = view.retrievers[name]
        assert isinstance(untrained, UntrainedNetwork)
        return untrained.ranked_by(artifact)

    return serve


# How the model of each retriever is put to work on a view.
SERVED: Mapping[str, Serve] = {
    "triple": _serve_triple,
    **{name: _serve_network(name) for name in NETWORKS},
}


def _on_trained_triple(view: View, triple: Retriever) -> tuple[Retriever, Answerer]:
    """What rests on `triple` and is trained with it."""
    untrained = view.retrievers["hybrid"]
    assert isinstance(untrained, HybridRetriever)
    assert isinstance(triple, TrainedTriple)
    hybrid = untrained.with_triples(triple)
    return hybrid, Answerer(view.snapshot, triple.without_reactome)


class Models:
    """Puts the models of a home beside the retrievers of a view, and notices when a file changes."""

    def __init__(self, home: Path, *, threads: int = 1) -> None:
        self._home = home
        self._threads = threads
        self._seen: tuple[str, object] | None = None

    def beside(self, view: View) -> View:
        """`view` with the models that fit its graph; the same object while nothing has changed.

        A model of another graph version, or a damaged one, is not served: `model_faults` says why.
        """
        state = (view.graph_version, self._stamps())
        if state == self._seen:
            return view
        self._seen = state
        trained: dict[str, TrainedModel] = {}
        faults: dict[str, str] = {}
        for name, serve in SERVED.items():
            try:
                artifact = load_artifact(self._home, name, graph_version=view.graph_version)
                if artifact is not None:
                    trained[name] = TrainedModel(serve(view, artifact), artifact.training)
            except ModelError as error:
                faults[name] = str(error)
                logger.warning("model not served", model=name, reason=str(error))
        recogniser = None
        try:
            recogniser = self._recogniser(view, trained)
        except ModelError as error:
            faults[MENTIONS] = str(error)
            logger.warning("model not served", model=MENTIONS, reason=str(error))
        answerers = {"untrained": view.answerers["untrained"]}
        if "triple" in trained:
            hybrid, answerers["trained"] = _on_trained_triple(view, trained["triple"].retriever)
            trained["hybrid"] = TrainedModel(hybrid, trained["triple"].training)
        return replace(view, trained=trained, model_faults=faults, answerers=answerers, recogniser=recogniser)

    def _recogniser(self, view: View, trained: dict[str, TrainedModel]) -> Recogniser | None:
        """The gazetteer of `view` with the tagger, which the neo4j retriever then finds names with.

        What a tagger has learned of language fits every graph: it is linked to the one that is served.
        """
        artifact = load_artifact(self._home, MENTIONS)
        if artifact is None:
            return None
        recogniser = Recogniser(view.snapshot, view.gazetteer, Tagger(artifact, threads=self._threads))
        untrained = view.retrievers["neo4j"]
        assert isinstance(untrained, Neo4jRetriever)
        trained["neo4j"] = TrainedModel(untrained.with_names(recogniser), artifact.training)
        return recogniser

    def forget(self) -> None:
        """Look at every file again: the next view is a new one."""
        self._seen = None

    def _stamps(self) -> object:
        stamps = []
        for name in (*SERVED, MENTIONS):
            try:
                status = artifact_path(self._home, name).stat()
            except OSError:
                stamps.append((name, 0, 0, 0))
            else:
                stamps.append((name, status.st_mtime_ns, status.st_size, status.st_ino))
        return tuple(stamps)
