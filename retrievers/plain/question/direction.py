"""Which relation a name stands with, and whether it is what acts or what is acted on."""

from __future__ import annotations

from dataclasses import dataclass

from retrievers.plain.question.cues import Cue
from retrievers.plain.question.elements import Elements, Slot

AGENT, PATIENT = "agent", "patient"
DIRECTED = frozenset(("inhibit", "activate", "act"))
_BE = frozenset(["is", "are", "was", "were", "be", "been", "being", "get", "gets"])
_DO = frozenset(["do", "does", "did", "has", "have", "had"])
_TARGETS = ("target", "targets")
_DOINGS = frozenset(("action", "actions", "effect", "effects", "activity", "mechanism", "mechanisms", "mode"))
_TO_PATIENT = frozenset(["of", "for", "at", "against", "on", "upon", "to", "towards", "toward"])
_IRREGULAR = frozenset(["hit", "bound", "shut", "switched", "turned"])


@dataclass(frozen=True, slots=True)
class Governed:
    """A name, the relation word that it stands with, if any, and its role there (None: no direction)."""

    slot: Slot
    cue: Cue | None
    role: str | None


def govern(elements: Elements, slot: Slot, values: frozenset[str]) -> Governed:
    """The nearest relation word of some meanings before a name, else behind it."""
    cue = governing(elements, slot, values)
    return Governed(slot, cue, None if cue is None else _role(elements, slot, cue))


def governing(elements: Elements, slot: Slot, values: frozenset[str]) -> Cue | None:
    """The relation word that a name stands with."""
    cues = [it for it in elements.cues if set(it.values("rel")) & values and not _filler(it)]
    behind = [it for it in cues if it.start >= slot.end]
    # "COX-2 inhibitors": the noun directly behind a name is the name's own.
    if behind and behind[0].form in {"agent", "noun"} and _adjacent(elements, slot, behind[0]):
        return behind[0]
    before = [it for it in cues if it.end <= slot.start]
    adjective = len(before) > 1 and before[-1].form == "noun" and before[-2].form != "agent"
    if adjective and _only_acts(before[-1]) and before[-2].end == before[-1].start:
        # "an agonistic action on": the adjective says more than the noun.
        return before[-2]
    if before and behind and _bare_target(elements, before[-1]) and _verb_of(elements, slot, behind[0]):
        return behind[0]  # "targets that X switches off": the verb says more than the noun
    if before:
        return before[-1]
    return behind[0] if behind else None


def _bare_target(elements: Elements, cue: Cue) -> bool:
    return elements.tokens[cue.end - 1].text in _TARGETS and _is_noun(elements, cue)


def _verb_of(elements: Elements, slot: Slot, cue: Cue) -> bool:
    """Whether a verb stands behind a name with nothing but small words between."""
    row = elements.row
    between = row[row.index(slot) + 1 : row.index(cue)]
    return cue.form in {"verb", "gerund", "past"} and all(
        isinstance(it, Cue) and it.has("func", "aux", "harmless", "neg") for it in between
    )


def _only_acts(cue: Cue) -> bool:
    return set(cue.values("rel")) & DIRECTED == {"act"}


def _filler(cue: Cue) -> bool:
    return cue.has("both", "with") and "combine" in cue.values("rel")


def _adjacent(elements: Elements, slot: Slot, cue: Cue) -> bool:
    return cue.start == slot.end and elements.between(slot, cue).strip(" -‐‑–/") == ""


def _role(elements: Elements, slot: Slot, cue: Cue) -> str | None:
    word = elements.tokens[cue.end - 1].text
    before = slot.end <= cue.start
    beside = before and _adjacent(elements, slot, cue)
    by = _prepositions(elements, cue, slot)
    if word in _TARGETS and _is_noun(elements, cue):
        return _of_target(elements, slot, cue, before=before, beside=beside)
    if cue.form == "agent":
        return _of_doer(elements, slot, cue, by, beside=beside)
    if cue.form == "noun":
        return _of_process(word, by, before=before)
    if _passive(elements, cue, word):
        return _of_passive(elements, slot, cue, before=before)
    if before and cue.end < len(elements.tokens) and elements.tokens[cue.end].text in {"it", "them"}:
        return PATIENT  # "the channel: what blocks it"
    return AGENT if before else PATIENT


def _of_doer(elements: Elements, slot: Slot, cue: Cue, by: str | None, *, beside: bool) -> str | None:
    """The role of a name beside "inhibitor": before it the doer only if what is inhibited comes behind."""
    if slot.start >= cue.end:
        if slot.kind in {"drug", "class"} and _named_before(elements, cue):
            return AGENT  # "PTGS2 activator: does rofecoxib qualify"
        return PATIENT if by is None or by in _TO_PATIENT else AGENT
    if beside:
        # "propofol – inhibitor of P" is said of the drug.
        goes_on = any(it.start >= cue.end and it.kind in {"protein", "family"} for it in elements.slots)
        return AGENT if goes_on and slot.kind in {"drug", "class"} else PATIENT
    between = [token.text for token in elements.tokens[slot.end : cue.start]]
    said = bool(between) and set(between) <= {"a", "an", "the", "is", "are", "as"}
    return AGENT if said or any(it.start >= cue.end for it in elements.slots) else None


def _named_before(elements: Elements, cue: Cue) -> bool:
    """Whether a protein stands directly before "inhibitor": then it is what is inhibited."""
    row = elements.row
    at = row.index(cue)
    before = row[at - 1] if at else None
    return isinstance(before, Slot) and before.kind in {"protein", "family"}


def _of_passive(elements: Elements, slot: Slot, cue: Cue, *, before: bool) -> str | None:
    """The role of a name beside "is inhibited": without "by" the form says nothing."""
    if not any(elements.tokens[it.start].text == "by" for it in elements.cues):
        return None
    between = {token.text for token in elements.tokens[cue.end : slot.start]}
    agent = "by" in between or (before and _behind_by(elements, slot))
    return AGENT if agent else PATIENT


def _of_process(word: str, by: str | None, *, before: bool) -> str | None:
    """The role of a name beside "inhibition of" or "action of"."""
    if before:
        return None
    if by == "of" and word in _DOINGS:
        return AGENT
    return AGENT if by in {"by", "with", "through", "via"} else PATIENT


def _of_target(elements: Elements, slot: Slot, cue: Cue, *, before: bool, beside: bool) -> str:
    """The role of a name beside the noun "target": what has it, unless it is said to be it."""
    joint = cue.end <= slot.start and any(
        it.has("both") for it in elements.cues if cue.end <= it.start < slot.start
    )
    if joint:
        return AGENT  # "targets shared by X"
    if before:
        named = _of_another(elements, cue) or _said_to_be(elements, slot, cue)
        return PATIENT if not beside and named else AGENT
    between = [elements.tokens[it.start].text for it in elements.cues if cue.end <= it.start < slot.start]
    return PATIENT if set(between) & _BE and not set(between) & {"of", "for"} else AGENT


def _said_to_be(elements: Elements, slot: Slot, cue: Cue) -> bool:
    """Whether something "is a target", is had "as a target", or is "among their targets"."""
    texts = [token.text for token in elements.tokens[slot.end : cue.start]]
    if not texts:
        return False
    beside = texts[0] in {"as", "among"} and len(texts) < 4
    return beside or texts[-1] in _BE or (len(texts) > 1 and texts[-1] in {"a", "the"} and texts[-2] in _BE)


def _of_another(elements: Elements, cue: Cue) -> bool:
    """Whether "target" goes on with "of" and a name: then what stands before is the target."""
    row = elements.row
    behind = row[row.index(cue) + 1 :]
    of = (
        bool(behind) and isinstance(behind[0], Cue) and elements.tokens[behind[0].start].text in {"of", "for"}
    )
    return of and any(isinstance(it, Slot) for it in behind)


def _is_noun(elements: Elements, cue: Cue) -> bool:
    """Whether "target" is the noun: the verb has what it targets right behind it."""
    row = elements.row
    at = row.index(cue)
    behind = [it for it in row[at + 1 :] if not (isinstance(it, Cue) and it.has("func", "either"))]
    after = behind[0] if behind else None
    before = row[at - 1] if at else None
    if isinstance(after, Slot) and (before is None or isinstance(before, Cue)):
        if {":", ","} & set(elements.between(cue, after)):
            return True
        said = None if before is None else elements.tokens[before.start].text
        told = (
            before is None or said in {"the", "its"} or not before.has("type", "that", "aux", "func", "neg")
        )
        if after.kind == "drug" and told:
            return True  # "how many targets X hits": no drug is a target
    if isinstance(after, Cue) and elements.tokens[after.start].text in {"of", "for"}:
        return True
    if isinstance(after, Slot) or (after is not None and elements.tokens[after.start].text in {"it", "them"}):
        return False
    return before is None or (isinstance(before, Cue) and not before.has("type")) or isinstance(before, Slot)


def _prepositions(elements: Elements, cue: Cue, slot: Slot) -> str | None:
    """The last preposition between a relation word and a name behind it."""
    if slot.start < cue.end:
        return None
    found = None
    for it in elements.cues:
        if cue.end <= it.start and it.end <= slot.start and it.has("by", "of", "with"):
            found = elements.tokens[it.start].text
    return found


def _passive(elements: Elements, cue: Cue, word: str) -> bool:
    first = elements.tokens[cue.start].text
    if not (cue.form == "past" or word in _IRREGULAR or first in _IRREGULAR or first.endswith("ed")):
        return False
    row = elements.row
    at = row.index(cue)
    words = [elements.tokens[it.start].text for it in row[:at] if isinstance(it, Cue)]
    if any(elements.tokens[it.start].text == "by" for it in row[at + 1 :] if isinstance(it, Cue)):
        return True
    if any(word in _DO for word in words) and not any(word in _BE for word in words):
        return False
    return any(word in _BE for word in words) or "by" in words


def _behind_by(elements: Elements, slot: Slot) -> bool:
    row = elements.row
    for it in reversed(row[: row.index(slot)]):
        if not isinstance(it, Cue):
            return False
        if elements.tokens[it.start].text == "by":
            return True
        asked = it.has("wh") and slot.kind == "class"
        if not asked and (it.has("wh") or not it.has("of", "func", "any", "all", "type")):
            return False
    return False
