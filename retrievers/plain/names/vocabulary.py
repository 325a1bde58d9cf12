"""The names that a question may use: those of the snapshot's things and of the bundled vocabularies."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from biomolkg import lexicon
from retrievers.plain.facts import TARGET
from retrievers.plain.names.linker import Linker
from retrievers.plain.names.words import key_of
from retrievers.snapshot import Entity, Snapshot

_WORDS = "frequency_dictionary_en_82_765.txt"
# A word of fewer occurrences in the list's corpus is no ordinary one: many are names of substances.
_ORDINARY = 60_000
_COMMON = 8_000
_PROTEIN_RANKS = {"symbol": 0, "approved": 1, "generated": 1, "everyday": 1, "alias": 2, "previous": 2}
_DRUG_RANKS = {"preferred": 0, "brand": 1, "synonym": 1, "abbreviation": 1, "salt_free": 2}
# A protein that drugs act on is meant before one that the graph only has a name of.
_WITHOUT_FACTS = 10
# What a graph has of these, it means by their names; a class of alcohols is not what "alcohol" means.
_THINGS = frozenset(("drug", "thing", "label"))
_OTHER_LABELS = {"Drug": "drug", "Protein": "protein", "Chemical": "thing", "Gene": "thing"}


@lru_cache(maxsize=1)
def english_words() -> frozenset[str]:
    """82,765 English words."""
    return frozenset(word for word, _ in _frequencies())


@lru_cache(maxsize=1)
def ordinary_words() -> frozenset[str]:
    """The frequent ones among the English words."""
    return frozenset(word for word, _ in list(_frequencies())[:_ORDINARY])


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """The most frequent English words."""
    return frozenset(word for word, _ in list(_frequencies())[:_COMMON])


def _frequencies() -> Iterator[tuple[str, int]]:
    text = (files("symspellpy") / _WORDS).read_text(encoding="utf-8-sig")
    for line in text.splitlines():
        word, _, count = line.partition(" ")
        yield word, int(count)


def fill(snapshot: Snapshot, labels: Mapping[str, Iterable[str]]) -> Linker:
    """A linker of everything that the snapshot has, and of what vocabularies know that it has not.

    labels: the ids of drug labels by the names of their products.
    """
    linker = Linker(ordinary_words(), common_words())
    for name, ids in labels.items():
        for label in ids:
            linker.add(name, "label", label)
    places = {entity.id: at for at, entity in enumerate(snapshot.entities)}
    _drugs(linker, snapshot, places)
    _proteins(linker, snapshot)
    _classes(linker, snapshot)
    _effects(linker, snapshot)
    _absent(linker)
    return linker


def proteins_of(snapshot: Snapshot) -> dict[str, int]:
    """Places of the snapshot's proteins by UniProt CURIE; by gene symbol where they have another id."""
    by_symbol = {protein.symbol.casefold(): protein.id for protein in lexicon.proteins()}
    found = {}
    for at, entity in enumerate(snapshot.entities):
        if entity.label == "Protein":
            known = by_symbol.get((entity.gene or "").casefold(), entity.id)
            found[entity.id if entity.id.startswith("uniprot:") else known] = at
    return found


def _drugs(linker: Linker, snapshot: Snapshot, places: dict[str, int]) -> None:
    for known in lexicon.drug_names():
        if known.id in places:
            linker.add(known.name, "drug", places[known.id], _DRUG_RANKS.get(known.kind, 2))
    for at, entity in enumerate(snapshot.entities):
        if entity.label != "Protein":
            kind = _OTHER_LABELS.get(entity.label, "thing")
            for rank, name in _own_names(entity):
                linker.add(name, kind, at, rank)
            if entity.label == "Drug":
                linker.add(entity.id.replace("pubchem.compound:", "CID "), "drug", at, 3)
                linker.add(entity.id, "drug", at, 3)


def _own_names(entity: Entity) -> Iterator[tuple[int, str]]:
    """The names that the graph itself has of a thing."""
    yield 0, entity.preferred_name or entity.name
    yield 1, entity.name
    for name in (*entity.synonyms, *entity.aliases):
        yield 2, name


def _proteins(linker: Linker, snapshot: Snapshot) -> None:
    places = proteins_of(snapshot)
    symbols = {protein.id: protein.symbol for protein in lexicon.proteins()}
    acted_on = {
        int(tail)
        for tail, relation in zip(snapshot.tails, snapshot.relation_of, strict=True)
        if snapshot.relations[relation].kind in TARGET
    }

    def add(name: str, known: str, rank: int) -> None:
        at = places.get(known)
        if at is None:
            # An alias that is a plain word says too little: MONA, ASA and WHO are some.
            if rank < 2 or not name.isalpha():
                linker.add(name, "absent_protein", known, rank, symbols.get(known, name))
        else:
            linker.add(name, "protein", at, rank + (0 if at in acted_on else _WITHOUT_FACTS))

    for protein in lexicon.proteins():
        add(protein.symbol, protein.id, 0)
        add(protein.name, protein.id, 1)
    for alias in lexicon.protein_names():
        add(alias.name, alias.id, _PROTEIN_RANKS.get(alias.kind, 2))
    for known, at in places.items():
        for rank, name in _own_names(snapshot.entities[at]):
            add(name, known, rank + 1)
        add(known, known, 2)
        if snapshot.entities[at].gene:
            add(str(snapshot.entities[at].gene), known, 0)
    _families(linker, places)


def _families(linker: Linker, places: dict[str, int]) -> None:
    for family in lexicon.families():
        members = tuple(sorted({places[member] for member in family.members if member in places}))
        if len(members) > 1:
            linker.add(family.name, "family", members)
        elif members:
            linker.add(family.name, "protein", members[0], 3)
        elif family.members:
            linker.add(family.name, "absent_protein", family.members[0], 3)


def _classes(linker: Linker, snapshot: Snapshot) -> None:
    names: dict[str, list[str]] = defaultdict(list)
    for known in lexicon.class_names():
        names[known.id].append(known.name)
    for at, one in enumerate(snapshot.classes):
        if not one.hidden:
            for name in dict.fromkeys((one.name, *one.names, *names.get(one.id, ()))):
                linker.add(name, "class", at, int(name != one.name))


def _effects(linker: Linker, snapshot: Snapshot) -> None:
    relations = {
        relation.name: at for at, relation in enumerate(snapshot.relations) if relation.kind == "DDI"
    }
    for name, at in relations.items():
        linker.add(name, "effect", at, 0)
    for effect in lexicon.effects():
        if effect.relation in relations:
            linker.add(effect.name, "effect", relations[effect.relation], 1, effect.relation)


def _absent(linker: Linker) -> None:
    present = {key for key in linker if linker.kinds(key) & _THINGS}
    for line in (Path(__file__).parent / "substances.tsv").read_text(encoding="utf-8").splitlines()[1:]:
        name, _, preferred = line.partition("\t")
        if " ".join(key_of(name)) not in present and " ".join(key_of(preferred)) not in present:
            linker.add(name, "absent_drug", preferred, -1)
    present = set(linker)
    for known in lexicon.absent():
        if " ".join(key_of(known.name)) not in present:
            linker.add(known.name, "absent_drug", known.preferred)
    for condition in lexicon.conditions():
        if " ".join(key_of(condition)) not in present:
            linker.add(condition, "condition", condition)
