"""The reviewed tables: which outside term each entry is held against, and what each entry is not."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal, cast

OracleName = Literal["opsin", "rdkit", "accfg", "chebi"]
Judgement = Literal["same", "narrower", "wider", "overlaps"]


@dataclass(frozen=True, slots=True)
class OracleRow:
    """An entry and a term of an oracle.

    terms: names in the oracle's own language; a molecule has the term when it has one of them.
    judgement: `same`, or how the term stands to the entry: a `narrower` term's molecules all have the
        entry, a `wider` term has all molecules of the entry, and one that `overlaps` claims nothing.
    reason: by what they differ; of a row that is `same`, what the molecules are on which they differ.
    """

    entry: str
    oracle: OracleName
    terms: tuple[str, ...]
    judgement: Judgement
    reason: str


@lru_cache(maxsize=1)
def oracle_rows() -> tuple[OracleRow, ...]:
    """Every row of `oracles.tsv`, in its order."""
    return tuple(
        OracleRow(
            entry=row["entry"],
            oracle=cast("OracleName", row["oracle"]),
            terms=tuple(row["term"].split("|")),
            judgement=cast("Judgement", row["judgement"]),
            reason=row["reason"],
        )
        for row in _read("oracles.tsv")
    )


@lru_cache(maxsize=1)
def negatives() -> dict[str, str]:
    """For each entry the SMILES of a molecule much like its example that lacks it."""
    return {row["entry"]: row["smiles"] for row in _read("negatives.tsv")}


@lru_cache(maxsize=1)
def varied_ids() -> tuple[str, ...]:
    """The DrugCentral ids of the varied molecules, as the rule in `molecules.py` chose them."""
    return tuple(row["id"] for row in _read("molecules.tsv"))


def _read(name: str) -> list[dict[str, str]]:
    text = files(__package__).joinpath(name).read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE))
