"""The sets of wordings: whole, of their own, and filled as people write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from biomolkg.errors import SourceError
from evaluation.plain.wordings import Verb, fill, read_wordings, wording_sets

SLOT = re.compile(r"\{(\w+)\}")
FORMS = frozenset(Verb.model_fields)
# What the makers of questions fill in beside the forms of a verb; at least these must be in each template.
NEEDED = {
    "check": {"drug", "protein"},
    "list_drugs": {"protein"},
    "list_proteins": {"drug"},
    "count_drugs": {"protein"},
    "count_proteins": {"drug"},
    "relation": {"a", "b"},
    "interaction": {"a", "b"},
    "effect_check": {"a", "b", "effect"},
    "effect_pairs": {"effect"},
    "effect_partner": {"drug", "effect"},
    "partners": {"drug"},
    "exclude_drug": {"drug", "protein"},
    "exclude_protein": {"drug", "protein"},
    "negated": {"drug"},
    "direction_drug": {"drug"},
    "direction_protein": {"protein"},
    "absent_drug": {"absent"},
    "absent_protein": {"absent"},
    "absent_effect": {"absent"},
    "pathways_of_protein": {"protein"},
    "participants": {"pathway"},
    "pathway_check": {"protein", "pathway"},
    "pathways_of_drug": {"drug"},
    "compare_drugs": {"a", "b"},
    "shared_targets": {"a", "b"},
    "both_proteins": {"p", "q"},
    "either_proteins": {"p", "q"},
    "molecular_list": {"drug", "bond"},
    "property_weight": {"drug"},
    "property_formula": {"drug"},
    "property_out": {"drug"},
    "foreign_list_proteins": {"drug"},
    "foreign_list_drugs": {"protein"},
    "foreign_interaction": {"a", "b"},
}
SIDED = ("check", "list_drugs", "list_proteins", "count_drugs", "count_proteins", "exclude_drug",
         "exclude_protein", "negated", "direction_drug", "direction_protein", "both_proteins",
         "either_proteins", "class_list")  # fmt: skip
LEAST = 12
HALVES = {"property_weight", "property_formula", "foreign_list_proteins", "foreign_list_drugs",
          "foreign_interaction"}  # fmt: skip


@pytest.mark.parametrize("name", wording_sets())
def test_each_template_says_what_is_asked(name: str) -> None:
    wordings = read_wordings(name)
    assert wordings.id == name
    assert set(wordings.verbs) == {"any", "inhibit", "activate"}
    for group, needed in NEEDED.items():
        for template in wordings.templates[group]:
            slots = set(SLOT.findall(template))
            assert needed <= slots, template
            if group in SIDED:
                assert slots & FORMS, f"{template} does not say how it acts"
    for group in ("class_check", "class_members", "class_list"):
        for template in wordings.templates[group]:
            assert {"class", "classes"} & set(SLOT.findall(template)), template
    for group, templates in wordings.templates.items():
        assert len(set(templates)) == len(templates)
        assert len(templates) >= (LEAST // 3 if group in HALVES else LEAST), group
    for template in wordings.frames["polite"]:
        assert "{question}" in template
    assert sum("{bystander}" in it for it in wordings.frames["long"]) == 1
    for templates in wordings.labels.values():
        assert all("{brand}" in template for template in templates)


def test_no_wording_is_in_two_sets() -> None:
    found: dict[str, str] = {}
    for name in wording_sets():
        own = {template for group in read_wordings(name).templates.values() for template in group}
        assert not own & set(found), name
        found |= dict.fromkeys(own, name)
    assert set(found.values()) == set(wording_sets())


@pytest.mark.parametrize(
    ("agent", "shown"),
    [("inhibitor", "an inhibitor"), ("agonist", "an agonist"), ("blocker", "a blocker"),
     ("NSAID", "an NSAID"), ("SSRI", "an SSRI"), ("beta blocker", "a beta blocker")],
)  # fmt: skip
def test_the_article_goes_with_the_word(agent: str, shown: str) -> None:
    assert fill("Is it a {agent}?", agent=agent) == f"Is it {shown}?"


def test_a_question_begins_with_a_capital_where_its_template_does() -> None:
    assert fill("{drug} targets", drug="aspirin") == "Aspirin targets"
    assert fill("all of {drug}", drug="aspirin") == "all of aspirin"


def test_an_unknown_set_names_those_that_are_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="no set of wordings") as raised:
        read_wordings("set0")
    assert "set1" in str(raised.value.remedy)
    wrong = tmp_path / "mine.toml"
    wrong.write_text('id = "mine"\n')
    with pytest.raises(SourceError, match=r"mine\.toml: date"):
        read_wordings(str(wrong))
