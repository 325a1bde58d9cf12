"""Entities by their structures: the most similar ones, those with a substructure, those with named groups."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray
from rdkit import Chem

from biomolkg.errors import InvalidMolecule, InvalidRequest
from biomolkg.fingerprints import FINGERPRINT_BYTES, fingerprint, tanimoto
from biomolkg.molecules import MAX_SMILES_CHARS, find_groups, parent_of, parse_smiles
from cypher.client import Client
from retrievers.hits import entity_label
from retrievers.patterns import (
    MAX_SMARTS_CHARS,
    SUBSTRUCTURE_SECONDS,
    Deadline,
    Pattern,
    group_pattern,
    named_group,
    read_pattern,
)
from retrievers.snapshot import Entity

Places = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class MoleculeQuery:
    """What a structure must be like; every condition that is given has to hold.

    `similar_to` is a SMILES, `at_least` the least Tanimoto similarity to it, above
    0 in any case; `substructure` a SMARTS or the name of a group; `groups` how
    often named groups must be there at least.
    """

    similar_to: str | None = None
    at_least: float = 0.0
    substructure: str | None = None
    groups: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MoleculeHit:
    """An entity found by its structure. `rank` counts from 1; equal scores are ordered by the entity's id.

    `score` is the Tanimoto similarity where one was asked for, else the number of
    places of the substructure and the groups; `places` has it by group or pattern.
    """

    rank: int
    entity: Entity
    score: float
    places: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class MoleculeMatch:
    """Where a fragment is in a structure: atoms by their index in its SMILES, from 0; at most 100 places."""

    name: str
    places: Places


class MoleculeIndex:
    """The structures of the entities of one snapshot. Never changed once made: threads may share it.

    Similarity compares parents: counter-ions and solvents do not count. Entities
    whose SMILES cannot be read are left out; `unreadable` counts them.
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
        self._rows = {entity.id: row for row, entity in enumerate(self._entities)}
        self._bits = np.zeros((len(held), FINGERPRINT_BYTES), dtype=np.uint8)
        for row, molecule in enumerate(self._molecules):
            self._bits[row] = fingerprint(parent_of(molecule))
        self._groups = [Counter(dict(entity.groups) or find_groups(molecule)) for entity, molecule in held]

    def __len__(self) -> int:
        return len(self._entities)

    def entity(self, identity: str) -> Entity | None:
        """The entity of that id, if it has a structure."""
        row = self._rows.get(identity)
        return None if row is None else self._entities[row]

    def search(
        self,
        query: MoleculeQuery,
        *,
        k: int,
        max_chars: int = MAX_SMARTS_CHARS,
        seconds: float = SUBSTRUCTURE_SECONDS,
    ) -> list[MoleculeHit]:
        """The `k` best entities that meet every condition of `query`.

        Raises InvalidRequest when nothing is asked for, InvalidMolecule for a SMILES
        or pattern that cannot be read or is over the limits of `patterns`, NotFound
        for a group that the vocabulary does not have, RequestTimeout after `seconds`.
        """
        _positive(k)
        if query.similar_to is None and query.substructure is None and not query.groups:
            raise InvalidRequest(
                "Nothing is asked for.", remedy="Give similar_to, substructure or groups, or several of them."
            )
        pattern = None
        if query.substructure is not None:
            pattern = read_pattern(query.substructure, max_chars=max_chars)
        wanted = _wanted(query.groups)
        rows: Sequence[int] = [row for row, groups in enumerate(self._groups) if wanted <= groups]
        scores: NDArray[np.float64] | None = None
        if query.similar_to is not None:
            scores = self._similarities(query.similar_to)
            passing = [row for row in rows if scores[row] > 0 and scores[row] >= query.at_least]
            # Entities are in the order of their ids, which a stable sort keeps among equals.
            rows = sorted(passing, key=lambda row: -scores[row])
        found = self._with_places(rows, wanted, pattern, Deadline(seconds), None if scores is None else k)
        if scores is None:
            return self._ranked(found, k)
        return [
            MoleculeHit(rank, self._entities[row], float(scores[row]), places)
            for rank, (row, places) in enumerate(found[:k], start=1)
        ]

    def matches(
        self,
        hits: Sequence[MoleculeHit],
        query: MoleculeQuery,
        *,
        max_chars: int = MAX_SMARTS_CHARS,
        seconds: float = SUBSTRUCTURE_SECONDS,
    ) -> list[list[MoleculeMatch]]:
        """Where the substructure and the groups of `query` are in each hit. Raises as `search` does."""
        patterns = [group_pattern(name) for name in query.groups]
        if query.substructure is not None:
            patterns.insert(0, read_pattern(query.substructure, max_chars=max_chars))
        distinct = {pattern.name: pattern for pattern in patterns}
        deadline = Deadline(seconds)
        return [
            [
                MoleculeMatch(name, deadline.places(self._molecules[self._rows[hit.entity.id]], pattern))
                for name, pattern in distinct.items()
            ]
            for hit in hits
        ]

    def similar(self, smiles: str, *, k: int, at_least: float = 0.0) -> list[MoleculeHit]:
        """The `k` entities with the highest Tanimoto similarity to `smiles`, those with none of it left out.

        Raises InvalidMolecule when the SMILES cannot be read.
        """
        return self.search(MoleculeQuery(similar_to=smiles, at_least=at_least), k=k)

    def similarities(self, smiles: str) -> dict[str, float]:
        """The Tanimoto similarity of every entity to `smiles`, by id; raises as `similar` does."""
        scores = self._similarities(smiles)
        return {entity.id: float(score) for entity, score in zip(self._entities, scores, strict=True)}

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
        return self.search(MoleculeQuery(substructure=smarts), k=k, max_chars=max_chars, seconds=seconds)

    def with_groups(self, names: Sequence[str], *, k: int) -> list[MoleculeHit]:
        """The entities that have every group of `names`, those with the most places first.

        A name given n times asks for n places. Raises NotFound for a name that the
        vocabulary does not have, InvalidRequest when none is given.
        """
        _positive(k)
        if not names:
            raise InvalidRequest("No group is named.", field="groups", remedy="Name at least one group.")
        wanted = Counter(named_group(name).name for name in names)
        return self.search(MoleculeQuery(groups=wanted), k=k)

    def _similarities(self, smiles: str) -> NDArray[np.float64]:
        query = fingerprint(parent_of(parse_smiles(smiles, max_chars=self._max_chars)))
        return tanimoto(query, self._bits)

    def _with_places(
        self,
        rows: Iterable[int],
        wanted: Mapping[str, int],
        pattern: Pattern | None,
        deadline: Deadline,
        enough: int | None,
    ) -> list[tuple[int, dict[str, int]]]:
        """The first `enough` rows that `pattern` is in, with the places of it and of the wanted groups."""
        found: list[tuple[int, dict[str, int]]] = []
        for row in rows:
            if enough is not None and len(found) >= enough:
                break
            places = {name: self._groups[row][name] for name in wanted}
            if pattern is not None:
                count = len(deadline.places(self._molecules[row], pattern))
                if not count:
                    continue
                places[pattern.name] = count
            found.append((row, places))
        return found

    def _ranked(self, found: list[tuple[int, dict[str, int]]], k: int) -> list[MoleculeHit]:
        """Rows in the order of their ids, ranked by how many places they have."""
        found.sort(key=lambda it: -sum(it[1].values()))
        return [
            MoleculeHit(rank, self._entities[row], float(sum(places.values())), places)
            for rank, (row, places) in enumerate(found[:k], start=1)
        ]


def read_molecules(client: Client, *, max_chars: int = MAX_SMILES_CHARS) -> MoleculeIndex:
    """The structures of the graph, without the rest of it. Raises DatabaseError."""
    rows = client.stream("read/structures")
    return MoleculeIndex(
        (
            Entity(
                row["id"],
                row["name"],
                entity_label(row["labels"]),
                tuple(row["synonyms"]),
                smiles=row["smiles"],
                groups=dict(zip(row["groups"] or (), row["counts"] or (), strict=False)),
                preferred_name=row["preferred_name"] or "",
            )
            for row in rows
        ),
        max_chars=max_chars,
    )


def _wanted(groups: Mapping[str, int]) -> Counter[str]:
    """Least counts by the names of the vocabulary; two names of one group: the larger count."""
    wanted: Counter[str] = Counter()
    for name, count in groups.items():
        if count < 1:
            raise InvalidRequest(
                f"{name[:80]!r} is asked for {count} times.", field="groups", remedy="Ask for 1 or more."
            )
        known = named_group(name).name
        wanted[known] = max(wanted[known], count)
    return wanted


def _positive(k: int) -> None:
    if k < 1:
        raise InvalidRequest(f"k is {k}.", field="k", remedy="Ask for at least one hit.")
