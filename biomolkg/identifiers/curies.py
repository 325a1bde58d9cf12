"""Identifiers as CURIEs with Bioregistry's prefixes, one spelling for each, wherever they stand.

`CHEBI:CHEBI:27732`, `chebi:27732`, `http://purl.obolibrary.org/obo/CHEBI_27732` and
`CHEBI_27732` are one; a version (`ENSP00000354612.4`) or an isoform (`P35354-2`) is
no part of the identifier and is given beside it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from biomolkg.identifiers.namespaces import SORTS
from biomolkg.identifiers.placeholders import is_placeholder
from biomolkg.identifiers.registry import fits, is_prefix, known_prefix, spelt_out, split_address

_WHOLE = re.compile(r"(?P<number>\d+)\.0+")
_CID = re.compile(r"CID(?P<form>[ms]?)(?P<number>\d{1,10})", re.IGNORECASE)
_STITCH_DIGITS = 9
_FLAT_BASE = 100_000_000
_VERSIONED = re.compile(r"(?P<id>.+)\.(?P<version>\d{1,4})")
_UNIPROT = re.compile(
    r"(?P<id>[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2})"
    r"(?:-(?P<isoform>\d{1,3})|\.(?P<version>\d{1,4}))?",
    re.IGNORECASE,
)
_FASTA = re.compile(r"(?:sp|tr)\|(?P<accession>[A-Za-z0-9]{6,10}(?:-\d+)?)\|(?P<entry>\w+)")
INCHIKEY = re.compile(r"[A-Z]{14}-[A-Z]{10}-[A-Z]")
# What needs no prefix to be known for what it is.
_BARE = (
    (INCHIKEY, "inchikey"),
    (re.compile(r"CHEMBL[1-9]\d{0,8}"), "chembl.compound"),
    (re.compile(r"DB\d{5}"), "drugbank"),
    (re.compile(r"ENS[A-Z]{0,4}[GTP]\d{11}(?:\.\d{1,3})?"), "ensembl"),
    (re.compile(r"R-[A-Z]{3}-\d+(?:-\d+)?(?:\.\d+)?"), "reactome"),
    (re.compile(r"HMDB\d{5,7}"), "hmdb"),
)
_KEGG = {"C": "kegg.compound", "D": "kegg.drug"}
_DIGITS = frozenset(
    ("pubchem.compound", "chebi", "hgnc", "ncbigene", "rxnorm", "drugcentral", "ncbitaxon", "pubmed")
)
_UPPER = frozenset(
    ("inchikey", "unii", "drugbank", "chembl.compound", "kegg.compound", "kegg.drug", "mesh", "umls", "hmdb")
)
_COMPOUNDS = frozenset(("stitch", "stitch.compound"))  # whose chemicals are PubChem's compounds
_VERSIONS = frozenset(("ensembl", "refseq", "reactome"))


class Identifier(NamedTuple):
    """An identifier as a CURIE; `version` and `isoform` are what was written beyond it."""

    curie: str
    version: str = ""
    isoform: str = ""


@lru_cache(65_536)
def identify(written: str) -> Identifier | None:
    """The identifier that a text is, None when it is none that carries its own namespace.

    >>> identify("CHEBI:CHEBI:27732")
    Identifier(curie='chebi:27732', version='', isoform='')
    >>> identify("UniProtKB:P35354-2")
    Identifier(curie='uniprot:P35354', version='', isoform='P35354-2')
    """
    text = written.strip()
    if "%" in text:
        text = unquote(text)
    if "://" in text:
        return _of_address(text)
    if "::" in text:
        return _of_typed(text)
    prefix, colon, local = text.partition(":")
    if not colon:
        return _of_bare(text)
    return _of_parts(prefix, local)


def as_curie(written: str) -> str | None:
    """The identifier that a text is as a CURIE, None when it is none; without version and isoform.

    >>> as_curie("UniProtKB:P35354-2")
    'uniprot:P35354'
    """
    found = identify(written)
    return None if found is None else found.curie


def curie(written: str, *, prefix: str | None, dataset: str, space: str = "") -> str:
    """The CURIE of an identifier as a source writes it.

    `prefix` is put before one that has none; without a prefix, and for what is
    no CURIE, it is the data set's own: `dataset:space/identifier`.
    """
    return identified(written, prefix=prefix, dataset=dataset, space=space).curie


def identified(written: str, *, prefix: str | None, dataset: str, space: str = "") -> Identifier:
    """As `curie`, with version and isoform beside it."""
    found = identify(written)
    if prefix:
        if found is not None and found.curie.startswith(f"{prefix}:"):
            return found
        return _normal(prefix, whole_number(written.strip()))
    if found is not None:
        return found
    return Identifier(f"{dataset}:{f'{space}/' if space else ''}{whole_number(written.strip())}")


def whole_number(text: str) -> str:
    """`5533` for `5533.0`, as a column of numbers with gaps is written by pandas; other texts stay."""
    found = _WHOLE.fullmatch(text) if text.endswith("0") else None
    return text if found is None else found["number"]


def no_identifier(written: str) -> bool:
    """Whether a text that should identify something is a placeholder, or a prefix and nothing more.

    >>> [no_identifier(text) for text in ("Gene::", "NCBIGene:nan", "CHEBI:0", "n/a", "0", "x:0")]
    [True, True, True, True, False, False]
    """
    text = written.strip()
    before, _, after = text.rpartition(":")
    local = after.strip()
    if local in {"0", "0.0"}:
        return known_prefix(before) in SORTS
    return not local or is_placeholder(local)


def _of_parts(written: str, local: str) -> Identifier | None:
    prefix = known_prefix(written)
    if prefix is not None and spelt_out(written):
        local = local.lstrip()
    if not local or local[0] == "/" or any(map(str.isspace, local)):
        return None
    # Short spellings in small letters (do, re, up) are rather a user's own.
    if prefix is None or not (
        spelt_out(written) or (written.isupper() and fits(prefix, _stripped(prefix, local)))
    ):
        if not is_prefix(written):
            return None
        return _special(written.lower(), local) or Identifier(f"{written.lower()}:{local}")
    return _special(prefix, local) or _normal(prefix, local)


def _special(prefix: str, local: str) -> Identifier | None:
    if prefix in _COMPOUNDS and _CID.fullmatch(local):
        return _compound(local)
    if prefix == "kegg" and local[:1] in _KEGG and local[1:].isdigit():
        return Identifier(f"{_KEGG[local[0]]}:{local}")
    return None


def _normal(prefix: str, local: str) -> Identifier:
    local = _stripped(prefix, local)
    form = _FORMS.get(prefix)
    if form is not None:
        return form(local)
    if prefix in _UPPER:
        local = local.upper()
    if prefix in _DIGITS:
        local = whole_number(local)
        local = str(int(local)) if local.isascii() and local.isdigit() else local
    elif prefix in _VERSIONS:
        found = _VERSIONED.fullmatch(local)
        if found is not None:
            return Identifier(f"{prefix}:{found['id']}", version=found["version"])
    return Identifier(f"{prefix}:{local}")


def _stripped(prefix: str, local: str) -> str:
    """Without the prefix that is written once more: `CHEBI:27732` or `CHEBI_27732` of `chebi`."""
    while True:
        for sign in (":", "_"):
            before, found, after = local.partition(sign)
            if found and after and known_prefix(before) == prefix:
                local = after
                break
        else:
            return local


def _compound(local: str) -> Identifier:
    found = _CID.fullmatch(local)
    if found is not None:
        return Identifier(f"pubchem.compound:{_compound_number(found)}")
    number = whole_number(local)
    plain = number.isascii() and number.isdigit()
    return Identifier(f"pubchem.compound:{int(number) if plain else number}")


def _compound_number(found: re.Match[str]) -> int:
    """The number of `CID2244`, of STITCH's `CIDm00002244`, or of its older `CID100002244`."""
    number = int(found["number"])
    old = not found["form"] and len(found["number"]) == _STITCH_DIGITS
    return number - _FLAT_BASE if old and number >= _FLAT_BASE else number


def _compound_of_chembl(local: str) -> Identifier:
    number = whole_number(local)
    return Identifier(f"chembl.compound:{f'CHEMBL{number}' if number.isdigit() else local.upper()}")


def _drug_of_drugbank(local: str) -> Identifier:
    return Identifier(f"drugbank:{f'DB{local}' if len(local) == 5 and local.isdigit() else local.upper()}")


def _metabolite(local: str) -> Identifier:
    number = local.upper().removeprefix("HMDB")
    return Identifier(f"hmdb:HMDB{number.zfill(7)}" if number.isdigit() else f"hmdb:{local}")


def _accession(local: str) -> Identifier:
    found = _UNIPROT.fullmatch(local)
    if found is None:
        return Identifier(f"uniprot:{local}")
    accession = found["id"].upper()
    isoform = f"{accession}-{found['isoform']}" if found["isoform"] else ""
    return Identifier(f"uniprot:{accession}", found["version"] or "", isoform)


_FORMS: Mapping[str, Callable[[str], Identifier]] = {
    "pubchem.compound": _compound,
    "chembl.compound": _compound_of_chembl,
    "drugbank": _drug_of_drugbank,
    "hmdb": _metabolite,
    "uniprot": _accession,
}


def _of_address(text: str) -> Identifier | None:
    found = split_address(text.rstrip("/"))
    if found is None:
        # An ontology of OBO that has no address of its own in the registry.
        prefix, sign, local = text.rpartition("/obo/")[2].partition("_")
        if "/obo/" not in text or not sign:
            return None
        return _of_parts(prefix, local)
    prefix, local = found
    return _special(prefix, local) or _normal(prefix, local)


def _of_typed(text: str) -> Identifier | None:
    """`Gene::3356`, `Compound::DB00656`, `Disease::DOID:1596`, as Hetionet and DRKG write them."""
    kind, _, local = text.partition("::")
    inner = identify(local) if local and not is_placeholder(local) else None
    if inner is not None:
        return inner
    if kind.strip().lower() == "gene" and local.isascii() and local.isdigit():
        return Identifier(f"ncbigene:{int(local)}")
    if re.fullmatch(r"C\d{7}", local):
        return Identifier(f"umls:{local}")
    prefix = kind.strip().lower()
    return Identifier(f"{prefix}::{local}") if local and is_prefix(prefix) and " " not in local else None


def _of_bare(text: str) -> Identifier | None:
    for pattern, prefix in _BARE:
        if pattern.fullmatch(text):
            return _normal(prefix, text)
    fasta = _FASTA.fullmatch(text)
    if fasta is not None:
        return _accession(fasta["accession"])
    compound = _CID.fullmatch(text)
    if compound is not None and _compound_number(compound) > 0:
        return Identifier(f"pubchem.compound:{_compound_number(compound)}")
    prefix, sign, local = text.partition("_")
    known = known_prefix(prefix) if sign and prefix.isupper() else None
    if known is not None and known == prefix.lower() and fits(known, local) and local.isdigit():
        return _normal(known, local)
    return None
