"""Names of side effects and diseases: of what the graph's relations say, and of what none says."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from biomolkg.names import name_key
from graph_loader.vocabulary.build.reviewed import reviewed
from graph_loader.vocabulary.build.sources import Mesh
from graph_loader.vocabulary.build.spelling import in_order

_SHORTEST = 3


def _concepts(
    mesh: Iterable[Mesh], mondo: Iterable[dict[str, Any]]
) -> Iterator[tuple[str, set[str], list[str]]]:
    """Source, UMLS numbers and names of each concept of diseases and findings."""
    for term in mesh:
        if any(
            tree.startswith(("C", "F01", "F03", "G", "E01", "E02", "E04", "I01", "I03"))
            for tree in term.trees
        ):
            yield "MeSH", set(), [one for name in term.names for one in (name, in_order(name))]
    for item in mondo:
        numbers = {xref["id"] for xref in item.get("xrefs") or () if xref["namespace"] == "UMLS"}
        names = [item["name"], *(item.get("synonyms") or ())]
        yield "MONDO", numbers, [re.sub(r" \((disease|disorder)\)$", "", name) for name in names]


def effect_rows(
    relations: dict[str, str], mesh: list[Mesh], mondo: list[dict[str, Any]]
) -> Iterator[tuple[str, str, str]]:
    """The rows of `effects`; `relations` are the names of the relations and their UMLS numbers.

    A concept gives its names to a relation when it is the only one that the concept
    names, by UMLS number or by name. What two relations would be called is left out.
    """
    hand = _by_hand(relations)
    by_key: dict[str, str] = {}
    for relation in relations:
        for form in (name_key(relation), name_key(in_order(relation)), _turned(relation)):
            by_key.setdefault(form, relation)
    own = by_key | {name_key(name): relation for relation, name in hand}
    by_number = {number: relation for relation, number in relations.items()}
    said: dict[str, dict[str, tuple[str, str]]] = defaultdict(dict)
    for source, numbers, names in _concepts(mesh, mondo):
        keys = {name_key(name) for name in names}
        meant = {by_key[key] for key in keys & set(by_key)} | {
            by_number[one] for one in numbers & set(by_number)
        }
        if len(meant) == 1:
            (relation,) = meant
            for name in names:
                key = name_key(name)
                if len(key) >= _SHORTEST and own.get(key, relation) == relation:
                    said[key].setdefault(relation, (name, source))
    for relation, name in hand:
        said[name_key(name)] = {relation: (name, "reviewed")}
    for relation in relations:
        said[name_key(relation)] = {relation: (relation, "TWOSIDES")}
    for owners in said.values():
        if len(owners) == 1:
            ((relation, (name, source)),) = owners.items()
            yield relation, name, source


def _by_hand(relations: dict[str, str]) -> list[tuple[str, str]]:
    found = []
    for row in reviewed("effects"):
        if row["relation"] not in relations:
            raise ValueError(f"effects.tsv: no relation is called {row['relation']!r}")
        found += [(row["relation"], name) for name in row["names"].split("|") if name]
    return found


def _turned(relation: str) -> str:
    """`embolism pulmonary` as `pulmonary embolism`."""
    words = name_key(relation).split()
    return " ".join(reversed(words)) if len(words) == 2 else " ".join(words)


def condition_rows(
    effects: Iterable[str], mesh: list[Mesh], mondo: list[dict[str, Any]]
) -> Iterator[tuple[str, str]]:
    """The rows of `conditions`: diseases and findings of MeSH, and diseases of MONDO with short names."""
    taken = {name_key(name) for name in effects}
    general = {row["name"] for row in reviewed("general_words")}
    for term in sorted(mesh, key=lambda one: one.id):
        trees = [tree for tree in term.trees if tree.startswith(("C", "F03"))]
        if not trees or all(tree.count(".") < 1 for tree in trees):
            continue
        for name in term.names:
            for one in {name, in_order(name)}:
                key = name_key(one)
                if key not in taken and key not in general and len(key) > _SHORTEST and ", " not in one:
                    taken.add(key)
                    yield one, "MeSH"
    for item in mondo:
        name = re.sub(r" \((disease|disorder)\)$", "", item["name"])
        key = name_key(name)
        short = len(key.split()) <= 3 and not re.search(r"\d", name)
        if short and key not in taken and key not in general and len(key) > _SHORTEST + 1:
            taken.add(key)
            yield name, "MONDO"
