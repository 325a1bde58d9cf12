"""Reactome's facts as a snapshot of their own, read when they are first asked for."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np

from biomolkg.errors import DatabaseError, NotReady
from cypher.client import Client
from retrievers.hits import entity_label
from retrievers.snapshot import Entity, Relation, Snapshot, Sources, read_version, stacked, vector_of

KIND = "REACTOME"
PARTICIPATES = "participates in"
# An edge of a reaction and its regulation: the relation, and whether the reaction is the head.
RELATIONS = {
    ("CATALYZED_BY", None): ("catalyzes", False),
    ("INPUT", None): ("consumes", True),
    ("OUTPUT", None): ("produces", True),
    ("REGULATED_BY", "activation"): ("regulates by activation", False),
    ("REGULATED_BY", "inhibition"): ("regulates by inhibition", False),
    ("REGULATED_BY", "requirement"): ("regulates as a requirement", False),
    ("REGULATED_BY", "regulation"): ("regulates", False),
}
Triple = tuple[str, str, str, str]


class ReactomeFacts:
    """Reactome's facts of one graph version, read once: by whoever asks first. Safe to call from threads."""

    def __init__(self, version: str) -> None:
        self._client: Client | None = None
        self._version = version
        self._lock = threading.Lock()
        self._snapshot: Snapshot | None = None

    def connect(self, client: Client) -> None:
        """Read the facts from this database when they are asked for."""
        self._client = client

    def snapshot(self) -> Snapshot:
        """The facts; the first call takes seconds.

        Raises NotReady before `connect`, and as `read_reactome_snapshot` does.
        """
        with self._lock:
            if self._client is None:
                raise NotReady("The database has not answered yet.", remedy="Ask again in a moment.")
            if self._snapshot is None:
                self._snapshot = read_reactome_snapshot(self._client, self._version)
            return self._snapshot

    def if_any(self) -> Snapshot | None:
        """The facts, or None where the graph has none of Reactome. Raises as `snapshot` does."""
        found = self.snapshot()
        return found if len(found.heads) else None


def read_reactome_snapshot(client: Client, version: str) -> Snapshot:
    """The reactions' participants and the direct participations in pathways as triples, without passages.

    Structures are left out: nothing of Reactome is asked for by them.

    Raises NotReady when the graph is no longer of `version`, DatabaseError when Neo4j fails.
    """
    try:
        snapshot = _read(client, version)
    except KeyError as missing:
        _check(client, version)
        raise DatabaseError(
            f"An edge of Reactome refers to {missing}, which is not in the graph.",
            remedy="Load Reactome again.",
        ) from missing
    _check(client, version)
    return snapshot


def _check(client: Client, version: str) -> None:
    if read_version(client) != version:
        raise NotReady("The graph has changed.", remedy="Try again when the service has read it.")


def _read(client: Client, version: str) -> Snapshot:
    found = {row[0]: _entity(row) for row in _rows(client, "read/reactome_entities")}
    entities = tuple(found[key] for key in sorted(found))
    index = {entity.id: at for at, entity in enumerate(entities)}
    types = sorted(client.read("read/reactome_relations"), key=lambda row: row["name"])
    place = {row["name"]: at for at, row in enumerate(types)}
    triples = [*_reactions(client), *_participations(client)]
    heads, relations, tails = (
        np.array(column, dtype=np.int32)
        for column in (
            [index[head] for head, *_ in triples],
            [place[relation] for _, relation, *_ in triples],
            [index[tail] for _, _, tail, _ in triples],
        )
    )
    files = sorted({source for *_, source in triples})
    file_index = {file: at for at, file in enumerate(files)}
    file_of = np.array([file_index[source] for *_, source in triples], dtype=np.int32)
    order = np.lexsort((file_of, tails, relations, heads))
    return Snapshot(
        graph_version=version,
        entities=entities,
        relations=tuple(Relation(row["name"], row["kind"]) for row in types),
        passages=(),
        heads=heads[order],
        relation_of=relations[order],
        tails=tails[order],
        sources=Sources(files, file_of[order], np.full(len(triples), -1, dtype=np.int32)),
        relation_embeddings=stacked([vector_of(row["embedding"]) for row in types]),
        passage_embeddings=stacked([]),
    )


def _entity(row: list[Any]) -> Entity:
    id_, name, labels, synonyms, gene = row
    return Entity(id=id_, name=name, label=entity_label(labels), synonyms=tuple(synonyms or ()), gene=gene)


def _reactions(client: Client) -> Iterator[Triple]:
    for reaction, edges in _rows(client, "read/reactome_reactions"):
        for kind, regulation, entity, source in edges:
            relation, reaction_first = RELATIONS[kind, regulation]
            head, tail = (reaction, entity) if reaction_first else (entity, reaction)
            yield head, relation, tail, source


def _participations(client: Client) -> Iterator[Triple]:
    for pathway, edges in _rows(client, "read/reactome_participations"):
        for thing, source in edges:
            yield thing, PARTICIPATES, pathway, source


def _rows(client: Client, statement: str) -> Iterator[list[Any]]:
    for record in client.stream(statement):
        yield from record["rows"]
