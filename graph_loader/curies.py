"""Identifiers as CURIEs with Bioregistry's prefixes."""

from __future__ import annotations

import re

# Spellings of KGX and Biolink whose Bioregistry prefix is not the same in lower case.
_PREFERRED = {
    "uniprotkb": "uniprot",
    "ensemblprotein": "ensembl",
    "entrez": "ncbigene",
    "entrezgene": "ncbigene",
    "geneid": "ncbigene",
    "pubchem": "pubchem.compound",
    "pubchem_cid": "pubchem.compound",
    "pubchemcompound": "pubchem.compound",
    "react": "reactome",
    "chembl": "chembl.compound",
    "cid": "pubchem.compound",
}
_CURIE = re.compile(r"(?P<prefix>[A-Za-z][A-Za-z0-9_.-]*):(?P<local>[^\s/][^\s]*)")


def as_curie(identifier: str) -> str | None:
    """`identifier` with its prefix as Bioregistry writes it; None when it is no CURIE."""
    found = _CURIE.fullmatch(identifier)
    if found is None:
        return None
    prefix = found["prefix"].lower()
    return f"{_PREFERRED.get(prefix, prefix)}:{found['local']}"


def curie(identifier: str, *, prefix: str | None, dataset: str, space: str = "") -> str:
    """The CURIE of an identifier as a source writes it.

    `prefix` is put before one that has none; without a prefix, and for what is
    no CURIE, it is the data set's own: `dataset:space/identifier`.
    """
    if prefix:
        known = as_curie(identifier)
        if known is not None and known.startswith(f"{prefix}:"):
            return known
        return f"{prefix}:{identifier.strip()}"
    return as_curie(identifier) or f"{dataset}:{f'{space}/' if space else ''}{identifier}"
