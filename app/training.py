"""Which retrievers can be trained, and how each is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from biomolkg.settings import Settings
from gnn.retriever import NETWORKS
from retrievers.artifacts import Artifact
from retrievers.snapshot import Snapshot
from retrievers.tagger.tagger import NAME as MENTIONS
from retrievers.training_questions import TrainingSet

Report = Callable[[str, int, int], None]
Trainer = Callable[[Snapshot, TrainingSet, Settings, int, Report], Artifact]


def train_triple(
    snapshot: Snapshot, questions: TrainingSet, settings: Settings, seed: int, report: Report
) -> Artifact:
    """The stack of the triple retriever. Raises InputError when the questions are about another graph."""
    from biomolkg.encoder import SentenceEncoder  # noqa: PLC0415 - torch and RDKit are slow to import
    from retrievers.triple import TripleRetriever  # noqa: PLC0415
    from retrievers.triple.trained.training import train  # noqa: PLC0415

    retriever = TripleRetriever(snapshot, SentenceEncoder(settings), settings)
    try:
        return train(retriever, snapshot, questions, seed=seed, report=report)
    finally:
        retriever.close()


def train_network(architecture: str) -> Trainer:
    """The trainer of a graph network: gcn, sage or gat."""

    def trainer(
        snapshot: Snapshot, questions: TrainingSet, settings: Settings, seed: int, report: Report
    ) -> Artifact:
        from gnn.training import train  # noqa: PLC0415 - only here is torch needed

        return train(snapshot, questions, settings, architecture=architecture, seed=seed, report=report)

    return trainer


def train_mentions(tokens: Sequence[Path]) -> Trainer:
    """The trainer of the tagger of names, which learns from files of typed tokens and the graph's names."""

    def trainer(
        snapshot: Snapshot, _questions: TrainingSet, settings: Settings, seed: int, report: Report
    ) -> Artifact:
        from retrievers.tagger.training import train  # noqa: PLC0415 - only here is Flair needed

        return train(snapshot, tokens, settings, seed=seed, report=report)

    return trainer


TRAINERS: Mapping[str, Trainer] = {
    "triple": train_triple,
    **{name: train_network(name) for name in NETWORKS},
    MENTIONS: train_mentions(()),
}
