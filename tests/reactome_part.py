"""A part of the bundled Reactome that loads in seconds: some pathways with what is below and above them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from graph_loader.bundled_reactome import read_bundled_reactome, write_bundled_reactome
from graph_loader.sources.reactome import Reactome
from graph_loader.sources.reactome.store import reachable

# Apoptosis, opioid signalling, receptors of amines.
PATHWAYS = ("R-HSA-109581", "R-HSA-111885", "R-HSA-375280")


def write_part(folder: Path) -> Reactome:
    """Write the tables of the part into `folder` and return it."""
    part = narrowed(read_bundled_reactome(), PATHWAYS)
    write_bundled_reactome(folder, part)
    return part


def narrowed(whole: Reactome, pathways: Iterable[str]) -> Reactome:
    """What happens in `pathways` and below them, and the names of the pathways above."""
    above: dict[str, list[str]] = {}
    for upper, lowers in whole.below.items():
        for lower in lowers:
            above.setdefault(lower, []).append(upper)
    within = {key for pathway in pathways for key in (pathway, *reachable(pathway, whole.below))}
    named = within | {key for pathway in pathways for key in reachable(pathway, above)}
    events = {event for key in within for event in whole.listed.get(key, ())}
    contained = {key: [part.entity for part in entity.parts] for key, entity in whole.entities.items()}
    entities = {
        key
        for event in events
        for participant in whole.reactions[event].participants()
        for key in (participant, *reachable(participant, contained))
    }
    return Reactome(
        pathways={key: record for key, record in whole.pathways.items() if key in named},
        reactions={key: record for key, record in whole.reactions.items() if key in events},
        entities={key: record for key, record in whole.entities.items() if key in entities},
        below={
            upper: {lower: place for lower, place in lowers.items() if lower in named}
            for upper, lowers in whole.below.items()
            if upper in named
        },
        listed={key: whole.listed[key] for key in whole.listed if key in within},
    )
