"""The bundled names, classes and identifiers say what a pharmacist would say."""

import re
from collections import Counter

from biomolkg.lexicon import drug_names, drugs, proteins
from biomolkg.names import name_key


def test_every_drug_has_one_preferred_name_of_its_own() -> None:
    names = [drug.preferred_name for drug in drugs()]
    assert len(names) == 494
    assert not [name for name, times in Counter(map(name_key, names)).items() if times > 1]


def test_no_preferred_name_is_a_number_a_code_or_systematic() -> None:
    wrong = [
        drug.preferred_name
        for drug in drugs()
        if re.search(r"\d|[\[\](){},]|^(rac|dl|cis|trans|epi)-", drug.preferred_name, re.IGNORECASE)
    ]
    assert not wrong


def test_a_preferred_name_is_the_name_of_no_other_drug() -> None:
    owner = {name_key(drug.preferred_name): drug.id for drug in drugs()}
    assert not [alias for alias in drug_names() if owner.get(name_key(alias.name), alias.id) != alias.id]


def test_accessions_of_proteins_are_theirs_alone() -> None:
    assert len({protein.id for protein in proteins()}) == len(proteins())
