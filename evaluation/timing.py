"""How fast a retriever answers over HTTP: latency of single questions, rate of batches.

Passes, in this order, all by one client on one kept-alive connection:

1. warm-up: WARM_UP questions of our own that are in no question file; not counted;
2. first: each question alone, in the order given. Phrases are new to the service
   if it was started for this run;
3. again: the same once more, with everything that the service remembers;
4. batches: full requests of `batch_size` questions, as many as the questions fill
   and at least MIN_BATCHES; the questions are repeated where they do not suffice.

The clock runs from sending the request to having read the whole answer. A
request that had to be repeated after 503 counts with its last exchange only;
such repeats are reported.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evaluation.client import ServiceClient
from evaluation.metrics import Ranking, percentile

K = 10
BATCH_SIZE = 64
MIN_BATCHES = 4
MAX_SINGLE = 256
WARM_UP = (
    "Which proteins does warfarin bind?",
    "What happens when a beta blocker is combined with an opioid analgesic?",
    "Which compound with a sulfonamide group stacks on an aromatic ring of another one?",
    "Which receptor is inhibited by an antihistamine that is given as eye drops?",
) * 2


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of single questions; `p50` and `p99` are measured values, not interpolated."""

    questions: int
    p50: float
    p99: float
    mean: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> Latency:
        """The latency of requests that took `seconds` each."""
        milliseconds = [1000 * value for value in seconds]
        return cls(
            questions=len(milliseconds),
            p50=percentile(milliseconds, 0.5),
            p99=percentile(milliseconds, 0.99),
            mean=sum(milliseconds) / len(milliseconds),
        )


@dataclass(frozen=True, slots=True)
class Speed:
    """One retriever's speed. Rates are questions per second."""

    first: Latency
    again: Latency
    batch_size: int
    batches: int
    batch_rate: float
    repeats: int

    @property
    def single_rate(self) -> float:
        """Questions per second when they are asked one after the other."""
        return 1000 / self.again.mean

    @property
    def ratio(self) -> float:
        """Batch rate over single rate."""
        return self.batch_rate / self.single_rate


def measure_speed(
    client: ServiceClient,
    retriever: str,
    questions: Sequence[str],
    *,
    k: int = K,
    batch_size: int = BATCH_SIZE,
    options: Mapping[str, Any] | None = None,
) -> tuple[Speed, list[Ranking]]:
    """Run the passes; give the speed and the rankings of the single questions (the first MAX_SINGLE).

    Raises RequestFailed.
    """
    repeats = client.retries
    single = list(questions[:MAX_SINGLE])
    for question in WARM_UP:
        client.retrieve(retriever, [question], k=k, options=options)
    first = [client.retrieve(retriever, [question], k=k, options=options) for question in single]
    again = [client.retrieve(retriever, [question], k=k, options=options) for question in single]

    batches = max(MIN_BATCHES, len(questions) // batch_size)
    stream = itertools.cycle(questions)
    seconds = 0.0
    for _ in range(batches):
        batch = list(itertools.islice(stream, batch_size))
        seconds += client.retrieve(retriever, batch, k=k, options=options).seconds
    speed = Speed(
        first=Latency.of([answer.seconds for answer in first]),
        again=Latency.of([answer.seconds for answer in again]),
        batch_size=batch_size,
        batches=batches,
        batch_rate=batches * batch_size / seconds,
        repeats=client.retries - repeats,
    )
    return speed, [answer.rankings[0] for answer in first]
