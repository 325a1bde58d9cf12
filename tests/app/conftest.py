"""One real service for these tests, on the real Neo4j of the run with the starter graph."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from app.main import create_app
from biomolkg.settings import Settings
from cypher.client import connect
from graph_loader.loading import load_starter, load_starter_pathways
from graph_loader.vocabulary.loading import load_vocabulary
from tests.conftest import empty_database
from tests.reactome_part import write_part

READY_SECONDS = 120
_stops: list[Callable[[], None]] = []


# After the last test's own fixtures, which may still ask the service.
@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """End the services after the last of these tests: what others do to the database is not theirs."""
    if nextitem is None or item.path.parent not in nextitem.path.parents:
        for stop in _stops:
            stop()
        _stops.clear()


@contextmanager
def running(settings: Settings) -> Iterator[tuple[FastAPI, httpx.Client]]:
    """A service in a thread, on a port of its own, and a client of it; ready when this returns."""
    application = create_app(settings)
    server = uvicorn.Server(uvicorn.Config(application, port=0, log_config=None, access_log=False))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the service did not start"
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]

    def stop() -> None:
        server.should_exit = True
        thread.join(60)

    _stops.append(stop)
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False) as client:
            await_ready(client)
            yield application, client
    finally:
        stop()


def await_ready(client: httpx.Client, seconds: float = READY_SECONDS) -> dict[str, object]:
    """Return when `/readyz` answers 200; fails with its last reason."""
    deadline = time.monotonic() + seconds
    last: object = "nothing answered"
    while time.monotonic() < deadline:
        try:
            response = client.get("/readyz")
        except httpx.TransportError as error:
            last = error
        else:
            last = response.json()
            if response.status_code == 200:
                return response.json()
        time.sleep(0.1)
    pytest.fail(f"not ready after {seconds} s: {last}")


@pytest.fixture(scope="session")
def run_service() -> Callable[[Settings], AbstractContextManager[tuple[FastAPI, httpx.Client]]]:
    """`running`, for tests that want a service of their own."""
    return running


@pytest.fixture(scope="session")
def fill(neo4j_server: Settings, tmp_path_factory: pytest.TempPathFactory) -> Callable[[], str]:
    """Load the starter graph and some pathways of Reactome; gives the graph version."""
    folder = tmp_path_factory.mktemp("reactome")
    write_part(folder)

    def filled() -> str:
        with connect(neo4j_server) as client:
            load_starter(client, neo4j_server)
            load_vocabulary(client, neo4j_server)
            return load_starter_pathways(client, neo4j_server, folder=folder).graph_version

    return filled


@pytest.fixture(scope="session")
def starter(neo4j_server: Settings, fill: Callable[[], str]) -> Settings:
    """Settings of a Neo4j that holds the starter graph, of Reactome some pathways, and nothing else."""
    with connect(neo4j_server) as client:
        empty_database(client)
    fill()
    return neo4j_server.model_copy(update={"watch_interval": 0.2})


@pytest.fixture(scope="session")
def service(starter: Settings) -> Iterator[FastAPI]:
    """The running application."""
    with running(starter) as (application, client):
        application.state.test_client = client
        yield application


@pytest.fixture(scope="session")
def taken_over(service: FastAPI) -> Callable[[str], None]:
    """Returns when the running service answers from a graph version."""
    client: httpx.Client = service.state.test_client

    def wait(version: str) -> None:
        deadline = time.monotonic() + READY_SECONDS
        while await_ready(client)["graph_version"] != version:
            assert time.monotonic() < deadline, f"the service did not take graph version {version} over"
            time.sleep(0.1)

    return wait


@pytest.fixture(scope="module")
def given_back(taken_over: Callable[[str], None], fill: Callable[[], str]) -> Iterator[None]:
    """For a module that empties the database: afterwards the service has its graph again."""
    yield
    taken_over(fill())


@pytest.fixture(scope="session")
def http(service: FastAPI) -> httpx.Client:
    """A client of the running service."""
    client: httpx.Client = service.state.test_client
    return client
