"""Entities by their structures: the most similar ones, those with a substructure, those with named groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from rdkit import Chem

from biomolkg.errors import InvalidMolecule, InvalidRequest
from biomolkg.fingerprints import FINGERPRINT_BYTES, fingerprint, tanimoto
from biomolkg.molecules import MAX_SMILES_CHARS, find_groups, parse_smiles
from retrievers.patterns import (
    MAX_SMARTS_CHARS,
    SUBSTRUCTURE_SECONDS,
    Deadline,
    named_group,
    smarts_pattern,
)
from retrievers.snapshot import Entity


@dataclass(frozen=True, slots=True)
class MoleculeHit:
    """An entity found by its structure. `rank` counts from 1; equal scores are ordered by the entity's id.

    `score` is the Tanimoto similarity, or for a substructure and for groups the
    number of places where they are; `places` has it by group or pattern.
    """

    rank: int
    entity: Entity
    score: float
    places: Mapping[str, int]


class MoleculeIndex:
    """The structures of the entities of one snapshot. Never changed once made: threads may share it.

    Entities whose SMILES cannot be read are left out; `unreadable` counts them.
    """

    def __init__(self, entities: Iterable[Entity], *, max_chars: int = MAX_SMILES_CHARS) -> None:
        held: list[tuple[Entity, Chem.Mol]] = []
        self.unreadable = 0
        for entity in sorted(entities, key=lambda it: it.id):
            if not entity.smiles:
                continue
            try:
                held.append((entity, parse_smiles(entity.smiles, max_chars=max_chars)))
            except InvalidMolecule:
                self.unreadable += 1
        self._max_chars = max_chars
        self._entities = [entity for entity, _ in held]
        self._molecules = [molecule for _, molecule in held]
        self._bits = np.zeros((len(held), FINGERPRINT_BYTES), dtype=np.uint8)
        for row, molecule in enumerate(self._molecules):
            self._bits[row] = fingerprint(molecule)
        self._groups = [Counter(dict(entity.groups) or find_groups(molecule)) for entity, molecule in held]

    def __len__(self) -> int:
        return len(self._entities)

    def similar(self, smiles: str, *, k: int, at_least: float = 0.0) -> list[MoleculeHit]:
        """The `k` entities with the highest Tanimoto similarity to `smiles`, those with none of it left out.

        Raises InvalidMolecule when the SMILES cannot be read.
        """
        _positive(k)
        query = fingerprint(parse_smiles(smiles, max_chars=self._max_chars))
        scores = tanimoto(query, self._bits)
        # Entities are in the order of their ids, which a stable sort keeps among equals.
        order = np.argsort(-scores, kind="stable")
        kept = [row for row in order[:k].tolist() if scores[row] > 0 and scores[row] >= at_least]
        return [
            MoleculeHit(rank, self._entities[row], float(scores[row]), {})
            for rank, row in enumerate(kept, start=1)
        ]

    def with_substructure(
        self,
        smarts: str,
        *,
        k: int,
        max_chars: int = MAX_SMARTS_CHARS,
        seconds: float = SUBSTRUCTURE_SECONDS,
    ) -> list[MoleculeHit]:
        """The entities that `smarts` is in, those with the most places (counted to 100) first.

        Raises InvalidMolecule for a pattern that cannot be read or is over the limits
        of `patterns.smarts_pattern`, RequestTimeout after `seconds`.
        """
        _positive(k)
        pattern = smarts_pattern(smarts, max_chars=max_chars)
        deadline = Deadline(seconds)
        found = []
        for row, molecule in enumerate(self._molecules):
            count = len(deadline.places(molecule, pattern))
            if count:
                found.append((row, {pattern.name: count}))
        return self._ranked(found, k)

    def with_groups(self, names: Sequence[str], *, k: int) -> list[MoleculeHit]:
        """The entities that have every group of `names`, those with the most places first.

        A name given n times asks for n places. Raises NotFound for a name that the
        vocabulary does not have, InvalidRequest when none is given.
        """
        _positive(k)
        if not names:
            raise InvalidRequest("No group is named.", field="groups", remedy="Name at least one group.")
        wanted = Counter(named_group(name).name for name in names)
        found = [
            (row, {name: groups[name] for name in wanted})
            for row, groups in enumerate(self._groups)
            if wanted <= groups
        ]
        return self._ranked(found, k)

    def _ranked(self, found: list[tuple[int, dict[str, int]]], k: int) -> list[MoleculeHit]:
        """Rows in the order of their ids, ranked by how many places they have."""
        found.sort(key=lambda it: -sum(it[1].values()))
        return [
            MoleculeHit(rank, self._entities[row], float(sum(places.values())), places)
            for rank, (row, places) in enumerate(found[:k], start=1)
        ]


def _positive(k: int) -> None:
    if k < 1:
        raise InvalidRequest(f"k is {k}.", field="k", remedy="Ask for at least one hit.")
