"""Relation names as words: of types, of predicates, and of Biolink's qualifiers beside them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from biomolkg.identifiers import identify
from graph_loader.graph_records import is_plain_name

_PREFIXED = re.compile(r"[\w.-]+:\w+")
_HUMP = re.compile(r"[a-z][A-Z]")
_PIECE = re.compile(r"[A-Z]+[0-9][A-Z0-9]*(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_NEGATED = re.compile(r"(?:[\w.-]+:)?(?:NEG_|NOT_|neg_|not_)\w+")
QUALIFIERS = frozenset(
    (
        "qualified_predicate",
        "subject_direction_qualifier",
        "subject_aspect_qualifier",
        "object_direction_qualifier",
        "object_aspect_qualifier",
    )
)
_NEGATIONS = frozenset(("negated", "qualifiers", "qualifier"))
_TRUE = frozenset(("true", "1", "yes", "t"))


def relation_words(name: str) -> str:
    """A type as words: `biolink:contributes_to`, `CONTRIBUTES_TO` and `contributesTo` are `contributes to`.

    What is no name of words stays: `π-π`, `CbG`, the number of a relation (`RO:0002331`).
    """
    local = name.rpartition(":")[2] if _PREFIXED.fullmatch(name) else name
    if "://" in name or local.isdigit():
        return _number(name)
    if not is_plain_name(local):
        return local
    if "_" in local or local.isupper():
        words = local.strip("_").replace("_", " ")
        return words.lower() if local.isupper() else words
    return _humps(local)


def _humps(name: str) -> str:
    """`treatsDisease` as `treats disease`; abbreviations stay as they are."""
    if not _HUMP.search(name):
        return name
    pieces = _PIECE.findall(name)
    if any(len(piece) == 1 and piece not in {"A", "a"} for piece in pieces) or "".join(pieces) != name:
        return name
    return " ".join(piece if len(piece) > 1 and piece.isupper() else piece.lower() for piece in pieces)


def _number(name: str) -> str:
    """`RO:0002331` for a relation that is known by its number, however it is written."""
    found = identify(name)
    if found is None:
        return name
    prefix, _, local = found.curie.partition(":")
    return f"{prefix.upper()}:{local}"


def qualified_relation(predicate: str, values: Mapping[str, Any]) -> str:
    """A predicate with Biolink's qualifiers, as `causes decreased activity`."""
    base = relation_words(str(values.get("qualified_predicate") or predicate))
    subject, target = (_qualified(values, side) for side in ("subject", "object"))
    return " ".join(part for part in (subject, base, target) if part)


def _qualified(values: Mapping[str, Any], side: str) -> str:
    """What qualifiers say of one end: its direction and its aspect."""
    parts = (values.get(f"{side}_{name}_qualifier") for name in ("direction", "aspect"))
    return " ".join(relation_words(str(part)).replace("_", " ") for part in parts if part)


def is_negated(predicate: str, values: Mapping[str, Any]) -> bool:
    """Whether an edge says that something is not so: `negated`, `NEG_TREATS`, or a qualifier NOT."""
    if predicate and _NEGATED.fullmatch(predicate):
        return True
    if _NEGATIONS.isdisjoint(values):
        return False
    if str(values.get("negated")).strip().lower() in _TRUE:
        return True
    qualifiers = values.get("qualifiers") or values.get("qualifier") or ()
    written = qualifiers if isinstance(qualifiers, tuple) else (str(qualifiers),)
    return any("NOT" in re.split(r"\W", str(one)) for one in written)
