"""Text as sentences of words, and entities as runs of words: what the tagger is trained on and reads."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# A run of letters and digits, or any other sign by itself: BERT's own splitting is never coarser.
_WORD = re.compile(r"[^\W_]+|\S")
_ENDS = frozenset(".?!")
MAX_WORDS = 80


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its characters [start, end) in the text."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Span:
    """Places [start, end) - of words or of characters - that name a thing of the kind `label`."""

    start: int
    end: int
    label: str
    score: float = 1.0


@dataclass(frozen=True, slots=True)
class TaggedSentence:
    """The words of a sentence and the entities among them, as places of words."""

    words: tuple[str, ...]
    spans: tuple[Span, ...]


def words_of(text: str) -> list[Word]:
    """The words of `text` in reading order."""
    return [Word(found.group(), found.start(), found.end()) for found in _WORD.finditer(text)]


def sentence_ends(words: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Places [start, end) of the sentences; none has more than 80 words."""
    start = 0
    for at, word in enumerate(words):
        if at + 1 == len(words) or at + 1 - start == MAX_WORDS or _ends_sentence(words, at, word):
            yield start, at + 1
            start = at + 1


def _ends_sentence(words: Sequence[str], at: int, word: str) -> bool:
    if word not in _ENDS or not words[at + 1][0].isupper():
        return False
    # "E. coli", "J. Smith", "i.v. Infusion"
    return word != "." or (at > 0 and len(words[at - 1]) > 1)


def tagged_sentences(words: Sequence[str], spans: Sequence[Span]) -> Iterator[TaggedSentence]:
    """The sentences of a text whose entities are known; one that a sentence's end would cut is left out."""
    for start, end in sentence_ends(words):
        inside = tuple(
            Span(span.start - start, span.end - start, span.label)
            for span in spans
            if start <= span.start and span.end <= end
        )
        yield TaggedSentence(tuple(words[start:end]), inside)


def spans_of(tags: Sequence[str], scores: Sequence[float]) -> list[Span]:
    """The entities that BIOES tags describe, read as Flair 0.15 reads them; scores are means."""
    found: list[Span] = []
    weights: dict[str, float] = {}
    start, before = 0, "O-"

    def close(end: int) -> None:
        if weights:
            label = max(weights, key=lambda each: weights[each])
            found.append(Span(start, end, label, sum(scores[start:end]) / (end - start)))
            weights.clear()

    for at, written in enumerate(tags):
        tag = "O-" if written == "O" else written
        opens = tag[:2] in {"B-", "S-"} or (tag[:2] == "I-" and before[2:] != tag[2:])
        if opens or tag == "O-":
            close(at)
        if tag != "O-":
            if not weights:
                start = at
            weights[tag[2:]] = weights.get(tag[2:], 0.0) + (1.1 if opens else 1.0)
        before = tag
    close(len(tags))
    return found
