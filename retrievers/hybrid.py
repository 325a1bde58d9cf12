"""Triples and passages in one ranking: each supports the other, and paths bring their neighbours along."""

from __future__ import annotations

import copy
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from retrievers.evidence_types import PASSAGE, evidence_type
from retrievers.fusion import (
    LABEL_WEIGHTS,
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
from retrievers.label_questions import LabelQuestion, LabelQuestions
from retrievers.passage_ranking import described, limited, passage_hit
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
class Considered:
    """A hit before it is ranked: what speaks for it, and how much each counts.

    A score is the sum of feature times weight, and of `label`, which has none.
    """

    hit: Hit
    features: Mapping[str, float]
    weights: Mapping[str, float]
    label: float = 0.0

    @property
    def parts(self) -> dict[str, float]:
        """The terms of the score."""
        parts = {name: self.weights.get(name, 0.0) * value for name, value in self.features.items()}
        return parts | {"label": self.label} if self.label else parts

    @property
    def score(self) -> float:
        """Log-odds that it belongs to what the question is about."""
        return sum(self.parts.values())


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
        self._labels = LabelQuestions(snapshot)

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
        wants_passages = not filters.kinds or PASSAGE_KIND in filters.kinds
        wants_triples = not filters.kinds or bool(filters.kinds - {PASSAGE_KIND})
        results = []
        for triples, notes, fused in self.considered(questions, k=k, filters=filters):
            wanted = (one for one in fused if (wants_triples if one.hit.kind == "triple" else wants_passages))
            hits = _ranked(wanted, k, per_entity=filters.per_entity, explain=explain)
            results.append(Result(triples.question, hits, triples.mentions, notes))
        return results

    def considered(
        self, questions: Sequence[str], *, k: int, filters: Filters
    ) -> Iterator[tuple[Result, tuple[str, ...], list[Considered]]]:
        """For each question the result of `triple`, all notes, and every hit that is looked at, unranked."""
        kinds = filters.kinds - {PASSAGE_KIND}
        wants_triples = not filters.kinds or bool(kinds)
        filters = replace(filters, per_entity=None)
        # Passages may come from one source and be found by facts of another.
        of_triples = replace(filters, kinds=kinds, sources=filters.sources if wants_triples else frozenset())
        found = self._triples.retrieve(questions, k=max(k, TRIPLES), filters=of_triples)
        of_passages = replace(filters, kinds=frozenset())
        lists = {
            retriever.name: retriever.retrieve(questions, k=max(k, PASSAGES), filters=of_passages)
            for retriever in self._passages
        }
        for at, triples in enumerate(found):
            passages = {name: listed[at] for name, listed in lists.items()}
            notes = [note for result in (triples, *passages.values()) for note in result.notes]
            yield triples, tuple(dict.fromkeys(notes)), self._fuse(triples, passages, filters)

    def _fuse(self, triples: Result, passages: Mapping[str, Result], filters: Filters) -> list[Considered]:
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
        asked = self._labels.read(triples.question, triples.mentions)
        spoken = near.union(*(found for name, found in ranks.items() if name != "dense"))
        along = self._brought_along(entities, filters) | self._sections(asked, filters)
        candidates = sorted({self._index[id_] for id_ in spoken} | along)
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
            *self._score_passages(candidates, entities, agreement, asked),
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

    def _sections(self, asked: LabelQuestion, filters: Filters) -> set[int]:
        """The passages of labels whose drug is named and whose section is asked for, if they pass."""
        found = set()
        for label in asked.labels if asked.codes else ():
            for at in self._labels.by_label[label]:
                passage = self._snapshot.passages[at]
                passes = not filters.entities or not filters.entities.isdisjoint(passage.drugs)
                if asked.brings(passage) and passes and _has_source(passage, filters):
                    found.add(at)
        return found

    def _score_triples(
        self,
        hits: Sequence[Hit],
        belief: Floats,
        path: Floats,
        agreement: Mapping[int, Mapping[str, float]],
    ) -> Iterable[Considered]:
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
            features = {
                "bias": 1.0,
                "belief": own,
                "path": math.log(alone + gained + LEAST_BELIEF) - own,
                "passages": sum(ends) / 2,
            }
            yield Considered(hit, features, TRIPLE_WEIGHTS)

    def _score_passages(
        self,
        candidates: Sequence[int],
        entities: Mapping[tuple[str, bool], float],
        agreement: Mapping[int, Mapping[str, float]],
        asked: LabelQuestion,
    ) -> Iterable[Considered]:
        """No triple ends at a passage of a label, so that its words, drug and section have to do."""
        for at in candidates:
            passage = self._snapshot.passages[at]
            hit = Hit(rank=0, score=0.0, source=passage.source, passage=passage_hit(self._snapshot, at))
            features = {"bias": 1.0, **agreement[at]}
            if passage.entity < 0:
                gain = asked.gain(passage) if passage.label is not None else 0.0
                yield Considered(hit, features, LABEL_WEIGHTS, label=gain)
            else:
                belief = math.log(entities.get(self._key(passage), 0.0) + LEAST_BELIEF)
                yield Considered(hit, features | {"belief": belief}, PASSAGE_WEIGHTS)

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


def _ranked(scored: Iterable[Considered], k: int, *, per_entity: int | None, explain: bool) -> list[Hit]:
    found = [(one.score, one) for one in scored]

    def order(item: tuple[float, Considered]) -> tuple[float, bool, tuple[str, ...]]:
        score, one = item
        passage = one.hit.passage
        ids = triple_order(one.hit) if passage is None else (passage.id,)
        return -score, passage is not None, ids

    ordered = sorted(found, key=order)
    best = list(limited(ordered, per_entity, key=lambda item: described(item[1].hit.passage)))[:k]
    scores = np.array([score for score, _ in best], dtype=np.float64)
    hits = []
    for rank, ((score, one), shown) in enumerate(
        zip(best, strictly_decreasing(scores).tolist(), strict=True), start=1
    ):
        parts = None
        if explain:
            parts = {name: value for name, value in one.parts.items() if value}
            if shown != score:
                parts["tie"] = shown - score
        hits.append(replace(one.hit, rank=rank, score=shown, parts=parts))
    return hits
