"""What a question asks of the entities that it names: how directly, and for which relations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from retrievers.hits import Mention
from retrievers.mentions import SYNONYM, Match
from retrievers.snapshot import Relation
from retrievers.triple.relations import RelationIndex, directness, reworded
from retrievers.triple.words import split_words

# Says "protein" as clearly, and is part of no side effect's name.
_PROTEIN = "encoded"


@dataclass(frozen=True, slots=True)
class Asked:
    """How surely entities are named, by id; how far relations are meant of them, by kind and name."""

    entities: dict[str, float]
    relations: dict[str, dict[str, float]]


class AskedRelations:
    """The relations of a graph, to be found by what questions ask. Safe to share between threads."""

    def __init__(self, relations: Sequence[Relation]) -> None:
        self._relations = relations
        self._index = RelationIndex(relations, np.zeros((0, 0), dtype=np.float32))

    def read(self, question: str, mentions: Sequence[Mention], *, limit: int) -> Asked:
        """What the first `limit` words ask. A name in a long description asks for no relation."""
        sure = [mention for mention in mentions if mention.score >= SYNONYM]
        spans = [Match(mention.start, mention.end, ()) for mention in sure]
        direct = directness(split_words(question, limit=limit), spans)
        entities: dict[str, float] = {}
        for mention in sure:
            id_ = mention.entity.id
            entities[id_] = max(mention.score, entities.get(id_, 0.0))
        if not direct:
            return Asked(entities, {})
        match = self._index.match(_without_names(question, sure))
        fits: dict[str, dict[str, float]] = {}
        for relation, fit in zip(self._relations, (match.words + match.kind).tolist(), strict=True):
            if fit:
                fits.setdefault(relation.kind, {})[relation.name] = direct * fit
        return Asked(entities, fits)


def _without_names(question: str, mentions: Sequence[Mention]) -> str:
    """The question without its names, a protein's replaced, and relations in the words of the graph."""
    pieces, at = [], 0
    for mention in mentions:
        pieces += [question[at : mention.start], _PROTEIN if mention.entity.label == "Protein" else ""]
        at = mention.end
    return reworded(" ".join([*pieces, question[at:]]))
