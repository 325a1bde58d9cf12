"""Plain questions: read by rule, answered from the facts, or honestly not at all."""

from retrievers.plain.reader import PlainReader
from retrievers.plain.records import (
    REASONS,
    Fact,
    FactPage,
    FactQuery,
    Item,
    Named,
    PlainAnswer,
    Understood,
)

__all__ = [
    "REASONS",
    "Fact",
    "FactPage",
    "FactQuery",
    "Item",
    "Named",
    "PlainAnswer",
    "PlainReader",
    "Understood",
]
