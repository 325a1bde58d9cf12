"""What a question leaves out: "other than X", "but not Y", "X aside", and what "which others" knows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from retrievers.plain.question.cues import Cue
from retrievers.plain.question.elements import Element, Elements, Slot, Word
from retrievers.plain.question.frame import BE, COUNT, LIST, Frame

_COORDINATING = ("by", "either", "both", "func", "of", "with", "type", "all", "any", "that")
_POSTPOSED = frozenset(
    ["aside", "included", "excluded", "excepted", "omitted", "out", "counted", "considered", "exempt"]
)
_OTHERS = frozenset(
    ("other", "others", "else", "another", "alternative", "alternatives", "further", "additional")
)
_JOINTS = frozenset(("but", "and", "yet", "though", "while", "that", "which", "who"))
_NEAR = 40  # elements: what is left out stands close


def says_other(elements: Elements) -> bool:
    """Whether a question asks for other things than those that it names."""
    start = elements.row[0].start if elements.row else 0
    words = [token.text for token in elements.tokens[start:]]
    return any(it in _OTHERS for it in words) or ("what", "more") in set(pairwise(words))


def leave_out_others(frame: Frame, elements: Elements) -> None:
    """What "which other drugs" names as known is left out: the drugs beside a protein."""
    if not says_other(elements):
        return
    named = [it for it in elements.slots if it not in frame.excluded]
    drugs = [it for it in named if it.kind == "drug"]
    proteins = [it for it in named if it.kind in {"protein", "family"}]
    if not drugs or not proteins:
        return
    wanted = (frame.wanted or "").partition(":")[0] or _asked_end(elements)
    if wanted not in {"drug", "protein"}:
        return
    frame.wanted = frame.wanted or wanted
    frame.excluded.extend(drugs if wanted == "drug" else proteins)
    than = [it for it in elements.cues if elements.tokens[it.start].text == "than"]
    frame.used.update(it.start for it in than)


def _asked_end(elements: Elements) -> str | None:
    """Whether "what else" asks for what acts or for what is acted on."""
    row = elements.row
    asking = next((at for at, it in enumerate(row) if isinstance(it, Cue) and it.has("wh")), None)
    if asking is None:
        return None
    for it in row[asking + 1 :]:
        if isinstance(it, Slot):
            return "protein" if it.kind == "drug" else "drug"
        if isinstance(it, Cue):
            text = elements.tokens[it.start].text
            if text in {"it", "they", "he", "she"}:
                return "protein"
            if it.has("rel") and not it.has("func", "harmless", "of", "with", "both"):
                return "drug"
    return None


def sort_of(slot: Slot) -> str:
    """The kind of a name; families are proteins."""
    return "protein" if slot.kind == "family" else slot.kind


def exclude(frame: Frame, elements: Elements) -> None:
    """Names right behind "other than"; those behind "but do not …", with a positive part before."""
    row = elements.row
    for at, element in enumerate(row):
        if not isinstance(element, Cue):
            continue
        if element.has("except"):
            last = elements.tokens[element.end - 1].text
            before = at and isinstance(row[at - 1], Slot) and last in _POSTPOSED
            taken = [at - 1] if before else _coordinated(row, at + 1, verbs=last == "without")
        elif frame.kind in {LIST, COUNT} and _bare_not(elements, at):
            taken = _coordinated(row, at + 1, verbs=False)
        elif element.has("neg") and (_positive_before(elements, at) or _no_member(elements, at)):
            taken = _coordinated(row, at + 1, verbs=True)
        else:
            continue
        slots = [row[place] for place in taken]
        names = [it for it in slots if isinstance(it, Slot)]
        if names:
            frame.excluded.extend(names)
            frame.used.add(element.start)


def _bare_not(elements: Elements, at: int) -> bool:
    """Whether "not X", "that aren't X" or "everything but X" leaves out a name and nothing else."""
    row = elements.row
    cue = row[at]
    but = isinstance(cue, Cue) and elements.tokens[cue.start].text == "but" and cue.end == cue.start + 1
    if not isinstance(cue, Cue) or not (cue.has("neg") or but):
        return False
    behind = next(
        (it for it in row[at + 1 :] if not (isinstance(it, Cue) and it.has("func", "of", "type"))), None
    )
    return (
        isinstance(behind, Slot)
        and behind.kind in {"drug", "protein", "family"}
        and any(sort_of(it) != sort_of(behind) for it in elements.slots)
    )


def _coordinated(row: Sequence[Element], start: int, *, verbs: bool) -> list[int]:
    found: list[int] = []
    for place in range(start, min(start + _NEAR, len(row))):
        element = row[place]
        if isinstance(element, Slot):
            found.append(place)
        elif isinstance(element, Word):
            break
        elif (element.has("rel") and not element.has("func", "with", "both")) or element.has("aux"):
            if not verbs or found:
                break
        elif not element.has(*_COORDINATING, "harmless", "rel"):
            break
    return found


def _positive_before(elements: Elements, at: int) -> bool:
    """Whether a clause before the negation already says what is wanted."""
    row = elements.row
    joint = next(
        (
            place
            for place in range(at - 1, max(at - _NEAR, -1), -1)
            if isinstance(row[place], Cue) and elements.tokens[row[place].start].text in _JOINTS
        ),
        None,
    )
    if joint is None:
        return False
    before = row[max(joint - _NEAR, 0) : joint]
    return any(isinstance(it, Slot) for it in before) and any(
        isinstance(it, Cue) and it.has("rel") for it in before
    )


def _no_member(elements: Elements, at: int) -> bool:
    """Whether "are not" is followed by a class, and something else is named: "that are not opioids"."""
    row = elements.row
    behind = next(
        (it for it in row[at + 1 : at + _NEAR] if not (isinstance(it, Cue) and it.has("func"))), None
    )
    before = row[at - 1] if at else None
    be = isinstance(before, Cue) and elements.tokens[before.end - 1].text in BE
    denied = elements.tokens[row[at].start].text in {"isn", "aren"}
    if not (be or denied) or at < 2 or not isinstance(behind, Slot) or behind.kind != "class":
        return False
    return sum(isinstance(it, Slot) for it in row) > 1
