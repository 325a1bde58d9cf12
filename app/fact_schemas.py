"""What goes in and out of `/v1/facts`, as the API page shows it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

from app.answer_schemas import EvidenceType, FactOut
from app.schemas import EntityRefOut, Kind, Refusing, Text, Versioned


class FactsRequest(Refusing):
    """Facts by structure, for whoever has read the question already. What is left out allows everything."""

    model_config = ConfigDict(
        extra="forbid",
        populate_by_name=True,
        json_schema_extra={
            "examples": [
                {"subject": "trazodone", "relation": "inhibit"},
                {"object": "histamine H1 receptor", "relation": "inhibit", "limit": 5},
                {"subject": "warfarin", "object": "fentanyl", "kinds": ["DDI"]},
            ]
        },
    )

    subject: Text | None = Field(
        default=None,
        max_length=400,
        description="Id or name of what acts; of symmetric kinds, such as DDI, either end.",
    )
    relation: Text | None = Field(
        default=None,
        max_length=400,
        description="`inhibit`, `activate`, `bind`, `any`, or the name of a relation as in the graph.",
    )
    object: Text | None = Field(default=None, max_length=400, description="Id or name of the other end.")
    kinds: list[Kind] = Field(
        default=[], description="Kinds of triple; empty: all but REACTOME and HAS_ROLE."
    )
    evidence: list[EvidenceType] = Field(default=[], description="Types of evidence; empty: all.")
    class_: Text | None = Field(
        default=None,
        alias="class",
        max_length=400,
        description="Id or name of a class of drugs: a member of it is the subject, or the object where a "
        "subject is given.",
    )
    sources: list[Text] = Field(default=[], description="Beginnings of `source`; empty: all.")
    cursor: Text | None = Field(
        default=None, max_length=400, description="`cursor` of an answer to the same body: its next facts."
    )
    limit: int = Field(default=20, ge=1, strict=True, description="Facts of this page, up to 200.")


class ResolvedOut(BaseModel):
    """What the names of the request stand for: one thing, or the members of a family."""

    subject: list[EntityRefOut]
    object: list[EntityRefOut]
    class_: list[EntityRefOut] = Field(alias="class")


class FactsAnswer(Versioned):
    """One page of facts, the strongest evidence first; `total` counts all, `cursor` asks for the next."""

    resolved: ResolvedOut
    facts: list[FactOut]
    total: int
    cursor: str | None
    notes: list[str]
    took_ms: float
