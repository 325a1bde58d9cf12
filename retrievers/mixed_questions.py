"""Questions that describe one end by its text and the other by its structure, made from the graph.

    python -m retrievers.mixed_questions --count 60
    python -m retrievers.mixed_questions --count 100 --seed 99 --fit train.csv

Prints what the untrained `triple` reaches on them; with --fit, the weights that tell them from questions
of a file, for `retrievers.triple.scores`. Published questions describe both ends one way; people
need not. The words are those of `retrievers.made_questions`; no triple is asked twice.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import BioMolKGError, InputError
from biomolkg.settings import load_settings
from cypher.client import connect
from retrievers.fusion_fit import logistic
from retrievers.hits import Filters
from retrievers.made_questions import Writer
from retrievers.snapshot import Snapshot, read_snapshot
from retrievers.training_questions import PlacedQuestion, read_training_questions
from retrievers.triple.retriever import TripleRetriever
from retrievers.triple.scores import mixed_features

COUNT, SEED = 60, 7
_KINDS = ("DDI", "MOLECULAR")


def make_mixed_questions(snapshot: Snapshot, *, count: int = COUNT, seed: int = SEED) -> list[PlacedQuestion]:
    """At most `count` questions of one triple each, kinds of triple and roles of the ends in turn."""
    random = np.random.default_rng(seed)
    writer = Writer(snapshot, random)
    kinds = np.array([relation.kind for relation in snapshot.relations])[snapshot.relation_of]
    queues = [random.permutation(np.flatnonzero(kinds == kind)).tolist() for kind in _KINDS]
    made: list[PlacedQuestion] = []
    for turn in range(max(map(len, queues))):
        for queue in queues:
            if turn < len(queue) and len(made) < count:
                text = writer.mixed(queue[turn], structure_first=bool(random.integers(2)))
                if text is not None:
                    made.append(PlacedQuestion(text, (np.array([queue[turn]], dtype=np.int64),)))
    return made


def reached(
    retriever: TripleRetriever, snapshot: Snapshot, questions: Sequence[PlacedQuestion]
) -> tuple[float, float]:
    """MRR and share with the gold triple among the first five."""
    reciprocal, five = [], []
    for item in questions:
        (result,) = retriever.retrieve([item.question], k=100, filters=Filters())
        gold = int(item.gold[0])
        wanted = (
            snapshot.entities[snapshot.heads[gold]].id,
            snapshot.relations[snapshot.relation_of[gold]].name,
            snapshot.entities[snapshot.tails[gold]].id,
        )
        ranks = [
            hit.rank
            for hit in result.hits
            if hit.triple and (hit.triple.head.id, hit.triple.relation, hit.triple.tail.id) == wanted
        ]
        reciprocal.append(1.0 / ranks[0] if ranks else 0.0)
        five.append(bool(ranks) and ranks[0] <= 5)
    return float(np.mean(reciprocal)), float(np.mean(five))


def _fitted(retriever: TripleRetriever, mixed: Sequence[PlacedQuestion], file: Path) -> list[float]:
    """Weights of a logistic regression of mixed questions against up to twice as many of a file."""
    listed = read_training_questions([file]).questions
    drawn = np.random.default_rng(SEED).permutation(len(listed))[: 2 * len(mixed)]
    asked = [*(item.question for item in mixed), *(listed[at].question for at in drawn)]
    rows = [
        mixed_features(stage.totals, stage.evidence.units)
        for question in asked
        for stage in retriever.first_stages([question], Filters())
    ]
    found = logistic(np.array(rows), np.arange(len(asked)) < len(mixed))
    return [round(weight, 2) for weight in found.tolist()]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is reached on the loaded graph."""
    parser = argparse.ArgumentParser(
        prog="python -m retrievers.mixed_questions",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--count", type=int, default=COUNT, help="how many questions to make")
    parser.add_argument("--seed", type=int, default=SEED, help="which ones")
    parser.add_argument("--fit", type=Path, help="question file to tell them from")
    given = parser.parse_args(arguments)
    try:
        settings = load_settings()
        with connect(settings) as client:
            snapshot = read_snapshot(client)
        questions = make_mixed_questions(snapshot, count=given.count, seed=given.seed)
        if not questions:
            raise InputError("No drug of the graph has both a text and a structure.")
        retriever = TripleRetriever(snapshot, SentenceEncoder(settings), settings)
        try:
            mrr, five = reached(retriever, snapshot, questions)
            weights = "" if given.fit is None else f"weights: {_fitted(retriever, questions, given.fit)}\n"
        finally:
            retriever.close()
    except BioMolKGError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    sys.stdout.write(f"{len(questions)} questions: MRR {mrr:.3f}, among the first five {five:.2f}\n")
    sys.stdout.write(weights)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
