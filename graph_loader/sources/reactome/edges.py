"""The edges that the merged records stand for, one at a time."""

from __future__ import annotations

from collections.abc import Iterator

from graph_loader.sources.reactome.identifiers import curie
from graph_loader.sources.reactome.participants import Participants, own_events
from graph_loader.sources.reactome.records import Edge, PhysicalEntity, Reaction
from graph_loader.sources.reactome.store import Reactome


def edges(reactome: Reactome, participants: Participants) -> Iterator[Edge]:
    """Every edge, in the order of EdgeKind; ids are CURIEs, so are the ends of REFERS_TO and PARTICIPATES_IN.

    An end that no file describes is counted and its edge left out.
    """
    for upper, lowers in reactome.below.items():
        for lower, place in lowers.items():
            yield Edge("HAS_EVENT", curie(upper), curie(lower), f"reactome:{place}")
    for pathway, events in own_events(reactome).items():
        for event, place in events.items():
            yield Edge("HAS_EVENT", curie(pathway), curie(event), f"reactome:{place}")
    for reaction in reactome.reactions.values():
        yield from _known(reactome, _reaction_edges(reaction))
    for entity in reactome.entities.values():
        yield from _known(reactome, _entity_edges(entity))
    yield from participants.memberships()


def _reaction_edges(reaction: Reaction) -> Iterator[Edge]:
    head, source = curie(reaction.id), f"reactome:{reaction.source}"
    for part in reaction.inputs:
        yield Edge("INPUT", head, curie(part.entity), source, count=part.count)
    for part in reaction.outputs:
        yield Edge("OUTPUT", head, curie(part.entity), source, count=part.count)
    for catalyst in reaction.catalysts:
        yield Edge("CATALYZED_BY", head, curie(catalyst), source)
    for regulator in reaction.regulators:
        yield Edge("REGULATED_BY", head, curie(regulator.entity), source, regulation=regulator.kind)
    for before in reaction.preceding:
        yield Edge("PRECEDES", curie(before), head, source)


def _entity_edges(entity: PhysicalEntity) -> Iterator[Edge]:
    head, source = curie(entity.id), f"reactome:{entity.source}"
    for part in entity.parts:
        if entity.is_set:
            yield Edge(
                "HAS_MEMBER",
                head,
                curie(part.entity),
                source,
                count=part.count,
                candidate=True if entity.schema_class == "CandidateSet" else None,
            )
        else:
            yield Edge("HAS_COMPONENT", head, curie(part.entity), source, count=part.count)
    if entity.reference is not None:
        yield Edge("REFERS_TO", head, entity.reference.curie, source, identifier=entity.reference.identifier)


def _known(reactome: Reactome, found: Iterator[Edge]) -> Iterator[Edge]:
    for edge in found:
        stable_id = (edge.head if edge.kind == "PRECEDES" else edge.tail).partition(":")[2]
        if edge.kind == "REFERS_TO" or stable_id in reactome.entities or stable_id in reactome.reactions:
            yield edge
        else:
            reactome.tally.skip(f"{edge.kind}: end that no file describes", f"{edge.source}, {stable_id}")
