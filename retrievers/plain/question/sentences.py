"""Which sentence of a text asks."""

from __future__ import annotations

import re

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
    found = _without_closings(text, found)
    asking = [place for place in found if text[place[0] : place[1]].rstrip(" \"'”)!").endswith("?")]
    start, end = asking[-1] if asking else found[-1]
    at = found.index((start, end))
    # "Is that correct?" and "Which ones?" are asked of the sentence before.
    if at and set(_WORD.findall(text[start:end].casefold())) <= _ASKED_AGAIN:
        start = found[at - 1][0]
    return start, end


def _without_closings(text: str, found: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The sentences without "Cheers!" and "Best regards, Anna" at the end."""
    while len(found) > 1:
        words = _WORD.findall(text[found[-1][0] : found[-1][1]].casefold())
        rest = [word for word in words if word not in _CLOSINGS]
        if len(rest) == len(words) or len(rest) > _SIGNED:
            break
        found = found[:-1]
    return found


_WORD = re.compile(r"[^\W_]+")
_SIGNED = 2  # words of a name
_CLOSINGS = frozenset(
    (
        *("thanks", "thank", "thx", "cheers", "regards", "best", "kind", "kindest", "warm", "many", "wishes"),
        *(
            "sincerely",
            "yours",
            "greetings",
            "all",
            "the",
            "with",
            "bye",
            "take",
            "care",
            "respectfully",
            "very",
        ),
        *("so", "much", "in", "advance", "you", "your", "help", "for", "cordially", "faithfully", "lot", "a"),
    )
)
_ASKED_AGAIN = frozenset(
    (
        *(
            "is",
            "are",
            "was",
            "this",
            "that",
            "it",
            "so",
            "true",
            "right",
            "correct",
            "accurate",
            "the",
            "case",
        ),
        *(
            "really",
            "do",
            "does",
            "did",
            "you",
            "agree",
            "am",
            "i",
            "can",
            "could",
            "confirm",
            "please",
            "or",
        ),
        *(
            "not",
            "false",
            "wrong",
            "yes",
            "no",
            "have",
            "which",
            "ones",
            "one",
            "what",
            "there",
            "they",
            "list",
        ),
        *(
            "them",
            "name",
            "would",
            "be",
            "hold",
            "holds",
            "any",
            "truth",
            "in",
            "to",
            "he",
            "she",
            "fact",
            "a",
        ),
    )
)


_BACK = frozenset(
    (
        *("it", "its", "them", "they", "their", "this", "these", "that", "those", "he", "she", "him", "her"),
        *("both", "also", "add", "start", "together", "too", "combine", "additionally", "same"),
    )
)


def refers_back(elements: Elements, few: int) -> bool:
    """Whether a question speaks of what was named before; `few`: how many names it has itself."""
    return few == 0 or any(token.text in _BACK for token in elements.tokens[elements.row[0].start :])
