"""Answers to descriptions: the ends or relations of the best triples, by what is asked for.

Each of the best triples is believed in with a probability; a small logistic model tells which of its
ends the question asks for, another one how far the best answer is to be believed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from rdkit.Chem import rdMolDescriptors

from biomolkg.errors import InvalidMolecule
from biomolkg.molecules import parse_smiles
from retrievers.answer_confidence import confidence, confidence_features
from retrievers.answer_ends import EndReading, end_features, tail_odds
from retrievers.fusion import Calibration, Floats, calibration_of, path_support
from retrievers.hits import EntityRef, Filters, Hit, Mention, Result, TripleHit
from retrievers.plain.records import NO_FACT, NOT_UNDERSTOOD
from retrievers.question_roles import asked_label
from retrievers.snapshot import Snapshot
from retrievers.triple.retriever import TripleRetriever
from retrievers.triple.trained.ranker import FirstStage

# Triples whose ends can be answers, and those that a belief is shared among.
ANSWERING = 8
DEPTH = 100
# Below it there is no answer (docs/answers.md).
LEAST_CONFIDENCE = 0.1
UNREAD = 0.5
DESCRIBED_KINDS = frozenset(("DDI", "DPI", "MOLECULAR", "ACTION", "FACT"))
SURELY = 0.99
MOLECULAR = "MOLECULAR"
_NAMED = 0.8
_DIRECT = 0.5

_RELATION_ASKED = re.compile(
    r"\bwhat (?:happens|is known|can happen|may happen|occurs|results)\b|"
    r"\bhow (?:do|does|is|are|can|might)\b|"
    r"\b(?:is|are) there (?:\w+ ){0,3}(?:relation\w*|interactions?|effects?|reactions?) (?:between|of)\b|"
    r"\bwhat (?:is|are) the (?:\w+ ){0,3}(?:relation\w*|interactions?|effects?|risks?|consequences?)\b|"
    r"\b(?:which|what) (?:\w+ ){0,3}(?:relation\w*|interactions?|effects?|risks?|reactions?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A possible answer: an entity, or the name of a relation. `score` in [0, 1]; `triples` speak for it."""

    text: str
    entity: EntityRef | None
    score: float
    triples: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Candidates, best first, and the answer: none when there is no evidence or too little confidence.

    kind: `entity` or `relation`; None without candidates. confidence: how surely the best one is right,
    made from `features`; the scores of all sum up to it at most. reason: why there is no answer.
    """

    question: str
    answer: str | None
    kind: str | None
    confidence: float
    candidates: tuple[Candidate, ...]
    notes: tuple[str, ...]
    reason: str | None = None
    features: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def without(cls, question: str, reason: str, *notes: str) -> Answer:
        """No answer, and why."""
        return cls(question, None, None, 0.0, (), notes, reason)


class Answerer:
    """Answers from the triples of one snapshot. Safe to call from threads."""

    def __init__(self, snapshot: Snapshot, triples: TripleRetriever) -> None:
        """`triples`, trained or not, is of the same snapshot."""
        self._snapshot = snapshot
        self._triples = triples
        self._index = {entity.id: at for at, entity in enumerate(snapshot.entities)}
        self._relations = {(it.kind, it.name): at for at, it in enumerate(snapshot.relations)}
        self._bonding = lru_cache(maxsize=4096)(self._count_bonding)

    def answer(self, questions: Sequence[str], *, k: int, filters: Filters) -> list[Answer]:
        """At most `k` candidates a question."""
        ranked = self._triples.retrieve_with_stages(questions, k=DEPTH, filters=filters)
        return [self._answer(result, stage, k) for result, stage in ranked]

    def ends(self, questions: Sequence[str]) -> Iterator[list[tuple[TripleHit, dict[str, float]]]]:
        """For each question its best triples with what tells which end is asked for."""
        for result, stage in self._triples.retrieve_with_stages(questions, k=DEPTH, filters=Filters()):
            hits = [(hit, hit.triple) for hit in result.hits if hit.triple is not None]
            belief = self._believe(hits, _scores(hits), calibration_of(result))
            features = self._features(result.question, hits, belief, stage)
            yield [(triple, found) for (_, triple), found in zip(hits, features, strict=False)]

    def _answer(self, result: Result, stage: FirstStage, k: int) -> Answer:
        question = result.question
        hits = [(hit, hit.triple) for hit in result.hits if hit.triple is not None]
        if not hits:
            return Answer.without(question, NOT_UNDERSTOOD, *result.notes)
        belief = self._believe(hits, _scores(hits), calibration_of(result))
        # A name dropped in a long description is not what the question is put to.
        direct = stage.evidence.directness >= _DIRECT
        sure_names = [mention for mention in result.mentions if direct and mention.score >= _NAMED]
        named = {mention.entity.id for mention in sure_names}
        first = hits[0][1]
        if _RELATION_ASKED.search(question) and not _joined(hits, sure_names):
            note = "answer: the graph has no such fact of the things that the question names"
            return Answer.without(question, NO_FACT, *result.notes, note)
        if {first.head.id, first.tail.id} <= named and self._asks_relation(result, first):
            kind, candidates = "relation", _relations(hits, belief, first)
        else:
            if {first.head.id, first.tail.id} <= named:
                named = set()  # where all is named, names decide nothing
            kind, candidates = "entity", self._entities(question, hits, belief, stage, named)
        best = candidates[0]
        features = confidence_features(best.score, stage, self._places(first))
        sure = confidence(features, first.kind, hits[0][0].source)
        if sure_names:  # it was fitted to descriptions; what names things and was not read is a guess
            sure = min(best.score, UNREAD)
        scale = min(1.0, sure / best.score) if best.score else 1.0
        shown = tuple(replace(it, score=it.score * scale) for it in candidates[:k])
        if sure >= LEAST_CONFIDENCE:
            return Answer(question, best.text, kind, sure, shown, tuple(result.notes), None, features)
        notes = (*result.notes, f"answer: the best candidate has a confidence of {sure:.2f} only")
        return Answer(question, None, kind, sure, shown, notes, NOT_UNDERSTOOD, features)

    def _places(self, triple: TripleHit) -> tuple[int, int, int]:
        relation = self._relations[triple.kind, triple.relation]
        return self._index[triple.head.id], relation, self._index[triple.tail.id]

    def _believe(
        self, hits: Sequence[tuple[Hit, TripleHit]], scores: Floats, calibration: Calibration
    ) -> Floats:
        """How far each triple is believed to be the one that the question ends on: float64 [n]."""
        belief = calibration.belief(scores)
        if not calibration.marginal:
            return belief
        heads = np.array([self._index[triple.head.id] for _, triple in hits], dtype=np.int64)
        tails = np.array([self._index[triple.tail.id] for _, triple in hits], dtype=np.int64)
        # What leads on to another triple of the path is not its last one.
        last = np.maximum(belief - path_support(heads, tails, belief), 0.0)
        total = float(last.sum())
        return last / total if total else belief

    def _asks_relation(self, result: Result, first: TripleHit) -> bool:
        """Both ends are named: the relation is asked for, unless it is named too and a thing is asked for."""
        question = result.question
        if _RELATION_ASKED.search(question):
            return True
        return asked_label(question) is None and first.relation.casefold() not in question.casefold()

    def _entities(
        self,
        question: str,
        hits: Sequence[tuple[Hit, TripleHit]],
        belief: Floats,
        stage: FirstStage,
        named: set[str],
    ) -> list[Candidate]:
        scores: dict[EntityRef, float] = defaultdict(float)
        spoken: dict[EntityRef, list[Hit]] = defaultdict(list)
        label = asked_label(question)
        features = self._features(question, hits, belief, stage)
        for (hit, triple), value, found in zip(hits, belief.tolist(), features, strict=False):
            of_tail = _settled(triple, tail_odds(found), label, named)
            for end, part in ((triple.head, 1 - of_tail), (triple.tail, of_tail)):
                scores[end] += value * part
                spoken[end].append(hit)
        # What the question names is no answer to it.
        open_ends = [end for end in scores if end.id not in named] or list(scores)
        order = sorted(open_ends, key=lambda end: (-scores[end], end.id))
        return [Candidate(end.name, end, scores[end], tuple(spoken[end])) for end in order]

    def _features(
        self, question: str, hits: Sequence[tuple[Hit, TripleHit]], belief: Floats, stage: FirstStage
    ) -> list[dict[str, float]]:
        """What tells which end of each of the best triples is asked for."""
        reading = EndReading.of(question, stage)
        arrived: dict[str, float] = defaultdict(float)
        for (_, triple), value in zip(hits, belief.tolist(), strict=True):
            arrived[triple.tail.id] += value
        found = []
        for _, triple in hits[:ANSWERING]:
            head, tail = self._index[triple.head.id], self._index[triple.tail.id]
            found.append(
                end_features(
                    reading.of_entity(head),
                    reading.of_entity(tail),
                    reading,
                    (self._bonding(head), self._bonding(tail)),
                    molecular=triple.kind == MOLECULAR,
                    protein=triple.tail.label == "Protein",
                    arriving=arrived[triple.head.id],
                )
            )
        return found

    def _count_bonding(self, entity: int) -> tuple[int, int]:
        """Donors and acceptors of hydrogen bonds, (0, 0) without a structure that can be read."""
        smiles = self._snapshot.entities[entity].smiles
        if not smiles:
            return 0, 0
        try:
            molecule = parse_smiles(smiles)
        except InvalidMolecule:
            return 0, 0
        return int(rdMolDescriptors.CalcNumHBD(molecule)), int(rdMolDescriptors.CalcNumHBA(molecule))


def _scores(hits: Sequence[tuple[Hit, TripleHit]]) -> Floats:
    return np.array([hit.score for hit, _ in hits], dtype=np.float64)


def _settled(triple: TripleHit, of_tail: float, label: str | None, named: set[str]) -> float:
    """What is named is not asked for; "which protein" asks for the end that is one."""
    head, tail = triple.head, triple.tail
    if (head.id in named) != (tail.id in named):
        return SURELY if head.id in named else 1 - SURELY
    if label is not None and (head.label == label) != (tail.label == label):
        return SURELY if tail.label == label else 1 - SURELY
    return of_tail


def _joined(hits: Sequence[tuple[Hit, TripleHit]], names: Sequence[Mention]) -> bool:
    """Whether a triple joins two of the named things; true of fewer than two, which ask for no joint fact."""
    if len({mention.start for mention in names}) < 2:
        return True
    named = {mention.entity.id for mention in names}
    return any({triple.head.id, triple.tail.id} <= named for _, triple in hits)


def _relations(hits: Sequence[tuple[Hit, TripleHit]], belief: Floats, first: TripleHit) -> list[Candidate]:
    """The relations between the two ends of `first`, each with the share of belief among them."""
    ends = {first.head.id, first.tail.id}
    scores: dict[str, float] = defaultdict(float)
    spoken: dict[str, list[Hit]] = defaultdict(list)
    for (hit, triple), value in zip(hits, belief.tolist(), strict=True):
        if {triple.head.id, triple.tail.id} == ends:
            scores[triple.relation] += value
            spoken[triple.relation].append(hit)
    order = sorted(scores, key=lambda name: (-scores[name], name))
    return [Candidate(name, None, scores[name], tuple(spoken[name])) for name in order]
