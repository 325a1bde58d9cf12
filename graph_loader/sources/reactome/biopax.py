"""BioPAX level 3 as Reactome exports it: pathways, conversions, controls, entities with their references.

Sets come as `memberPhysicalEntity`; a stoichiometry of one or unknown is not written in conversions, so it is
None here. Identity is the stable id in the UnificationXref to Reactome, never the element's own id.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO

from graph_loader.sources.reactome.files import clean
from graph_loader.sources.reactome.identifiers import parse_stable_id, reference_by_database
from graph_loader.sources.reactome.rdf import Element, read_elements
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

# BioPAX's classes for Reactome's; where Reactome has several, the generic name.
_ENTITY_CLASSES = {
    "Complex": "Complex",
    "Protein": "EntityWithAccessionedSequence",
    "Dna": "EntityWithAccessionedSequence",
    "Rna": "EntityWithAccessionedSequence",
    "DnaRegion": "EntityWithAccessionedSequence",
    "RnaRegion": "EntityWithAccessionedSequence",
    "SmallMolecule": "SimpleEntity",
    "PhysicalEntity": "PhysicalEntity",
}
_REACTION_CLASSES = {
    "BiochemicalReaction": "Reaction",
    "TransportWithBiochemicalReaction": "Reaction",
    "Transport": "Reaction",
    "ComplexAssembly": "Reaction",
    "Conversion": "Reaction",
    "Degradation": "Reaction",
    "TemplateReaction": "Reaction",
    "MolecularInteraction": "Reaction",
    "Interaction": "Reaction",
}
_CONTROLS = frozenset({"Control", "Modulation", "TemplateReactionRegulation"})
_SUPPORTING = frozenset(
    {
        "UnificationXref",
        "RelationshipXref",
        "BioSource",
        "CellularLocationVocabulary",
        "Stoichiometry",
        "PathwayStep",
        "BiochemicalPathwayStep",
        "Pathway",
        "Catalysis",
        "ProteinReference",
        "SmallMoleculeReference",
        "DnaReference",
        "RnaReference",
        "DnaRegionReference",
        "RnaRegionReference",
        "EntityReference",
    }
)
_KEPT = _SUPPORTING | _CONTROLS | _ENTITY_CLASSES.keys() | _REACTION_CLASSES.keys()


def read_biopax(stream: IO[bytes], name: str, reactome: Reactome) -> None:
    """Add everything of one BioPAX file to `reactome`.

    Raises SourceError for a file that is broken or no BioPAX level 3; what cannot be used is counted.
    """
    elements: dict[str, Element] = {}
    for key, element in read_elements(stream, name, _KEPT):
        if key in elements:
            reactome.tally.skip("BioPAX element whose id is taken", f"{element.place}, {key}")
        else:
            elements[key] = element
    reactome.tally.read["BioPAX elements"] += len(elements)
    _Model(elements, reactome).add()


class _Model:
    """The elements of one file, read when all of them are known: links point forward as well as back."""

    def __init__(self, elements: dict[str, Element], reactome: Reactome) -> None:
        self.elements = elements
        self.reactome = reactome
        self.tally = reactome.tally
        self.stable_ids: dict[str, tuple[str, int | None]] = {}

    def add(self) -> None:
        for key, element in self.elements.items():
            if (
                element.kind in _ENTITY_CLASSES
                or element.kind in _REACTION_CLASSES
                or element.kind == "Pathway"
            ):
                found = self._stable_id(element)
                if found is None:
                    self.tally.skip(
                        "BioPAX element without a stable id of Reactome", f"{element.place}, {key}"
                    )
                else:
                    self.stable_ids[key] = found
        controls = self._controls()
        steps = self._preceding()
        for key, (stable_id, version) in self.stable_ids.items():
            element = self.elements[key]
            if element.kind in _ENTITY_CLASSES:
                self._entity(element, stable_id, version)
            elif element.kind in _REACTION_CLASSES:
                catalysts, regulators = controls.get(key, ([], []))
                self._reaction(element, stable_id, version, catalysts, regulators, steps.get(key, {}))
            else:
                self._pathway(element, stable_id, version)
        for key, (stable_id, _) in self.stable_ids.items():
            if self.elements[key].kind == "Pathway":
                self._events(self.elements[key], stable_id)

    def _entity(self, element: Element, stable_id: str, version: int | None) -> None:
        members = self._parts(element, "memberPhysicalEntity", {})
        name = self._name(element, stable_id)
        reference, genes = self._reference(element)
        is_set = bool(members) and element.kind != "Complex"
        counts = self._counts(element, "componentStoichiometry")
        parts = members or self._parts(element, "component", counts)
        location = self._first(element, "cellularLocation")
        self.reactome.add_entity(
            PhysicalEntity(
                id=stable_id,
                name=name,
                schema_class="EntitySet" if is_set else _ENTITY_CLASSES[element.kind],
                compartment=clean(location.text("term") or "") or None if location else None,
                species=self._species(element),
                source=element.place,
                version=version,
                reference=None if is_set else reference,
                gene_names=() if is_set else genes,
                synonyms=tuple(other for other in map(clean, element.texts.get("name", ())) if other != name),
                parts=tuple(part for part in parts if part.entity != stable_id),
            )
        )

    def _reaction(
        self,
        element: Element,
        stable_id: str,
        version: int | None,
        catalysts: list[str],
        regulators: list[Regulator],
        preceding: dict[str, None],
    ) -> None:
        counts = self._counts(element, "participantStoichiometry")
        left = self._parts(element, "left", counts)
        right = self._parts(element, "right", counts)
        if element.text("conversionDirection") == "RIGHT-TO-LEFT":
            left, right = right, left
        self.reactome.add_reaction(
            Reaction(
                id=stable_id,
                name=self._name(element, stable_id),
                reaction_class=_REACTION_CLASSES[element.kind],
                species=None,
                source=element.place,
                version=version,
                inputs=left or self._parts(element, "template", {}),
                outputs=right or self._parts(element, "product", {}),
                catalysts=tuple(dict.fromkeys(catalysts)),
                regulators=tuple(dict.fromkeys(regulators)),
                preceding=tuple(preceding),
            )
        )

    def _pathway(self, element: Element, stable_id: str, version: int | None) -> None:
        self.reactome.add_pathway(
            Pathway(
                id=stable_id,
                name=self._name(element, stable_id),
                species=self._species(element),
                source=element.place,
                version=version,
            )
        )

    def _events(self, element: Element, stable_id: str) -> None:
        for key in element.links.get("pathwayComponent", ()):
            event = self.stable_ids.get(key)
            if event is None:
                self.tally.skip("event that is not in the BioPAX file", f"{element.place}, {key}")
            elif self.elements[key].kind == "Pathway":
                self.reactome.drawn_in(stable_id, event[0], element.place)
            else:
                self.reactome.list_event(stable_id, event[0], element.place)

    def _controls(self) -> dict[str, tuple[list[str], list[Regulator]]]:
        """Catalysts and regulators by the reaction's key; what modulates a catalysis regulates it."""
        found: dict[str, tuple[list[str], list[Regulator]]] = {}
        for element in self.elements.values():
            if element.kind != "Catalysis" and element.kind not in _CONTROLS:
                continue
            for key in element.links.get("controller", ()):
                controller = self.stable_ids.get(key)
                if controller is None or self.elements[key].kind not in _ENTITY_CLASSES:
                    self.tally.skip("control by something that is no entity", f"{element.place}, {key}")
                    continue
                for reaction in self._controlled(element):
                    catalysts, regulators = found.setdefault(reaction, ([], []))
                    if element.kind == "Catalysis":
                        catalysts.append(controller[0])
                    else:
                        regulators.append(Regulator(controller[0], _regulation(element)))
        return found

    def _controlled(self, element: Element) -> Iterator[str]:
        for key in element.links.get("controlled", ()):
            target = self.elements.get(key)
            keys = target.links.get("controlled", []) if target and target.kind == "Catalysis" else [key]
            for reaction in keys:
                if reaction in self.elements and self.elements[reaction].kind in _REACTION_CLASSES:
                    yield reaction
                else:
                    self.tally.skip(
                        "control of something that is no reaction", f"{element.place}, {reaction}"
                    )

    def _preceding(self) -> dict[str, dict[str, None]]:
        """For each reaction's key the stable ids of the reactions in the steps before it."""
        found: dict[str, dict[str, None]] = {}
        for element in self.elements.values():
            if element.kind not in {"PathwayStep", "BiochemicalPathwayStep"}:
                continue
            for following in element.links.get("nextStep", ()):
                later = self.elements.get(following)
                if later is None:
                    self.tally.skip("step that is not in the BioPAX file", f"{element.place}, {following}")
                    continue
                for key in self._step_reactions(later):
                    for before in self._step_reactions(element):
                        found.setdefault(key, {})[self.stable_ids[before][0]] = None
        return found

    def _step_reactions(self, step: Element) -> list[str]:
        keys = step.links.get("stepProcess", []) + step.links.get("stepConversion", [])
        return [
            key for key in keys if key in self.stable_ids and self.elements[key].kind in _REACTION_CLASSES
        ]

    def _parts(self, element: Element, prop: str, counts: Mapping[str, int | None]) -> tuple[Part, ...]:
        found: dict[str, Part] = {}
        for key in element.links.get(prop, ()):
            part = self.stable_ids.get(key)
            if part is None:
                self.tally.skip(f"{prop}: entity that is not in the BioPAX file", f"{element.place}, {key}")
            else:
                found.setdefault(part[0], Part(part[0], counts.get(key)))
        return tuple(found.values())

    def _counts(self, element: Element, prop: str) -> dict[str, int | None]:
        """Stoichiometry by key; None where one thing has two, as on both sides of a reaction."""
        found: dict[str, int | None] = {}
        for key in element.links.get(prop, ()):
            target = self.elements.get(key)
            count = _whole(target.text("stoichiometricCoefficient")) if target else None
            if target is None or count is None:
                self.tally.skip("stoichiometry that is no whole number", f"{element.place}, {key}")
                continue
            for entity in target.links.get("physicalEntity", ()):
                found[entity] = count if found.get(entity, count) == count else None
        return found

    def _stable_id(self, element: Element) -> tuple[str, int | None] | None:
        for xref in self._all(element, "xref"):
            if xref.kind == "UnificationXref" and (xref.text("db") or "").casefold() == "reactome":
                parsed = parse_stable_id(xref.text("id") or "")
                if parsed is not None:
                    version = _whole(xref.text("idVersion"))
                    return parsed[0], parsed[1] if parsed[1] is not None else version
        return None

    def _reference(self, element: Element) -> tuple[Reference | None, tuple[str, ...]]:
        """The reference entity and, for sequences, its plain names, which are gene names."""
        for target in self._all(element, "entityReference"):
            for xref in self._all(target, "xref"):
                reference = reference_by_database(xref.text("db") or "", xref.text("id") or "")
                if xref.kind == "UnificationXref" and reference is not None:
                    names = [clean(name) for name in target.texts.get("name", ())]
                    genes = [name for name in names if name and " " not in name and ":" not in name]
                    is_sequence = not target.kind.startswith("SmallMolecule")
                    return reference, tuple(dict.fromkeys(genes)) if is_sequence else ()
            self.tally.note("reference entity without a known database", target.place)
        return None, ()

    def _species(self, element: Element) -> str | None:
        holders = [element, *self._all(element, "entityReference")]
        for holder in holders:
            organism = self._first(holder, "organism")
            if organism is not None and organism.text("name"):
                return clean(organism.text("name") or "")
        return None

    def _first(self, element: Element, prop: str) -> Element | None:
        return next(self._all(element, prop), None)

    def _all(self, element: Element, prop: str) -> Iterator[Element]:
        return (self.elements[key] for key in element.links.get(prop, ()) if key in self.elements)

    def _name(self, element: Element, stable_id: str) -> str:
        return clean(element.text("displayName") or element.text("name") or "") or stable_id


def _regulation(element: Element) -> Regulation:
    control = element.text("controlType") or ""
    if control.startswith("ACTIVATION"):
        return "activation"
    return "inhibition" if control.startswith("INHIBITION") else "regulation"


def _whole(text: str | None) -> int | None:
    """The whole number that `text` is, also as `2.0`; None for anything else."""
    try:
        value = float(text or "")
    except ValueError:
        return None
    return int(value) if value.is_integer() and 0 < value < 1e6 else None
