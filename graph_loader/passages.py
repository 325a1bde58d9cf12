"""Long texts cut into passages: at sentence ends, evenly, with an optional overlap."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

PASSAGE_CHARS = 1_200

_SPACE = re.compile(r"\s+")
_TERMINATORS = ".!?…"
_CLOSERS = "\"')]}”’»"
_ENDS = frozenset(_TERMINATORS + _CLOSERS)
_OPENERS = "\"'([{“‘«•-–—"
_LAST_WORD = re.compile(r"([A-Za-z][A-Za-z.]*|\d+)\.$")
# A full stop after one of these ends no sentence, whatever follows it.
_ABBREVIATION = re.compile(
    r"al|approx|ca|cf|co|corp|dr|e\.g|ed|eq|etc|fig|figs|gen|i\.e|inc|incl|jr|"
    r"lab|lit|ltd|max|mfg|min|mr|mrs|ms|no|nos|nov|p\.o|prof|ref|refs|rev|sec|"
    r"sp|spp|sr|st|tab|u\.k|u\.s|viz|vol|vs",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Characters [start, end) of a text; `text` is that slice, `position` counts the chunks from 0."""

    text: str
    start: int
    end: int
    position: int


def split_passages(text: str, *, limit: int = PASSAGE_CHARS, overlap: int = 0) -> list[Chunk]:
    """The text as chunks of at most `limit` characters, in order.

    Chunks begin and end at sentence or line ends; a sentence longer than `limit`
    is cut after a clause, else between words, else inside a word. As few chunks
    as possible are made, and these about equally long. With `overlap`, a chunk
    repeats as many whole sentences of the one before as fit in that many
    characters. Every character that is not white space is in some chunk.

    Raises ValueError when the limit is not positive or the overlap not below it.
    """
    if limit < 1:
        raise ValueError(f"A passage limit of {limit} characters is not positive.")
    if not 0 <= overlap < limit:
        raise ValueError(f"An overlap of {overlap} characters is not within 0 and the limit of {limit}.")
    pieces = [piece for start, end in sentence_spans(text) for piece in _fitting(text, start, end, limit)]
    if not pieces:
        return []
    spans = _pack(pieces, limit, overlap)
    if len(spans) > 1:
        spans = _even(pieces, limit, overlap, len(spans))
    return [Chunk(text[start:end], start, end, position) for position, (start, end) in enumerate(spans)]


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """The [start, end) of each sentence, without the white space around it; a line end ends a sentence."""
    start = len(text) - len(text.lstrip())
    for gap in _SPACE.finditer(text, start):
        end, following = gap.span()
        # Most gaps are between two words: they are passed over before anything else is asked.
        if "\n" in gap[0] or (text[end - 1] in _ENDS and _ends_sentence(text, start, end, following)):
            yield start, end
            start = following
    end = len(text.rstrip())
    if start < end:
        yield start, end


def _ends_sentence(text: str, start: int, end: int, following: int) -> bool:
    """Whether the words [start, end) are a whole sentence, given what begins at `following`."""
    stop = end
    while stop > start and end - stop < 4 and text[stop - 1] in _CLOSERS:
        stop -= 1
    if stop == start or text[stop - 1] not in _TERMINATORS:
        return False
    if following < len(text) and text[following].islower():
        return False
    if text[stop - 1] != "." or stop < end:
        return True
    word = _LAST_WORD.search(text, max(start, stop - 12), stop)
    if word is None:
        return True
    if word.start() == start or text[word.start() - 1] in _OPENERS:
        # "1. Take", "B. Storage", "(e.g. Aspirin)": a list marker or an opening abbreviation
        return len(word[1]) > 2 and not _ABBREVIATION.fullmatch(word[1])
    is_initial = len(word[1]) == 1 and word[1].isupper()
    return not is_initial and not _ABBREVIATION.fullmatch(word[1])


def _fitting(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """The span, cut into spans of at most `limit` characters when it is longer."""
    while end - start > limit:
        cut = _cut(text, start, start + limit)
        yield start, len(text[start:cut].rstrip()) + start
        start = cut
        while text[start].isspace():
            start += 1
    yield start, end


def _cut(text: str, start: int, stop: int) -> int:
    """Where to cut [start, stop): after a clause in its second half, else between words, else at its end."""
    if text[stop].isspace():
        return stop
    middle = (start + stop) // 2
    for mark in ("; ", ": ", ", ", " | "):
        found = text.rfind(mark, middle, stop)
        if found >= 0:
            return found + len(mark)
    for at in range(stop - 1, start, -1):
        if text[at].isspace():
            return at
    return stop


def _pack(pieces: list[tuple[int, int]], limit: int, overlap: int) -> list[tuple[int, int]]:
    """Neighbouring pieces joined as long as they fit in `limit`."""
    spans = []
    first = 0
    for at in range(1, len(pieces)):
        if pieces[at][1] - pieces[first][0] <= limit:
            continue
        spans.append((pieces[first][0], pieces[at - 1][1]))
        previous, first = first, at
        while first - 1 > previous and _may_repeat(pieces, first - 1, at, limit, overlap):
            first -= 1
    spans.append((pieces[first][0], pieces[-1][1]))
    return spans


def _may_repeat(pieces: list[tuple[int, int]], first: int, at: int, limit: int, overlap: int) -> bool:
    start = pieces[first][0]
    return pieces[at - 1][1] - start <= overlap and pieces[at][1] - start <= limit


def _even(pieces: list[tuple[int, int]], limit: int, overlap: int, count: int) -> list[tuple[int, int]]:
    """The same number of spans with the longest one as short as possible, so that none is a mere rest."""
    longest = max(end - start for start, end in pieces)
    low = max(overlap + 1, longest)
    high = limit
    while low < high:
        middle = (low + high) // 2
        if len(_pack(pieces, middle, overlap)) > count:
            low = middle + 1
        else:
            high = middle
    return _pack(pieces, high, overlap)
