"""The joins that loads made, and the joins that they refused, as the ledger of the graph keeps them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cypher.client import Client
from graph_loader.ledger import JoinCount, Omission

JOINS = "joins"  # under which an omission is one of a join
STORED = ("joins_made", "joins_refused")


@dataclass(frozen=True, slots=True)
class DatasetJoins:
    """The joins of one data set: by evidence, and by the reason of those that were refused."""

    dataset: str
    made: tuple[dict[str, Any], ...]
    refused: tuple[dict[str, Any], ...]


def refusals(omissions: Iterable[Omission]) -> list[Omission]:
    """Those omissions that are joins which were not made."""
    return [item for item in omissions if item.file == JOINS]


def stored(joins: Iterable[JoinCount], omissions: Iterable[Omission]) -> dict[str, list[str]]:
    """Properties of a load, one line of JSON for each kind of evidence and each reason."""
    made = [{"evidence": join.evidence, "count": join.count, "first": list(join.examples)} for join in joins]
    refused = [
        {"reason": item.reason, "count": item.count, "first": list(item.offenders)}
        for item in refusals(omissions)
    ]
    lines = ([json.dumps(one, ensure_ascii=False) for one in all_] for all_ in (made, refused))
    return dict(zip(STORED, lines, strict=True))


def read_joins(client: Client) -> list[DatasetJoins]:
    """The joins of all data sets that are loaded. Raises DatabaseError."""
    found = []
    for row in client.read("load/ledger"):
        load = row["load"]
        if load["state"] != "complete":
            continue
        made, refused = ([json.loads(line) for line in load.get(name) or ()] for name in STORED)
        found.append(DatasetJoins(load["dataset"], tuple(made), tuple(refused)))
    return found
