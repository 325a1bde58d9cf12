"""What kind of answer a question wants: a frame, a type of thing, quantifiers, and what it leaves out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from retrievers.plain.question.cues import Cue
from retrievers.plain.question.elements import Element, Elements, Slot, Word
from retrievers.plain.question.frame import BE, COMPARE, COUNT, LIST, RELATION, YES_NO, Frame
from retrievers.plain.question.leaving_out import exclude, leave_out_others, sort_of

_PUT = frozenset(
    ("would you", "could you", "can you", "could i get", "can i get", "could we get", "can we get")
)
_SILENT = ("polite", "func", "harmless")
_DOERS = frozenset(("inhibit", "activate", "bind", "act"))


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
        and elements.tokens[first.start].text in BE
    )
    frame.why = any(cue.has("why") for cue in elements.cues)
    _quantify(frame, elements)
    exclude(frame, elements)
    _negate(frame, elements, first)
    frame.wanted = _wanted(frame, elements)
    if frame.kind in {LIST, COUNT}:
        leave_out_others(frame, elements)
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
    asked = any(cue.has("whether") for cue in cues)
    if asked or _any_between(elements, lead) or _clause_asks(elements):
        return YES_NO
    if _opens_yes_no(elements, lead):
        return _late_question(elements.row, lead) or YES_NO
    if any(cue.has("compare") for cue in cues) and len(elements.slots) > 1 and not _combines(cues):
        return COMPARE
    if any(cue.has("wh", "why", "whowhere") for cue in cues):
        return LIST
    asks_how = any(cue.has("how") for cue in cues)
    return RELATION if asks_how else YES_NO if _closes_yes_no(elements) else LIST


def _any_between(elements: Elements, lead: int) -> bool:
    """Whether "any interaction: A / B" asks if there is one between what is named."""
    first = elements.row[lead] if lead < len(elements.row) else None
    if not isinstance(first, Cue) or not first.has("any") or len(elements.slots) < 2:
        return False
    if any(_heads(elements.row, at) for at in range(len(elements.row))):
        return False
    types = [it.value("type") for it in elements.cues if it.has("type")]
    return all(it in {"relation", "effect"} for it in types) and not any(
        cue.has("wh", "either") for cue in elements.cues
    )


def _clause_asks(elements: Elements) -> bool:
    """Whether "When A is given with B, does C occur?" asks in its second clause."""
    row = elements.row
    first = row[0] if row else None
    if not isinstance(first, Cue) or not first.has("whowhere", "func", "polite"):
        return False
    if any(it.has("wh") and not it.has("that") for it in elements.cues):
        return False
    for one, other in pairwise(row):
        if isinstance(other, Cue) and other.has("aux") and "," in elements.between(one, other):
            return elements.text.rstrip(" \"'”)").endswith("?")
    return False


def _opens_yes_no(elements: Elements, lead: int) -> bool:
    """Whether the first word that counts is an auxiliary, also a denied one, or "is there"."""
    first = elements.row[lead] if lead < len(elements.row) else None
    if not isinstance(first, Cue):
        return False
    exists = first.has("any") and elements.tokens[first.start].text in BE
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
    if _asks_for_things(elements, asks=asks):
        return False
    typed = any(cue.has("type") and cue.value("type") != "relation" for cue in cues)
    several = len(slots) > 1
    if (asks and several and not typed and _states(elements)) or (asks and _put(elements, typed=typed)):
        return True
    if any(cue.has("polite") for cue in cues[:2] if not slots or cue.start < slots[0].start):
        return False
    if asks:
        return any(cue.has("aux") for cue in cues) or (several and not typed)
    verb = any(cue.has("rel") and cue.form == "verb" for cue in cues)
    leaves = any(cue.has("except") for cue in cues)
    return several and verb and not leaves and _states(elements)


def _asks_for_things(elements: Elements, *, asks: bool) -> bool:
    """Whether a phrase without a verb asks for things: "any inhibitors of X that aren't Y?"."""
    row = elements.row
    lead = next((it for it in row if not _silent(it)), None)
    typed = any(cue.has("type") and cue.value("type") != "relation" for cue in elements.cues)
    headed = any(_heads(row, at) for at in range(len(row)))
    cue = lead if isinstance(lead, Cue) else None
    if cue is not None and cue.has("any", "all") and (typed or headed or not asks):
        return True
    return headed and not asks and not (cue is not None and cue.has("aux"))


def _put(elements: Elements, *, typed: bool) -> bool:
    """Whether "could I get", "would you" … puts a question of yes or no."""
    first = elements.cues[0] if elements.cues else None
    if first is None or not first.has("polite") or len(elements.slots) < 2 or typed:
        return False
    opening = " ".join(token.text for token in elements.tokens[first.start : first.end])
    return opening in _PUT and not any(cue.has("polite") for cue in elements.cues[1:3])


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
    if any(cue.has("either") and _between_like(elements, cue) for cue in elements.cues):
        frame.quantifier = "either"
    for cue in elements.cues:
        for role in ("either", "both", "any", "all"):
            if (
                cue.has(role)
                and frame.quantifier is None
                and elements.tokens[cue.start].text not in {"and", "plus"}
            ):
                frame.quantifier = role


def _between_like(elements: Elements, cue: Cue) -> bool:
    """Whether "or" stands between names of one kind, or "any of" before them."""
    before = [it for it in elements.slots if it.end <= cue.start]
    behind = [it for it in elements.slots if it.start >= cue.end]
    said = elements.tokens[cue.start].text == "or"
    if said:
        return bool(before and behind) and sort_of(before[-1]) == sort_of(behind[0])
    return len(behind) > 1 and sort_of(behind[0]) == sort_of(behind[1])


def _forbids(elements: Elements) -> bool:
    """Whether "must not be taken with" asks for what interacts."""
    if any(token.text.startswith(("interact", "target", "protein")) for token in elements.tokens):
        return False
    if any(it.kind in {"protein", "family"} for it in elements.slots):
        return False
    if not any(it.kind in {"drug", "class", "absent_drug", "effect"} for it in elements.slots):
        return False
    return any(it.has("with") or "combine" in it.values("rel") for it in elements.cues)


def _negate(frame: Frame, elements: Elements, first: Element | None) -> None:
    for cue in elements.cues:
        if cue.has("neg") and cue.start not in frame.used and not cue.has("tag"):
            if _forbids(elements):
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
            return _common_type(elements, at)
    return "drug" if any(_heads(row, at) for at in range(len(row))) else None


def _common_type(elements: Elements, at: int) -> str | None:
    """The type at a place; "receptors, enzymes or other proteins" are proteins of any sort."""
    row = elements.row
    element = row[at]
    value = element.value("type") if isinstance(element, Cue) else None
    if value is None or ":" not in value:
        return value
    general = value.partition(":")[0]
    for it in row[at + 1 :]:
        if not isinstance(it, Cue) or not it.has("type", "either", "both", "func", "harmless"):
            break
        if it.has("type") and (it.value("type") or "").partition(":")[0] == general:
            return general
    return value


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
