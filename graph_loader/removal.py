"""Take a data set out of the graph: its facts, its texts and what it says of things, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from biomolkg.encoder import encoder_identity
from biomolkg.errors import NotFound
from biomolkg.settings import Settings
from cypher.client import Client, Counters
from graph_loader.claims import VOCABULARY
from graph_loader.graph_tables import withdrawn
from graph_loader.ledger import Ledger, TableCount
from graph_loader.loads import Loads
from graph_loader.plan import Encoding
from graph_loader.relation_types import relation_rows
from graph_loader.staging import batches
from graph_loader.vocabulary.refresh import refresh_vocabulary
from graph_loader.withdrawals import withdraw
from graph_loader.writer import LOCK, Report, quiet

Row = dict[str, Any]


def remove_dataset(client: Client, dataset: str, settings: Settings, *, report: Report = quiet) -> Ledger:
    """Remove a data set. Things and words that other data sets have too stay.

    Where it had a thing first, the next data set's name becomes the display name.
    A removal that was interrupted leaves the graph marked as loading, and is
    finished by another one, or by a load of the data set.

    Raises NotFound that names the data sets when there is none of this name,
    Overloaded while another load is running, DatabaseError when Neo4j fails.
    """
    return _Removal(client, dataset, settings, report).run()


class _Removal:
    def __init__(self, client: Client, dataset: str, settings: Settings, report: Report) -> None:
        self._client = client
        self._dataset = dataset
        self._settings = settings
        self._report = report
        self._counters = Counters()
        self._tables: list[TableCount] = []

    def run(self) -> Ledger:
        began = time.perf_counter()
        client, dataset = self._client, self._dataset
        with client.exclusive(LOCK, patience=self._settings.load_patience):
            loads = Loads(client.read("load/ledger"))
            own = [load["id"] for load in loads.of(dataset)]
            if not own:
                known = ", ".join(loads.datasets())
                raise NotFound(
                    f"There is no data set {dataset!r} in the graph.",
                    remedy=f"There are: {known}." if known else "The graph is empty.",
                )
            version = loads.version_without(dataset)
            if not set(loads.without(dataset)) - {VOCABULARY}:
                # Names of nothing are no graph.
                own += [load["id"] for load in loads.of(VOCABULARY) if load["id"] not in own]
                version = None
            self._write("load/begin_removal", loads=own)
            self._all("facts_and_links", "load/remove_dataset_edges")
            self._all("texts_and_events", "load/remove_dataset_nodes")
            self._labels()
            self._entities()
            self._groups()
            self._relation_types()
            self._names(loads)
            self._write(
                "load/finish_removal",
                loads=own,
                version=version,
                loading=loads.unfinished_elsewhere(dataset),
            )
        return Ledger(
            dataset=dataset,
            origin=dataset,
            selection="removed",
            content="",
            graph_version=version or "none",
            tables=tuple(self._tables),
            omissions=(),
            seconds=time.perf_counter() - began,
            writes={
                name: int(value)
                for name, value in asdict(self._counters).items()
                if name != "contains_updates"
            },
        )

    def _all(self, table: str, statement: str) -> None:
        began, removed = time.perf_counter(), 0
        while True:
            counters = self._write(statement, dataset=self._dataset, limit=self._settings.load_batch_rows)
            done = counters.nodes_deleted or counters.relationships_deleted
            if not done:
                break
            removed += done
            self._report(table, removed, 0)
        self._count(table, removed, began)

    def _labels(self) -> None:
        began, removed = time.perf_counter(), 0
        for rows in batches(self._held("load/read_drug_labels"), self._settings.load_batch_rows):
            taken = [withdrawn(row, self._dataset, f"{self._dataset}_", words=True) for row in rows]
            self._write("load/remove_claims", rows=taken)
            removed += len(rows)
        self._count("drug_labels", removed, began)

    def _entities(self) -> None:
        began, removed = time.perf_counter(), 0
        mark = f"{self._dataset}:digest"
        claims = [
            (row["id"], row["datasets"])
            for row in self._client.stream("load/read_claims", dataset=self._dataset, digest=mark)
        ]
        for some in batches(claims, self._settings.load_batch_rows):
            self._counters += withdraw(self._client, self._dataset, some)
            removed += len(some)
            self._report("entities", removed, 0)
        self._count("entities", removed, began)

    def _groups(self) -> None:
        began = time.perf_counter()
        rows = self._client.read("load/read_functional_groups", dataset=self._dataset)
        unused = [{"name": row["name"]} for row in rows if not row["elsewhere"]]
        if unused:
            self._write("load/remove_functional_groups", rows=unused)
        self._count("functional_groups", len(unused), began)

    def _names(self, loads: Loads) -> None:
        """Those of the vocabulary go with it, and otherwise stay in step with what is left."""
        if self._dataset != VOCABULARY:
            self._counters += refresh_vocabulary(self._client, loads, self._settings)
            return
        began, removed = time.perf_counter(), 0
        named = [
            {"id": row["id"]}
            for record in self._client.stream("load/vocabulary_entities")
            for row in record["rows"]
            if row["properties"]["preferred_name"] is not None
        ]
        for rows in batches(named, self._settings.load_batch_rows):
            self._write("load/remove_preferred_names", rows=rows)
            removed += len(rows)
        self._count("preferred_names", removed, began)

    def _relation_types(self) -> None:
        began = time.perf_counter()
        own = self._write("load/remove_dataset_relations", dataset=self._dataset).nodes_deleted
        write, remove, _ = relation_rows(self._client, Encoding(*encoder_identity(self._settings)))
        # Counts alone: what had no embedding before gets it with the next load.
        self._write(
            "load/write_relation_types",
            rows=[{"id": row["id"], "properties": row["properties"]} for row in write],
        )
        self._write("load/remove_relation_types", rows=remove)
        self._count("relation_types", own + len(remove), began)

    def _held(self, statement: str) -> Iterable[Row]:
        return self._client.read(statement, dataset=self._dataset)

    def _count(self, table: str, removed: int, began: float) -> None:
        if removed:
            self._tables.append(TableCount(table, 0, 0, 0, removed, time.perf_counter() - began))

    def _write(self, name: str, **parameters: Any) -> Counters:
        counters = self._client.write(name, **parameters)
        self._counters += counters
        return counters
