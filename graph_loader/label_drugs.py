"""Which drugs of the graph each label is about, and the drugs that only labels name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from biomolkg.names import name_key
from graph_loader.graph_tables import Edge, Node
from graph_loader.identity.drug_names import DrugMatch, DrugNames
from graph_loader.labels import Ingredient, Label, Substance

UNMATCHED = "no drug of the graph has a name of it, label without a drug"
AMBIGUOUS = "a name that several drugs have, not joined by it"
UNII = "unii:"
LABEL_DATASETS = frozenset(("spl", "openfda"))
# An all-capitals name of this many letters may be an abbreviation.
_ABBREVIATION = 4


@dataclass(frozen=True, slots=True)
class NamedDrugs:
    """What a label calls its drugs.

    `single`: (UNII of what acts, name) of products with one active ingredient.
    """

    label: str
    name: str
    source: str
    ingredients: tuple[Ingredient, ...]
    names: tuple[tuple[str, Substance], ...]
    single: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, label: Label) -> NamedDrugs:
        """The names of a label, the substances first."""
        ingredients = dict.fromkeys(one for product in label.products for one in product.ingredients)
        return cls(
            label=label.id,
            name=label.name,
            source=f"{label.reader}:{label.set_id}:{label.version or 0}",
            ingredients=tuple(ingredients),
            names=(
                *(("substance", substance) for substance in label.substances),
                *(("generic name", Substance(name)) for name in label.generic_names),
                *(("product name", Substance(name)) for name in label.product_names),
            ),
            single=tuple(
                (_acting(product.ingredients[0]).unii or "", name)
                for product in label.products
                if len(product.ingredients) == 1
                for name in (*product.generics, product.name)
                if name
            ),
        )


@dataclass(frozen=True, slots=True)
class OwnDrug:
    """A substance that no drug of the graph is, with the other names that one label has for it."""

    substance: Substance
    names: tuple[str, ...]
    source: str

    @property
    def id(self) -> str:
        """Its UNII as a CURIE."""
        return f"{UNII}{self.substance.unii}"


@dataclass(frozen=True, slots=True)
class LabelJoin:
    """The drugs of one label: edges to them, those that no other source has, and what was noted."""

    edges: tuple[Edge, ...]
    substances: tuple[OwnDrug, ...]
    notes: tuple[tuple[str, str], ...]


def join_label(dataset: str, named: NamedDrugs, drugs: DrugNames) -> LabelJoin:
    """The drugs that a label names, each by the first name that leads to it alone.

    An ingredient none of whose names leads anywhere is a drug of its own, by the UNII of what
    acts, unless the label's other names lead to drugs enough.
    """
    joined: dict[str, Edge] = {}
    notes: list[tuple[str, str]] = []

    def edge(drug: str, name: str, evidence: str) -> Edge:
        stated = {"dataset": dataset, "source": named.source, "named": name, "evidence": evidence}
        return Edge("LABELS", named.label, drug, stated)

    for kind, substance in named.names:
        match = _match(substance, drugs)
        if len(match.ids) > 1:
            notes.append((AMBIGUOUS, f"{named.label} {substance.name}: {', '.join(match.ids)}"))
        for drug in match.ids if len(match.ids) == 1 else ():
            joined.setdefault(drug, edge(drug, substance.name, f"{kind} is a {match.evidence} of the drug"))
    own: dict[str, OwnDrug] = {}
    for ingredient in named.ingredients if len(joined) < len(named.ingredients) else ():
        substance = _acting(ingredient)
        known = any(_match(one, drugs).ids for one in (ingredient.substance, *ingredient.moieties))
        if known or substance.unii is None or substance.name == substance.unii:
            continue
        names = [ingredient.substance.name, *(name for unii, name in named.single if unii == substance.unii)]
        found = OwnDrug(substance, tuple(dict.fromkeys(names)), named.source)
        own.setdefault(found.id, found)
        evidence = "substance is a drug that only labels name"
        joined.setdefault(found.id, edge(found.id, substance.name, evidence))
    if not joined:
        notes.append((UNMATCHED, f"{named.label} {named.name}"))
    return LabelJoin(tuple(joined.values()), tuple(own.values()), tuple(notes))


def substance_nodes(dataset: str, found: Sequence[OwnDrug]) -> dict[str, Node]:
    """The drugs that only labels name, by id; the name that most labels give is the display name."""
    by_id: dict[str, list[OwnDrug]] = {}
    for one in found:
        by_id.setdefault(one.id, []).append(one)
    return {key: _node(dataset, key, ones) for key, ones in sorted(by_id.items())}


def _node(dataset: str, key: str, ones: Sequence[OwnDrug]) -> Node:
    counted = Counter(_spelt(one.substance.name) for one in ones)
    name = min(counted, key=lambda each: (-counted[each], each))
    others: dict[str, str] = {}
    for each in sorted(_spelt(other) for one in ones for other in one.names):
        if name_key(each) and name_key(each) != name_key(name):
            others.setdefault(name_key(each), each)
    synonyms = sorted(others.values())
    own = {"name": name, "synonyms": synonyms, "kind": "Drug"}
    return Node(
        key,
        {"name": name, "synonyms": synonyms, "xrefs": [key], "source": min(one.source for one in ones)},
        ("Drug",),
        # What another data set would show, were it the only one to have the drug: see graph_loader.claims.
        shared={f"{dataset}:{word}": value for word, value in own.items()},
    )


def _match(substance: Substance, drugs: DrugNames) -> DrugMatch:
    """By UNII where a drug has it, else by name."""
    known = drugs.by_reference(f"{UNII}{substance.unii}") if substance.unii else ()
    return DrugMatch(known, "UNII") if len(known) == 1 else drugs.find(substance.name)


def _acting(ingredient: Ingredient) -> Substance:
    """What acts of an ingredient: its moiety, if there is one alone."""
    return ingredient.moieties[0] if len(ingredient.moieties) == 1 else ingredient.substance


def _spelt(name: str) -> str:
    """A name that FDA writes in capitals, as a sentence would write it."""
    return name.capitalize() if name.isupper() and len(name) > _ABBREVIATION else name


def own_drug(drug_id: str, datasets: Iterable[str]) -> bool:
    """Whether a drug of the graph is there because labels name it."""
    return drug_id.startswith(UNII) and next(iter(datasets), None) in LABEL_DATASETS
