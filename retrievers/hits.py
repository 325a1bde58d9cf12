"""What a retriever is asked and what it answers: one shape for every retriever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from biomolkg.preferred_names import choose_name
from retrievers.evidence_types import kinds_with

TRIPLE_KINDS = ("DDI", "DPI", "MOLECULAR", "ACTION", "FACT", "REACTOME", "HAS_ROLE")
DEFAULT_TRIPLE_KINDS = ("DDI", "DPI", "MOLECULAR", "FACT")
# Among `kinds`, it asks a retriever of both for passages.
PASSAGE_KIND = "PASSAGE"
KIND_LABELS = (
    "Drug",
    "Protein",
    "Chemical",
    "PhysicalEntity",
    "Reaction",
    "Pathway",
    "Gene",
    "Transcript",
    "Thing",
    "DrugClass",
)


@dataclass(frozen=True, slots=True)
class EntityRef:
    """An entity as a hit shows it: `name` as its source writes it, `preferred_name` as people do."""

    id: str
    name: str
    label: str
    preferred_name: str = field(compare=False)


# What is called by numbers, codes and systematic names; a gene's symbol is its name.
_CHEMICAL_LABELS = frozenset(("Drug", "Chemical"))


def shown_name(name: str, label: str, stated: str | None = None, others: Sequence[str] = ()) -> str:
    """The preferred name: the one that the graph states or, without one, the best of its names by rule."""
    return stated or choose_name(name, others, chemical=label in _CHEMICAL_LABELS) or name


def entity_ref(row: Mapping[str, Any]) -> EntityRef:
    """The entity of a row with `id`, `name`, `labels` and, where it has them, preferred_name and synonyms."""
    label = entity_label(row["labels"])
    shown = shown_name(row["name"], label, row.get("preferred_name"), row.get("synonyms") or ())
    return EntityRef(row["id"], row["name"], label, shown)


def entity_label(labels: Sequence[str]) -> str:
    """The label of a node that says which kind of thing it is."""
    return next((label for label in KIND_LABELS if label in labels), "Entity")


@dataclass(frozen=True, slots=True)
class TripleHit:
    """A fact edge: (head, relation, tail), with its kind."""

    head: EntityRef
    relation: str
    tail: EntityRef
    kind: str


@dataclass(frozen=True, slots=True)
class PassageHit:
    """A passage of text and the entity it describes, if any.

    One of a drug label has the label's id, product, date and drugs, and what its section is.
    """

    id: str
    text: str
    title: str
    section: str | None
    entity: EntityRef | None
    label: str | None = None
    product: str | None = None
    drugs: tuple[EntityRef, ...] = ()
    section_title: str | None = None
    topic: str | None = None
    boxed: bool = False
    effective: str | None = None


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked piece of evidence. Exactly one of `triple` and `passage` is set.

    `rank` counts from 1; `score` strictly decreases along a result, ties broken
    by (head id, relation, tail id) or passage id. `parts` are the terms that the
    score is the sum of, present only when asked for.
    """

    rank: int
    score: float
    source: str
    triple: TripleHit | None = None
    passage: PassageHit | None = None
    parts: Mapping[str, float] | None = None

    @property
    def kind(self) -> str:
        """`triple` or `passage`."""
        return "triple" if self.triple is not None else "passage"


def triple_order(hit: Hit) -> tuple[str, str, str]:
    """(head id, relation, tail id) of a triple: what decides between equal scores."""
    triple = hit.triple
    return ("", "", "") if triple is None else (triple.head.id, triple.relation, triple.tail.id)


@dataclass(frozen=True, slots=True)
class Mention:
    """A name found in a question: characters [start, end) and the entity it is linked to."""

    start: int
    end: int
    text: str
    entity: EntityRef
    score: float


@dataclass(frozen=True, slots=True)
class Filters:
    """What hits are allowed: kinds of triple, sources (prefixes of `source`), entity ids.

    An empty `sources` or `entities` allows everything; with `entities`, a triple
    passes when one of its ends is listed. An empty `kinds` means DEFAULT_TRIPLE_KINDS.
    `evidence`: types of evidence (`retrievers.evidence_types`); empty allows every type.
    `per_entity`: at most so many passages of each entity; None for any number.
    """

    kinds: frozenset[str] = frozenset()
    sources: frozenset[str] = frozenset()
    entities: frozenset[str] = frozenset()
    per_entity: int | None = None
    evidence: frozenset[str] = frozenset()

    def allowed_kinds(self) -> frozenset[str]:
        """The kinds of triple that may pass: those asked for, or the default ones, of such evidence."""
        kinds = self.kinds or frozenset(DEFAULT_TRIPLE_KINDS)
        return kinds & kinds_with(self.evidence) if self.evidence else kinds


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to one question. `notes` says, stage by stage, why little or nothing came back.

    trained: whether its scores are log-probabilities by a trained ranking of triples, which leaves
    some questions to the untrained one.
    """

    question: str
    hits: Sequence[Hit]
    mentions: Sequence[Mention] = ()
    notes: Sequence[str] = field(default=())
    trained: bool = False


class Retriever(Protocol):
    """The one shape: questions in, a result for each in the same order. Safe to call from threads."""

    name: str
    returns: str

    def retrieve(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool = False
    ) -> list[Result]:
        """Rank at most `k` hits a question; a question without evidence gets an empty result."""
        ...
