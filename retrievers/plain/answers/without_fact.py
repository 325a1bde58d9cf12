"""What is acted on, or acts, but not in one way: "the targets of X that it does not inhibit"."""

from __future__ import annotations

from retrievers.plain.answers.asked import Asked
from retrievers.plain.answers.gathering import without
from retrievers.plain.answers.replies import WIDE
from retrievers.plain.question.cues import Cue
from retrievers.plain.question.elements import Slot
from retrievers.plain.question.frame import COMPARE, RELATION
from retrievers.plain.question.reading import POLAR, TARGETING
from retrievers.plain.records import PlainAnswer

_DENYING = ("neg", "except")
_BASE = TARGETING | {"combine"}
_OPPOSITE = {"inhibit": "activate", "activate": "inhibit"}
_NOTE = "those without such a fact; that is no proof of the contrary"


def without_fact(asked: Asked) -> PlainAnswer | None:
    """The targets of a drug, or the drugs on a protein, less those with a fact of the relation denied.

    None where no relation is denied, or where nothing else says which things are meant: of all there
    are, what does not act on something is not known.
    """
    reading, replies, gathering = asked.reading, asked.replies, asked.gathering
    named = [*asked.drugs, *asked.proteins]
    if len(named) != 1 or asked.effects or asked.kind in {COMPARE, RELATION} or reading.frame.excluded:
        return None
    denied = _denied(asked)
    if denied is None:
        return None
    denying, cue = denied
    base = _base(asked, cue)
    if base is None:
        return None
    slot = named[0]
    polar = next(value for value in cue.values("rel") if value in POLAR)
    replies.use([*named, *asked.classes])
    reading.used.update((denying.start, cue.start))
    reading.frame.negative = False
    accounted = frozenset({*_BASE, "class"}) if base == "act" else frozenset({base, "bind"})
    leftover = reading.leftover(relations=accounted, roles=frozenset({"except", "neg"}))
    drug = slot.kind == "drug"
    understood = replies.understood(
        "list" if asked.kind != "count" else "count",
        [slot] if drug else asked.classes,
        [] if drug else [slot],
        relation=base,
        direction="forward",
        leftover=leftover,
    )
    ends = gathering.places(slot)
    found = gathering.acting(ends, base, tails=not drug)
    found = without(found, gathering.acting(ends, polar, tails=not drug))
    for it in asked.classes:
        members = set(gathering.places(it))
        found = {at: support for at, support in found.items() if at in members}
    replies.note(_NOTE)
    name = replies.called(slot)
    return replies.listing(understood, found, WIDE, f"no fact of {name} is of another relation alone")


def _denied(asked: Asked) -> tuple[Cue, Cue] | None:
    """What denies, and the relation that it denies: the first behind it, with no other name between."""
    row = asked.reading.elements.row
    for at, it in enumerate(row):
        if not isinstance(it, Cue) or not _denies(asked, it):
            continue
        if set(it.values("rel")) & POLAR:
            return it, it  # "uninhibited"
        for behind in row[at + 1 :]:
            if isinstance(behind, Slot) and behind.kind not in {"drug", "protein", "family"}:
                break
            if isinstance(behind, Cue) and set(behind.values("rel")) & POLAR and not behind.has("func"):
                return it, behind
    return None


def _denies(asked: Asked, cue: Cue) -> bool:
    text = asked.reading.elements.tokens[cue.start].text
    return cue.has(*_DENYING) and not cue.has("tag") and text not in {"beside", "beyond", "besides"}


def _base(asked: Asked, denied: Cue) -> str | None:
    """The relation that says which things are meant, beside the one that is denied."""
    elements = asked.reading.elements
    for it in elements.cues:
        values = [value for value in it.values("rel") if value in _BASE]
        if it is denied or not values or it.has("with", "both", "func", "except"):
            continue
        polar = next((value for value in values if value in POLAR), None)
        return polar if polar == _OPPOSITE.get(_polar(denied)) else "act"
    words = {token.text for token in elements.tokens}
    return "act" if words & {"target", "targets"} else None


def _polar(cue: Cue) -> str:
    return next(value for value in cue.values("rel") if value in POLAR)
