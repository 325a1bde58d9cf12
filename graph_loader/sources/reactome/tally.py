"""What a reading came across: how much, what was left out and why, what the files disagree about."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

FIRST_OFFENDERS = 5


@dataclass
class Tally:
    """Counts by reason, with the first few places of each reason in `first`.

    `read`: things read by kind. `skipped`: things left out by reason. `repeated`: things that several files
    have, by kind. `contradictions`: things that files disagree about, by what differs. `noted`: things kept
    although something was odd about them.
    """

    read: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    repeated: Counter[str] = field(default_factory=Counter)
    contradictions: Counter[str] = field(default_factory=Counter)
    noted: Counter[str] = field(default_factory=Counter)
    first: dict[str, list[str]] = field(default_factory=dict)

    def skip(self, reason: str, place: str) -> None:
        """Count one thing left out at `place`."""
        self._count(self.skipped, reason, place)

    def contradict(self, what: str, place: str) -> None:
        """Count one thing that two places disagree about."""
        self._count(self.contradictions, what, place)

    def note(self, what: str, place: str) -> None:
        """Count one thing that was kept although it is odd."""
        self._count(self.noted, what, place)

    def _count(self, counter: Counter[str], reason: str, place: str) -> None:
        counter[reason] += 1
        places = self.first.setdefault(reason, [])
        if len(places) < FIRST_OFFENDERS:
            places.append(place)
