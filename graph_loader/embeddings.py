"""Sentence vectors by content: bundled for the starter graph, remembered under the home, else computed.

A text is embedded once for one encoder. The bundled vectors are those of the
relation names and descriptions of the starter graph, so that its first load
takes seconds; `python -m graph_loader.starter.embed` makes them.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from importlib.resources import as_file
from typing import Protocol, TypeVar

import numpy as np
import structlog
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open

from biomolkg.settings import Settings
from graph_loader.bundled import bundled_folder
from graph_loader.plan import Encoding, Row

_log = structlog.get_logger(__name__)

VECTORS = "vectors.safetensors"
EMBEDDED_AT_ONCE = 128  # texts of one transaction
_FEWEST = 8  # texts that a thread is worth
_KEY_BYTES = 16
_LOCKED_SECONDS = 30.0
_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL)"

Vector = NDArray[np.float32]
_Found = TypeVar("_Found")


class Encoder(Protocol):
    """What embeds texts; `biomolkg.encoder.SentenceEncoder` is one."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32 [n, dimension], unit length."""
        ...


class Embeddings:
    """An encoder that computes only what it never saw; only then is `encoder` called."""

    def __init__(
        self, settings: Settings, *, identity: str, dimension: int, encoder: Callable[[], Encoder]
    ) -> None:
        self._file = settings.home / "cache" / f"embeddings-{identity[:16]}.sqlite"
        self._identity = identity
        self._dimension = dimension
        self._make_encoder = encoder
        self._threads = settings.load_threads
        self._encoder: Encoder | None = None
        self._bundled: Mapping[bytes, Vector] | None = None

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """float32 [n, dimension], unit length, in the order of `texts`."""
        if self._bundled is None:
            self._bundled = read_vectors(self._identity)
        keys = [text_key(text) for text in texts]
        known = {key: self._bundled[key] for key in keys if key in self._bundled}
        known |= self._remembered([key for key in keys if key not in known])
        unseen = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if unseen:
            if self._encoder is None:
                self._encoder = self._make_encoder()
            computed = dict(zip(unseen, self._computed(self._encoder, list(unseen.values())), strict=True))
            self._remember(computed)
            known |= computed
        return np.stack([known[key] for key in keys]) if keys else np.zeros((0, self._dimension), np.float32)

    def _computed(self, encoder: Encoder, texts: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of texts, in threads that get as many long and short ones each."""
        parts = min(self._threads, len(texts) // _FEWEST)
        if parts < 2:
            return encoder.encode(texts)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        shares = [order[part::parts] for part in range(parts)]
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        with ThreadPoolExecutor(max_workers=parts) as pool:
            found = pool.map(encoder.encode, ([texts[at] for at in share] for share in shares))
            for share, some in zip(shares, found, strict=True):
                vectors[share] = some
        return vectors

    def _remembered(self, keys: Sequence[bytes]) -> dict[bytes, Vector]:
        def read(store: sqlite3.Connection) -> dict[bytes, Vector]:
            found = {}
            for key in keys:
                row = store.execute("SELECT vector FROM vectors WHERE key = ?", (key,)).fetchone()
                vector = np.frombuffer(row[0], dtype="<f4") if row else None
                if vector is not None and vector.shape == (self._dimension,) and np.isfinite(vector).all():
                    found[key] = vector
            return found

        return (self._with_store(read) if keys and self._file.is_file() else None) or {}

    def _remember(self, vectors: Mapping[bytes, Vector]) -> None:
        def write(store: sqlite3.Connection) -> None:
            rows = [(key, np.asarray(vector, dtype="<f4").tobytes()) for key, vector in vectors.items()]
            store.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows)
            store.commit()

        self._with_store(write)

    def _with_store(self, work: Callable[[sqlite3.Connection], _Found]) -> _Found | None:
        """What `work` finds; None when the file cannot be used, which costs time and nothing else."""
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self._file, timeout=_LOCKED_SECONDS)) as store:
                store.execute(_TABLE)
                return work(store)
        except (sqlite3.Error, OSError, ValueError) as error:
            _log.warning("embeddings_not_kept", path=str(self._file), reason=str(error))
            return None


def embedded(rows: Sequence[Row], encoder: Encoder, encoding: Encoding) -> list[Row]:
    """The rows with the embedding of their text `embed` among the properties, where they ask for one."""
    vectors = iter(encoder.encode([row["embed"] for row in rows if "embed" in row]).tolist())
    return [
        {
            **{name: value for name, value in row.items() if name != "embed"},
            "properties": {**row["properties"], "embedding": next(vectors), "encoder": encoding.identity},
        }
        if "embed" in row
        else row
        for row in rows
    ]


def text_key(text: str) -> bytes:
    """Identity of a text among embeddings."""
    return hashlib.sha256(text.encode()).digest()[:_KEY_BYTES]


def read_vectors(identity: str) -> dict[bytes, Vector]:
    """The bundled vectors by `text_key`; none when they are of another encoder or missing."""
    path = bundled_folder() / VECTORS
    if not path.is_file():
        return {}
    try:
        with as_file(path) as file, safe_open(file, framework="numpy") as tensors:
            if (tensors.metadata() or {}).get("encoder") != identity:
                return {}
            keys, vectors = tensors.get_tensor("keys"), tensors.get_tensor("vectors")
    except (SafetensorError, OSError) as error:
        _log.warning("bundled_embeddings_unreadable", reason=str(error))
        return {}
    return {key.tobytes(): vector for key, vector in zip(keys, vectors, strict=True)}
