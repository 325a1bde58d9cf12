"""An export into an empty managed Neo4j by neo4j-admin, while no server runs: `biomolkg db import`."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

from biomolkg.errors import DatabaseError
from biomolkg.settings import Settings
from cypher.client import Client, connect
from cypher.progress import Quiet, Reporter
from cypher.server import ManagedServer
from cypher.store import replaced_store
from graph_loader.export import Form, group_arguments
from graph_loader.graph_export import Manifest, read_manifest

_RESTORED_AT_ONCE = 50_000


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did; `import_seconds` is neo4j-admin's part, without indexes."""

    graph_version: str
    nodes: int
    relationships: int
    import_seconds: float
    seconds: float

    @property
    def rate(self) -> float:
        """Nodes and relationships a second, by neo4j-admin alone."""
        return (self.nodes + self.relationships) / self.import_seconds


def import_graph(
    folder: Path, settings: Settings, *, overwrite: bool = False, reporter: Reporter | None = None
) -> Imported:
    """Import the export in `folder`; the database is then complete, with its indexes.

    A database that holds anything is replaced only with `overwrite`, and stands as
    before when the import fails. The server does not run afterwards.

    Raises SourceError for a folder that is no whole export, DatabaseError when the
    database is not empty or does not agree with the export afterwards, ServerError
    when a server runs or neo4j-admin fails.
    """
    reporter = reporter or Quiet()
    begun = time.perf_counter()
    manifest = read_manifest(folder)
    server = ManagedServer(settings, reporter)
    options = [
        *Form().arguments(multiline=manifest.multiline),
        *(group_arguments(group, edges=False) for group in manifest.node_groups),
        *(group_arguments(group, edges=True) for group in manifest.edge_groups),
    ]
    with replaced_store(server, settings, overwrite=overwrite) as store:
        reporter.say(f"Importing {manifest.nodes:,} nodes and {manifest.relationships:,} relationships ...")
        imported = time.perf_counter()
        store.import_csv(options)
        import_seconds = time.perf_counter() - imported
        with server:
            server.start()
            with connect(settings) as client:
                _complete(client, manifest, reporter)
    return Imported(
        manifest.graph_version,
        manifest.nodes,
        manifest.relationships,
        import_seconds,
        time.perf_counter() - begun,
    )


def _complete(client: Client, manifest: Manifest, reporter: Reporter) -> None:
    """Indexes and empty arrays; then the database must be what was exported."""
    for names in manifest.empty_arrays:
        values: dict[str, list[str]] = {name: [] for name in names}
        for kind in ("nodes", "relationships"):
            while client.write(
                f"export/restore_{kind}", names=list(names), values=values, limit=_RESTORED_AT_ONCE
            ).contains_updates:
                pass
    reporter.say("Building indexes ...")
    client.apply_schema()
    client.await_indexes(timeout=600)
    found = client.read("export/totals")[0]
    state = client.read("service/graph_state")
    version = state[0]["version"] if state else None
    if (found["nodes"], found["relationships"], version) != (
        manifest.nodes,
        manifest.relationships,
        manifest.graph_version,
    ):
        raise DatabaseError(
            f"After the import there are {found['nodes']:,} nodes and {found['relationships']:,} "
            f"relationships of graph version {version}, not {manifest.nodes:,} and "
            f"{manifest.relationships:,} of {manifest.graph_version}.",
            remedy="Export again, and tell us of it.",
        )
