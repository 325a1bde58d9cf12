"""What a ranking is worth: hard@k, soft@k, recall, precision and reciprocal rank, with intervals.

The measures are those of `ir-measures`; two have names of their own in the
BioMol-MQA paper, which this module keeps:

    soft@k        at least one gold triple among the first k            Success@k
    hard@k        all gold triples among the first k                    R@k = 1
    recall@k      the part of the gold triples that is among the first k      R@k
    precision@k   the part of the first k that is gold; the paper calls it recall in places   P@k
    mrr           1 / rank of the first gold triple, 0 when it is not within the depth asked for   RR

**Ties.** trec_eval breaks ties by document id, so that a system which gives
every triple the same score can look perfect. Here tied hits are put in the
order that is worst for the system, gold last, before anything is measured.
A hit that repeats an earlier one keeps its rank and counts as not gold.

**Missing.** A question without hits, or without an answer at all, counts 0 and
stays in the mean.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import ir_measures

CUTOFFS = (5, 10, 15)
SEED = 20_260_101
RESAMPLES = 2_000


@dataclass(frozen=True, slots=True)
class Ranking:
    """The hits of one question as keys, best first, with their scores (never increasing)."""

    keys: tuple[str, ...]
    scores: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.keys) != len(self.scores):
            raise ValueError(f"{len(self.keys)} keys and {len(self.scores)} scores do not make a ranking.")
        for rank, (above, below) in enumerate(itertools.pairwise(self.scores), start=1):
            if not above >= below:
                raise ValueError(f"the score rises from {above} to {below} after rank {rank}")

    @property
    def ties(self) -> int:
        """How many hits have the score of the hit before them."""
        return sum(above == below for above, below in itertools.pairwise(self.scores))


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and the bounds of its bootstrap interval."""

    mean: float
    low: float
    high: float


def measure_names(depth: int) -> tuple[str, ...]:
    """The names of the measures, in the order of a report; `depth` is how many hits were asked for."""
    cutoffs = [f"{kind}@{k}" for k in CUTOFFS for kind in ("hard", "soft")]
    return (*cutoffs, "recall@5", "precision@5", f"recall@{depth}", "mrr")


def judged_order(ranking: Ranking, gold: Collection[str]) -> list[str]:
    """Document ids in the order that is judged: tied hits with gold last, repeated hits renamed."""
    order: list[str] = []
    seen: dict[str, int] = {}
    by_score = itertools.groupby(
        zip(ranking.keys, ranking.scores, strict=True), key=lambda keyed_score: keyed_score[1]
    )
    for _, tied in by_score:
        for key in sorted((key for key, _ in tied), key=lambda key: key in gold):
            seen[key] = seen.get(key, 0) + 1
            order.append(key if seen[key] == 1 else f"{key}#{seen[key]}")
    return order


def gold_ranks(ranking: Ranking | None, gold: Collection[str]) -> dict[str, int | None]:
    """The rank of each gold triple in the judged order, None when it is not there."""
    order = [] if ranking is None else judged_order(ranking, gold)
    ranks = {key: rank for rank, key in enumerate(order, start=1)}
    return {key: ranks.get(key) for key in sorted(gold)}


def qrels(gold: Mapping[str, Collection[str]]) -> list[ir_measures.Qrel]:
    """Relevance judgements: each gold triple of each question is relevant, nothing else is."""
    import ir_measures  # noqa: PLC0415 - of the extra `bench`

    return [ir_measures.Qrel(id_, key, 1) for id_, keys in gold.items() for key in sorted(keys)]


def run(gold: Mapping[str, Collection[str]], rankings: Mapping[str, Ranking]) -> list[ir_measures.ScoredDoc]:
    """The judged order as a run. Scores count down to 1, so that no tool finds a tie or rounds one up."""
    import ir_measures  # noqa: PLC0415 - of the extra `bench`

    return [
        ir_measures.ScoredDoc(id_, key, float(score))
        for id_, ranking in rankings.items()
        for score, key in zip(
            range(len(ranking.keys), 0, -1), judged_order(ranking, gold.get(id_, ())), strict=True
        )
    ]


def score(
    gold: Mapping[str, Collection[str]], rankings: Mapping[str, Ranking], *, depth: int
) -> NDArray[np.float64]:
    """The measures of each question: float64 [questions, measures].

    Rows are in the order of `gold`, columns in that of `measure_names(depth)`.
    Raises ValueError for a question without gold, which no measure is defined for.
    """
    if blank := [id_ for id_, keys in gold.items() if not keys]:
        raise ValueError(f"{blank[0]} has no gold triples and cannot be scored.")
    cutoffs = sorted({*CUTOFFS, depth})
    import ir_measures  # noqa: PLC0415 - of the extra `bench`

    measures = [ir_measures.R @ k for k in cutoffs] + [ir_measures.Success @ k for k in CUTOFFS]
    measures += [ir_measures.P @ 5, ir_measures.RR]
    found: dict[tuple[str, str], float] = {
        (metric.query_id, str(metric.measure)): float(metric.value)
        for metric in ir_measures.iter_calc(measures, qrels(gold), run(gold, rankings))
    }

    def column(part: str) -> NDArray[np.float64]:
        return np.array([found.get((id_, part), 0.0) for id_ in gold], dtype=np.float64)

    columns = {
        "recall@5": column("R@5"),
        "precision@5": column("P@5"),
        f"recall@{depth}": column(f"R@{depth}"),
        "mrr": column("RR"),
    }
    for k in CUTOFFS:
        columns[f"hard@{k}"] = (column(f"R@{k}") == 1.0).astype(np.float64)
        columns[f"soft@{k}"] = column(f"Success@{k}")
    return np.column_stack([columns[name] for name in measure_names(depth)])


def estimate(values: NDArray[np.float64], *, level: float = 0.95, seed: int = SEED) -> list[Estimate]:
    """Mean and percentile bootstrap interval of each column of `values`, float64 [questions, measures].

    Questions are resampled with replacement RESAMPLES times, with a fixed seed, so
    that the same run always prints the same interval.
    """
    count = len(values)
    if not count:
        raise ValueError("There are no questions to estimate a mean from.")
    drawn = np.random.default_rng(seed).multinomial(count, np.full(count, 1 / count), size=RESAMPLES)
    means = drawn @ values / count
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2], axis=0)
    return [
        Estimate(float(mean), float(least), float(most))
        for mean, least, most in zip(values.mean(axis=0), low, high, strict=True)
    ]


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of `values` that at least `share` (0 to 1) of them do not exceed."""
    return float(np.quantile(np.asarray(values, dtype=np.float64), share, method="inverted_cdf"))
