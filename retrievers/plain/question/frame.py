"""What kind of answer a question wants, as a record."""

from __future__ import annotations

from dataclasses import dataclass, field

from retrievers.plain.question.elements import Slot

YES_NO, LIST, COUNT, COMPARE, RELATION = "yes_no", "list", "count", "compare", "relation"
BE = frozenset(["is", "are", "was", "were", "be", "been", "being", "am"])


@dataclass(slots=True)
class Frame:
    """How a question is framed. `used`: the elements that this reading accounts for."""

    kind: str
    wanted: str | None = None
    quantifier: str | None = None
    negative: bool = False
    none: bool = False
    rhetorical: bool = False
    existential: bool = False
    why: bool = False
    excluded: list[Slot] = field(default_factory=list)
    used: set[int] = field(default_factory=set)
