"""Things that are close to one another and yet not one: what encodes what, mirror images, salts, parts.

Each link is an edge of its own kind, so that a question about one thing may find the
other. They follow from identifiers and structures alone, never from names.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from graph_loader.identity.contradictions import contradiction
from graph_loader.identity.matching import same_species
from graph_loader.identity.structure import is_tautomer, isotopes_differ
from graph_loader.identity.things import FLAT, Index, Thing, structure_keys

ENCODES = "ENCODES"
STEREOISOMER_OF = "STEREOISOMER_OF"
ISOTOPOLOGUE_OF = "ISOTOPOLOGUE_OF"
TAUTOMER_OF = "TAUTOMER_OF"
SALT_OF = "SALT_OF"
HAS_COMPONENT = "HAS_COMPONENT"
RELATIONS = {
    ENCODES: "encodes",
    STEREOISOMER_OF: "is a stereoisomer of",
    ISOTOPOLOGUE_OF: "is an isotopologue of",
    TAUTOMER_OF: "is a tautomer of",
    SALT_OF: "is a salt of",
    HAS_COMPONENT: "has component",
}
_SYMMETRIC = frozenset((STEREOISOMER_OF, ISOTOPOLOGUE_OF, TAUTOMER_OF))
_MOST = 50  # things that one is linked to by one kind: an inositol has hundreds of kin
_PRODUCTS = frozenset(("protein", "transcript"))


class Link(NamedTuple):
    """One thing, and what it is to another."""

    head: str
    kind: str
    tail: str


def link_keys(thing: Thing) -> Iterator[str]:
    """The keys by which a thing is found as one end of a link."""
    if thing.sort == "small":
        yield from structure_keys(thing)
        return
    for one in thing.identifiers:
        yield f"xref:{one}"


class Links:
    """Finds the links of things with those of an index."""

    def __init__(self, index: Index) -> None:
        self._index = index

    def of(self, thing: Thing, *, known_as: str, space: str = "") -> Iterator[Link]:
        """The links of a thing, which is called `known_as` in the graph.

        `space` is put before the keys of the things to look among.
        """
        found = self._of_small(thing, space) if thing.sort == "small" else self._products(thing, space)
        seen: dict[str, int] = {}
        for kind, other, turned in found:
            if other == known_as or seen.get(kind, 0) >= _MOST:
                continue
            seen[kind] = seen.get(kind, 0) + 1
            head, tail = (other, known_as) if turned else (known_as, other)
            if kind in _SYMMETRIC:
                head, tail = sorted((head, tail))
            yield Link(head, kind, tail)

    def _others(self, keys: list[str], space: str) -> Iterator[Thing]:
        for one in sorted({one for key in keys for one in self._index.ids_of(f"{space}{key}")}):
            other = self._index.thing_of(f"{space}{one}")
            if other is not None:
                yield other

    def _products(self, thing: Thing, space: str) -> Iterator[tuple[str, str, bool]]:
        """What a gene or transcript encodes, and what encodes a transcript or protein."""
        keys = [f"xref:{one}" for one in thing.identifiers]
        by_symbol = [f"gene:{thing.symbol}"] if thing.symbol and not space else []
        for other in self._others([*keys, *by_symbol], space):
            if not _encodes(thing, other) and not _encodes(other, thing):
                continue
            by_number = not set(thing.identifiers).isdisjoint(other.identifiers)
            if not by_number and not same_species(thing, other):
                continue
            if not contradiction(thing, other):
                yield ENCODES, other.id, _encodes(other, thing)

    def _of_small(self, thing: Thing, space: str) -> Iterator[tuple[str, str, bool]]:
        yield from self._kin(thing, space)
        yield from self._salts(thing, space)
        for other in self._others([f"inchikey:{key}" for key in thing.parts], space):
            yield HAS_COMPONENT, other.id, False
        for other in self._others([f"part:{key}" for key in thing.inchikeys], space):
            yield HAS_COMPONENT, other.id, True

    def _kin(self, thing: Thing, space: str) -> Iterator[tuple[str, str, bool]]:
        """What differs by stereo, isotopes or the place of hydrogens alone."""
        blocks = list(dict.fromkeys(f"block:{key[:14]}" for key in thing.inchikeys))
        for other in self._others(blocks, space):
            kind = _stereo_kind(thing, other)
            if kind:
                yield kind, other.id, False
        if thing.formula and thing.smiles and not space:
            for other in self._others([f"formula:{thing.formula}"], space):
                apart = {key[:14] for key in thing.inchikeys}.isdisjoint(key[:14] for key in other.inchikeys)
                if apart and other.smiles and is_tautomer(thing.smiles, other.smiles):
                    yield TAUTOMER_OF, other.id, False

    def _salts(self, thing: Thing, space: str) -> Iterator[tuple[str, str, bool]]:
        for key in thing.parents:
            for other in self._others([f"block:{key[:14]}"], space):
                if _same_or_flat((key,), other.inchikeys):
                    yield SALT_OF, other.id, False
        for other in self._others([f"parent:{key[:14]}" for key in thing.inchikeys], space):
            if _same_or_flat(other.parents, thing.inchikeys):
                yield SALT_OF, other.id, True


def _encodes(one: Thing, other: Thing) -> bool:
    if one.sort == "gene":
        return other.sort in _PRODUCTS
    return one.sort == "transcript" and other.sort == "protein"


def _stereo_kind(one: Thing, other: Thing) -> str:
    """What two things with the same bonds are to one another; nothing where one key is the same."""
    if not set(one.inchikeys).isdisjoint(other.inchikeys):
        return ""
    second = {key[15:25] for key in one.inchikeys}
    if not second.isdisjoint(key[15:25] for key in other.inchikeys):
        return ""  # the charge alone differs
    return ISOTOPOLOGUE_OF if isotopes_differ(one.smiles, other.smiles) else STEREOISOMER_OF


def _same_or_flat(parents: tuple[str, ...], keys: tuple[str, ...]) -> bool:
    """Whether a parent is what has one of the keys: the same, or one of the two without stereo."""
    return any(
        first[:14] == second[:14] and (first[15:25] == second[15:25] or FLAT in (first[15:25], second[15:25]))
        for first in parents
        for second in keys
    )
