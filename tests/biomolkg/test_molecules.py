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
    assert {"steroid", "estrane", "phenol"} <= estradiol.keys()
    diazepam = find_groups(parse_smiles("CN1C(=O)CN=C(C2=C1C=CC(=C2)Cl)C3=CC=CC=C3"))
    assert {"benzodiazepine", "lactam", "chlorine"} <= diazepam.keys()
    assert "phenothiazine" not in diazepam


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
