"""Answers put together: what is told, how surely, and in which words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from retrievers.hits import EntityRef
from retrievers.plain.answers.gathering import Gathering, Support
from retrievers.plain.question.elements import Slot
from retrievers.plain.question.frame import COUNT
from retrievers.plain.question.reading import STRANGERS, Reading
from retrievers.plain.records import (
    NO_FACT,
    NOT_UNDERSTOOD,
    Fact,
    Item,
    Named,
    PlainAnswer,
    Understood,
)

DIRECT, SIGNAL, CURATED, PASSAGE, WIDE, DISPUTED, MODEL = 0.93, 0.85, 0.88, 0.85, 0.7, 0.7, 0.6
CORRECTED = 0.85
UNREAD = (1.0, 0.5, 0.4, 0.3)
_SHOWN = 12
_CITED = 50
SIGNAL_NOTE = "one signal of spontaneous reports: TWOSIDES is sampled, one effect a pair"
NO_SAFETY = "absence of a fact is not safety"
_VERBS = {"inhibit": "inhibits", "activate": "activates", "bind": "binds", "act": "acts on"}


class Replies:
    """Makes the answers to one reading."""

    def __init__(
        self,
        reading: Reading,
        gathering: Gathering,
        references: Callable[[Slot], tuple[EntityRef, ...]] | None = None,
    ) -> None:
        """`references`: what a name means, where the facts are of another graph than the names."""
        self.reading, self.gathering = reading, gathering
        self._references = references or gathering.references
        self._notes: list[str] = []

    def note(self, text: str) -> None:
        """Something that the reader of the answer is told."""
        if text not in self._notes:
            self._notes.append(text)

    def use(self, slots: Iterable[Slot]) -> None:
        """The answer accounts for some names."""
        self.reading.use(slots)

    def understood(
        self,
        intent: str,
        subjects: Sequence[Slot] = (),
        objects: Sequence[Slot] = (),
        *,
        relation: str | None = None,
        direction: str | None = None,
        leftover: tuple[str, ...] = (),
        section: str | None = None,
    ) -> Understood:
        """The reading as it is shown."""
        frame = self.reading.frame
        polarity = "negative" if frame.negative else "except" if frame.excluded else "positive"
        return Understood(
            intent,
            tuple(self.named(it) for it in subjects),
            tuple(self.named(it) for it in objects),
            relation,
            direction,
            polarity,
            frame.quantifier,
            frame.wanted,
            tuple(self.named(it) for it in frame.excluded),
            section,
            leftover,
        )

    def named(self, slot: Slot) -> Named:
        """A name as it is shown."""
        elements = self.reading.elements
        start, end = elements.tokens[slot.start].start, elements.tokens[slot.end - 1].end
        return Named(
            elements.text[start:end],
            start,
            end,
            slot.kind,
            () if slot.kind in STRANGERS or slot.kind == "condition" else self._references(slot),
            slot.corrected_from,
        )

    def called(self, slot: Slot) -> str:
        """What an answer calls a thing."""
        if slot.kind == "effect":
            return slot.best[0].name
        if slot.kind in {"absent_drug", "condition"}:
            return str(slot.best[0].target)
        if slot.kind == "absent_protein":
            return slot.best[0].name
        references = self._references(slot)
        if len(references) == 1:
            return self.shown(references[0])
        return slot.best[0].name or self.reading.elements.written(slot)

    def shown(self, reference: EntityRef) -> str:
        """An entity's name, with the gene symbol of a protein."""
        place = self.gathering.facts.place_of(reference.id)
        gene = None if place is None else self.gathering.facts.entities[place].gene
        name = reference.preferred_name
        return f"{name} ({gene})" if gene and gene != name else name

    def confidence(self, base: float, leftover: Sequence[str]) -> float:
        """How surely an answer is right, by its evidence and by what was not read."""
        value = base * CORRECTED**self.reading.corrections
        cap = UNREAD[min(len(leftover), len(UNREAD) - 1)]
        for slot in self.reading.elements.slots:
            if slot.corrected_from is not None:
                self.note(f"read {slot.corrected_from!r} as {self.called(slot)!r}")
        return round(min(value, cap), 3)

    def listing(self, understood: Understood, found: Support, base: float, nothing: str) -> PlainAnswer:
        """Entities as a list, a count, or the yes/no of whether there is one."""
        return self.items(understood, self.gathering.items(found), base, nothing)

    def items(
        self,
        understood: Understood,
        items: tuple[Item, ...],
        base: float,
        nothing: str,
        *,
        pairs: bool = True,
    ) -> PlainAnswer:
        """Items as a list, a count, or the yes/no of whether there is one."""
        frame = self.reading.frame
        if not items:
            return self.nothing(understood, nothing)
        if any(fact.disputed for item in items for fact in item.facts):
            self.note("facts marked disputed: other facts of the same pair say the contrary")
        because = tuple(dict.fromkeys(fact for item in items for fact in item.facts))[:_CITED]
        shown = [self._shown(item, pairs=pairs) for item in items[:_SHOWN]]
        text = ", ".join(shown) + (f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else "")
        kind, verdict = "list", None
        if frame.kind == COUNT:
            kind, text = "count", str(len(items))
        elif frame.kind == "yes_no":
            verdict = "no" if frame.negative else "yes"
            kind, text = "yes_no", f"{verdict.capitalize()}: {text}"
        elif len(items) == 1:
            kind = "entity" if items[0].entity is not None else "relation"
        return self._closed(
            PlainAnswer(
                understood,
                kind,
                text,
                verdict,
                items,
                because,
                confidence=self.confidence(base, understood.leftover),
            )
        )

    def verdict(
        self,
        understood: Understood,
        verdict: str,
        sentence: str,
        because: Sequence[Fact],
        base: float,
        items: tuple[Item, ...] = (),
    ) -> PlainAnswer:
        """Yes or no, with the facts that say so."""
        return self._closed(
            PlainAnswer(
                understood,
                "yes_no",
                f"{verdict.capitalize()}: {sentence}",
                verdict,
                items,
                tuple(because),
                confidence=self.confidence(base, understood.leftover),
            )
        )

    def relation(self, understood: Understood, facts: Sequence[Fact], base: float) -> PlainAnswer:
        """What joins two things."""
        names = list(dict.fromkeys(fact.relation for fact in facts))
        items = tuple(
            Item(None, name, None, tuple(fact for fact in facts if fact.relation == name)) for name in names
        )
        kind, text = (
            ("count", str(len(items))) if self.reading.frame.kind == COUNT else ("relation", "; ".join(names))
        )
        return self._closed(
            PlainAnswer(
                understood,
                kind,
                text,
                None,
                items,
                tuple(facts),
                confidence=self.confidence(base, understood.leftover),
            )
        )

    def nothing(
        self,
        understood: Understood,
        sentence: str,
        *,
        reason: str = NO_FACT,
        related: Sequence[Fact] = (),
        kind: str | None = None,
    ) -> PlainAnswer:
        """No answer, and why."""
        yes_no = self.reading.frame.kind == "yes_no"
        self.confidence(1.0, ())
        self._notes.insert(0, sentence)
        return self._closed(
            PlainAnswer(
                understood,
                kind or ("yes_no" if yes_no else "none"),
                None,
                "unknown" if yes_no and reason != NOT_UNDERSTOOD else None,
                related=tuple(related)[:_CITED],
                abstained=True,
                reason=reason,
            )
        )

    def _shown(self, item: Item, *, pairs: bool) -> str:
        if item.entity is not None:
            return self.shown(item.entity)
        if item.facts and pairs:
            fact = item.facts[0]
            return f"{fact.head.preferred_name} + {fact.tail.preferred_name}"
        return item.relation or ""

    def _closed(self, answer: PlainAnswer) -> PlainAnswer:
        if any(fact.kind == "DDI" for fact in answer.because):
            self.note(SIGNAL_NOTE)
        if any(fact.kind == "MOLECULAR" for fact in answer.because):
            self.note("molecular edges were written by a language model, not measured")
        if understood_left := answer.understood.leftover:
            self.note("not accounted for: " + ", ".join(understood_left))
        return replace(answer, notes=tuple(self._notes))


def evidence_base(facts: Sequence[Fact]) -> float:
    """The confidence that the weakest of the facts allows."""
    if not facts:
        return WIDE
    if any(fact.kind == "MOLECULAR" for fact in facts):
        return MODEL
    if any(fact.kind == "DDI" for fact in facts):
        return SIGNAL
    if any(fact.kind == "HAS_ROLE" for fact in facts):
        return CURATED
    return DIRECT


def doing(relation: str | None) -> str:
    """The verb of a relation."""
    return _VERBS.get(relation or "act", "acts on")
