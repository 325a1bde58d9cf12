"""The words of a question: its units, with their places, stems and folded forms."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from biomolkg.encoder import Spans
from biomolkg.names import fold

_WORD = re.compile(r"[^\W_]+(?:['’]s\b)?")
_POSSESSIVE = re.compile(r"['’]s$")
_LOCAL = threading.local()

# Closed-class words of English and the words any question is asked with: they name no entity.
_FUNCTION_WORDS = """\
a about above according after again all also although am among an and another any are as at be
because been before being below between both but by can could did do does doing done down during
each either etc for from further had has have having he her here hers him his how however i if in
into is it its itself just kind known later latter let like many may me might more most much must my
near neither no nor not now of off often on once one only onto or other others our out over own per
please rather s same shall she should since so some such t than that the their them then there these
they this those though through thus to together too toward towards under until up upon us use used
uses using very via was we were what when where whereas whether which while who whom whose why will
with within without would yes yet you your tell give list show find name describe considering called
referred identified specific
"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())


@dataclass(frozen=True, slots=True)
class Word:
    """A word at characters [start, end); `folded` without case and accents, `stem` by Snowball English."""

    start: int
    end: int
    folded: str
    stem: str

    @property
    def counts(self) -> bool:
        """Whether it can speak of an entity at all."""
        return self.folded not in FUNCTION_WORDS


def split_words(text: str, *, limit: int | None = None) -> list[Word]:
    """The words of `text` in order, at most `limit`."""
    words: list[Word] = []
    for match in _WORD.finditer(text):
        if limit is not None and len(words) >= limit:
            break
        folded, root = _read(match.group())
        if folded:
            words.append(Word(match.start(), match.end(), folded, root))
    return words


def content_spans(words: Sequence[Word]) -> Spans:
    """Where the words stand that can speak of something: all of a question that an encoder needs to read."""
    return tuple((word.start, word.end) for word in words if word.counts)


# Texts repeat their words, and several indexes read the same texts.
@lru_cache(maxsize=65_536)
def _read(word: str) -> tuple[str, str]:
    """The folded form of a word and its stem."""
    folded = "".join(fold(_POSSESSIVE.sub("", word)).split())
    return folded, stem(folded)


def stem(word: str) -> str:
    """Snowball English; a stemmer of PyStemmer may not be shared between threads."""
    stemmer = getattr(_LOCAL, "stemmer", None)
    if stemmer is None:
        stemmer = _LOCAL.stemmer = Stemmer.Stemmer("english")
    result: str = stemmer.stemWord(word)
    return result
