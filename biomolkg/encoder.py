"""The sentence encoder: texts to unit vectors, and the vector of each token with its place in the text.

The model is the bundled all-MiniLM-L6-v2, or any sentence-transformers folder
given by the settings. Nothing is fetched, ever. ONNX Runtime computes it where
its vectors agree with numpy's on this machine; otherwise numpy does.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder_files import content_hash, model_folder, pooling, read_json, token_limit
from biomolkg.encoder_runtime import Forward, choose_forward, int8_forward
from biomolkg.settings import Settings

# Larger batches leave the processor's cache and cost a quarter more a token.
_BATCH_TOKENS = 512
# One question goes through several retrievers, in one request or in requests close together.
_RECENT_QUESTIONS = 32


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
        self._pooling = pooling(self._folder)
        self.identity = content_hash(self._folder)
        self._tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length=token_limit(self._folder))
        self._forward, self.runtime = choose_forward(self._folder, settings)
        self._forward_question = self._forward
        if settings.question_precision == "int8" and self.runtime == "onnx":
            self._forward_question = int8_forward(self._folder, self.identity, settings)
        self._recent: OrderedDict[_Asked, _QuestionStates] = OrderedDict()
        self._recent_lock = threading.Lock()
        self.dimension = int(read_json(self._folder / "config.json")["hidden_size"])

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
    return content_hash(folder), int(read_json(folder / "config.json")["hidden_size"])
