"""Names as people misspell them: the nearest known one, if it is the only one near."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from retrievers.plain.names.linker import Linker, Sense
from retrievers.plain.names.words import Token, spelt

_SHORTEST, _LONG, _PAIR = 5, 8, 2
_KINDS = frozenset(("drug", "class", "effect", "thing", "label"))
_STRANGE = frozenset(("absent_drug", "condition"))


class Speller:
    """Names of one word by first letter and length. Safe to share."""

    def __init__(self, linker: Linker) -> None:
        self._linker = linker
        self.near = lru_cache(maxsize=4096)(self._find)
        self._by_start: dict[tuple[str, int], list[str]] = defaultdict(list)
        # Second words of names of two, by the first.
        self._seconds: dict[str, list[str]] = defaultdict(list)
        parts: set[str] = set()
        for key in linker:
            words = key.split()
            kinds = linker.kinds(key)
            if len(words) == 1 and kinds & (_KINDS | _STRANGE):
                parts.add(key)
            elif len(words) == _PAIR and kinds & _KINDS and len(words[0]) >= _LONG:
                self._seconds[words[0]].append(words[1])
            if len(words) > 1 and kinds & {"drug", "protein", "class", "family", "effect"}:
                parts.update(word for word in words if len(word) > _SHORTEST and word.isalpha())
        for part in parts:
            self._by_start[part[0], len(part)].append(part)

    def _find(self, word: str) -> list[str]:
        """The known words at the least distance from a word, if that is small enough; else none."""
        word = spelt(word)
        if len(word) < _SHORTEST or not word.isalpha():
            return []
        most = 1 if len(word) < _LONG else 2
        # The first letter is seldom wrong.
        sizes = range(len(word) - most, len(word) + most + 1)
        choices = [name for size in sizes for name in self._by_start.get((word[0], size), ())]
        found = process.extract(word, choices, scorer=OSA.distance, score_cutoff=most, limit=8)
        if not found:
            return []
        least = min(distance for _, distance, _ in found)
        return [name for name, distance, _ in found if distance == least]

    def one(self, word: str) -> tuple[str, tuple[Sense, ...]] | None:
        """The one known name that a word is a misspelling of: its key and senses."""
        near = self.near(word)
        present = [name for name in near if self._first(name)[:1] and self._first(name)[0].kind in _KINDS]
        near = present or near
        owners = {tuple((it.kind, it.target) for it in self._first(name)) for name in near}
        if len(owners) != 1 or not next(iter(owners)):
            return None
        senses = self._linker.senses((near[0],))
        return (near[0], senses) if senses[0].kind in _KINDS else None

    def pair(self, word: str, tokens: Sequence[Token], at: int) -> tuple[Sense, ...] | None:
        """The one name of two words that a word and the token behind it are near to."""
        if at >= len(tokens) or len(word) < _LONG or not tokens[at].text.isalpha():
            return None
        first = spelt(word)
        # An exact first word may stand before an ordinary one: "alendronic aid".
        near = [first] if first in self._seconds else [it for it in self._find(word) if it in self._seconds]
        found = {
            tuple((it.kind, it.target) for it in self._first(f"{one} {second}"))
            for one in near
            for second in self._seconds[one]
            if OSA.distance(tokens[at].key, second, score_cutoff=2) <= min(2, len(second) // 3)
        }
        if len(found) != 1:
            return None
        one, second = next(
            (one, second)
            for one in near
            for second in self._seconds[one]
            if OSA.distance(tokens[at].key, second, score_cutoff=2) <= min(2, len(second) // 3)
        )
        senses = self._linker.senses((one, second))
        return senses if senses and senses[0].kind in _KINDS else None

    def suggestions(self, word: str) -> list[str]:
        """Names that may have been meant."""
        names = []
        for key in self.near(word):
            senses: Sequence[Sense] = self._linker.senses((key,))
            if senses and senses[0].kind in _KINDS:
                names.append(senses[0].name)
        return sorted(set(names))

    def _first(self, name: str) -> tuple[Sense, ...]:
        senses = self._linker.senses(name.split())
        return tuple(it for it in senses if it.kind == senses[0].kind and it.rank == senses[0].rank)
