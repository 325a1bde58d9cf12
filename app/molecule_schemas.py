"""What goes in and out of the routes of molecules, as the API page shows it."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from app.schemas import EntityRefOut, NeighborOut, Refusing, Text, Versioned

_NAPROXEN = "CC(C1=CC2=C(C=C1)C=C(C=C2)OC)C(=O)O"
Pattern = Annotated[
    Text | None,
    Field(
        description="A SMARTS, a SMILES, or the name of a group such as `sulfonamide`, up to 400 characters."
    ),
]


class MoleculeIn(Refusing):
    """A molecule: the `id` of an entity that has a structure, or a `smiles`; exactly one of them."""

    id: Text | None = Field(default=None, max_length=400, description="Id or cross-reference of an entity.")
    smiles: Text | None = Field(default=None, description="Up to 2,000 characters.")

    @model_validator(mode="after")
    def _one(self) -> Self:
        if (self.id is None) == (self.smiles is None):
            raise ValueError("give exactly one of id and smiles")
        return self


class DepictionQuery(Refusing):
    """How an entity is drawn."""

    highlight: Pattern = None
    width: int = Field(default=400, description="Pixels, 50 to 2,000.")
    height: int = Field(default=300, description="Pixels, 50 to 2,000.")


class SmilesDepictionQuery(DepictionQuery):
    """Which molecule is drawn, and how."""

    smiles: Text = Field(description="Up to 2,000 characters.")


class MoleculeSearch(Refusing):
    """What a structure must be like: one condition or several, which all have to hold."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"similar_to": {"smiles": _NAPROXEN}, "min_similarity": 0.3, "k": 5},
                {
                    "similar_to": {"id": "pubchem.compound:5533"},
                    "substructure": "c1ccccc1Cl",
                    "groups": {"piperazine": 1},
                },
                {"groups": {"sulfonamide": 1, "benzene ring": 2}},
            ]
        },
    )

    similar_to: MoleculeIn | None = Field(
        default=None, description="Hits are ranked by Tanimoto similarity to it (Morgan fingerprints)."
    )
    min_similarity: float = Field(
        default=0.0, ge=0, le=1, strict=True, description="The least similarity; none at all is never a hit."
    )
    substructure: Pattern = None
    groups: dict[Text, int] = Field(
        default={},
        description="Functional groups and rings by name, and how often they must be there at least.",
    )
    k: int = Field(default=10, ge=1, strict=True, description="Hits, 1 to 100.")


class MatchOut(BaseModel):
    """Where a fragment is: `atoms` has a list for each place, indexes from 0 in the order of the SMILES."""

    name: str
    count: int
    atoms: list[list[int]]


class MoleculeHitOut(BaseModel):
    """An entity found by its structure; `score` is the similarity if one was asked for, else places found."""

    rank: int
    score: float
    entity: EntityRefOut
    smiles: str
    matches: list[MatchOut]


class MoleculesAnswer(Versioned):
    """The best hits; equal scores are ordered by id. `notes` say why there are none."""

    hits: list[MoleculeHitOut]
    notes: list[str]


class InteractionsRequest(Refusing):
    """Two molecules that may meet."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"first": {"id": "pubchem.compound:4158"}, "second": {"id": "pubchem.compound:5533"}},
                {"first": {"smiles": _NAPROXEN}, "second": {"id": "pubchem.compound:4991"}},
            ]
        },
    )

    first: MoleculeIn
    second: MoleculeIn


class StructureOut(BaseModel):
    """A molecule of the request; `entity` is null for a SMILES."""

    entity: EntityRefOut | None
    smiles: str


class SiteOut(BaseModel):
    """Atoms of one molecule that take part, by index from 0 in the order of its SMILES."""

    role: str
    group: str
    atoms: list[int]


class ProposalOut(BaseModel):
    """One kind of contact that could form, with the sites on each side and one sentence of evidence."""

    category: str
    score: float
    severity: Literal["low", "moderate", "high"]
    mechanism: str
    reason: str
    evidence: str
    first: list[SiteOut]
    second: list[SiteOut]


class InteractionsAnswer(Versioned):
    """`proposals` are hypotheses, the main one first; `recorded` are the graph's own molecular edges."""

    first: StructureOut
    second: StructureOut
    proposals: list[ProposalOut]
    recorded: list[NeighborOut]
