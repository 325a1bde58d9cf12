"""Whether a question describes the things it is about: then no name in it says what to look up."""

from __future__ import annotations

from collections import Counter

from retrievers.plain.question.elements import Elements
from retrievers.plain.question.frames import YES_NO, Frame
from retrievers.plain.question.reading import is_strange
from retrievers.plain.question.sentences import refers_back

# Questions that name things are shorter, unless they tell a case.
_LONG = 24
_TOLD = 3
_MUCH_TOLD = 5
_ARGUMENTS = ("drug", "protein", "class")


def describes(whole: Elements, asking: Elements, frame: Frame) -> bool:
    """Whether the ranking has to find what is meant.

    whole: the names and cues of all that was written; asking: those of the sentence that asks, read as
    `frame`. What is told of a thing are the words that are neither names nor cues, conditions and effects;
    a case that names a drug tells of somebody, and is none, as long as its question names one too.
    """
    if frame.kind == YES_NO and not any(cue.has("wh") for cue in asking.cues):
        return False
    strange = sum(is_strange(word.text) for word in asking.words)
    if asking.slots and strange > 1 and 2 * strange >= len(asking.words):
        return False  # of another language: told so
    kinds = Counter(slot.kind for slot in whole.slots)
    words = len(whole.words)
    if not kinds["drug"]:
        told = words + kinds["condition"] + kinds["absent_drug"] + kinds["absent_protein"]
        told += max(0, kinds["effect"] - 1)
        return words >= _MUCH_TOLD or (len(whole.tokens) >= _LONG and told >= _TOLD)
    if len(asking.words) >= _MUCH_TOLD:
        return True
    names = any(slot.kind in _ARGUMENTS for slot in asking.slots)
    if len(asking.words) < _TOLD - 1 and refers_back(asking, few=1):
        return False
    return words >= _MUCH_TOLD and not names
