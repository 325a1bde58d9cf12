"""Phrases of a question that may be chemical names, and the forms in which nomenclature would write them."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from retrievers.triple.words import FUNCTION_WORDS, Word

LONGEST = 3
_CHUNK = re.compile(r"[^\s\u2014;:?!\"“”]+")
_EDGE = "()[]{}.,'’‘"
_PART = re.compile(r"[^-/\u2010-\u2015]+")
_LOCANT = re.compile(r"\d+[a-z]?(?:,\d+[a-z]?)*|[nosp](?:,[nosp])*")

_MULTIPLIERS = {
    "two": 2, "both": 2, "double": 2, "pair": 2, "bis": 2, "di": 2, "dual": 2, "twin": 2, "multiple": 2,
    "several": 2, "three": 3, "tris": 3, "tri": 3, "triple": 3, "four": 4, "tetra": 4, "tetrakis": 4,
    "five": 5, "six": 6,
}  # fmt: skip

# Endings of adjectives and anions, and what nomenclature writes for the same group.
_ENDINGS = (
    ("chlorinated", "chloro"), ("fluorinated", "fluoro"), ("brominated", "bromo"), ("iodinated", "iodo"),
    ("oxylated", "oxy"), ("ylated", "yl"), ("olic", "ol"), ("inic", "ine"), ("idic", "ide"),
    ("ic", "ic acid"), ("ate", "ic acid"), ("oyl", "oic acid"), ("enyl", "ene"), ("yl", "ane"),
    ("ino", "ine"), ("ido", "ide"), ("al", ""),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Phrase:
    """A stretch of the question: its spelling, the units it covers and how many of the thing are meant."""

    text: str
    units: tuple[int, ...]
    count: int


@dataclass(frozen=True, slots=True)
class _Part:
    text: str
    start: int
    end: int
    breaks: bool


def find_phrases(question: str, words: Sequence[Word]) -> list[Phrase]:
    """Stretches of one to three parts (words, or what hyphens divide) without function words between them."""
    parts = list(_parts(question))
    spans = _unit_spans(parts, words)
    phrases: dict[tuple[str, tuple[int, ...]], Phrase] = {}
    for first in range(len(parts)):
        for last in range(first, min(first + LONGEST, len(parts))):
            if last > first and parts[last].breaks:
                break
            if parts[last].text in FUNCTION_WORDS:
                break
            text = " ".join(question[parts[first].start : parts[last].end].lower().split())
            units = tuple(range(spans[first][0], spans[last][1]))
            if units and len(text) > 2:
                phrase = Phrase(text, units, _count_before(parts, first))
                phrases.setdefault((text, units), phrase)
    return list(phrases.values())


def _unit_spans(parts: Sequence[_Part], words: Sequence[Word]) -> list[tuple[int, int]]:
    """The units [first, after) that each part touches."""
    starts = [word.start for word in words]
    ends = [word.end for word in words]
    return [(bisect_right(ends, part.start), bisect_left(starts, part.end)) for part in parts]


def spellings(text: str) -> Iterator[str]:
    """Forms of a phrase to be read as a name, the likeliest first; the phrase itself is always one."""
    yield text
    singular = text[:-1] if text.endswith("s") and not text.endswith(("ss", "us", "is")) else text
    if singular != text:
        yield singular
    if " " in singular and "-" not in singular:
        yield singular.replace(" ", "")
    for ending, name in _ENDINGS:
        if singular == ending or (singular.endswith(ending) and len(singular) > len(ending) + 2):
            yield singular.removesuffix(ending) + name


def _parts(question: str) -> Iterator[_Part]:
    """Words and hyphen parts; a part breaks where punctuation parts it from the one before."""
    breaks = True
    for chunk in _CHUNK.finditer(question):
        raw = chunk.group()
        pieces, opens, closes = _pieces(raw)
        breaks = breaks or opens
        for text, start, end in pieces:
            yield _Part(text, chunk.start() + start, chunk.start() + end, breaks)
            breaks = False
        breaks = closes


# Words come again from question to question.
@lru_cache(maxsize=50_000)
def _pieces(raw: str) -> tuple[tuple[tuple[str, int, int], ...], bool, bool]:
    """The parts of a chunk without spaces, each as text, start and end within it.

    And whether punctuation stands before the first and after the last.
    """
    lead = len(raw) - len(raw.lstrip(_EDGE))
    body = raw.strip(_EDGE)
    pieces = []
    for number, part in enumerate(_PART.finditer(body)):
        text = part.group().lower()
        if _LOCANT.fullmatch(text) and number == 0 and "-" in body:
            continue
        pieces.append((text, _with_locant(body, part.start(), lead), lead + part.end()))
    return tuple(pieces), lead > 0, raw.rstrip(_EDGE) != raw


def _with_locant(body: str, at: int, offset: int) -> int:
    """Where the part at `at` begins when the locant before it is taken along, as in 1,4-dihydropyridine."""
    before = body[:at]
    if before and _LOCANT.fullmatch(before[:-1].lower()):
        return offset
    return offset + at


def _count_before(parts: Sequence[_Part], first: int) -> int:
    for back in range(1, 3):
        at = first - back
        if at < 0 or parts[at + 1].breaks:
            return 1
        count = _MULTIPLIERS.get(parts[at].text)
        if count is not None:
            return count
    return 1
