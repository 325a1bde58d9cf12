"""The trained score of paths: linear weights and a small network for each kind of question. Pure numpy."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from biomolkg.errors import ModelError
from retrievers.artifacts import Arrays
from retrievers.triple.evidence import Floats
from retrievers.triple.trained.features import FEATURES, GAINS
from retrievers.triple.trained.interaction import Interaction
from retrievers.triple.trained.paths import Paths, path_marginals
from retrievers.triple.trained.wording import BUCKETS, Wording

# What a triple can be on a path: the only one, the last, the middle, the first.
ROLES = ("only", "last", "middle", "first")
HOPS = 3
# What the network sees of the question itself.
ASKED = ("structures", "length", "hop_1", "hop_2", "hop_3", "plainness")
# Below this share a kind's network is not worth its time.
_NEGLIGIBLE = 0.005

_GROUPS = {
    **{name: name.split("_", 1)[0] for name in FEATURES},
    "names": "names",
    "named_relation": "names",
}
GROUPS = tuple(dict.fromkeys(_GROUPS.values()))
_GROUP_OF = np.array([GROUPS.index(_GROUPS[name]) for name in FEATURES])


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """One question for the ranker. C candidates, P paths.

    candidates: int64 [C], triples of the graph, ascending; features: float32 [C, F];
    paths: int64 [P, 3], indexes into candidates; gains: float32 [P, len(GAINS)];
    share: the untrained probability that structures are described; words: how many words it has;
    tokens: float32 [W, d], states of the question's tokens, none where it was not sent through the encoder.
    """

    candidates: NDArray[np.int64]
    features: Floats
    paths: Paths
    gains: Floats
    wording: Wording
    share: float
    words: int
    tokens: Floats = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Ranked:
    """log-probability that each candidate is on the path asked for, float64 [C], and its parts."""

    scores: NDArray[np.float64]
    parts: Mapping[str, NDArray[np.float64]]


@dataclass(frozen=True, slots=True, eq=False)
class Stack:
    """Weights; the first axis of most tells questions about texts (0) from those about structures (1).

    linear: float32 [2, F, 4]; inner: float32 [2, F + 6, H]; inner_bias: float32 [2, H]; outer: float32
    [2, H, 4]; gains: float32 [2, 8]; hops: float32 [4096, 3] and hops_bias: float32 [3], logits of the
    number of hops; kinds: float32 [4096] and kinds_bias: float32 [1], logit of structures; hop_scale,
    float32 [1], and hop_bias, float32 [3], turn log-probabilities of hops into a term of a path.
    interaction: what fills the features LEARNED before `rank` is asked, where there is one.
    """

    linear: Floats
    inner: Floats
    inner_bias: Floats
    outer: Floats
    gains: Floats
    hops: Floats
    hops_bias: Floats
    kinds: Floats
    kinds_bias: Floats
    hop_scale: Floats
    hop_bias: Floats
    interaction: Interaction | None = None

    @classmethod
    def of(cls, arrays: Arrays) -> Stack:
        """The stack that a model file holds. Raises ModelError when an array is missing or misshapen."""
        features, width = len(FEATURES), _width(arrays)
        shapes = {
            "linear": (2, features, 4),
            "inner": (2, features + len(ASKED), width),
            "inner_bias": (2, width),
            "outer": (2, width, 4),
            "gains": (2, len(GAINS)),
            "hops": (BUCKETS, HOPS),
            "hops_bias": (HOPS,),
            "kinds": (BUCKETS,),
            "kinds_bias": (1,),
            "hop_scale": (1,),
            "hop_bias": (HOPS,),
        }
        for name, shape in shapes.items():
            found = arrays.get(name)
            if found is None or found.shape != shape or found.dtype != np.float32:
                raise ModelError(
                    f"The model of the triple retriever has no array {name!r} of shape {shape}.",
                    remedy="It is of another version of BioMolKG: run `biomolkg train --retriever triple`.",
                )
        weights = {name: arrays[name].astype(np.float32, copy=False) for name in shapes}
        return cls(**weights, interaction=Interaction.of(arrays))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """What a model file holds."""
        held: dict[str, NDArray[np.generic]] = {
            item.name: getattr(self, item.name) for item in fields(self) if item.name != "interaction"
        }
        return held if self.interaction is None else held | self.interaction.arrays()

    def hop_logs(self, wording: Wording) -> Floats:
        """Log-probabilities of one, two and three hops: float32 [3]."""
        logits = wording.times(self.hops) + self.hops_bias
        top = logits.max()
        logs: Floats = logits - top - np.log(np.exp(logits - top).sum())
        return logs

    def structure_share(self, inputs: Inputs) -> tuple[float, float]:
        """Probability that structures are described, by wording and evidence, and the wording's logit."""
        worded = float(inputs.wording.times(self.kinds[:, None])[0] + self.kinds_bias[0])
        return mixed_share(worded, inputs.share), worded

    def rank(self, inputs: Inputs, *, explain: bool = False) -> Ranked:
        """Score every candidate; with `explain`, as parts that sum to the score."""
        gate, worded = self.structure_share(inputs)
        hop_logs = self.hop_logs(inputs.wording)
        asked = asked_features(gate, inputs.words, hop_logs, worded)
        linear = (1 - gate) * self.linear[0] + gate * self.linear[1]
        network = np.zeros((len(inputs.candidates), len(ROLES)), dtype=np.float32)
        for kind, weight in ((0, 1 - gate), (1, gate)):
            if weight > _NEGLIGIBLE:
                constant = asked @ self.inner[kind, len(FEATURES) :] + self.inner_bias[kind]
                hidden = np.maximum(inputs.features @ self.inner[kind, : len(FEATURES)] + constant, 0)
                network += weight * (hidden @ self.outer[kind])
        roles = (inputs.features @ linear + network).astype(np.float64)
        hop_terms = (self.hop_scale[0] * hop_logs + self.hop_bias).astype(np.float64)
        gains = inputs.gains @ ((1 - gate) * self.gains[0] + gate * self.gains[1])
        logits = path_logits(roles, inputs.paths, gains.astype(np.float64), hop_terms)
        scores = path_marginals(logits, inputs.paths, len(inputs.candidates))
        if not explain:
            return Ranked(scores, {})
        weighted = inputs.features * linear[:, 0]
        parts = {
            name: weighted[:, group == _GROUP_OF].sum(axis=1, dtype=np.float64)
            for group, name in enumerate(GROUPS)
        }
        parts["network"] = network[:, 0].astype(np.float64)
        parts["hops"] = np.full(len(scores), hop_terms[0])
        top = logits.max(initial=-np.inf)
        parts["against_others"] = np.full(len(scores), -(top + math.log(np.exp(logits - top).sum())))
        parts["paths"] = scores - np.sum(list(parts.values()), axis=0)
        return Ranked(scores, parts)


def path_logits(
    roles: NDArray[np.float64], paths: Paths, gains: NDArray[np.float64], hop_terms: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The sum of what each triple is worth in its place, what it covers, and its number of hops: float64 [P].

    roles: float64 [C, 4]; paths: int64 [P, 3]; gains: float64 [P]; hop_terms: float64 [3].
    """
    first, middle, last = paths.T
    single, triple = middle < 0, first >= 0
    logits: NDArray[np.float64] = np.where(single, roles[last, 0], roles[last, 1]) + gains
    logits += np.where(triple, roles[middle, 2] + roles[first, 3], np.where(single, 0.0, roles[middle, 3]))
    logits += hop_terms[(~single).astype(np.int64) + triple]
    return logits


def asked_features(gate: float, words: int, hop_logs: Floats, worded: float) -> Floats:
    """What the network sees of the question itself, in the order of ASKED: float32 [6]."""
    return np.array(
        [gate, math.log(words + 1) / 4, *np.exp(hop_logs), min(abs(worded), 20.0) / 5], dtype=np.float32
    )


def mixed_share(worded: float, share: float) -> float:
    """The probability of two logits that are added: the wording's and the evidence's."""
    evidence = math.log(max(share, 1e-6) / max(1 - share, 1e-6))
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, worded + evidence))))


def _width(arrays: Arrays) -> int:
    found = arrays.get("inner_bias")
    return 0 if found is None or found.ndim != 2 else int(found.shape[1])
