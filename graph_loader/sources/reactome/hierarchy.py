"""The hierarchy: ReactomePathways.txt (id, name, species) and ReactomePathwaysRelation.txt (upper, lower)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.sources.reactome.files import clean, lines
from graph_loader.sources.reactome.identifiers import parse_stable_id, species_code
from graph_loader.sources.reactome.records import Pathway
from graph_loader.sources.reactome.store import Reactome, closing_edges, reachable

# The top-level pathway "Disease"; its number is the same in every species.
_DISEASE = "1643685"


def columns(
    path: Path, number: int, text: str, counts: Collection[int], reactome: Reactome
) -> list[str] | None:
    """The cells of a tab-separated line, or None (counted) when there are not as many as there should be.

    The first line decides about the file: SourceError when it has another number of columns.
    """
    cells = [clean(cell) for cell in text.split("\t")]
    if len(cells) in counts:
        return cells
    expected = " or ".join(map(str, sorted(counts)))
    if number == 1:
        raise SourceError(
            f"{path.name}, line 1: {len(cells)} tab-separated columns where {expected} are expected.",
            remedy="docs/reactome.md shows the layout.",
        )
    reactome.tally.skip("line with the wrong number of columns", f"{path.name}:{number}")
    return None


def read_pathways(path: Path, reactome: Reactome, species: Collection[str] | None = None) -> set[str]:
    """Add every pathway of ReactomePathways.txt, or those of the given species; returns all species it has.

    Raises SourceError when the file holds no pathway.
    """
    met: set[str] = set()
    usable = False
    for number, text in lines(path, reactome.tally):
        cells = columns(path, number, text, {3}, reactome)
        if cells is None:
            continue
        place = f"{path.name}:{number}"
        parsed = parse_stable_id(cells[0])
        if parsed is None or not cells[1]:
            reactome.tally.skip("pathway without a stable id or a name", place)
            continue
        usable = True
        met.add(cells[2])
        if species is None or cells[2] in species:
            reactome.add_pathway(Pathway(parsed[0], cells[1], cells[2] or None, place, version=parsed[1]))
    if not usable:
        raise SourceError(
            f"{path.name} holds no pathway.",
            remedy="Fetch the file again; docs/reactome.md shows the layout.",
        )
    return met


def read_relations(path: Path, reactome: Reactome) -> None:
    """Add every step of ReactomePathwaysRelation.txt between pathways that are known."""
    for number, text in lines(path, reactome.tally):
        cells = columns(path, number, text, {2}, reactome)
        if cells is None:
            continue
        place = f"{path.name}:{number}"
        upper, lower = parse_stable_id(cells[0]), parse_stable_id(cells[1])
        if upper is None or lower is None:
            reactome.tally.skip("relation without two stable ids", place)
        elif upper[0] == lower[0]:
            reactome.tally.skip("pathway below itself", place)
        elif upper[0] in reactome.pathways and lower[0] in reactome.pathways:
            reactome.tally.read["relations"] += 1
            reactome.place_below(upper[0], lower[0], place)
        else:
            reactome.tally.skip("relation to a pathway that is not listed or of another species", place)


def complete_hierarchy(reactome: Reactome) -> None:
    """Place pathways that only diagrams know, name species, flag disease, count cycles.

    A pathway of a diagram that the relation file does not mention is placed below the diagram's own pathway;
    where the relation file puts it elsewhere, the file is followed and the difference counted.
    """
    tally = reactome.tally
    placed = {lower for lowers in reactome.below.values() for lower in lowers} | set(reactome.below)
    for diagram, pathways in reactome.drawn.items():
        under = set(reachable(diagram, reactome.below))
        for pathway, source in pathways.items():
            if pathway not in placed:
                reactome.place_below(diagram, pathway, source)
            elif pathway not in under:
                tally.contradict(
                    "drawn in a diagram that the hierarchy does not put it below", f"{source}: {pathway}"
                )
    for upper, lower in closing_edges(reactome.below):
        tally.note("cycle of pathways", f"{upper} > {lower}")
    _name_species(reactome)
    for root in [key for key in reactome.pathways if key.endswith(f"-{_DISEASE}")]:
        for pathway in (root, *reachable(root, reactome.below)):
            if pathway in reactome.pathways:
                reactome.pathways[pathway] = replace(reactome.pathways[pathway], disease=True)
            for reaction in reactome.listed.get(pathway, ()):
                reactome.reactions[reaction] = replace(reactome.reactions[reaction], disease=True)
    for record in reactome.pathways.values():
        if record.name == record.id:
            tally.note("pathway without a name", f"{record.source}: {record.id}")


def _name_species(reactome: Reactome) -> None:
    """Give records the species that pathways with the same letters in their stable ids have."""
    names: dict[str, str] = {}
    for pathway in reactome.pathways.values():
        if pathway.species:
            names.setdefault(species_code(pathway.id), pathway.species)
    for key, pathway in reactome.pathways.items():
        if pathway.species is None:
            reactome.pathways[key] = replace(pathway, species=names.get(species_code(key)))
    for key, reaction in reactome.reactions.items():
        if reaction.species is None:
            reactome.reactions[key] = replace(reaction, species=names.get(species_code(key)))
    for key, entity in reactome.entities.items():
        if entity.species is None:
            reactome.entities[key] = replace(entity, species=names.get(species_code(key)))
