"""The reading of a question: its frame, its names by kind, its relation, and what is left over."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from retrievers.plain.names.vocabulary import english_words, ordinary_words
from retrievers.plain.question.cues import Cue
from retrievers.plain.question.direction import AGENT, DIRECTED, PATIENT, Governed, govern
from retrievers.plain.question.elements import Element, Elements, Slot, Word
from retrievers.plain.question.frame import COMPARE, YES_NO, Frame
from retrievers.plain.question.frames import apposed, frame_of

PROTEINS = ("protein", "family")
STRANGERS = ("absent_drug", "absent_protein", "unknown")
POLAR = frozenset(("inhibit", "activate"))
TARGETING = frozenset(("inhibit", "activate", "bind", "act"))
_SILENT = (
    "polite", "func", "harmless", "wh", "aux", "count", "whether", "tag", "by", "of", "with", "that",
    "either", "both", "any", "all", "how", "type",
)  # fmt: skip
_MARKED = ("except", "why", "whowhere")
# What makes another English word of one, as in "cofactor" and "noncompetitive".
_BEFORE = ("anti", "co", "multi", "non", "post")
_CLAUSE = re.compile(r"[,;:.]\s*$|\s[-–—]\s*$|—\s*$")


@dataclass(slots=True)
class Reading:
    """A question as it was read. `used`: the places of elements that the chosen answer accounts for."""

    elements: Elements
    frame: Frame
    used: set[int] = field(default_factory=set)
    corrections: int = 0
    _meant: set[tuple[object, ...]] = field(default_factory=set)
    _types: frozenset[str] | None = None
    _last: tuple[frozenset[str], frozenset[str]] | None = (frozenset(), frozenset())

    @property
    def text(self) -> str:
        """The question."""
        return self.elements.text

    def slots(self, *kinds: str) -> list[Slot]:
        """The names of some kinds that are no exclusions, in reading order."""
        found: dict[tuple[object, ...], Slot] = {}
        for it in self.elements.slots:
            if it.kind in kinds and it not in self.frame.excluded:
                found.setdefault(_meaning(it), it)
        return list(found.values())

    def use(self, slots: Iterable[Slot]) -> None:
        """The answer accounts for some names."""
        for it in slots:
            self.used.add(it.start)
            self._meant.add(_meaning(it))

    @property
    def drugs(self) -> list[Slot]:
        """Drugs of the graph."""
        return self.slots("drug")

    @property
    def proteins(self) -> list[Slot]:
        """Proteins and families of them."""
        return self.slots(*PROTEINS)

    @property
    def classes(self) -> list[Slot]:
        """Classes of drugs."""
        return self.slots("class")

    @property
    def effects(self) -> list[Slot]:
        """Side effects that relations of the graph name."""
        return self.slots("effect")

    def relations(self) -> set[str]:
        """All that the relation words may mean; those that only join names are left out."""
        return {value for cue in self.elements.cues if not _joins(cue) for value in cue.values("rel")}

    def says_how(self) -> bool:
        """Whether a relation to a protein, or the type of thing that is wanted, is said at all."""
        return self.frame.wanted is not None or bool(self.relations() & TARGETING)

    def has_cue(self, role: str, *values: str) -> bool:
        """Whether a word of a role, with one of some meanings if any are given, is in the question."""
        return any(
            not values or set(cue.values(role)) & set(values) for cue in self.elements.cues if cue.has(role)
        )

    def values(self, role: str) -> list[str]:
        """What the words of a role mean, in reading order."""
        return [value for cue in self.elements.cues for value in cue.values(role)]

    def polarity_of(self, slot: Slot) -> str | None:
        """The relation to a protein that a name stands with: inhibit, activate, bind, act, or none."""
        governed = govern(self.elements, slot, TARGETING)
        if governed.cue is None:
            return None
        values = [value for value in governed.cue.values("rel") if value in TARGETING]
        return values[0]

    def against_the_grain(self) -> bool:
        """Whether a drug is said to be acted on, or a protein to act on something."""
        for kinds, proper in ((("drug", "class"), AGENT), (PROTEINS, PATIENT)):
            found = [govern(self.elements, it, DIRECTED) for it in self.slots(*kinds)]
            # Of coordinated names the one that stands right tells for all.
            if any(map(self._reversed, found)) and not any(it.role == proper for it in found):
                return True
        return False

    def _reversed(self, governed: Governed) -> bool:
        slot = governed.slot
        cue = governed.cue
        if cue is None or _joins(cue) or {"combine", "bind"} & set(cue.values("rel")):
            return False
        if _symmetric(self.elements, cue):
            return False
        return governed.role == (AGENT if slot.kind in PROTEINS else PATIENT)

    def leftover(
        self,
        *,
        relations: frozenset[str],
        roles: frozenset[str] = frozenset(),
        types: frozenset[str] | None = None,
    ) -> tuple[str, ...]:
        """Content words that nothing accounts for, if the answer is one of `relations` and uses `roles`.

        types: the types of things that the answer may tell of; None for all.
        """
        self._types = types
        start = clause_start(self.elements)
        self._last = relations, roles
        return self._unaccounted(start, relations, roles)

    def accept(self) -> None:
        """The answer needs no word of the question beside its names, such as that a property is not there."""
        self._last = None

    def unread(self) -> tuple[str, ...]:
        """What the chosen answer leaves over of the whole sentence, a case before it included."""
        return () if self._last is None else self._unaccounted(0, *self._last)

    def _unaccounted(self, start: int, relations: frozenset[str], roles: frozenset[str]) -> tuple[str, ...]:
        row = self.elements.row
        return tuple(
            self.elements.written(it)
            for at, it in enumerate(row)
            if at >= start and not self._accounted(it, relations, roles)
        )

    def _accounted(self, it: Element, relations: frozenset[str], roles: frozenset[str]) -> bool:
        if isinstance(it, Word):
            return False
        if isinstance(it, Slot):
            return it in self.frame.excluded or it.start in self.used or _meaning(it) in self._meant
        if it.start in self.frame.used or it.start in self.used:
            return True
        if it.has("neg") and not it.has("tag"):
            return self.frame.rhetorical or "neg" in roles
        compared = it.has("compare") and self.frame.kind == COMPARE
        related = it.has("rel") and bool(set(it.values("rel")) & relations)
        if self._types is not None and it.has("type") and not related:
            kinds = {value.partition(":")[0] for value in it.values("type")}
            if not kinds & self._types and not it.has("harmless"):
                return False
        # "When" asks at the beginning only; later it joins clauses.
        joins = it.has("func") and it.start > self.elements.row[0].start
        return compared or related or (it.has(*_SILENT, *roles) and (joins or not it.has(*_MARKED)))

    def strangers(self) -> list[Word]:
        """Words that are in no vocabulary: they may be names."""
        return [word for word in self.elements.words if is_strange(word.text)]


def is_strange(word: str) -> bool:
    """Whether a word is no English word and no number."""
    if len(word) < 3 or not any(char.isalpha() for char in word):
        return False
    english = english_words()
    return not (
        word in english
        or (word.endswith("s") and word[:-1] in english)
        or (word.endswith("es") and word[:-2] in english)
        or (word.endswith("ed") and (word[:-1] in english or word[:-2] in english))
        or (word.endswith("ing") and (word[:-3] in english or word[:-3] + "e" in english))
        or (word.endswith("ly") and word[:-2] in english)
        or any(
            word.startswith(it) and len(word) >= len(it) + 5 and word[len(it) :] in english for it in _BEFORE
        )
    )


def is_superlative(word: str) -> bool:
    """Whether a word is the superlative of another."""
    if not word.endswith("est") or len(word) < 6:
        return False
    stem = word[:-3]
    english = ordinary_words()
    near = {
        stem,
        stem + "e",
        stem[:-1] + "y" if stem.endswith("i") else stem,
        stem[:-1] if stem[-1] == stem[-2] else stem,
    }
    return word in english and bool(near & english)


def read(elements: Elements, corrections: int = 0) -> Reading:
    """The reading of a question whose names and cues were found."""
    reading = Reading(elements, frame_of(elements), corrections=corrections)
    for at, element in enumerate(elements.row):
        if isinstance(element, Cue) and element.has("type") and apposed(elements, at):
            reading.used.add(element.start)
    return reading


def clause_start(elements: Elements) -> int:
    """Where the clause begins that asks, if another one, a case or a wish, comes before it."""
    row = elements.row
    start = 0
    for at in range(1, len(row)):
        it = row[at]
        if (
            isinstance(it, Cue)
            and it.has("aux", "wh", "count", "whether", "how")
            and not it.has("that", "tag")
        ) and _CLAUSE.search(elements.between(row[at - 1], it)):
            start = at
    return start


def as_kind(reading: Reading, old: Slot, *kinds: str) -> bool:
    """Read a name as another kind of thing in place. Whether it names one."""
    new = old.read_as(*kinds)
    if new is None:
        return False
    row = reading.elements.row
    row[row.index(old)] = new
    return True


def with_slot(reading: Reading, old: Element, slot: Slot) -> None:
    """Put a name in the place of another element."""
    row = reading.elements.row
    row[row.index(old)] = replace(slot, start=old.start, end=old.end)


def _meaning(slot: Slot) -> tuple[object, ...]:
    """What a name means: names that are repeated are one."""
    return tuple((it.kind, it.target) for it in slot.best)


def _joins(cue: Cue) -> bool:
    """Whether a cue with a relation's meaning is a conjunction or preposition first."""
    return cue.has("both", "with", "func", "of", "except", "polite", "tag")


def _symmetric(elements: Elements, cue: Cue) -> bool:
    return elements.tokens[cue.start].text.startswith(("interact", "bind", "bound"))


__all__ = ["YES_NO", "Reading", "read"]
