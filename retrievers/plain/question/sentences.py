"""Which sentence of a text asks."""

from __future__ import annotations

from retrievers.plain.names.words import sentences
from retrievers.plain.question.elements import Elements

_FEW_WORDS = 40


def asking_part(text: str) -> tuple[int, int]:
    """Characters [start, end) of the sentence that asks: the last with a question mark, else the last.

    A few words without a question mark are names more often than sentences: all of them ask.
    """
    found = sentences(text)
    if not found or (len(text) < _FEW_WORDS and "?" not in text):
        return 0, len(text)
    asking = [place for place in found if text[place[0] : place[1]].rstrip(" \"'”)!").endswith("?")]
    start, end = asking[-1] if asking else found[-1]
    return start, end


_BACK = frozenset(
    (
        *("it", "its", "them", "they", "their", "this", "these", "that", "those", "he", "she", "him", "her"),
        *("both", "also", "add", "start", "together", "too", "combine", "additionally", "same"),
    )
)


def refers_back(elements: Elements, few: int) -> bool:
    """Whether a question speaks of what was named before; `few`: how many names it has itself."""
    return few == 0 or any(token.text in _BACK for token in elements.tokens[elements.row[0].start :])
