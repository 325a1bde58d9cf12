"""What a token can find in a structure: Morgan bits, groups and rings, and what those are called."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import InvalidMolecule
from biomolkg.fingerprints import FINGERPRINT_BITS, fingerprint
from biomolkg.molecules import find_groups, group_vocabulary, parse_smiles
from retrievers.snapshot import Snapshot
from retrievers.triple.clauses import cached_vectors
from retrievers.triple.evidence import Floats


def structure_features(
    snapshot: Snapshot, encoder: SentenceEncoder, cache: Path | None
) -> tuple[Floats, NDArray[np.int32]]:
    """float32 [H + 1, 2048 + G + d], three blocks of unit length a structure, and the row of each entity.

    int32 [E]; entities without a readable structure have the last row, which is 0.

    Morgan bits and, with 1 + log of how often, the G groups of the vocabulary, both weighted by how rare
    they are in the graph; the mean of the vectors of the groups' names, so weighted. None tells which
    entity it is but by its structure.
    """
    names = [group.name for group in group_vocabulary()]
    places = {name: at for at, name in enumerate(names)}
    molecules = {}
    for index, entity in enumerate(snapshot.entities):
        if not entity.smiles:
            continue
        try:
            molecules[index] = parse_smiles(entity.smiles)
        except InvalidMolecule:
            continue
    holders = len(molecules)
    rows = np.full(len(snapshot.entities), holders, dtype=np.int32)
    rows[list(molecules)] = np.arange(holders)
    bits = np.zeros((holders + 1, FINGERPRINT_BITS), dtype=np.float32)
    groups = np.zeros((holders + 1, len(names)), dtype=np.float32)
    for row, (index, molecule) in enumerate(molecules.items()):
        bits[row] = np.unpackbits(fingerprint(molecule))
        for name, count in (dict(snapshot.entities[index].groups) or find_groups(molecule)).items():
            if name in places:
                groups[row, places[name]] = 1 + np.log(count)
    bits, groups = _unit(_by_rarity(bits, holders)), _unit(_by_rarity(groups, holders))
    vectors = cached_vectors(names, encoder, cache)
    named = _unit(groups @ (vectors - vectors.mean(axis=0)))
    return np.concatenate([bits, groups, named], axis=1), rows


def _by_rarity(features: Floats, holders: int) -> Floats:
    having = np.count_nonzero(features, axis=0)
    weighted: Floats = (features * np.log1p((holders - having + 0.5) / (having + 0.5))).astype(np.float32)
    return weighted


def _unit(rows: Floats) -> Floats:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    scaled: Floats = (rows / np.maximum(lengths, 1e-9)).astype(np.float32)
    return scaled
