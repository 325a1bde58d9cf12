"""Terms of DrugCentral, found by structure, else by name."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from rdkit import Chem
from rdkit.Chem import rdMolHash
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

from biomolkg.names import name_key, name_words
from graph_loader.reading import Reading
from graph_loader.sources.names import NameEntry, read_drugcentral_terms

_FLAT = "UHFFFAOYSA"  # second block of the InChIKey of a structure without stereochemistry


class DrugCentral:
    """The terms, found by structure."""

    def __init__(self, terms: Sequence[NameEntry]) -> None:
        self._by_key: dict[str, list[NameEntry]] = defaultdict(list)
        self._by_block: dict[str, list[NameEntry]] = defaultdict(list)
        self._by_tautomer: dict[str, list[NameEntry]] = defaultdict(list)
        self._by_name: dict[str, list[NameEntry]] = defaultdict(list)
        for term in terms:
            self._by_tautomer[_tautomer(term.smiles)].append(term)
            self._by_key[term.inchikey].append(term)
            self._by_block[term.inchikey[:14]].append(term)
            self._by_name[name_key(term.name)].append(term)

    def match(self, name: str, smiles: str | None) -> NameEntry | None:
        """The term of a drug, or None when there is none or more than one could be meant.

        The whole InChIKey decides, then its first block, since structures without
        stereochemistry are compared with such that have it, then the structure
        with its double bonds and hydrogens free to move, since many are drawn as
        enols or imidic acids. Of several stereoisomers
        the one without stereochemistry is taken, else the one that the drug is named
        after. Without a structure in common, only a term of the very same name is.
        """
        key = _inchikey(smiles or "")
        candidates = (
            self._by_key.get(key)
            or self._by_block.get(key[:14])
            or (self._by_tautomer.get(_tautomer(smiles)) if smiles else None)
            or self._by_name.get(name_key(name))
            or []
        )
        if len(candidates) <= 1:
            return next(iter(candidates), None)
        words = f" {' '.join(name_words(name))} "
        tests = (
            lambda term: term.inchikey[15:25] == _FLAT,
            lambda term: name_key(name) in {name_key(known) for known in term.names},
            lambda term: f" {name_key(term.name)} " in words,
        )
        for test in tests:
            passing = [term for term in candidates if test(term)]
            if len(passing) == 1:
                return passing[0]
        return None


def _inchikey(smiles: str) -> str:
    molecule = Chem.MolFromSmiles(smiles)
    return "" if molecule is None else str(Chem.MolToInchiKey(molecule))  # type: ignore[no-untyped-call]


def _tautomer(smiles: str) -> str:
    """The same for all tautomers and stereoisomers of a structure; empty when it cannot be read.

    Elements, how they are joined, and the formula; not the order of bonds.
    """
    molecule = Chem.MolFromSmiles(smiles)
    if molecule is None:
        return ""
    Chem.RemoveStereochemistry(molecule)
    skeleton = rdMolHash.MolHash(molecule, rdMolHash.HashFunction.ElementGraph)
    return f"{skeleton} {CalcMolFormula(molecule)}"


def read_drugcentral(folder: Path) -> DrugCentral:
    """The terms of DrugCentral's ontology with the synonyms of its table."""
    terms = read_drugcentral_terms(folder, Reading())
    return DrugCentral([terms[key] for key in sorted(terms)])
