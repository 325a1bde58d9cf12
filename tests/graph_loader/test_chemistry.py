"""What a structure says, salts and mixtures included, and structures that cannot be."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from rdkit import DataStructs
from rdkit.Chem import rdFingerprintGenerator

from biomolkg.errors import InvalidMolecule
from biomolkg.fingerprints import fingerprint, read_fingerprint, tanimoto
from biomolkg.molecules import find_groups, group_atoms, parse_smiles
from graph_loader.chemistry import describe_molecule, describe_molecules
from graph_loader.ledger import Omissions

ASPIRIN = "CC(=O)Oc1ccccc1C(=O)O"


def test_facts_of_aspirin() -> None:
    facts = describe_molecule("OC(=O)c1ccccc1OC(C)=O")
    assert facts == describe_molecule(ASPIRIN)
    assert (facts.smiles, facts.inchikey) == (ASPIRIN, "BSYNRYMUTXBXSQ-UHFFFAOYSA-N")
    assert (facts.formula, facts.weight, facts.charge) == ("C9H8O4", 180.159, 0)
    assert (facts.logp, facts.tpsa, facts.scaffold) == (1.31, 63.6, "c1ccccc1")
    assert (facts.composition, facts.note, facts.others) == ("single", "", ())
    assert dict(facts.groups) == find_groups(parse_smiles(ASPIRIN))


@pytest.mark.parametrize(
    ("smiles", "composition", "parent", "others"),
    [
        ("CC(=O)Oc1ccccc1C(=O)[O-].[Na+]", "salt", ASPIRIN, {"Na+": 1}),
        ("NCCc1ccccc1.NCCc1ccccc1.OS(=O)(=O)O", "salt", "NCCc1ccccc1", {"H2O4S": 1}),
        ("C[NH2+]CCc1ccccc1.[Cl-].O", "salt", "CNCCc1ccccc1", {"Cl-": 1, "H2O": 1}),
        ("CN(C)CCc1c[nH]c2ccccc12.OC(=O)CCC(=O)O", "salt", "CN(C)CCc1c[nH]c2ccccc12", {"C4H6O4": 1}),
        ("O.O.CCO", "solvate", "CCO", {"H2O": 2}),
        ("[Na+].[Cl-]", "salt", "[Cl-]", {"Na+": 1}),
        # The parent has carbon, however heavy what has none is.
        ("CC(=O)[O-].[W+6].O=[W]=O", "salt", "CC(=O)O", {"W+6": 1, "O2W": 1}),
        (
            "Cc1cc(NS(=O)(=O)c2ccc(N)cc2)no1.COc1cc(Cc2cnc(N)nc2N)cc(OC)c1OC",
            "mixture",
            "COc1cc(Cc2cnc(N)nc2N)cc(OC)c1OC",
            {"C10H11N3O3S": 1},
        ),
    ],
)
def test_the_parent_is_named_and_what_is_beside_it(
    smiles: str, composition: str, parent: str, others: dict[str, int]
) -> None:
    facts = describe_molecule(smiles)
    assert (facts.composition, facts.parent_smiles) == (composition, parent)
    assert {other.formula: other.count for other in facts.others} == others
    assert facts.note.startswith(composition)
    assert all(formula in facts.note for formula in others)
    alone = describe_molecule(parent)
    assert (facts.fingerprint, facts.logp, facts.tpsa) == (alone.fingerprint, alone.logp, alone.tpsa)
    assert facts.inchikey_block == alone.inchikey_block


def test_order_of_the_components_says_nothing() -> None:
    parts = ["[Na+]", "CC(=O)Oc1ccccc1C(=O)[O-]", "O", "CCN"]
    assert describe_molecule(".".join(parts)) == describe_molecule(".".join(reversed(parts)))


def test_impossible_structures_are_counted_by_reason() -> None:
    omissions = Omissions()
    given = {
        "five bonds": "C(C)(C)(C)(C)C",
        "aromatic": "c1cccc1",
        "open ring": "C1CC",
        "words": "aspirin!",
        "nothing": " ",
        "name after it": "CCO ethanol",
        "nul": "CC\0O",
        "twenty thousand atoms": "C" * 20_000,
        "ethanol": "CCO",
        "other open ring": "C2CC",
    }
    found = describe_molecules(given.items(), omissions, file="drugs.csv")
    assert list(found) == ["ethanol"]
    listed = {omission.reason: omission for omission in omissions.listed()}
    assert sum(omission.count for omission in listed.values()) == omissions.of("drugs.csv") == 9
    assert listed["an atom has more bonds than it can have"].offenders == ("five bonds",)
    assert listed["an aromatic ring has no Kekulé structure"].offenders == ("aromatic",)
    assert listed["the SMILES is too long"].offenders == ("twenty thousand atoms",)
    assert listed["the SMILES holds a blank or a control character"].count == 2
    assert listed["the text is not a SMILES"].count == 3


def test_fingerprints_agree_with_those_of_rdkit() -> None:
    texts = [ASPIRIN, "OC(=O)c1ccccc1O", "CCO", "c1ccc2[nH]ccc2c1", "[Na+]", "CC(=O)Nc1ccc(O)cc1"]
    molecules = [parse_smiles(text) for text in texts]
    generator = rdFingerprintGenerator.GetMorganGenerator(radius=2, fpSize=2048)
    oracle = [generator.GetFingerprint(molecule) for molecule in molecules]
    packed = np.stack([fingerprint(molecule) for molecule in molecules])
    for row, bits in zip(packed, oracle, strict=True):
        assert np.allclose(tanimoto(row, packed), DataStructs.BulkTanimotoSimilarity(bits, oracle))
    assert np.array_equal(read_fingerprint(describe_molecule(ASPIRIN).fingerprint), packed[0])
    assert tanimoto(np.zeros(256, np.uint8), np.zeros((1, 256), np.uint8)).tolist() == [0.0]
    for damaged in ("", "AAAA", "not base64", "é"):
        with pytest.raises(InvalidMolecule):
            read_fingerprint(damaged)


def test_places_of_groups_are_as_many_as_are_counted() -> None:
    molecule = parse_smiles("CC1=CC=C(C=C1)C2=CC(=NN2C3=CC=C(C=C3)S(=O)(=O)N)C(F)(F)F")
    counted = find_groups(molecule)
    places = {
        name: found
        for kind in ("group", "ring", "skeleton")
        for name, found in group_atoms(molecule, kind).items()
    }
    assert {name: len(found) for name, found in places.items()} == counted
    assert "pyrazole" in group_atoms(molecule, "ring")
    assert "pyrazole" not in group_atoms(molecule, "group")


def test_keys_of_published_drugs(shared_data: Path) -> None:
    """DrugCentral's InChIKeys, which RDKit did not make, come out of its SMILES."""
    text = (shared_data / "drugcentral" / "drugcentral_2021.obo").read_text(encoding="utf-8")
    terms = re.findall(r"^xref: inchikey:(\S+)\nproperty_value: smiles \"(\S+?)\"", text, flags=re.MULTILINE)[
        ::40
    ]
    assert len(terms) > 50
    same = [describe_molecule(smiles).inchikey == key for key, smiles in terms]
    assert sum(same) / len(same) >= 0.97
