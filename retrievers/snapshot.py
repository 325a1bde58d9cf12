"""The graph as arrays: read once from Neo4j, then shared by every retriever and never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing of the graph. `groups` counts the functional groups and rings of its structure."""

    id: str
    name: str
    label: str
    synonyms: tuple[str, ...] = ()
    smiles: str | None = None
    gene: str | None = None
    groups: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text about the entity with index `entity` (-1: about none).

    `document` names the text it is a part of, `position` its place there, from 0.
    A composed passage was written by the loader from an entity's own facts.
    """

    id: str
    entity: int
    text: str
    title: str
    section: str | None
    source: str
    document: str
    position: int
    composed: bool


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation type: its name as in the source, and the kind of triple that carries it."""

    name: str
    kind: str


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """E entities, R relations, P passages and T triples of one graph version.

    heads, relation_of, tails: int32 [T], indexes into `entities` and `relations`;
    triples are ordered by (head id, relation kind, relation name, tail id).
    relation_embeddings: float32 [R, 384]; passage_embeddings: float32 [P, 384]; unit length.
    sources: one string a triple, as on the edge.
    """

    graph_version: str
    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    passages: tuple[Passage, ...]
    heads: NDArray[np.int32]
    relation_of: NDArray[np.int32]
    tails: NDArray[np.int32]
    sources: tuple[str, ...]
    relation_embeddings: NDArray[np.float32]
    passage_embeddings: NDArray[np.float32]
