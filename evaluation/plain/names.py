"""What the things of the graph are called in questions.

Names come from `wordings/names.toml` (general knowledge), from the graph and from the
bundled vocabularies. A name that two things have names neither.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from biomolkg.names import name_key
from evaluation.plain.graph import Graph, Group
from evaluation.plain.wordings import FOLDER

_PLAIN_NAME = re.compile(r"[A-Za-z][a-z]{3,}(?: [a-z]{4,}){0,2}")
_SPOKEN = re.compile(r"[^\W\d_][\w./'+ -]{1,39}")
_LEAST_CLASS, _MOST_CLASS = 2, 60


@dataclass(frozen=True, slots=True)
class Spoken:
    """A class of drugs in the singular and the plural."""

    group: Group
    one: str
    many: str


@dataclass(frozen=True, slots=True)
class Names:
    """Names by id and style; what has none in a style is not asked about in it."""

    drugs: Mapping[str, tuple[str, ...]]
    brands: Mapping[str, tuple[str, ...]]
    symbols: Mapping[str, tuple[str, ...]]
    full: Mapping[str, tuple[str, ...]]
    aliases: Mapping[str, tuple[str, ...]]
    everyday: Mapping[str, tuple[str, ...]]
    effects: Mapping[str, tuple[str, ...]]
    classes: tuple[Spoken, ...]
    absent_drugs: tuple[str, ...]
    absent_proteins: tuple[str, ...]
    absent_conditions: tuple[str, ...]


def read_names(graph: Graph) -> Names:
    """The names of what the graph has, and of what it has not."""
    told: dict[str, Any] = tomllib.loads((FOLDER / "names.toml").read_text(encoding="utf-8"))
    owners = _owners(graph)

    def sole(name: str, of: Mapping[str, object]) -> str | None:
        found = sorted(owners.get(name_key(name), ()))
        return found[0] if len(found) == 1 and found[0] in of else None

    common: dict[str, list[str]] = defaultdict(list)
    for name in told["drugs"]:
        if (id_ := sole(name, graph.drugs)) is not None:
            common[id_].append(name)
    for drug in graph.drugs.values():
        for name in filter(None, (drug.preferred_name, drug.name)):
            if _PLAIN_NAME.fullmatch(name) and sole(name, graph.drugs) == drug.id:
                common[drug.id].append(name)
    brands: dict[str, list[str]] = defaultdict(list)
    for brand, name in told["brands"].items():
        id_ = sole(name, graph.drugs)
        if id_ is not None and owners.get(name_key(brand), {id_}) == {id_}:
            brands[id_].append(brand)
    genes = {thing.gene: thing.id for thing in graph.proteins.values() if thing.targeted and thing.gene}
    everyday = {
        genes[gene]: [name for name in names if owners.get(name_key(name), {genes[gene]}) <= {genes[gene]}]
        for gene, names in told["proteins"].items()
        if gene in genes
    }
    targeted = [thing for thing in graph.proteins.values() if thing.targeted]
    spoken = {thing.id: [name for name in (thing.name, thing.preferred_name) if name] for thing in targeted}
    relations = {relation for found in graph.effects.values() for relation in found}
    acted_on = {key for key, ids in owners.items() if any(graph.ligands.get(id_) for id_ in ids)}
    acted_on |= {name_key(name) for names in everyday.values() for name in names}
    reported = {name_key(name) for name in relations}
    return Names(
        _sorted(common),
        _sorted(brands),
        _sorted({id_: [gene] for gene, id_ in genes.items() if sole(gene, graph.proteins) == id_}),
        _sorted(
            {id_: [it for it in names if sole(it, graph.proteins) == id_] for id_, names in spoken.items()}
        ),
        _sorted(
            {
                thing.id: [
                    it
                    for it in thing.synonyms
                    if _SPOKEN.fullmatch(it) and sole(it, graph.proteins) == thing.id
                ]
                for thing in targeted
            }
        ),
        _sorted(everyday),
        _sorted({relation: [relation, *told["effects"].get(relation, ())] for relation in relations}),
        tuple(_classes(graph, told["classes"])),
        tuple(it for it in told["absent"]["drugs"] if name_key(it) not in graph.known),
        tuple(it for it in told["absent"]["proteins"] if name_key(it) not in acted_on),
        tuple(it for it in told["absent"]["conditions"] if name_key(it) not in reported),
    )


def _owners(graph: Graph) -> dict[str, set[str]]:
    owners: dict[str, set[str]] = defaultdict(set)
    for thing in (*graph.drugs.values(), *graph.proteins.values()):
        for name in (thing.name, thing.preferred_name, thing.gene, *thing.synonyms):
            if name:
                owners[name_key(name)].add(thing.id)
    return owners


def _classes(graph: Graph, told: Iterable[Mapping[str, Any]]) -> Iterable[Spoken]:
    by_name = {name_key(group.name): group for group in graph.classes}
    used = set()
    for entry in told:
        group = next((by_name[name_key(it)] for it in entry["names"] if name_key(it) in by_name), None)
        if group is not None and len(group.members) >= _LEAST_CLASS:
            used.add(group.id)
            yield Spoken(group, entry["one"], entry["many"])
    for group in graph.classes:
        plain = _PLAIN_NAME.fullmatch(group.name)
        if plain and group.id not in used and _LEAST_CLASS <= len(group.members) <= _MOST_CLASS:
            yield Spoken(group, group.name, f"{group.name}s")


def _sorted(names: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Without what has no name, each name once, in an order that is the same in every run."""
    return {id_: kept for id_ in sorted(names) if (kept := tuple(dict.fromkeys(names[id_])))}
