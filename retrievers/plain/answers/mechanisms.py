"""How molecules are said to meet: hydrogen bonds, stacking, charges, steric clashes."""

from __future__ import annotations

from biomolkg.names import name_words
from retrievers.plain.answers.gathering import Gathering
from retrievers.plain.question.reading import Reading

NO_RELATION = -1
# Beginnings of words in a question, and of those in the name of a relation that is meant by them.
_MECHANISMS = (
    (("hydrogen", "h bond", "h bridge"), ("hydrogen", "h bond")),
    (("stack", "pi ", "aromatic"), ("stack", "pi pi")),
    (("ionic", "salt"), ("ionic", "salt")),
    (("electrostatic", "charge", "dipole"), ("electrostatic",)),
    (("steric",), ("steric",)),
    (("hydrophobic",), ("hydrophobic",)),
    (("van der waals", "vdw", "dispersion"), ("van der waals",)),
    (("halogen",), ("halogen",)),
    (("covalent",), ("covalent",)),
)


def mechanisms(reading: Reading, gathering: Gathering) -> list[int]:
    """The molecular relations of a mechanism that the question names; none if it names none.

    `NO_RELATION` alone where the graph has none of that mechanism.
    """
    elements = reading.elements
    said = [
        " ".join(token.text for token in elements.tokens[it.start : it.end])
        for it in elements.cues
        if "molecular" in it.values("rel")
    ]
    found: list[int] = []
    named = False
    for words, names in _MECHANISMS:
        if any(_has(text, words) for text in said):
            named = True
            found.extend(
                at
                for at, relation in enumerate(gathering.facts.snapshot.relations)
                if relation.kind == "MOLECULAR" and _has(" ".join(name_words(relation.name)), names)
            )
    return found or [NO_RELATION] * named


def _has(text: str, beginnings: tuple[str, ...]) -> bool:
    return any(f" {it}" in f" {text} " for it in beginnings)
