"""A view is built from the database: its snapshot, and every retriever on it."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future

import structlog

from app.graph_state import read_graph_mark
from app.indexes import Indexes, make_indexes, name_in, warm
from app.models import Models
from app.state import View
from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from cypher.client import Client
from retrievers.answers import Answerer
from retrievers.hits import Filters, Retriever
from retrievers.neo4j import Neo4jRetriever
from retrievers.snapshot import Snapshot, read_snapshot
from retrievers.snapshot_file import GraphMark, SnapshotFile
from retrievers.triple.with_reactome import TripleWithReactome

# Answered from Reactome, which is read for it.
_OF_REACTOME = "Which pathways does {} take part in?"

logger = structlog.get_logger()


class Views:
    """Builds views; what does not depend on the graph is made once and shared by all of them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._models = Models(settings.home, threads=settings.threads)
        self._file = None
        if settings.snapshot_cache:
            database = f"{settings.neo4j_uri or 'managed'} {settings.neo4j_database}"
            self._file = SnapshotFile(settings.home, database)
        self._encoder: Future[SentenceEncoder] | None = None
        self._ahead: Future[tuple[GraphMark, Indexes] | None] | None = None
        self._open: list[TripleWithReactome] = []
        self._retired: list[tuple[float, TripleWithReactome]] = []

    def prepare(self) -> None:
        """Begin what needs no database, in threads of its own; `build` waits for it.

        That is the encoder, and the indexes of the graph that was served last.
        """
        if self._encoder is not None:
            return
        self._encoder = Future()
        threading.Thread(
            target=self._load_encoder, args=(self._encoder,), name="encoder", daemon=True
        ).start()
        if self._file is not None:
            self._ahead = Future()
            threading.Thread(
                target=self._index_ahead, args=(self._file, self._ahead), name="indexes", daemon=True
            ).start()

    def _load_encoder(self, loaded: Future[SentenceEncoder]) -> None:
        try:
            loaded.set_result(SentenceEncoder(self._settings))
        except Exception as error:  # noqa: BLE001 - raised where the encoder is asked for
            loaded.set_exception(error)

    def _index_ahead(self, file: SnapshotFile, made: Future[tuple[GraphMark, Indexes] | None]) -> None:
        try:
            kept = file.load()
            made.set_result(None if kept is None else (kept[0], self._index(kept[1])))
        except Exception as error:  # noqa: BLE001 - the graph is read from the database instead
            logger.warning("snapshot file not used", path=str(file.path), reason=repr(error))
            made.set_result(None)

    def _index(self, snapshot: Snapshot) -> Indexes:
        self.prepare()
        assert self._encoder is not None
        return make_indexes(snapshot, self._encoder.result(), self._settings)

    def build(self, client: Client) -> View:
        """A view of what the database holds now. Raises ModelError or DatabaseError."""
        self.prepare()
        indexes = self._current_indexes(client)
        snapshot = indexes.snapshot
        self._open.append(indexes.triple)
        assert self._encoder is not None
        encoder = self._encoder.result()
        indexes.reactome.connect(client)
        neo4j = Neo4jRetriever(client, encoder, indexes.gazetteer, snapshot.relations, self._settings)
        retrievers: tuple[Retriever, ...] = (
            indexes.triple,
            neo4j,
            *indexes.passages,
            indexes.hybrid,
            *indexes.networks,
        )
        view = View(
            client=client,
            snapshot=snapshot,
            gazetteer=indexes.gazetteer,
            retrievers={it.name: it for it in retrievers},
            details=indexes.details,
            molecules=indexes.molecules,
            reader=indexes.reader,
            entity_ids=frozenset(entity.id for entity in snapshot.entities),
            answerers={"untrained": Answerer(snapshot, indexes.triple.without_reactome)},
        )
        self._models.forget()
        return self.with_models(view)

    def _current_indexes(self, client: Client) -> Indexes:
        """Those of the file where it is of the state that the database says it has, else of a new reading."""
        mark = read_graph_mark(client)
        ahead, self._ahead = self._ahead, None
        made = None if ahead is None else ahead.result()
        if made is not None:
            if made[0] == mark:
                return made[1]
            made[1].triple.close()
            logger.info("snapshot file is of another graph", kept=made[0].version, graph=mark.version)
        snapshot = read_snapshot(client)
        if (
            self._file is not None
            and snapshot.graph_version == mark.version
            and read_graph_mark(client) == mark
        ):
            self._file.save(mark, snapshot)
        return self._index(snapshot)

    def with_models(self, view: View) -> View:
        """`view` with the trained models that there are now; the same object while none has changed."""
        changed = self._models.beside(view)
        if changed is not view:
            warm(view.snapshot, [model.retriever for model in changed.trained.values()])
        return changed

    def warm_later(self, view: View) -> None:
        """What of the view nobody needs to wait for: the database's plans, Reactome's facts.

        Raises ModelError or DatabaseError.
        """
        warm(view.snapshot, [view.retrievers["neo4j"]])
        name = next((it.gene for it in view.snapshot.entities if it.gene), name_in(view.snapshot))
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
        """End what runs beside every view, and beside what was made ahead for one."""
        if self._ahead is not None:
            self._ahead.add_done_callback(_close_made)
        for retriever in [*self._open, *(retriever for _, retriever in self._retired)]:
            retriever.close()
        self._open.clear()
        self._retired.clear()


def _close_made(made: Future[tuple[GraphMark, Indexes] | None]) -> None:
    kept = made.result()
    if kept is not None:
        kept[1].triple.close()
