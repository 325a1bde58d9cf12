"""What goes in and out over HTTP, as the API page shows it.

Responses of retrieval are written by `app.formatting`; a test holds the two together.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from retrievers.evidence_types import EvidenceType

Kind = Literal["DDI", "DPI", "MOLECULAR", "ACTION", "FACT", "REACTOME", "HAS_ROLE"]
AskedKind = Literal["DDI", "DPI", "MOLECULAR", "ACTION", "FACT", "REACTOME", "HAS_ROLE", "PASSAGE"]


def _sound(text: str) -> str:
    if "\x00" in text:
        raise ValueError("has a NUL byte; leave it out")
    if not text.isascii() and any("\ud800" <= char <= "\udfff" for char in text):
        raise ValueError("has half of a surrogate pair, which is no character; leave it out")
    return text


def _listed(given: object) -> object:
    """The values of a query parameter, each of which may be several with commas."""
    if not isinstance(given, list):
        return given
    return [part.strip() for one in given for part in (one.split(",") if isinstance(one, str) else (one,))]


Included = Literal["properties", "xrefs", "labels"]
Text = Annotated[str, AfterValidator(_sound)]


class Refusing(BaseModel):
    """A request: unknown fields are refused, so that a misspelt one is not silently without effect."""

    model_config = ConfigDict(extra="forbid")


class RetrieveRequest(Refusing):
    """One question or many; exactly one of `question` and `questions`."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [
                {"question": "Which proteins does Trazodone inhibit?", "k": 5},
                {
                    "questions": [
                        "What happens when Warfarin and Fentanyl are combined?",
                        "Which drugs bind to the histamine H1 receptor?",
                    ],
                    "kinds": ["DDI", "DPI"],
                    "k": 3,
                    "explain": True,
                },
            ]
        },
    )

    question: Text | None = Field(
        default=None, description="A question in plain words, up to 4,000 characters."
    )
    questions: list[Text] | None = Field(
        default=None, min_length=1, description="Up to 256 questions; answered in this order."
    )
    k: int = Field(default=10, ge=1, strict=True, description="Hits a question, 1 to 100.")
    kinds: list[AskedKind] = Field(
        default=[],
        description="Kinds of triple; empty: all but ACTION and REACTOME, which have to be asked for. "
        "`triple` and `hybrid` take ACTION for plain questions about what no DPI is known of. "
        "For `hybrid` also PASSAGE: with it alone only passages, without it only triples.",
    )
    sources: list[Text] = Field(
        default=[], description="Beginnings of `source`, such as `biomolmqa`; empty: all."
    )
    entities: list[Text] = Field(
        default=[], description="Entity ids, one of which a triple must have as an end; empty: all."
    )
    per_entity: int | None = Field(
        default=None,
        ge=1,
        le=100,
        strict=True,
        description="At most so many passages of each entity, or of each label's drugs; null: any number.",
    )
    model: Literal["auto", "untrained", "trained"] = Field(
        default="auto", description="`auto`: trained where ready. `trained`: refused until it is."
    )
    evidence: list[EvidenceType] = Field(
        default=[], description="Types of evidence that hits may be; empty: all. See docs/evidence.md."
    )
    include: list[Included] = Field(
        default=[],
        description="`properties`: what the edges of each triple say, one object a source; "
        "`xrefs`, `labels`: those of both its ends.",
    )
    explain: bool = Field(
        default=False, strict=True, description="Give the terms that each score is the sum of."
    )


class MentionsRequest(Refusing):
    """A text to find names in."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"text": "Warfarin was given together with fentanyl citrate."}]},
    )

    text: Text = Field(description="Up to 20,000 characters.")
    model: Literal["auto", "untrained", "trained"] = Field(
        default="auto", description="`untrained`: exact names alone; `trained`: refused without a tagger."
    )


class SearchQuery(Refusing):
    """Which entities to list."""

    q: Text = Field(
        default="", max_length=400, description="Words of a name or synonym, an id or a cross-reference."
    )
    label: (
        Literal[
            "Drug", "Protein", "Chemical", "Gene", "Transcript", "DrugClass", "Thing", "Pathway", "Reaction"
        ]
        | None
    ) = Field(default=None, description="Only these; pathways and reactions are found only so.")
    limit: int = Field(default=20, ge=1, description="Rows of this page, up to 200.")
    offset: int = Field(default=0, ge=0, le=1_000_000, description="Rows to skip.")


class NeighborsQuery(Refusing):
    """Which facts of an entity to list."""

    kinds: list[Kind] = Field(default=[], description="Kinds of triple; empty: all but ACTION and REACTOME.")
    relation: Text | None = Field(default=None, max_length=400, description="Only this relation, as written.")
    direction: Literal["out", "in", "both"] = Field(
        default="both", description="`out`: the entity is the head; `in`: it is the tail."
    )
    include: Annotated[list[Included], BeforeValidator(_listed)] = Field(
        default=[],
        description="What to tell of each fact and its ends beside what they are; "
        "may be repeated, or be a list with commas.",
    )
    limit: int = Field(default=20, ge=1, description="Rows of this page, up to 200.")
    offset: int = Field(default=0, ge=0, le=1_000_000, description="Rows to skip.")


class EntityRefOut(BaseModel):
    """An entity in short."""

    id: str = Field(examples=["pubchem.compound:5533"])
    name: str = Field(examples=["Trazodone"], description="As the graph's first source writes it.")
    preferred_name: str = Field(examples=["trazodone"], description="As people write it; to be shown.")
    label: str = Field(examples=["Drug"])
    xrefs: list[str] | None = Field(default=None, description="Only with `include`.")
    labels: list[str] | None = Field(default=None, description="Only with `include`.")


class TripleOut(BaseModel):
    """A fact: head, relation, tail."""

    head: EntityRefOut
    relation: str
    tail: EntityRefOut
    kind: Kind


class PassageOut(BaseModel):
    """A piece of text. What stands below `evidence_type` only passages of drug labels have."""

    id: str
    text: str
    title: str
    section: str | None = Field(description="Of a label: the section's LOINC code.")
    entity: EntityRefOut | None = Field(description="What it describes; a label's passage has `drugs`.")
    evidence_type: EvidenceType
    label: str | None = Field(default=None, description="The label's id: `GET /v1/labels/{id}`.")
    product: str | None = None
    drugs: list[EntityRefOut] | None = None
    section_title: str | None = None
    topic: str | None = Field(default=None, description="What the section's code stands for.")
    boxed: bool | None = Field(default=None, description="Whether it is of a boxed warning.")
    effective: str | None = Field(default=None, description="The label's date.")


class HitOut(BaseModel):
    """One ranked piece of evidence: `triple` or `passage`, whichever `kind` says."""

    rank: int
    score: float
    kind: Literal["triple", "passage"]
    triple: TripleOut | None = None
    passage: PassageOut | None = None
    source: str
    sources: list[str] | None = Field(default=None, description="Of a triple: all that state it.")
    evidence_type: EvidenceType
    disputed: bool | None = Field(
        default=None,
        description="Of a triple: whether others say the contrary of its ends.",
    )
    properties: list[dict[str, Any]] | None = Field(
        default=None, description="Only with `include`: what the edges say, one object a source."
    )
    parts: dict[str, float] | None = None


class MentionOut(BaseModel):
    """A name found in a text: characters [start, end), linked to an entity."""

    start: int
    end: int
    text: str
    entity: EntityRefOut
    score: float


class FoundMentionOut(BaseModel):
    """A name found in a text. One of nothing in the graph has no entity and a `label`: what it is taken for.

    Only a trained tagger finds such names.
    """

    start: int
    end: int
    text: str
    entity: EntityRefOut | None
    label: str | None = Field(
        default=None, description="`Chemical`, `Disease`, `Protein` or a type of the tagger's own training."
    )
    score: float


class ResultOut(BaseModel):
    """The answer to one question; `notes` say why little or nothing came back."""

    question: str
    mentions: list[MentionOut]
    hits: list[HitOut]
    notes: list[str]


class RetrieveAnswer(BaseModel):
    """One result a question, in the order asked."""

    retriever: str
    model: Literal["trained", "untrained"] = Field(description="Which of its models answered.")
    graph_version: str
    results: list[ResultOut]
    took_ms: float


class Versioned(BaseModel):
    """Says of which graph it speaks."""

    graph_version: str


class MentionsAnswer(Versioned):
    """The names found in a text, in reading order."""

    mentions: list[FoundMentionOut]


class RetrieverOut(BaseModel):
    """A retriever, whether it is ready, and how it was trained or what to run."""

    name: str
    returns: Literal["triple", "passage", "both"]
    description: str
    ready: bool
    trained: bool
    training: str = Field(description="Data, date and graph version of the training, or what to do for one.")


class RetrieversAnswer(Versioned):
    """Every retriever of this service."""

    retrievers: list[RetrieverOut]


class EntityOut(EntityRefOut):
    """What the graph says of an entity itself; `facts` counts its facts by kind.

    `weight` in g/mol, `tpsa` in Å²; `logp`, `tpsa` and `scaffold` are of the parent: without counter-ions.
    """

    labels: list[str]
    synonyms: list[str]
    aliases: list[str] = Field(description="Further names by which a question may mean it.")
    xrefs: list[str]
    gene: str | None = None
    smiles: str | None = None
    inchikey: str | None = None
    formula: str | None = None
    weight: float | None = None
    canonical_smiles: str | None = None
    charge: int | None = None
    logp: float | None = None
    tpsa: float | None = None
    scaffold: str | None = Field(default=None, description="Murcko's, as SMILES; none for chains.")
    composition: Literal["single", "salt", "solvate", "mixture"] | None = None
    composition_note: str | None = None
    parent_smiles: str | None = None
    groups: dict[str, int]
    passages: int
    facts: dict[str, int]


class EntityAnswer(Versioned):
    """One entity."""

    entity: EntityOut


class FoundEntity(EntityRefOut):
    """An entity that a search found; `exact` when a name of it is written just so, whatever the case."""

    score: float
    exact: bool


class EntitiesAnswer(Versioned):
    """One page of entities, the best match first; `total` counts all, of a search at most 1,000."""

    total: int
    entities: list[FoundEntity]
    limit: int
    offset: int


class NeighborOut(BaseModel):
    """A fact of an entity as a triple, and where it comes from."""

    triple: TripleOut
    source: str
    sources: list[str]
    evidence_type: EvidenceType
    disputed: bool
    properties: list[dict[str, Any]] | None = Field(default=None, description="Only with `include`.")


class NeighborsAnswer(Versioned):
    """One page of the facts of an entity; `total` counts all that pass the filters."""

    entity: EntityRefOut
    total: int
    neighbors: list[NeighborOut]
    limit: int
    offset: int


class LoadOut(BaseModel):
    """One load of a data set; counts of its rows come with it."""

    model_config = ConfigDict(extra="allow")

    id: str
    dataset: str
    state: str
    started: str


class EvidenceOut(BaseModel):
    """How much of the graph is evidence of one type, and what that is, in Biolink's words too."""

    evidence_type: EvidenceType
    knowledge_level: str
    agent_type: str
    meaning: str
    triples: int
    passages: int


class GraphAnswer(Versioned):
    """What is loaded."""

    loading: bool
    evidence: list[EvidenceOut] = Field(description="The strongest type first, without edges of Reactome.")
    counts: dict[str, dict[str, int]] = Field(
        description="By `entities`, `triples` (kinds), `sources` (data sets of triples), "
        "`source_entities` (data sets of entities), `passages`, "
        "`nodes` (Reactome's and drug labels), `links` (edges that are no triples)."
    )
    loads: list[LoadOut]


class FieldErrorOut(BaseModel):
    """A field at fault."""

    field: str
    message: str


class Problem(BaseModel):
    """RFC 9457: what went wrong. `type` is stable."""

    type: str = Field(examples=["urn:biomolkg:problem:invalid-request"])
    title: str
    status: int
    detail: str
    instance: str
    errors: list[FieldErrorOut]


class Health(BaseModel):
    """The process answers."""

    status: Literal["ok"]


class Readiness(BaseModel):
    """Whether questions can be answered, and if not, why."""

    ready: bool
    reason: str | None
    stage: str
    graph_version: str | None
    loading: bool
    notes: list[str] = Field(description="Models that are not served, and why; untrained ones answer.")


class Version(BaseModel):
    """What runs here."""

    name: str
    version: str
    api: str
    python: str
    neo4j: str | None
    browser: str | None = Field(description="Address of Neo4j Browser, where it is known.")
    graph_version: str | None
