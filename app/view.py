"""A view is built from the database: its snapshot, and every retriever on it."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future

from app.models import Models
from app.state import View
from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from cypher.client import Client
from gnn.retriever import untrained_networks
from retrievers.answers import Answerer
from retrievers.bm25 import BM25Retriever
from retrievers.dense import DenseRetriever
from retrievers.fact_details import FactDetails
from retrievers.hits import Filters, Retriever
from retrievers.hybrid import HybridRetriever
from retrievers.mentions import Gazetteer
from retrievers.molecule import MoleculeRetriever
from retrievers.molecules import MoleculeIndex
from retrievers.neo4j import Neo4jRetriever
from retrievers.plain import PlainReader
from retrievers.reactome_snapshot import ReactomeFacts
from retrievers.snapshot import Snapshot, read_snapshot
from retrievers.triple import TripleRetriever
from retrievers.triple.with_reactome import TripleWithReactome

_WARMING = "What is known of {}?"
# Answered from Reactome, which is read for it.
_OF_REACTOME = "Which pathways does {} take part in?"


class Views:
    """Builds views; what does not depend on the graph is made once and shared by all of them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._models = Models(settings.home, threads=settings.threads)
        self._encoder: Future[SentenceEncoder] | None = None
        self._open: list[TripleWithReactome] = []
        self._retired: list[tuple[float, TripleWithReactome]] = []

    def prepare(self) -> None:
        """Begin to load what needs no database, in a thread of its own; `build` waits for it."""
        if self._encoder is None:
            self._encoder = Future()
            threading.Thread(
                target=self._load_encoder, args=(self._encoder,), name="encoder", daemon=True
            ).start()

    def _load_encoder(self, loaded: Future[SentenceEncoder]) -> None:
        try:
            loaded.set_result(SentenceEncoder(self._settings))
        except Exception as error:  # noqa: BLE001 - raised where the encoder is asked for
            loaded.set_exception(error)

    def build(self, client: Client) -> View:
        """A view of what the database holds now. Raises ModelError or DatabaseError."""
        self.prepare()
        assert self._encoder is not None
        snapshot = read_snapshot(client)
        encoder = self._encoder.result()
        gazetteer = Gazetteer(snapshot)
        molecules = MoleculeIndex(snapshot.entities, max_chars=self._settings.max_smiles_chars)
        plain = TripleRetriever(snapshot, encoder, self._settings, gazetteer=gazetteer)
        reactome = ReactomeFacts(client, snapshot.graph_version)
        triple = TripleWithReactome(plain, reactome, encoder, self._settings)
        self._open.append(triple)
        retrievers: tuple[Retriever, ...] = (
            triple,
            Neo4jRetriever(client, encoder, gazetteer, snapshot.relations, self._settings),
            BM25Retriever(snapshot, gazetteer),
            DenseRetriever(snapshot, encoder, gazetteer),
            MoleculeRetriever(snapshot, plain.chemistry, molecules, gazetteer),
        )
        hybrid = HybridRetriever(snapshot, triple, [it for it in retrievers if it.returns == "passage"])
        self._warm(snapshot, [*retrievers, hybrid])
        reader = PlainReader(snapshot, reactome.if_any)
        reader.answer(_WARMING.format(_named(snapshot)), filters=Filters())
        view = View(
            client=client,
            snapshot=snapshot,
            gazetteer=gazetteer,
            retrievers={it.name: it for it in (*retrievers, hybrid, *untrained_networks(snapshot, encoder))},
            details=FactDetails(snapshot),
            molecules=molecules,
            reader=reader,
            entity_ids=frozenset(entity.id for entity in snapshot.entities),
            answerers={"untrained": Answerer(snapshot, triple.without_reactome)},
        )
        self._models.forget()
        return self.with_models(view)

    def with_models(self, view: View) -> View:
        """`view` with the trained models that there are now; the same object while none has changed."""
        changed = self._models.beside(view)
        if changed is not view:
            self._warm(view.snapshot, [model.retriever for model in changed.trained.values()])
        return changed

    def _warm(self, snapshot: Snapshot, retrievers: Sequence[Retriever]) -> None:
        """Ask each retriever once, so that nobody's first question waits for plans, caches and processes."""
        question = _WARMING.format(_named(snapshot))
        for retriever in retrievers:
            retriever.retrieve([question], k=1, filters=Filters())

    def warm_later(self, view: View) -> None:
        """What of the view nobody needs to wait for: Reactome's facts. Raises ModelError or DatabaseError."""
        name = next((it.gene for it in view.snapshot.entities if it.gene), _named(view.snapshot))
        view.reader.answer(_OF_REACTOME.format(name), filters=Filters())

    def retire_older(self) -> None:
        """The latest view has taken the place of those before it, which requests may still be using."""
        now = time.monotonic()
        self._retired += [(now, retriever) for retriever in self._open[:-1]]
        del self._open[:-1]

    def close_retired(self) -> None:
        """End what runs beside views that no request can be using any more."""
        before = time.monotonic() - self._settings.request_timeout
        for since, retriever in list(self._retired):
            if since < before:
                retriever.close()
                self._retired.remove((since, retriever))

    def close(self) -> None:
        """End what runs beside every view."""
        for retriever in [*self._open, *(retriever for _, retriever in self._retired)]:
            retriever.close()
        self._open.clear()
        self._retired.clear()


def _named(snapshot: Snapshot) -> str:
    """Something that the graph has a name of."""
    return snapshot.entities[0].name if snapshot.entities else "aspirin"
