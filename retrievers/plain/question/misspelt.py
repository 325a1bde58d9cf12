"""Question words as people misspell them: "wich drugs inhibt …"."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from rapidfuzz import process
from rapidfuzz.distance import OSA

from retrievers.plain.names.vocabulary import ordinary_words
from retrievers.plain.names.words import Token
from retrievers.plain.question.cues import TABLES, Cue, lexicon, table_rows

_SHORTEST = 4


def misspelt_cue(word: str, start: int, end: int) -> Cue | None:
    """The cue that a word is one letter away from, as at tokens [start, end); None where several are."""
    if len(word) < _SHORTEST or not word.isalpha():
        return None
    known = _words()
    choices = [it for size in range(len(word) - 1, len(word) + 2) for it in known.get((word[0], size), ())]
    near = process.extract(word, choices, scorer=OSA.distance, score_cutoff=1, limit=3)
    cues = [lexicon().at([Token(it, it, 0, len(it), opens=True, closes=True)], 0) for it, *_ in near]
    readings = {cue.roles: cue for cue in cues if cue is not None}
    if len(readings) != 1:
        return None
    cue = next(iter(readings.values()))
    return Cue(start, end, cue.roles, cue.form)


@lru_cache(maxsize=1)
def _words() -> dict[tuple[str, int], list[str]]:
    """The words of the lexicon, and the ordinary words that its stems begin, by first letter and length."""
    words, stems = set(), set()
    for table in TABLES:
        for _, _, phrases in table_rows(table):
            for phrase in phrases.split("|"):
                if phrase.isalpha():
                    words.add(phrase)
                elif phrase.endswith("*") and phrase[:-1].isalpha() and len(phrase) > _SHORTEST:
                    stems.add(phrase[:-1])
    shortest = min(map(len, stems))
    for word in ordinary_words():
        if any(word[:size] in stems for size in range(shortest, len(word) + 1)):
            words.add(word)
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for word in sorted(words):
        if len(word) >= _SHORTEST:
            found[word[0], len(word)].append(word)
    return found
