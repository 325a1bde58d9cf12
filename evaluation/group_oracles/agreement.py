"""How far the vocabulary and its oracles agree, entry by entry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from biomolkg.molecules import find_groups, group_vocabulary
from evaluation.group_oracles.molecules import Molecule
from evaluation.group_oracles.oracles import Says, asked
from evaluation.group_oracles.table import OracleName, OracleRow

SHOWN = 5


@dataclass(frozen=True, slots=True)
class Agreement:
    """One row: how many molecules each side finds, how many both, and examples of where they differ.

    extra: names of molecules that only the entry finds; missing: that only the oracle finds. Extra ones are
    what a `narrower` term is about, missing ones what a `wider` term is about.
    """

    row: OracleRow
    entry: int
    oracle: int
    both: int
    extra: tuple[str, ...]
    missing: tuple[str, ...]

    @property
    def precision(self) -> float | None:
        """The part of the entry's molecules that the oracle has too; None where the term cannot say."""
        return self.both / self.entry if self.row.judgement in {"same", "wider"} and self.entry else None

    @property
    def recall(self) -> float | None:
        """The part of the oracle's molecules that the entry has too; None where the term cannot say."""
        return self.both / self.oracle if self.row.judgement in {"same", "narrower"} and self.oracle else None

    @property
    def wrong(self) -> bool:
        """Whether a molecule speaks against the judgement."""
        return self.precision not in {None, 1.0} or self.recall not in {None, 1.0}


@dataclass(frozen=True, slots=True)
class Totals:
    """Occurrences in all rows of one kind together."""

    rows: int
    entries: int
    both: int
    precision: float
    recall: float


def measure(
    rows: Sequence[OracleRow], molecules: Sequence[Molecule], oracles: Mapping[OracleName, Says]
) -> list[Agreement]:
    """The agreement of each row whose oracle is there, in the order of the rows."""
    found: dict[str, set[str]] = {group.name: set() for group in group_vocabulary()}
    for molecule in molecules:
        for name in find_groups(molecule.whole):
            found[name].add(molecule.id)
    names = {molecule.id: molecule.name for molecule in molecules}
    ions = {group.name for group in group_vocabulary() if group.kind == "ion"}
    wholes = [replace(molecule, parent=molecule.whole) for molecule in molecules]
    return [
        _agreement(
            row,
            found[row.entry],
            *asked(oracles[row.oracle], wholes if row.entry in ions else molecules, row.terms),
            names,
        )
        for row in rows
        if row.oracle in oracles
    ]


def _agreement(
    row: OracleRow, entry: set[str], spoken: set[str], oracle: set[str], names: Mapping[str, str]
) -> Agreement:
    entry = entry & spoken
    return Agreement(
        row=row,
        entry=len(entry),
        oracle=len(oracle),
        both=len(entry & oracle),
        extra=tuple(names[one] for one in sorted(entry - oracle)),
        missing=tuple(names[one] for one in sorted(oracle - entry)),
    )


def totals(found: Iterable[Agreement]) -> Totals:
    """Precision and recall over the occurrences in the rows that are judged `same`."""
    same = [one for one in found if one.row.judgement == "same"]
    entry, oracle = sum(one.entry for one in same), sum(one.oracle for one in same)
    both = sum(one.both for one in same)
    return Totals(
        rows=len(same),
        entries=len({one.row.entry for one in same}),
        both=both,
        precision=both / entry if entry else 1.0,
        recall=both / oracle if oracle else 1.0,
    )


def without_oracle(rows: Iterable[OracleRow]) -> list[str]:
    """The entries that no row names, in the order of the vocabulary."""
    held = {row.entry for row in rows}
    return [group.name for group in group_vocabulary() if group.name not in held]
