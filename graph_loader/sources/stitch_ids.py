"""Identifiers of STITCH: chemicals of PubChem, flat or stereo, and proteins of Ensembl by species.

`CIDm00002173` and `CID100002173` are the flat compound 2173, its stereoisomers merged;
`CIDs00002173` and `CID000002173` are the compound of this very stereochemistry.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CHEMICAL = re.compile(r"CID(?P<form>[ms]|(?=[01]?\d{1,8}\Z))(?P<number>\d{1,10})", re.IGNORECASE)
_OLD_DIGITS = 9
_FLAT_BASE = 100_000_000
_PROTEIN = re.compile(r"(?:(?P<taxon>\d{1,9})\.)?(?P<protein>ENS[A-Z]{0,5}P\d{6,15}|[A-Za-z][\w.-]{1,40})")


@dataclass(frozen=True, slots=True)
class Chemical:
    """A PubChem compound; `flat` when STITCH merged its stereoisomers."""

    cid: int
    flat: bool

    @property
    def curie(self) -> str:
        """The id of the graph's node."""
        return f"pubchem.compound:{self.cid}"


@dataclass(frozen=True, slots=True)
class Protein:
    """A protein by its name in STRING, and its species where the file says it."""

    name: str
    taxon: int | None

    @property
    def curie(self) -> str:
        """The id of the graph's node; proteins without an Ensembl id are named by STRING's."""
        if self.name.startswith("ENS"):
            return f"ensembl:{self.name}"
        return f"string:{self.taxon}.{self.name}" if self.taxon is not None else f"string:{self.name}"


def parse_chemical(text: str) -> Chemical | None:
    """The chemical that an identifier means; None when it is none, or compound 0."""
    found = _CHEMICAL.fullmatch(text.strip())
    if found is None:
        return None
    number, form = int(found["number"]), found["form"].lower()
    if form:
        flat = form == "m"
    else:
        flat = len(found["number"]) == _OLD_DIGITS and number >= _FLAT_BASE
        number -= _FLAT_BASE if flat else 0
    return Chemical(number, flat) if number > 0 else None


def parse_protein(text: str) -> Protein | None:
    """The protein that an identifier means: `9606.ENSP00000358963`, with or without its species."""
    found = _PROTEIN.fullmatch(text.strip())
    if found is None or parse_chemical(text) is not None:
        return None
    if found["taxon"] is None and not found["protein"].startswith("ENS"):
        return None
    return Protein(found["protein"], int(found["taxon"]) if found["taxon"] else None)
