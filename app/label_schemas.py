"""What goes in and comes out of the routes of passages and drug labels, as the API page shows it."""

from __future__ import annotations

from pydantic import BaseModel, Field

from app.schemas import EntityRefOut, PassageOut, Refusing, Text, Versioned


class PassagesQuery(Refusing):
    """Which passages of an entity to list."""

    section: Text | None = Field(
        default=None, max_length=100, description="Only this `section`, such as a LOINC code."
    )
    limit: int = Field(default=20, ge=1, description="Rows of this page, up to 200.")
    offset: int = Field(default=0, ge=0, le=1_000_000, description="Rows to skip.")


class SectionQuery(Refusing):
    """Which sections of a label to give."""

    section: Text | None = Field(
        default=None, max_length=100, description="Only sections with this LOINC code."
    )


class LabelsQuery(Refusing):
    """Which labels to list."""

    q: Text = Field(default="", max_length=400, description="Words of a product, substance or drug.")
    limit: int = Field(default=20, ge=1, description="Rows of this page, up to 200.")
    offset: int = Field(default=0, ge=0, le=1_000_000, description="Rows to skip.")


class CitedPassageOut(PassageOut):
    """A passage with where it comes from; `position` is its place in `document`, from 0."""

    source: str
    document: str
    position: int


class PassageAnswer(Versioned):
    """One passage."""

    passage: CitedPassageOut


class PassagesAnswer(Versioned):
    """One page of an entity's passages: those that describe it, then those of its labels."""

    entity: EntityRefOut
    total: int
    passages: list[CitedPassageOut]
    limit: int
    offset: int


class LabelOut(BaseModel):
    """A drug label; `product` is what to call it, `effective` its date as precise as it is given."""

    id: str = Field(examples=["dailymed:608d4f0d-b19f-46d3-749a-7159aa5f933d"])
    product: str
    title: str | None = None
    version: int | None = None
    effective: str | None = None
    document_type: str | None = None
    maker: str | None = None
    products: list[str] = []
    generics: list[str] = []
    substances: list[str] = []
    drugs: list[EntityRefOut]


class FoundLabel(LabelOut):
    """A label that a search found; `exact` when a name of it is written just so, whatever the case."""

    exact: bool


class LabelPassageOut(BaseModel):
    """A part of a section's text."""

    id: str
    text: str
    source: str
    position: int


class SectionOut(BaseModel):
    """A section of a label; `title` has the titles above it, too."""

    section: str | None = Field(description="LOINC code of the section, or of the nearest above it.")
    section_title: str | None
    topic: str | None = Field(description="What the code stands for.")
    title: str
    boxed: bool
    passages: list[LabelPassageOut]


class WholeLabelOut(LabelOut):
    """A label with its sections in the order of the document."""

    uniis: list[str] = []
    classes: list[str] = []
    source: str | None = None
    sections: list[SectionOut]


class LabelAnswer(Versioned):
    """One label."""

    label: WholeLabelOut


class LabelsAnswer(Versioned):
    """One page of labels, exact matches first, then by product; `total` counts all."""

    total: int
    labels: list[FoundLabel]
    limit: int
    offset: int
