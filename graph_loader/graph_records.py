"""Nodes and edges of any source as frozen records: what the writer gets, whatever the file looked like.

A user's labels, relationship types and property names are data, never Cypher. The
writer takes labels and types of its own statements from `kind` only, which is one
of NODE_KINDS or EDGE_KINDS, and passes everything else as parameters: `labels`
and `type` as properties of these names, `properties` as one map (`SET n += $map`).
Nothing here ever needs to be quoted for Cypher.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import NamedTuple

# `Thing` and `FACT` are what a source's own labels and types become when no mapping says otherwise.
NODE_KINDS = (
    "Drug",
    "Protein",
    "Chemical",
    "Gene",
    "Transcript",
    "Pathway",
    "Reaction",
    "PhysicalEntity",
    "Thing",
)
# What two things are to one another that are close and yet not one, as the loader finds out.
LINK_KINDS = (
    "ENCODES",
    "STEREOISOMER_OF",
    "ISOTOPOLOGUE_OF",
    "TAUTOMER_OF",
    "SALT_OF",
    "HAS_COMPONENT",
)
EDGE_KINDS = ("DDI", "DPI", "MOLECULAR", "ACTION", "FACT")

# Property names that the graph uses itself; a source's own gets a low line at its end.
RESERVED_NODE = frozenset(
    (
        "id",
        "name",
        "synonyms",
        "labels",
        "smiles",
        "inchikey",
        "formula",
        "weight",
        "groups",
        "group_counts",
        "xrefs",
        "gene",
        "dataset",
        "source",
        "kind",
        "embedding",
        "canonical_smiles",
        "charge",
        "logp",
        "tpsa",
        "scaffold",
        "composition",
        "composition_note",
        "parent_smiles",
        "fingerprint",
        "datasets",
        "other_names",
        "named_by",
        "typed_by",
        "preferred_name",
        "aliases",
        "more_xrefs",
        "digest",
    )
)
RESERVED_EDGE = frozenset(("relation", "type", "kind", "dataset", "source", "digest"))

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
MAX_NAME_CHARS = 1_000


@dataclass(frozen=True, slots=True)
class Literal:
    """A date, time, duration or point as Cypher spells it; the writer calls the function of `kind` on it.

    `kind`: date, localtime, time, localdatetime, datetime, duration or point.
    """

    kind: str
    text: str


Scalar = str | int | float | bool | Literal
Value = Scalar | tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class NodeText:
    """A whole text about a node; `section` says which of its texts it is."""

    section: str
    text: str


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A thing. `id` is a CURIE; `source` is data set, file and data row from 1.

    `kind` is one of NODE_KINDS, `labels` are what the source calls it. Drugs and
    chemicals are joined by `inchikey`, `smiles` and `xrefs` (CURIEs), others by `xrefs`.
    """

    id: str
    kind: str
    source: str
    name: str | None = None
    labels: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    smiles: str | None = None
    inchikey: str | None = None
    xrefs: tuple[str, ...] = ()
    texts: tuple[NodeText, ...] = ()
    properties: Mapping[str, Value] = field(default_factory=dict)


class GraphEdge(NamedTuple):
    """A fact. `kind` is one of EDGE_KINDS, `type` what the source calls it, `relation` the same as words."""

    kind: str
    head: str
    relation: str
    tail: str
    source: str
    type: str = ""
    properties: Mapping[str, Value] = MappingProxyType({})


Record = GraphNode | GraphEdge


def is_plain_name(name: str) -> bool:
    """Whether a label or type needs no quotes in Cypher."""
    return _PLAIN_NAME.fullmatch(name) is not None


def name_fault(name: str) -> str | None:
    """Why `name` cannot be a label or type even as data; None when it can."""
    if not name.strip():
        return "is empty"
    if len(name) > MAX_NAME_CHARS:
        return f"is longer than {MAX_NAME_CHARS:,} characters"
    return "holds a NUL character" if "\0" in name else None


def property_names(properties: Mapping[str, Value], reserved: frozenset[str]) -> dict[str, Value]:
    """Properties under the names that they have in the graph."""
    if reserved.isdisjoint(properties):
        return dict(properties)
    return {f"{key}_" if key in reserved else key: value for key, value in properties.items()}
