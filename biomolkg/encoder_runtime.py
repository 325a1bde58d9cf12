"""What computes a sentence encoder: ONNX Runtime where it agrees with numpy on this machine, else numpy."""

from __future__ import annotations

import hashlib
import logging
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import structlog
from numpy.typing import NDArray

from biomolkg.encoder_files import read_json
from biomolkg.errors import ModelError
from biomolkg.settings import Settings

_log = structlog.get_logger(__name__)

_AGREEMENT = 1e-5
_GRAPH_REVISION = 2
_SAMPLES = (
    "Which proteins does a tricyclic antidepressant inhibit?",
    "pi-pi stacking between a benzodiazepine and a thiazole",
    "β-lactam",
    "The compound carries a carboxylic acid, two chlorine atoms and a tertiary amine; it is given by mouth.",
)

# Token ids and mask, int32 [texts, tokens], to token states, float32 [texts, tokens, width].
Forward = Callable[[NDArray[np.int32], NDArray[np.int32]], NDArray[np.float32]]


def choose_forward(folder: Path, settings: Settings) -> tuple[Forward, str]:
    """ONNX Runtime when its vectors are those of the same model in numpy on this machine; else numpy.

    Raises ModelError for a model that is no BERT, unless torch and transformers are installed to run it.
    """
    from safetensors.numpy import load_file  # noqa: PLC0415 - slow to import

    from biomolkg.bert_numpy import bert_forward  # noqa: PLC0415

    config, weights = read_json(folder / "config.json"), load_file(folder / "model.safetensors")
    try:
        reference = bert_forward(config, weights)
    except ModelError as error:
        if find_spec("torch") is None or find_spec("transformers") is None:
            raise ModelError(
                f"The encoder {folder} cannot be used: {error}",
                remedy="Use a BERT model, or install what runs others: `pip install 'biomolkg[train]'`.",
            ) from error
        _log.warning("encoder_by_torch", model=str(folder), reason=str(error))
        return _torch_forward(folder, settings.threads), "torch"
    try:
        forward = _onnx_forward(folder, settings.threads)
        difference = _largest_difference(folder, forward, reference)
    except Exception as error:  # noqa: BLE001 - whatever ONNX cannot do, numpy can
        _log.warning("encoder_without_onnx", model=str(folder), reason=str(error))
        return reference, "numpy"
    if difference < _AGREEMENT:
        return forward, "onnx"
    _log.warning("encoder_onnx_differs", model=str(folder), largest_difference=difference)
    return reference, "numpy"


def int8_forward(folder: Path, identity: str, settings: Settings) -> Forward:
    """The same graph with its weights as int8, made once and kept under the home."""
    kept = settings.home / "models" / f"encoder-{_graph_key(identity)}-int8.onnx"
    if kept.is_file():
        try:
            return graph_forward(kept.read_bytes(), settings.threads)
        except Exception as error:  # noqa: BLE001 - a damaged file is made again
            _log.warning("encoder_int8_damaged", path=str(kept), reason=str(error))
    graph = quantised_graph(_graph(folder))
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=kept.parent, delete=False) as file:
            file.write(graph)
        Path(file.name).replace(kept)
    except OSError as error:
        _log.warning("encoder_int8_not_kept", path=str(kept), reason=str(error))
    return graph_forward(graph, settings.threads)


def graph_forward(graph: bytes, threads: int, *, output: str = "states") -> Forward:
    """ONNX Runtime on a graph of `biomolkg.bert`: token ids and mask to one of its outputs."""
    import onnxruntime  # noqa: PLC0415 - slow to import

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(
        graph,
        options,
        providers=["CPUExecutionProvider"],
        # The graph keeps sums and norms apart on purpose.
        disabled_optimizers=["SkipLayerNormFusion"],
    )

    def forward(ids: NDArray[np.int32], mask: NDArray[np.int32]) -> NDArray[np.float32]:
        positions = np.arange(ids.shape[1], dtype=np.int32)
        states: NDArray[np.float32] = session.run(
            [output], {"ids": ids, "mask": mask, "positions": positions}
        )[0]
        return states

    return forward


def quantised_graph(graph: bytes) -> bytes:
    """`graph` with int8 weights, a scale a channel; activations are quantised as they come.

    One bit is left unused, since processors without VNNI would saturate.
    """
    import onnx  # noqa: PLC0415 - slow to import
    from onnxruntime.quantization import QuantType, quantize_dynamic  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as folder, _silent_root_log():
        made = Path(folder) / "int8.onnx"
        quantize_dynamic(
            onnx.load_from_string(graph),
            made,
            weight_type=QuantType.QInt8,
            per_channel=True,
            reduce_range=True,
            # Its shape inference does not know the fused operators.
            extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )
        return made.read_bytes()


def _revision() -> str:
    return f"{_GRAPH_REVISION}:{version('onnxruntime')}"


def _graph_key(identity: str) -> str:
    """What names the files that were made of a model by this graph and this ONNX Runtime."""
    return hashlib.sha256(f"{identity}:{_revision()}".encode()).hexdigest()[:16]


def _largest_difference(folder: Path, left: Forward, right: Forward) -> float:
    """Largest difference of any number in the mean vectors of sample texts, of unit length."""
    from tokenizers import Tokenizer  # noqa: PLC0415

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    encodings = [tokenizer.encode(text).ids for text in _SAMPLES]
    length = max(map(len, encodings))
    ids = np.array([tokens + [0] * (length - len(tokens)) for tokens in encodings], dtype=np.int32)
    mask = np.array(
        [[1] * len(tokens) + [0] * (length - len(tokens)) for tokens in encodings], dtype=np.int32
    )
    means = []
    for forward in (left, right):
        pooled = np.einsum("nlw,nl->nw", forward(ids, mask), mask.astype(np.float32))
        means.append(pooled / np.linalg.norm(pooled, axis=1, keepdims=True))
    return float(np.abs(means[0] - means[1]).max())


def _onnx_forward(folder: Path, threads: int) -> Forward:
    return graph_forward(_graph(folder), threads)


def _graph(folder: Path) -> bytes:
    from safetensors.numpy import load_file  # noqa: PLC0415 - slow to import

    from biomolkg.bert import bert_graph  # noqa: PLC0415

    return bert_graph(read_json(folder / "config.json"), load_file(folder / "model.safetensors"))


@contextmanager
def _silent_root_log() -> Iterator[None]:
    """Keep advice that a library logs at the root from whoever watches, and from setting up logging by it."""
    root, nowhere = logging.getLogger(), logging.NullHandler()

    def nothing(_record: logging.LogRecord) -> bool:
        return False

    root.addHandler(nowhere)
    root.addFilter(nothing)
    try:
        yield
    finally:
        root.removeFilter(nothing)
        root.removeHandler(nowhere)


def _torch_forward(folder: Path, threads: int) -> Forward:
    # Read by the hub's client when it is imported: nothing may be looked up outside.
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch  # noqa: PLC0415 - only for models that are no BERT
    from transformers import AutoModel  # noqa: PLC0415

    torch.set_num_threads(threads)
    try:
        model = AutoModel.from_pretrained(str(folder), local_files_only=True).eval()
    except (OSError, ValueError) as error:
        raise ModelError(f"The encoder {folder} cannot be loaded: {error}.") from error

    def forward(ids: NDArray[np.int32], mask: NDArray[np.int32]) -> NDArray[np.float32]:
        with torch.inference_mode():
            output = model(
                input_ids=torch.from_numpy(ids.astype(np.int64)),
                attention_mask=torch.from_numpy(mask.astype(np.int64)),
            )
        states: NDArray[np.float32] = output.last_hidden_state.numpy()
        return states

    return forward
