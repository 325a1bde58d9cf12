"""Triples and passages in one ranking: each supports the other, and paths bring their neighbours along."""

from __future__ import annotations

import copy
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from retrievers.evidence_types import PASSAGE, evidence_type
from retrievers.fusion import (
    LEAST_BELIEF,
    PASSAGE_WEIGHTS,
    RANK_CONSTANT,
    TRIPLE_WEIGHTS,
    Calibration,
    Floats,
    calibration_of,
    path_support,
    reciprocal_rank,
)
from retrievers.hits import PASSAGE_KIND, Filters, Hit, Result, Retriever, triple_order
from retrievers.passage_ranking import passage_hit
from retrievers.score_order import strictly_decreasing
from retrievers.snapshot import Passage, Snapshot

# Triples beyond these complete no paths; passages beyond these are found by their triples only.
TRIPLES = 300
PASSAGES = 100
# Passages of the ends of a triple that is believed less are not brought along.
BROUGHT_ALONG = 1e-3
# Below this cosine, a passage that nothing else speaks for is near by chance.
CHANCE_COSINE = 0.35
MOLECULAR = "MOLECULAR"
STRUCTURE = "structure"


@dataclass(frozen=True, slots=True)
class _Scored:
    """A hit before it is ranked, with the terms of its score."""

    hit: Hit
    parts: Mapping[str, float]
    score: float


class HybridRetriever:
    """Fuses `triple`, `bm25`, `dense` and, where given, `molecule`. Safe to call from threads.

    A score is the log-odds, learned on train questions, that a hit belongs to what the
    question is about. Equal scores: triples first, by (head id, relation, tail id), then
    passages by id; each later one is lowered by the least amount, shown as the part `tie`.
    """

    name = "hybrid"
    returns = "both"

    def __init__(
        self,
        snapshot: Snapshot,
        triples: Retriever,
        passages: Sequence[Retriever],
    ) -> None:
        """All are of the same snapshot."""
        self._snapshot = snapshot
        self._triples = triples
        self._passages = tuple(passages)
        self._index = {passage.id: at for at, passage in enumerate(snapshot.passages)}
        self._about: dict[str, list[int]] = defaultdict(list)
        for at, passage in enumerate(snapshot.passages):
            if passage.entity >= 0:
                self._about[snapshot.entities[passage.entity].id].append(at)

    def with_triples(self, triples: Retriever) -> HybridRetriever:
        """The same with another retriever of triples, such as a trained one."""
        other = copy.copy(self)
        other._triples = triples
        return other

    def retrieve(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool = False
    ) -> list[Result]:
        """Rank at most `k` triples and passages a question.

        `filters.kinds`: empty for triples of the default kinds and passages; only triples when it names
        kinds of triple alone, only passages when it is PASSAGE alone, both when it names both.
        """
        kinds = filters.kinds - {PASSAGE_KIND}
        wants_passages = not filters.kinds or PASSAGE_KIND in filters.kinds
        wants_triples = not filters.kinds or bool(kinds)
        # Passages may come from one source and be found by facts of another.
        of_triples = replace(filters, kinds=kinds, sources=filters.sources if wants_triples else frozenset())
        found = self._triples.retrieve(questions, k=max(k, TRIPLES), filters=of_triples)
        of_passages = replace(filters, kinds=frozenset())
        lists = {
            retriever.name: retriever.retrieve(questions, k=max(k, PASSAGES), filters=of_passages)
            for retriever in self._passages
        }
        results = []
        for at, triples in enumerate(found):
            passages = {name: listed[at] for name, listed in lists.items()}
            fused = self._fuse(triples, passages, filters)
            scored = [one for one in fused if (wants_triples if one.hit.kind == "triple" else wants_passages)]
            notes = [note for result in (triples, *passages.values()) for note in result.notes]
            results.append(
                Result(
                    triples.question,
                    _ranked(scored, k, explain=explain),
                    triples.mentions,
                    tuple(dict.fromkeys(notes)),
                )
            )
        return results

    def _fuse(self, triples: Result, passages: Mapping[str, Result], filters: Filters) -> list[_Scored]:
        ranks = {
            name: {hit.passage.id: hit.rank for hit in result.hits if hit.passage is not None}
            for name, result in passages.items()
        }
        near = {
            hit.passage.id
            for hit in (passages["dense"].hits if "dense" in passages else ())
            if hit.passage is not None and hit.score >= CHANCE_COSINE
        }
        belief, path = self._believe(triples.hits, calibration_of(triples))
        entities = _entity_belief(triples.hits, belief + path)
        spoken = near.union(*(found for name, found in ranks.items() if name != "dense"))
        allowed = self._brought_along(entities, filters)
        candidates = sorted({self._index[id_] for id_ in spoken} | allowed)
        ids = {at: self._snapshot.passages[at].id for at in candidates}
        agreement = {
            at: {
                name: reciprocal_rank(found[id_], RANK_CONSTANT) if id_ in found else 0.0
                for name, found in ranks.items()
            }
            for at, id_ in ids.items()
        }
        return [
            *self._score_triples(triples.hits, belief, path, agreement),
            *self._score_passages(candidates, entities, agreement),
        ]

    def _believe(self, hits: Sequence[Hit], calibration: Calibration) -> tuple[Floats, Floats]:
        """How far each triple is believed for itself, and for a path that it completes: float64 [n] each."""
        numbers: dict[str, int] = {}
        ends = [
            (
                numbers.setdefault(hit.triple.head.id, len(numbers)),
                numbers.setdefault(hit.triple.tail.id, len(numbers)),
            )
            for hit in hits
            if hit.triple is not None
        ]
        heads, tails = np.array(ends, dtype=np.int64).reshape(-1, 2).T
        scores = np.array([hit.score for hit in hits], dtype=np.float64)
        belief = calibration.belief(scores)
        total = belief
        for _ in range(2):  # two more hops
            total = belief + calibration.path * path_support(heads, tails, total)
        return belief, total - belief

    def _brought_along(self, entities: Mapping[tuple[str, bool], float], filters: Filters) -> set[int]:
        """Passages of the kind that fits each entity's triples, if they pass the filters."""
        found = set()
        for (entity, molecular), belief in entities.items():
            if belief < BROUGHT_ALONG or (filters.entities and entity not in filters.entities):
                continue
            for at in self._about.get(entity, ()):
                passage = self._snapshot.passages[at]
                if (passage.section == STRUCTURE) == molecular and _has_source(passage, filters):
                    found.add(at)
        return found

    def _score_triples(
        self,
        hits: Sequence[Hit],
        belief: Floats,
        path: Floats,
        agreement: Mapping[int, Mapping[str, float]],
    ) -> Iterable[_Scored]:
        speaking: dict[tuple[str, bool], float] = defaultdict(float)
        for at, terms in agreement.items():
            key = self._key(self._snapshot.passages[at])
            speaking[key] = max(speaking[key], terms.get("bm25", 0.0))
        for hit, alone, gained in zip(hits, belief.tolist(), path.tolist(), strict=True):
            triple = hit.triple
            assert triple is not None
            molecular = triple.kind == MOLECULAR
            ends = [speaking.get((end.id, molecular), 0.0) for end in (triple.head, triple.tail)]
            own = math.log(alone + LEAST_BELIEF)
            weight = TRIPLE_WEIGHTS["belief"]
            parts = {
                "bias": TRIPLE_WEIGHTS["bias"],
                "belief": weight * own,
                "path": weight * (math.log(alone + gained + LEAST_BELIEF) - own),
                "passages": TRIPLE_WEIGHTS["passages"] * sum(ends) / 2,
            }
            yield _Scored(hit, parts, sum(parts.values()))

    def _score_passages(
        self,
        candidates: Sequence[int],
        entities: Mapping[tuple[str, bool], float],
        agreement: Mapping[int, Mapping[str, float]],
    ) -> Iterable[_Scored]:
        """An entity's passage that the question agrees with best comes before its others."""
        leads: dict[tuple[str, bool], tuple[float, int]] = {}
        for at in candidates:
            key = self._key(self._snapshot.passages[at])
            agreed = sum(PASSAGE_WEIGHTS.get(name, 0.0) * value for name, value in agreement[at].items())
            if key not in leads or agreed > leads[key][0]:
                leads[key] = (agreed, at)
        for at in candidates:
            passage = self._snapshot.passages[at]
            key = self._key(passage)
            parts = {
                "bias": PASSAGE_WEIGHTS["bias"],
                "belief": PASSAGE_WEIGHTS["belief"] * math.log(entities.get(key, 0.0) + LEAST_BELIEF),
                **{name: PASSAGE_WEIGHTS.get(name, 0.0) * value for name, value in agreement[at].items()},
                "first_of_entity": PASSAGE_WEIGHTS["first_of_entity"] * float(leads[key][1] == at),
            }
            hit = Hit(rank=0, score=0.0, source=passage.source, passage=passage_hit(self._snapshot, at))
            yield _Scored(hit, parts, sum(parts.values()))

    def _key(self, passage: Passage) -> tuple[str, bool]:
        """The entity of a passage (one about none stands for itself), and whether it is of its structure."""
        entity = self._snapshot.entities[passage.entity].id if passage.entity >= 0 else passage.id
        return entity, passage.section == STRUCTURE


def _entity_belief(hits: Sequence[Hit], belief: Floats) -> dict[tuple[str, bool], float]:
    """By entity, and whether its structure is spoken of: the belief of the triples that end at it."""
    entities: dict[tuple[str, bool], float] = defaultdict(float)
    for hit, value in zip(hits, belief.tolist(), strict=True):
        if hit.triple is not None:
            for end in {hit.triple.head.id, hit.triple.tail.id}:
                entities[end, hit.triple.kind == MOLECULAR] += value
    return entities


def _has_source(passage: Passage, filters: Filters) -> bool:
    if filters.evidence and evidence_type(PASSAGE, passage.source) not in filters.evidence:
        return False
    return not filters.sources or passage.source.startswith(tuple(filters.sources))


def _ranked(scored: Iterable[_Scored], k: int, *, explain: bool) -> list[Hit]:
    def order(one: _Scored) -> tuple[float, bool, tuple[str, ...]]:
        passage = one.hit.passage
        ids = triple_order(one.hit) if passage is None else (passage.id,)
        return -one.score, passage is not None, ids

    best = sorted(scored, key=order)[:k]
    shown = strictly_decreasing(np.array([one.score for one in best], dtype=np.float64)).tolist()
    hits = []
    for rank, (one, score) in enumerate(zip(best, shown, strict=True), start=1):
        parts = None
        if explain:
            parts = {name: value for name, value in one.parts.items() if value}
            if score != one.score:
                parts["tie"] = score - one.score
        hits.append(replace(one.hit, rank=rank, score=score, parts=parts))
    return hits
