"""One staged source against one graph: joins, what differs, and the writes, in batches of bounded size."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

from biomolkg.errors import DatabaseError
from biomolkg.settings import Settings
from cypher.client import Client, Counters
from graph_loader.claims import claim, node_digest, place
from graph_loader.embeddings import EMBEDDED_AT_ONCE, Encoder, embedded
from graph_loader.functional_groups import group_rows
from graph_loader.graph_records import EDGE_KINDS, LINK_KINDS
from graph_loader.identity.account import stored
from graph_loader.identity.table_joins import TableJoins
from graph_loader.ledger import Ledger, Omission, TableCount
from graph_loader.loads import Loads
from graph_loader.plan import Encoding
from graph_loader.reading import Reading
from graph_loader.relation_types import relation_rows
from graph_loader.staging import StagedNode, Staging, batches
from graph_loader.table_rows import Row, TableRows
from graph_loader.table_sources import TableSource
from graph_loader.vocabulary.refresh import refresh_vocabulary
from graph_loader.withdrawals import withdraw
from graph_loader.writer import Report

_WRITERS = 2  # transactions at a time


class TableWriting:
    """The comparison and writing of one source. Call `join`, `compare`, then `begin`, `write`, `finish`."""

    def __init__(
        self,
        client: Client,
        source: TableSource,
        staging: Staging,
        reading: Reading,
        settings: Settings,
        *,
        encoding: Encoding,
        encoder: Encoder,
        report: Report,
    ) -> None:
        self._client = client
        self._source = source
        self._dataset = source.dataset
        self._staging = staging
        self._joins = TableJoins(client, source, staging)
        self._rows = TableRows(source.dataset, staging, self._joins, settings)
        self._reading = reading
        self._settings = settings
        self._encoding = encoding
        self._encoder = encoder
        self._report = report
        self._counters = Counters()
        self._read: Counter[str] = Counter()
        self._written: Counter[str] = Counter()
        self._removed: Counter[str] = Counter()
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._fresh = False

    @property
    def differs(self) -> bool:
        """Whether the graph has to be changed."""
        return bool(self._written or self._removed)

    def join(self) -> str:
        """Find out which nodes the graph has already; returns a hash over who was joined to what."""
        return self._joins.find()

    def compare(self, *, fresh: bool) -> None:
        """Find out what has to change; `fresh`: the ledger knows no load of the data set."""
        self._fresh = fresh and self._has_nothing()
        if self._fresh:
            self._read["nodes"] = self._written["nodes"] = self._staging.nodes
            for kind, count in self._staging.edges.items():
                self._read[kind.lower()] = self._written[kind.lower()] = count
            return
        self._compare_nodes()
        self._compare_edges()
        self._compare_passages()
        if not any(self._written[kind.lower()] or self._removed[kind.lower()] for kind in EDGE_KINDS):
            write, remove, wanted = relation_rows(self._client, self._encoding)
            self._tally("relation_types", wanted, len(write), len(remove))

    def _has_nothing(self) -> bool:
        mark = f"{self._dataset}:digest"
        rows = (
            self._client.stream("load/read_claims", dataset=self._dataset, digest=mark),
            self._client.stream("load/read_digests", dataset=self._dataset),
        )
        return all(next(some, None) is None for some in rows)

    def _tally(self, table: str, read: int, written: int, removed: int) -> None:
        self._read[table] = read
        if written:
            self._written[table] = written
        if removed:
            self._removed[table] = removed

    def _compare_nodes(self) -> None:
        staging, joins, dataset = self._staging, self._joins, self._dataset
        for rows in batches(
            self._client.stream("load/read_claims", dataset=dataset, digest=f"{dataset}:digest"), 5_000
        ):
            staging.hold_nodes((row["id"], row["digest"], json.dumps(row["datasets"])) for row in rows)
        read = written = 0
        for nodes in batches(self._rows.nodes(), self._settings.load_batch_rows):
            targets = {node.id: joins.target(node.id) for node in nodes}
            met = {target: staging.meet_node(target) for target in targets.values()}
            unheld = [target for target, held in met.items() if held is None]
            others = {
                row["id"]: row["datasets"]
                for row in (self._client.read("load/find_entities", ids=unheld) if unheld else ())
            }
            for node in nodes:
                read += 1
                target = targets[node.id]
                held = met[target]
                datasets = held[1] if held is not None else others.get(target) or []
                standing = place(datasets, dataset)
                evidence = joins.evidence(node, target, standing, counted=False)
                if held is None or held[0] != node_digest(node, standing, evidence, joins.synonyms(node)):
                    staging.want_node(node.n)
                    written += 1
        self._tally("nodes", read, written, sum(1 for _ in staging.unmet_nodes()))

    def _compare_edges(self) -> None:
        staging = self._staging
        for rows in batches(self._client.stream("load/read_digests", dataset=self._dataset), 5_000):
            staging.hold_edges((row["digest"], row["element"], row["kind"]) for row in rows)
        counts: Counter[str] = Counter()
        written: Counter[str] = Counter()
        for edge in staging.read_edges():
            counts[edge.kind] += 1
            if not staging.meet_edge(self._rows.edge(edge)["properties"]["digest"]):
                staging.want_edge(edge.n)
                written[edge.kind] += 1
        removed = Counter(kind for _, kind in staging.unmet_edges())
        for kind in counts | removed:
            self._tally(kind.lower(), counts[kind], written[kind], removed[kind])

    def _compare_passages(self) -> None:
        staging = self._staging
        rows = self._client.stream("load/read_passage_ids", dataset=self._dataset)
        staging.hold_passages(row["id"] for row in rows)
        read = written = 0
        for row in self._rows.passages():
            read += 1
            written += not staging.meet_passage(row["id"])
        self._tally("passages", read, written, sum(1 for _ in staging.unmet_passages()))

    def begin(self, load: str, properties: Mapping[str, object]) -> None:
        """Say in the ledger that the load has begun."""
        self._write("load/begin", id=load, properties=dict(properties))

    def write(self) -> None:
        """Write what differs: things before facts, and what is gone last. Raises DatabaseError."""
        batch = self._settings.load_batch_rows
        with _Timed(self._seconds, "nodes"):
            self._write_nodes(batch)
        self._write_edges(batch)
        with _Timed(self._seconds, "passages"):
            self._write_passages()
        with _Timed(self._seconds, "relation_types"):
            write, remove, wanted = relation_rows(self._client, self._encoding)
            self._remove("load/remove_relation_types", remove)
            for rows in batches(write, EMBEDDED_AT_ONCE):
                self._write("load/write_relation_types", rows=embedded(rows, self._encoder, self._encoding))
            self._tally("relation_types", wanted, len(write), len(remove))
        for gone in batches(self._staging.unmet_nodes(), batch):
            self._counters += withdraw(self._client, self._dataset, gone, then=self._link_groups)

    def _write_nodes(self, batch: int) -> None:
        done, total = 0, self._written["nodes"]
        # While Neo4j writes one batch, the next one is made.
        with ThreadPoolExecutor(max_workers=1) as writer:
            under_way: tuple[Future[None], list[str]] | None = None
            for nodes in batches(self._rows.nodes(pending=not self._fresh), batch):
                targets = {node.id: self._joins.target(node.id) for node in nodes}
                if under_way is not None and not set(targets.values()).isdisjoint(under_way[1]):
                    under_way[0].result()
                rows, found = self._claims(nodes, targets)
                if under_way is not None:
                    done = self._await_nodes(*under_way, done, total)
                written = [row["id"] for row in rows]
                under_way = writer.submit(self._write_claims, rows, found), written
            if under_way is not None:
                done = self._await_nodes(*under_way, done, total)
        if self._fresh:
            # What a table of names has beside the things of the graph is not written.
            self._tally("nodes", done, done, 0)

    def _claims(
        self, nodes: Sequence[StagedNode], targets: Mapping[str, str]
    ) -> tuple[list[Row], dict[str, Row]]:
        """The rows that make things what they shall be, and what the graph has of them by id."""
        found = {
            row["id"]: row for row in self._client.read("load/find_entities", ids=list(targets.values()))
        }
        rows = []
        for node in nodes:
            target = targets[node.id]
            held = found.get(target)
            datasets = (held or {}).get("datasets") or []
            evidence = self._joins.evidence(
                node, target, place(datasets, self._dataset), counted=not self._fresh
            )
            rows.append(
                claim(
                    node,
                    held,
                    self._dataset,
                    target=target,
                    evidence=evidence,
                    synonyms=self._joins.synonyms(node),
                )
            )
        return rows, found

    def _write_claims(self, rows: Sequence[Row], found: Mapping[str, Row]) -> None:
        self._write("load/write_claims", rows=rows)
        self._link_groups(rows, found)

    def _await_nodes(self, writing: Future[None], written: Sequence[str], done: int, total: int) -> int:
        """Wait until a batch is written; returns how many rows are done."""
        writing.result()
        done += len(written)
        self._report("nodes", done, total)
        return done

    def _link_groups(self, rows: Sequence[Row], before: Mapping[str, Row]) -> None:
        """Join what has a structure, or had one, to its functional groups."""
        links: list[Row] = []
        names: set[str] = set()
        for row in rows:
            said = row["properties"]
            counted = dict(zip(said.get("groups") or (), said.get("group_counts") or (), strict=False))
            names.update(counted)
            if counted or before.get(row["id"], {}).get("properties", {}).get("groups"):
                groups = [{"name": name, "count": count} for name, count in counted.items()]
                links.append({"id": row["id"], "groups": groups})
        if names:
            self._write("load/write_functional_groups", rows=list(group_rows(names).values()))
        if links:
            self._write("load/link_groups", rows=links, dataset=self._dataset)

    def _write_edges(self, batch: int) -> None:
        if self._removed:
            for found in batches(self._staging.unmet_edges(), batch):
                self._write("load/remove_edges", rows=[{"element": element} for element, _ in found])
        # Two batches are written at a time while the next one is made. Facts of one head come
        # together: a batch then changes fewer things, and two at a time seldom wait for each other.
        with ThreadPoolExecutor(max_workers=_WRITERS) as writers:
            began = time.perf_counter()
            under_way: deque[tuple[Future[Counters], Counter[str]]] = deque()
            done = 0
            for edges in batches(self._staging.read_edges(pending=not self._fresh, grouped=True), batch):
                rows = [self._rows.edge(edge) for edge in edges]
                if len(under_way) == _WRITERS:
                    done, began = self._await_edges(*under_way.popleft(), done, began)
                kinds = Counter(edge.kind for edge in edges)
                under_way.append((writers.submit(self._client.write, "load/write_facts", rows=rows), kinds))
            while under_way:
                done, began = self._await_edges(*under_way.popleft(), done, began)

    def _await_edges(
        self, writing: Future[Counters], kinds: Counter[str], done: int, began: float
    ) -> tuple[int, float]:
        """Wait until a batch is written; returns how many are done, and when that was."""
        counters = writing.result()
        self._counters += counters
        if counters.relationships_created != kinds.total():
            raise DatabaseError(
                f"Things that facts of {self._dataset} end at are gone from the graph.",
                remedy="Something else changed it meanwhile. Run the load again.",
            )
        done += kinds.total()
        self._report("facts", done, sum(self._written[kind.lower()] for kind in (*EDGE_KINDS, *LINK_KINDS)))
        now = time.perf_counter()
        for kind, count in kinds.items():
            self._seconds[kind.lower()] += (now - began) * count / kinds.total()
        return done, now

    def _write_passages(self) -> None:
        self._remove("load/remove_passages", ({"id": one} for one in self._staging.unmet_passages()))
        rows = (
            row for row in self._rows.passages() if self._fresh or not self._staging.meet_passage(row["id"])
        )
        done = 0
        for some in batches(rows, min(EMBEDDED_AT_ONCE, self._settings.load_batch_rows)):
            self._write("load/write_passages", rows=embedded(some, self._encoder, self._encoding))
            done += len(some)
            self._report("passages", done, self._written["passages"])
        if self._fresh:
            self._tally("passages", done, done, 0)

    def _remove(self, statement: str, rows: Iterable[Row]) -> None:
        for some in batches(rows, self._settings.load_batch_rows):
            self._write(statement, rows=list(some))

    def _write(self, name: str, **parameters: Any) -> None:
        self._counters += self._client.write(name, **parameters)

    def finish(self, load: str, *, version: str, loading: bool, superseded: Sequence[str]) -> None:
        """Say in the ledger that the load is complete."""
        self._counters += refresh_vocabulary(
            self._client, Loads(self._client.read("load/ledger")), self._settings
        )
        tables = self._tables()
        counts = {
            "tables": [row.table for row in tables],
            "read": [row.read for row in tables],
            "written": [row.written for row in tables],
            "unchanged": [row.unchanged for row in tables],
            "removed": [row.removed for row in tables],
            "skipped": [f"{item.file}: {item.reason}: {item.count}" for item in self._omissions()],
            "joined": [f"{join.evidence}: {join.count}" for join in self._joins.counts()],
            **stored(self._joins.counts(), self._joins.notes.listed()),
            "version": version,
        }
        self._write(
            "load/finish",
            id=load,
            counts=counts,
            version=version,
            loading=loading,
            superseded=list(superseded),
        )

    def account(self, identity: str, version: str, seconds: float, *, dry_run: bool) -> Ledger:
        """What was done, or with `dry_run` would be."""
        return Ledger(
            dataset=self._dataset,
            origin=self._source.origin,
            selection=self._source.selection,
            content=identity,
            graph_version=version,
            tables=self._tables(),
            omissions=self._omissions(),
            seconds=seconds,
            writes={
                name: int(value)
                for name, value in asdict(self._counters).items()
                if name != "contains_updates"
            },
            joins=self._joins.counts(),
            dry_run=dry_run,
        )

    def _tables(self) -> tuple[TableCount, ...]:
        kinds = (kind.lower() for kind in (*EDGE_KINDS, *LINK_KINDS))
        names = ("nodes", *kinds, "passages", "relation_types")
        return tuple(
            TableCount(
                table=name,
                read=self._read[name],
                written=self._written[name],
                unchanged=self._read[name] - self._written[name],
                removed=self._removed[name],
                seconds=float(self._seconds[name]),
            )
            for name in names
            if self._read[name] or self._removed[name]
        )

    def _omissions(self) -> tuple[Omission, ...]:
        noted = [
            Omission(item.file, item.reason, item.count, item.offenders, taken=True)
            for item in self._reading.noted.listed()
        ]
        return (*self._reading.skipped.listed(), *noted, *self._joins.notes.listed())


class _Timed:
    """Adds up the seconds of blocks by name."""

    def __init__(self, seconds: defaultdict[str, float], name: str) -> None:
        self._seconds, self._name = seconds, name
        self._began = 0.0

    def __enter__(self) -> None:
        self._began = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self._seconds[self._name] += time.perf_counter() - self._began
