"""Stable ids of Reactome and the databases that its identifiers belong to."""

from __future__ import annotations

import re

from graph_loader.sources.reactome.records import Reference

_STABLE_ID = re.compile(r"(?:reactome:)?(R-[A-Z]{3}-[0-9]+(?:-[0-9]+)?)(?:\.([0-9]{1,9}))?", re.IGNORECASE)
# The accession pattern that UniProt documents, with the isoform suffix.
_UNIPROT = re.compile(
    r"(?:[OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2})(?:-[0-9]+)?"
)
_PATTERNS = (
    ("uniprot", _UNIPROT),
    ("ensembl", re.compile(r"ENS[A-Z]*[EGPRT][0-9]{11}(?:\.[0-9]+)?")),
    ("mirbase", re.compile(r"MI(?:MAT)?[0-9]{7}")),
    ("ena.embl", re.compile(r"[A-Z]{1,2}[0-9]{5,8}(?:\.[0-9]+)?")),
)
_DIGITS = re.compile(r"[0-9]{1,9}")
# Bare numbers stand for ChEBI in these classes only: elsewhere they would be a guess.
_CHEMICAL_CLASSES = frozenset({"SimpleEntity", "ChemicalDrug", "OpenSet"})
_DATABASES = {
    "uniprot": "uniprot",
    "chebi": "chebi",
    "ensembl": "ensembl",
    "mirbase": "mirbase",
    "embl": "ena.embl",
    "ncbi": "ncbigene",
    "ncbi gene": "ncbigene",
    "iuphar": "iuphar.ligand",
    "guide to pharmacology": "iuphar.ligand",
    "gtop": "iuphar.ligand",
}


def parse_stable_id(text: str) -> tuple[str, int | None] | None:
    """The stable id and its version, or None when `text` is no stable id.

    >>> parse_stable_id("R-HSA-109581.3")
    ('R-HSA-109581', 3)
    """
    match = _STABLE_ID.fullmatch(text.strip())
    if match is None:
        return None
    return match[1].upper(), int(match[2]) if match[2] else None


def species_code(stable_id: str) -> str:
    """The three letters of a stable id: HSA, MMU, …; ALL stands for no species in particular."""
    return stable_id.split("-", 2)[1]


def curie(stable_id: str) -> str:
    """The id that the node of a Reactome thing has in the graph."""
    return f"reactome:{stable_id}"


def reference_by_pattern(schema_class: str, identifier: str) -> Reference | None:
    """The reference of a bare identifier as diagrams give it, or None when its database cannot be told."""
    text = identifier.strip()
    if _DIGITS.fullmatch(text):
        return Reference("chebi", str(int(text))) if schema_class in _CHEMICAL_CLASSES else None
    for database, pattern in _PATTERNS:
        if pattern.fullmatch(text):
            return Reference(database, text)
    return None


def reference_by_database(database: str, identifier: str) -> Reference | None:
    """The reference of an identifier whose database is named, or None when the two do not go together."""
    prefix = _DATABASES.get(database.strip().casefold())
    text = identifier.strip()
    if prefix == "chebi":
        text = re.sub(r"^chebi:", "", text, flags=re.IGNORECASE)
    if prefix in {"chebi", "ncbigene", "iuphar.ligand"}:
        return Reference(prefix, str(int(text))) if _DIGITS.fullmatch(text) else None
    if prefix == "uniprot":
        return Reference(prefix, text) if _UNIPROT.fullmatch(text) else None
    # Ensembl's family holds ids of other consortia (FBgn…, WBGene…, Y…), so their form is not tested.
    if prefix is None or any(map(str.isspace, text)):
        return None
    reference = Reference(prefix, text)
    # A version alone, as in ".4", names nothing.
    return reference if reference.stem else None
