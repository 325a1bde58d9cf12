"""A question's token states against the states of structures, as trained: late interaction in pure numpy.

Khattab and Zaharia, ColBERT, SIGIR 2020; here each token is spent on the end of a triple that it fits better.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from biomolkg.errors import ModelError
from retrievers.artifacts import Arrays
from retrievers.triple.evidence import Floats
from retrievers.triple.trained.features import LEARNED

RELATION_SCALE = 8.0
# From this untrained probability on that structures are described, they are compared with the tokens.
LEAST_SHARE = 0.05
# Differences of scores of triples, as features of a stack: at most this, in units of this.
FARTHEST = 15.0
_PREFIX = "interaction_"


@dataclass(frozen=True, slots=True, eq=False)
class Interaction:
    """Weights and states. d: the encoder's width; k, m: widths of the states; R relations.

    structures: float32 [H, k]; rows: int32 [E], the one of each entity; relations: float32 [R, m];
    token: float32 [d, k] and token_bias [k]; emphasis: float32 [d], which tokens count; asked: float32
    [d, m] and asked_bias [m], the question for relations; worded: float32 [d, m] and worded_bias [m], its
    tokens; mix: float32 [3], the weights of the best token, of the lesser end, and of the question for
    relations; centre: float32 [2, d], of tokens and of questions; encoder: uint8 [32], identity of the
    model that token states are of.
    """

    structures: Floats
    rows: NDArray[np.int32]
    relations: Floats
    token: Floats
    token_bias: Floats
    emphasis: Floats
    asked: Floats
    asked_bias: Floats
    worded: Floats
    worded_bias: Floats
    mix: Floats
    centre: Floats
    encoder: NDArray[np.uint8]

    @classmethod
    def of(cls, arrays: Arrays) -> Interaction | None:
        """What a model file holds of it; None where it holds nothing. Raises ModelError for a part of it."""
        names = [item.name for item in fields(cls)]
        if not any(_PREFIX + name in arrays for name in names):
            return None
        found = {name: arrays.get(_PREFIX + name) for name in names}
        sizes: dict[str, int] = {}
        for name, axes in _AXES.items():
            array = found[name]
            kind = {"encoder": np.uint8, "rows": np.int32}.get(name, np.float32)
            if array is None or array.ndim != len(axes) or array.dtype != kind:
                raise _unfit(f"it has no array {_PREFIX + name!r} of {len(axes)} axes")
            for axis, size in zip(axes, array.shape, strict=True):
                if sizes.setdefault(axis, size) != size or (axis.isdigit() and size != int(axis)):
                    raise _unfit(f"its array {_PREFIX + name!r} has the shape {array.shape}")
        rows = found["rows"]
        assert rows is not None
        if len(rows) and not (rows.min() >= 0 and rows.max() < sizes["H"]):
            raise _unfit("an entity has a structure that is not there")
        return cls(**found)  # type: ignore[arg-type]

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """What a model file holds."""
        return {_PREFIX + item.name: getattr(self, item.name) for item in fields(self)}

    def require(self, *, entities: int, relations: int, encoder: str) -> None:
        """Raises ModelError unless it was trained for so many entities and relations and this encoder."""
        if self.encoder.tobytes() != bytes.fromhex(encoder):
            raise _unfit("it was trained with another sentence encoder")
        if (len(self.rows), len(self.relations)) != (entities, relations):
            raise _unfit("it is of other entities or relations")

    def columns(
        self,
        tokens: Floats,
        heads: NDArray[np.int32],
        tails: NDArray[np.int32],
        relations: NDArray[np.int32],
    ) -> Floats:
        """One row of LEARNED for each of C candidates: float32 [C, 4]; tokens: float32 [W, d]."""
        if not len(tokens) or not len(heads):
            return np.zeros((len(heads), len(LEARNED)), dtype=np.float32)
        centred = tokens - self.centre[0]
        weights = centred @ self.emphasis
        weights = np.exp(weights - weights.max())
        weights *= np.sqrt(len(tokens)) / weights.sum()
        states = (centred @ self.token + self.token_bias) * weights[:, None]
        ends, places = np.unique(np.concatenate([heads, tails]), return_inverse=True)
        at_head, at_tail = places[: len(heads)], places[len(heads) :]
        fit = self.structures[self.rows[ends]] @ states.T
        sums = fit.sum(axis=1)
        better = np.maximum(fit[at_head], fit[at_tail])
        top = better.max(axis=1)
        best = top + np.log(np.exp(better - top[:, None]).sum(axis=1))
        lesser = np.minimum(sums[at_head], sums[at_tail])
        relation = self._relations(centred, tokens.mean(axis=0) - self.centre[1])[relations]
        total = better.sum(axis=1) + self.mix[0] * best + self.mix[1] * lesser + relation
        columns = np.stack([total, relation, sums[at_head], sums[at_tail]], axis=1)
        gaps: Floats = np.maximum((columns - columns.max(axis=0)) / FARTHEST, -1).astype(np.float32)
        return gaps

    def _relations(self, centred: Floats, question: Floats) -> Floats:
        """How well each relation fits: float32 [R]."""
        asked = question @ self.asked + self.asked_bias
        lengths = np.linalg.norm(self.relations, axis=1) * np.linalg.norm(asked)
        by_question = (self.relations @ asked) / np.maximum(lengths, 1e-12)
        by_token = (self.relations @ (centred @ self.worded + self.worded_bias).T).max(axis=1)
        fit: Floats = self.mix[2] * by_question + by_token / RELATION_SCALE
        return fit


# Axes of equal name have equal length; a number is the length itself.
_AXES: dict[str, tuple[str, ...]] = {
    "structures": ("H", "k"),
    "rows": ("E",),
    "relations": ("R", "m"),
    "token": ("d", "k"),
    "token_bias": ("k",),
    "emphasis": ("d",),
    "asked": ("d", "m"),
    "asked_bias": ("m",),
    "worded": ("d", "m"),
    "worded_bias": ("m",),
    "mix": ("3",),
    "centre": ("2", "d"),
    "encoder": ("32",),
}


def _unfit(reason: str) -> ModelError:
    return ModelError(
        f"The model of the triple retriever cannot be used: {reason}.",
        remedy="Run `biomolkg train --retriever triple`.",
    )
