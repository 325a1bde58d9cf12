"""Which namespaces number single things, and what sort of thing; all others identify nothing.

An identifier of `SORTS` is evidence that two records are one thing. Two different
ones of a namespace of `CONTRADICTING` are evidence that they are not: these number
each thing once, where CAS or KEGG may have several numbers for one. Class codes
(EC, ATC, GO, InterPro), taxa, publications and what is not listed identify nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

Sort = Literal["small", "protein", "gene", "transcript"]

SORTS: Mapping[str, Sort] = {
    "pubchem.compound": "small",
    "chebi": "small",
    "chembl.compound": "small",
    "drugbank": "small",
    "drugcentral": "small",
    "unii": "small",
    "rxnorm": "small",
    "cas": "small",
    "inchikey": "small",
    "kegg.compound": "small",
    "kegg.drug": "small",
    "hmdb": "small",
    "iuphar.ligand": "small",
    "chemspider": "small",
    "lipidmaps": "small",
    "pdb.ligand": "small",
    "uniprot": "protein",
    "string": "protein",
    "ncbigene": "gene",
    "hgnc": "gene",
    "hgnc.symbol": "gene",
    "mgi": "gene",
    "rgd": "gene",
    "mirbase": "transcript",
}
CONTRADICTING = frozenset(
    (
        "pubchem.compound",
        "chebi",
        "chembl.compound",
        "drugbank",
        "drugcentral",
        "unii",
        "rxnorm",
        "uniprot",
        "ncbigene",
        "hgnc",
        "ensembl.gene",
    )
)
_ENSEMBL: Mapping[str, Sort] = {"P": "protein", "G": "gene", "T": "transcript"}
_REFSEQ: Mapping[str, Sort] = {"P": "protein", "M": "transcript", "R": "transcript"}


def sort_of(curie: str) -> Sort | None:
    """What sort of thing an identifier numbers; None for one that identifies nothing here."""
    prefix, _, local = curie.partition(":")
    if prefix == "ensembl":
        return _ENSEMBL.get(local.rstrip("0123456789")[-1:]) if local.startswith("ENS") else None
    if prefix == "refseq":
        return _REFSEQ.get(local[1:2]) if local[2:3] == "_" else None
    return SORTS.get(prefix)


def identifying(curies: Iterable[str], *sorts: Sort) -> list[str]:
    """Those that number one thing of one of the sorts, each once, in their order."""
    return [one for one in dict.fromkeys(curies) if sort_of(one) in sorts]


def by_namespace(curies: Iterable[str]) -> dict[str, set[str]]:
    """The identifiers that can contradict others, by namespace."""
    found: dict[str, set[str]] = {}
    for one in curies:
        prefix = one.partition(":")[0]
        if prefix == "ensembl" and sort_of(one) == "gene":
            prefix = "ensembl.gene"
        if prefix in CONTRADICTING:
            found.setdefault(prefix, set()).add(one)
    return found
