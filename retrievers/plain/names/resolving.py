"""What one name or id stands for, outside a question."""

from __future__ import annotations

from dataclasses import dataclass

from retrievers.hits import EntityRef
from retrievers.plain.classes import Classes
from retrievers.plain.names.linker import Linker, Sense
from retrievers.plain.names.words import key_of
from retrievers.snapshot import Snapshot

_ONE = frozenset(("drug", "protein", "thing"))
_SEVERAL = frozenset(("family", "class"))


@dataclass(frozen=True, slots=True)
class Resolved:
    """The things that a name stands for, none where it is not known. kind: as in a reading."""

    kind: str | None
    entities: tuple[EntityRef, ...]

    @property
    def ambiguous(self) -> bool:
        """Whether it means one of several things; the members of a family or class are all meant."""
        return self.kind in _ONE and len(self.entities) > 1


class Resolver:
    """Names and ids of one snapshot; ids and cross-references count in any case. Safe to share."""

    def __init__(self, snapshot: Snapshot, linker: Linker, classes: Classes) -> None:
        self._snapshot, self._linker, self._classes = snapshot, linker, classes
        self._ids: dict[str, int] = {}
        for at, entity in enumerate(snapshot.entities):
            for known in entity.xrefs:
                self._ids.setdefault(known.casefold(), at)
        self._ids.update({entity.id.casefold(): at for at, entity in enumerate(snapshot.entities)})
        self._class_ids = {one.id.casefold(): at for at, one in enumerate(snapshot.classes)}

    def resolve(self, name: str, *, kind: str | None = None) -> Resolved:
        """What a name or id means first; only as a `kind` of thing, where one is given."""
        key = name.strip().casefold()
        if kind in {None, "class"} and key in self._class_ids:
            return Resolved("class", (self._classes.reference(self._class_ids[key]),))
        if kind is None and key in self._ids:
            return Resolved("thing", (self._snapshot.entities[self._ids[key]].reference,))
        kinds = _ONE | _SEVERAL if kind is None else frozenset((kind,))
        senses = [it for it in self._linker.senses(key_of(name)) if it.kind in kinds]
        if not senses:
            return Resolved(None, ())
        best = [it for it in senses if (it.kind, it.rank) == (senses[0].kind, senses[0].rank)]
        found = dict.fromkeys(entity for sense in best for entity in self._meant(sense))
        return Resolved(senses[0].kind, tuple(found))

    def _meant(self, sense: Sense) -> tuple[EntityRef, ...]:
        if sense.kind == "class":
            return (self._classes.reference(sense.place),)
        places = sense.target if isinstance(sense.target, tuple) else (sense.place,)
        return tuple(self._snapshot.entities[at].reference for at in places)
