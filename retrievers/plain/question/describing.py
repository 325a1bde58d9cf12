"""Whether a question describes the things it is about: then no name in it says what to look up."""

from __future__ import annotations

from collections import Counter

from retrievers.group_words import group_phrases
from retrievers.plain.question.elements import Elements
from retrievers.plain.question.frame import YES_NO, Frame
from retrievers.plain.question.reading import is_strange

# Questions that name things are shorter, unless they tell a case: tokens, and how much is told in them.
_LONG = ((20, 3), (24, 2))
_MUCH_TOLD = 5
_NAMED = ("drug", "protein")
_OF_GRAPH = (*_NAMED, "family", "class", "effect", "pathway", "reaction")
_GROUPS = 2
_PRONOUNS = frozenset(("it", "them", "they", "him", "her", "he", "she", "both", "together", "add", "start"))


def describes(whole: Elements, asking: Elements, frame: Frame) -> bool:
    """Whether the ranking has to find what is meant.

    whole: the names and cues of all that was written; asking: those of the sentence that asks, read as
    `frame`. What is told of a thing are the words that are neither names nor cues, conditions, further
    effects and classes; structures are told by two groups, however shortly. A case that names a drug
    tells of somebody, and describes nothing, as long as its question names one too or refers to it.
    """
    if not any(cue.has("wh") for cue in asking.cues):
        strange = sum(is_strange(word.text) for word in asking.words)
        if strange > 1 and 2 * strange >= len(asking.words):
            return False  # of another language: told so
        if frame.kind == YES_NO:
            return False
    kinds = Counter(slot.kind for slot in whole.slots)
    words = len(whole.words)
    told = words + kinds["condition"] + kinds["absent_drug"] + kinds["absent_protein"]
    told += max(0, kinds["effect"] - 1) + max(0, kinds["class"] + kinds["family"] - 1)
    if kinds["drug"]:
        if len(asking.words) >= _MUCH_TOLD:
            return True
        said = {token.text for token in asking.tokens[asking.row[0].start :]} if asking.row else set()
        named = any(slot.kind in _NAMED for slot in asking.slots) or said & _PRONOUNS
        return told >= _MUCH_TOLD and not named
    if words + kinds["absent_drug"] >= _GROUPS and _structures(whole) >= _GROUPS:
        return True
    return words >= _MUCH_TOLD or any(len(whole.tokens) >= size and told >= much for size, much in _LONG)


def _structures(whole: Elements) -> int:
    """How many functional groups and rings are spoken of, outside the names of what the graph has."""
    named = {at for slot in whole.slots if slot.kind in _OF_GRAPH for at in range(slot.start, slot.end)}
    words = [token.text for at, token in enumerate(whole.tokens) if at not in named]
    phrases = sorted((it.start, it.end) for it in group_phrases(words) if it.weight == 1.0)
    found, last = 0, 0
    for start, end in phrases:
        if start >= last:
            found, last = found + 1, end
    return found
