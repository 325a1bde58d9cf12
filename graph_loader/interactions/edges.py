"""The form of a proposed molecular edge: the same whether rules or a language model proposed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from rdkit import Chem

from graph_loader.interactions.categories import Category

Severity = Literal["low", "moderate", "high"]
Role = Literal[
    "hydrogen bond donor",
    "hydrogen bond acceptor",
    "aromatic ring",
    "cation",
    "anion",
    "dipole",
    "bulk",
]
Sentence = Annotated[str, Field(min_length=1, max_length=600)]


class Site(BaseModel):
    """Atoms of one molecule that take part: indexes from 0 in the order of its SMILES; what they form."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    role: Role
    group: Annotated[str, Field(min_length=1, max_length=80)]
    atoms: Annotated[tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=1, max_length=200)]


class Proposal(BaseModel):
    """One category of interaction between a first and a second molecule, with its evidence on each side.

    `severity` is how much the contact can be expected to matter where the two
    molecules meet, `reason` why; neither speaks of harm to a patient. `score` in
    [0, 1] orders the proposals of one pair.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    category: Category
    mechanism: Sentence
    first: Annotated[tuple[Site, ...], Field(min_length=1, max_length=20)]
    second: Annotated[tuple[Site, ...], Field(min_length=1, max_length=20)]
    severity: Severity
    reason: Sentence
    score: Annotated[float, Field(ge=0, le=1)]


class Proposals(BaseModel):
    """The proposals for one pair, the main one first; empty when nothing suggests an interaction."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    proposals: Annotated[tuple[Proposal, ...], Field(max_length=len(Category))]


def wrong_with(answer: Proposals, first: Chem.Mol, second: Chem.Mol) -> list[str]:
    """What the schema cannot say: repeated categories, wrong order, atoms that a molecule does not have."""
    wrong = []
    categories = [proposal.category for proposal in answer.proposals]
    if len(set(categories)) < len(categories):
        wrong.append("a category is proposed twice")
    scores = [proposal.score for proposal in answer.proposals]
    if scores != sorted(scores, reverse=True):
        wrong.append("the proposals are not in the order of their scores")
    for side, molecule in (("first", first), ("second", second)):
        size = molecule.GetNumAtoms()
        for proposal in answer.proposals:
            sites: tuple[Site, ...] = getattr(proposal, side)
            if any(atom >= size for site in sites for atom in site.atoms):
                wrong.append(f"{proposal.category}: the {side} molecule has only atoms 0 to {size - 1}")
    return wrong


def evidence_text(proposal: Proposal, first: Chem.Mol, second: Chem.Mol, names: Sequence[str]) -> str:
    """One sentence a side: `names` are those of the two drugs; atoms are shown as element and index (O5)."""
    sides = ((names[0], proposal.first, first), (names[1], proposal.second, second))
    return " ".join(
        f"{name}: {'; '.join(f'{site.group} ({site.role}: {_atoms(site, molecule)})' for site in sites)}."
        for name, sites, molecule in sides
    )


def _atoms(site: Site, molecule: Chem.Mol) -> str:
    return ", ".join(f"{molecule.GetAtomWithIdx(atom).GetSymbol()}{atom}" for atom in site.atoms)
