"""Which of Reactome's proteins and chemicals other data sets have already, and how that is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from biomolkg.names import name_key


@dataclass(frozen=True, slots=True)
class Join:
    """The node that something is, or None; `evidence` says how it was found, `doubt` why it was not taken."""

    id: str | None
    evidence: str = ""
    doubt: str = ""


class Joins:
    """Proteins and drugs of other data sets by identifier, gene symbol and name."""

    def __init__(self, held: Iterable[Mapping[str, Any]], dataset: str) -> None:
        """`held` have id, name, gene, synonyms, xrefs, datasets; those of `dataset` alone are passed over."""
        self._ids: set[str] = set()
        self._xrefs: dict[str, set[str]] = {}
        self._genes: dict[str, set[str]] = {}
        self._names: dict[str, set[str]] = {}
        for row in held:
            if set(row["datasets"] or ()) <= {dataset}:
                continue
            self._ids.add(row["id"])
            for xref in row["xrefs"] or ():
                self._xrefs.setdefault(xref, set()).add(row["id"])
            if row["gene"]:
                # One that has an accession is joined by it or not at all.
                if not any(xref.startswith("uniprot:") for xref in (row["id"], *(row["xrefs"] or ()))):
                    self._genes.setdefault(row["gene"], set()).add(row["id"])
            else:
                for name in (row["name"], *(row["synonyms"] or ())):
                    self._names.setdefault(name_key(name), set()).add(row["id"])

    def protein(self, accession: str, gene: str | None) -> Join:
        """By accession, else cross-reference, else gene symbol; `gene` only if it is one accession's."""
        if accession in self._ids:
            return Join(accession, f"identifier {accession}")
        by_xref = self._xrefs.get(accession, set())
        if len(by_xref) == 1:
            return Join(next(iter(by_xref)), f"cross-reference {accession}")
        if by_xref:
            return Join(None, doubt=f"cross-reference of {', '.join(sorted(by_xref))}")
        by_gene = self._genes.get(gene, set()) if gene else set()
        if len(by_gene) == 1:
            return Join(next(iter(by_gene)), f"gene symbol {gene}")
        if by_gene:
            return Join(None, doubt=f"gene symbol {gene} of {', '.join(sorted(by_gene))}")
        return Join(None)

    def chemical(self, identifier: str, names: Iterable[str]) -> Join:
        """By a cross-reference of one drug; by ChEBI only where a name agrees too.

        ChEBI numbers the charged and the neutral form apart and sources choose
        differently, so its number alone joins nothing; nor does a name alone.
        """
        by_xref = self._xrefs.get(identifier, set())
        by_name = {id_ for name in names for id_ in self._names.get(name_key(name), ())}
        if identifier.startswith("chebi:"):
            agreeing = by_xref & by_name
            if len(agreeing) == 1 and len(by_xref) == 1:
                return Join(next(iter(agreeing)), f"cross-reference {identifier} and name")
        elif len(by_xref) == 1:
            return Join(next(iter(by_xref)), f"cross-reference {identifier}")
        if by_xref:
            return Join(None, doubt=f"cross-reference of {', '.join(sorted(by_xref))}")
        if by_name:
            return Join(None, doubt=f"a name of {', '.join(sorted(by_name))}")
        return Join(None)
