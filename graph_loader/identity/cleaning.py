"""Records without placeholders, and with the keys that their structures and identifiers give."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from biomolkg.errors import InvalidMolecule
from biomolkg.identifiers import as_curie, is_placeholder, no_identifier
from biomolkg.identifiers.curies import INCHIKEY
from graph_loader.chemistry import MoleculeDescription, describe_molecule
from graph_loader.graph_records import MAX_NAME_CHARS, GraphNode
from graph_loader.identity.structure import inchikeys_of_parts
from graph_loader.sources.names import is_cas
from graph_loader.staging import StructureKeys

# Says what was left out, and of which row.
Note = Callable[[str, str], None]
_PARENTS = frozenset(("salt", "solvate"))
_SPACES = re.compile(r"\s+")


def cleaned(node: GraphNode, note: Note) -> GraphNode:
    """A record without placeholders, its cross-references as CURIEs; `note` is told what was left out."""
    name = node.name
    if name is not None and is_placeholder(name):
        note("placeholder for a name, left out", repr(name))
        name = None
    synonyms = tuple(word for word in node.synonyms if not is_placeholder(word))
    if len(synonyms) < len(node.synonyms):
        note("placeholder for a synonym, left out", "")
    inchikey = _inchikey(node.inchikey, note)
    xrefs = tuple(dict.fromkeys(_xrefs(node.xrefs, note)))
    if (name, synonyms, inchikey, xrefs) == (node.name, node.synonyms, node.inchikey, node.xrefs):
        return node
    return replace(node, name=name, synonyms=synonyms, inchikey=inchikey, xrefs=xrefs)


def _inchikey(written: str | None, note: Note) -> str | None:
    if written is None:
        return None
    key = written.strip().upper().removeprefix("INCHIKEY:").removeprefix("INCHIKEY=")
    if INCHIKEY.fullmatch(key):
        return key
    note("no InChIKey, left out", repr(written[:40]))
    return None


def _xrefs(written: Iterable[str], note: Note) -> Iterable[str]:
    for one in written:
        if len(one) > MAX_NAME_CHARS:
            note(f"cross-reference of more than {MAX_NAME_CHARS:,} characters, left out", "")
            continue
        if no_identifier(one) or is_placeholder(one):
            note("placeholder for a cross-reference, left out", repr(one))
            continue
        curie = as_curie(one) or one
        if curie.startswith("cas:") and not is_cas(curie[4:]):
            note("no CAS number, left out", repr(one))
        elif curie.startswith("inchikey:") and not INCHIKEY.fullmatch(curie[9:]):
            note("no InChIKey, left out", repr(one))
        else:
            yield curie


def keys_of_structure(node: GraphNode, described: MoleculeDescription | None) -> StructureKeys:
    """The InChIKeys that a record gives, or else its structure; and those of what its parts are."""
    curies = (node.id, *node.xrefs)
    given = dict.fromkeys(one[9:] for one in curies if one.startswith("inchikey:"))
    if node.inchikey:
        given[node.inchikey] = None
    if described is None:
        return StructureKeys(tuple(given))
    computed = described.inchikey
    if computed and (not given or computed[:14] in {key[:14] for key in given}):
        given[computed] = None
    parent = described.parent_inchikey if described.composition in _PARENTS else ""
    parts = inchikeys_of_parts(described.smiles) if described.composition == "mixture" else ()
    return StructureKeys(tuple(given), (parent,) if parent else (), parts)


def described_structure(node: GraphNode, max_chars: int, note: Note) -> MoleculeDescription | None:
    """What the SMILES of a record says; None, and a note, where it cannot be read."""
    if node.smiles is None:
        return None
    if is_placeholder(node.smiles):
        note("placeholder for a SMILES, left out", repr(node.smiles))
        return None
    try:
        described = describe_molecule(node.smiles, max_chars=max_chars)
    except InvalidMolecule as error:
        note("SMILES that cannot be read, left out", error.message)
        return None
    if not described.inchikey:
        note("structure that has no InChIKey", repr(node.smiles[:40]))
    return described


def symbol_of(properties: dict[str, Any], columns: Iterable[str]) -> str | None:
    """The gene symbol of one of the columns, which is taken out of the properties."""
    column = next((one for one in columns if isinstance(properties.get(one), str)), None)
    if column is None:
        return None
    symbol = _SPACES.sub(" ", str(properties.pop(column))).strip()
    return None if is_placeholder(symbol) else symbol


def species_in(properties: Mapping[str, Any], xrefs: Iterable[str]) -> Mapping[str, Any]:
    """The properties with the taxa among the cross-references, as a species."""
    taxa = [one for one in xrefs if one.startswith("ncbitaxon:")]
    return {**properties, "taxon": tuple(taxa)} if taxa and "taxon" not in properties else properties
