"""Which drug or protein of the bundled vocabulary a thing of the graph is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from biomolkg import lexicon
from graph_loader.plan import Row

_ACCESSION = "uniprot:"


@dataclass(frozen=True, slots=True)
class Known:
    """What the vocabulary knows of one thing: its id there, and what it gives to the graph.

    `aliases` are all its other names, each once; `xrefs` its identifiers, its own id first.
    """

    id: str
    preferred_name: str
    aliases: tuple[str, ...]
    xrefs: tuple[str, ...]

    def properties(self, id_: str) -> Row:
        """What a node with this id gets; nothing is stated that would be an empty list."""
        others = [xref for xref in (self.id, *self.xrefs) if xref != id_]
        return {
            "preferred_name": self.preferred_name,
            "aliases": list(self.aliases) or None,
            "more_xrefs": others or None,
        }


class Vocabulary:
    """The bundled drugs and proteins, by identifier and, for proteins, by symbol."""

    def __init__(self) -> None:
        self._drugs = _by_id(
            ((drug.id, drug.preferred_name, (), drug.xrefs) for drug in lexicon.drugs()), lexicon.drug_names()
        )
        self._proteins = _by_id(
            ((protein.id, protein.name, (protein.symbol,), protein.xrefs) for protein in lexicon.proteins()),
            lexicon.protein_names(),
        )
        self._drug_xrefs = _unique((xref, one) for one in self._drugs.values() for xref in one.xrefs)
        self._protein_xrefs = _unique((xref, one) for one in self._proteins.values() for xref in one.xrefs)
        self._symbols = _unique(
            (protein.symbol, self._proteins[protein.id]) for protein in lexicon.proteins()
        )

    def find(self, row: Row) -> Known | None:
        """What a thing is; `row` has id, drug (whether it is one), gene, name (of a gene) and xrefs.

        An identifier counts where one thing of the vocabulary has it. A symbol counts for what has no
        accession: one that has an accession is found by it or not at all.
        """
        by_id, by_xref = (
            (self._drugs, self._drug_xrefs) if row["drug"] else (self._proteins, self._protein_xrefs)
        )
        identifiers = (row["id"], *row["xrefs"])
        found = {one.id: one for name in identifiers if (one := by_id.get(name)) is not None}
        if row["id"] in found:
            return found[row["id"]]
        if not found:
            found = {one.id: one for name in identifiers if (one := by_xref.get(name)) is not None}
        if len(found) == 1:
            return next(iter(found.values()))
        if found or row["drug"] or any(name.startswith(_ACCESSION) for name in identifiers):
            return None
        return self._symbols.get(row["gene"] or row["name"] or "")


@lru_cache(maxsize=1)
def vocabulary() -> Vocabulary:
    """The bundled vocabulary, read once."""
    return Vocabulary()


def _by_id(
    things: Iterable[tuple[str, str, tuple[str, ...], tuple[str, ...]]], names: Iterable[lexicon.Alias]
) -> dict[str, Known]:
    others: dict[str, dict[str, None]] = {}
    for alias in names:
        others.setdefault(alias.id, {})[alias.name] = None
    return {
        id_: Known(
            id_,
            preferred,
            tuple(dict.fromkeys(name for name in (*first, *others.get(id_, ())) if name != preferred)),
            xrefs,
        )
        for id_, preferred, first, xrefs in things
    }


def _unique(pairs: Iterable[tuple[str, Known]]) -> Mapping[str, Known]:
    found: dict[str, Any] = {}
    for name, one in pairs:
        found[name] = one if found.get(name, one) is one else None
    return {name: one for name, one in found.items() if one is not None}
