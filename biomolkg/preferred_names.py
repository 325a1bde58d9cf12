"""Which of a thing's names people use: no registry number, code or systematic name if there is another."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum

from biomolkg.names import name_key

_LONGEST = 60
_PREFIXED = re.compile(r"[A-Za-z][\w.]*:\S+")
_ACCESSION = re.compile(
    r"\d{2,7}-\d\d-\d"  # CAS
    r"|[A-Z]{14}-[A-Z]{10}-[A-Z]"  # InChIKey
    r"|(?:S?CHEMBL|CHEBI|CID|SID|DB|CSID|ZINC|UNII|MFCD|NSC|CAS|EINECS|HMDB|DTXSID)[\s:-]?\d\S*"
    r"|ENS[A-Z]*[GPT]\d{6,}(?:\.\d+)?"
    r"|(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{10}"  # UNII
    r"|[OPQ]\d[A-Z0-9]{3}\d|[A-NR-Z]\d(?:[A-Z][A-Z0-9]{2}\d){1,2}"  # UniProt
    r"|\d+"
)
_CODE = re.compile(
    r"[A-Za-z]{1,8}(?:[\s-][A-Za-z]{1,4})?[\s-]?\d{3,}\S*|[A-Z]{2,}[A-Z0-9/-]*\d\S*"
    r"|[A-Z]\w+ \d{4,}|\d+[A-Z]+\d+"
)
_SYSTEMATIC = re.compile(
    r"[\[\]{};~^]|->|BLAH"
    r"|\d[a-z]?[′']*,\s?\d"  # locants: 2,3-
    r"|^\(?[\d.,]+[A-Za-z]{0,2}[′']*-"  # 5-amino…
    r"|[a-zα-ω]-\d+[a-z]?(?:[′']|,|-)"  # …propan-2-ol
    r"|\d(?:alpha|beta|α|β)|\.(?:alpha|beta|gamma|delta)\."
    r"|[a-z]\([^)]*\d[^)]*\)[a-z]|\)[a-z]{3,}|^[NOSP][~,\d′'-]"
    r"|[α-ω]-[A-Z0-9]|\([0-9ERSZ,]+\)-\S*\d"
)
_FORM = re.compile(
    r"^\(?(?:±|\+/?-?|-|−|[RSEZ]|DL|[DL]|rac|racemic|cis|trans|[a-z])\)?-"  # (±)-, DL-, rac-
    r"|,\s*(?:\(?(?:[RSEZ±+-]|CIS|TRANS|DL|[DL])\)?-?)"  # …, (R)-
    r"|\b(?:isomer|impurity|form of|epi|stereochemistry|deuterated|metabolite|anhydrous)\b|^epi|-d\d+$"
    r"|\([^)]*\)|\d ?%",
    re.IGNORECASE,
)
_ABBREVIATION = re.compile(r"[A-Z0-9-]{1,5}")


class NameKind(IntEnum):
    """What a name is, the most usable kind first."""

    COMMON = 0
    FORM = 1
    SYSTEMATIC = 2
    CODE = 3
    IDENTIFIER = 4


def name_kind(name: str, *, chemical: bool = True) -> NameKind:
    """What `name` is; of a thing that is no chemical only an identifier is told from a name.

    >>> name_kind("50-78-2").name, name_kind("Ibuprofen").name, name_kind("(±)-Promethazine").name
    ('IDENTIFIER', 'COMMON', 'FORM')
    """
    name = name.strip()
    if not name or _ACCESSION.fullmatch(name) or _PREFIXED.fullmatch(name):
        return NameKind.IDENTIFIER
    if not chemical:
        return NameKind.COMMON
    if len(name) > _LONGEST or _SYSTEMATIC.search(name):
        return NameKind.SYSTEMATIC
    if _CODE.fullmatch(name):
        return NameKind.CODE
    return NameKind.FORM if _FORM.search(name) else NameKind.COMMON


def choose_name(name: str, others: Iterable[str] = (), *, chemical: bool = True) -> str:
    """The name to show first: `name`, unless it is a number, a code or systematic and another is not.

    Of several of one kind the one with the fewest words, then the shortest, abbreviations last. A name
    of a form, as "(±)-Promethazine", gives way only to a name that is a part of it.

    >>> choose_name("50-78-2", ["aspirin", "2-acetoxybenzoic acid"])
    'aspirin'
    """
    kind = name_kind(name, chemical=chemical)
    if kind is NameKind.COMMON:
        return name
    best: tuple[NameKind, bool, int, int, str] = (kind, False, 0, 0, name)
    words = name_key(name).split()
    for other in others:
        other_kind = name_kind(other, chemical=chemical)
        if other_kind < kind and (kind > NameKind.FORM or name_key(other) in words):
            abbreviated = _ABBREVIATION.fullmatch(other) is not None
            best = min(best, (other_kind, abbreviated, len(other.split()), len(other), other))
    return best[-1]
