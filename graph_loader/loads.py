"""Which loads the database knows of, and the graph version that follows from them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

Row = dict[str, Any]


class Loads:
    """Every load that the database knows of, complete or not."""

    def __init__(self, rows: Sequence[Row]) -> None:
        """`rows` are those of `load/ledger`."""
        self._loads = [row["load"] for row in rows]

    def of(self, dataset: str) -> list[Row]:
        """The loads of one data set."""
        return [load for load in self._loads if load["dataset"] == dataset]

    def datasets(self) -> list[str]:
        """The data sets that have a load, sorted."""
        return sorted({load["dataset"] for load in self._loads})

    def complete(self) -> dict[str, str]:
        """The contents of the complete loads, by data set."""
        return {load["dataset"]: load["content"] for load in self._loads if load["state"] == "complete"}

    def without(self, dataset: str) -> dict[str, str]:
        """The contents of the complete loads of all other data sets."""
        return {name: content for name, content in self.complete().items() if name != dataset}

    def stands(self, dataset: str, identity: str) -> bool:
        """Whether this very content is the data set's complete load."""
        current = [
            load for load in self._loads if load["dataset"] == dataset and load["state"] != "superseded"
        ]
        return [(load["state"], load["content"]) for load in current] == [("complete", identity)]

    def others(self, dataset: str, load: str) -> list[str]:
        """The loads that this one takes the place of."""
        return [
            other["id"]
            for other in self._loads
            if other["dataset"] == dataset and other["id"] != load and other["state"] != "superseded"
        ]

    def unfinished_elsewhere(self, dataset: str) -> bool:
        """Whether a load of another data set was begun and not finished."""
        return any(load["dataset"] != dataset and load["state"] == "running" for load in self._loads)

    def version_with(self, dataset: str, identity: str) -> str:
        """The graph version once this content is complete: a hash over the contents of all data sets."""
        return graph_version({**self.without(dataset), dataset: identity})

    def version_without(self, dataset: str) -> str | None:
        """The graph version once a data set is gone; None when nothing is left."""
        contents = self.without(dataset)
        return graph_version(contents) if contents else None


def graph_version(contents: Mapping[str, str]) -> str:
    """The version of a graph that holds these contents, by data set."""
    lines = "".join(f"{name} {content}\n" for name, content in sorted(contents.items()))
    return hashlib.sha256(lines.encode()).hexdigest()[:16]
