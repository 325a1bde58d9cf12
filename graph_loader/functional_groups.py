"""Functional groups as nodes, and which structure has which, as the rows that a load compares and writes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from biomolkg.molecules import group_vocabulary
from graph_loader.chemistry import MoleculeDescription

Row = dict[str, Any]


def group_rows(names: Iterable[str]) -> dict[str, Row]:
    """The rows of the groups of these names, by name, in the order of the vocabulary."""
    wanted = set(names)
    return {
        group.name: {
            "name": group.name,
            "properties": {
                "name": group.name,
                "synonyms": [synonym for synonym in group.synonyms if synonym],
                "kind": group.kind,
                "smarts": group.smarts,
            },
        }
        for group in group_vocabulary()
        if group.name in wanted
    }


def group_links(structures: Mapping[str, MoleculeDescription], dataset: str) -> dict[tuple[str, str], Row]:
    """The rows of `(entity)-[:HAS_GROUP]->(group)`, by (entity id, name); `structures` is by entity id."""
    return {
        (entity, name): {
            "head": entity,
            "tail": name,
            "properties": {"dataset": dataset, "count": count},
        }
        for entity, structure in structures.items()
        for name, count in structure.groups
    }
