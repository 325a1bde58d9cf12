import socket
import threading
from collections.abc import Callable

import pytest
from pydantic import SecretStr

from biomolkg.errors import (
    AuthenticationFailed,
    ConfigurationError,
    DatabaseError,
    DatabaseTimeout,
    DatabaseUnavailable,
    Overloaded,
)
from biomolkg.settings import Settings
from cypher.catalogue import schema_names, statement, statement_names
from cypher.client import Client, connect
from cypher.home import server_home
from cypher.state import read_state
from tests.cypher.statements import own_statements

_STATEMENTS = {
    "older_names": "CREATE FULLTEXT INDEX entity_names FOR (n:Entity) ON EACH [n.name, n.synonyms]",
    "others_index": "CREATE INDEX fact_relation FOR (n:Person) ON (n.relation)",
    "numbers": "UNWIND range(1, $count) AS number RETURN number, $name AS name",
    "sleep": "UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN sum(a * b) AS total",
    "create": "CREATE (n:Scratch {name: $name}) SET n.size = $size",
    "scratch": "MATCH (n:Scratch) RETURN n.name AS name, n.size AS size",
    "wrong": "RETURN 1 +",
    "broken": "UNWIND [1, 0] AS n RETURN 1 / n AS quotient",
    "entity": "CREATE (n:Entity {id: $id, name: $name, synonyms: $synonyms})",
    "names": "CALL db.index.fulltext.queryNodes('entity_names', $text) YIELD node RETURN node.id AS id",
    "passage": "CREATE (n:Passage {id: $id, title: '', text: $text})",
    "texts": "CALL db.index.fulltext.queryNodes('passage_text', $text) YIELD node RETURN node.id AS id",
    "vector": "CREATE (n:RelationType {id: $id, embedding: $embedding})",
    "near": "CALL db.index.vector.queryNodes('relation_embedding', 2, $embedding) YIELD node, score "
    "RETURN node.id AS id, score",
}


@pytest.fixture(autouse=True)
def statements(monkeypatch: pytest.MonkeyPatch) -> None:
    own_statements(monkeypatch, _STATEMENTS)


@pytest.fixture
def given(neo4j_server: Settings) -> Settings:
    """The settings of someone who has a Neo4j of their own at an address."""
    home = server_home(neo4j_server)
    state = read_state(home)
    assert state is not None
    return neo4j_server.model_copy(
        update={"neo4j_uri": state.bolt, "neo4j_password": SecretStr(home.read_password())}
    )


def test_rows_are_read_at_once_or_as_they_arrive(client: Client) -> None:
    rows = client.read("numbers", count=3, name="any")
    assert rows == [{"number": n, "name": "any"} for n in (1, 2, 3)]
    assert list(client.stream("numbers", count=5000, name="x"))[-1] == {"number": 5000, "name": "x"}
    stream = client.stream("numbers", count=5000, name="x")
    assert next(stream)["number"] == 1
    stream.close()  # type: ignore[attr-defined]  (a generator)
    assert client.read("numbers", count=0, name="x") == []


def test_a_write_is_counted_and_kept(client: Client) -> None:
    counters = client.write("create", name="a'b\"c\\", size=1)
    assert (counters.nodes_created, counters.labels_added, counters.properties_set) == (1, 1, 2)
    assert counters.contains_updates
    assert client.read("scratch") == [{"name": "a'b\"c\\", "size": 1}]


@pytest.mark.parametrize("read", [Client.read, lambda *given, **more: list(Client.stream(*given, **more))])
def test_a_write_sent_as_a_read_is_refused_by_neo4j(client: Client, read: Callable[..., object]) -> None:
    """The access mode that was sent is the one Neo4j acts on."""
    before = client.read("scratch")
    with pytest.raises(DatabaseError, match=r"AccessMode"):
        read(client, "create", name="x", size=2)
    assert client.read("scratch") == before


@pytest.mark.parametrize("name", ["wrong", "broken"])
def test_a_failing_statement_is_named(client: Client, name: str) -> None:
    for call in (client.read, client.write, lambda given: list(client.stream(given))):
        with pytest.raises(DatabaseError, match=f"could not run {name}"):
            call(name)


def test_a_missing_parameter_is_named(client: Client) -> None:
    with pytest.raises(DatabaseError, match="count"):
        client.read("numbers", name="x")


@pytest.mark.parametrize(
    "name", ["load/nothing", "nothing", "../lock", "LOAD/DRUGS", "", "admin/ping.cypher"]
)
def test_an_unknown_statement_lists_the_known_ones(name: str) -> None:
    with pytest.raises(DatabaseError, match="There is no statement") as caught:
        statement(name)
    assert "There are: " in str(caught.value)


def test_a_transaction_has_a_time_limit(neo4j_server: Settings) -> None:
    hurried = neo4j_server.model_copy(update={"neo4j_transaction_timeout": 0.2})
    with connect(hurried) as impatient:
        for call in (impatient.read, impatient.write, lambda name: list(impatient.stream(name))):
            with pytest.raises(DatabaseTimeout, match=r"sleep took longer than its 0\.2 s"):
                call("sleep")
        assert impatient.read("numbers", count=1, name="x"), "the connection can be used again"


def test_when_all_connections_are_in_use_the_answer_is_overloaded(neo4j_server: Settings) -> None:
    narrow = neo4j_server.model_copy(update={"neo4j_pool_size": 1, "neo4j_acquisition_timeout": 0.2})
    with connect(narrow) as one:
        held = one.stream("numbers", count=100_000, name="x")
        next(held)
        with pytest.raises(Overloaded, match="in use"):
            one.read("numbers", count=1, name="x")
        held.close()  # type: ignore[attr-defined]  (a generator)
        assert one.read("numbers", count=1, name="x")


def test_threads_share_a_client(client: Client) -> None:
    found: list[int] = []

    def ask(number: int) -> None:
        found.append(client.read("numbers", count=number, name="x")[-1]["number"])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(1, 31)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == list(range(1, 31))


def test_an_address_in_the_settings_is_used_instead_of_the_managed_server(given: Settings) -> None:
    elsewhere = given.model_copy(update={"home": given.home / "nothing-here"})
    with connect(elsewhere) as client:
        assert client.read("numbers", count=1, name="x")


@pytest.mark.parametrize(
    "wrong", [{"neo4j_password": SecretStr("not it")}, {"neo4j_user": "nobody"}, {"neo4j_password": None}]
)
def test_a_wrong_login_is_told_as_such(given: Settings, wrong: dict[str, object]) -> None:
    with pytest.raises(AuthenticationFailed, match="refused the user or the password") as caught:
        connect(given.model_copy(update=wrong))
    assert "not it" not in str(caught.value)


def test_a_database_that_is_not_there_is_named(given: Settings) -> None:
    with pytest.raises(ConfigurationError, match="nowhere") as caught:
        connect(given.model_copy(update={"neo4j_database": "nowhere"}))
    assert "BIOMOLKG_NEO4J_DATABASE" in str(caught.value)


@pytest.mark.parametrize(
    "uri", ["bolt://host:port", "bolt://", "bolt://host:99999", "bolt+s://host?a=b", "bolt://user:word@host"]
)
def test_an_address_that_is_none_is_refused(given: Settings, uri: str) -> None:
    with pytest.raises((ConfigurationError, DatabaseUnavailable)) as caught:
        connect(given.model_copy(update={"neo4j_uri": uri}))
    assert "address" in str(caught.value)


def test_when_nothing_or_no_neo4j_answers_the_database_is_unavailable(given: Settings) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        with pytest.raises(DatabaseUnavailable, match="does not answer"):
            connect(given.model_copy(update={"neo4j_uri": f"bolt://127.0.0.1:{unused.getsockname()[1]}"}))
    with pytest.raises(DatabaseUnavailable, match="not known"):
        connect(given.model_copy(update={"neo4j_uri": "neo4j://no-such-host.invalid:7687"}))
    state = read_state(server_home(given))
    assert state is not None
    with pytest.raises(DatabaseUnavailable):
        connect(given.model_copy(update={"neo4j_uri": f"bolt://127.0.0.1:{state.http_port}"}))


def test_the_schema_is_complete_and_applied_twice_changes_nothing(client: Client) -> None:
    client.await_indexes()
    assert client.indexes_online()
    there = {row["name"] for row in client.read("admin/indexes")}
    # Constraints on relationships or existence aside, each name of the schema is an index.
    assert set(schema_names()) <= there
    assert not any(client.write(name).contains_updates for name in statement_names("schema"))


def test_an_index_of_an_older_version_is_made_anew(client: Client) -> None:
    client.write("admin/drop_index", name="entity_names")
    client.write("older_names")
    client.write("entity", id="e:old", name="Fentanyl", synonyms=[])
    assert client.pending_indexes() == ["entity_names: of another version"]
    client.apply_schema()
    client.await_indexes()
    (held,) = [row for row in client.read("admin/indexes") if row["name"] == "entity_names"]
    assert held["properties"][:4] == ["name", "synonyms", "gene", "other_names"]
    assert client.read("names", text="fentanyl") == [{"id": "e:old"}]


def test_an_index_of_something_else_is_left_alone(client: Client) -> None:
    client.write("admin/drop_index", name="fact_relation")
    client.write("others_index")
    try:
        with pytest.raises(DatabaseError, match="'fact_relation' that is not this program's"):
            client.apply_schema()
    finally:
        client.write("admin/drop_index", name="fact_relation")
        client.apply_schema()
        client.await_indexes()


def test_names_are_found_whatever_their_case_and_accents(client: Client) -> None:
    client.write("entity", id="x:1", name="Sjögrenine-α", synonyms=["Émetine HCl", "IL-6"])
    for text in ("sjogrenine", "SJÖGRENINE", "emetine", "\\il\\-6"):
        assert client.read("names", text=text) == [{"id": "x:1"}], text


def test_passages_are_found_by_the_stems_of_english_words(client: Client) -> None:
    client.write("passage", id="p:1", text="It inhibits the enzymes of the liver.")
    for text in ("inhibited", "enzyme", "livers"):
        assert client.read("texts", text=text) == [{"id": "p:1"}], text
    assert client.read("texts", text="the") == []


def test_embeddings_are_found_by_their_angle(client: Client) -> None:
    for number in range(3):
        client.write("vector", id=f"r:{number}", embedding=[1.0, float(number), *([0.0] * 382)])
    hits = client.read("near", embedding=[2.0, 0.0, *([0.0] * 382)])
    assert [hit["id"] for hit in hits] == ["r:0", "r:1"]
    assert hits[0]["score"] == pytest.approx(1.0)
    assert hits[1]["score"] == pytest.approx((1 + 0.5**0.5) / 2, abs=1e-4)
