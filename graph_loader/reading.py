"""The account of one reading of a source, kept while its records stream by."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from biomolkg.errors import SourceError
from graph_loader.ledger import Omissions


@dataclass(slots=True)
class Reading:
    """What was read, left out, and taken although something was odd about it.

    `rows` counts data rows by file, `labels` nodes by label and `relations` edges by
    relation name as the source writes them. `skipped` and `noted` name the first
    offenders of each reason.
    """

    rows: Counter[str] = field(default_factory=Counter)
    skipped: Omissions = field(default_factory=Omissions)
    noted: Omissions = field(default_factory=Omissions)
    labels: Counter[str] = field(default_factory=Counter)
    relations: Counter[str] = field(default_factory=Counter)
    _broken: Counter[str] = field(default_factory=Counter)

    def skip(self, file: str, reason: str, offender: str, *, broken: bool = True) -> None:
        """One row of `file` is left out; `broken`: because the row itself cannot be used."""
        self.skipped.add(file, reason, offender)
        self._broken[file] += broken

    def note(self, file: str, reason: str, offender: str) -> None:
        """One row of `file` is taken, though something about it is odd or lost."""
        self.noted.add(file, reason, offender)

    def include(self, other: Reading) -> None:
        """Add the account of other rows, read after these."""
        self.rows += other.rows
        self.skipped.include(other.skipped)
        self.noted.include(other.noted)
        self.labels += other.labels
        self.relations += other.relations
        self._broken += other._broken

    def refuse_if_mostly_unusable(self, file: str) -> None:
        """Raise SourceError when more than half of a file's rows are broken."""
        left_out, rows = self._broken[file], self.rows[file]
        if left_out * 2 > rows:
            reasons = "; ".join(
                f"{item.reason} ({item.count}, first {item.offenders[0]})"
                for item in self.skipped.listed()
                if item.file == file
            )
            raise SourceError(
                f"{file}: {left_out} of {rows} rows cannot be used: {reasons}.",
                remedy="Check the columns, the delimiter, the quote and the encoding.",
            )
