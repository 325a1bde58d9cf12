"""Bioregistry's prefixes, their other spellings and patterns, from the bundled tables."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from importlib.resources import files

_PREFIX = re.compile(r"[A-Za-z][A-Za-z0-9_.\- ]*")
_SIGNS = re.compile(r"[^a-z0-9]+")
# Shorter spellings (DO, RE, UP) may as well be a user's own: the identifier has to fit too.
_TELLING_CHARS = 5
# Spellings of KGX, Biolink and others that Bioregistry does not list, or means otherwise.
_SPELLINGS = {
    "ensemblprotein": "ensembl",
    "ensemblgene": "ensembl",
    "ensembltranscript": "ensembl",
    "entrez": "ncbigene",
    "entrezgene": "ncbigene",
    "entrezid": "ncbigene",
    "pubchem": "pubchem.compound",
    "pubchemcid": "pubchem.compound",
    "pubchemcompound": "pubchem.compound",
    "react": "reactome",
    "chembl": "chembl.compound",
    "chemblcompound": "chembl.compound",
    "cid": "pubchem.compound",
    "ncbi": "ncbigene",
    "casrn": "cas",
    "casnumber": "cas",
    "fdaunii": "unii",
    "hgncsymbol": "hgnc.symbol",
}


@cache
def _tables() -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The prefix of each spelling, signs and case apart, and the pattern of each prefix."""
    spellings: dict[str, str] = {}
    patterns: dict[str, str] = {}
    rows = list(_rows("prefixes"))
    for prefix, others, pattern in rows:
        patterns[prefix] = pattern
        for other in filter(None, others.split("|")):
            spellings.setdefault(_folded(other), prefix)
    # What is a prefix itself is no other's spelling.
    spellings |= {_folded(prefix): prefix for prefix, _, _ in rows}
    return spellings | _SPELLINGS, patterns


def _rows(name: str) -> Iterator[list[str]]:
    text = gzip.decompress((files("biomolkg.identifiers") / f"{name}.tsv.gz").read_bytes()).decode()
    return (line.split("\t") for line in text.splitlines()[1:])


def _folded(spelling: str) -> str:
    return _SIGNS.sub("", spelling.lower())


@lru_cache(4_096)
def known_prefix(written: str) -> str | None:
    """Bioregistry's prefix of a spelling, whatever its case and signs; None when there is none."""
    return _tables()[0].get(_folded(written)) if _PREFIX.fullmatch(written) else None


@lru_cache(4_096)
def spelt_out(written: str) -> bool:
    """Whether a spelling says by itself which prefix it is: it is that prefix, or a long spelling of it."""
    folded = _folded(written)
    return known_prefix(written) == written.lower() or len(folded) >= _TELLING_CHARS or folded in _SPELLINGS


@lru_cache(4_096)
def is_prefix(written: str) -> bool:
    """Whether `written` could be a prefix at all, of whatever registry."""
    return _PREFIX.fullmatch(written) is not None and " " not in written


@lru_cache(1_024)
def pattern_of(prefix: str) -> re.Pattern[str] | None:
    """What an identifier of a prefix looks like, without the prefix."""
    written = _tables()[1].get(prefix)
    return re.compile(written) if written else None


def fits(prefix: str, local: str) -> bool:
    """Whether an identifier looks like one of its prefix; True where Bioregistry knows no pattern."""
    pattern = pattern_of(prefix)
    return pattern is None or pattern.fullmatch(local) is not None


@cache
def _addresses() -> Mapping[str, str]:
    return dict(_rows("addresses"))


def split_address(address: str) -> tuple[str, str] | None:
    """Prefix and identifier of a web address, None for one that Bioregistry does not know."""
    rest = address.partition("://")[2]
    for end in range(len(rest) - 1, 0, -1):
        for prefix in _addresses().get(rest[:end], "").split("|"):
            if prefix and fits(prefix, rest[end:].rpartition(":")[2]):
                return prefix, rest[end:]
    return None
