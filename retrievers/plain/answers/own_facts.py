"""Questions answered from facts of one's own data sets, by the words of their relations' names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from retrievers.plain.answers.asked import Asked
from retrievers.plain.answers.gathering import Support, common, united, without
from retrievers.plain.answers.own_relations import KIND, stem
from retrievers.plain.facts import TARGET
from retrievers.plain.question.elements import Elements, Slot
from retrievers.plain.question.frame import YES_NO
from retrievers.plain.records import PlainAnswer

IMPORTED = 0.85
_KINDS = ("drug", "protein", "thing", "family")


def answer_own(asked: Asked) -> PlainAnswer | None:
    """The answer from facts of kind FACT; None where none of their relations is asked for."""
    own = asked.own
    if not own.relations:
        return None
    elements = asked.reading.elements
    slots = [it for it in elements.slots if it.kind in _KINDS and it not in asked.reading.frame.excluded]
    places = _stem_places(elements, slots)
    words, relations = own.asked(set(places))
    if not slots or not relations or not _has(asked, slots, relations):
        return None
    label = next((own.labels[it] for it in places if it in own.labels and it not in words), None)
    asked.replies.use(slots)
    consumed = {at for it in (*words, *own.labels) for at in places.get(it, ())}
    leftover = tuple(
        it
        for it in asked.reading.leftover(
            relations=frozenset(asked.relations), roles=frozenset({"noprop", "section"})
        )
        if not any(elements.tokens[at].text in it.casefold() for at in consumed)
    )
    name = asked.gathering.facts.snapshot.relations[relations[0]].name
    at_word = min(at for it in words for at in places[it])
    if len(slots) > 1 and asked.kind == YES_NO:
        return _decide(asked, slots, relations, name, leftover)
    several = [_ends(asked, slot, relations, forward=_acts(elements, slot, at_word)) for slot in slots]
    found = united(several) if asked.reading.frame.quantifier == "either" else common(several)
    found = without(found, [at for it in asked.reading.frame.excluded for at in asked.gathering.places(it)])
    if label is not None:
        entities = asked.gathering.facts.entities
        labelled = {at: it for at, it in found.items() if label in (entities[at].label, *entities[at].labels)}
        found = labelled or found
    understood = asked.replies.understood(
        "list", slots, (), relation=name, direction="forward", leftover=leftover
    )
    names = ", ".join(map(asked.replies.called, slots))
    if asked.reading.frame.negative:
        return None
    return asked.replies.listing(understood, found, IMPORTED, f"no fact {name!r} of {names} is in the graph")


def _has(asked: Asked, slots: Sequence[Slot], relations: Iterable[int]) -> bool:
    """Whether something that is named has such a fact, and none that drugs' targets are asked by."""
    wanted = set(relations)
    facts = asked.gathering.facts
    for slot in slots:
        for at in asked.gathering.places(slot):
            if any(int(facts.snapshot.relation_of[it]) in wanted for it in facts.of_entity(at, (KIND,))):
                return not (asked.relations and len(facts.of_entity(at, TARGET)))
    return False


def _decide(
    asked: Asked, slots: Sequence[Slot], relations: Sequence[int], name: str, leftover: tuple[str, ...]
) -> PlainAnswer:
    gathering = asked.gathering
    understood = asked.replies.understood("yes_no", slots[:1], slots[1:], relation=name, leftover=leftover)
    joined = [
        triple
        for one in gathering.places(slots[0])
        for slot in slots[1:]
        for other in gathering.places(slot)
        for triple in gathering.between(one, other, (KIND,))
        if int(gathering.facts.snapshot.relation_of[triple]) in relations
    ]
    names = [asked.replies.called(it) for it in slots]
    sentence = f"{names[0]} {name} {' and '.join(names[1:])}"
    if not joined:
        return asked.replies.nothing(
            understood, f"no fact says {sentence!r}; that is no proof of the contrary"
        )
    verdict = "no" if asked.reading.frame.negative else "yes"
    return asked.replies.verdict(understood, verdict, sentence, gathering.told(joined), IMPORTED)


def _ends(asked: Asked, slot: Slot, relations: Sequence[int], *, forward: bool | None) -> Support:
    found: Support = defaultdict(list)
    facts, gathering = asked.gathering.facts, asked.gathering
    for at in gathering.places(slot):
        triples = (
            facts.of_entity(at, (KIND,))
            if forward is None
            else facts.from_head(at, (KIND,))
            if forward
            else facts.to_tail(at, (KIND,))
        )
        for triple in facts.allowed(triples, gathering.filters):
            if int(facts.snapshot.relation_of[triple]) in relations:
                found[facts.other_end(int(triple), at)].append(int(triple))
    return found


def _acts(elements: Elements, slot: Slot, word: int) -> bool | None:
    """Whether a name is the subject of a relation's word: before it, or behind "by" in the passive."""
    texts = [token.text for token in elements.tokens]
    if "by" in texts:
        return texts[slot.start - 1 : slot.start] == ["by"]
    if set(texts[word + 1 : word + 2]) & {"of", "with", "to", "between"}:
        return None
    return slot.end <= word


def _stem_places(elements: Elements, slots: Sequence[Slot]) -> dict[str, list[int]]:
    """Places of the stems of all words that are in no name."""
    named = {at for it in slots for at in range(it.start, it.end)}
    start = elements.row[0].start if elements.row else 0
    found: dict[str, list[int]] = defaultdict(list)
    for at in range(start, len(elements.tokens)):
        if at not in named:
            found[stem(elements.tokens[at].text)].append(at)
    return found
