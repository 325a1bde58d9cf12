"""A question that was read, with what it takes to answer it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from retrievers.plain.answers.gathering import Gathering
from retrievers.plain.answers.labels import Labels
from retrievers.plain.answers.own_relations import OwnFacts
from retrievers.plain.answers.replies import Replies
from retrievers.plain.question.elements import Slot
from retrievers.plain.question.reading import Reading


@dataclass(slots=True)
class Asked:
    """The names of a question by kind, its relations, and the type of thing that is wanted.

    suggest: names of the graph that a word may be a misspelling of. own: relations of kind FACT.
    in_reactome: whether Reactome has a protein, by its id.
    """

    reading: Reading
    replies: Replies
    gathering: Gathering
    labels: Labels
    suggest: Callable[[str], list[str]]
    own: OwnFacts
    in_reactome: Callable[[str], bool]
    drugs: list[Slot] = field(init=False)
    proteins: list[Slot] = field(init=False)
    classes: list[Slot] = field(init=False)
    effects: list[Slot] = field(init=False)
    conditions: list[Slot] = field(init=False)
    absent: list[Slot] = field(init=False)
    products: list[Slot] = field(init=False)
    relations: set[str] = field(init=False)
    wanted: str | None = field(init=False)

    def __post_init__(self) -> None:
        reading = self.reading
        self.drugs, self.proteins = reading.drugs, reading.proteins
        self.classes, self.effects = reading.classes, reading.effects
        self.conditions = reading.slots("condition")
        self.absent = reading.slots("absent_drug", "absent_protein")
        self.products = reading.slots("label")
        self.relations = reading.relations()
        self.wanted = (reading.frame.wanted or "").partition(":")[0] or None

    @property
    def kind(self) -> str:
        """The frame of the question."""
        return self.reading.frame.kind

    @property
    def arguments(self) -> int:
        """How many things of the graph it names."""
        named = (self.drugs, self.proteins, self.classes, self.effects, self.conditions, self.products)
        return sum(len(it) for it in named)
