import re

import pytest

from biomolkg.errors import InvalidMolecule
from biomolkg.molecules import describe, find_groups, group_vocabulary, parse_smarts, parse_smiles


def test_each_group_is_found_in_its_own_example():
    for group in group_vocabulary():
        assert parse_smiles(group.example).HasSubstructMatch(parse_smarts(group.smarts)), group.name


def test_the_vocabulary_has_one_entry_a_name():
    names = [group.name for group in group_vocabulary()]
    assert len(names) == len(set(names)) >= 150


def test_groups_of_known_drugs():
    alendronic_acid = find_groups(parse_smiles("C(CC(O)(P(=O)(O)O)P(=O)(O)O)CN"))
    assert {"bisphosphonate", "hydroxybisphosphonate", "primary amine"} <= alendronic_acid.keys()
    assert alendronic_acid["phosphonic acid"] == 2
    assert "sulfonamide" not in alendronic_acid
    estradiol = find_groups(parse_smiles("CC12CCC3C(C1CCC2O)CCC4=C3C=CC(=C4)O"))
    assert {"steroid", "estra-1,3,5(10)-trien-3-ol", "phenol"} <= estradiol.keys()
    diazepam = find_groups(parse_smiles("CN1C(=O)CN=C(C2=C1C=CC(=C2)Cl)C3=CC=CC=C3"))
    assert {"benzodiazepine", "lactam", "chlorine"} <= diazepam.keys()
    assert "phenothiazine" not in diazepam


DOXORUBICIN = "CC1C(C(CC(O1)OC2CC(CC3=C2C(=C4C(=C3O)C(=O)C5=C(C4=O)C(=CC=C5)OC)O)(C(=O)CO)O)N)O"
DOXYCYCLINE = "CC1C2C(C3C(C(=O)C(=C(C3(C(=O)C2=C(C4=C1C=CC=C4O)O)O)O)C(=O)N)N(C)C)O"


@pytest.mark.parametrize(
    ("smiles", "has", "lacks"),
    [
        (DOXORUBICIN, {"anthracycline", "tetracene skeleton"}, {"tetracycline", "catecholamine"}),
        (DOXYCYCLINE, {"tetracycline", "tetracene skeleton"}, {"anthracycline"}),
        ("c1ccccc1", {"six-membered ring"}, {"six-membered heterocycle", "cyclohexane"}),
        ("C1CNCCNC1", {"diazepane", "diazepine skeleton"}, {"diazepine", "benzodiazepine"}),
        ("c1ccc2c(c1)CCCN2", {"tetrahydroquinoline", "quinoline skeleton"}, {"quinoline"}),
        ("O=C1CC(=O)NC(=O)N1", {"barbiturate"}, {"uracil"}),
        ("C1CCC2C(C1)CCC1C2CCC2CCCCC21", set(), {"tetracene skeleton"}),
        ("CC1=NC=CC=C1", {"pyridine"}, {"piperidine", "dihydropyridine"}),
        ("S=P(N1CC1)(N1CC1)N1CC1", {"phosphorothioic triamide", "aziridine"}, {"phosphine sulfide"}),
        ("CP(C)(C)=S", {"phosphine sulfide"}, {"phosphorothioate"}),
        ("OCC(O)C(O)C(O)C(O)CO", {"vicinal diol"}, {"2-phenyl-1,3-propanediol", "pyranose"}),
        ("Nc1ccccc1", {"aromatic amine", "amine"}, {"aliphatic amine"}),
        ("CN1CCC(=C2c3ccccc3C=Cc3ccccc32)CC1", {"dibenzocycloheptene", "piperidine"},
         {"dibenzo seven-membered tricycle with aminopropyl chain"}),
        ("NCCCC(N)CCNc1ccnc2cc(Cl)ccc12", {"4-aminoquinoline", "aminoquinoline"}, {"8-aminoquinoline"}),
        ("CC(=O)[O-].[Na+]", {"carboxylic acid", "sodium"}, {"potassium"}),
        # The groups of a counter-ion are not the drug's.
        ("CN(C)CCc1ccccc1.CS(=O)(=O)O", {"tertiary amine"}, {"sulfonic acid", "methylsulfonyl group"}),
    ],
)  # fmt: skip
def test_a_name_needs_its_defining_atoms(smiles, has, lacks):
    found = find_groups(parse_smiles(smiles)).keys()
    assert has <= found
    assert not lacks & found


def test_what_has_a_ring_has_its_near_entry_too():
    names = {group.name for group in group_vocabulary()}
    for group in group_vocabulary():
        if group.near is None or group.near.endswith(("ether", "residue", "arylpiperazine")):
            continue
        assert group.near in names
        assert group.near in find_groups(parse_smiles(group.example)), group.name


def test_facts_of_ethanol():
    facts = describe(parse_smiles("OCC"))
    assert (facts.smiles, facts.formula, facts.weight) == ("CCO", "C2H6O", 46.069)
    assert facts.inchikey == "LFQSCWFLJHTTHZ-UHFFFAOYSA-N"


@pytest.mark.parametrize(
    "text",
    ["", "  ", "CCO ethanol", "C\0C", "C\nC", "C" * 2_001, "C1CC", "C(", "not a molecule", "c1cccc1", "Ω"],
)
def test_a_bad_smiles_is_refused_by_name(text, capfd):
    with pytest.raises(InvalidMolecule) as caught:
        parse_smiles(text)
    assert caught.value.remedy
    assert re.search(r"SMILES", caught.value.message)
    assert capfd.readouterr().err == ""
