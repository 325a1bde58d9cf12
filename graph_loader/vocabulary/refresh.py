"""Keep the vocabulary in step with what a load or removal has just changed, before that is finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from biomolkg.settings import Settings
from cypher.client import Client, Counters
from graph_loader.loads import Loads
from graph_loader.plan import Plan, Row
from graph_loader.vocabulary.agreement import DATASET, VocabularyAgreement


def refresh_vocabulary(client: Client, loads: Loads, settings: Settings) -> Counters:
    """Make the vocabulary's part of the graph agree with the rest; returns what that changed.

    Nothing is done where the graph has no vocabulary. The caller holds the lock, and the graph is marked
    as loading: no reader sees a version of the graph with names that are not its own.
    """
    if not any(load["state"] == "complete" for load in loads.of(DATASET)):
        return Counters()
    return _carry_out(client, VocabularyAgreement().plan(client), settings.load_batch_rows)


def _carry_out(client: Client, plan: Plan, size: int) -> Counters:
    counters = Counters()
    for table in plan.tables:
        if not table.removed_last:
            for rows in _batches(table.remove, size):
                counters += client.write(f"load/remove_{table.removal or table.table}", rows=rows)
        for rows in _batches(table.write, size):
            counters += client.write(f"load/write_{table.table}", rows=rows)
    for table in reversed(plan.tables):
        if table.removed_last:
            for rows in _batches(table.remove, size):
                counters += client.write(f"load/remove_{table.removal}", rows=rows)
    return counters


def _batches(rows: Sequence[Row], size: int) -> Iterator[Sequence[Row]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
