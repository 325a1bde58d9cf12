"""The trained tagger at work: words to entities by ONNX Runtime; neither Flair nor torch is needed.

What Flair trains without a recurrent layer and without a CRF is BERT, the state
of the first piece of each word, and one linear layer (Schweter and Akbik 2020,
"FLERT"). The graph of `biomolkg.bert` computes all of it.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biomolkg.bert import bert_graph
from biomolkg.encoder_runtime import graph_forward
from biomolkg.errors import ModelError
from biomolkg.tagged_text import Span, sentence_ends, spans_of, words_of
from retrievers.artifacts import Artifact

NAME = "mentions"
HEAD = "head"
TOKENIZER = "tokenizer"
_BATCH_TOKENS = 1_024
_POSITIONS = 512


class Tagger:
    """Finds chemicals, diseases and proteins in text. Safe to share between threads."""

    def __init__(self, artifact: Artifact, *, threads: int = 1) -> None:
        """Raises ModelError when the arrays are not those of a tagger."""
        from tokenizers import Tokenizer  # noqa: PLC0415 - a slow import that not every command needs

        try:
            options = artifact.training.options
            self._tags = tuple(str(tag) for tag in json.loads(str(options["tags"])))
            if len(self._tags) != len(artifact.arrays[f"{HEAD}.bias"]):
                # Caught below, as every other fault of the file is.
                raise ValueError(f"{len(self._tags)} tags are named")  # noqa: TRY301
            config = json.loads(str(options["config"]))
            arrays = {name: array.astype(np.float32, copy=False) for name, array in _floats(artifact).items()}
            self._tokenizer = Tokenizer.from_buffer(artifact.arrays[TOKENIZER].tobytes())
            self._tokenizer.no_padding()
            self._tokenizer.no_truncation()
            self._unseen = _probabilities(arrays[f"{HEAD}.bias"])
            self._forward = graph_forward(bert_graph(config, arrays, head=HEAD), threads, output="classes")
            self.tag_words([["aspirin"]])
        except Exception as error:  # the runtime and the tokenizer raise what they like
            raise ModelError(
                f"The model {artifact.name!r} is no tagger that can be used: {error}.",
                remedy=f"Run `biomolkg train --retriever {NAME}`.",
            ) from error

    def find(self, text: str) -> list[Span]:
        """The entities in `text` by their characters, in reading order."""
        words = words_of(text)
        sentences = list(sentence_ends([word.text for word in words]))
        tagged = self.tag_words([[word.text for word in words[start:end]] for start, end in sentences])
        return [
            Span(words[offset + span.start].start, words[offset + span.end - 1].end, span.label, span.score)
            for (offset, _), spans in zip(sentences, tagged, strict=True)
            for span in spans
        ]

    def tag_words(self, sentences: Sequence[Sequence[str]]) -> list[list[Span]]:
        """The entities of each sentence by the places of its words."""
        encodings = [self._tokenizer.encode(list(words), is_pretokenized=True) for words in sentences]
        found: list[list[Span]] = [[] for _ in sentences]
        order = sorted(range(len(sentences)), key=lambda at: len(encodings[at].ids))
        while order:
            size = max(1, _BATCH_TOKENS // len(encodings[order[-1]].ids))
            members, order = order[-size:], order[:-size]
            classes = self._classes([encodings[at].ids[:_POSITIONS] for at in members])
            for row, at in zip(classes, members, strict=True):
                found[at] = self._decode(row, encodings[at].word_ids, len(sentences[at]))
        return found

    def _classes(self, ids: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        length = max(map(len, ids))
        tokens = np.zeros((len(ids), length), dtype=np.int32)
        mask = np.zeros((len(ids), length), dtype=np.int32)
        for row, each in enumerate(ids):
            tokens[row, : len(each)] = each
            mask[row, : len(each)] = 1
        return self._forward(tokens, mask)

    def _decode(self, classes: NDArray[np.float32], word_ids: Sequence[int | None], words: int) -> list[Span]:
        """Entities from float32 [length, tags]; a word without a piece has the zero state, as in Flair."""
        chosen = np.tile(self._unseen, (words, 1))
        seen: set[int] = set()
        for place, word in enumerate(word_ids[: len(classes)]):
            if word is not None and word not in seen:
                seen.add(word)
                chosen[word] = _probabilities(classes[place])
        best = chosen.argmax(axis=1)
        return spans_of([self._tags[tag] for tag in best], chosen[np.arange(words), best].tolist())


def _floats(artifact: Artifact) -> dict[str, NDArray[Any]]:
    return {name: array for name, array in artifact.arrays.items() if name != TOKENIZER}


def _probabilities(values: NDArray[np.float32]) -> NDArray[np.float32]:
    raised = np.exp(values - values.max())
    probabilities: NDArray[np.float32] = raised / raised.sum()
    return probabilities
