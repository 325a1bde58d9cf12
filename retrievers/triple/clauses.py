"""Clauses of a question against the sentences of each entity's texts, by vectors."""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import structlog
from numpy.typing import NDArray

from biomolkg.encoder import SentenceEncoder, TokenStates
from retrievers.triple.evidence import Floats, Indexes

_log = structlog.get_logger(__name__)

_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]?")
_CLAUSE_BREAK = re.compile(
    r"[,;:()\u2014?!]|\b(?:and|or|which|that|who|when|with|while|where|whose|by|as|is|are|has|have|been|"
    r"following|after|resulting|leading|causing|associated|combined|taken|alongside|together)\b",
    re.IGNORECASE,
)
_SHORTEST = 20
MIN_TOKENS = 3
_ROWS = 8


@dataclass(frozen=True, slots=True, eq=False)
class Sentences:
    """S sentences in the order of their entities. vectors: float32 [S, d], centred, unit length.

    owners: int32 [O], the entities that have sentences; starts: int64 [O], where each one's begin.
    """

    vectors: Floats
    centre: Floats
    owners: Indexes
    starts: NDArray[np.int64]

    def closeness(self, vectors: Floats, size: int) -> Floats:
        """Cosine of each of n vectors to the nearest sentence of each entity: float32 [n, size], 0 without.

        vectors: float32 [n, d], not centred.
        """
        result = np.zeros((len(vectors), size), dtype=np.float32)
        if len(vectors) and len(self.owners):
            # OpenBLAS takes longer for seven rows than for eight.
            asked = np.zeros((-(-len(vectors) // _ROWS) * _ROWS, vectors.shape[1]), dtype=np.float32)
            asked[: len(vectors)] = _unit(vectors - self.centre)
            cosines = asked @ self.vectors.T
            best = np.maximum.reduceat(cosines[: len(vectors)], self.starts, axis=1)
            result[:, self.owners] = np.maximum(best, 0)
        return result


def split_sentences(text: str) -> list[str]:
    """Sentences of `text`, the very short ones left out."""
    found = (match.group().strip() for match in _SENTENCE.finditer(text))
    return [sentence for sentence in found if len(sentence) >= _SHORTEST]


def index_sentences(
    texts: Sequence[tuple[int, str]], encoder: SentenceEncoder, cache: Path | None
) -> Sentences:
    """Sentences of (entity, text) pairs; their vectors are kept in the folder `cache` by content."""
    pairs = sorted({(owner, sentence) for owner, text in texts for sentence in split_sentences(text)})
    vectors = cached_vectors([sentence for _, sentence in pairs], encoder, cache)
    centre = vectors.mean(axis=0) if len(vectors) else np.zeros(encoder.dimension, np.float32)
    owners, starts = np.unique(np.array([owner for owner, _ in pairs], dtype=np.int32), return_index=True)
    return Sentences(_unit(vectors - centre), centre, owners, starts.astype(np.int64))


def cached_vectors(texts: Sequence[str], encoder: SentenceEncoder, cache: Path | None) -> Floats:
    """The encoder's vectors of `texts`; each text is computed once for a model and kept on disk."""
    path = None if cache is None else cache / f"vectors-{encoder.identity[:16]}.npz"
    known = _load(path, encoder.dimension)
    keys = [hashlib.sha256(text.encode()).digest()[:16] for text in texts]
    missing = list({key: text for key, text in zip(keys, texts, strict=True) if key not in known}.items())
    if missing:
        fresh = encoder.encode([text for _, text in missing])
        known |= {key: vector for (key, _), vector in zip(missing, fresh, strict=True)}
        if path is not None:
            _save(path, known)
    if not keys:
        return np.zeros((0, encoder.dimension), dtype=np.float32)
    return np.stack([known[key] for key in keys])


@dataclass(frozen=True, slots=True)
class Clause:
    """Characters [start, end) of a question."""

    start: int
    end: int


def split_clauses(question: str) -> list[Clause]:
    """Stretches of the question between punctuation, conjunctions, relative words and auxiliaries."""
    clauses, start = [], 0
    for match in _CLAUSE_BREAK.finditer(question):
        clauses.append(Clause(start, match.start()))
        start = match.end()
    clauses.append(Clause(start, len(question)))
    return [clause for clause in clauses if question[clause.start : clause.end].strip()]


def clause_vectors(clauses: Sequence[Clause], tokens: TokenStates) -> tuple[Floats, Floats]:
    """Mean token vector, of unit length, of each clause of at least three tokens, and its share of them.

    float32 [n, d] and float32 [n], n <= len(clauses).
    """
    firsts = np.searchsorted(tokens.offsets[:, 0], [clause.start for clause in clauses])
    afters = np.searchsorted(tokens.offsets[:, 1], [clause.end for clause in clauses], side="right")
    long = np.flatnonzero(afters - firsts >= MIN_TOKENS)
    if not len(long):
        return np.zeros((0, tokens.states.shape[1]), np.float32), np.zeros(0, np.float32)
    counts = (afters - firsts)[long].astype(np.float32)
    # Of equal direction as the means.
    sums = [
        tokens.states[first:after].sum(axis=0)
        for first, after in zip(firsts[long], afters[long], strict=True)
    ]
    return _unit(np.stack(sums)), counts / counts.sum()


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    normalised: Floats = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return normalised


def _load(path: Path | None, dimension: int) -> dict[bytes, Floats]:
    if path is None or not path.is_file():
        return {}
    try:
        with np.load(path, allow_pickle=False) as file:
            keys, vectors = file["keys"], file["vectors"]
    except (OSError, ValueError, KeyError, EOFError) as error:
        _log.warning("vector_cache_unreadable", path=str(path), reason=str(error))
        return {}
    if vectors.ndim != 2 or vectors.shape != (len(keys), dimension):
        return {}
    return {bytes(key): vector for key, vector in zip(keys, vectors, strict=True)}


def _save(path: Path, known: dict[bytes, Floats]) -> None:
    keys = np.frombuffer(b"".join(known), dtype=np.uint8).reshape(-1, 16)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".npz", delete=False) as file:
            np.savez(file, keys=keys, vectors=np.stack(list(known.values())))
        Path(file.name).replace(path)
    except OSError as error:
        _log.warning("vector_cache_not_kept", path=str(path), reason=str(error))
