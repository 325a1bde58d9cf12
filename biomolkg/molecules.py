"""Molecules from SMILES, read safely, and the functional groups and rings that they contain.

The vocabulary `groups.tsv` names functional groups, ring systems, skeletons and
ions of organic and medicinal chemistry: IUPAC's Glossary of Class Names (1995)
and the Hantzsch–Widman and fusion names of heterocycles, each with a SMARTS and
a small example molecule that must match it. A ring's name stands for the ring
with the bonds that the name says; the same frame with other bonds is a skeleton
of its own ("quinoline skeleton"), which the ring's entry names as its `near` one.
"""

from __future__ import annotations

import csv
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Literal, cast

from rdkit import Chem, rdBase
from rdkit.Chem.MolStandardize.rdMolStandardize import Uncharger
from rdkit.Chem.rdMolDescriptors import CalcExactMolWt, CalcMolFormula

from biomolkg.errors import InvalidMolecule

# Above 2,000 characters RDKit can end the process on what it is given.
MAX_SMILES_CHARS = 2_000
_MAX_MATCHES = 100
_CARBON = 6

# RDKit handles Ctrl-C by itself while it matches structures; matching in two threads at once would leave its
# handler in place of Python's for ever. Whoever matches holds this.
MATCHING = threading.RLock()

GroupKind = Literal["group", "ring", "skeleton", "ion"]


@dataclass(frozen=True, slots=True)
class Group:
    """An entry of the vocabulary: how chemists call it and the SMARTS that finds it.

    near: the entry, if any, that structures have which almost have this one: a ring's frame with other bonds.
    """

    name: str
    synonyms: tuple[str, ...]
    kind: GroupKind
    smarts: str
    example: str
    near: str | None = None


@dataclass(frozen=True, slots=True)
class MoleculeFacts:
    """What follows from a structure alone. `weight` is the average mass in g/mol."""

    smiles: str
    inchikey: str
    formula: str
    weight: float


@contextmanager
def silent_rdkit() -> Iterator[None]:
    """RDKit writes each complaint to standard error; inside this block it does not."""
    block = rdBase.BlockLogs()
    try:
        yield
    finally:
        del block


def parse_smiles(text: str, *, max_chars: int = MAX_SMILES_CHARS) -> Chem.Mol:
    """The molecule that `text` writes.

    Raises InvalidMolecule when it is empty, longer than `max_chars`, holds blanks
    or control characters, names the molecule after the SMILES, or cannot be read.
    """
    shown = repr(text if len(text) <= 60 else text[:60] + "…")
    if not text.strip():
        raise InvalidMolecule("The SMILES is empty.", remedy="Give a SMILES such as CCO.")
    if len(text) > max_chars:
        raise InvalidMolecule(
            f"The SMILES {shown} has {len(text)} characters, more than the {max_chars} allowed.",
            remedy="Give a smaller molecule.",
        )
    if not _is_one_word(text):
        raise InvalidMolecule(
            f"The SMILES {shown} holds a blank or a control character.",
            remedy="Give the SMILES alone, without a name after it.",
        )
    with silent_rdkit():
        molecule = Chem.MolFromSmiles(text.strip())
    if molecule is None or molecule.GetNumAtoms() == 0:
        raise InvalidMolecule(f"The SMILES {shown} cannot be read.", remedy="Check its brackets and rings.")
    return molecule


def _is_one_word(text: str) -> bool:
    """Whether nothing in it is a blank or a control character; after a blank RDKit reads a name."""
    return all(char.isprintable() and not char.isspace() for char in text.strip())


def parse_smarts(text: str, *, max_chars: int = MAX_SMILES_CHARS) -> Chem.Mol:
    """The query that `text` writes; raises InvalidMolecule as `parse_smiles` does."""
    shown = repr(text if len(text) <= 60 else text[:60] + "…")
    if not text.strip() or len(text) > max_chars or not _is_one_word(text):
        raise InvalidMolecule(
            f"The SMARTS {shown} is empty, longer than {max_chars} characters, or holds blanks.",
            remedy="Give a SMARTS such as [CX3](=O)[OX2H1], without a name after it.",
        )
    with silent_rdkit():
        query = Chem.MolFromSmarts(text.strip())
    if query is None or query.GetNumAtoms() == 0:
        raise InvalidMolecule(f"The SMARTS {shown} cannot be read.", remedy="Check its brackets and rings.")
    return query


def describe(molecule: Chem.Mol) -> MoleculeFacts:
    """Canonical SMILES, InChIKey (empty when InChI has none), formula and weight."""
    with silent_rdkit():
        return MoleculeFacts(
            smiles=Chem.MolToSmiles(molecule),
            inchikey=Chem.MolToInchiKey(molecule),  # type: ignore[no-untyped-call]
            formula=CalcMolFormula(molecule),
            weight=round(sum(atom.GetMass() for atom in Chem.AddHs(molecule).GetAtoms()), 3),
        )


def parent_of(molecule: Chem.Mol) -> Chem.Mol:
    """The largest organic component without what is beside it, its charges neutralised where possible."""
    with silent_rdkit():
        parts = Chem.GetMolFrags(molecule, asMols=True)
        return neutralised(parts[main_component(parts)])


def main_component(parts: Sequence[Chem.Mol]) -> int:
    """The place of the parent among the components of a structure.

    Organic ones come first, then the one with the most heavy atoms, then the
    heaviest; of equal ones the SMILES decides.
    """
    return min(
        range(len(parts)),
        key=lambda at: (
            not is_organic(parts[at]),
            -parts[at].GetNumHeavyAtoms(),
            -CalcExactMolWt(parts[at]),
            Chem.MolToSmiles(parts[at]),
        ),
    )


def is_organic(part: Chem.Mol) -> bool:
    """Whether a component has carbon."""
    return any(atom.GetAtomicNum() == _CARBON for atom in part.GetAtoms())


def neutralised(part: Chem.Mol) -> Chem.Mol:
    """An organic component without the charges that protons can take away; others are ions as they are."""
    neutral: Chem.Mol = Uncharger().uncharge(part) if is_organic(part) else part
    return neutral


@lru_cache(maxsize=1)
def group_vocabulary() -> tuple[Group, ...]:
    """Every entry of `groups.tsv`, in its order."""
    table = files("biomolkg").joinpath("groups.tsv").read_text(encoding="utf-8")
    return tuple(
        Group(
            name=row["name"],
            synonyms=tuple(filter(None, row["synonyms"].split("|"))),
            kind=cast("GroupKind", row["kind"]),
            smarts=row["smarts"],
            example=row["example"],
            near=row["near"] or None,
        )
        for row in csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    )


def find_groups(molecule: Chem.Mol) -> dict[str, int]:
    """How often each group of the vocabulary occurs in `molecule`; absent ones are left out.

    Ions are those of the whole structure; all else is counted in its parent, since the groups of a
    counter-ion or solvent are not the drug's. Occurrences that cover the same atoms count once; counting
    stops at 100.
    """
    found: dict[str, int] = {}
    parent = molecule if _is_own_parent(molecule) else parent_of(molecule)
    with MATCHING:
        for group, query in _queries():
            searched = molecule if group.kind == "ion" else parent
            count = len(searched.GetSubstructMatches(query, uniquify=True, maxMatches=_MAX_MATCHES))
            if count:
                found[group.name] = count
    return found


def implied_by(names: Iterable[str]) -> frozenset[str]:
    """The near entries of these entries: whatever has a ring has its frame, which need not be said."""
    near = {group.name: group.near for group in group_vocabulary() if group.near}
    return frozenset(near[name] for name in names if name in near)


def _is_own_parent(molecule: Chem.Mol) -> bool:
    """Whether the structure is one component without charges."""
    charged = any(atom.GetFormalCharge() for atom in molecule.GetAtoms())
    return not charged and len(Chem.GetMolFrags(molecule)) == 1


def group_atoms(molecule: Chem.Mol, kind: GroupKind) -> dict[str, tuple[tuple[int, ...], ...]]:
    """Where each group of one kind occurs: indexes of atoms of `molecule`, in the order of the SMARTS.

    Groups are in the order of the vocabulary, absent ones are left out; at most 100 places each.
    """
    with MATCHING:
        found = {
            group.name: molecule.GetSubstructMatches(query, uniquify=True, maxMatches=_MAX_MATCHES)
            for group, query in _queries()
            if group.kind == kind
        }
    return {name: places for name, places in found.items() if places}


@lru_cache(maxsize=1)
def _queries() -> tuple[tuple[Group, Chem.Mol], ...]:
    return tuple((group, parse_smarts(group.smarts)) for group in group_vocabulary())
