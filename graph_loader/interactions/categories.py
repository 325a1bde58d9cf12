"""The five categories of molecular interaction, and the many spellings that published data has for them."""

from __future__ import annotations

from enum import StrEnum


class Category(StrEnum):
    """Its value is the relation name that a proposed edge carries."""

    HYDROGEN_BONDING = "Hydrogen Bonding"
    STACKING = "π-π Stacking"
    STERIC = "Steric Clashes"
    IONIC = "Ionic Interaction"
    ELECTROSTATIC = "Electrostatic Interaction"


# In this order: "electrostatic interaction (π-cation)" is not a stacking, "ionic" is a part of other words.
_MARKS: tuple[tuple[Category, tuple[str, ...]], ...] = (
    (Category.HYDROGEN_BONDING, ("hydrogen bond", "h-bond", "h bond")),
    (Category.ELECTROSTATIC, ("electrostatic", "cation-π", "π-cation", "cation-pi", "pi-cation", "dipole")),
    (Category.STACKING, ("stack", "π-π", "pi-pi")),
    (Category.STERIC, ("steric",)),
    (Category.IONIC, ("ionic", "salt bridge")),
)


def category_of(spelling: str) -> Category | None:
    """The category that a published relation name means in any of its spellings; None for other names."""
    text = " ".join(spelling.casefold().replace("–", "-").replace("‑", "-").replace("_", " ").split())
    for category, marks in _MARKS:
        if any(mark in text for mark in marks):
            return category
    return None
