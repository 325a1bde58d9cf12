"""The drugs of the graph by their names, for sources that name drugs and do not number them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from biomolkg.names import name_key

# Counter-ions and hydrates that end the name of a salt: "metformin hydrochloride" acts as metformin.
_SALTS = frozenset(
    {
        "acetate",
        "anhydrous",
        "besylate",
        "bitartrate",
        "bromide",
        "calcium",
        "camsylate",
        "chloride",
        "citrate",
        "dihydrate",
        "dihydrochloride",
        "disodium",
        "edisylate",
        "fumarate",
        "gluconate",
        "hemihydrate",
        "hydrobromide",
        "hydrochloride",
        "hyclate",
        "lactate",
        "magnesium",
        "malate",
        "maleate",
        "mesylate",
        "monohydrate",
        "nitrate",
        "pamoate",
        "phosphate",
        "potassium",
        "sodium",
        "succinate",
        "sulfate",
        "sulphate",
        "tartrate",
        "tosylate",
        "trihydrate",
    }
)


@dataclass(frozen=True, slots=True)
class DrugMatch:
    """What a name leads to: no drug, one, or several; `evidence` says how it was read."""

    ids: tuple[str, ...]
    evidence: str


class DrugNames:
    """Names and synonyms of the graph's drugs; a display name wins over others' synonyms."""

    def __init__(self, drugs: Iterable[Mapping[str, Any]]) -> None:
        """`drugs` have id, name, synonyms and xrefs."""
        self._names: dict[str, set[str]] = {}
        self._synonyms: dict[str, set[str]] = {}
        self._references: dict[str, set[str]] = {}
        for drug in drugs:
            for reference in (drug["id"], *(drug["xrefs"] or ())):
                self._references.setdefault(reference, set()).add(drug["id"])
            self._names.setdefault(name_key(drug["name"]), set()).add(drug["id"])
            for synonym in drug["synonyms"] or ():
                self._synonyms.setdefault(name_key(synonym), set()).add(drug["id"])

    def find(self, name: str) -> DrugMatch:
        """The drugs of a name: by the whole of it, else without the salt that it ends in."""
        for form, key in _forms(name):
            for kind, table in (("name", self._names), ("synonym", self._synonyms)):
                found = table.get(key)
                if found:
                    return DrugMatch(tuple(sorted(found)), f"{kind}{form}")
        return DrugMatch((), "")

    def by_reference(self, reference: str) -> tuple[str, ...]:
        """The drugs that have this id or cross-reference."""
        return tuple(sorted(self._references.get(reference, ())))


def _forms(name: str) -> Iterator[tuple[str, str]]:
    words = name_key(name).split()
    if not words:
        return
    yield "", " ".join(words)
    kept = list(words)
    while len(kept) > 1 and kept[-1] in _SALTS:
        kept.pop()
    # What is left of "sodium chloride" is a counter-ion too, and no drug.
    if len(kept) < len(words) and not set(kept) <= _SALTS:
        yield " without its salt", " ".join(kept)
