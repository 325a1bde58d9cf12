"""What a network reads of each node: words, atoms and groups as sparse columns, text vectors, and edges.

No feature says which node a node is: one that was never seen in training is read like any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import InvalidMolecule
from biomolkg.fingerprints import FINGERPRINT_BITS, fingerprint
from biomolkg.molecules import parse_smiles
from gnn.node_words import NodeWords
from retrievers.hits import DEFAULT_TRIPLE_KINDS
from retrievers.snapshot import Snapshot
from retrievers.triple.clauses import cached_vectors
from retrievers.triple.evidence import Floats

# Each kind of feature of a node has this length, so that none drowns the others.
LENGTH = 4.0


@dataclass(frozen=True, slots=True, eq=False)
class GraphFeatures:
    """Features of E nodes and the edges between them.

    Sparse, in `columns` columns: rows and places int64 [n], values float32 [n], ordered by (row, place).
    dense: float32 [E, 3 d], vectors of a node's texts, of its words and of its groups; 0 where it has none.
    text: float32 [E, d], the first of them.
    edges: int64 [2, M], each pair of neighbours in both directions, none twice, no node its own neighbour.
    """

    rows: NDArray[np.int64]
    places: NDArray[np.int64]
    values: Floats
    columns: int
    dense: Floats
    edges: NDArray[np.int64]

    @property
    def nodes(self) -> int:
        """E."""
        return len(self.dense)


def graph_features(
    snapshot: Snapshot, words: NodeWords, encoder: SentenceEncoder, cache: Path | None
) -> GraphFeatures:
    """The features of every entity. Vectors of words are kept in the folder `cache`.

    Morgan fingerprints as of `biomolkg.fingerprints`; a structure that cannot be read has none.
    """
    size = len(snapshot.entities)
    term_rows, term_places, term_values = _scaled(*words.term_columns(), size)
    group_rows, group_places, group_values = _scaled(*words.group_columns(), size)
    bit_rows, bit_places, bit_values = _scaled(*_bits(snapshot), size)
    terms, groups = words.terms, words.group_names
    rows = np.concatenate([term_rows, bit_rows, group_rows])
    places = np.concatenate(
        [term_places, bit_places + len(terms), group_places + len(terms) + FINGERPRINT_BITS]
    )
    order = np.lexsort((places, rows))
    dense = np.concatenate(
        [
            _text_vectors(snapshot, encoder.dimension),
            _mean_vectors(
                term_rows, term_places, term_values, cached_vectors(words.surfaces, encoder, cache), size
            ),
            _mean_vectors(
                group_rows, group_places, group_values, cached_vectors(groups, encoder, cache), size
            ),
        ],
        axis=1,
    )
    return GraphFeatures(
        rows=rows[order],
        places=places[order],
        values=np.concatenate([term_values, bit_values, group_values])[order],
        columns=len(terms) + FINGERPRINT_BITS + len(groups),
        dense=dense,
        edges=neighbour_edges(snapshot),
    )


def neighbour_edges(snapshot: Snapshot) -> NDArray[np.int64]:
    """int64 [2, M]: the pairs that a fact of a kind retrieved by default joins, in both directions.

    Several facts of one pair are one edge: duplicates would change what GCN and GAT compute.
    """
    kinds = np.array([relation.kind in DEFAULT_TRIPLE_KINDS for relation in snapshot.relations], dtype=bool)
    chosen = kinds[snapshot.relation_of] & (snapshot.heads != snapshot.tails)
    heads, tails = snapshot.heads[chosen].astype(np.int64), snapshot.tails[chosen].astype(np.int64)
    both = np.stack([np.concatenate([heads, tails]), np.concatenate([tails, heads])])
    return np.unique(both, axis=1)


def _bits(snapshot: Snapshot) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    rows, places = [], []
    for index, entity in enumerate(snapshot.entities):
        if not entity.smiles:
            continue
        try:
            molecule = parse_smiles(entity.smiles)
        except InvalidMolecule:
            continue
        on = np.flatnonzero(np.unpackbits(fingerprint(molecule)))
        places.append(on.astype(np.int64))
        rows.append(np.full(len(on), index, dtype=np.int64))
    if not rows:
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0, np.float32)
    return np.concatenate(rows), np.concatenate(places), np.ones(sum(map(len, rows)), dtype=np.float32)


def _scaled(
    rows: NDArray[np.int64], places: NDArray[np.int64], values: Floats, size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    lengths = np.sqrt(np.bincount(rows, weights=values**2, minlength=size))
    scaled = (values / np.maximum(lengths[rows], 1e-9) * LENGTH).astype(np.float32)
    return rows, places, scaled


def _text_vectors(snapshot: Snapshot, dimension: int) -> Floats:
    """The mean vector of each entity's passages, those composed of its own facts left out."""
    sums = np.zeros((len(snapshot.entities), dimension), dtype=np.float32)
    counts = np.zeros(len(snapshot.entities), dtype=np.int64)
    for passage, vector in zip(snapshot.passages, snapshot.passage_embeddings, strict=True):
        if passage.entity >= 0 and not passage.composed:
            sums[passage.entity] += vector
            counts[passage.entity] += 1
    has = counts > 0
    sums[has] /= counts[has, None]
    if has.any():
        sums[has] -= sums[has].mean(axis=0)
    return _of_length(sums)


def _mean_vectors(
    rows: NDArray[np.int64], places: NDArray[np.int64], values: Floats, vectors: Floats, size: int
) -> Floats:
    result = np.zeros((size, vectors.shape[1]), dtype=np.float32)
    if len(rows):
        np.add.at(result, rows, values[:, None] * (vectors - vectors.mean(axis=0))[places])
    return _of_length(result)


def _of_length(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Floats = (vectors / np.maximum(lengths, 1e-9) * LENGTH).astype(np.float32)
    return scaled


def text_owners(snapshot: Snapshot) -> NDArray[np.bool_]:
    """Which entities, bool [E], have a text that was not composed of their own facts."""
    has = np.zeros(len(snapshot.entities), dtype=bool)
    owners: Sequence[int] = [p.entity for p in snapshot.passages if p.entity >= 0 and not p.composed]
    has[list(owners)] = True
    return has
