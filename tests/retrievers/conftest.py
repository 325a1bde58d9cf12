"""The starter graph, and the neo4j retriever on it."""

from __future__ import annotations

import pytest

from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.loading import load_starter
from retrievers.mentions import Gazetteer
from retrievers.neo4j import Neo4jRetriever
from retrievers.snapshot import Snapshot, read_snapshot


@pytest.fixture(scope="package")
def starter(neo4j_server: Settings) -> Client:
    """A client of a database that holds the bundled starter graph."""
    from cypher.client import connect
    from tests.conftest import empty_database

    with connect(neo4j_server) as opened:
        empty_database(opened)
        load_starter(opened, neo4j_server)
        yield opened


@pytest.fixture(scope="package")
def snapshot(starter: Client) -> Snapshot:
    return read_snapshot(starter)


@pytest.fixture(scope="package")
def gazetteer(snapshot: Snapshot) -> Gazetteer:
    return Gazetteer(snapshot)


@pytest.fixture(scope="package")
def encoder(neo4j_server: Settings) -> SentenceEncoder:
    return SentenceEncoder(neo4j_server)


@pytest.fixture(scope="package")
def retriever(
    starter: Client,
    encoder: SentenceEncoder,
    gazetteer: Gazetteer,
    snapshot: Snapshot,
    neo4j_server: Settings,
) -> Neo4jRetriever:
    return Neo4jRetriever(starter, encoder, gazetteer, snapshot.relations, neo4j_server)
