"""Reactome's human facts in the package's compressed tables: written by `build`, read by the loader.

What is written is the merged records, as `read_reactome` gives them, so that the
bundled tables and the downloads become the same nodes and edges. Lists are joined
by a unit separator, which no cleaned name holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import cast

from biomolkg.errors import SourceError
from graph_loader.bundled import bundled_folder, read_rows, write_rows
from graph_loader.sources.reactome import (
    Part,
    Pathway,
    PhysicalEntity,
    Reaction,
    Reactome,
    Reference,
    Regulator,
)
from graph_loader.sources.reactome.records import Regulation

SPECIES = "Homo sapiens"
_BETWEEN = "\x1f"
_RECORD = ("id", "name", "species", "source", "version", "synonyms")
_PATHWAYS = (*_RECORD, "disease")
_REACTIONS = (
    *_RECORD,
    "disease",
    "class",
    "inputs",
    "outputs",
    "catalysts",
    "regulators",
    "preceding",
)
_ENTITIES = (*_RECORD, "class", "compartment", "reference", "gene_names", "parts")
_PLACES = ("pathway", "event", "source")


def read_bundled_reactome(folder: Traversable | None = None) -> Reactome:
    """Human pathways, reactions and entities. Raises SourceError when a table is missing or damaged."""
    place = bundled_folder() if folder is None else folder
    reactome = Reactome()
    try:
        for row in read_rows(place, "reactome_pathways", _PATHWAYS):
            pathway = _pathway(row)
            reactome.pathways[pathway.id] = pathway
        for row in read_rows(place, "reactome_reactions", _REACTIONS):
            reaction = _reaction(row)
            reactome.reactions[reaction.id] = reaction
        for row in read_rows(place, "reactome_entities", _ENTITIES):
            entity = _entity(row)
            reactome.entities[entity.id] = entity
    except ValueError as error:
        raise SourceError(
            f"The bundled tables of Reactome are damaged: {error}.", remedy="Reinstall biomolkg."
        ) from error
    for upper, lower, source in read_rows(place, "reactome_hierarchy", _PLACES):
        reactome.place_below(upper, lower, source)
    for upper, event, source in read_rows(place, "reactome_events", _PLACES):
        reactome.list_event(upper, event, source)
    return reactome


def write_bundled_reactome(folder: Path, reactome: Reactome) -> None:
    """Write the merged records of `reactome`."""
    write_rows(
        folder,
        "reactome_pathways",
        _PATHWAYS,
        ([*_stated(record), _flag(disease=record.disease)] for record in reactome.pathways.values()),
    )
    write_rows(
        folder,
        "reactome_reactions",
        _REACTIONS,
        (
            [
                *_stated(record),
                _flag(disease=record.disease),
                record.reaction_class,
                _parts(record.inputs),
                _parts(record.outputs),
                _BETWEEN.join(record.catalysts),
                _BETWEEN.join(f"{regulator.entity} {regulator.kind}" for regulator in record.regulators),
                _BETWEEN.join(record.preceding),
            ]
            for record in reactome.reactions.values()
        ),
    )
    write_rows(
        folder,
        "reactome_entities",
        _ENTITIES,
        (
            [
                *_stated(record),
                record.schema_class,
                record.compartment or "",
                f"{record.reference.database}:{record.reference.identifier}" if record.reference else "",
                _BETWEEN.join(record.gene_names),
                _parts(record.parts),
            ]
            for record in reactome.entities.values()
        ),
    )
    write_rows(folder, "reactome_hierarchy", _PLACES, _places(reactome.below))
    write_rows(folder, "reactome_events", _PLACES, _places(reactome.listed))


def _stated(record: Pathway | Reaction | PhysicalEntity) -> list[str]:
    return [
        record.id,
        record.name,
        record.species or "",
        record.source,
        "" if record.version is None else str(record.version),
        _BETWEEN.join(record.synonyms),
    ]


def _flag(*, disease: bool) -> str:
    return "1" if disease else ""


def _parts(parts: Iterable[Part]) -> str:
    return _BETWEEN.join(
        part.entity if part.count is None else f"{part.entity} {part.count}" for part in parts
    )


def _places(found: dict[str, dict[str, str]]) -> Iterator[tuple[str, str, str]]:
    for upper, lowers in found.items():
        for lower, source in lowers.items():
            yield upper, lower, source


def _pathway(row: list[str]) -> Pathway:
    id_, name, species, source, version, synonyms, disease = row
    return Pathway(
        id=id_,
        name=name,
        species=species or None,
        source=source,
        version=_number(version),
        disease=bool(disease),
        synonyms=_list(synonyms),
    )


def _reaction(row: list[str]) -> Reaction:
    id_, name, species, source, version, synonyms, disease, reaction_class, *takers = row
    inputs, outputs, catalysts, regulators, preceding = map(_list, takers)
    return Reaction(
        id=id_,
        name=name,
        reaction_class=reaction_class,
        species=species or None,
        source=source,
        version=_number(version),
        disease=bool(disease),
        synonyms=_list(synonyms),
        inputs=tuple(map(_part, inputs)),
        outputs=tuple(map(_part, outputs)),
        catalysts=catalysts,
        regulators=tuple(map(_regulator, regulators)),
        preceding=preceding,
    )


def _entity(row: list[str]) -> PhysicalEntity:
    id_, name, species, source, version, synonyms, schema_class, compartment, reference, genes, parts = row
    database, _, identifier = reference.partition(":")
    return PhysicalEntity(
        id=id_,
        name=name,
        schema_class=schema_class,
        compartment=compartment or None,
        species=species or None,
        source=source,
        version=_number(version),
        reference=Reference(database, identifier) if identifier else None,
        gene_names=_list(genes),
        synonyms=_list(synonyms),
        parts=tuple(map(_part, _list(parts))),
    )


def _list(cell: str) -> tuple[str, ...]:
    return tuple(cell.split(_BETWEEN)) if cell else ()


def _number(cell: str) -> int | None:
    return int(cell) if cell else None


def _part(cell: str) -> Part:
    entity, _, count = cell.partition(" ")
    return Part(entity, _number(count))


def _regulator(cell: str) -> Regulator:
    entity, _, kind = cell.partition(" ")
    return Regulator(entity, cast("Regulation", kind))
