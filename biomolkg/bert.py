"""A BERT encoder as an ONNX graph, built straight from the weights of a model folder.

The graph is Devlin et al. 2019 (post-norm transformer, exact GELU). Building it
here needs neither torch nor an exporter, so a process that answers questions
never imports torch, and no second copy of the weights lies on the disk.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from biomolkg.errors import ModelError

Weights = Mapping[str, NDArray[np.float32]]

_OPSET = 20
_CONTRIB = "com.microsoft"


@dataclass(frozen=True, slots=True)
class BertShape:
    """The numbers of a BERT configuration that decide its graph."""

    layers: int
    heads: int
    width: int
    epsilon: float

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> BertShape:
        """Read `config.json`; raises ModelError for what this graph does not describe."""
        kind = config.get("model_type")
        if kind != "bert" or config.get("hidden_act") != "gelu":
            raise ModelError(f"The ONNX graph is for BERT with GELU, not for model type {kind!r}.")
        if config.get("position_embedding_type", "absolute") != "absolute":
            raise ModelError("The ONNX graph is for absolute positions.")
        return cls(
            layers=int(config["num_hidden_layers"]),
            heads=int(config["num_attention_heads"]),
            width=int(config["hidden_size"]),
            epsilon=float(config["layer_norm_eps"]),
        )


class _Graph:
    """Nodes and constants under construction; each method adds one operation and names its output."""

    def __init__(self, shape: BertShape, weights: Weights) -> None:
        self.shape = shape
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: NDArray[np.float32]) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def weight(self, name: str) -> NDArray[np.float32]:
        try:
            return self.weights[name]
        except KeyError:
            raise ModelError(f"The model's weights lack the tensor {name!r}.") from None

    def add(self, operation: str, inputs: list[str], output: str, **attributes: object) -> str:
        self.nodes.append(helper.make_node(operation, inputs, [output], name=output, **attributes))
        return output

    def contrib(self, operation: str, inputs: list[str], output: str, **attributes: object) -> str:
        return self.add(operation, inputs, output, domain=_CONTRIB, **attributes)

    def norm_weights(self, prefix: str) -> list[str]:
        return [
            self.constant(f"{prefix}.weight", self.weight(f"{prefix}.weight")),
            self.constant(f"{prefix}.bias", self.weight(f"{prefix}.bias")),
        ]

    def product(self, prefix: str, source: str, output: str) -> str:
        matrix = self.constant(f"{prefix}.weight", self.weight(f"{prefix}.weight").T)
        return self.add("MatMul", [source, matrix], output)

    def bias(self, prefix: str) -> str:
        return self.constant(f"{prefix}.bias", self.weight(f"{prefix}.bias"))

    def layer(self, index: int, states: str) -> str:
        """One transformer block: attention, add and norm, feed-forward, add and norm."""
        base = f"encoder.layer.{index}"
        names = [f"{base}.attention.self.{part}" for part in ("query", "key", "value")]
        packed = np.concatenate([self.weight(f"{name}.weight").T for name in names], axis=1)
        offset = np.concatenate([self.weight(f"{name}.bias") for name in names])
        attended = self.contrib(
            "Attention",
            [states, self.constant(f"{base}.qkv", packed), self.constant(f"{base}.qkv.bias", offset), "mask"],
            f"{base}.attended",
            num_heads=self.shape.heads,
        )
        output = f"{base}.attention.output"
        mixed = self._add_norm(
            self.product(f"{output}.dense", attended, f"{base}.mixed"), states, output, f"{base}.first"
        )
        wide = self.product(f"{base}.intermediate.dense", mixed, f"{base}.wide")
        active = self.contrib("BiasGelu", [wide, self.bias(f"{base}.intermediate.dense")], f"{base}.active")
        narrow = self.product(f"{base}.output.dense", active, f"{base}.narrow")
        return self._add_norm(narrow, mixed, f"{base}.output", f"{base}.second")

    def _add_norm(self, source: str, residual: str, prefix: str, output: str) -> str:
        # Apart, since the fused SkipLayerNormalization of ONNX Runtime takes three times as long.
        biased = self.add("Add", [source, self.bias(f"{prefix}.dense")], f"{output}.biased")
        total = self.add("Add", [biased, residual], f"{output}.total")
        inputs = [total, *self.norm_weights(f"{prefix}.LayerNorm")]
        return self.add("LayerNormalization", inputs, output, epsilon=self.shape.epsilon)


def bert_graph(config: Mapping[str, Any], weights: Weights, *, head: str | None = None) -> bytes:
    """The serialised ONNX model: `ids`, `mask` int32 [n, length] -> `states` float32 [n, length, width].

    head: the name of a linear layer among `weights`, `<head>.weight` [classes, width] and `<head>.bias`; the
    model then has a second output, `classes` float32 [n, length, classes]: its value at each token.
    Raises ModelError when the configuration is of another architecture or a tensor is missing.
    """
    shape = BertShape.from_config(config)
    graph = _Graph(shape, weights)
    words = graph.constant("words", graph.weight("embeddings.word_embeddings.weight"))
    # Every token of a single text has type 0, so its vector joins the positions' once and for all.
    places = graph.weight("embeddings.position_embeddings.weight")
    kind = graph.weight("embeddings.token_type_embeddings.weight")[0]
    placed = graph.constant("places", places + kind)
    embedded = graph.add("Gather", [words, "ids"], "embedded")
    positions = graph.add("Gather", [placed, "positions"], "position_vectors")
    total = graph.add("Add", [embedded, positions], "total")
    states = graph.add(
        "LayerNormalization",
        [total, *graph.norm_weights("embeddings.LayerNorm")],
        "layer_input",
        epsilon=shape.epsilon,
    )
    for index in range(shape.layers):
        states = graph.layer(index, states)
    graph.add("Identity", [states], "states")
    outputs = [helper.make_tensor_value_info("states", TensorProto.FLOAT, ["n", "length", shape.width])]
    if head is not None:
        graph.add("Add", [graph.product(head, "states", "unbiased_classes"), graph.bias(head)], "classes")
        count = len(graph.weight(f"{head}.bias"))
        outputs.append(helper.make_tensor_value_info("classes", TensorProto.FLOAT, ["n", "length", count]))
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "bert",
            [
                helper.make_tensor_value_info("ids", TensorProto.INT32, ["n", "length"]),
                helper.make_tensor_value_info("mask", TensorProto.INT32, ["n", "length"]),
                helper.make_tensor_value_info("positions", TensorProto.INT32, ["length"]),
            ],
            outputs,
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", _OPSET), helper.make_opsetid(_CONTRIB, 1)],
        ir_version=10,
    )
    return bytes(model.SerializeToString())
