"""A BERT encoder in numpy alone: what ONNX Runtime is compared with, and what computes where it differs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biomolkg.bert import BertShape
from biomolkg.errors import ModelError

Matrix = NDArray[np.float32]

# erf(x) = x P(x²) / Q(x²) for |x| < 4, highest power first, to the last bits of float32.
# The coefficients are those of Eigen's `generic_fast_erf_float`.
_P = (
    -2.72614225801306e-10,
    2.77068142495902e-08,
    -2.10102402082508e-06,
    -5.69250639462346e-05,
    -7.34990630326855e-04,
    -2.95459980854025e-03,
    -1.60960333262415e-02,
)
_Q = (
    -1.45660718464996e-05,
    -2.13374055278905e-04,
    -1.68282697438203e-03,
    -7.37332916720468e-03,
    -1.42647390514189e-02,
)
# Added to the scores of padding before the softmax.
_HIDDEN = np.float32(-1e9)


def bert_forward(
    config: Mapping[str, Any], weights: Mapping[str, Matrix]
) -> Callable[[NDArray[np.int32], NDArray[np.int32]], Matrix]:
    """Token ids and mask, int32 [texts, tokens], to the last layer, float32 [texts, tokens, width].

    As in Devlin et al. 2019: post-norm transformer, exact GELU. Raises ModelError
    when the configuration is of another architecture or a tensor is missing.
    """
    shape = BertShape.from_config(config)
    layers = [_Layer(shape, weights, f"encoder.layer.{index}") for index in range(shape.layers)]
    words = _tensor(weights, "embeddings.word_embeddings.weight")
    places = _tensor(weights, "embeddings.position_embeddings.weight")
    kind = _tensor(weights, "embeddings.token_type_embeddings.weight")[0]

    def forward(ids: NDArray[np.int32], mask: NDArray[np.int32]) -> Matrix:
        states = words[ids] + (places[: ids.shape[1]] + kind)
        states = _norm(states, weights, "embeddings.LayerNorm", shape.epsilon)
        hidden = np.where(mask[:, None, None, :] == 1, np.float32(0), _HIDDEN)
        for layer in layers:
            states = layer(states, hidden)
        return states

    return forward


def erf(values: Matrix) -> Matrix:
    """The error function, within 2e-7."""
    clipped = np.clip(values, -4, 4)
    square = clipped * clipped
    top, bottom = np.polyval(_P, square), np.polyval(_Q, square)
    found: Matrix = (clipped * top / bottom).astype(np.float32)
    return found


class _Layer:
    """One transformer block: attention, add and norm, feed-forward, add and norm."""

    def __init__(self, shape: BertShape, weights: Mapping[str, Matrix], base: str) -> None:
        self._shape, self._weights, self._base = shape, weights, base
        for name in ("attention.self.query", "attention.self.key", "attention.self.value"):
            _tensor(weights, f"{base}.{name}.weight")

    def __call__(self, states: Matrix, hidden: Matrix) -> Matrix:
        attended = self._dense("attention.output.dense", self._attention(states, hidden))
        states = self._norm("attention.output.LayerNorm", attended + states)
        wide = self._dense("intermediate.dense", states)
        active = wide * np.float32(0.5) * (1 + erf(wide * np.float32(np.sqrt(0.5))))
        return self._norm("output.LayerNorm", self._dense("output.dense", active) + states)

    def _attention(self, states: Matrix, hidden: Matrix) -> Matrix:
        texts, tokens, width = states.shape
        each = width // self._shape.heads

        def heads(name: str) -> Matrix:
            split = self._dense(f"attention.self.{name}", states).reshape(texts, tokens, -1, each)
            return split.transpose(0, 2, 1, 3)

        scores = heads("query") @ heads("key").transpose(0, 1, 3, 2) / np.float32(np.sqrt(each)) + hidden
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        mixed: Matrix = weights / weights.sum(axis=-1, keepdims=True) @ heads("value")
        return mixed.transpose(0, 2, 1, 3).reshape(texts, tokens, width)

    def _dense(self, name: str, states: Matrix) -> Matrix:
        matrix = _tensor(self._weights, f"{self._base}.{name}.weight")
        found: Matrix = states @ matrix.T + _tensor(self._weights, f"{self._base}.{name}.bias")
        return found

    def _norm(self, name: str, states: Matrix) -> Matrix:
        return _norm(states, self._weights, f"{self._base}.{name}", self._shape.epsilon)


def _norm(states: Matrix, weights: Mapping[str, Matrix], name: str, epsilon: float) -> Matrix:
    centred = states - states.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + np.float32(epsilon))
    normed: Matrix = centred / spread * _tensor(weights, f"{name}.weight") + _tensor(weights, f"{name}.bias")
    return normed


def _tensor(weights: Mapping[str, Matrix], name: str) -> Matrix:
    try:
        return weights[name]
    except KeyError:
        raise ModelError(f"The model's weights lack the tensor {name!r}.") from None
