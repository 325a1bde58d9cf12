"""Words of a question that speak of a structure: names of functional groups and rings, and parts of names.

The vocabulary is that of `biomolkg.molecules`. Chemical nomenclature builds
names of compounds from the names of their parts ("dichlorophenyl",
"pyrazolopyrimidine"), so the stem of a group's name counts inside a longer
word too, though less.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from biomolkg.molecules import group_vocabulary
from biomolkg.names import name_words

_GENERIC = frozenset(
    ("group", "ring", "moiety", "core", "system", "unit", "functional", "bridge", "linkage", "skeleton")
)
_LONGEST = 5  # words of one phrase
_SHORTEST_STEM = 5
_SHORTEST_COMPOUND = 7
_INSIDE = 0.7


@dataclass(frozen=True, slots=True)
class GroupPhrase:
    """Words [start, end) of a question name the group `name`; `weight` is how surely, in (0, 1]."""

    start: int
    end: int
    name: str
    weight: float


def group_phrases(words: Sequence[str]) -> list[GroupPhrase]:
    """Every group that the folded `words` of a question name, alone or inside a longer word."""
    return list(_phrases(words))


def _phrases(words: Sequence[str]) -> Iterator[GroupPhrase]:
    whole, stems = _vocabulary()
    for start, word in enumerate(words):
        for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            key = "".join(words[start:end])
            for name in whole.get(key) or whole.get(key.removesuffix("s"), ()):
                yield GroupPhrase(start, end, name, 1.0)
        if len(word) >= _SHORTEST_COMPOUND:
            for stem, names in stems.items():
                if stem in word and stem != word:
                    for name in names:
                        yield GroupPhrase(start, start + 1, name, _INSIDE)


@lru_cache(maxsize=1)
def _vocabulary() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    """Group names by what they are written as, without spaces; and by stems that occur inside words."""
    whole: dict[str, dict[str, None]] = {}
    for group in group_vocabulary():
        for text in (group.name, *group.synonyms):
            words = name_words(text)
            whole.setdefault("".join(words), {})[group.name] = None
            bare = [word for word in words if word not in _GENERIC]
            if bare:
                whole.setdefault("".join(bare), {})[group.name] = None
    stems: dict[str, dict[str, None]] = {}
    for key, names in whole.items():
        stem = key.removesuffix("e")
        if stem.isalpha() and len(stem) >= _SHORTEST_STEM:
            stems.setdefault(stem, {}).update(names)
    return (
        {key: tuple(names) for key, names in whole.items()},
        {stem: tuple(names) for stem, names in stems.items()},
    )
