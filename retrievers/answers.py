"""Answers without a language model: the ends or relations of the best triples, by what is asked for.

Each of the best triples is believed in with a probability; a small logistic model tells
which of its ends the question asks for, from where in the question each end is described.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from rdkit.Chem import rdMolDescriptors

from biomolkg.errors import InvalidMolecule
from biomolkg.molecules import parse_smiles
from retrievers.fusion import LEAST_BELIEF, Calibration, Floats, calibration_of, path_support
from retrievers.hits import EntityRef, Filters, Hit, Mention, Result, TripleHit
from retrievers.question_roles import ROLES, asked_label, chooses, word_roles
from retrievers.snapshot import Snapshot
from retrievers.triple.evidence import Rows
from retrievers.triple.retriever import MAX_UNITS, TripleRetriever
from retrievers.triple.trained.ranker import FirstStage
from retrievers.triple.words import Word, split_words

# Triples whose ends can be answers, and those that a belief is shared among.
ANSWERING = 8
DEPTH = 100
# Of answers with a confidence up to twice this, three in ten are right (docs/answers.md).
LEAST_CONFIDENCE = 0.1
# Log-odds that the tail is asked for. How they were found is told in docs/answers.md.
BIAS = 0.14
WEIGHTS: Mapping[str, float] = {
    "before": -1.55,
    "asked": 2.99,
    "other": -3.1,
    "after": 0.6,
    "choice": 0.66,
    "order_of_two": -0.74,
    "order_asked_first": -1.44,
    "object": 2.47,
    "acceptor": 1.08,
    "donors": 1.52,
    "acceptors": 0.42,
    "words": 2.16,
    "protein": 2.74,
    "path": 0.7,
    "of_two": -0.6,
}
SURELY = 0.99
CAPTIONS = 0.3
MOLECULAR = "MOLECULAR"
_NAMED = 0.8
_DIRECT = 0.5

_OBJECT = re.compile(r"\bobject\b", re.IGNORECASE)
_SUBJECT = re.compile(r"\bsubject\b", re.IGNORECASE)
_ACCEPTOR = re.compile(r"\baccept\w*", re.IGNORECASE)
_DONOR = re.compile(r"\bdono\w*", re.IGNORECASE)
_ASKED_FIRST = re.compile(r"\W*(?:which|what)\b", re.IGNORECASE)
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

    kind: `entity` or `relation`; None without candidates. confidence: the best one's score.
    """

    question: str
    answer: str | None
    kind: str | None
    confidence: float
    candidates: tuple[Candidate, ...]
    notes: tuple[str, ...]


class Answerer:
    """Answers from the triples of one snapshot. Safe to call from threads."""

    def __init__(self, snapshot: Snapshot, triples: TripleRetriever) -> None:
        """`triples`, trained or not, is of the same snapshot."""
        self._snapshot = snapshot
        self._triples = triples
        self._index = {entity.id: at for at, entity in enumerate(snapshot.entities)}
        self._bonding = lru_cache(maxsize=4096)(self._count_bonding)

    def answer(self, questions: Sequence[str], *, k: int, filters: Filters) -> list[Answer]:
        """At most `k` candidates a question."""
        ranked = self._triples.retrieve_with_stages(questions, k=DEPTH, filters=filters)
        return [self._answer(result, stage, k) for result, stage in ranked]

    def _answer(self, result: Result, stage: FirstStage, k: int) -> Answer:
        hits = [(hit, hit.triple) for hit in result.hits if hit.triple is not None]
        if not hits:
            return Answer(result.question, None, None, 0.0, (), tuple(result.notes))
        scores = np.array([hit.score for hit, _ in hits], dtype=np.float64)
        belief = self._believe(hits, scores, calibration_of(result))
        # A name dropped in a long description is not what the question is put to.
        direct = stage.evidence.directness >= _DIRECT
        sure_names = [mention for mention in result.mentions if direct and mention.score >= _NAMED]
        named = {mention.entity.id for mention in sure_names}
        first = hits[0][1]
        if _RELATION_ASKED.search(result.question) and not _joined(hits, sure_names):
            note = "answer: the graph has no such fact of the things that the question names"
            return Answer(result.question, None, None, 0.0, (), (*result.notes, note))
        if {first.head.id, first.tail.id} <= named and self._asks_relation(result, first):
            kind, candidates = "relation", _relations(hits, belief, first)
        else:
            if {first.head.id, first.tail.id} <= named:
                named = set()  # where all is named, names decide nothing
            kind, candidates = "entity", self._entities(result.question, hits, belief, stage, named)
        best = candidates[0]
        notes = list(result.notes)
        sure = best.score >= LEAST_CONFIDENCE or bool(sure_names)
        if not sure:
            notes.append(f"answer: the best candidate has a confidence of {best.score:.2f} only")
        return Answer(
            result.question,
            best.text if sure else None,
            kind,
            best.score,
            tuple(candidates[:k]),
            tuple(notes),
        )

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
        reading = _Reading.of(question, stage)
        arrived: dict[str, float] = defaultdict(float)
        for (_, triple), value in zip(hits, belief.tolist(), strict=True):
            arrived[triple.tail.id] += value
        label = asked_label(question)
        for (hit, triple), value in zip(hits[:ANSWERING], belief.tolist(), strict=False):
            of_tail = self._tail_odds(reading, triple, arrived[triple.head.id])
            of_tail = _settled(triple, of_tail, label, named)
            for end, part in ((triple.head, 1 - of_tail), (triple.tail, of_tail)):
                scores[end] += value * part
                spoken[end].append(hit)
        # What the question names is no answer to it.
        open_ends = [end for end in scores if end.id not in named] or list(scores)
        order = sorted(open_ends, key=lambda end: (-scores[end], end.id))
        return [Candidate(end.name, end, scores[end], tuple(spoken[end])) for end in order]

    def _tail_odds(self, reading: _Reading, triple: TripleHit, arriving: float) -> float:
        """Probability that the tail is asked for."""
        head, tail = self._index[triple.head.id], self._index[triple.tail.id]
        features = end_features(
            reading.of_entity(head),
            reading.of_entity(tail),
            reading,
            (self._bonding(head), self._bonding(tail)),
            molecular=triple.kind == MOLECULAR,
            protein=triple.tail.label == "Protein",
            arriving=arriving,
        )
        logit = BIAS + sum(WEIGHTS[name] * value for name, value in features.items())
        return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit))))

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


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """A question's words with their roles, int64 [W], and what each says of the entities."""

    question: str
    words: tuple[Word, ...]
    roles: np.ndarray
    stage: FirstStage

    @classmethod
    def of(cls, question: str, stage: FirstStage) -> _Reading:
        words = tuple(split_words(question, limit=MAX_UNITS))
        return cls(question, words, np.array(word_roles(question, words), dtype=np.int64), stage)

    def of_entity(self, entity: int) -> Floats:
        """float64 [W]: how much each word speaks of an entity, texts and structures mixed as in `triple`."""
        stage = self.stage
        weights = {"text": 1 - stage.share, "structure": stage.share, "caption": CAPTIONS * stage.share}
        total = np.zeros(stage.evidence.units)
        for name, weight in weights.items():
            best = stage.totals.best[name] or 1.0
            total += weight / best * _column(getattr(stage.evidence, name), entity)
        return total


def end_features(
    head: Floats,
    tail: Floats,
    reading: _Reading,
    bonding: tuple[tuple[int, int], tuple[int, int]],
    *,
    molecular: bool,
    protein: bool,
    arriving: float,
) -> dict[str, float]:
    """What tells which end is asked for; positive values of the roles are for the tail.

    head, tail: float64 [W], how much each word speaks of each end; bonding: their donors and
    acceptors; arriving: the belief of triples that end at the head, as in a path of several hops.
    """
    lead = tail - head
    total = float(np.abs(lead).sum()) or 1.0
    features = {role: float(lead[reading.roles == at].sum()) / total for at, role in enumerate(ROLES)}
    question = reading.question
    order = _place(np.maximum(lead, 0)) - _place(np.maximum(-lead, 0))
    of_two = chooses(question)
    turn = molecular * (float(bool(_ACCEPTOR.search(question))) - float(bool(_DONOR.search(question))))
    (head_donors, head_acceptors), (tail_donors, tail_acceptors) = bonding
    return features | {
        "order_of_two": of_two * order,
        "order_asked_first": bool(_ASKED_FIRST.match(question)) * order,
        "object": float(bool(_OBJECT.search(question))) - float(bool(_SUBJECT.search(question))),
        "acceptor": turn,
        "donors": -turn * math.tanh((tail_donors - head_donors) / 2),
        "acceptors": turn * math.tanh((tail_acceptors - head_acceptors) / 3),
        "words": len(lead) / 50,
        "protein": float(protein),
        "path": math.log(arriving + LEAST_BELIEF) / 5,
        "of_two": float(of_two),
    }


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


def _column(rows: Rows, entity: int) -> Floats:
    """float64 [W]: the weights of one entity."""
    column = np.zeros(rows.units)
    places = np.flatnonzero(rows.entities == entity)
    column[np.searchsorted(rows.starts, places, side="right") - 1] = rows.weights[places]
    return column


def _place(weights: Floats) -> float:
    """The mean place in the question, 0 to 1, of what has these weights."""
    total = float(weights.sum())
    if not total:
        return 0.0
    return float(weights @ np.arange(len(weights))) / max(len(weights) - 1, 1) / total
