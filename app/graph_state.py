"""What the database says of itself and of its graph."""

from __future__ import annotations

from dataclasses import dataclass

from cypher.client import Client

# What the loader calls the origin of the bundled graph.
STARTER = "starter"


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


def wants_starter(client: Client) -> bool:
    """Whether the database holds no graph and nothing but the starter graph was ever begun in it."""
    if read_graph_state(client).version is not None:
        return False
    return all(row["load"].get("origin") == STARTER for row in client.read("load/ledger"))


def read_neo4j_version(client: Client) -> str | None:
    """The version that the database says it is."""
    rows = client.read("service/neo4j_version")
    return str(rows[0]["version"]) if rows else None
