"""Rules that hold for every statement of the project."""

from collections.abc import Iterator
from typing import Any

import pytest
from neo4j import GraphDatabase

from biomolkg.settings import Settings
from cypher.catalogue import schema_names, statement, statement_names
from cypher.client import Client
from cypher.home import server_home

# What lists, deletes or has just imported everything may look at everything.
_WHOLE = {
    "admin/delete_nodes",
    "export/restore_nodes",
    "load/read_entities",
    "load/read_relation_types",
    "read/entity_list",
}


def test_each_statement_says_what_it_answers() -> None:
    for name in statement_names():
        first = statement(name).splitlines()[0]
        assert first.startswith("// "), name
        assert len(first) > 15, name


def test_each_schema_statement_makes_one_thing_that_is_named_as_its_file() -> None:
    assert schema_names() == [name.rpartition("/")[2] for name in statement_names("schema")]


def operators(plan: dict[str, Any]) -> Iterator[str]:
    yield plan["operatorType"].partition("@")[0]
    for child in plan.get("children", []):
        yield from operators(child)


def test_what_is_looked_up_by_a_value_uses_an_index(client: Client, neo4j_server: Settings) -> None:
    """Neo4j's own plans: a statement with parameters scans neither all nodes nor all nodes of a label."""
    client.await_indexes()
    login = (neo4j_server.neo4j_user, server_home(neo4j_server).read_password())
    with GraphDatabase.driver(client.uri, auth=login) as driver, driver.session() as session:
        scans = {
            name: found
            for name in statement_names()
            if "$" in statement(name) and name not in _WHOLE
            for found in [set(operators(session.run(f"EXPLAIN {statement(name)}").consume().plan))]
            if found & {"AllNodesScan", "NodeByLabelScan"}
        }
    if scans:
        pytest.fail("\n".join(f"{name}: {sorted(found)}" for name, found in scans.items()))
