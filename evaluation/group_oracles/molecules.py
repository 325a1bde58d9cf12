"""The molecules on which the vocabulary is held against the oracles.

They are the drugs of the starter graph and 1,000 of DrugCentral's that differ most
from one another: MaxMin picking over Morgan fingerprints (radius 2, 2,048 bits),
begun with the lowest id, of the molecules whose SMILES can be read, one a structure.
"""

from __future__ import annotations

import csv
import gzip
import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rdkit import Chem
from rdkit.Chem.rdFingerprintGenerator import GetMorganGenerator
from rdkit.SimDivFilters.rdSimDivPickers import MaxMinPicker

from biomolkg.errors import BioMolKGError
from biomolkg.molecules import parent_of, parse_smiles
from evaluation.group_oracles.table import varied_ids

VARIED = 1_000
DRUGCENTRAL = Path("drugcentral") / "drugcentral_2021.obo"
_TERM = re.compile(
    r"^id: (drugcentral:\d+)\nname: (.*)\n(?:.+\n)*?property_value: smiles \"(.+?)\"", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Molecule:
    """A structure, its name, and its parent, in which groups are looked for; ions are in the whole."""

    id: str
    name: str
    whole: Chem.Mol
    parent: Chem.Mol


def starter_molecules() -> list[Molecule]:
    """The drugs of the bundled starter graph."""
    spec = find_spec("graph_loader")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    path = Path(spec.submodule_search_locations[0]) / "starter" / "tables" / "drugs.tsv.gz"
    rows = csv.DictReader(gzip.decompress(path.read_bytes()).decode().splitlines(), delimiter="\t")
    found = [_molecule(f"pubchem.compound:{row['cid']}", row["name"], row["smiles"]) for row in rows]
    return [molecule for molecule in found if molecule is not None]


def varied_molecules(data: Path) -> list[Molecule]:
    """The molecules of DrugCentral in `molecules.tsv`, from the data folder."""
    wanted = set(varied_ids())
    return [molecule for molecule in drugcentral(data) if molecule.id in wanted]


def choose_varied(data: Path) -> list[str]:
    """The ids that the rule chooses, sorted by number."""
    unique = {Chem.MolToSmiles(molecule.parent): molecule for molecule in reversed(drugcentral(data))}
    molecules = sorted(unique.values(), key=_number)
    generator = GetMorganGenerator(radius=2, fpSize=2_048)
    prints = [generator.GetFingerprint(molecule.parent) for molecule in molecules]
    picked = MaxMinPicker().LazyBitVectorPick(prints, len(prints), VARIED, [0])
    return [molecule.id for molecule in sorted((molecules[at] for at in picked), key=_number)]


def drugcentral(data: Path) -> list[Molecule]:
    """Every molecule of DrugCentral's OBO file whose SMILES can be read, by number."""
    text = (data / DRUGCENTRAL).read_text(encoding="utf-8")
    found = [_molecule(match[1], match[2], match[3]) for match in _TERM.finditer(text)]
    return sorted((molecule for molecule in found if molecule is not None), key=_number)


def _number(molecule: Molecule) -> int:
    return int(molecule.id.partition(":")[2])


def _molecule(identifier: str, name: str, smiles: str) -> Molecule | None:
    try:
        whole = parse_smiles(smiles)
    except BioMolKGError:
        return None
    return Molecule(identifier, name, whole, parent_of(whole))
