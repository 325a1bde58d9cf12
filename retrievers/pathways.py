"""Reactome's pathways and reactions by stable id: single look-ups in the database."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from biomolkg.errors import NotFound
from cypher.client import Client
from retrievers.entities import EntityPage, FoundEntity, search_entities
from retrievers.hits import EntityRef, entity_ref

_STABLE_ID = re.compile(r"(?:reactome:)?(R-[A-Z]{3}-[0-9]+(?:-[0-9]+)?)(?:\.[0-9]+)?", re.IGNORECASE)
_LONGEST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class PathwayRecord:
    """A pathway. `reactions` are its own; `participants` counts what takes part, `direct` in its own."""

    id: str
    name: str
    synonyms: tuple[str, ...]
    species: str | None
    version: int | None
    disease: bool
    source: str
    above: tuple[EntityRef, ...]
    below: tuple[EntityRef, ...]
    reactions: tuple[EntityRef, ...]
    participants: int
    direct: int


@dataclass(frozen=True, slots=True)
class Participation:
    """Something in a pathway, or, unless `direct`, in one below; `source` is a reaction that shows it."""

    entity: EntityRef
    direct: bool
    source: str
    evidence: str | None


@dataclass(frozen=True, slots=True)
class ParticipationPage:
    """A page of a pathway's participants; `total` counts all that pass the filters."""

    of: EntityRef
    total: int
    items: tuple[Participation, ...]


@dataclass(frozen=True, slots=True)
class Participant:
    """A molecule, complex or set in a reaction; `stoichiometry` is None where the source states none."""

    entity: EntityRef
    compartment: str | None
    stoichiometry: int | None
    regulation: str | None


@dataclass(frozen=True, slots=True)
class ReactionRecord:
    """A reaction with the pathways that it happens in and all that takes part in it."""

    id: str
    name: str
    synonyms: tuple[str, ...]
    reaction_class: str
    species: str | None
    version: int | None
    disease: bool
    source: str
    pathways: tuple[EntityRef, ...]
    inputs: tuple[Participant, ...]
    outputs: tuple[Participant, ...]
    catalysts: tuple[Participant, ...]
    regulators: tuple[Participant, ...]
    before: tuple[EntityRef, ...]
    after: tuple[EntityRef, ...]


def get_pathway(client: Client, stable_id: str) -> PathwayRecord:
    """The pathway with this stable id, with or without prefix and version. Raises NotFound."""
    id_ = _curie(stable_id)
    rows = client.read("read/pathway", id=id_)
    if not rows:
        raise _missing(client, id_, "pathway")
    (row,) = rows
    return PathwayRecord(
        **_stated(row["pathway"]),
        above=_refs(row["above"]),
        below=_refs(row["below"]),
        reactions=_refs(row["reactions"]),
        participants=row["participants"],
        direct=row["direct"],
    )


def pathway_participants(
    client: Client,
    stable_id: str,
    *,
    direct: bool | None = None,
    label: str | None = None,
    limit: int = 20,
    offset: int = 0,
) -> ParticipationPage:
    """What takes part in a pathway, in its own reactions first, then by id. Raises NotFound."""
    pathway = get_pathway(client, stable_id)
    (row,) = client.read(
        "read/pathway_participants",
        id=pathway.id,
        direct=direct,
        label=label,
        limit=limit,
        offset=offset,
    )
    items = tuple(
        Participation(entity_ref(item), item["direct"], item["source"], item["evidence"])
        for item in row["page"]
    )
    return ParticipationPage(
        EntityRef(pathway.id, pathway.name, "Pathway", pathway.name), row["total"], items
    )


def find_events(client: Client, text: str, label: str, limit: int = 20, offset: int = 0) -> EntityPage:
    """Pathways or reactions, as `label` says, by words of a name or a stable id; all of them for no text."""
    if not offset and _STABLE_ID.fullmatch(text.strip()):
        try:
            read = get_pathway if label == "Pathway" else get_reaction
            record = read(client, text)
        except NotFound:
            return EntityPage(0, ())
        found = FoundEntity(EntityRef(record.id, record.name, label, record.name), 1.0, exact=True)
        return EntityPage(1, (found,))
    return search_entities(client, text if text.strip() else None, label, limit, offset)


def get_reaction(client: Client, stable_id: str) -> ReactionRecord:
    """The reaction with this stable id, with or without prefix and version. Raises NotFound."""
    id_ = _curie(stable_id)
    rows = client.read("read/reaction", id=id_)
    if not rows:
        raise _missing(client, id_, "reaction")
    (row,) = rows

    def having(role: str) -> tuple[Participant, ...]:
        return tuple(
            Participant(entity_ref(item), item["compartment"], item["stoichiometry"], item["regulation"])
            for item in row["participants"]
            if item["role"] == role
        )

    return ReactionRecord(
        **_stated(row["reaction"]),
        reaction_class=row["reaction"]["reaction_class"],
        pathways=_refs(row["pathways"]),
        inputs=having("INPUT"),
        outputs=having("OUTPUT"),
        catalysts=having("CATALYZED_BY"),
        regulators=having("REGULATED_BY"),
        before=_refs(row["before"]),
        after=_refs(row["after"]),
    )


def _curie(stable_id: str) -> str:
    match = _STABLE_ID.fullmatch(stable_id.strip())
    if match is None:
        raise NotFound(
            f"{stable_id[:_LONGEST_SHOWN]!r} is no stable id of Reactome.",
            remedy="One looks like R-HSA-109606, or with its version R-HSA-109606.3.",
        )
    return f"reactome:{match[1].upper()}"


def _missing(client: Client, id_: str, wanted: str) -> NotFound:
    (row,) = client.read("read/reactome_label", id=id_)
    stable_id = id_.partition(":")[2]
    if row["label"] == "PhysicalEntity":
        remedy = (
            "It is a physical entity, a molecule, complex or set: ask for a reaction that it takes part in."
        )
    elif row["label"]:
        remedy = f"It is a {row['label'].lower()}: ask /v1/{row['label'].lower()}s/{stable_id}."
    else:
        remedy = "Look the id up at reactome.org; GET /v1/graph tells whether Reactome is loaded."
    return NotFound(f"There is no {wanted} {stable_id} in this graph.", remedy=remedy)


def _stated(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": properties["id"],
        "name": properties["name"],
        "synonyms": tuple(properties["synonyms"] or ()),
        "species": properties["species"],
        "version": properties["version"],
        "disease": bool(properties["disease"]),
        "source": properties["source"],
    }


def _refs(items: Sequence[Mapping[str, Any]]) -> tuple[EntityRef, ...]:
    return tuple(map(entity_ref, items))
