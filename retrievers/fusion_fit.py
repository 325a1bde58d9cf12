"""Fit the weights of the hybrid retriever on questions with gold triples, and say what they reach.

    python -m retrievers.fusion_fit --questions train.csv

Reads the loaded graph and changes nothing. Every hit that is looked at for a question is a row: a triple
is right when it is gold, a passage when it is of a gold entity and of the kind that the question was
written from (structure or texts). The weights are those of a logistic regression, for `retrievers.fusion`;
five folds of the questions say what weights from the other four reach.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import BioMolKGError, InputError
from biomolkg.settings import load_settings
from cypher.client import connect
from retrievers.bm25 import BM25Retriever
from retrievers.dense import DenseRetriever
from retrievers.fusion import LABEL_WEIGHTS, PASSAGE_WEIGHTS, TRIPLE_WEIGHTS
from retrievers.hits import Filters, Hit, Retriever
from retrievers.hybrid import MOLECULAR, STRUCTURE, HybridRetriever
from retrievers.mentions import Gazetteer
from retrievers.snapshot import Snapshot, read_snapshot
from retrievers.training_questions import PlacedQuestion, place_questions, read_training_questions
from retrievers.triple.retriever import TripleRetriever

FOLDS = 5
SEED = 12
_RIDGE = 1e-6
_STEPS = 50
Floats = NDArray[np.float64]
# What each regression weighs; a path counts as the belief that it is.
TRIPLES, PASSAGES, WORDS = ("bias", "belief", "passages"), ("bias", "belief", "bm25", "dense"), (
    "bias", "bm25", "dense",
)  # fmt: skip
Weights = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """The hits of one kind that were looked at for one question.

    features: by name, float64 [n]; keys: what each is, passages of one document alike; gold: bool [n].
    """

    features: Mapping[str, Floats]
    keys: tuple[str, ...]
    gold: NDArray[np.bool_]

    def matrix(self, names: Sequence[str]) -> Floats:
        """float64 [n, names]."""
        columns = [self.features[name] for name in names]
        return np.column_stack(columns) if columns else np.zeros((0, 0))


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What was looked at for one question; wanted: how many documents and triples are gold."""

    triples: Rows
    passages: Rows
    documents: int
    steps: tuple[frozenset[str], ...]


def logistic(rows: Floats, gold: NDArray[np.bool_]) -> Floats:
    """Weights of a logistic regression by Newton's method: float64 [features].

    rows: float64 [n, features], the bias among them; gold: bool [n].
    """
    weights = np.zeros(rows.shape[1])
    for _ in range(_STEPS):
        shares = 1.0 / (1.0 + np.exp(-np.clip(rows @ weights, -30.0, 30.0)))
        slope = rows.T @ (gold - shares) - _RIDGE * weights
        curvature = (rows * (shares * (1.0 - shares))[:, None]).T @ rows + _RIDGE * np.eye(rows.shape[1])
        step = np.linalg.solve(curvature, slope)
        weights += step
        if np.abs(step).max() < 1e-8:
            break
    return weights


def look(hybrid: HybridRetriever, snapshot: Snapshot, placed: Sequence[PlacedQuestion]) -> list[Looked]:
    """What the retriever looks at for each question."""
    names = [entity.id for entity in snapshot.entities]
    found = []
    for at, item in enumerate(placed, 1):
        steps = tuple(
            frozenset(
                f"{names[snapshot.heads[triple]]} {snapshot.relations[snapshot.relation_of[triple]].name} "
                f"{names[snapshot.tails[triple]]}"
                for triple in step.tolist()
            )
            for step in item.steps
        )
        gold = item.gold
        molecular = snapshot.relations[snapshot.relation_of[gold[0]]].kind == MOLECULAR
        ends = {names[end] for side in (snapshot.heads, snapshot.tails) for end in side[gold].tolist()}
        ((_, _, considered),) = hybrid.considered([item.question], k=100, filters=Filters())
        triples: list[tuple[str, bool, Mapping[str, float]]] = []
        passages: list[tuple[str, bool, Mapping[str, float]]] = []
        for one in considered:
            key, right = _judged(one.hit, frozenset().union(*steps), ends, molecular=molecular)
            kept = triples if one.hit.triple is not None else passages
            kept.append((key, right, one.features))
        found.append(Looked(_rows(triples), _rows(passages), len(ends), steps))
        if at % 50 == 0:
            sys.stderr.write(f"\rReading questions: {at} of {len(placed)}")
    sys.stderr.write("\n")
    return found


def fit(looked: Sequence[Looked]) -> Weights:
    """The weights of triples, of passages, and of passages by their words alone."""

    def weights(kind: str, names: Sequence[str]) -> dict[str, float]:
        rows = [getattr(one, kind) for one in looked]
        found = logistic(
            np.concatenate([one.matrix(names) for one in rows]), np.concatenate([one.gold for one in rows])
        )
        return dict(zip(names, found.tolist(), strict=True))

    return {
        "triples": weights("triples", TRIPLES),
        "passages": weights("passages", PASSAGES),
        "words": weights("passages", WORDS),
    }


@dataclass(frozen=True, slots=True)
class Reached:
    """Documents, each once, and triples: all of the gold and any of it among the first five, and MRR."""

    documents: tuple[float, float, float]
    triples: tuple[float, float, float]


def reached(looked: Sequence[Looked], weights: Weights) -> Reached:
    """What these weights reach, triples and passages each in a list of their own."""
    documents, triples = [], []
    for one in looked:
        order = _ordered(one.passages, weights["passages"])
        right = {key for key, gold in zip(one.passages.keys, one.passages.gold, strict=True) if gold}
        ranks = [rank for rank, key in enumerate(order, 1) if key in right]
        documents.append(_measures(ranks, one.documents))
        place = {key: rank for rank, key in enumerate(_ordered(one.triples, weights["triples"]), 1)}
        steps = [min((place[key] for key in step if key in place), default=0) for step in one.steps]
        triples.append(_measures([rank for rank in steps if rank], len(one.steps)))
    means = [tuple(np.mean(rows, axis=0).tolist()) for rows in (documents, triples)]
    return Reached(*means)


def _measures(ranks: Sequence[int], wanted: int) -> tuple[float, float, float]:
    within = [rank for rank in ranks if rank <= 5]
    return float(len(within) >= wanted), float(bool(within)), 1.0 / min(ranks) if ranks else 0.0


def _ordered(rows: Rows, weights: Mapping[str, float]) -> list[str]:
    """The keys, best first, each once."""
    if not rows.keys:
        return []
    scores = rows.matrix(tuple(weights)) @ np.array(list(weights.values()))
    order = sorted(range(len(scores)), key=lambda at: (-scores[at], rows.keys[at]))
    return list(dict.fromkeys(rows.keys[at] for at in order))


def _judged(hit: Hit, triples: frozenset[str], ends: set[str], *, molecular: bool) -> tuple[str, bool]:
    if hit.triple is not None:
        key = f"{hit.triple.head.id} {hit.triple.relation} {hit.triple.tail.id}"
        return key, key in triples
    passage = hit.passage
    assert passage is not None
    structure = passage.section == STRUCTURE
    entity = passage.entity.id if passage.entity is not None else passage.id
    return f"{entity} {structure}", entity in ends and structure == molecular


def _rows(found: Sequence[tuple[str, bool, Mapping[str, float]]]) -> Rows:
    names = sorted({name for _, _, features in found for name in features})
    columns = {name: np.array([features.get(name, 0.0) for _, _, features in found]) for name in names}
    if "path" in columns:
        columns["belief"] = columns["belief"] + columns["path"]
    for name in (*TRIPLES, *PASSAGES):
        columns.setdefault(name, np.zeros(len(found)))
    return Rows(columns, tuple(key for key, _, _ in found), np.array([gold for _, gold, _ in found], bool))


def cross_validated(looked: Sequence[Looked]) -> Reached:
    """What weights reach on questions that they were not fitted on."""
    fold = np.random.default_rng(SEED).permutation(len(looked)) % FOLDS
    documents, triples = np.zeros(3), np.zeros(3)
    for one in range(FOLDS):
        weights = fit([item for item, at in zip(looked, fold, strict=True) if at != one])
        held = [item for item, at in zip(looked, fold, strict=True) if at == one]
        result = reached(held, weights)
        documents += len(held) * np.array(result.documents)
        triples += len(held) * np.array(result.triples)
    return Reached(tuple((documents / len(looked)).tolist()), tuple((triples / len(looked)).tolist()))


def told(name: str, result: Reached) -> str:
    """One line of the account."""
    parts = (("documents", result.documents), ("triples", result.triples))
    cells = [f"{kind} hard/soft@5 {hard:.3f}/{soft:.3f}, MRR {mrr:.3f}" for kind, (hard, soft, mrr) in parts]
    return f"{name}: {'; '.join(cells)}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the weights and what they reach on the loaded graph."""
    parser = argparse.ArgumentParser(
        prog="python -m retrievers.fusion_fit",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--questions", type=Path, required=True, help="question file with gold triples")
    given = parser.parse_args(arguments)
    try:
        settings = load_settings()
        asked = read_training_questions([given.questions])
        with connect(settings) as client:
            snapshot = read_snapshot(client)
        placed, missing = place_questions(asked.questions, snapshot)
        if not placed:
            raise InputError(
                f"{given.questions}: the graph has the whole gold of no question of {len(asked.questions)}.",
                remedy="Load the graph that they are about.",
            )
        encoder, gazetteer = SentenceEncoder(settings), Gazetteer(snapshot)
        triple = TripleRetriever(snapshot, encoder, settings, gazetteer=gazetteer)
        try:
            of_passages: list[Retriever] = [
                BM25Retriever(snapshot, gazetteer),
                DenseRetriever(snapshot, encoder, gazetteer),
            ]
            looked = look(HybridRetriever(snapshot, triple, of_passages), snapshot, placed)
        finally:
            triple.close()
    except BioMolKGError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    now = {"triples": TRIPLE_WEIGHTS, "passages": PASSAGE_WEIGHTS, "words": LABEL_WEIGHTS}
    used = {kind: {name: value for name, value in row.items() if name != "path"} for kind, row in now.items()}
    tell = sys.stdout.write
    tell(f"{len(placed)} questions; {len(missing)} whose gold is not all in the graph left out.\n")
    tell(f"{told('weights in use', reached(looked, used))}\n")
    tell(f"{told(f'fitted, {FOLDS} folds', cross_validated(looked))}\n")
    for kind, weights in fit(looked).items():
        tell(f"{kind}: {json.dumps({name: round(value, 2) for name, value in weights.items()})}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
