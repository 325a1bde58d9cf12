"""What a structure says: identifiers, properties, fingerprint, groups, scaffold, parts of a salt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from rdkit import Chem
from rdkit.Chem import Crippen, rdMolDescriptors
from rdkit.Chem.Scaffolds import MurckoScaffold

from biomolkg.errors import InvalidMolecule
from biomolkg.fingerprints import fingerprint, fingerprint_text
from biomolkg.molecules import (
    MAX_SMILES_CHARS,
    describe,
    find_groups,
    is_organic,
    main_component,
    neutralised,
    parse_smiles,
    silent_rdkit,
)
from graph_loader.ledger import Omissions

Composition = Literal["single", "salt", "solvate", "mixture"]

_SOLVENTS = frozenset(("O", "CO", "CCO", "CC(C)=O", "CS(C)=O", "CC#N", "CCOC(C)=O", "CC(C)O", "ClCCl"))
# Below this share of the parent's heavy atoms an organic acid or base beside it is a counter-ion.
_COUNTER_ION_SHARE = 0.6
_MAX_COUNTER_ION = 12  # heavy atoms, so that tartrates, citrates, tosylates and besylates count


@dataclass(frozen=True, slots=True)
class Component:
    """A part of a structure that no bond joins to the rest, and how often it is there."""

    smiles: str
    formula: str
    charge: int
    count: int


@dataclass(frozen=True, slots=True)
class MoleculeDescription:
    """One structure. Weights are average masses in g/mol, TPSA is in Å², logP is Crippen's.

    SMILES, InChIKey, formula, weight, charge and groups speak of the whole as it
    was written. The parent is the largest organic component with its charges
    neutralised where that is possible; logP, TPSA, fingerprint and scaffold are
    the parent's, as counter-ions and solvents say nothing about the drug.
    `inchikey` and `parent_inchikey` are empty where InChI has none;
    `inchikey_block` is the first block of the parent's key, which a drug and its
    salts and stereoisomers share. `scaffold` is empty for chains. `note` is empty
    for a single molecule, else says what is beside the parent.
    """

    smiles: str
    inchikey: str
    inchikey_block: str
    formula: str
    weight: float
    charge: int
    parent_smiles: str
    parent_inchikey: str
    parent_count: int
    others: tuple[Component, ...]
    composition: Composition
    note: str
    logp: float
    tpsa: float
    fingerprint: str
    scaffold: str
    groups: tuple[tuple[str, int], ...]


def describe_molecule(smiles: str, *, max_chars: int = MAX_SMILES_CHARS) -> MoleculeDescription:
    """Everything that follows from one SMILES. Raises InvalidMolecule, as `parse_smiles` does."""
    molecule = parse_smiles(smiles, max_chars=max_chars)
    whole = describe(molecule)
    with silent_rdkit():
        parts = Chem.GetMolFrags(molecule, asMols=True)
        written = [Chem.MolToSmiles(part) for part in parts]
        chosen = main_component(parts)
        parent = neutralised(parts[chosen])
        scaffold = Chem.MolToSmiles(MurckoScaffold.GetScaffoldForMol(parent))  # type: ignore[no-untyped-call]
        # InChI is the slow part, and most structures are their own parent.
        facts = whole if Chem.MolToSmiles(parent) == whole.smiles else describe(parent)
    counts = Counter(written)
    by_smiles = dict(zip(written, parts, strict=True))
    others = tuple(
        Component(text, rdMolDescriptors.CalcMolFormula(by_smiles[text]), _charge(by_smiles[text]), count)
        for text, count in sorted(counts.items())
        if text != written[chosen]
    )
    composition = _composition(parts[chosen], [by_smiles[other.smiles] for other in others])
    return MoleculeDescription(
        smiles=whole.smiles,
        inchikey=whole.inchikey,
        inchikey_block=facts.inchikey.partition("-")[0],
        formula=whole.formula,
        weight=whole.weight,
        charge=_charge(molecule),
        parent_smiles=facts.smiles,
        parent_inchikey=facts.inchikey,
        parent_count=counts[written[chosen]],
        others=others,
        composition=composition,
        note=_note(composition, counts[written[chosen]], others),
        logp=round(Crippen.MolLogP(parent), 3),  # type: ignore[attr-defined]
        tpsa=round(rdMolDescriptors.CalcTPSA(parent), 2),
        fingerprint=fingerprint_text(fingerprint(parent)),
        scaffold=scaffold,
        groups=tuple(sorted(find_groups(molecule).items())),
    )


def describe_molecules(
    structures: Iterable[tuple[str, str]],
    omissions: Omissions,
    *,
    file: str,
    max_chars: int = MAX_SMILES_CHARS,
) -> dict[str, MoleculeDescription]:
    """Each (id, SMILES) of `file` that can be described, by id; `omissions` counts the rest by reason."""
    found = {}
    for identity, smiles in structures:
        try:
            found[identity] = describe_molecule(smiles, max_chars=max_chars)
        except InvalidMolecule:
            omissions.add(file, why_impossible(smiles, max_chars=max_chars), identity)
    return found


def why_impossible(smiles: str, *, max_chars: int = MAX_SMILES_CHARS) -> str:
    """Why a SMILES that `parse_smiles` refuses is refused: one of a few reasons, fit for counting."""
    text = smiles.strip()
    if not text:
        return "the SMILES is empty"
    if len(smiles) > max_chars:
        return "the SMILES is too long"
    if any(char.isspace() or not char.isprintable() for char in text):
        return "the SMILES holds a blank or a control character"
    with silent_rdkit():
        molecule = Chem.MolFromSmiles(text, sanitize=False)
        if molecule is None or molecule.GetNumAtoms() == 0:
            return "the text is not a SMILES"
        kinds = {problem.GetType() for problem in Chem.DetectChemistryProblems(molecule)}
    if "AtomValenceException" in kinds:
        return "an atom has more bonds than it can have"
    return "an aromatic ring has no Kekulé structure" if kinds else "the structure cannot be read"


def _charge(molecule: Chem.Mol) -> int:
    return int(Chem.GetFormalCharge(molecule))


def _composition(parent: Chem.Mol, others: list[Chem.Mol]) -> Composition:
    if not others:
        return "single"
    solvents = [Chem.MolToSmiles(part) in _SOLVENTS for part in others]
    if all(solvents):
        return "solvate"
    limit = min(_MAX_COUNTER_ION, _COUNTER_ION_SHARE * parent.GetNumHeavyAtoms())
    counter_ions = (
        _charge(part) or not is_organic(part) or part.GetNumHeavyAtoms() <= limit
        for part, solvent in zip(others, solvents, strict=True)
        if not solvent
    )
    return "salt" if all(counter_ions) else "mixture"


def _note(composition: Composition, count: int, others: tuple[Component, ...]) -> str:
    if not others:
        return f"{count} equal molecules" if count > 1 else ""
    beside = " and ".join(
        f"{other.count} × {other.formula}" if other.count > 1 else other.formula for other in others
    )
    parent = f"{count} × the parent" if count > 1 else "the parent"
    return f"{composition}: {parent} with {beside}"
