"""A question cut up for full-text search: its content words, neighbouring pairs of them, and its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from retrievers.mentions import Token, tokens

_FUNCTION_WORDS = """a about above after again all also am among an and any are as at be because been before
being below
between both but by can could did do does doing down during each either else every few for from
further had has have having he her here hers him his how i if in into is it its itself just may me
might more most must my neither no nor not of off on once one only onto or other ought our out over
own per same shall she should so some such than that the their theirs them then there these they
this those through to too toward towards under until up upon us very via was we were what when where
whether which while who whom whose why will with within without would you your"""
FUNCTION_WORDS = frozenset(_FUNCTION_WORDS.split())
# Signs and words that Lucene takes for operators, where they are no part of a word.
_OPERATOR = re.compile(
    r"""(?<!\w)[-+&|!(){}\[\]^"~*?:\\/]+|[-+&|!(){}\[\]^"~*?:\\/]+(?!\w)|\b(?:AND|OR|NOT)\b"""
)
_BREAK = re.compile(r"[,;:.?!()\[\]]")


@dataclass(frozen=True, slots=True)
class Term:
    """A full-text query for one word or two neighbours, at the places of the content words it is made of."""

    query: str
    places: tuple[int, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """The content words of a question in order: what a "place" counts, from 0.

    `text` is the question, as long as it was, with operators of Lucene blanked out.
    """

    text: str
    words: tuple[Token, ...]

    def places(self, start: int, end: int) -> list[int]:
        """The places of the words within characters [start, end)."""
        return [place for place, word in enumerate(self.words) if start <= word.start and word.end <= end]

    def terms(self, limit: int) -> list[Term]:
        """Quoted words, and quoted pairs of words that stand side by side; of at most `limit` words.

        Quoted runs of letters and digits hold nothing that Lucene takes for an operator.
        """
        words = self.words[:limit]
        single = [Term(f'"{word.text}"', (place,), 1.0) for place, word in enumerate(words)]
        pairs = [
            Term(f'"{left.text} {right.text}"', (place, place + 1), 0.5)
            for place, (left, right) in enumerate(pairwise(words))
            if self._adjacent(left, right)
        ]
        return single + pairs

    def parts(self) -> list[tuple[int, int]]:
        """Characters [start, end) of each run of content words between function words and punctuation."""
        return [(first.start, last.end) for first, last in self._runs()]

    def _runs(self) -> Iterator[tuple[Token, Token]]:
        first = last = None
        for word in self.words:
            if first is None or last is None:
                first = word
            elif not self._adjacent(last, word, through="of"):
                yield first, last
                first = word
            last = word
        if first is not None and last is not None:
            yield first, last

    def _adjacent(self, left: Token, right: Token, *, through: str = "") -> bool:
        between = self.text[left.end : right.start]
        return not _BREAK.search(between) and between.strip(" \t\n-–—'’\"/").casefold() in {"", through}


def question_words(question: str) -> QuestionWords:
    """The words of the question without function words; all of them when there is nothing else."""
    text = _OPERATOR.sub(lambda found: " " * len(found.group()), question)
    words = [word for word in tokens(text) if word.text != "+"]
    content = [word for word in words if word.text not in FUNCTION_WORDS]
    return QuestionWords(text, tuple(content or words))
