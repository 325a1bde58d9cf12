"""What the things of the graph are called in questions.

Names come from `wordings/names.toml` (general knowledge), from the graph and from the
bundled vocabularies. A name that two things have names neither.
"""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from biomolkg import lexicon
from biomolkg.names import name_key
from evaluation.plain.graph import Graph, Group
from evaluation.plain.wordings import FOLDER

_PLAIN_NAME = re.compile(r"[A-Za-z][a-z]{3,}(?: [a-z]{4,}){0,2}")
# Names of clones stand among the aliases, and nobody says them.
_SPOKEN = re.compile(r"(?!FLJ|KIAA|DKFZ|MGC|dJ\d|bA\d)[^\W\d_][\w/'+ -]{2,39}")
_LEAST_CLASS, _MOST_CLASS = 2, 60
_EVERY_ABSENT = 60  # of the vocabularies' names of absent drugs, every so many
_Owners = Mapping[str, AbstractSet[str]]


@dataclass(frozen=True, slots=True)
class Spoken:
    """A class of drugs in the singular and the plural; `also` may be told among its members.

    everyday: people have a word of their own for it.
    """

    group: Group
    one: str
    many: str
    everyday: bool = False
    also: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Names:
    """Names by id and style; what has none in a style is not asked about in it.

    `effects` are by relation, and so is `alike`: the relations that some vocabulary names the same.
    """

    drugs: Mapping[str, tuple[str, ...]]
    brands: Mapping[str, tuple[str, ...]]
    symbols: Mapping[str, tuple[str, ...]]
    aliases: Mapping[str, tuple[str, ...]]
    everyday: Mapping[str, tuple[str, ...]]
    effects: Mapping[str, tuple[str, ...]]
    alike: Mapping[str, frozenset[str]]
    classes: tuple[Spoken, ...]
    absent_drugs: tuple[str, ...]
    absent_proteins: tuple[str, ...]
    absent_conditions: tuple[str, ...]


def read_names(graph: Graph) -> Names:
    """The names of what the graph has, and of what it has not."""
    told: dict[str, Any] = tomllib.loads((FOLDER / "names.toml").read_text(encoding="utf-8"))
    owners = _owners(graph)
    genes = {thing.gene: thing.id for thing in graph.proteins.values() if thing.targeted and thing.gene}
    everyday = {
        genes[gene]: [it for it in names if _owned(owners, it, genes[gene], graph.proteins)]
        for gene, names in told["proteins"].items()
        if gene in genes
    }
    relations = {relation for found in graph.effects.values() for relation in found}
    acted_on = {key for key, ids in owners.items() if any(graph.ligands.get(id_) for id_ in ids)}
    acted_on |= {name_key(name) for names in everyday.values() for name in names}
    reported = {name_key(name) for name in relations} | {name_key(it.name) for it in lexicon.effects()}
    return Names(
        drugs=_sorted(_drug_names(graph, owners, told["drugs"])),
        brands=_sorted(_brands(graph, owners, told["brands"])),
        symbols=_sorted({id_: [gene] for gene, id_ in genes.items() if owners[name_key(gene)] == {id_}}),
        aliases=_sorted(_aliases(graph, owners)),
        everyday=_sorted(everyday),
        effects=_sorted({relation: [relation, *told["effects"].get(relation, ())] for relation in relations}),
        alike=_alike(relations),
        classes=tuple(_classes(graph, told["classes"])),
        absent_drugs=tuple(it for it in _absent_drugs(told) if name_key(it) not in graph.known),
        absent_proteins=tuple(it for it in told["absent"]["proteins"] if name_key(it) not in acted_on),
        absent_conditions=tuple(it for it in told["absent"]["conditions"] if name_key(it) not in reported),
    )


def _owners(graph: Graph) -> dict[str, set[str]]:
    """Which things go by a name, of the graph's names and of the vocabularies'."""
    owners: dict[str, set[str]] = defaultdict(set)
    for thing in (*graph.drugs.values(), *graph.proteins.values()):
        for name in (thing.name, thing.preferred_name, thing.gene, *thing.synonyms):
            if name:
                owners[name_key(name)].add(thing.id)
    by_symbol = {thing.gene: thing.id for thing in graph.proteins.values() if thing.gene}
    symbols = {protein.id: protein.symbol for protein in lexicon.proteins()}
    for alias in (*lexicon.drug_names(), *lexicon.protein_names()):
        # A protein that has an id of another vocabulary in the graph is known by its gene.
        owners[name_key(alias.name)].add(by_symbol.get(symbols.get(alias.id, ""), alias.id))
    return owners


def _owned(owners: _Owners, name: str, id_: str, among: Collection[str]) -> bool:
    """Whether no other thing of those goes by that name; where nothing does, it is taken as told."""
    return {it for it in owners.get(name_key(name), ()) if it in among} <= {id_}


def _drug_names(graph: Graph, owners: _Owners, told: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name in told:
        ids = owners.get(name_key(name), set()) & set(graph.drugs)
        if len(ids) == 1:
            found[next(iter(ids))].append(name)
    preferred = {drug.id: drug.preferred_name for drug in lexicon.drugs()}
    for drug in graph.drugs.values():
        name = preferred.get(drug.id) or drug.preferred_name or drug.name
        if _PLAIN_NAME.fullmatch(name) and owners[name_key(name)] == {drug.id}:
            found[drug.id].append(name)
    return found


def _brands(graph: Graph, owners: _Owners, told: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for brand, name in told.items():
        ids = owners.get(name_key(name), set()) & set(graph.drugs)
        if len(ids) == 1 and _owned(owners, brand, next(iter(ids)), graph.drugs):
            found[next(iter(ids))].append(brand)
    return found


def _aliases(graph: Graph, owners: _Owners) -> dict[str, list[str]]:
    """Other symbols and the approved names of targets, of which no other human protein is."""
    targets = {thing.gene: thing.id for thing in graph.proteins.values() if thing.targeted and thing.gene}
    ids = {it.id: targets[it.symbol] for it in lexicon.proteins() if it.symbol in targets}
    found: dict[str, list[str]] = defaultdict(list)
    for alias in lexicon.protein_names():
        id_ = ids.get(alias.id)
        if id_ is None or alias.kind not in {"alias", "approved"} or alias.source != "HGNC":
            continue
        if _SPOKEN.fullmatch(alias.name) and owners[name_key(alias.name)] == {id_}:
            found[id_].append(alias.name)
    return found


def _alike(relations: Collection[str]) -> dict[str, frozenset[str]]:
    """The relations that share a name with each, in some vocabulary."""
    by_name: dict[str, set[str]] = defaultdict(set)
    for effect in lexicon.effects():
        by_name[name_key(effect.name)].add(effect.relation)
    found: dict[str, set[str]] = {relation: {relation} for relation in relations}
    for shared in by_name.values():
        for relation in shared & set(relations):
            found[relation] |= shared
    return {relation: frozenset(shared) for relation, shared in found.items()}


def _classes(graph: Graph, told: Iterable[Mapping[str, Any]]) -> Iterable[Spoken]:
    """The classes that people ask about, and those that MeSH has a name for too."""
    by_name = {name_key(group.name): group for group in graph.classes}
    used = set()
    for entry in told:
        groups = [by_name[name_key(it)] for it in entry["names"] if name_key(it) in by_name]
        if groups and len(groups[0].members) >= _LEAST_CLASS:
            used |= {group.id for group in groups}
            also = frozenset().union(*(group.members for group in groups)) - groups[0].members
            yield Spoken(groups[0], entry["one"], entry["many"], everyday=True, also=also)
    named = {it.id for it in lexicon.class_names() if it.source == "MeSH"}
    for group in graph.classes:
        plain = _PLAIN_NAME.fullmatch(group.name) and group.id in named - used
        if plain and not group.name.endswith("s") and _LEAST_CLASS <= len(group.members) <= _MOST_CLASS:
            yield Spoken(group, group.name, f"{group.name}s")


def _absent_drugs(told: Mapping[str, Any]) -> Iterable[str]:
    yield from told["absent"]["drugs"]
    plain = sorted(
        {
            it.name
            for it in lexicon.absent()
            if it.source == "DrugCentral" and it.name == it.preferred and _PLAIN_NAME.fullmatch(it.name)
        }
    )
    yield from plain[::_EVERY_ABSENT]


def _sorted(names: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    """Without what has no name, each name once, in an order that is the same in every run."""
    return {id_: kept for id_ in sorted(names) if (kept := tuple(dict.fromkeys(names[id_])))}
