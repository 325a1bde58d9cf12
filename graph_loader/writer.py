"""Makes the graph agree with a source: only what differs is written, in batches that can be repeated.

A load that is killed leaves whole batches behind and the graph marked as
loading; the next one compares again and writes the rest.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Protocol

from biomolkg import __version__
from biomolkg.errors import DatabaseError
from biomolkg.settings import Settings
from cypher.client import Client, Counters
from graph_loader.embeddings import EMBEDDED_AT_ONCE, Encoder, embedded
from graph_loader.graph_tables import EDGES, GraphTables
from graph_loader.identity.account import stored
from graph_loader.ledger import JoinCount, Ledger, Omissions, TableCount
from graph_loader.loads import Loads
from graph_loader.plan import Difference, Encoding, Plan, Row, Wanted
from graph_loader.records import GraphContent
from graph_loader.vocabulary.refresh import refresh_vocabulary

LOCK = "load"

Report = Callable[[str, int, int], None]


def quiet(_table: str, _done: int, _total: int) -> None:
    """Reports nothing."""


class Agreement(Protocol):
    """What the graph shall hold of one data set, and how it is compared with what it holds."""

    @property
    def dataset(self) -> str:
        """Whose facts these are."""
        ...

    @property
    def origin(self) -> str:
        """Where they were read from."""
        ...

    @property
    def selection(self) -> str:
        """Which part of the source was asked for."""
        ...

    def content_hash(self) -> str:
        """Identity of everything that a load leaves in the graph."""
        ...

    def plan(self, client: Client) -> Plan:
        """What has to change. Reads only."""
        ...


class Writer:
    """Writes one content into one database."""

    def __init__(
        self,
        client: Client,
        settings: Settings,
        *,
        encoding: Encoding,
        encoder: Encoder,
        report: Report = quiet,
        dry_run: bool = False,
    ) -> None:
        """`dry_run`: say what would be written, and write nothing."""
        self._client = client
        self._settings = settings
        self._encoding = encoding
        self._encoder = encoder
        self._report = report
        self._dry_run = dry_run
        self._counters = Counters()

    def write(self, content: GraphContent, omissions: Omissions, *, began: float) -> Ledger:
        """Make the graph agree with a content, as `agree` does."""
        wanted = Wanted.of(content, self._encoding)
        return self.agree(lambda: wanted, omissions, began=began)

    def agree(self, joined: Callable[[], Agreement], omissions: Omissions, *, began: float) -> Ledger:
        """Make the graph agree and return its account; `began` is the start's `time.perf_counter()`.

        `joined` is called once no other load can change what it joins to.
        Raises Overloaded when another load holds the database, DatabaseError when
        the graph does not agree afterwards, and whatever the client raises; run
        again, the load goes on where it stopped.
        """
        with self._client.exclusive(LOCK, patience=self._settings.load_patience):
            wanted = joined()
            plan = wanted.plan(self._client)
            identity = wanted.content_hash()
            ledger = Loads(self._client.read("load/ledger"))
            version = ledger.version_with(wanted.dataset, identity)
            seconds: Mapping[str, float] = {}
            if not self._dry_run and (
                plan
                or not ledger.stands(wanted.dataset, identity)
                or not self._settled(version, loading=ledger.unfinished_elsewhere(wanted.dataset))
            ):
                seconds = self._carry_out(plan, wanted, identity, ledger, omissions)
        return self._account(plan, wanted, identity, version, seconds, omissions, time.perf_counter() - began)

    def _settled(self, version: str, *, loading: bool) -> bool:
        state = self._client.read("service/graph_state")
        return bool(state) and state[0] == {"version": version, "loading": loading}

    def _carry_out(
        self,
        plan: Plan,
        wanted: Agreement,
        identity: str,
        ledger: Loads,
        omissions: Omissions,
    ) -> Mapping[str, float]:
        load = f"{wanted.dataset}:{identity[:16]}"
        self._write(
            "load/begin",
            id=load,
            properties={
                "dataset": wanted.dataset,
                "origin": wanted.origin,
                "selection": wanted.selection,
                "content": identity,
                "encoder": self._encoding.identity,
                "software": __version__,
            },
        )
        seconds, settled = self._apply(plan, wanted.dataset)
        left = (wanted.without(settled) if isinstance(wanted, GraphTables) else wanted).plan(self._client)
        if left:
            wrong = ", ".join(
                f"{row.table}: {len(row.write) + len(row.remove)}" for row in left.tables if row
            )
            raise DatabaseError(
                f"The graph does not agree with the source after the load ({wrong}).",
                remedy="Something else changed it meanwhile. Run the load again.",
            )
        self._counters += refresh_vocabulary(self._client, ledger, self._settings)
        self._write(
            "load/finish",
            id=load,
            counts=_counts(plan, omissions) | stored(_joins(wanted), omissions.listed()),
            version=ledger.version_with(wanted.dataset, identity),
            loading=ledger.unfinished_elsewhere(wanted.dataset),
            superseded=ledger.others(wanted.dataset, load),
        )
        return seconds

    def _apply(self, plan: Plan, dataset: str) -> tuple[dict[str, float], set[str]]:
        """Nodes that facts end at first and last, so that no fact or passage is ever without its ends.

        Returns the seconds of each table, and the tables that need no second look:
        nothing was removed, and Neo4j counts an edge for each row.
        """
        seconds: dict[str, float] = {}
        settled = set()
        for table in plan.tables:
            created = self._table(table, dataset, seconds)
            if table.removal == EDGES and not table.remove and created == len(table.write):
                settled.add(table.table)
        for table in reversed(plan.tables):
            if table.removed_last:
                self._remove(table, dataset)
        return seconds, settled

    def _table(self, table: Difference, dataset: str, seconds: dict[str, float]) -> int:
        """Write one table; returns how many edges that made."""
        began, before = time.perf_counter(), self._counters.relationships_created
        if not table.removed_last:
            self._remove(table, dataset)
        done = 0
        embeds = any("embed" in row for row in table.write)
        size = (
            min(EMBEDDED_AT_ONCE, self._settings.load_batch_rows)
            if embeds
            else self._settings.load_batch_rows
        )
        for rows in _batches(table.write, size):
            self._write(
                f"load/write_{table.table}",
                rows=embedded(rows, self._encoder, self._encoding) if embeds else rows,
                dataset=dataset,
            )
            done += len(rows)
            self._report(table.table, done, len(table.write))
        seconds[table.table] = time.perf_counter() - began
        return self._counters.relationships_created - before

    def _remove(self, table: Difference, dataset: str) -> None:
        for rows in _batches(table.remove, self._settings.load_batch_rows):
            self._write(f"load/remove_{table.removal or table.table}", rows=rows, dataset=dataset)

    def _write(self, name: str, **parameters: Any) -> None:
        self._counters += self._client.write(name, **parameters)

    def _account(
        self,
        plan: Plan,
        wanted: Agreement,
        identity: str,
        version: str,
        seconds: Mapping[str, float],
        omissions: Omissions,
        whole: float,
    ) -> Ledger:
        writes = {
            name: int(value) for name, value in asdict(self._counters).items() if name != "contains_updates"
        }
        return Ledger(
            dataset=wanted.dataset,
            origin=wanted.origin,
            selection=wanted.selection,
            content=identity,
            graph_version=version,
            tables=tuple(
                TableCount(
                    table=row.table,
                    read=row.read,
                    written=len(row.write),
                    unchanged=row.unchanged,
                    removed=_removed(row),
                    seconds=seconds.get(row.table, 0.0),
                )
                for row in plan.tables
            ),
            omissions=omissions.listed(),
            seconds=whole,
            writes=writes,
            joins=_joins(wanted),
            dry_run=self._dry_run,
        )


def _joins(wanted: Agreement) -> tuple[JoinCount, ...]:
    return wanted.joins() if isinstance(wanted, GraphTables) else ()


def _counts(plan: Plan, omissions: Omissions) -> dict[str, object]:
    skipped = [f"{item.file}: {item.reason}: {item.count}" for item in omissions.listed()]
    return {
        "tables": [row.table for row in plan.tables],
        "read": [row.read for row in plan.tables],
        "written": [len(row.write) for row in plan.tables],
        "unchanged": [row.unchanged for row in plan.tables],
        "removed": [_removed(row) for row in plan.tables],
        "skipped": skipped,
    }


def _removed(table: Difference) -> int:
    """Rows that are gone for good: what is removed to be written anew does not count."""
    return sum(row.get("gone", True) for row in table.remove)


def _batches(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
