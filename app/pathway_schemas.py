"""What comes out of the routes of Reactome, as the API page shows it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from app.schemas import EntityRefOut, FoundEntity, Refusing, Text, Versioned


class ParticipantsQuery(Refusing):
    """Which participants of a pathway to list."""

    direct: bool | None = Field(
        default=None, description="`true`: only in its own reactions; `false`: only in pathways below."
    )
    label: Literal["Drug", "Protein", "Chemical", "Gene", "Transcript"] | None = Field(
        default=None, description="Only these."
    )
    limit: int = Field(default=20, ge=1, description="Rows of this page, up to 200.")
    offset: int = Field(default=0, ge=0, le=1_000_000, description="Rows to skip.")


class EventsQuery(Refusing):
    """Which pathways or reactions to list."""

    q: Text = Field(default="", max_length=400, description="Words of a name or synonym, or a stable id.")
    limit: int = Field(default=20, ge=1, description="Rows of this page, up to 200.")
    offset: int = Field(default=0, ge=0, le=1_000_000, description="Rows to skip.")


class EventsAnswer(Versioned):
    """One page of pathways or reactions, the best match first; of a search `total` counts at most 1,000."""

    total: int
    events: list[FoundEntity]
    limit: int
    offset: int


class EventOut(EntityRefOut):
    """What pathways and reactions have in common."""

    synonyms: list[str]
    species: str | None
    version: int | None
    disease: bool
    source: str


class PathwayOut(EventOut):
    """A pathway; `reactions` are its own, `participants` and `direct` count what takes part in it."""

    above: list[EntityRefOut]
    below: list[EntityRefOut]
    reactions: list[EntityRefOut]
    participants: int
    direct: int


class PathwayAnswer(Versioned):
    """One pathway."""

    pathway: PathwayOut


class ParticipationOut(BaseModel):
    """Something that takes part in a pathway; `source` is a reaction that shows it, or a row of a table."""

    entity: EntityRefOut
    direct: bool
    source: str
    evidence: str | None


class ParticipantsAnswer(Versioned):
    """One page of a pathway's participants, those of its own reactions first; `total` counts all."""

    pathway: EntityRefOut
    total: int
    participants: list[ParticipationOut]
    limit: int
    offset: int


class ParticipantOut(BaseModel):
    """A molecule, complex or set in a reaction."""

    entity: EntityRefOut
    compartment: str | None
    stoichiometry: int | None
    regulation: Literal["activation", "inhibition", "requirement", "regulation"] | None


class ReactionOut(EventOut):
    """A reaction, the pathways that it happens in, and what takes part in it."""

    reaction_class: str
    pathways: list[EntityRefOut]
    inputs: list[ParticipantOut]
    outputs: list[ParticipantOut]
    catalysts: list[ParticipantOut]
    regulators: list[ParticipantOut]
    before: list[EntityRefOut]
    after: list[EntityRefOut]


class ReactionAnswer(Versioned):
    """One reaction."""

    reaction: ReactionOut
