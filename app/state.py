"""What the service knows right now: one graph version and all that answers from it, and how it stands.

Routes read it from the event loop, the upkeep thread writes it; each value is
immutable and replaced whole, so a request sees one graph version from its
beginning to its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Event

from biomolkg.errors import BioMolKGError, NotReady
from cypher.client import Client
from retrievers.answers import Answerer
from retrievers.artifacts import Training
from retrievers.fact_details import FactDetails
from retrievers.hits import Retriever
from retrievers.mentions import Gazetteer
from retrievers.molecules import MoleculeIndex
from retrievers.plain import PlainReader
from retrievers.snapshot import Snapshot
from retrievers.tagger.recognition import Recogniser


@dataclass(frozen=True, slots=True, eq=False)
class TrainedModel:
    """A retriever with its trained model, and what that was trained on."""

    retriever: Retriever
    training: Training


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One graph version and everything that answers from it.

    trained: models that fit it, by the name of their retriever; model_faults: why others are not served.
    reader: answers questions that name things. answerers: those that describe them; `untrained` and, where
    `triple` is trained, `trained`.
    recogniser: the gazetteer with the trained tagger beside it, where there is one.
    """

    client: Client
    snapshot: Snapshot
    gazetteer: Gazetteer
    retrievers: Mapping[str, Retriever]
    details: FactDetails
    molecules: MoleculeIndex
    reader: PlainReader
    entity_ids: frozenset[str]
    trained: Mapping[str, TrainedModel] = field(default_factory=dict)
    model_faults: Mapping[str, str] = field(default_factory=dict)
    answerers: Mapping[str, Answerer] = field(default_factory=dict)
    recogniser: Recogniser | None = None

    @property
    def graph_version(self) -> str:
        """The graph version that every answer of this view is of."""
        return self.snapshot.graph_version


@dataclass(frozen=True, slots=True)
class Condition:
    """How the service stands: its stage and, unless it is ready, the reason."""

    stage: str
    reason: str | None
    loading: bool = False


@dataclass(slots=True)
class LiveState:
    """The current view and condition."""

    view: View | None = None
    condition: Condition = Condition("starting", "The service is starting.")
    fatal: BioMolKGError | None = None
    neo4j: str | None = None
    browser: str | None = None
    # Set by a request that met a broken database, so that the next look at it is not waited for.
    alarm: Event = field(default_factory=Event)

    @property
    def ready(self) -> bool:
        """Whether `/readyz` answers 200."""
        return self.view is not None and self.condition.reason is None

    def database_fault(self) -> str | None:
        """Why the database does not answer; None while it does."""
        return self.condition.reason if self.condition.stage == "database" else None

    def current(self) -> View:
        """The view to answer from. Raises NotReady while there is none."""
        view = self.view
        if view is None:
            reason = self.condition.reason or "No graph is loaded yet."
            raise NotReady(reason, remedy="Ask /readyz until it answers 200.")
        return view

    def enter(self, stage: str, reason: str) -> None:
        """Note that the service is not ready, and why."""
        self.condition = replace(self.condition, stage=stage, reason=reason)

    def settle(self, *, loading: bool) -> None:
        """Note that the view is of the database's graph version."""
        self.condition = replace(self.condition, stage="ready", reason=None, loading=loading)
