"""Samples with what an interaction says of them, always one that was fitted without them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from retrievers.triple.trained.fitting import Example
from retrievers.triple.trained.interaction import Interaction
from retrievers.triple.trained.interaction_fitting import Structures, fit_interaction
from retrievers.triple.trained.ranker import InputMaker
from retrievers.triple.trained.stack import Inputs

FOLDS = 5
# With fewer questions about structures there is nothing to learn from.
FEWEST_STRUCTURES = 100

Report = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """A question for training and for measuring. `gold`: int64, its triples; `entities`: their ends.

    inputs: with the gold path among the paths, at `example.gold`; asked: as a user's question is read;
    untrained: the gold's best rank by the untrained score, 0 when it is not a candidate.
    """

    example: Example
    asked: Inputs
    gold: NDArray[np.int64]
    entities: frozenset[int]
    untrained: int


class CrossFitted:
    """Samples in folds, and interactions by which folds they were fitted without.

    Wolpert, Stacked generalization, Neural Networks 5 (1992) 241: what a stack is trained on must be as
    good a guess as what it will be given.
    """

    def __init__(
        self,
        samples: Sequence[Sample],
        maker: InputMaker,
        structures: Structures,
        *,
        seed: int,
        nested: bool,
        report: Report = lambda _step, _done, _total: None,
    ) -> None:
        """Fit them all. nested: whether `examples` will be asked for without a fold."""
        self.samples = samples
        self.fold_of = np.random.default_rng(seed).permutation(len(samples)) % FOLDS
        self._maker = maker
        self._fitted: dict[frozenset[int], Interaction] = {}
        if sum(sample.example.molecular for sample in samples) < FEWEST_STRUCTURES:
            return
        wanted = [frozenset[int](), *(frozenset({fold}) for fold in range(FOLDS))]
        if nested:
            wanted += [frozenset(pair) for pair in combinations(range(FOLDS), 2)]
        for done, left_out in enumerate(wanted):
            report("structures", done, len(wanted))
            examples = [
                sample.example
                for sample, fold in zip(samples, self.fold_of.tolist(), strict=True)
                if sample.example.molecular and fold not in left_out and len(sample.example.inputs.tokens)
            ]
            self._fitted[left_out] = fit_interaction(structures, examples, seed=seed)
        report("structures", len(wanted), len(wanted))

    def interaction(self, *left_out: int) -> Interaction | None:
        """Fitted without these folds; None where too few questions are about structures."""
        return self._fitted.get(frozenset(left_out))

    def examples(self, *left_out: int) -> list[Example]:
        """All but those of the fold `left_out`, each by an interaction without that and its own fold."""
        return [
            replace(sample.example, inputs=self._learned(sample.example.inputs, fold, *left_out))
            for sample, fold in zip(self.samples, self.fold_of.tolist(), strict=True)
            if fold not in left_out
        ]

    def asked(self, samples: Sequence[Sample], *left_out: int) -> list[Sample]:
        """`samples`, to be measured, by the interaction without the folds `left_out`."""
        return [replace(sample, asked=self._learned(sample.asked, *left_out)) for sample in samples]

    def _learned(self, inputs: Inputs, *left_out: int) -> Inputs:
        return self._maker.with_learned(inputs, self.interaction(*left_out))
