"""What kind of answer a question wants: a frame, a type of thing, quantifiers, and what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from retrievers.plain.question.cues import Cue
from retrievers.plain.question.elements import Element, Elements, Slot, Word

YES_NO, LIST, COUNT, COMPARE, RELATION = "yes_no", "list", "count", "compare", "relation"
_SILENT = ("polite", "func", "harmless")
_COORDINATING = ("either", "both", "func", "of", "with", "type", "all", "any", "that")
_DOERS = frozenset(("inhibit", "activate", "bind", "act"))
_NEAR = 40  # elements: what is left out stands close
_MODAL = frozenset(["must", "should", "can", "cannot", "could", "may", "shouldn", "mustn", "couldn", "cant"])
_BE = frozenset(["is", "are", "was", "were", "be", "been", "being", "am"])


@dataclass(slots=True)
class Frame:
    """How a question is framed. `used`: the elements that this reading accounts for."""

    kind: str
    wanted: str | None = None
    quantifier: str | None = None
    negative: bool = False
    none: bool = False
    rhetorical: bool = False
    existential: bool = False
    why: bool = False
    excluded: list[Slot] = field(default_factory=list)
    used: set[int] = field(default_factory=set)


def frame_of(elements: Elements) -> Frame:
    """The frame of a question."""
    row = elements.row
    lead = next((at for at, it in enumerate(row) if not _silent(it)), len(row))
    frame = Frame(_kind(elements, lead))
    first = row[lead] if lead < len(row) else None
    frame.existential = (
        isinstance(first, Cue)
        and first.has("any")
        and frame.kind == YES_NO
        and elements.tokens[first.start].text in _BE
    )
    frame.why = any(cue.has("why") for cue in elements.cues)
    _quantify(frame, elements)
    _exclude(frame, elements)
    _negate(frame, elements, first)
    frame.wanted = _wanted(frame, elements)
    return frame


def _silent(element: Element) -> bool:
    if not isinstance(element, Cue) or element.has(
        "aux", "wh", "count", "whether", "how", "type", "rel", "any"
    ):
        return False
    return element.has(*_SILENT)


def _kind(elements: Elements, lead: int) -> str:
    cues = elements.cues
    if any(cue.has("count") for cue in cues):
        return COUNT
    if any(cue.has("whether") for cue in cues):
        return YES_NO
    if _opens_yes_no(elements, lead):
        return _late_question(elements.row, lead) or YES_NO
    if any(cue.has("compare") for cue in cues) and len(elements.slots) > 1 and not _combines(cues):
        return COMPARE
    if any(cue.has("wh", "why", "whowhere") for cue in cues):
        return LIST
    asks_how = any(cue.has("how") for cue in cues)
    return RELATION if asks_how else YES_NO if _closes_yes_no(elements) else LIST


def _opens_yes_no(elements: Elements, lead: int) -> bool:
    """Whether the first word that counts is an auxiliary, also a denied one, or "is there"."""
    first = elements.row[lead] if lead < len(elements.row) else None
    if not isinstance(first, Cue):
        return False
    exists = first.has("any") and elements.tokens[first.start].text in _BE
    return first.has("aux") or exists or (first.has("neg") and _contracted(elements, lead))


def _late_question(row: Sequence[Element], lead: int) -> str | None:
    """What is asked later, as in "Do you happen to know which …"."""
    asked = next((it for it in row[lead + 1 :] if isinstance(it, Slot) or _asks(it)), None)
    if not isinstance(asked, Cue) or _relative(row, asked):
        return None
    return COUNT if asked.has("count") else LIST


def _closes_yes_no(elements: Elements) -> bool:
    """Whether a statement is put as a question: by its end, by an auxiliary inside, or by its verb."""
    row, cues, slots = elements.row, elements.cues, elements.slots
    asks = elements.text.rstrip(" \"'”)").endswith("?")
    last = row[-1] if row else None
    if isinstance(last, Cue) and last.has("tag") and slots and len(row) > 2:
        return not isinstance(row[-2], Cue) or (asks and len(slots) > 1)
    first = cues[0] if cues else None
    if first is not None and first.has("polite") and asks and len(slots) > 1:
        opening = " ".join(token.text for token in elements.tokens[first.start : first.end])
        if opening in {"would you", "could you", "can you"} and not any(
            cue.has("polite") for cue in cues[1:3]
        ):
            return True
    if any(cue.has("polite") for cue in cues[:2]):
        return False
    if asks and any(cue.has("aux") for cue in cues):
        return True
    typed = any(cue.has("type") and cue.value("type") != "relation" for cue in cues)
    if asks and len(slots) > 1 and not typed:
        return True
    verb = any(cue.has("rel") and cue.form == "verb" for cue in cues)
    return len(slots) > 1 and verb and _states(elements)


def _asks(element: Element) -> bool:
    return isinstance(element, Cue) and element.has("wh", "count", "how")


def _relative(row: Sequence[Element], cue: Cue) -> bool:
    """Whether `which` goes on with a noun instead of asking."""
    at = row.index(cue)
    before = row[at - 1] if at else None
    return isinstance(before, Slot) or (isinstance(before, Cue) and before.has("type"))


def _contracted(elements: Elements, lead: int) -> bool:
    words = [token.text for token in elements.tokens[elements.row[lead].start : elements.row[lead].end]]
    return (len(words) > 1 and words[-1] == "t") or words[0] in {"isnt", "doesnt", "dont", "arent", "cant"}


def _combines(cues: Sequence[Cue]) -> bool:
    return any(
        "combine" in cue.values("rel") and not cue.has("both", "with", "func", "except") for cue in cues
    )


def _states(elements: Elements) -> bool:
    """A sentence whose verb stands between two names."""
    slots = elements.slots
    for cue in elements.cues:
        if cue.has("rel") and cue.form == "verb" and slots[0].end <= cue.start and cue.end <= slots[-1].start:
            row = elements.row
            before = row[row.index(cue) - 1]
            return not (isinstance(before, Cue) and before.has("that"))
    return False


def _quantify(frame: Frame, elements: Elements) -> None:
    for cue in elements.cues:
        for role in ("either", "both", "any", "all"):
            if (
                cue.has(role)
                and frame.quantifier is None
                and elements.tokens[cue.start].text not in {"and", "plus"}
            ):
                frame.quantifier = role


def _exclude(frame: Frame, elements: Elements) -> None:
    """Names right behind "other than"; those behind "but do not …", with a positive part before."""
    row = elements.row
    for at, element in enumerate(row):
        if not isinstance(element, Cue):
            continue
        if element.has("except"):
            taken = _coordinated(row, at + 1, verbs=False)
            if not any(isinstance(row[it], Slot) for it in taken) and at and isinstance(row[at - 1], Slot):
                taken = [at - 1]
        elif element.has("neg") and (_positive_before(elements, at) or _no_member(elements, at)):
            taken = _coordinated(row, at + 1, verbs=True)
        else:
            continue
        slots = [row[place] for place in taken]
        names = [it for it in slots if isinstance(it, Slot)]
        if names:
            frame.excluded.extend(names)
            frame.used.add(element.start)


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
            if isinstance(row[place], Cue)
            and elements.tokens[row[place].start].text in {"but", "and", "yet", "though", "while"}
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
    be = isinstance(before, Cue) and elements.tokens[before.end - 1].text in _BE
    denied = elements.tokens[row[at].start].text in {"isn", "aren"}
    if not (be or denied) or at < 2 or not isinstance(behind, Slot) or behind.kind != "class":
        return False
    return sum(isinstance(it, Slot) for it in row) > 1


def _forbids(elements: Elements, cue: Cue) -> bool:
    """Whether "must not be taken with" asks for what interacts."""
    near = {token.text for token in elements.tokens[max(cue.start - 1, 0) : cue.end + 1]}
    if not near & _MODAL or any(token.text.startswith("interact") for token in elements.tokens):
        return False
    return any(it.has("with", "both") or "combine" in it.values("rel") for it in elements.cues)


def _negate(frame: Frame, elements: Elements, first: Element | None) -> None:
    for cue in elements.cues:
        if cue.has("neg") and cue.start not in frame.used and not cue.has("tag"):
            if _forbids(elements, cue):
                frame.used.add(cue.start)
            elif cue is first and frame.kind == YES_NO and _contracted(elements, elements.row.index(cue)):
                frame.rhetorical = True
            else:
                frame.negative = True
                frame.none |= elements.tokens[cue.start].text in {"no", "none", "neither"}


def _wanted(frame: Frame, elements: Elements) -> str | None:
    """The first type of thing behind the question word that is not put before a name as its description."""
    row = elements.row
    asking = next(
        (at for at, it in enumerate(row) if isinstance(it, Cue) and it.has("wh", "count", "any", "all")), -1
    )
    order = [*range(max(asking, 0), len(row)), *range(max(asking, 0))]
    if frame.kind == YES_NO and not frame.existential:
        return None
    for at in order:
        element = row[at]
        if isinstance(element, Slot) and asking >= 0 and at == asking + 1:
            break
        if isinstance(element, Cue) and element.has("type") and not apposed(elements, at):
            return element.value("type")
    return "drug" if any(_heads(row, at) for at in range(len(row))) else None


def _heads(row: Sequence[Element], at: int) -> bool:
    """Whether "inhibitors" at a place is what is asked for: "which inhibitors", "DRD2 antagonists"."""
    cue = row[at]
    if not isinstance(cue, Cue) or cue.form != "agent" or not set(cue.values("rel")) & _DOERS:
        return False
    before = row[at - 1] if at else None
    if isinstance(before, Slot):
        return before.kind in {"protein", "family"}
    return (
        before is None or before.has("wh", "count", "all", "any", "polite")
        if not isinstance(before, Word)
        else False
    )


def apposed(elements: Elements, at: int) -> bool:
    """Whether the type at a place only describes the name beside it, as in "the enzyme COX-1"."""
    row = elements.row
    cue = row[at]
    value = cue.value("type") if isinstance(cue, Cue) else None
    if value is None:
        return False
    kinds = _TYPE_KINDS.get(value.partition(":")[0], ())
    after = row[at + 1] if at + 1 < len(row) else None
    before = row[at - 1] if at else None
    if isinstance(after, Slot) and after.kind in kinds:
        gap = elements.between(row[at], after)
        return gap.strip(" \"'“‘") == "" and not (
            isinstance(before, Cue) and before.has("wh", "count", "all", "any")
        )
    if isinstance(before, Slot) and before.kind in kinds and value != "drug":
        return elements.between(before, row[at]).strip(" \"'”’-") == ""
    return False


_TYPE_KINDS = {
    "drug": ("drug", "absent_drug", "unknown"),
    "protein": ("protein", "family", "absent_protein", "unknown"),
    "effect": ("effect", "condition"),
    "pathway": ("pathway",),
    "reaction": ("reaction",),
    "class": ("class",),
}
