"""Names as people misspell them: the nearest known one, if it is the only one near."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from retrievers.plain.names.linker import Linker, Sense
from retrievers.plain.names.words import spelt

_SHORTEST, _LONG = 5, 8
_KINDS = frozenset(("drug", "class", "effect", "thing", "label"))
_STRANGE = frozenset(("absent_drug", "condition"))


class Speller:
    """Names of one word by first letter and length. Safe to share."""

    def __init__(self, linker: Linker) -> None:
        self._linker = linker
        self.near = lru_cache(maxsize=4096)(self._find)
        self._by_start: dict[tuple[str, int], list[str]] = defaultdict(list)
        parts: set[str] = set()
        for key in linker:
            words = key.split()
            kinds = linker.kinds(key)
            if len(words) == 1 and kinds & (_KINDS | _STRANGE):
                parts.add(key)
            elif kinds & {"drug", "protein", "class", "family", "effect"}:
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

    def suggestions(self, word: str) -> list[str]:
        """Names that may have been meant."""
        names = []
        for key in self.near(word):
            senses: Sequence[Sense] = self._linker.senses((key,))
            if senses and senses[0].kind in _KINDS:
                names.append(senses[0].name)
        return sorted(set(names))

    def _first(self, name: str) -> tuple[Sense, ...]:
        senses = self._linker.senses((name,))
        return tuple(it for it in senses if it.kind == senses[0].kind and it.rank == senses[0].rank)
