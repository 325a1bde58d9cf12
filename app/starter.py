"""The starter graph at a start: parts that questions wait for, and parts that load meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from app.database import Ending
from app.graph_state import FACTS, PATHWAYS, VOCABULARY, missing_starter_parts, read_graph_state
from biomolkg.errors import BioMolKGError
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.ledger import Ledger
from graph_loader.loading import load_starter, load_starter_pathways
from graph_loader.vocabulary.loading import load_vocabulary

TELL_SECONDS = 5.0
RETRY_SECONDS = 5.0
# Longer than one batch of a load takes.
LAST_SECONDS = 10.0

logger = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Part:
    """One data set of the starter graph; `title` is what the lines of a start call it.

    awaited: questions wait for it. The others are loaded while questions are answered.
    """

    dataset: str
    title: str
    load: Callable[..., Ledger]
    awaited: bool
    wanted: Callable[[Settings], bool] = lambda _settings: True


# In the order in which they are loaded.
PARTS = (
    Part(FACTS, "drugs, proteins and their interactions", load_starter, awaited=True),
    Part(VOCABULARY, "names and classes", load_vocabulary, awaited=True),
    Part(
        PATHWAYS,
        "Reactome's pathways and reactions",
        load_starter_pathways,
        awaited=False,
        wanted=lambda settings: settings.starter_pathways,
    ),
)


class Starter:
    """Loads what an empty database lacks of the starter graph, or what a start that was ended left undone."""

    def __init__(self, settings: Settings, tell: Callable[[str], None], ending: threading.Event) -> None:
        self._settings = settings
        self._tell = tell
        self._ending = ending
        self._told = 0.0
        self._later: tuple[Part, ...] = ()
        self._thread: threading.Thread | None = None

    @property
    def pending(self) -> bool:
        """Whether parts are still to be loaded while questions are answered."""
        return bool(self._later)

    def load_awaited(self, client: Client) -> None:
        """Load the parts that questions wait for. Raises DatabaseError, and Ending when the service ends."""
        missing = self._missing(client)
        # A graph with half a part in it is not answered from.
        cut_off = read_graph_state(client).loading
        for part in missing:
            if part.awaited or cut_off:
                self._load(part, client)
        self._later = () if cut_off else tuple(part for part in missing if not part.awaited)

    def load_later(self, client: Callable[[], Client], done: Callable[[], None]) -> None:
        """Begin to load the other parts in a thread; `done` is called after each, `client` for each try."""
        if self._later and self._thread is None:
            self._thread = threading.Thread(
                target=self._load_rest, args=(client, done), name="starter", daemon=True
            )
            self._thread.start()

    def stop(self) -> None:
        """Wait for the thread, which gives up its load at the next batch once the service ends."""
        if self._thread is not None:
            self._thread.join(LAST_SECONDS)

    def _missing(self, client: Client) -> list[Part]:
        names = missing_starter_parts(client)
        return [part for part in PARTS if part.dataset in names and part.wanted(self._settings)]

    def _load_rest(self, client: Callable[[], Client], done: Callable[[], None]) -> None:
        while self._later and not self._ending.is_set():
            try:
                current = client()
                # Somebody else may have loaded a graph of their own since.
                missing = self._missing(current)
                if missing:
                    self._load(missing[0], current)
                self._later = tuple(missing[1:])
            except Ending:
                return
            except BioMolKGError as error:
                logger.warning("starter graph not loaded", error=str(error))
                if error.retryable:
                    self._ending.wait(RETRY_SECONDS)
                    continue
                self._give_up(str(error))
            except Exception as error:  # else a service would wait for a thread that is gone
                logger.exception("starter graph not loaded")
                self._give_up(f"{type(error).__name__}: {error}.")
            done()

    def _give_up(self, reason: str) -> None:
        self._tell(f"Not loaded: {self._later[0].title}: {reason} The next start tries again.")
        self._later = ()

    def _load(self, part: Part, client: Client) -> None:
        self._tell(
            f"Loading the starter graph: {part.title}"
            + (" ..." if part.awaited else "; questions are answered meanwhile ...")
        )
        began = time.perf_counter()
        ledger = part.load(client, self._settings, report=self._report)
        rows = sum(table.read for table in ledger.tables)
        self._tell(f"Loaded {part.title}: {rows:,} rows in {time.perf_counter() - began:.1f} s.")

    def _report(self, table: str, done: int, total: int) -> None:
        """One batch is in. A load that is given up here goes on where it stopped at the next start."""
        if self._ending.is_set():
            raise Ending
        now = time.perf_counter()
        if now - self._told > TELL_SECONDS:
            self._told = now
            self._tell(f"  {table.replace('_', ' ')}: {done:,} of {total:,}")
