"""What goes in and out of `/v1/answer`, as the API page shows it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.schemas import EntityRefOut, Refusing, Text, TripleOut, Versioned

AnswerKind = Literal["DDI", "DPI", "MOLECULAR", "ACTION", "FACT"]


class AnswerRequest(Refusing):
    """One question or many; exactly one of `question` and `questions`."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"question": "Which proteins does Trazodone inhibit?"},
                {"questions": ["What happens when Warfarin and Fentanyl are combined?"], "k": 3},
            ]
        },
    )

    question: Text | None = Field(
        default=None, description="A question in plain words, up to 4,000 characters."
    )
    questions: list[Text] | None = Field(
        default=None, min_length=1, description="Up to 256 questions; answered in this order."
    )
    k: int = Field(default=5, ge=1, strict=True, description="Candidates a question, 1 to 100.")
    kinds: list[AnswerKind] = Field(
        default=[],
        description="Kinds of triple to answer from; empty: all but ACTION, "
        "which answers plain questions about what no DPI is known of.",
    )
    sources: list[Text] = Field(
        default=[], description="Beginnings of `source`, such as `biomolmqa`; empty: all."
    )
    entities: list[Text] = Field(
        default=[], description="Entity ids, one of which a triple must have as an end; empty: all."
    )
    model: Literal["auto", "untrained", "trained"] = Field(
        default="auto", description="`auto`: trained where ready. `trained`: refused until it is."
    )


class CitationOut(BaseModel):
    """A triple that speaks for a candidate, with its place in the ranking of `triple`."""

    rank: int
    score: float
    triple: TripleOut
    source: str


class CandidateOut(BaseModel):
    """A possible answer: an entity, or a relation (then `entity` is null). `score` is from 0 to 1."""

    rank: int
    answer: str
    entity: EntityRefOut | None
    score: float
    triples: list[CitationOut]


class AnsweredOut(BaseModel):
    """The answer to one question; null with `abstained` when evidence or confidence do not suffice."""

    question: str
    answer: str | None
    kind: Literal["entity", "relation"] | None
    confidence: float
    abstained: bool
    candidates: list[CandidateOut]
    notes: list[str]


class AnswersAnswer(Versioned):
    """One answer a question, in the order asked."""

    model: Literal["trained", "untrained"]
    results: list[AnsweredOut]
    took_ms: float
