"""A graph written as CSV and imported by neo4j-admin is the graph that it was; damage is refused."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from neo4j import GraphDatabase, Session

from biomolkg.errors import BioMolKGError, DatabaseError, ServerError, SourceError
from biomolkg.settings import Settings
from cypher.client import Client, connect
from cypher.home import server_home
from cypher.server import ManagedServer
from cypher.state import read_state
from graph_loader import graph_export
from graph_loader.graph_export import MANIFEST, export_graph, read_manifest
from graph_loader.graph_import import import_graph
from tests.conftest import empty_database, scratch_settings

# Every type of value, awkward texts, empty arrays and absent properties, mixed types under one name.
_MADE = """
CREATE (graph:Graph {id: 'graph', version: 'v1', loading: false})
CREATE (a:Entity:Drug {
  id: 'pubchem.compound:1', name: 'quote " comma, ; line\nend', synonyms: [], groups: ['x', ''],
  weight: 1.5, count: 9007199254740993, yes: true, day: date('2026-01-31'),
  moment: datetime('2026-01-31T12:30:00.000000001+01:00'), lasted: duration('P1M2DT3.5S'),
  place: point({x: 1.0, y: -2.5}), empty: '', mixed: 1})
CREATE (b:Entity:Drug {id: 'pubchem.compound:2', synonyms: ['β', 'ünï'], mixed: 'one'})
CREATE (c {lonely: [1.5, 2.5]})
CREATE (d)
CREATE (a)-[:DDI {relation: 'gastric upset', parts: []}]->(b)
CREATE (a)-[:DDI {relation: 'gastric upset', parts: [1, 2]}]->(b)
CREATE (b)-[:ODD_ONE]->(b)
"""


@pytest.fixture(scope="module")
def session(neo4j_server: Settings) -> Iterator[Session]:
    with opened(neo4j_server) as found:
        yield found


@contextmanager
def opened(settings: Settings) -> Iterator[Session]:
    """A plain session of the managed server of `settings`."""
    home = server_home(settings)
    state = read_state(home)
    assert state is not None
    with (
        GraphDatabase.driver(state.bolt, auth=("neo4j", home.read_password())) as driver,
        driver.session() as session,
    ):
        yield session


def content(session: Session) -> tuple[list[str], list[str]]:
    nodes = session.run("MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties")
    edges = session.run(
        "MATCH (a)-[r]->(b) RETURN a.id AS head, type(r) AS type, properties(r) AS properties, b.id AS tail"
    )

    def shown(row: dict[str, Any]) -> str:
        return repr({**row, "properties": sorted(row["properties"].items())})

    return sorted(shown(row.data()) for row in nodes), sorted(shown(row.data()) for row in edges)


@pytest.fixture(scope="module")
def export(client: Client, session: Session, tmp_path_factory: pytest.TempPathFactory) -> Path:
    session.run(_MADE).consume()
    folder = tmp_path_factory.mktemp("export") / "graph"
    written = export_graph(client, folder)
    assert (written.graph_version, written.nodes, written.relationships) == ("v1", 5, 3)
    return folder


def test_an_import_is_the_graph_that_was_exported(
    export: Path, session: Session, tmp_path_factory: pytest.TempPathFactory
) -> None:
    before = content(session)
    settings = scratch_settings(tmp_path_factory.mktemp("home"))
    found = import_graph(export, settings)
    assert (found.nodes, found.relationships, found.graph_version) == (5, 3, "v1")
    with ManagedServer(settings) as server:
        server.start()
        with opened(settings) as imported:
            assert content(imported) == before
            # Without line ends in values neo4j-admin reads files in parallel.
            imported.run("MATCH (e:Drug) SET e.name = replace(e.name, '\n', '␤')").consume()
            plain = content(imported)
        with connect(settings) as client:
            export_graph(client, export.parent / "plain")
        with pytest.raises(ServerError, match="A Neo4j runs on"):
            import_graph(export, settings, overwrite=True)
    with pytest.raises(ServerError, match="There is a database"):
        import_graph(export, settings)
    assert [read_manifest(folder).multiline for folder in (export, export.parent / "plain")] == [True, False]
    import_graph(export.parent / "plain", settings, overwrite=True)
    with ManagedServer(settings) as server:
        server.start()
        with opened(settings) as imported:
            assert content(imported) == plain
    # What fails leaves the database as it was.
    broken = export.parent / "broken"
    shutil.copytree(export, broken)
    edges = next(broken.glob("edges-*DDI-part*"))
    unknown = edges.read_text(encoding="utf-8") + edges.read_text(encoding="utf-8").replace('"', '"9', 1)
    edges.write_text(unknown, encoding="utf-8")
    manifest = json.loads((broken / MANIFEST).read_text(encoding="utf-8"))
    manifest["files"][edges.name] = graph_export._content(edges)
    (broken / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(ServerError, match="neo4j-admin could not import"):
        import_graph(broken, settings, overwrite=True)
    store = server_home(settings).root / "data" / "databases" / "neo4j"
    assert any(store.iterdir())
    assert not store.with_name("neo4j.replaced").exists()


def test_what_is_no_whole_export_is_refused(export: Path, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="it is no finished export"):
        read_manifest(tmp_path)
    for number, damage in enumerate((change, remove, misname, garble)):
        folder = tmp_path / str(number)
        shutil.copytree(export, folder)
        damage(folder)
        with pytest.raises(SourceError):
            read_manifest(folder)


def change(folder: Path) -> None:
    file = next(folder.glob("*-part000.csv"))
    file.write_text(file.read_text(encoding="utf-8").swapcase(), encoding="utf-8")


def remove(folder: Path) -> None:
    next(folder.glob("*-part000.csv")).unlink()


def misname(folder: Path) -> None:
    text = (folder / MANIFEST).read_text(encoding="utf-8")
    (folder / MANIFEST).write_text(text.replace("nodes-000", "../nodes-000"), encoding="utf-8")


def garble(folder: Path) -> None:
    (folder / MANIFEST).write_text('{"format": 1, "files": []}', encoding="utf-8")


def test_an_export_needs_an_empty_folder_and_a_graph_at_rest(
    export: Path, client: Client, session: Session, tmp_path: Path
) -> None:
    with pytest.raises(SourceError, match="is not empty"):
        export_graph(client, export)
    session.run("MATCH (g:Graph) SET g.loading = true").consume()
    with pytest.raises(DatabaseError, match="A load is under way"):
        export_graph(client, tmp_path / "loading")
    session.run("MATCH (g:Graph) SET g.loading = false").consume()
    empty_database(client)
    with pytest.raises(BioMolKGError, match="no graph to export"):
        export_graph(client, tmp_path / "nothing")
