"""Sets of facts that answers are made of: what acts on what, partners, members, pairs of an effect."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from retrievers.hits import EntityRef, Filters
from retrievers.plain.classes import Classes
from retrievers.plain.facts import ACTIVATION, INHIBITION, TARGET, Facts, Indexes
from retrievers.plain.question.elements import Slot
from retrievers.plain.records import Fact, Item

# The facts that put an entity into an answer: triples, and roles as ~place.
Support = dict[int, list[int]]
_POLARITY = {"inhibit": INHIBITION, "activate": ACTIVATION}


class Gathering:
    """Facts under the filters of one request."""

    def __init__(self, facts: Facts, classes: Classes, filters: Filters) -> None:
        self.facts, self.classes, self.filters = facts, classes, filters

    def places(self, slot: Slot) -> list[int]:
        """The entities that a name means; members of a class or family."""
        found: dict[int, None] = {}
        for sense in slot.best:
            if isinstance(sense.target, tuple):
                found.update(dict.fromkeys(sense.target))
            elif sense.kind == "class":
                found.update(dict.fromkeys(self.classes.members(sense.place)))
            elif isinstance(sense.target, int):
                found[sense.target] = None
        return list(found)

    def references(self, slot: Slot) -> tuple[EntityRef, ...]:
        """What a name means, as entities are shown."""
        if slot.kind == "class":
            return tuple(self.classes.reference(sense.place) for sense in slot.best)
        if slot.kind in {"effect", "label"} or not all(
            isinstance(it.target, int | tuple) for it in slot.best
        ):
            return ()
        return tuple(self.facts.entities[place].reference for place in self.places(slot))

    def acting(self, ends: Iterable[int], relation: str | None, *, tails: bool) -> Support:
        """What acts on some proteins (`tails`), or what some drugs act on."""
        found: Support = defaultdict(list)
        for end in ends:
            triples = self.facts.to_tail(end, TARGET) if tails else self.facts.from_head(end, TARGET)
            for triple in self._kept(triples, relation):
                found[self.facts.other_end(triple, end)].append(triple)
        return found

    def between(self, one: int, other: int, kinds: Iterable[str], relation: str | None = None) -> list[int]:
        """The triples that join two entities."""
        return self._kept(self.facts.between(one, other, kinds), relation)

    def partners(self, drugs: Iterable[int], kinds: Iterable[str], effects: Sequence[int] = ()) -> Support:
        """What some drugs have a fact with; only facts of some relations, where any are given."""
        found: Support = defaultdict(list)
        wanted = frozenset(effects)
        for drug in drugs:
            for triple in self._kept(self.facts.of_entity(drug, kinds)):
                if not effects or int(self.facts.snapshot.relation_of[triple]) in wanted:
                    found[self.facts.other_end(triple, drug)].append(triple)
        return found

    def of_effects(self, effects: Iterable[int]) -> list[int]:
        """The triples of some relations."""
        return [triple for effect in effects for triple in self._kept(self.facts.of_relation(effect))]

    def members(self, slot: Slot) -> Support:
        """The members of a class that a name means."""
        found: Support = {}
        if self.filters.kinds and "HAS_ROLE" not in self.filters.kinds:
            return found
        for sense in slot.best:
            for drug, role in self.classes.members(sense.place).items():
                found.setdefault(drug, [~role])
        return found

    def told(self, support: Sequence[int]) -> tuple[Fact, ...]:
        """Triples and roles as facts."""
        roles = [self.classes.fact(~it) for it in dict.fromkeys(support) if it < 0]
        return (*self.facts.told([it for it in dict.fromkeys(support) if it >= 0]), *roles)

    def items(self, found: Support) -> tuple[Item, ...]:
        """Entities as items, those of the strongest evidence first, then by name."""
        items = [Item(self.facts.entities[at].reference, None, None, self.told(found[at])) for at in found]
        return tuple(sorted(items, key=_place))

    def pairs(self, triples: Iterable[int]) -> tuple[Item, ...]:
        """Facts as items of their own."""
        return tuple(Item(None, fact.relation, None, (fact,)) for fact in self.facts.told(list(triples)))

    def polarities(self, triples: Iterable[int]) -> set[str | None]:
        """What the relations of some triples say."""
        return {self.facts.polarity(triple) for triple in triples}

    def _kept(self, triples: Indexes, relation: str | None = None) -> list[int]:
        polar = self.facts.with_polarity(triples, _POLARITY.get(relation or ""))
        return [int(it) for it in self.facts.allowed(polar, self.filters)]


def common(several: Sequence[Support]) -> Support:
    """What is in all of several sets, with the facts of each."""
    if not several:
        return {}
    shared = set.intersection(*(set(one) for one in several))
    return {at: [it for one in several for it in one[at]] for at in several[0] if at in shared}


def united(several: Sequence[Support]) -> Support:
    """What is in any of several sets."""
    found: Support = defaultdict(list)
    for one in several:
        for at, support in one.items():
            found[at].extend(support)
    return found


def without(found: Support, excluded: Iterable[int]) -> Support:
    """The set without some entities."""
    gone = set(excluded)
    return {at: support for at, support in found.items() if at not in gone}


def as_indexes(triples: Iterable[int]) -> Indexes:
    """Triples as an array."""
    return np.array(list(triples), dtype=np.int64)


def _place(item: Item) -> tuple[bool, str, str]:
    disputed = any(fact.disputed for fact in item.facts)
    entity = item.entity
    return (disputed, "", "") if entity is None else (disputed, entity.preferred_name.casefold(), entity.id)
