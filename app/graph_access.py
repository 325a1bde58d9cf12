"""A client for one command: of the Neo4j that is given or runs, else of one that runs for the command."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from biomolkg.settings import Settings
from cypher.client import Client, connect
from cypher.progress import Terminal
from cypher.server import ManagedServer


@contextmanager
def open_graph(settings: Settings, *, launched: Callable[[], None] = lambda: None) -> Iterator[Client]:
    """A client; a managed server that was started for it is stopped at the end.

    `launched` is called when there is only to wait for the server.

    Raises DatabaseUnavailable, AuthenticationFailed or ServerError.
    """
    if settings.neo4j_uri is not None:
        launched()
        with connect(settings) as client:
            yield client
        return
    with ManagedServer(settings, Terminal(), launched=launched) as server:
        server.start()
        with connect(settings) as client:
            yield client
