"""Things that a data set no longer has: deleted where nothing else has them, else without its words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from cypher.client import Client, Counters
from graph_loader.claims import withdrawal

Row = dict[str, Any]


def withdraw(
    client: Client,
    dataset: str,
    things: Iterable[tuple[str, Sequence[str]]],
    *,
    then: Callable[[Sequence[Row], Mapping[str, Row]], None] | None = None,
) -> Counters:
    """Take back what `dataset` says of `things`, (id, data sets) each; returns what that changed.

    `then` is called with the rows written for things that others have too, and
    what the graph had of them before, by id. Raises DatabaseError.
    """
    alone: list[str] = []
    shared: list[str] = []
    for node_id, datasets in things:
        (shared if set(datasets) - {dataset} else alone).append(node_id)
    counters = Counters()
    if alone:
        counters += client.write("load/remove_things", ids=alone)
    if shared:
        found = client.read("load/find_entities", ids=shared)
        rows = [withdrawal(row, dataset) for row in found]
        counters += client.write("load/withdraw_claims", rows=rows)
        if then is not None:
            then(rows, {row["id"]: row for row in found})
    return counters
