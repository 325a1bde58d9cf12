"""The drugs of the graph by their names, for sources that name drugs and do not number them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from biomolkg import lexicon
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


# What a salt may be called by first: "sodium valproate".
_METALS = frozenset(("sodium", "potassium", "calcium", "magnesium", "zinc", "disodium", "dipotassium"))
_COUNTER_IONS = _SALTS | _METALS | {"bicarbonate", "carbonate", "fluoride", "hydroxide", "iodide", "oxide"}
# The one counter-ion that makes esters as well.
_ESTER = "acetate"


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
        """The drugs of a name: by the whole of it, else without the salt that it ends in, or begins with."""
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
    whole = " ".join(words)
    yield "", whole
    first, last = 0, len(words)
    while last > first + 1 and words[last - 1] in _SALTS and " ".join(words[:last]) not in _esters():
        last -= 1
    while first < last - 1 and words[first] in _METALS:
        first += 1
    kept = words[first:last]
    # What is left of "sodium chloride" is a counter-ion too, and no drug.
    if len(kept) < len(words) and not set(kept) <= _COUNTER_IONS:
        yield " without its salt", " ".join(kept)


@cache
def _esters() -> frozenset[str]:
    """Acetates that vocabularies know as drugs of their own: these are esters, which act otherwise."""
    return frozenset(
        key for one in lexicon.absent() if (key := name_key(one.preferred)).endswith(f" {_ESTER}")
    )
