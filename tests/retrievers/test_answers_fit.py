"""The fits of answers: logistic regression at its optimum, and facts that are taken out."""

import numpy as np

from biomolkg.encoder import SentenceEncoder
from retrievers.answer_confidence import BOUNDS, confidence
from retrievers.answer_confidence import WEIGHTS as CONFIDENCE_WEIGHTS
from retrievers.answers_fit import (
    BIAS,
    RIDGE,
    AnsweredQuestion,
    Examples,
    cross_validated,
    fit,
    predicted,
    without_gold,
)
from tests.retrievers.small import small_snapshot


def examples(seed: int, size: int = 200) -> Examples:
    """Two features, the first of which decides, with noise."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(size, 2))
    truth = values[:, 0] + 0.5 * rng.normal(size=size) > 0.3
    counts = rng.choice([0.5, 1.0], size=size)
    rows = tuple({"one": float(one), "two": float(two)} for one, two in values)
    return Examples(rows, truth, counts)


def test_the_fit_is_at_the_optimum() -> None:
    made = examples(1)
    matrix = np.array([[*row.values(), 1.0] for row in made.rows])
    signs = np.where(made.truth, 1.0, -1.0)

    def loss(weights: np.ndarray) -> float:
        return float(
            made.counts @ np.logaddexp(0, -signs * (matrix @ weights)) + RIDGE / 2 * weights @ weights
        )

    found = np.array([fit(made)[name] for name in ("one", "two", BIAS)])
    steps = 1e-3 * np.vstack([np.eye(3), -np.eye(3)])
    assert all(loss(found + step) > loss(found) for step in steps)  # the loss is strictly convex


def test_cross_validated_probabilities_are_near_what_is_true() -> None:
    made = examples(2, 2_000)
    chances = cross_validated(made)
    assert abs(chances.mean() - made.truth.mean()) < 0.02
    for low, high in ((0.0, 0.2), (0.4, 0.6), (0.8, 1.0)):
        inside = (chances >= low) & (chances < high)
        assert low - 0.1 <= made.truth[inside].mean() <= high + 0.1
    np.testing.assert_allclose(predicted(fit(made), made.rows), chances, atol=0.05)


def test_the_facts_that_answer_are_taken_out(encoder: SentenceEncoder) -> None:
    snapshot = small_snapshot(encoder)
    asked = AnsweredQuestion("…", frozenset({"AlendronicacidBackAcheDiazepam"}), "Diazepam")
    keyed = AnsweredQuestion("…", frozenset({"Alendronicacid-BackAche-Diazepam"}), "Diazepam")
    assert len(without_gold(snapshot, [asked]).heads) == len(snapshot.heads)
    left = without_gold(snapshot, [keyed])
    assert len(left.heads) == len(left.sources) == len(snapshot.heads) - 1
    assert snapshot.sources[0] not in left.sources


def test_no_answer_is_surer_than_its_evidence() -> None:
    sure = dict.fromkeys(CONFIDENCE_WEIGHTS, 10.0)
    for kind, source, bound in (
        ("DDI", "biomolmqa:DDI_subset.csv:1", BOUNDS["report_signal"]),
        ("MOLECULAR", "biomolmqa:x:1", BOUNDS["model_written"]),
        ("DPI", "biomolmqa:x:1", BOUNDS["database"]),
    ):
        assert confidence(sure, kind, source) == bound < 0.95
    assert confidence(dict.fromkeys(CONFIDENCE_WEIGHTS, 0.0), "DPI", "x") < 0.01
