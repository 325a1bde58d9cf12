"""Molecules: drawn, searched, and what could happen between two of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from fastapi import APIRouter, Depends, Query
from starlette.responses import Response

from app.dependencies import CurrentLive, CurrentSettings, CurrentView, CurrentWorkers, require_json
from app.formatting import encode, ref_fields, triple_fields, worth_fields
from app.limits import Workers, check_count
from app.molecule_schemas import (
    DepictionQuery,
    InteractionsAnswer,
    InteractionsRequest,
    MoleculeIn,
    MoleculesAnswer,
    MoleculeSearch,
    SmilesDepictionQuery,
)
from app.responses import PROBLEMS, READ_PROBLEMS
from app.routers.entities import checked, read_graph
from app.state import LiveState, View
from biomolkg.errors import InvalidMolecule
from biomolkg.molecules import parse_smiles
from biomolkg.settings import Settings
from graph_loader.interactions.edges import evidence_text
from graph_loader.interactions.rules import propose
from retrievers.depiction import draw_molecule
from retrievers.entities import get_entity
from retrievers.hits import EntityRef, TripleHit
from retrievers.molecules import MoleculeQuery

SVG = "image/svg+xml"
# An SVG that is opened by itself is a document: it may run and load nothing.
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'",
    "X-Content-Type-Options": "nosniff",
}
_DRAWING: dict[int | str, dict[str, Any]] = {
    200: {"content": {SVG: {"schema": {"type": "string"}}}, "description": "The drawing."}
}
_SIDES = ("first", "second")
_MOLECULAR = "MOLECULAR"

router = APIRouter(prefix="/v1", tags=["molecules"])


@dataclass(frozen=True, slots=True)
class Structure:
    """A molecule of a request: its SMILES, and the entity that it is of, if it is of one."""

    smiles: str
    entity: EntityRef | None

    def fields(self) -> dict[str, Any]:
        """As `app.molecule_schemas.StructureOut`."""
        return {"entity": None if self.entity is None else ref_fields(self.entity), "smiles": self.smiles}


@router.get(
    "/entities/{entity_id:path}/depiction.svg",
    response_class=Response,
    responses={**READ_PROBLEMS, **_DRAWING},
    summary="Draw the structure of an entity",
)
async def draw_entity(
    entity_id: str,
    query: Annotated[DepictionQuery, Query()],
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """The structure as SVG; `highlight` colours every place of a fragment, one that is not there nothing."""
    structure = await find_structure(MoleculeIn(id=checked(entity_id)), view, live, workers)
    return await _drawing(structure.smiles, query, settings, view, workers)


@router.get(
    "/depiction.svg",
    response_class=Response,
    responses={**READ_PROBLEMS, **_DRAWING},
    summary="Draw a SMILES",
)
async def draw_smiles(
    query: Annotated[SmilesDepictionQuery, Query()],
    settings: CurrentSettings,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """Any molecule as SVG."""
    return await _drawing(query.smiles, query, settings, view, workers)


@router.post(
    "/molecules/search",
    response_model=MoleculesAnswer,
    dependencies=[Depends(require_json)],
    responses=PROBLEMS,
    summary="Find entities by their structures",
)
async def search(
    body: MoleculeSearch,
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """By similarity to a molecule, by a substructure, by named groups and their counts, or all of these."""
    check_count(body.k, field="k", limit=settings.max_k, noun="hits")
    check_count(len(body.groups), field="groups", limit=settings.max_filter_values, noun="groups")
    similar_to = None
    if body.similar_to is not None:
        similar_to = (await find_structure(body.similar_to, view, live, workers)).smiles
    query = MoleculeQuery(similar_to, body.min_similarity, body.substructure, body.groups)
    return Response(
        await workers.compute(_found, view, query, body.k, settings), media_type="application/json"
    )


@router.post(
    "/molecules/interactions",
    response_model=InteractionsAnswer,
    dependencies=[Depends(require_json)],
    responses=PROBLEMS,
    summary="Propose molecular edges between two molecules",
)
async def interactions(
    body: InteractionsRequest,
    settings: CurrentSettings,
    live: CurrentLive,
    view: CurrentView,
    workers: CurrentWorkers,
) -> Response:
    """Which of five kinds of contact could form, with mechanism, evidence and severity: by rules."""
    first = await find_structure(body.first, view, live, workers)
    second = await find_structure(body.second, view, live, workers)
    content = await workers.compute(_proposed, view, first, second, settings.max_smiles_chars)
    return Response(content, media_type="application/json")


async def find_structure(given: MoleculeIn, view: View, live: LiveState, workers: Workers) -> Structure:
    """The structure that is meant. Raises NotFound, and InvalidMolecule for an entity that has none."""
    if given.smiles is not None:
        return Structure(given.smiles, None)
    identity = str(given.id)
    held = view.molecules.entity(identity)
    if held is not None:
        return Structure(str(held.smiles), held.reference)
    record = await read_graph(workers, live, lambda: get_entity(view.client, identity))
    if record.smiles is None:
        raise InvalidMolecule(
            f"The entity {record.id} ({record.name}) has no structure.", remedy="Give a drug, or a SMILES."
        )
    return Structure(record.smiles, record.reference)


async def _drawing(
    smiles: str, query: DepictionQuery, settings: Settings, view: View, workers: Workers
) -> Response:
    svg = await workers.compute(
        draw_molecule,
        smiles,
        highlight=query.highlight,
        width=query.width,
        height=query.height,
        max_chars=settings.max_smiles_chars,
        max_smarts_chars=settings.max_smarts_chars,
        seconds=settings.substructure_timeout,
    )
    return Response(svg.encode(), media_type=SVG, headers={**_HEADERS, "X-Graph-Version": view.graph_version})


def _found(view: View, query: MoleculeQuery, k: int, settings: Settings) -> bytes:
    index, seconds, chars = view.molecules, settings.substructure_timeout, settings.max_smarts_chars
    hits = index.search(query, k=k, max_chars=chars, seconds=seconds)
    matches = index.matches(hits, query, max_chars=chars, seconds=seconds)
    notes = []
    if not len(index):
        notes.append("structures: no entity of the graph has one")
    elif not hits:
        notes.append("structures: no entity of the graph meets every condition")
    return encode(
        {
            "graph_version": view.graph_version,
            "hits": [
                {
                    "rank": hit.rank,
                    "score": hit.score,
                    "entity": ref_fields(hit.entity.reference),
                    "smiles": hit.entity.smiles,
                    "matches": [
                        {"name": match.name, "count": len(match.places), "atoms": match.places}
                        for match in found
                    ],
                }
                for hit, found in zip(hits, matches, strict=True)
            ],
            "notes": notes,
        }
    )


def _proposed(view: View, first: Structure, second: Structure, max_chars: int) -> bytes:
    sides = (first, second)
    molecules = [parse_smiles(side.smiles, max_chars=max_chars) for side in sides]
    names = [
        f"The {name} molecule" if side.entity is None else side.entity.name
        for name, side in zip(_SIDES, sides, strict=True)
    ]
    found = propose(first.smiles, second.smiles, max_chars=max_chars)
    return encode(
        {
            "graph_version": view.graph_version,
            "first": first.fields(),
            "second": second.fields(),
            "proposals": [
                {
                    **proposal.model_dump(mode="json"),
                    "evidence": evidence_text(proposal, molecules[0], molecules[1], names),
                }
                for proposal in found.proposals
            ],
            "recorded": _recorded(view, first.entity, second.entity),
        }
    )


def _recorded(view: View, first: EntityRef | None, second: EntityRef | None) -> list[dict[str, Any]]:
    """The molecular edges of the graph between two entities, in either direction."""
    if first is None or second is None:
        return []
    snapshot = view.snapshot
    places = [
        next((at for at, entity in enumerate(snapshot.entities) if entity.id == ref.id), -1)
        for ref in (first, second)
    ]
    forth = (snapshot.heads == places[0]) & (snapshot.tails == places[1])
    back = (snapshot.heads == places[1]) & (snapshot.tails == places[0])
    edges = []
    for triple in np.flatnonzero(forth | back).tolist():
        relation = snapshot.relations[snapshot.relation_of[triple]]
        if relation.kind == _MOLECULAR:
            head, tail = (snapshot.entities[ends[triple]] for ends in (snapshot.heads, snapshot.tails))
            edge = TripleHit(head.reference, relation.name, tail.reference, relation.kind)
            source = snapshot.sources[triple]
            worth = worth_fields(view.details.worth(edge, source))
            edges.append({"triple": triple_fields(edge), "source": source, **worth})
    return edges
