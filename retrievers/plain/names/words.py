"""Text as tokens: runs of letters and runs of digits, each with its place in the text.

Names are compared by their keys, so that `5-HT2A`, `5HT2A` and `5 ht 2 a` are one, `β1` is
`beta-1`, `anaemia` is `anemia`, and `sulphate` is `sulfate`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from biomolkg.names import fold

_RUN = re.compile(r"[^\W\d_]+|\d+")
_POSSESSIVE = re.compile(r"(?<=\w)['’‘ʼ]s\b", re.IGNORECASE)
_SPELLINGS = (("ae", "e"), ("oe", "e"), ("sulph", "sulf"))
_SPELLINGS_FROM = 6
# A mark that stands apart from the word before it ends no sentence: "warfarin ! fentanyl".
_QUESTION_END = re.compile(
    r"(?:(?<=[^\s?!][?!。？])|(?<=[^\s?!][?!]{2})|(?<=[^\s?!][?!]{3}))(?![?!])[\s\"'”)\]]*"
    r"|(?<=[.;])[\"'”)\]]*\s+(?=[^\Wa-z_]|\d)|[\r\n]{2,}"
)
_INITIALS = re.compile(r"\b(?:[A-Z]|St|Dr|vs|e\.g|i\.e|approx|No)\.$")


@dataclass(frozen=True, slots=True)
class Token:
    """A run. `opens` and `closes`: whether a word begins and ends with it."""

    text: str
    key: str
    start: int
    end: int
    opens: bool
    closes: bool


def tokenize(text: str) -> list[Token]:
    """The runs of `text`. The possessive s is none."""
    bare = _POSSESSIVE.sub(lambda found: " " * len(found.group()), text)
    if bare.isascii():
        folded, origin = bare.lower(), None
    else:
        pieces, origin = [], []
        for at, char in enumerate(bare):
            piece = char.lower() if char.isascii() else fold(char)
            pieces.append(piece)
            origin.extend([at] * len(piece))
        folded = "".join(pieces)
    found = []
    length = len(folded)
    for run in _RUN.finditer(folded):
        start, end = run.span()
        word = run.group()
        opens = start == 0 or not folded[start - 1].isalnum()
        closes = end == length or not folded[end].isalnum()
        if origin is not None:
            start, end = origin[start], origin[end - 1] + 1
        found.append(Token(word, spelt(word), start, end, opens, closes))
    return found


def spelt(word: str) -> str:
    """British and Latin spellings as American ones; not of short words, as "does" and "shoe"."""
    if len(word) < _SPELLINGS_FROM:
        return word
    for old, new in _SPELLINGS:
        if old in word:
            word = word.replace(old, new)
    return word


def key_of(name: str) -> tuple[str, ...]:
    """The keys of a name's tokens."""
    if not name.isascii():
        return tuple(token.key for token in tokenize(name))
    if "'" in name:
        name = _POSSESSIVE.sub(" ", name)
    runs = _RUN.findall(name.lower())
    return tuple(map(spelt, runs))


def singular(word: str) -> str | None:
    """The word without the ending of its plural, None where it has none."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return None


def sentences(text: str) -> list[tuple[int, int]]:
    """Places [start, end) of the sentences of `text`."""
    found, start = [], 0
    for gap in _QUESTION_END.finditer(text):
        end, after = gap.start(), gap.end()
        if end <= start or _INITIALS.search(text, max(start, end - 8), end):
            continue
        found.append((start, end))
        start = after
    if text[start:].strip():
        found.append((start, len(text)))
    return found
