"""What a plain question is understood as and what it is answered with."""

from __future__ import annotations

from dataclasses import dataclass

from retrievers.hits import EntityRef

# Why a question has no answer.
UNKNOWN_NAME = "unknown_name"
NO_FACT = "no_fact"
NOT_IN_GRAPH = "not_in_graph"
NOT_UNDERSTOOD = "not_understood"
OUTSIDE = "outside"
REASONS = (UNKNOWN_NAME, NO_FACT, NOT_IN_GRAPH, NOT_UNDERSTOOD, OUTSIDE)


@dataclass(frozen=True, slots=True)
class Named:
    """A name in the question: characters [start, end) and what it stands for.

    kind: drug, protein, family, class, effect, pathway, reaction, chemical, label, thing; or
    absent_drug, absent_protein, condition for names that vocabularies know and the graph does not;
    or unknown. `corrected_from` is the spelling of the question where another was read.
    """

    text: str
    start: int
    end: int
    kind: str
    entities: tuple[EntityRef, ...] = ()
    corrected_from: str | None = None


@dataclass(frozen=True, slots=True)
class Understood:
    """The reading of a question.

    intent: yes_no, list, count, compare, relation, class, class_members, effect, pathway,
    label_section, property, outside or other. direction: `forward` where the subjects act on the
    objects, `backward` where the question has it the other way round, None where it does not
    matter. polarity: positive, negative, or except. quantifier: any, all, both, either or None.
    wanted: the type of thing that is asked for. leftover: content words that nothing accounts for.
    """

    intent: str
    subjects: tuple[Named, ...] = ()
    objects: tuple[Named, ...] = ()
    relation: str | None = None
    direction: str | None = None
    polarity: str = "positive"
    quantifier: str | None = None
    wanted: str | None = None
    excluded: tuple[Named, ...] = ()
    section: str | None = None
    leftover: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact with all the sources that state it.

    triple: its index in the snapshot of its kind (Reactome has one of its own), -1 for a role,
    which is no triple. via: for a role, the class that carries it where that is another.
    """

    head: EntityRef
    relation: str
    tail: EntityRef
    kind: str
    evidence_type: str
    disputed: bool = False
    sources: tuple[str, ...] = ()
    triple: int = -1
    via: str | None = None


@dataclass(frozen=True, slots=True)
class Item:
    """One member of an answer: an entity, a relation, or a passage, with the facts that put it there.

    A pair of drugs is an item of its relation and its fact, without `entity`.
    """

    entity: EntityRef | None = None
    relation: str | None = None
    passage: str | None = None
    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class PlainAnswer:
    """The answer to a question that was read. `items` are complete; paging is the caller's.

    kind: yes_no, entity, list, count, relation, passage, paths or none. verdict: yes, no or unknown
    where a yes/no question was read. An abstention has no `answer`, a `reason`, and says in `notes`
    what is missing; its confidence is 0.
    """

    understood: Understood
    kind: str
    answer: str | None = None
    verdict: str | None = None
    items: tuple[Item, ...] = ()
    because: tuple[Fact, ...] = ()
    related: tuple[Fact, ...] = ()
    confidence: float = 0.0
    abstained: bool = False
    reason: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FactQuery:
    """Facts by structure. Ids or names of entities; all that is left empty allows everything.

    subject and object: the ends; of symmetric kinds they may be exchanged. relation: `inhibition`,
    `activation`, `binding`, or the name of a relation. class_: the subject, or where there is one
    the object, is a member of this class. kinds, evidence: what the facts may be.
    """

    subject: str | None = None
    relation: str | None = None
    object: str | None = None
    kinds: frozenset[str] = frozenset()
    evidence: frozenset[str] = frozenset()
    class_: str | None = None
    offset: int = 0
    limit: int = 100


@dataclass(frozen=True, slots=True)
class FactPage:
    """`facts` from `offset` on, of `total`; `notes` name what was not found."""

    facts: tuple[Fact, ...]
    total: int
    notes: tuple[str, ...] = ()
