"""What the graph adds: the networks and the same model without messages, on questions that are kept apart.

    python -m gnn.comparison --questions train.csv --asked validation.csv

Reads the loaded graph, trains each network from scratch and keeps nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import BioMolKGError, InputError
from biomolkg.settings import Settings, load_settings
from cypher.client import connect
from gnn.graph_features import text_owners
from gnn.retriever import NETWORKS, GraphRetriever
from gnn.training import NO_GRAPH, train
from retrievers.hits import Filters
from retrievers.snapshot import Snapshot, read_snapshot
from retrievers.training_questions import (
    PlacedQuestion,
    TrainingQuestion,
    TrainingSet,
    place_questions,
    read_training_questions,
)

# Of the entities: held out in the unseen split, and bared of texts and structures in the bare one.
UNSEEN, BARE = 0.3, 0.25
_DEEPEST = 1_000
Split = tuple[Snapshot, TrainingSet, tuple[TrainingQuestion, ...], NDArray[np.bool_] | None]


def published_split(snapshot: Snapshot, learned: TrainingSet, asked: TrainingSet) -> Split:
    """The questions as they are given."""
    return snapshot, learned, asked.questions, None


def unseen_split(snapshot: Snapshot, learned: TrainingSet, asked: TrainingSet, *, seed: int) -> Split:
    """Train without any question about 30 % of the entities, ask all those about none but them."""
    drawn = np.random.default_rng(seed).random(len(snapshot.entities)) < UNSEEN
    held = {entity.name for entity, out in zip(snapshot.entities, drawn, strict=True) if out}
    every = tuple(dict.fromkeys((*learned.questions, *asked.questions)))
    kept = tuple(question for question in every if not _ends(question) & held)
    return (
        snapshot,
        TrainingSet(learned.origin, kept),
        tuple(question for question in every if _ends(question) <= held),
        None,
    )


def bare_split(snapshot: Snapshot, learned: TrainingSet, asked: TrainingSet, *, seed: int) -> Split:
    """Take texts, structures and other names from every fourth entity that has a text.

    The mask, bool [E], says which: only questions with such an end show what neighbours are worth.
    """
    drawn = np.random.default_rng(seed).random(len(snapshot.entities)) < BARE
    bare = drawn & text_owners(snapshot)
    owners = np.array([passage.entity for passage in snapshot.passages], dtype=np.int64)
    kept = np.flatnonzero((owners < 0) | ~bare[owners])
    entities = [
        replace(entity, synonyms=(), smiles=None, gene=None, groups={}) if out else entity
        for entity, out in zip(snapshot.entities, bare, strict=True)
    ]
    stripped = replace(
        snapshot,
        entities=tuple(entities),
        passages=tuple(snapshot.passages[at] for at in kept.tolist()),
        passage_embeddings=snapshot.passage_embeddings[kept],
    )
    return stripped, learned, asked.questions, bare


def mean_reciprocal_rank(
    retriever: GraphRetriever, snapshot: Snapshot, asked: Sequence[PlacedQuestion]
) -> float:
    """Of the first gold triple; 0 beyond rank 1,000."""
    results = retriever.retrieve([item.question for item in asked], k=_DEEPEST, filters=Filters())
    total = 0.0
    for item, result in zip(asked, results, strict=True):
        gold = {_key(snapshot, int(triple)) for triple in item.gold}
        ranks = (
            hit.rank
            for hit in result.hits
            if hit.triple and (hit.triple.head.id, hit.triple.relation, hit.triple.tail.id) in gold
        )
        total += next((1 / rank for rank in ranks), 0.0)
    return total / max(1, len(asked))


def compare(split: Split, settings: Settings, encoder: SentenceEncoder, *, seed: int) -> str:
    """A line a network: MRR of all that is asked and, in the bare split, of questions with a bare end."""
    snapshot, learned, questions, bare = split
    placed, _ = place_questions(questions, snapshot)
    groups = {"all": placed}
    if bare is not None:
        ends = [np.concatenate([snapshot.heads[item.gold], snapshot.tails[item.gold]]) for item in placed]
        groups["bare"] = [item for item, of_item in zip(placed, ends, strict=True) if bare[of_item].any()]
    lines = []
    for architecture in (NO_GRAPH, *NETWORKS):
        artifact = train(snapshot, learned, settings, architecture=architecture, seed=seed, encoder=encoder)
        retriever = GraphRetriever(artifact, snapshot, encoder)
        figures = (
            f"{name} {mean_reciprocal_rank(retriever, snapshot, asked):.3f} of {len(asked)}"
            for name, asked in groups.items()
        )
        lines.append(f"{architecture}\t" + "\t".join(figures) + f"\ttrained on {artifact.training.questions}")
        sys.stderr.write(lines[-1] + "\n")
    return "\n".join(lines)


def main() -> int:
    """Compare on the loaded graph."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--questions", type=Path, required=True, help="file to train on")
    parser.add_argument("--asked", type=Path, required=True, help="file to ask")
    parser.add_argument("--split", choices=("published", "unseen", "bare"), default="published")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    try:
        settings = load_settings()
        learned, asked = (read_training_questions([path]) for path in (given.questions, given.asked))
        with connect(settings) as client:
            snapshot = read_snapshot(client)
        if given.split == "published":
            split = published_split(snapshot, learned, asked)
        else:
            choose = unseen_split if given.split == "unseen" else bare_split
            split = choose(snapshot, learned, asked, seed=given.seed)
        if not split[2]:
            raise InputError("No question is left to be asked.", remedy="Give another seed or file.")
        sys.stdout.write(compare(split, settings, SentenceEncoder(settings), seed=given.seed) + "\n")
    except BioMolKGError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    return 0


def _ends(question: TrainingQuestion) -> set[str]:
    return {name for head, _, tail in question.gold for name in (head, tail)}


def _key(snapshot: Snapshot, triple: int) -> tuple[str, str, str]:
    return (
        snapshot.entities[snapshot.heads[triple]].id,
        snapshot.relations[snapshot.relation_of[triple]].name,
        snapshot.entities[snapshot.tails[triple]].id,
    )


if __name__ == "__main__":
    raise SystemExit(main())
