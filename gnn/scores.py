"""What trained node states say of triples for one question: pure functions over arrays, without torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biomolkg.errors import ModelError
from retrievers.artifacts import Artifact
from retrievers.triple.evidence import Floats, Rows

# As in `gnn.model`.
STATE_SCALE = np.float32(16.0)
RELATION_SCALE = np.float32(11.0)
KINDS = ("states", "texts", "groups")

Indexes = NDArray[np.int64]
Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class AskedQuestion:
    """One question. tokens: float32 [W, d]; vector: float32 [d]; texts, groups: its words' rows."""

    tokens: Floats
    vector: Floats
    texts: Rows
    groups: Rows


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """What a question says of every node. kinds: float32 [E, n] each, weighted; shares: of the lesser end.

    relation: float32 [R], how well each relation fits.
    """

    kinds: tuple[Floats, ...]
    shares: tuple[float, ...]
    relation: Floats

    def additive(self, heads: Indexes, tails: Indexes, relations: Indexes) -> Floats:
        """First stage, float32 [C]: one number an end, cheap for every triple."""
        node = np.sum([np.maximum(kind, 0).sum(axis=1) for kind in self.kinds], axis=0)
        scores: Floats = node[heads] + node[tails] + self.relation[relations]
        return scores

    def parts(self, heads: Indexes, tails: Indexes, relations: Indexes) -> dict[str, Doubles]:
        """float64 [C] each: what the scores of C triples are the sum of."""
        found: dict[str, Doubles] = {}
        for name, kind, share in zip(KINDS, self.kinds, self.shares, strict=True):
            # A product with ones adds up short rows several times as fast as a sum does.
            ones = np.ones(kind.shape[1], dtype=np.float32)
            sums = kind @ ones
            score = np.maximum(kind[heads], kind[tails]) @ ones
            score += np.float32(share) * np.minimum(sums[heads], sums[tails])
            found[name] = score.astype(np.float64)
        found["relation"] = self.relation[relations].astype(np.float64)
        return found


class LateStates:
    """Node states for late interaction, as `gnn.model.LateInteraction` trained them."""

    def __init__(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        self._arrays = {name: array.astype(np.float32, copy=False) for name, array in arrays.items()}
        relations = self._arrays["relations"]
        self._relation_states = relations
        self._relation_units = _unit(relations)

    def columns(self, question: AskedQuestion) -> Columns:
        """What one question says of every node."""
        arrays = self._arrays
        tokens = question.tokens - arrays["token_centre"]
        vector = question.vector - arrays["question_centre"]
        logits = self._layer("weight", tokens)[:, 0]
        emphasis = np.exp(logits - logits.max())
        emphasis *= np.sqrt(len(tokens)) / emphasis.sum()
        states = self._layer("token", tokens) * emphasis[:, None] / STATE_SCALE
        mix = np.logaddexp(np.float32(0), self._layer("mix", vector))
        size = len(arrays["nodes"])
        places = np.arange(size, dtype=np.int32)
        kinds = (
            arrays["nodes"] @ states.T * mix[0],
            np.ascontiguousarray(question.texts.dense(places, size).T) * mix[1],
            np.ascontiguousarray(question.groups.dense(places, size).T) * mix[2],
        )
        by_question = self._relation_units @ _unit(self._layer("question", vector)[None])[0]
        by_token = self._relation_states @ self._layer("relation_token", tokens).T / RELATION_SCALE
        relation = arrays["relation_share"][0] * by_question + by_token.max(axis=1)
        return Columns(kinds, tuple(arrays["shared"].tolist()), relation)

    def parts(
        self, question: AskedQuestion, heads: Indexes, tails: Indexes, relations: Indexes
    ) -> dict[str, Doubles]:
        """float64 [C] each."""
        return self.columns(question).parts(heads, tails, relations)

    def additive(self, question: AskedQuestion, heads: Indexes, tails: Indexes, relations: Indexes) -> Floats:
        """First stage, float32 [C]."""
        return self.columns(question).additive(heads, tails, relations)

    def _layer(self, name: str, rows: Floats) -> Floats:
        result: Floats = rows @ self._arrays[f"{name}.weight"].T + self._arrays[f"{name}.bias"]
        return result


class PooledStates:
    """Node states for one vector a question, as `gnn.model.PooledQuestion` trained them."""

    def __init__(self, arrays: Mapping[str, NDArray[np.generic]]) -> None:
        self._arrays = {name: array.astype(np.float32, copy=False) for name, array in arrays.items()}

    def parts(
        self, question: AskedQuestion, heads: Indexes, tails: Indexes, relations: Indexes
    ) -> dict[str, Doubles]:
        """float64 [C] each: what the scores of C triples are the sum of."""
        arrays = self._arrays
        asked = (question.vector - arrays["question_centre"]) @ arrays["question.weight"].T
        asked += arrays["question.bias"]
        return {
            "head": (arrays["heads"] @ asked)[heads].astype(np.float64),
            "tail": (arrays["tails"] @ asked)[tails].astype(np.float64),
            "relation": (arrays["relations"] @ asked)[relations].astype(np.float64),
        }

    def additive(self, question: AskedQuestion, heads: Indexes, tails: Indexes, relations: Indexes) -> Floats:
        """float32 [C]: the score itself, which is a sum of one number an end."""
        total: Floats = np.sum(list(self.parts(question, heads, tails, relations).values()), axis=0)
        return total


_LATE_LAYERS = ("token", "weight", "question", "relation_token", "mix")
_LATE = (
    *("nodes", "relations", "shared", "relation_share", "token_centre", "question_centre"),
    *(f"{layer}.{kind}" for layer in _LATE_LAYERS for kind in ("weight", "bias")),
)
_POOLED = ("heads", "tails", "relations", "question.weight", "question.bias", "question_centre")


def read_states(artifact: Artifact, *, nodes: int, relations: int, encoder: str) -> LateStates | PooledStates:
    """The states of an artifact. Raises ModelError when it is of another encoder, graph or form."""
    options = artifact.training.options
    remedy = f"Run `biomolkg train --retriever {artifact.name}`."
    if options.get("encoder") != encoder:
        raise ModelError(
            f"The model {artifact.name!r} was trained with another sentence encoder.", remedy=remedy
        )
    pooled = options.get("variant") == "published"
    missing = [name for name in (_POOLED if pooled else _LATE) if name not in artifact.arrays]
    first = "heads" if pooled else "nodes"
    if missing or len(artifact.arrays[first]) != nodes or len(artifact.arrays["relations"]) != relations:
        raise ModelError(
            f"The model {artifact.name!r} does not fit the graph"
            + (f": it lacks {', '.join(missing)}." if missing else ": it is of other nodes or relations."),
            remedy=remedy,
        )
    return PooledStates(artifact.arrays) if pooled else LateStates(artifact.arrays)


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    result: Floats = rows / np.maximum(lengths, np.float32(1e-12))
    return result
