"""What the database says of itself and of its graph."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from cypher.client import Client
from retrievers.snapshot import read_version
from retrievers.snapshot_file import GraphMark

# What the loader calls the origin of the bundled graph.
STARTER = "starter"
FACTS, VOCABULARY, PATHWAYS = STARTER_PARTS = ("biomolmqa", "vocabulary", "reactome")


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


def read_graph_mark(client: Client) -> GraphMark:
    """The state of the graph. Raises NotReady when there is none or a load is under way."""
    version = read_version(client)
    loads = [row["load"] for row in client.read("load/ledger")]
    ledger = json.dumps(loads, sort_keys=True, default=str)
    return GraphMark(version, hashlib.sha256(ledger.encode("utf-8", "surrogatepass")).hexdigest())


def missing_starter_parts(client: Client) -> tuple[str, ...]:
    """The starter graph's data sets that are not wholly loaded; none where anything else was begun."""
    loads = [row["load"] for row in client.read("load/ledger")]
    if any(load.get("origin") != STARTER for load in loads if load["dataset"] != VOCABULARY):
        return ()
    if not loads and read_graph_state(client).version is not None:
        return ()
    begun = {load["dataset"] for load in loads}
    unfinished = {load["dataset"] for load in loads if load["state"] == "running"}
    return tuple(name for name in STARTER_PARTS if name not in begun or name in unfinished)


def read_neo4j_version(client: Client) -> str | None:
    """The version that the database says it is."""
    rows = client.read("service/neo4j_version")
    return str(rows[0]["version"]) if rows else None
