"""A view is built from the database: its snapshot, and every retriever on it."""

from __future__ import annotations

from dataclasses import dataclass

from retrievers.neo4j import Neo4jRetriever
from retrievers.triple import TripleRetriever

from app.state import View
from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from cypher.client import Client
from retrievers.mentions import Gazetteer
from retrievers.snapshot import read_snapshot


@dataclass(frozen=True, slots=True)
class GraphState:
    """The graph version that the database has (None: no graph), and whether a load is under way."""

    version: str | None
    loading: bool


def read_graph_state(client: Client) -> GraphState:
    """What the database says of its graph."""
    rows = client.read("service/graph_state")
    if not rows:
        return GraphState(version=None, loading=False)
    return GraphState(version=rows[0]["version"], loading=bool(rows[0]["loading"]))


def read_neo4j_version(client: Client) -> str | None:
    """The version that the database says it is."""
    rows = client.read("service/neo4j_version")
    return str(rows[0]["version"]) if rows else None


class Views:
    """Builds views; what does not depend on the graph is made once and shared by all of them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._encoder: SentenceEncoder | None = None

    def build(self, client: Client) -> View:
        """A view of what the database holds now. Raises ModelError or DatabaseError."""
        if self._encoder is None:
            self._encoder = SentenceEncoder(self._settings)
        snapshot = read_snapshot(client)
        gazetteer = Gazetteer(snapshot)
        retrievers = {
            retriever.name: retriever
            for retriever in (
                TripleRetriever(snapshot, self._encoder, settings=self._settings),
                Neo4jRetriever(client, snapshot, self._encoder, gazetteer),
            )
        }
        return View(
            client=client,
            snapshot=snapshot,
            gazetteer=gazetteer,
            retrievers=retrievers,
            entity_ids=frozenset(entity.id for entity in snapshot.entities),
        )

    def close(self) -> None:
        """End what runs beside the service."""
