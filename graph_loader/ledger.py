"""What a load did: rows read, written, unchanged and removed by table, and what was left out and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

OFFENDERS_SHOWN = 5
# Why a thing of a source is not joined to one of the graph.
APART = "ambiguous, left apart"


@dataclass(frozen=True, slots=True)
class Omission:
    """Rows of one file that were left out, or taken with a part missing, for one reason.

    `taken` tells the second case; `offenders` names the first few of them.
    """

    file: str
    reason: str
    count: int
    offenders: tuple[str, ...]
    taken: bool = False


class Omissions:
    """Counts what is left out of a source while it is read."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, str, bool], int] = {}
        self._offenders: dict[tuple[str, str, bool], list[str]] = {}

    def add(self, file: str, reason: str, offender: str, *, taken: bool = False) -> None:
        """One more row of `file` is left out, or taken with a part missing; `offender` says which."""
        key = (file, reason, taken)
        self._counts[key] = self._counts.get(key, 0) + 1
        shown = self._offenders.setdefault(key, [])
        if len(shown) < OFFENDERS_SHOWN:
            shown.append(offender)

    def include(self, other: Omissions) -> None:
        """Add what another account has."""
        for key, count in other._counts.items():
            self._counts[key] = self._counts.get(key, 0) + count
            shown = self._offenders.setdefault(key, [])
            shown += other._offenders[key][: OFFENDERS_SHOWN - len(shown)]

    def of(self, file: str) -> int:
        """Rows of `file` left out so far."""
        return sum(count for (name, _, taken), count in self._counts.items() if name == file and not taken)

    def listed(self) -> tuple[Omission, ...]:
        """By file and reason, in the order they were met."""
        return tuple(
            Omission(file, reason, count, tuple(self._offenders[file, reason, taken]), taken)
            for (file, reason, taken), count in self._counts.items()
        )


@dataclass(frozen=True, slots=True)
class TableCount:
    """One table of a load: rows of the source, and what became of them in the graph.

    `written` counts rows created or changed, `removed` rows that the graph had
    and the source no longer has; `seconds` is the time of the writes.
    """

    table: str
    read: int
    written: int
    unchanged: int
    removed: int
    seconds: float


@dataclass(frozen=True, slots=True)
class JoinCount:
    """How many things of a source were recognised among those of the graph by one kind of evidence."""

    evidence: str
    count: int
    examples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The account of one load. `writes` are Neo4j's own counters, summed over all its transactions.

    With `dry_run` nothing was written: the counts are what a load would do.
    """

    dataset: str
    origin: str
    selection: str
    content: str
    graph_version: str
    tables: tuple[TableCount, ...]
    omissions: tuple[Omission, ...]
    seconds: float
    writes: Mapping[str, int] = field(default_factory=dict)
    joins: tuple[JoinCount, ...] = ()
    dry_run: bool = False

    @property
    def changed(self) -> bool:
        """Whether anything was written."""
        return any(self.writes.values())

    def followed_by(self, later: Ledger) -> Ledger:
        """The account of two loads, one after the other, as one."""
        return replace(
            later,
            dataset=f"{self.dataset}, {later.dataset}",
            origin=self.origin if self.origin == later.origin else f"{self.origin}, {later.origin}",
            selection=f"{self.selection}, {later.selection}",
            content=f"{self.content}, {later.content}",
            tables=self.tables + later.tables,
            omissions=self.omissions + later.omissions,
            joins=self.joins + later.joins,
            seconds=self.seconds + later.seconds,
            writes={name: self.writes.get(name, 0) + count for name, count in later.writes.items()},
        )

    def as_dict(self) -> dict[str, object]:
        """Plain values, for JSON."""
        return {
            "dataset": self.dataset,
            "origin": self.origin,
            "selection": self.selection,
            "content": self.content,
            "graph_version": self.graph_version,
            "changed": self.changed,
            "dry_run": self.dry_run,
            "tables": [
                {
                    "table": row.table,
                    "read": row.read,
                    "written": row.written,
                    "unchanged": row.unchanged,
                    "removed": row.removed,
                    "seconds": round(row.seconds, 3),
                }
                for row in self.tables
            ],
            "skipped": [
                {
                    "file": item.file,
                    "reason": item.reason,
                    "count": item.count,
                    "taken": item.taken,
                    "first": list(item.offenders),
                }
                for item in self.omissions
            ],
            "joins": [
                {"evidence": item.evidence, "count": item.count, "first": list(item.examples)}
                for item in self.joins
            ],
            "writes": dict(self.writes),
            "seconds": round(self.seconds, 3),
        }
