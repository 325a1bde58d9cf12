"""What two structures are to one another: tautomers, mirror images, isotopes, salts, parts."""

from __future__ import annotations

from functools import cache, lru_cache

from rdkit import Chem
from rdkit.Chem import rdMolHash
from rdkit.Chem.MolStandardize import rdMolStandardize

from biomolkg.molecules import is_organic, neutralised, silent_rdkit

_KEPT = 20_000
_MAX_ATOMS = 100  # a canonical tautomer of more takes too long


def inchikeys_of_parts(smiles: str) -> tuple[str, ...]:
    """The InChIKeys of the organic parts of a structure, each neutral, sorted."""
    with silent_rdkit():
        molecule = Chem.MolFromSmiles(smiles)
        if molecule is None:
            return ()
        parts = [part for part in Chem.GetMolFrags(molecule, asMols=True) if is_organic(part)]
        keys = {_inchikey(neutralised(part)) for part in parts}
    return tuple(sorted(keys - {""}))


def inchikey_of(smiles: str) -> str | None:
    """The InChIKey of a structure, None where there is none."""
    with silent_rdkit():
        molecule = Chem.MolFromSmiles(smiles)
        return None if molecule is None else _inchikey(molecule) or None


def _inchikey(molecule: Chem.Mol) -> str:
    return str(Chem.MolToInchiKey(molecule))  # type: ignore[no-untyped-call]


def keys_of_parts(
    composition: str | None, smiles: str | None, parent: str | None
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The InChIKeys of the parent of a salt or solvate, and those of the parts of a mixture."""
    if composition in {"salt", "solvate"} and parent:
        key = inchikey_of(parent)
        return ((key,) if key else ()), ()
    if composition == "mixture" and smiles:
        return (), inchikeys_of_parts(smiles)
    return (), ()


@lru_cache(_KEPT)
def has_isotopes(smiles: str) -> bool:
    """Whether a structure states isotopes."""
    molecule = Chem.MolFromSmiles(smiles)
    return molecule is not None and any(atom.GetIsotope() for atom in molecule.GetAtoms())


@lru_cache(_KEPT)
def _can_have_stereo(smiles: str) -> bool:
    molecule = Chem.MolFromSmiles(smiles)
    return molecule is None or len(Chem.FindPotentialStereo(molecule)) > 0


def isotopes_differ(one: str | None, other: str | None) -> bool:
    """Whether two structures with the same bonds and other stereo or isotopes differ in isotopes.

    None: a structure of which the InChIKey alone is known. It differs in isotopes where the
    other one has no place for stereo.
    """
    if one is not None and other is not None:
        return has_isotopes(one) != has_isotopes(other)
    known = one or other
    return known is not None and (has_isotopes(known) or not _can_have_stereo(known))


def is_tautomer(one: str, other: str) -> bool:
    """Whether two structures differ by the place of hydrogens and double bonds only.

    Where both state stereo it has to agree; the formulas have to be equal, which is
    not looked at again.
    """
    if _skeleton(one) is None or _skeleton(one) != _skeleton(other):
        return False
    first, second = _tautomer(one), _tautomer(other)
    if first is None or second is None:
        return False
    if first[0] == second[0]:
        return True
    # One of the two says nothing of its stereo.
    return first[1] == second[1] and (first[0] == first[1] or second[0] == second[1])


@lru_cache(_KEPT)
def _skeleton(smiles: str) -> str | None:
    """Atoms and their neighbours, without bond orders, hydrogens and stereo."""
    with silent_rdkit():
        molecule = Chem.MolFromSmiles(smiles)
        if molecule is None or molecule.GetNumHeavyAtoms() > _MAX_ATOMS:
            return None
        return rdMolHash.MolHash(molecule, rdMolHash.HashFunction.ElementGraph)


@lru_cache(_KEPT)
def _tautomer(smiles: str) -> tuple[str, str] | None:
    """The canonical tautomer, with its stereo and without."""
    with silent_rdkit():
        molecule = Chem.MolFromSmiles(smiles)
        if molecule is None:
            return None
        flat = Chem.Mol(molecule)
        Chem.RemoveStereochemistry(flat)
        return (
            Chem.MolToSmiles(_enumerator().Canonicalize(molecule)),
            Chem.MolToSmiles(_enumerator().Canonicalize(flat)),
        )


@cache
def _enumerator() -> rdMolStandardize.TautomerEnumerator:
    parameters = rdMolStandardize.CleanupParameters()
    parameters.tautomerRemoveSp3Stereo = False  # type: ignore[assignment]
    parameters.tautomerRemoveBondStereo = False  # type: ignore[assignment]
    parameters.maxTautomers = 200  # type: ignore[assignment]
    return rdMolStandardize.TautomerEnumerator(parameters)
