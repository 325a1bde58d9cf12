"""Synonyms and cross-references of drugs from DrugCentral, joined by structure.

DrugCentral's ontology gives name, InChIKey and CAS number for each term, its
synonym table the synonyms by term. The `rdfs:label` rows of that table belong
to other terms (term 100 is labelled methyl nicotinate, but its synonyms and its
structure are ajmaline's), so they are not used.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from rdkit import Chem
from rdkit.Chem import rdMolHash
from rdkit.Chem.rdMolDescriptors import CalcMolFormula

from biomolkg.names import name_key, name_words
from graph_loader.tables import read_text

_FLAT = "UHFFFAOYSA"  # second block of the InChIKey of a structure without stereochemistry


@dataclass(slots=True)
class Term:
    """A drug of DrugCentral."""

    id: str
    name: str = ""
    inchikey: str = ""
    smiles: str = ""
    cas: str = ""
    synonyms: list[str] = field(default_factory=list)

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its synonyms."""
        return (self.name, *self.synonyms)


class DrugCentral:
    """The terms, found by structure."""

    def __init__(self, terms: Sequence[Term]) -> None:
        self._by_key: dict[str, list[Term]] = defaultdict(list)
        self._by_block: dict[str, list[Term]] = defaultdict(list)
        self._by_tautomer: dict[str, list[Term]] = defaultdict(list)
        self._by_name: dict[str, list[Term]] = defaultdict(list)
        for term in terms:
            self._by_tautomer[_tautomer(term.smiles)].append(term)
            self._by_key[term.inchikey].append(term)
            self._by_block[term.inchikey[:14]].append(term)
            self._by_name[name_key(term.name)].append(term)

    def match(self, name: str, smiles: str | None) -> Term | None:
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
    terms = _read_ontology(folder / "drugcentral_2021.obo")
    table = read_text(folder / "drugcentral.synonyms.tsv").splitlines()
    for row in csv.DictReader(table, delimiter="\t", quoting=csv.QUOTE_NONE):
        term = terms.get(row["curie"])
        if term is not None and row["predicate"] == "oboInOwl:hasRelatedSynonym":
            term.synonyms.append(row["text"].strip())
    return DrugCentral([terms[key] for key in sorted(terms)])


def _read_ontology(path: Path) -> Mapping[str, Term]:
    terms: dict[str, Term] = {}
    term: Term | None = None
    for line in read_text(path).splitlines():
        if line.startswith("["):
            term = None
        key, _, value = line.partition(": ")
        if key == "id":
            term = terms[value] = Term(value)
        elif term is not None and key == "name":
            term.name = value.replace("\\", "")
        elif term is not None and value.startswith("inchikey:"):
            term.inchikey = value.removeprefix("inchikey:")
        elif term is not None and value.startswith("smiles "):
            term.smiles = value.split('"')[1]
        elif term is not None and value.startswith("cas:"):
            term.cas = value.removeprefix("cas:")
    return terms
