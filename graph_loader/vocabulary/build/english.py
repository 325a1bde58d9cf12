"""Words of English, which names of few letters must not be taken for."""

from __future__ import annotations

from functools import lru_cache
from importlib import resources


@lru_cache(maxsize=1)
def english_words() -> frozenset[str]:
    """The words of the frequency list of English that the package symspellpy ships."""
    file = resources.files("symspellpy") / "frequency_dictionary_en_82_765.txt"
    return frozenset(line.split()[0] for line in file.read_text(encoding="utf-8-sig").splitlines())
