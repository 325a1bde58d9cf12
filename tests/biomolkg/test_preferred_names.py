"""The name that is shown: what people call a thing, where any of its names is that."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biomolkg.preferred_names import NameKind, choose_name, name_kind

REGISTRY = st.from_regex(r"[1-9]\d{1,6}-\d\d-\d", fullmatch=True) | st.from_regex(
    r"(CHEMBL|SCHEMBL|CID|ZINC)[1-9]\d{2,8}", fullmatch=True
)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("50-78-2", NameKind.IDENTIFIER),
        ("BSYNRYMUTXBXSQ-UHFFFAOYSA-N", NameKind.IDENTIFIER),
        ("P41PML4GHR", NameKind.IDENTIFIER),
        ("CHEBI:7630", NameKind.IDENTIFIER),
        ("SR-05000001570", NameKind.CODE),
        ("Lilly 99638", NameKind.CODE),
        ("7-Nitro-5-phenyl-3H-1,4-benzodiazepin-2-ol", NameKind.SYSTEMATIC),
        ("propan-2-ol", NameKind.SYSTEMATIC),
        ("rac-Etodolac", NameKind.FORM),
        ("SERTRALINE, CIS-(−)-", NameKind.FORM),
        ("Interferon beta-1a", NameKind.COMMON),
        ("Vitamin B12", NameKind.COMMON),
        ("Potassium chloride", NameKind.COMMON),
        ("mitomycin C", NameKind.COMMON),
    ],
)
def test_kinds_of_names_are_told_apart(name: str, kind: NameKind) -> None:
    assert name_kind(name) is kind


@given(REGISTRY, st.lists(REGISTRY, max_size=3))
def test_a_registry_number_gives_way_to_any_name_and_stays_without_one(
    number: str, others: list[str]
) -> None:
    assert choose_name(number, [*others, "aspirin"]) == "aspirin"
    assert choose_name(number, others) == number


def test_a_form_gives_way_only_to_the_name_that_it_holds() -> None:
    assert choose_name("(±)-Promethazine", ["Phenergan"]) == "(±)-Promethazine"
    assert choose_name("(±)-Promethazine", ["Phenergan", "promethazine"]) == "promethazine"


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=5))
def test_the_choice_is_one_of_the_names(name: str, others: list[str]) -> None:
    assert choose_name(name, others) in [name, *others]


def test_a_symbol_is_the_name_of_what_is_no_chemical() -> None:
    assert choose_name("TP53", ["cellular tumor antigen p53"], chemical=False) == "TP53"
    assert choose_name("ENSP00000053469", ["calbindin"], chemical=False) == "calbindin"
