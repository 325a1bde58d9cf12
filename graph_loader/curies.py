"""Identifiers as CURIEs with Bioregistry's prefixes."""

from __future__ import annotations

import re
from functools import lru_cache

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
_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_CURIE = re.compile(r"(?P<prefix>[A-Za-z][A-Za-z0-9_.-]*):(?P<local>[^\s/][^\s]*)")


def as_curie(identifier: str) -> str | None:
    """`identifier` with its prefix as Bioregistry writes it; None when it is no CURIE."""
    prefix, _, local = identifier.partition(":")
    if local.isalnum() and (known := _known_prefix(prefix)) is not None:
        return identifier if known == prefix else f"{known}:{local}"
    found = _CURIE.fullmatch(identifier)
    if found is None:
        return None
    return f"{_known_prefix(found['prefix'])}:{found['local']}"


@lru_cache(1_024)
def _known_prefix(written: str) -> str | None:
    if _PREFIX.fullmatch(written) is None:
        return None
    prefix = written.lower()
    return _PREFERRED.get(prefix, prefix)


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
