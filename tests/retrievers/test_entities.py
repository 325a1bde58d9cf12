"""Entities by name, by identifier, and their neighbors, on the starter graph."""

from __future__ import annotations

import pytest

from biomolkg.errors import NotFound
from cypher.client import Client
from retrievers.entities import get_entity, names_query, neighbors, search_entities


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("trazodone", "Trazodone"),
        ("TRAZODONE", "Trazodone"),
        ("pamidronic-acid", "Pamidronic acid"),
        ("histamine h1", "Histamine H1 receptor"),
        ("β1 adrenergic", "Beta-1 adrenergic receptor"),
        ("beta1 adrenergic", "Beta-1 adrenergic receptor"),
        ("HRH1", "Histamine H1 receptor"),
        ("trazod", "Trazodone"),
    ],
)
def test_a_name_finds_its_entity_first(starter: Client, name: str, first: str) -> None:
    assert search_entities(starter, name).items[0].entity.name == first


def test_exact_names_come_first(starter: Client) -> None:
    page = search_entities(starter, "calcium")
    flags = [item.exact for item in page.items]
    assert flags == sorted(flags, reverse=True)
    assert search_entities(starter, "ibuprofen").items[0].exact


def test_pages_cover_a_listing_without_overlap(starter: Client) -> None:
    pages = [search_entities(starter, None, "Protein", limit=90, offset=at) for at in (0, 90, 180, 270)]
    ids = [item.entity.id for page in pages for item in page.items]
    assert {page.total for page in pages} == {198}
    assert ids == sorted(set(ids))
    assert len(ids) == 198
    found = [search_entities(starter, "receptor", limit=5, offset=at) for at in (0, 5)]
    whole = search_entities(starter, "receptor", limit=10)
    assert [item.entity for page in found for item in page.items] == [item.entity for item in whole.items]
    assert {item.entity.label for item in search_entities(starter, "receptor", "Drug").items} <= {"Drug"}


@pytest.mark.parametrize("sign", [*list('+-&|!(){}[]^"~*?:\\/'), "AND", "OR", "NOT", "&&", "||"])
def test_signs_of_lucene_are_text(starter: Client, sign: str) -> None:
    plain = search_entities(starter, "histamine h1 receptor").items
    if sign.isalpha():
        search_entities(starter, sign)
        assert search_entities(starter, f"{sign.lower()} h1") == search_entities(starter, f"{sign} h1")
    else:
        assert search_entities(starter, sign).items == ()
        found = search_entities(starter, f"{sign}histamine {sign}h1 receptor{sign}").items
        assert [item.entity for item in found] == [item.entity for item in plain]


@pytest.mark.parametrize(
    ("written", "plain"), [("TB-", "tb"), ("C++", "c"), ("(x)", "x"), ("b/testing", "b testing")]
)
def test_a_name_with_signs_finds_what_it_finds_without(starter: Client, written: str, plain: str) -> None:
    assert search_entities(starter, written) == search_entities(starter, plain)


def test_an_entity_has_its_facts_and_is_found_by_other_identifiers(starter: Client) -> None:
    ibuprofen = get_entity(starter, "pubchem.compound:3672")
    assert (ibuprofen.name, ibuprofen.label, ibuprofen.formula) == ("Ibuprofen", "Drug", "C13H18O2")
    assert ibuprofen.groups["carboxylic acid"] == 1
    protein = search_entities(starter, "Histamine H1 receptor").items[0].entity
    record = get_entity(starter, protein.id)
    assert record.xrefs
    assert {get_entity(starter, xref).id for xref in record.xrefs} == {protein.id}


@pytest.mark.parametrize("unknown", ["", "nothing:1", 'x"y', "\\", "*", "pubchem.compound:*"])
def test_an_unknown_identifier_is_not_found(starter: Client, unknown: str) -> None:
    with pytest.raises(NotFound, match="There is no entity"):
        get_entity(starter, unknown)


def test_neighbors_agree_with_the_counts_and_filters(starter: Client) -> None:
    id_ = "pubchem.compound:3672"
    facts = get_entity(starter, id_).facts
    for kind, count in facts.items():
        page = neighbors(starter, id_, kinds=[kind], limit=200)
        assert page.total == count
        assert {item.kind for item in page.items} == {kind}
    both = neighbors(starter, id_)
    ways = [neighbors(starter, id_, direction=way) for way in ("in", "out")]
    assert both.total == sum(page.total for page in ways)
    assert {item.direction for item in ways[0].items} <= {"in"}
    relation = both.items[0].relation
    assert {item.relation for item in neighbors(starter, id_, relation=relation.upper()).items} == {relation}
    assert neighbors(starter, id_, limit=3, offset=3).items == both.items[3:6]


def test_a_query_holds_words_only() -> None:
    assert names_query('") OR (id:*') == '(+"or" +id*)'
    assert names_query("+-!") is None
