"""Which sort of contact between molecules a question asks for: a hydrogen bond is no stacking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from retrievers.plain.names.words import key_of
from retrievers.plain.question.reading import Reading
from retrievers.snapshot import Relation

NO_RELATION = -1
# Sources name one sort in many ways; what of the name, and of the question, says which it is.
_SORTS: Mapping[str, tuple[str, ...]] = {
    "hydrogen bond": ("hydrogen", "h bond"),
    "stacking": ("stack", "pi pi", "aromatic"),
    "steric": ("steric",),
    "charge": ("ionic", "electrostatic", "salt bridge"),
    "hydrophobic": ("hydrophobic",),
    "dispersion": ("van der waals",),
}


def contacts(reading: Reading, relations: Sequence[Relation]) -> frozenset[int]:
    """Places of the relations of the sorts that are asked for, empty where none is told.

    Of a sort that no relation is of, `NO_RELATION` alone.
    """
    asked = {
        sort
        for cue in reading.elements.cues
        if "molecular" in cue.values("rel")
        for sort in _sorts(reading.elements.written(cue))
    }
    if not asked:
        return frozenset()
    found = {
        at
        for at, relation in enumerate(relations)
        if relation.kind == "MOLECULAR" and asked & _sorts(relation.name)
    }
    return frozenset(found or {NO_RELATION})


def _sorts(text: str) -> set[str]:
    words = " ".join(key_of(text))
    return {sort for sort, parts in _SORTS.items() if any(part in words for part in parts)}
