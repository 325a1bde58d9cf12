"""The one place that talks to Neo4j: named statements in managed transactions with a time limit."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

from neo4j import READ_ACCESS, GraphDatabase, ManagedTransaction, Session, Transaction, unit_of_work
from neo4j.exceptions import DriverError, GqlError, Neo4jError

from biomolkg.errors import (
    BioMolKGError,
    ConfigurationError,
    DatabaseError,
    DatabaseTimeout,
    DatabaseUnavailable,
    Overloaded,
)
from biomolkg.settings import Settings
from cypher.catalogue import schema_indexes, statement, statement_names
from cypher.faults import translate
from cypher.home import server_home
from cypher.state import read_state

_CONNECT_TIMEOUT = 5.0  # seconds to open one connection
_IDLE_CHECK = 30.0  # seconds after which a pooled connection is tried before it is used
_STREAM_TRIES = 3
_INDEX_POLL = 0.1  # seconds
# What a transaction is told that ran out of time while it waited for a lock.
_LOCK_STOPPED = "Neo.ClientError.Transaction.LockClientStopped"
_MADE_MEANWHILE = (
    "Schema.EquivalentSchemaRuleAlreadyExists",
    "Schema.IndexAlreadyExists",
    "Schema.ConstraintAlreadyExists",
)
_LOCK_TRY = 1.0  # seconds that one look for a lock may take

_Answer = TypeVar("_Answer")
Row = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Counters:
    """What a write changed, as Neo4j counted it."""

    nodes_created: int = 0
    nodes_deleted: int = 0
    relationships_created: int = 0
    relationships_deleted: int = 0
    properties_set: int = 0
    labels_added: int = 0
    contains_updates: bool = False

    def __add__(self, other: Counters) -> Counters:
        return Counters(
            nodes_created=self.nodes_created + other.nodes_created,
            nodes_deleted=self.nodes_deleted + other.nodes_deleted,
            relationships_created=self.relationships_created + other.relationships_created,
            relationships_deleted=self.relationships_deleted + other.relationships_deleted,
            properties_set=self.properties_set + other.properties_set,
            labels_added=self.labels_added + other.labels_added,
            contains_updates=self.contains_updates or other.contains_updates,
        )


class Client:
    """Runs the statements of `cypher/statements`; threads may share one.

    `statement` is always the name of a file, such as `load/drugs`; values are
    always parameters. Every method raises errors of `biomolkg.errors` only:
    DatabaseUnavailable, AuthenticationFailed, DatabaseTimeout, Overloaded (no
    connection of the pool became free) or DatabaseError.
    """

    def __init__(self, uri: str, *, password: str | None, settings: Settings) -> None:
        self.uri = uri
        self._timeout = settings.neo4j_transaction_timeout
        self._database = settings.neo4j_database
        try:
            _check_address(uri)
            self._driver = GraphDatabase.driver(
                uri,
                auth=None if password is None else (settings.neo4j_user, password),
                connection_timeout=_CONNECT_TIMEOUT,
                connection_acquisition_timeout=settings.neo4j_acquisition_timeout,
                liveness_check_timeout=_IDLE_CHECK,
                max_connection_pool_size=settings.neo4j_pool_size,
                max_transaction_retry_time=settings.neo4j_retry_time,
                notifications_min_severity="OFF",
                telemetry_disabled=True,
                user_agent="biomolkg",
            )
        except (DriverError, ValueError) as error:
            raise ConfigurationError(
                f"{uri!r} is no address of a Neo4j: {error}.", remedy="Set BIOMOLKG_NEO4J_URI to one."
            ) from error

    def read(self, name: str, /, **parameters: object) -> list[Row]:
        """The rows of a reading statement, one dictionary each; a write in it is refused by Neo4j."""
        text = statement(name)

        def work(transaction: ManagedTransaction) -> list[Row]:
            return [dict(record) for record in transaction.run(text, parameters)]

        return self._run(name, lambda session: session.execute_read(self._limited(work)))

    def stream(self, name: str, /, **parameters: object) -> Iterator[Row]:
        """The rows of a reading statement as they arrive; for results that should not be held twice.

        Until the first row it is retried like `read`. The time limit holds for the
        whole stream, so the caller must not dawdle.
        """
        text = statement(name)
        for attempt in range(1, _STREAM_TRIES + 1):
            begun = False
            try:
                with (
                    self._session(default_access_mode=READ_ACCESS) as session,
                    session.begin_transaction(timeout=self._timeout) as transaction,
                ):
                    for record in transaction.run(text, parameters):
                        begun = True
                        yield dict(record)
            except (DriverError, Neo4jError) as error:
                if begun or attempt == _STREAM_TRIES or not error.is_retryable():
                    raise translate(error, name, self.uri, self._timeout) from error
            else:
                return

    def write(self, name: str, /, **parameters: object) -> Counters:
        """What the writing statement changed; it is applied whole or not at all."""
        text = statement(name)

        def work(transaction: ManagedTransaction) -> Counters:
            counters = transaction.run(text, parameters).consume().counters
            return Counters(
                nodes_created=counters.nodes_created,
                nodes_deleted=counters.nodes_deleted,
                relationships_created=counters.relationships_created,
                relationships_deleted=counters.relationships_deleted,
                properties_set=counters.properties_set,
                labels_added=counters.labels_added,
                contains_updates=counters.contains_updates,
            )

        return self._run(name, lambda session: session.execute_write(self._limited(work)))

    @contextlib.contextmanager
    def exclusive(self, name: str, *, patience: float = 0.0) -> Iterator[None]:
        """Hold the lock `name` of the database while the block runs; wait up to `patience` seconds for it.

        The lock is an open transaction that is never committed: it leaves nothing
        behind, and ends with this process. Raises Overloaded when another holds it.
        """
        self._await_lock(name, patience)
        try:
            with self._session() as session, session.begin_transaction(timeout=0) as transaction:
                transaction.run(statement("admin/lock"), id=name).consume()
                yield
                transaction.rollback()
        except (DriverError, Neo4jError) as error:
            raise translate(error, "admin/lock", self.uri, self._timeout) from error

    def _await_lock(self, name: str, patience: float) -> None:
        """Return when nobody holds the lock, trying for a moment at a time."""
        deadline = time.monotonic() + patience
        while True:
            try:
                with self._session() as session, session.begin_transaction(timeout=_LOCK_TRY) as transaction:
                    transaction.run(statement("admin/lock"), id=name).consume()
                    transaction.rollback()
            except (DriverError, Neo4jError) as error:
                fault = translate(error, "admin/lock", self.uri, _LOCK_TRY)
                stopped = isinstance(error, Neo4jError) and error.code == _LOCK_STOPPED
                if not stopped and not isinstance(fault, DatabaseTimeout):
                    raise fault from error
                if time.monotonic() > deadline:
                    raise Overloaded(
                        f"Another program is changing this database (lock {name!r}).",
                        remedy="Wait until it has finished, then try again.",
                    ) from error
            else:
                return

    def verify(self) -> None:
        """Ask one trivial question, without retries; returns when it was answered."""

        def ask(session: Session) -> None:
            transaction: Transaction
            with session.begin_transaction(timeout=self._timeout) as transaction:
                transaction.run(statement("admin/ping")).consume()

        self._run("admin/ping", ask, default_access_mode=READ_ACCESS)

    def apply_schema(self) -> None:
        """Make the constraints and indexes that are missing; a second call changes nothing.

        An index of another version of this program, of other properties or set
        otherwise, is made anew. Raises DatabaseError where another program has an
        index of the same name.
        """
        held = {row["name"]: row for row in self.read("admin/indexes")}
        lacking = []
        for name, index in zip(statement_names("schema"), schema_indexes(), strict=True):
            found = held.get(index.name)
            if found is not None and index.matches(found):
                continue
            lacking.append(name)
            if found is None:
                continue
            if not index.is_of(found):
                raise DatabaseError(
                    f"The database has an index {index.name!r} that is not this program's: "
                    f"{found['type']} of {', '.join(found['labels'] or ())}.",
                    remedy=f"Rename it, or use another database: DROP INDEX {index.name}.",
                )
            self.write("admin/drop_index", name=index.name)
        for name in lacking:
            try:
                self.write(name)
            except DatabaseError as error:
                # IF NOT EXISTS does not cover what another client makes at the same moment.
                if not any(code in error.message for code in _MADE_MEANWHILE):
                    raise

    def pending_indexes(self) -> list[str]:
        """The indexes of the schema that cannot be used yet, each with the reason; empty when all can."""
        held = {row["name"]: row for row in self.read("admin/indexes")}
        states = {
            index.name: "missing"
            if (found := held.get(index.name)) is None
            else found["state"].lower()
            if index.matches(found)
            else "of another version"
            for index in schema_indexes()
        }
        return [f"{name}: {state}" for name, state in states.items() if state != "online"]

    def indexes_online(self) -> bool:
        """Whether every index of the schema is there and can be used."""
        return not self.pending_indexes()

    def await_indexes(self, timeout: float = 60.0) -> None:
        """Return when every index is online. Raises DatabaseTimeout after `timeout` seconds."""
        deadline = time.monotonic() + timeout
        while pending := self.pending_indexes():
            if any(entry.endswith("failed") for entry in pending):
                raise DatabaseError(
                    f"Neo4j could not build these indexes: {', '.join(pending)}.",
                    remedy="Drop them in Neo4j Browser (DROP INDEX name) and start again.",
                )
            if time.monotonic() > deadline:
                raise DatabaseTimeout(
                    f"After {timeout:g} s these indexes are not ready: {', '.join(pending)}."
                )
            time.sleep(_INDEX_POLL)

    def close(self) -> None:
        """Close all connections."""
        self._driver.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _session(self, **config: Any) -> Session:
        return self._driver.session(database=self._database, **config)

    def _limited(self, work: Callable[[ManagedTransaction], _Answer]) -> Callable[..., _Answer]:
        return unit_of_work(timeout=self._timeout)(work)

    def _run(self, name: str, work: Callable[[Session], _Answer], **config: Any) -> _Answer:
        try:
            with self._session(**config) as session:
                return work(session)
        except (DriverError, GqlError) as error:
            raise translate(error, name, self.uri, self._timeout) from error


def _check_address(uri: str) -> None:
    """Raise ValueError for what the driver would tell only when it connects, or take for localhost."""
    parts = urlsplit(uri)
    if not parts.hostname or parts.port == 0:
        raise ValueError("it needs a host and, if any, a port above 0")


def connect(settings: Settings) -> Client:
    """A client of the Neo4j at the URI of the settings, else of the running managed server.

    Raises DatabaseUnavailable when there is neither or it does not answer,
    AuthenticationFailed when it refuses the password.
    """
    if settings.neo4j_uri is not None:
        client = Client(settings.neo4j_uri, password=settings.read_neo4j_password(), settings=settings)
    else:
        home = server_home(settings)
        state = read_state(home)
        if state is None:
            raise DatabaseUnavailable(
                f"No Neo4j runs for {settings.home}.",
                remedy="Start one with `biomolkg db start`, or set BIOMOLKG_NEO4J_URI to one of your own.",
            )
        client = Client(state.bolt, password=home.read_password(), settings=settings)
    try:
        client.verify()
    except BioMolKGError:
        client.close()
        raise
    return client
