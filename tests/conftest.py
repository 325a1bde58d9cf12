"""A real Neo4j for the run, and the data folder where there is one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from biomolkg.settings import Settings
from cypher.client import Client, connect
from cypher.progress import Terminal
from cypher.server import ManagedServer
from tests.small_tagger import Trained, train_small

PROJECT = Path(__file__).resolve().parents[1]
_BATCH = 5_000


def scratch_settings(home: Path, **fields: object) -> Settings:
    """Settings of a managed server under `home`, with the jars of the user's own cache."""
    own = Settings(_env_file=None)
    given: dict[str, object] = {
        "home": home,
        "server_cache": own.server_cache or own.home / "server",
        "neo4j_uri": None,
        "neo4j_heap_mb": 512,
        "neo4j_pagecache_mb": 64,
        "neo4j_bolt_port": 0,
        "neo4j_http_port": 0,
        "neo4j_start_timeout": 240,
        "starter_pathways": False,
    }
    return Settings(_env_file=None, **(given | fields))  # type: ignore[arg-type]


def empty_database(client: Client) -> None:
    """Delete every node; the schema stays."""
    while client.write("admin/delete_nodes", limit=_BATCH).nodes_deleted:
        pass


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """Settings of a managed Neo4j that runs until the end of the session."""
    settings = scratch_settings(tmp_path_factory.mktemp("home"))
    with ManagedServer(settings, Terminal()) as server:
        server.start()
        with connect(settings) as client:
            client.apply_schema()
            client.await_indexes()
        yield settings


@pytest.fixture(scope="module")
def client(neo4j_server: Settings) -> Iterator[Client]:
    """A client of a database that is empty when the module begins; the schema is applied."""
    with connect(neo4j_server) as opened:
        empty_database(opened)
        opened.apply_schema()
        yield opened


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The data folder: `BIOMOLKG_TEST_DATA`, else `../shared/data` beside the project."""
    folder = Path(os.environ.get("BIOMOLKG_TEST_DATA", PROJECT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"the data folder {folder} is not here; set BIOMOLKG_TEST_DATA to it")
    return folder


@pytest.fixture(scope="session")
def small_tagger(tmp_path_factory: pytest.TempPathFactory) -> Trained:
    """A tagger that was trained with Flair in some seconds."""
    return train_small(tmp_path_factory.mktemp("tagger"))
