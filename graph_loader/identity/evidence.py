"""The kinds of evidence that two records are one thing, and which of them each kind of source may use."""

from __future__ import annotations

from enum import Enum


class Evidence(Enum):
    """Kinds of evidence, the strongest first; the value is how the ledger calls it."""

    IDENTIFIER = "identifier"
    INCHIKEY = "InChIKey"
    ACCESSION = "accession"
    XREF = "cross-reference"
    MAPPING = "a vocabulary's own mapping"
    TAUTOMER = "tautomer of the same structure"
    SKELETON_AND_NAME = "first block of the InChIKey and name"
    CHEBI_AND_NAME = "ChEBI number and name"
    SYMBOL = "gene symbol"
    NAME = "name"
    SYNONYM = "synonym"

    @property
    def rank(self) -> int:
        """0 for the strongest."""
        return _RANKS[self.value]


EVIDENCE = tuple(one.value for one in Evidence)
_RANKS = {value: rank for rank, value in enumerate(EVIDENCE)}


def evidence_of(said: str) -> str:
    """The kind of evidence of a text that names it first, as `gene symbol HTR1B`."""
    # No kind begins another.
    return next(one for one in EVIDENCE if said.startswith(f"{one} "))


# Tables of any make: what they write of a thing is all there is, so that a name may tell as well.
TABLES = tuple(Evidence)
# Reactome numbers all that it names, and calls parts and mixtures by the names of drugs.
REACTOME = (
    Evidence.IDENTIFIER,
    Evidence.ACCESSION,
    Evidence.XREF,
    Evidence.MAPPING,
    Evidence.CHEBI_AND_NAME,
    Evidence.SYMBOL,
)
