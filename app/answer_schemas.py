"""What goes in and out of `/v1/answer`, as the API page shows it."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from app.schemas import EntityRefOut, Kind, Refusing, Text, TripleOut, Versioned

EvidenceType = Literal[
    "curated", "database", "text_mined", "report_signal", "model_written", "label", "imported", "composed"
]
Reason = Literal["unknown_name", "no_fact", "not_in_graph", "not_understood", "outside"]


class AnswerRequest(Refusing):
    """One question or many; exactly one of `question` and `questions`."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"question": "Which proteins does trazodone inhibit?"},
                {"question": "Is aspirin an NSAID?"},
                {"questions": ["What happens when warfarin and fentanyl are combined?"], "k": 3},
            ]
        },
    )

    question: Text | None = Field(
        default=None, description="A question in plain words, up to 4,000 characters."
    )
    questions: list[Text] | None = Field(
        default=None, min_length=1, description="Up to 256 questions; answered in this order."
    )
    k: int = Field(default=5, ge=1, strict=True, description="Items and candidates a question, 1 to 100.")
    cursor: Text | None = Field(
        default=None, max_length=400, description="`cursor` of an answer to the same body: its next items."
    )
    kinds: list[Kind] = Field(
        default=[],
        description="Kinds of triple to answer from; empty: whatever the question needs. "
        "A question that describes things is answered from DDI, DPI, MOLECULAR, ACTION and FACT alone.",
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


class NamedOut(BaseModel):
    """A name in the question, characters [start, end), and what it stands for.

    kind: `drug`, `protein`, `family`, `class`, `effect`, `pathway`, …; `absent_drug`, `absent_protein`
    and `condition` for what vocabularies know and the graph has not; `unknown`. `corrected_from` is the
    spelling of the question where another was read.
    """

    text: str
    start: int
    end: int
    kind: str
    entities: list[EntityRefOut]
    corrected_from: str | None


class UnderstoodOut(BaseModel):
    """How a question was read. `intent` is `description` where it names nothing to look up.

    `direction`: `forward` where subjects act on objects, `backward` the other way round. `leftover`:
    words that the reading does not account for.
    """

    intent: str
    subjects: list[NamedOut]
    objects: list[NamedOut]
    excluded: list[NamedOut]
    relation: str | None
    direction: str | None
    polarity: str
    quantifier: str | None
    wanted: str | None
    section: str | None
    leftover: list[str]


class FactOut(BaseModel):
    """A fact of the graph: a triple, what it is worth, and all the sources that state it.

    `disputed`: another fact of the same pair says the contrary. `via`: of a role, the class that carries it.
    """

    head: EntityRefOut
    relation: str
    tail: EntityRefOut
    kind: str
    evidence_type: EvidenceType
    disputed: bool
    sources: list[str]
    via: str | None


class ItemOut(BaseModel):
    """One member of the answer: an entity, a relation or a passage, with the facts that put it there."""

    entity: EntityRefOut | None
    relation: str | None
    passage: str | None = Field(description="Id of a passage: `GET /v1/passages/{id}` reads it.")
    facts: list[FactOut]


class CitedOut(BaseModel):
    """What to cite: a fact in words or a passage, its sources, and the routes that show it."""

    text: str
    evidence_type: EvidenceType | None
    sources: list[str]
    routes: list[str]


class CitationOut(BaseModel):
    """A triple that speaks for a candidate, with its place in the ranking of `triple`."""

    rank: int
    score: float
    triple: TripleOut
    source: str


class CandidateOut(BaseModel):
    """A possible answer: an entity, or a relation (then `entity` is null).

    `score` is from 0 to 1.
    """

    rank: int
    answer: str
    entity: EntityRefOut | None
    score: float
    triples: list[CitationOut]


class AnsweredOut(BaseModel):
    """The answer to one question; null with `abstained`, a `reason`, and notes that say what is missing.

    `verdict` is set where yes or no was asked: `no` only where a fact says so, `unknown` without one.
    `items`: at most `k` of `total`; `cursor` asks for the next. `candidates`: the items, or what a
    description may mean, by rank.
    """

    question: str
    understood: UnderstoodOut
    kind: Literal["yes_no", "entity", "list", "count", "relation", "passage", "paths", "none"]
    answer: str | None
    verdict: Literal["yes", "no", "unknown"] | None
    items: list[ItemOut]
    total: int
    cursor: str | None
    because: list[FactOut]
    related: list[FactOut]
    confidence: float
    abstained: bool
    reason: Reason | None
    citations: list[CitedOut]
    candidates: list[CandidateOut]
    notes: list[str]


class AnswersAnswer(Versioned):
    """One answer a question, in the order asked."""

    model: Literal["trained", "untrained"]
    results: list[AnsweredOut]
    took_ms: float
