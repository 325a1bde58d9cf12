"""The facts that questions are made from and judged by: read from Neo4j, never from the service."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from biomolkg.errors import SourceError
from biomolkg.names import name_key
from cypher.client import Client
from evaluation.plain.gold import PAIR

Polarity = Literal["any", "inhibit", "activate"]
_STEMS: Mapping[str, str] = {"any": "", "inhibit": "inhibit", "activate": "activat"}
OPPOSITE: Mapping[Polarity, Polarity] = {"inhibit": "activate", "activate": "inhibit"}


@dataclass(frozen=True, slots=True)
class Thing:
    """A drug or a protein as Neo4j has it."""

    id: str
    name: str
    preferred_name: str | None
    synonyms: tuple[str, ...]
    gene: str | None = None
    targeted: bool = False
    weight: float | None = None
    formula: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """A class of drugs or a pathway: its members, and those that it has through its parts only."""

    id: str
    name: str
    members: frozenset[str]
    more: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Graph:
    """Facts by what they are of. Pairs of drugs are keyed by both ids in order, joined by `|`."""

    drugs: Mapping[str, Thing]
    proteins: Mapping[str, Thing]
    acts: Mapping[tuple[str, str], frozenset[str]]  # (drug, protein) -> relations
    effects: Mapping[str, frozenset[str]]  # pair -> relations
    contacts: Mapping[str, frozenset[str]]  # pair -> relations
    classes: tuple[Group, ...]
    pathways: tuple[Group, ...]
    sections: Mapping[tuple[str, str], frozenset[str]]  # (name of a label, section) -> passages
    known: frozenset[str]  # keys of all names
    targets: Mapping[str, frozenset[str]] = field(default_factory=dict)
    ligands: Mapping[str, frozenset[str]] = field(default_factory=dict)
    partners: Mapping[str, frozenset[str]] = field(default_factory=dict)
    touching: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def says(self, drug: str, protein: str, polarity: Polarity, *, bound: bool = False) -> bool:
        """Whether a fact of that polarity is of the two; `bound`: one that says binding as well."""
        return any(
            _STEMS[polarity] in relation and (not bound or "binding" in relation)
            for relation in self.acts.get((drug, protein), ())
        )

    def proteins_of(self, drug: str, polarity: Polarity, *, bound: bool = False) -> frozenset[str]:
        """The proteins that a drug acts on in that way."""
        return frozenset(
            protein
            for protein in self.targets.get(drug, ())
            if self.says(drug, protein, polarity, bound=bound)
        )

    def drugs_of(self, protein: str, polarity: Polarity, *, bound: bool = False) -> frozenset[str]:
        """The drugs that act on a protein in that way."""
        return frozenset(
            drug for drug in self.ligands.get(protein, ()) if self.says(drug, protein, polarity, bound=bound)
        )

    def acting(self, pairs: Iterable[tuple[str, str]], polarity: Polarity) -> frozenset[str]:
        """Those facts as `head|relation|tail`."""
        return frozenset(
            PAIR.join((drug, relation, protein))
            for drug, protein in pairs
            for relation in self.acts.get((drug, protein), ())
            if _STEMS[polarity] in relation
        )

    def causing(self, pairs: Iterable[str], relations: frozenset[str] | None = None) -> frozenset[str]:
        """The side effects of pairs as `head|relation|tail`, in both orders."""
        found = set()
        for pair in pairs:
            one, other = pair.split(PAIR)
            for relation in self.effects.get(pair, ()):
                if relations is None or relation in relations:
                    found |= {PAIR.join((one, relation, other)), PAIR.join((other, relation, one))}
        return frozenset(found)


def pair_key(one: str, other: str) -> str:
    """The key of two drugs in either order."""
    return PAIR.join(sorted((one, other)))


def read_graph(client: Client) -> Graph:
    """All facts that questions are made from. Raises SourceError when there are none."""
    drugs = {row["id"]: _thing(row) for row in client.read("bench/drugs")}
    proteins = {row["id"]: _thing(row) for row in client.read("bench/proteins")}
    acts = _grouped(
        ((row["drug"], row["protein"]), row["relation"].lower()) for row in client.read("bench/targets")
    )
    effects = _grouped(
        (pair_key(row["one"], row["other"]), row["relation"]) for row in client.read("bench/interactions")
    )
    contacts = _grouped(
        (pair_key(row["one"], row["other"]), row["relation"]) for row in client.read("bench/contacts")
    )
    if not acts or not effects:
        raise SourceError(
            "The graph has no drugs with targets and side effects to ask about.",
            remedy="Load one, for example the starter graph: `biomolkg serve` does so in an empty one.",
        )
    classes = [
        Group(row["id"], row["name"], frozenset(row["members"]))
        for row in client.read("bench/classes")
        if not row["hidden"] and row["members"]
    ]
    others = {row["id"]: frozenset(row["things"]) for row in client.read("bench/participants")}
    pathways = [
        Group(
            row["id"],
            row["name"],
            frozenset(row["direct"]),
            (frozenset(row["all"]) | others.get(row["id"], frozenset())) - frozenset(row["direct"]),
        )
        for row in client.read("bench/pathways")
    ]
    sections = {
        (row["name"], row["section"]): frozenset(row["passages"])
        for row in client.read("bench/label_sections")
    }
    return Graph(
        drugs,
        proteins,
        acts,
        effects,
        contacts,
        tuple(classes),
        tuple(pathways),
        sections,
        frozenset(name_key(row["name"]) for row in client.read("bench/names")),
        targets=_grouped(acts),
        ligands=_grouped((protein, drug) for drug, protein in acts),
        partners=_both(effects),
        touching=_both(contacts),
    )


def _thing(row: Mapping[str, Any]) -> Thing:
    return Thing(
        row["id"],
        row["name"],
        row["preferred_name"],
        tuple(row["synonyms"]),
        row.get("gene"),
        bool(row.get("targeted")),
        row.get("weight"),
        row.get("formula"),
    )


def _grouped(rows: Iterable[tuple[Any, str]]) -> dict[Any, frozenset[str]]:
    found: dict[Any, set[str]] = defaultdict(set)
    for key, value in rows:
        found[key].add(value)
    return {key: frozenset(values) for key, values in found.items()}


def _both(pairs: Iterable[str]) -> dict[str, frozenset[str]]:
    ends = [pair.split(PAIR) for pair in pairs]
    return _grouped((one, other) for pair in ends for one, other in (pair, pair[::-1]))
