"""Which proteins and chemicals an entity, a reaction, a pathway is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graph_loader.sources.reactome.identifiers import curie
from graph_loader.sources.reactome.records import Edge, Reaction, Reference
from graph_loader.sources.reactome.store import Reactome, closing_edges, reachable


@dataclass(frozen=True, slots=True)
class Resolution:
    """How a reaction's inputs and outputs come down to references.

    `whole`: it has both, and each of them holds at least one reference. `strict`: in addition each holds a
    UniProt or ChEBI one. `complete`: in addition every leaf of every one of them is UniProt or ChEBI.
    """

    whole: bool
    strict: bool
    complete: bool


class Participants:
    """Leaves of complexes and sets, remembered for each entity asked for; cycles are walked once."""

    def __init__(self, reactome: Reactome) -> None:
        self._reactome = reactome
        self._parts = {
            key: tuple(part.entity for part in entity.parts)
            for key, entity in reactome.entities.items()
            if entity.parts
        }
        self._known: dict[str, tuple[tuple[Reference, ...], bool]] = {}

    def cycles(self) -> list[tuple[str, str]]:
        """The (whole, part) pairs that close a cycle of containment."""
        return closing_edges(self._parts)

    def references(self, entity: str) -> tuple[Reference, ...]:
        """Every reference in `entity` at any depth, its own first, each once."""
        return self._leaves(entity)[0]

    def resolution(self, reaction: Reaction) -> Resolution:
        """How far the inputs and outputs of `reaction` come down to references."""
        whole = strict = complete = bool(reaction.inputs and reaction.outputs)
        for part in reaction.inputs + reaction.outputs:
            references, every_leaf = self._leaves(part.entity)
            chemical_or_protein = [item.database in {"uniprot", "chebi"} for item in references]
            whole = whole and bool(references)
            strict = strict and any(chemical_or_protein)
            complete = complete and every_leaf and all(chemical_or_protein)
        return Resolution(whole, strict, complete)

    def memberships(self) -> Iterator[Edge]:
        """PARTICIPATES_IN edges: once for each protein or chemical and pathway, direct before inherited.

        Direct: it is part of an input, output, catalyst or regulator of a reaction that happens in the
        pathway itself. Inherited: of a pathway below. Rows of identifier tables come in where no reaction
        says so. `source` is the first reaction, or the row, that shows it.
        """
        direct = self._direct()
        above = _reversed(self._reactome.below)
        written: set[tuple[str, str]] = set()
        for (reference, pathway), reaction in direct.items():
            written.add((reference, pathway))
            yield _membership(reference, pathway, reaction, direct=True)
        lifted = dict.fromkeys(pathway for _, pathway in direct)
        ancestors = {pathway: tuple(reachable(pathway, above)) for pathway in lifted}
        for (reference, pathway), reaction in direct.items():
            for upper in ancestors[pathway]:
                if (reference, upper) not in written:
                    written.add((reference, upper))
                    yield _membership(reference, upper, reaction, direct=False)
        yield from self._table_memberships(written, above)

    def _direct(self) -> dict[tuple[str, str], str]:
        found: dict[tuple[str, str], str] = {}
        for pathway, events in own_events(self._reactome).items():
            for event in events:
                for entity in self._reactome.reactions[event].participants():
                    for reference in self.references(entity):
                        found.setdefault((reference.curie, pathway), event)
        return found

    def _table_memberships(
        self, written: set[tuple[str, str]], above: dict[str, dict[str, str]]
    ) -> Iterator[Edge]:
        # Direct rows first, so that no inherited edge takes the place of a direct one.
        rows = sorted(self._reactome.tables.values(), key=lambda edge: not edge.direct)
        for edge in rows:
            pathway = edge.tail.partition(":")[2]
            if (edge.head, pathway) not in written:
                written.add((edge.head, pathway))
                yield edge
        for edge in rows:
            for upper in reachable(edge.tail.partition(":")[2], above):
                if (edge.head, upper) not in written:
                    written.add((edge.head, upper))
                    yield Edge(
                        "PARTICIPATES_IN",
                        edge.head,
                        curie(upper),
                        edge.source,
                        direct=False,
                        evidence=edge.evidence,
                    )

    def _leaves(self, entity: str) -> tuple[tuple[Reference, ...], bool]:
        """References in `entity`, and whether every leaf has one."""
        known = self._known.get(entity)
        if known is not None:
            return known
        found: dict[Reference, None] = {}
        every_leaf = True
        for key in (entity, *reachable(entity, self._parts)):
            record = self._reactome.entities.get(key)
            if record is not None and record.reference is not None:
                found[record.reference] = None
            elif key not in self._parts:
                every_leaf = False
        self._known[entity] = tuple(found), every_leaf
        return self._known[entity]


def own_events(reactome: Reactome) -> dict[str, dict[str, str]]:
    """The reactions that happen in each pathway itself, with their source.

    Sources list a pathway's reactions together with those of the pathways below it; one that a pathway below
    lists too is that pathway's.
    """
    own: dict[str, dict[str, str]] = {}
    for pathway, events in reactome.listed.items():
        lower = {
            event for below in reachable(pathway, reactome.below) for event in reactome.listed.get(below, ())
        }
        kept = {event: source for event, source in events.items() if event not in lower}
        if kept:
            own[pathway] = kept
    return own


def _membership(reference: str, pathway: str, reaction: str, *, direct: bool) -> Edge:
    return Edge("PARTICIPATES_IN", reference, curie(pathway), curie(reaction), direct=direct)


def _reversed(below: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    above: dict[str, dict[str, str]] = {}
    for upper, lowers in below.items():
        for lower, source in lowers.items():
            above.setdefault(lower, {})[upper] = source
    return above
