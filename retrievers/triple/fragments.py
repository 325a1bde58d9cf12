"""Which molecules contain a named fragment: relaxed substructure queries over a set of structures.

A name fixes elements and skeleton but seldom bond orders, hydrogens or the
place of attachment, so a query keeps the elements and whether an atom lies in a
ring, and lets ring bonds be of any order. Fused ring names are often used for
another isomer than nomenclature's default: ring systems that agree in the size
and heteroatoms of each ring count as a near match.

Every search is bounded. A salt or hydrate is searched part by part: matched as
one query, its loose atoms could be placed in more ways than can be tried. What
is left that can take long is a large query, which is given a time limit.
"""

from __future__ import annotations

import itertools
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import structlog
from numpy.typing import NDArray
from rdkit import Chem, DataStructs

from biomolkg.errors import RequestTimeout
from biomolkg.molecules import MATCHING, silent_rdkit
from retrievers.patterns import Deadline, Pattern
from retrievers.triple.evidence import Floats, Indexes

_log = structlog.get_logger(__name__)

ISOMER = 0.7
MAX_COUNT = 20
_MAX_FRAGMENT_ATOMS = 60
_LARGE_QUERY = 30  # atoms
_LARGE_QUERY_SECONDS = 0.5  # over all molecules
_MAX_FUSED = 4
_MAX_SYSTEM = 8
_MAX_CUTS = 8
_CACHED_QUERIES = 20_000
# On their own these say nothing of a molecule.
_COMMON = frozenset({1, 6, 7, 8})

Ring = tuple[int, tuple[int, ...]]
Signature = tuple[Ring, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Molecules that contain a fragment: int32 indexes, how well (1, or ISOMER), how often (up to 20)."""

    molecules: Indexes
    quality: Floats
    counts: Indexes


NOTHING = Found(np.zeros(0, np.int32), np.zeros(0, np.float32), np.zeros(0, np.int32))


class Structures:
    """A fixed set of molecules that is searched for fragments; results are remembered by query."""

    def __init__(self, molecules: Sequence[Chem.Mol]) -> None:
        self._molecules = molecules
        self._systems: dict[Signature, list[int]] = {}
        for index, molecule in enumerate(molecules):
            for signature in set(ring_signatures(molecule)):
                self._systems.setdefault(signature, []).append(index)
        screens = [_screen(molecule) for molecule in molecules]
        self._screens = np.stack(screens) if screens else np.zeros((0, 0), np.uint8)
        self._found: OrderedDict[str, Found] = OrderedDict()

    def __len__(self) -> int:
        return len(self._molecules)

    def search(self, smiles: str) -> Found:
        """The molecules that contain what `smiles` writes, relaxed as the module says."""
        known = self._found.get(smiles)
        if known is not None:
            return known
        found = self._search(smiles)
        self._found[smiles] = found
        while len(self._found) > _CACHED_QUERIES:
            self._found.popitem(last=False)
        return found

    def _search(self, smiles: str) -> Found:
        parts = read_parts(smiles)
        if not parts:
            return NOTHING
        found = [self._search_part(part) for part in parts]
        if len(found) == 1:
            return found[0]
        # The salt that a name says is often not the form in which a structure is recorded: all the parts are
        # the substance, the largest alone is near it.
        counts = [dict(zip(part.molecules.tolist(), part.counts.tolist(), strict=True)) for part in found]
        exact = set(counts[0]).intersection(*counts[1:])
        whole = {index: min(count[index] for count in counts) for index in exact}
        return _found(whole, near=set(counts[0]))

    def _search_part(self, part: Chem.Mol) -> Found:
        counts = self._places(relaxed_query(part))
        return _found(counts, near=set(self._same_rings(part)) | self._same_pieces(part))

    def _places(self, query: Chem.Mol) -> dict[int, int]:
        """Molecules that contain the connected `query`: how often each, up to MAX_COUNT."""
        if not len(self):
            return {}
        with MATCHING:
            bits = _screen(query)
            possible = np.flatnonzero((self._screens & bits == bits).all(axis=1)).tolist()
            if query.GetNumAtoms() > _LARGE_QUERY:
                return self._places_in_time(query, possible)
            counts = {
                index: len(
                    self._molecules[index].GetSubstructMatches(query, uniquify=True, maxMatches=MAX_COUNT)
                )
                for index in possible
            }
        return {index: count for index, count in counts.items() if count}

    def _places_in_time(self, query: Chem.Mol, possible: Sequence[int]) -> dict[int, int]:
        deadline = Deadline(_LARGE_QUERY_SECONDS)
        pattern = Pattern(Chem.MolToSmarts(query), query)
        counts: dict[int, int] = {}
        for index in possible:
            try:
                places = deadline.places(self._molecules[index], pattern)
            except RequestTimeout:
                _log.warning(
                    "large_fragment_cut_short", atoms=query.GetNumAtoms(), structures_found=len(counts)
                )
                break
            if places:
                counts[index] = min(len(places), MAX_COUNT)
        return counts

    def _same_pieces(self, fragment: Chem.Mol) -> set[int]:
        """Molecules that have each ring system and each of its substituents, at whatever place."""
        queries = piece_queries(fragment)
        if len(queries) < 2:
            return set()
        having: set[int] | None = None
        for query in queries:
            found = set(self._places(query))
            having = found if having is None else having & found
            if not having:
                return set()
        return having or set()

    def _same_rings(self, fragment: Chem.Mol) -> Sequence[int]:
        rings = fragment.GetRingInfo().NumRings()
        in_rings = sum(atom.IsInRing() for atom in fragment.GetAtoms())
        if not 2 <= rings <= _MAX_FUSED or fragment.GetNumAtoms() - in_rings > 1:
            return ()
        whole = [signature for signature in ring_signatures(fragment) if len(signature) == rings]
        if not whole or not any(elements for _, elements in whole[0]):
            return ()
        return self._systems.get(whole[0], ())


def _found(counts: Mapping[int, int], *, near: set[int]) -> Found:
    """Molecules that have a fragment, `counts` times each, then those of `near` that only almost have it."""
    exact, others = sorted(counts), sorted(near - counts.keys())
    return Found(
        np.array(exact + others, dtype=np.int32),
        np.array([1.0] * len(exact) + [ISOMER] * len(others), dtype=np.float32),
        np.array([counts[index] for index in exact] + [1] * len(others), dtype=np.int32),
    )


def _screen(molecule: Chem.Mol) -> NDArray[np.uint8]:
    """uint8 [256]: bits of small patterns; a molecule has all bits of each query that it contains."""
    with MATCHING:
        bits = Chem.PatternFingerprint(molecule)
    return np.frombuffer(DataStructs.BitVectToBinaryText(bits), dtype=np.uint8)


def read_parts(smiles: str) -> list[Chem.Mol]:
    """The distinct connected parts of what `smiles` writes, the largest first.

    Parts that say nothing of a molecule are left out: one common atom, as water is. Empty where nothing is
    left, `smiles` cannot be read, or it has more than 60 atoms.
    """
    with silent_rdkit():
        fragment = Chem.MolFromSmiles(smiles)
    if fragment is None or not 1 <= fragment.GetNumAtoms() <= _MAX_FRAGMENT_ATOMS:
        return []
    parts = {Chem.MolToSmiles(part): part for part in Chem.GetMolFrags(fragment, asMols=True)}
    telling = [part for part in parts.values() if part.GetNumAtoms() > 1 or not _is_common(part)]
    return sorted(telling, key=lambda part: (-part.GetNumAtoms(), Chem.MolToSmiles(part)))


def _is_common(part: Chem.Mol) -> bool:
    return part.GetAtomWithIdx(0).GetAtomicNum() in _COMMON


def relaxed_query(fragment: Chem.Mol) -> Chem.Mol:
    """Elements and ring membership kept; ring bonds of any order; hydrogens and charges free."""
    query = Chem.RWMol(fragment)
    for atom in fragment.GetAtoms():
        query.ReplaceAtom(atom.GetIdx(), _atom_query(atom))
    for bond in fragment.GetBonds():
        query.ReplaceBond(bond.GetIdx(), Chem.BondFromSmarts(_bond_symbol(bond)))
    relaxed: Chem.Mol = query.GetMol()
    return relaxed


def piece_queries(fragment: Chem.Mol) -> list[Chem.Mol]:
    """The fragment cut at each single bond of a ring atom that lies in no ring, one query a distinct piece.

    A substituent keeps the ring atom it sits on, of any element.
    """
    cuts = [
        bond.GetIdx()
        for bond in fragment.GetBonds()
        if not bond.IsInRing()
        and bond.GetBondType() == Chem.BondType.SINGLE
        and (bond.GetBeginAtom().IsInRing() or bond.GetEndAtom().IsInRing())
    ]
    if not 1 <= len(cuts) <= _MAX_CUTS:
        return []
    pieces = Chem.GetMolFrags(
        Chem.FragmentOnBonds(fragment, cuts, addDummies=True), asMols=True, sanitizeFrags=False
    )
    queries: dict[str, Chem.Mol] = {}
    for piece in pieces:
        Chem.FastFindRings(piece)
        query = _piece_query(piece)
        queries.setdefault(Chem.MolToSmarts(query), query)
    return list(queries.values())


def _piece_query(piece: Chem.Mol) -> Chem.Mol:
    ring_system = any(atom.IsInRing() for atom in piece.GetAtoms())
    query = Chem.RWMol(piece)
    dropped = []
    for atom in piece.GetAtoms():
        if atom.GetAtomicNum():
            query.ReplaceAtom(atom.GetIdx(), _atom_query(atom))
        elif ring_system:
            dropped.append(atom.GetIdx())
        else:
            query.ReplaceAtom(atom.GetIdx(), Chem.AtomFromSmarts("[R]"))
    for bond in piece.GetBonds():
        query.ReplaceBond(bond.GetIdx(), Chem.BondFromSmarts(_bond_symbol(bond)))
    for index in sorted(dropped, reverse=True):
        query.RemoveAtom(index)
    result: Chem.Mol = query.GetMol()
    return result


def _atom_query(atom: Chem.Atom) -> Chem.Atom:
    place = ";R" if atom.IsInRing() else ";!R" if atom.GetAtomicNum() == 6 else ""
    return Chem.AtomFromSmarts(f"[#{atom.GetAtomicNum()}{place}]")


def _bond_symbol(bond: Chem.Bond) -> str:
    if bond.IsInRing():
        return "~"
    return {Chem.BondType.DOUBLE: "=", Chem.BondType.TRIPLE: "#"}.get(bond.GetBondType(), "-")


def ring_signatures(molecule: Chem.Mol) -> Iterator[Signature]:
    """Each connected set of two to four fused rings, as the sorted sizes and heteroatoms of its rings."""
    info = molecule.GetRingInfo()
    bonds = [frozenset(ring) for ring in info.BondRings()]
    kinds = [_ring_kind(molecule, ring) for ring in info.AtomRings()]
    neighbours = [
        {other for other in range(len(bonds)) if other != ring and bonds[ring] & bonds[other]}
        for ring in range(len(bonds))
    ]
    for system in _systems(neighbours):
        for size in range(2, min(_MAX_FUSED, len(system)) + 1):
            for chosen in itertools.combinations(system, size):
                if _connected(chosen, neighbours):
                    yield tuple(sorted(kinds[ring] for ring in chosen))


def _ring_kind(molecule: Chem.Mol, ring: Sequence[int]) -> Ring:
    elements = (molecule.GetAtomWithIdx(atom).GetAtomicNum() for atom in ring)
    return len(ring), tuple(sorted(element for element in elements if element != 6))


def _systems(neighbours: Sequence[set[int]]) -> Iterator[tuple[int, ...]]:
    seen: set[int] = set()
    for start in range(len(neighbours)):
        if start in seen:
            continue
        system, edge = {start}, [start]
        while edge:
            fresh = neighbours[edge.pop()] - system
            system |= fresh
            edge.extend(fresh)
        seen |= system
        yield tuple(sorted(system))[:_MAX_SYSTEM]


def _connected(chosen: Sequence[int], neighbours: Sequence[set[int]]) -> bool:
    reached, edge, allowed = {chosen[0]}, [chosen[0]], set(chosen)
    while edge:
        fresh = (neighbours[edge.pop()] & allowed) - reached
        reached |= fresh
        edge.extend(fresh)
    return len(reached) == len(chosen)
