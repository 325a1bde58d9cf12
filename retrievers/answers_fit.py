"""Fits the weights of `answer_ends` and `answer_confidence` to published questions; prints them.

    python -m retrievers.answers_fit PATH_TO/dataset_for_hf/train.csv

The graph is that of the settings (`BIOMOLKG_HOME`, `BIOMOLKG_NEO4J_URI` …), with BioMol-MQA loaded and
the database running. Only the train questions are read. A minute on one core.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder import SentenceEncoder
from biomolkg.question_files import background_triples, csv_columns, triple_key
from biomolkg.settings import Settings
from cypher.client import connect
from retrievers.answers import Answerer
from retrievers.hits import Filters, TripleHit
from retrievers.snapshot import Snapshot, read_snapshot
from retrievers.triple import TripleRetriever

FOLDS = 5
RIDGE = 1.0
STEPS = 50
BATCH = 32
# Of the questions that are asked, a third is taken to have no answer in the graph.
UNANSWERABLE = 0.5
EDGES = (0.0, 0.1, 0.3, 0.5, 0.7, 0.8, 1.0)
BIAS = "bias"

Features = Mapping[str, float]
Floats = NDArray[np.float64]
MakeAnswerer = Callable[[Snapshot], Answerer]


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question, the keys of its gold triples, and its answer."""

    text: str
    gold: frozenset[str]
    answer: str


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Rows of features, whether each is true, bool [n], and how much each counts, float64 [n]."""

    rows: tuple[Features, ...]
    truth: NDArray[np.bool_]
    counts: Floats

    @classmethod
    def of(cls, rows: Sequence[Features], truth: Sequence[bool], count: float = 1.0) -> Examples:
        """Examples that count alike."""
        return cls(tuple(rows), np.array(truth, dtype=bool), np.full(len(rows), count))

    def with_others(self, others: Examples) -> Examples:
        """These and others."""
        return Examples(
            (*self.rows, *others.rows),
            np.concatenate([self.truth, others.truth]),
            np.concatenate([self.counts, others.counts]),
        )

    def part(self, chosen: NDArray[np.bool_]) -> Examples:
        """Those of a mask."""
        rows = tuple(row for row, taken in zip(self.rows, chosen, strict=True) if taken)
        return Examples(rows, self.truth[chosen], self.counts[chosen])


def read_answered(path: Path) -> list[AnsweredQuestion]:
    """The questions of a published csv that have gold and an answer. Raises SourceError."""
    columns = csv_columns(path, ("Question", "Question_Background", "Answer"))
    rows = zip(columns["Question"], columns["Question_Background"], columns["Answer"], strict=True)
    return [
        AnsweredQuestion(text, frozenset(it.key for it in background_triples(background)), answer)
        for text, background, answer in rows
        if answer
    ]


def end_examples(answerer: Answerer, questions: Sequence[AnsweredQuestion]) -> Examples:
    """Of each gold triple among the best that the answer is one end of: whether it is the tail."""
    rows, truth = [], []
    for question, found in zip(questions, _ends(answerer, questions), strict=True):
        for triple, features in found:
            ends = [_same(triple.head.name, question.answer), _same(triple.tail.name, question.answer)]
            if _key(triple) in question.gold and ends[0] != ends[1]:
                rows.append(features)
                truth.append(ends[1])
    return Examples.of(rows, truth)


def answer_examples(answerer: Answerer, questions: Sequence[AnsweredQuestion]) -> Examples:
    """Of each question whose answer is in the graph: whether the best candidate is it."""
    rows, truth = [], []
    for question, features, best in _answers(answerer, questions):
        rows.append(features)
        truth.append(_same(best, question.answer))
    return Examples.of(rows, truth)


def unanswerable_examples(
    snapshot: Snapshot, make: MakeAnswerer, questions: Sequence[AnsweredQuestion]
) -> Examples:
    """The same after the facts that answer them were taken out of the graph, half of them at a time."""
    rows = []
    for half in (questions[::2], questions[1::2]):
        answerer = make(without_gold(snapshot, half))
        rows += [features for _, features, _ in _answers(answerer, half)]
    return Examples.of(rows, [False] * len(rows), UNANSWERABLE)


def without_gold(snapshot: Snapshot, questions: Sequence[AnsweredQuestion]) -> Snapshot:
    """The snapshot without the facts that answer the questions."""
    gold: frozenset[str] = frozenset().union(*(question.gold for question in questions))
    names = [entity.name for entity in snapshot.entities]
    relations = [relation.name for relation in snapshot.relations]
    columns = zip(snapshot.heads, snapshot.relation_of, snapshot.tails, strict=True)
    keys = (
        triple_key(f"{names[head]}-{relations[relation]}-{names[tail]}") for head, relation, tail in columns
    )
    kept = np.flatnonzero([key not in gold for key in keys])
    return replace(
        snapshot,
        heads=snapshot.heads[kept],
        relation_of=snapshot.relation_of[kept],
        tails=snapshot.tails[kept],
        sources=[snapshot.sources[int(at)] for at in kept],
    )


def fit(examples: Examples) -> dict[str, float]:
    """Weights of a logistic regression with a ridge, by Newton's method; `bias` among them."""
    matrix = _matrix(examples.rows)
    weights = np.zeros(matrix.shape[1])
    for _ in range(STEPS):
        chance = _sigmoid(matrix @ weights)
        slope = matrix.T @ (examples.counts * (examples.truth - chance)) - RIDGE * weights
        curve = (matrix * (examples.counts * chance * (1 - chance))[:, None]).T @ matrix
        weights += np.linalg.solve(curve + RIDGE * np.eye(len(weights)), slope)
    return dict(zip([*examples.rows[0], BIAS], weights.tolist(), strict=True))


def predicted(weights: Mapping[str, float], rows: Sequence[Features]) -> Floats:
    """The probability of each row, float64 [n]."""
    return _sigmoid(_matrix(rows) @ np.array([weights[name] for name in (*rows[0], BIAS)]))


def cross_validated(examples: Examples, *, folds: int = FOLDS) -> Floats:
    """The probability of each row by weights that were fitted without its fold, float64 [n]."""
    chances = np.zeros(len(examples.rows))
    fold_of = np.random.default_rng(0).permutation(len(examples.rows)) % folds
    for fold in range(folds):
        weights = fit(examples.part(fold_of != fold))
        inside = examples.part(fold_of == fold)
        chances[fold_of == fold] = predicted(weights, inside.rows)
    return chances


def _answers(
    answerer: Answerer, questions: Sequence[AnsweredQuestion]
) -> list[tuple[AnsweredQuestion, Features, str]]:
    found = []
    for at in range(0, len(questions), BATCH):
        batch = questions[at : at + BATCH]
        answers = answerer.answer([question.text for question in batch], k=1, filters=Filters())
        for question, answer in zip(batch, answers, strict=True):
            if answer.candidates and answer.features:
                found.append((question, answer.features, answer.candidates[0].text))
    return found


def _ends(
    answerer: Answerer, questions: Sequence[AnsweredQuestion]
) -> list[list[tuple[TripleHit, dict[str, float]]]]:
    return [
        found
        for at in range(0, len(questions), BATCH)
        for found in answerer.ends([question.text for question in questions[at : at + BATCH]])
    ]


def _key(triple: TripleHit) -> str:
    return triple_key(f"{triple.head.name}-{triple.relation}-{triple.tail.name}")


def _same(one: str, other: str) -> bool:
    return " ".join(one.casefold().split()) == " ".join(other.casefold().split())


def _matrix(rows: Sequence[Features]) -> Floats:
    return np.array([[*row.values(), 1.0] for row in rows])


def _sigmoid(values: Floats) -> Floats:
    chances: Floats = 1.0 / (1.0 + np.exp(-np.clip(values, -30.0, 30.0)))
    return chances


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _print_fit(title: str, examples: Examples) -> None:
    _say(title)
    for name, weight in fit(examples).items():
        _say(f"  {name}: {weight:.2f}")
    chances = cross_validated(examples)
    _say("  cross-validated: from, to, examples, share true")
    for low, high in zip(EDGES, (*EDGES[1:-1], 1.01), strict=False):
        inside = (chances >= low) & (chances < high)
        if inside.any():
            _say(f"  {low:.1f} {min(high, 1.0):.1f} {inside.sum():5d} {examples.truth[inside].mean():.2f}")


def main(path: Path) -> None:
    """Fit to the questions of `path` on the graph of the settings, and print what was found."""
    settings = Settings()
    encoder = SentenceEncoder(settings)
    questions = read_answered(path)
    with connect(settings) as client:
        snapshot = read_snapshot(client)

    def make(of: Snapshot) -> Answerer:
        return Answerer(of, TripleRetriever(of, encoder, settings))

    answerer = make(snapshot)
    _print_fit("answer_ends: the tail is asked for", end_examples(answerer, questions))
    answerable = answer_examples(answerer, questions)
    both = answerable.with_others(unanswerable_examples(snapshot, make, questions))
    _print_fit("answer_confidence: the answer is right", both)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
