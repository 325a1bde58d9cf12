"""Diagram graphs, `<stable id>.graph.json`: entities, reactions and sub-pathways drawn in one diagram.

A file holds `dbId`, `stId`, `nodes`, `edges` and, where the diagram has parts, `subpathways`. Nodes are
physical entities (and links to other pathways' diagrams) with `schemaClass`, `displayName`, `identifier`,
`geneNames`, `children` (components or members); edges are reactions whose `inputs`, `outputs`, `catalysts`,
`activators`, `inhibitors`, `requirements`, `preceding`, `following` hold dbIds. Stoichiometry is not stated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO

from biomolkg.errors import SourceError
from graph_loader.sources.reactome.files import clean, json_object
from graph_loader.sources.reactome.identifiers import parse_stable_id, reference_by_pattern
from graph_loader.sources.reactome.records import (
    Part,
    Pathway,
    PhysicalEntity,
    Reaction,
    Reference,
    Regulation,
    Regulator,
)
from graph_loader.sources.reactome.store import Reactome

PATHWAY_CLASSES = frozenset({"Pathway", "TopLevelPathway", "CellLineagePath"})
REACTION_CLASSES = frozenset(
    {
        "Reaction",
        "BlackBoxEvent",
        "Polymerisation",
        "Depolymerisation",
        "FailedReaction",
        "CellDevelopmentStep",
    }
)
ENTITY_CLASSES = frozenset(
    {
        "PhysicalEntity",
        "Complex",
        "DefinedSet",
        "CandidateSet",
        "OpenSet",
        "EntitySet",
        "EntityWithAccessionedSequence",
        "GenomeEncodedEntity",
        "OtherEntity",
        "Polymer",
        "SimpleEntity",
        "Drug",
        "ChemicalDrug",
        "ProteinDrug",
        "RNADrug",
        "Cell",
    }
)
_REGULATION: tuple[tuple[str, Regulation], ...] = (
    ("activators", "activation"),
    ("inhibitors", "inhibition"),
    ("requirements", "requirement"),
)
_COMPARTMENT = re.compile(r"^(.*\S)\s*\[([^\[\]]+)\]$")


@dataclass
class Steps:
    """Pairs (earlier, later) of reactions by dbId: the other end may be in a file that is read later."""

    pairs: dict[tuple[int, int], str]
    stable_ids: dict[int, str]

    def settle(self, reactome: Reactome) -> None:
        """Give each reaction the events before it; pairs with an end outside all files are counted."""
        earlier: dict[str, list[str]] = {}
        for (before, after), place in self.pairs.items():
            one, other = self.stable_ids.get(before), self.stable_ids.get(after)
            if one is None or other is None:
                reactome.tally.skip("step to a reaction outside the files", place)
            else:
                earlier.setdefault(other, []).append(one)
        for after_id, before_ids in earlier.items():
            reaction = reactome.reactions[after_id]
            joined = tuple(dict.fromkeys([*reaction.preceding, *before_ids]))
            reactome.reactions[after_id] = replace(reaction, preceding=joined)


def read_diagram(stream: IO[bytes], name: str, reactome: Reactome, steps: Steps) -> None:
    """Add one diagram to `reactome` and its reactions' order to `steps`.

    Raises SourceError when the file is no diagram graph; a node or edge that cannot be used is counted.
    """
    content = json_object(stream, name)
    stable_id = content.get("stId")
    parsed = parse_stable_id(stable_id) if isinstance(stable_id, str) else None
    nodes, edges = content.get("nodes"), content.get("edges")
    if parsed is None or not isinstance(nodes, list) or not isinstance(edges, list):
        raise SourceError(
            f"{name} is no diagram graph: it needs a stable id in stId, and the lists nodes and edges.",
            remedy="Use the *.graph.json files of Reactome's diagrams, not the layout files.",
        )
    reader = _Diagram(name, reactome)
    reader.pathway(parsed[0], parsed[0], content.get("speciesName"), parsed[1])
    usable = list(reader.usable(nodes, "node"))
    for index, node in usable:
        reader.classify(index, node)
    for index, node in usable:
        reader.entity(index, node)
    for index, edge in reader.usable(edges, "edge"):
        reader.reaction(index, edge, steps)
    reader.events(parsed[0], content.get("subpathways", []))


class _Diagram:
    def __init__(self, name: str, reactome: Reactome) -> None:
        self.name = name
        self.reactome = reactome
        self.tally = reactome.tally
        self.entity_ids: dict[int, str] = {}
        self.reaction_ids: dict[int, str] = {}

    def usable(self, items: list[object], what: str) -> Iterator[tuple[int, dict[str, object]]]:
        """Each item that has a dbId and a stable id, with its place; the stable id stands without version."""
        for index, item in enumerate(items):
            place = f"{self.name}: {what} {index}"
            if not isinstance(item, dict):
                self.tally.skip(f"{what} that is no object", place)
                continue
            parsed = parse_stable_id(item["stId"]) if isinstance(item.get("stId"), str) else None
            if parsed is None or not isinstance(item.get("dbId"), int):
                self.tally.skip(f"{what} without a stable id and a dbId", place)
                continue
            yield index, {**item, "stId": parsed[0], "version": parsed[1]}

    def classify(self, index: int, node: dict[str, object]) -> None:
        """Note which nodes are entities, before any is read: children may come later in the file."""
        if node.get("schemaClass") in ENTITY_CLASSES:
            number, stable_id = _number(node, "dbId"), str(node["stId"])
            if self.entity_ids.setdefault(number, stable_id) != stable_id:
                self.tally.contradict("one dbId, two stable ids", f"{self.name}: node {index}, dbId {number}")

    def pathway(self, stable_id: str, name: str, species: object, version: int | None) -> None:
        self.reactome.add_pathway(
            Pathway(
                id=stable_id,
                name=name,
                species=clean(species) if isinstance(species, str) else None,
                source=self.name,
                version=version,
            )
        )

    def entity(self, index: int, node: dict[str, object]) -> None:
        schema_class, stable_id = node.get("schemaClass"), str(node["stId"])
        place = f"{self.name}: node {index}, {stable_id}"
        if schema_class in PATHWAY_CLASSES:
            self.pathway(stable_id, self._name(node), None, _version(node))
            return
        if schema_class not in ENTITY_CLASSES:
            self.tally.skip(f"node of unknown class {str(schema_class)[:60]!r}", place)
            return
        display = self._name(node)
        match = _COMPARTMENT.match(display)
        children = self._entities(node, "children", place)
        if stable_id in children:
            self.tally.skip("entity that is a part of itself", place)
        genes = node.get("geneNames", [])
        self.reactome.add_entity(
            PhysicalEntity(
                id=stable_id,
                name=match[1] if match else display,
                schema_class=str(schema_class),
                compartment=match[2] if match else None,
                species=None,
                source=self.name,
                version=_version(node),
                reference=self._reference(str(schema_class), node, place),
                gene_names=tuple(
                    dict.fromkeys(clean(gene) for gene in genes if isinstance(gene, str) and clean(gene))
                )
                if isinstance(genes, list)
                else (),
                parts=tuple(Part(child) for child in children if child != stable_id),
            )
        )

    def reaction(self, index: int, edge: dict[str, object], steps: Steps) -> None:
        stable_id, number = str(edge["stId"]), _number(edge, "dbId")
        schema_class = edge.get("schemaClass")
        place = f"{self.name}: edge {index}, {stable_id}"
        if schema_class not in REACTION_CLASSES:
            self.tally.skip(f"edge of unknown class {str(schema_class)[:60]!r}", place)
            return
        functional_status = edge.get("entityFunctionalStatus") or edge.get("efs")
        self.reaction_ids[number] = stable_id
        steps.stable_ids.setdefault(number, stable_id)
        for before in _numbers(edge, "preceding"):
            steps.pairs.setdefault((before, number), place)
        for after in _numbers(edge, "following"):
            steps.pairs.setdefault((number, after), place)
        self.reactome.add_reaction(
            Reaction(
                id=stable_id,
                name=self._name(edge),
                reaction_class=str(schema_class),
                species=None,
                source=self.name,
                version=_version(edge),
                # A changed functional status, or a reaction that fails, is how Reactome annotates a variant.
                disease=bool(functional_status) or schema_class == "FailedReaction",
                inputs=tuple(Part(entity) for entity in self._entities(edge, "inputs", place)),
                outputs=tuple(Part(entity) for entity in self._entities(edge, "outputs", place)),
                catalysts=self._entities(edge, "catalysts", place),
                regulators=tuple(
                    Regulator(entity, kind)
                    for field, kind in _REGULATION
                    for entity in self._entities(edge, field, place)
                ),
            )
        )

    def events(self, diagram: str, subpathways: object) -> None:
        """List each sub-pathway's reactions, and the rest as the diagram's own."""
        elsewhere: set[int] = set()
        items = subpathways if isinstance(subpathways, list) else []
        for index, item in self.usable(items, "subpathway"):
            stable_id, place = str(item["stId"]), f"{self.name}: subpathway {index}"
            self.pathway(stable_id, self._name(item), None, _version(item))
            self.reactome.drawn_in(diagram, stable_id, self.name)
            for number in _numbers(item, "events"):
                elsewhere.add(number)
                if number in self.reaction_ids:
                    self.reactome.list_event(stable_id, self.reaction_ids[number], self.name)
                else:
                    self.tally.skip("event that is not in the diagram", f"{place}, dbId {number}")
        for number, reaction in self.reaction_ids.items():
            if number not in elsewhere:
                self.reactome.list_event(diagram, reaction, self.name)

    def _name(self, item: dict[str, object]) -> str:
        name = item.get("displayName")
        return (clean(name) if isinstance(name, str) else "") or str(item["stId"])

    def _entities(self, item: dict[str, object], field: str, place: str) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for number in _numbers(item, field):
            entity = self.entity_ids.get(number)
            if entity is None:
                self.tally.skip(f"{field}: entity that is not in the diagram", f"{place}, dbId {number}")
            else:
                found[entity] = None
        return tuple(found)

    def _reference(self, schema_class: str, node: dict[str, object], place: str) -> Reference | None:
        identifier = node.get("identifier")
        if not isinstance(identifier, str) or not identifier.strip():
            return None
        reference = reference_by_pattern(schema_class, identifier)
        if reference is None:
            self.tally.skip("identifier of an unknown database", f"{place}, {identifier[:40]!r}")
        return reference


def _number(item: dict[str, object], field: str) -> int:
    value = item[field]
    assert isinstance(value, int)
    return value


def _numbers(item: dict[str, object], field: str) -> list[int]:
    value = item.get(field)
    return [number for number in value if isinstance(number, int)] if isinstance(value, list) else []


def _version(item: dict[str, object]) -> int | None:
    version = item["version"]
    return version if isinstance(version, int) else None
