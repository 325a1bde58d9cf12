"""Names as people get them wrong: a letter dropped, doubled, swapped with the next, or another one."""

from __future__ import annotations

import random

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# What is heard alike is written alike.
_ALIKE = (("ph", "f"), ("y", "i"), ("i", "y"), ("c", "k"), ("th", "t"), ("x", "ks"), ("ae", "e"), ("z", "s"))
_KEPT = 4  # letters that a word must have to be misspelt


def misspelt(name: str, chance: random.Random) -> str:
    """`name` with one mistake in one of its words; unchanged where no word has five letters in a row.

    The first letter of a word stays, as it mostly does in what people write.
    """
    places = [
        at
        for at in range(1, len(name) - 1)
        if all(name[near].isalpha() for near in (at - 1, at, at + 1)) and _run(name, at) > _KEPT
    ]
    if not places:
        return name
    alike = [
        (at, old, new) for at in places for old, new in _ALIKE if name[at : at + len(old)].lower() == old
    ]
    if alike and chance.random() < 0.3:
        at, old, new = chance.choice(alike)
        return name[:at] + new + name[at + len(old) :]
    at = chance.choice(places)
    before, letter, after = name[:at], name[at], name[at + 1 :]
    match chance.randrange(4):
        case 0:
            return before + after
        case 1:
            return before + letter + letter + after
        case 2 if after[0] != letter:
            return before + after[0] + letter + after[1:]
        case _:
            other = chance.choice([it for it in _LETTERS if it != letter.lower()])
            return before + other + after


def _run(text: str, at: int) -> int:
    """How many letters in a row there are around the place `at`."""
    start = end = at
    while start > 0 and text[start - 1].isalpha():
        start -= 1
    while end < len(text) and text[end].isalpha():
        end += 1
    return end - start
