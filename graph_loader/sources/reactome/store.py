"""Everything that was read, merged by stable id: the first file that says a thing is kept, the rest counted.

Diagrams repeat entities and reactions, and files of different releases disagree. A later record fills in what
the first one left open; where both speak and differ, the first stays and the difference is counted. Only the
events before a reaction and the gene names are united, because each diagram knows a part of them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from graph_loader.sources.reactome.records import (
    Edge,
    Part,
    Pathway,
    PhysicalEntity,
    Reaction,
)
from graph_loader.sources.reactome.tally import Tally

# Classes of BioPAX that say less than Reactome's own; they neither win nor contradict.
GENERIC_CLASSES = frozenset({"PhysicalEntity", "EntitySet", "Reaction"})


@dataclass
class Reactome:
    """The merged records of one reading.

    `below` maps a pathway to the pathways right under it, each with the place that says so; `drawn` maps a
    diagram to all pathways that are drawn in it; `listed` maps a pathway to the reactions that a source lists
    for it, sub-pathways' included; `tables` are the PARTICIPATES_IN edges of identifier tables.
    """

    tally: Tally = field(default_factory=Tally)
    pathways: dict[str, Pathway] = field(default_factory=dict)
    reactions: dict[str, Reaction] = field(default_factory=dict)
    entities: dict[str, PhysicalEntity] = field(default_factory=dict)
    below: dict[str, dict[str, str]] = field(default_factory=dict)
    drawn: dict[str, dict[str, str]] = field(default_factory=dict)
    listed: dict[str, dict[str, str]] = field(default_factory=dict)
    tables: dict[tuple[str, str], Edge] = field(default_factory=dict)

    def add_pathway(self, new: Pathway) -> None:
        """Add or merge a pathway."""
        old = self.pathways.get(new.id)
        if old is None:
            self.tally.read["pathways"] += 1
            self.pathways[new.id] = new
            return
        self.tally.repeated["pathways"] += 1
        name, synonyms = self._names(old, new)
        self.pathways[new.id] = replace(
            old,
            name=name,
            synonyms=synonyms,
            species=old.species or new.species,
            version=old.version or new.version,
            disease=old.disease or new.disease,
        )

    def add_reaction(self, new: Reaction) -> None:
        """Add or merge a reaction."""
        old = self.reactions.get(new.id)
        if old is None:
            self.tally.read["reactions"] += 1
            self.reactions[new.id] = new
            return
        self.tally.repeated["reactions"] += 1
        name, synonyms = self._names(old, new)
        if not _same(old.catalysts, new.catalysts):
            self.tally.contradict("catalysts differ", _between(old, new))
        if not _same(old.regulators, new.regulators):
            self.tally.contradict("regulators differ", _between(old, new))
        self.reactions[new.id] = replace(
            old,
            name=name,
            synonyms=synonyms,
            reaction_class=self._class(old.reaction_class, new.reaction_class, _between(old, new)),
            species=old.species or new.species,
            version=old.version or new.version,
            disease=old.disease or new.disease,
            inputs=self._parts("inputs", old.inputs, new.inputs, _between(old, new)),
            outputs=self._parts("outputs", old.outputs, new.outputs, _between(old, new)),
            catalysts=old.catalysts or new.catalysts,
            regulators=old.regulators or new.regulators,
            preceding=tuple(dict.fromkeys(old.preceding + new.preceding)),
        )

    def add_entity(self, new: PhysicalEntity) -> None:
        """Add or merge a physical entity."""
        old = self.entities.get(new.id)
        if old is None:
            self.tally.read["entities"] += 1
            self.entities[new.id] = new
            return
        self.tally.repeated["entities"] += 1
        between = _between(old, new)
        name, synonyms = self._names(old, new)
        if old.reference and new.reference and old.reference != new.reference:
            self.tally.contradict("identifiers differ", between)
        if old.compartment and new.compartment and old.compartment != new.compartment:
            self.tally.contradict("compartments differ", between)
        if not _same(old.gene_names, new.gene_names):
            self.tally.contradict("gene names differ", between)
        self.entities[new.id] = replace(
            old,
            name=name,
            synonyms=synonyms,
            schema_class=self._class(old.schema_class, new.schema_class, between),
            compartment=old.compartment or new.compartment,
            species=old.species or new.species,
            version=old.version or new.version,
            reference=old.reference or new.reference,
            gene_names=tuple(dict.fromkeys(old.gene_names + new.gene_names)),
            parts=self._parts("parts", old.parts, new.parts, between),
        )

    def place_below(self, upper: str, lower: str, source: str) -> None:
        """Say that pathway `lower` lies directly below `upper`."""
        self.below.setdefault(upper, {}).setdefault(lower, source)

    def drawn_in(self, diagram: str, pathway: str, source: str) -> None:
        """Say that `pathway` is drawn as a part of the diagram of another pathway."""
        self.drawn.setdefault(diagram, {}).setdefault(pathway, source)

    def list_event(self, pathway: str, reaction: str, source: str) -> None:
        """Say that `reaction` happens in `pathway` or in a pathway below it."""
        self.listed.setdefault(pathway, {}).setdefault(reaction, source)

    def add_table_edge(self, edge: Edge) -> None:
        """Add an identifier table's row; a direct one replaces an inherited one of the same pair."""
        key = edge.head, edge.tail
        old = self.tables.get(key)
        if old is None:
            self.tally.read["table rows"] += 1
            self.tables[key] = edge
        else:
            self.tally.repeated["table rows"] += 1
            if edge.direct and not old.direct:
                self.tables[key] = edge

    def _names(
        self, old: Pathway | Reaction | PhysicalEntity, new: Pathway | Reaction | PhysicalEntity
    ) -> tuple[str, tuple[str, ...]]:
        """The name that stays, and every other one as a synonym; a name that is only the id gives way."""
        if old.name == old.id:
            return new.name, new.synonyms
        others = [*old.synonyms, *new.synonyms]
        if new.name not in {old.name, new.id}:
            self.tally.contradict("names differ", _between(old, new))
            others.append(new.name)
        return old.name, tuple(name for name in dict.fromkeys(others) if name != old.name)

    def _class(self, old: str, new: str, between: str) -> str:
        if old == new or new in GENERIC_CLASSES:
            return old
        if old not in GENERIC_CLASSES:
            self.tally.contradict("classes differ", between)
            return old
        return new

    def _parts(
        self, what: str, old: tuple[Part, ...], new: tuple[Part, ...], between: str
    ) -> tuple[Part, ...]:
        if not old or not new:
            return old or new
        counts = {part.entity: part.count for part in new}
        if counts.keys() != {part.entity for part in old}:
            self.tally.contradict(f"{what} differ", between)
            return old
        if any(part.count and counts[part.entity] and part.count != counts[part.entity] for part in old):
            self.tally.contradict("stoichiometries differ", between)
        return tuple(Part(part.entity, part.count or counts[part.entity]) for part in old)


def reachable(start: str, onward: Mapping[str, Iterable[str]]) -> Iterator[str]:
    """Everything that `start` leads to, nearest first, each once: a cycle ends where it closes."""
    seen = {start}
    queue = deque([start])
    while queue:
        for following in onward.get(queue.popleft(), ()):
            if following not in seen:
                seen.add(following)
                queue.append(following)
                yield following


def closing_edges(onward: Mapping[str, Iterable[str]]) -> list[tuple[str, str]]:
    """The edges that close a cycle, met depth first in the order of `onward`; empty when there is none."""
    found: list[tuple[str, str]] = []
    done: set[str] = set()
    for root in onward:
        if root in done:
            continue
        path = {root}
        stack = [(root, iter(onward[root]))]
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                stack.pop()
                path.discard(node)
                done.add(node)
            elif following in path:
                found.append((node, following))
            elif following not in done and following in onward:
                path.add(following)
                stack.append((following, iter(onward[following])))
    return found


def _same(old: tuple[object, ...], new: tuple[object, ...]) -> bool:
    return not old or not new or set(old) == set(new)


def _between(old: Pathway | Reaction | PhysicalEntity, new: Pathway | Reaction | PhysicalEntity) -> str:
    return f"{old.id}: {old.source} against {new.source}"
