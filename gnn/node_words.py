"""Words of a question against the words of each node: the part of a late interaction that nobody trains.

A token's learned state blurs rare words, so each word of a question also meets
the nodes as itself: by BM25 in a node's names and texts, and, where it names a
group or ring, by how rare that group is among the structures.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrievers.group_words import group_phrases
from retrievers.snapshot import Snapshot
from retrievers.triple.evidence import Floats, Indexes, Rows
from retrievers.triple.lexical import TermIndex
from retrievers.triple.words import split_words

MAX_WORDS = 256
LONGEST_SYNONYM = 40
# A term is a feature when at least two nodes and at most this share of them have it.
_MOST_HOLDERS = 0.3
_SCALE = 0.25  # of BM25 weights, so that a good word weighs about 1
_COUNTED = 3
_PER_COUNT = 0.2


class NodeWords:
    """Terms and groups of the E entities of a snapshot. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot) -> None:
        documents, surfaces = _documents(snapshot)
        self.size = len(documents)
        self._index = TermIndex(documents)
        holders = Counter(term for document in documents for term in set(document))
        most = max(2, int(_MOST_HOLDERS * self.size))
        # Ordered, so that the same graph has the same columns.
        self.terms = sorted(term for term, count in holders.items() if 2 <= count <= most)
        self.surfaces = [surfaces[term] for term in self.terms]
        self.group_names, self._groups = _group_rows(snapshot)

    def text_rows(self, question: str) -> Rows:
        """A row a word that some entity has: BM25 weights, scaled."""
        words = split_words(question, limit=MAX_WORDS)
        rows = self._index.rows(word.stem for word in words if word.counts)
        return Rows(rows.starts, rows.entities, rows.weights * np.float32(_SCALE))

    def group_rows(self, question: str) -> Rows:
        """A row a word of a group's name: the rarity of the group where a structure has it, scaled.

        A name of several words shares its weight among them; of several names that
        a word is part of, the one that says most of an entity counts.
        """
        words = [word.folded for word in split_words(question, limit=MAX_WORDS)]
        found: dict[int, Floats] = {}
        for phrase in group_phrases(words):
            entities, weights = self._groups.get(phrase.name, _NONE)
            share = np.float32(_SCALE * phrase.weight / (phrase.end - phrase.start))
            for at in range(phrase.start, phrase.end) if len(entities) else ():
                row = found.setdefault(at, np.zeros(self.size, dtype=np.float32))
                row[entities] = np.maximum(row[entities], share * weights)
        return Rows.of([_sparse(found[at]) for at in sorted(found)])

    def term_columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """Rows (entities), places (in `terms`) and BM25 weights of every feature term."""
        return _columns([self._index.row(term) for term in self.terms])

    def group_columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
        """Rows (entities), places (in `group_names`) and weights of every group."""
        return _columns([self._groups[name] for name in self.group_names])


_NONE: tuple[Indexes, Floats] = (np.zeros(0, np.int32), np.zeros(0, np.float32))


def _sparse(row: Floats) -> tuple[Indexes, Floats]:
    entities = np.flatnonzero(row).astype(np.int32)
    return entities, row[entities]


def _columns(
    postings: Sequence[tuple[Indexes, Floats]],
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    if not postings:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32)
    places = np.repeat(np.arange(len(postings)), [len(entities) for entities, _ in postings])
    rows = np.concatenate([entities for entities, _ in postings]).astype(np.int64)
    return rows, places, np.concatenate([weights for _, weights in postings])


def _documents(snapshot: Snapshot) -> tuple[list[list[str]], dict[str, str]]:
    """The stems of everything written of each entity, and for each stem a word as it was written."""
    documents: list[list[str]] = []
    surfaces: dict[str, str] = {}

    def read(text: str, document: list[str], *, all_words: bool) -> None:
        for word in split_words(text):
            if all_words or word.counts:
                document.append(word.stem)
                surfaces.setdefault(word.stem, word.folded)

    for entity in snapshot.entities:
        document: list[str] = []
        short = [synonym for synonym in entity.synonyms if len(synonym) < LONGEST_SYNONYM]
        for name in (entity.name, entity.gene or "", *short, *entity.groups):
            read(name, document, all_words=True)
        documents.append(document)
    for passage in snapshot.passages:
        if passage.entity >= 0 and not passage.composed:
            read(passage.text, documents[passage.entity], all_words=False)
    return documents, surfaces


def _group_rows(snapshot: Snapshot) -> tuple[list[str], dict[str, tuple[Indexes, Floats]]]:
    """The groups there are, and for each the entities that have it with its rarity, more for several."""
    holders: dict[str, list[tuple[int, int]]] = {}
    for index, entity in enumerate(snapshot.entities):
        for name, count in entity.groups.items():
            holders.setdefault(name, []).append((index, count))
    rows = {}
    for name, found in holders.items():
        rarity = math.log1p(len(snapshot.entities) / len(found))
        counts = np.minimum([count for _, count in found], _COUNTED)
        weights = rarity * (1 + _PER_COUNT * (counts - 1))
        rows[name] = (np.array([at for at, _ in found], dtype=np.int32), weights.astype(np.float32))
    return sorted(holders), rows
