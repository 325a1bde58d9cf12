"""How hard a text is to read."""

from __future__ import annotations

import re

_SENTENCE_END = re.compile(r"(?<=[.!?])[\"')\]”’]*\s+(?=[\"'(\[“‘]*[A-Z0-9])|\n\s*\n")
_WORD = re.compile(r"[A-Za-z]+(?:['’][a-z]+)?")
_VOWELS = re.compile(r"[aeiouy]+")
_ADDED = ("es", "ed", "ing")


def gunning_fog(text: str) -> float:
    """The fog index of an English text, in years of schooling; 0 for a text without words.

    0.4 × (words per sentence + per cent of words of three or more syllables), where
    syllables that -es, -ed or -ing add do not count, nor do words with a capital
    inside a sentence, which are names (Gunning, The Technique of Clear Writing,
    1952). Syllables are counted as runs of vowels, without a silent e.
    """
    words = hard = sentences = 0
    for sentence in _SENTENCE_END.split(text):
        found = _WORD.findall(sentence)
        if not found:
            continue
        sentences += 1
        words += len(found)
        hard += sum(_is_hard(word, opens=at == 0) for at, word in enumerate(found))
    return 0.4 * (words / sentences + 100 * hard / words) if words else 0.0


def syllables(word: str) -> int:
    """How many syllables an English word has, by its vowels; at least one."""
    lower = word.lower()
    count = len(_VOWELS.findall(lower))
    silent = (lower.endswith("e") and not lower.endswith(("le", "ee", "ye"))) or (
        lower.endswith("ed") and not lower.endswith(("ted", "ded"))
    )
    return max(1, count - silent)


def _is_hard(word: str, *, opens: bool) -> bool:
    if not opens and word[0].isupper():
        return False
    stem = next((word.removesuffix(end) for end in _ADDED if word.lower().endswith(end)), word)
    return syllables(word) >= 3 and (stem == word or syllables(stem) >= 3)
