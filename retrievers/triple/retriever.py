"""The factored triple retriever: every fact scored as a whole against the question, trained or not."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder import SentenceEncoder, Spans, TokenStates
from biomolkg.settings import Settings
from retrievers.hits import Filters, Hit, Mention, Result
from retrievers.mentions import Gazetteer, Match
from retrievers.reactome_snapshot import KIND as REACTOME
from retrievers.score_order import strictly_decreasing
from retrievers.snapshot import Entity, Snapshot
from retrievers.triple.chemistry import ChemicalEvidence, claim_rows
from retrievers.triple.clauses import clause_vectors, index_sentences, split_clauses
from retrievers.triple.evidence import Floats
from retrievers.triple.lexical import TermIndex
from retrievers.triple.opsin import Opsin
from retrievers.triple.ranking import Ranked, Ranking
from retrievers.triple.relations import RelationIndex, directness, reworded
from retrievers.triple.scores import (
    Evidence,
    Totals,
    additive_scores,
    relation_scores,
    structure_share,
)
from retrievers.triple.trained.interaction import LEAST_SHARE
from retrievers.triple.trained.ranker import FirstStage
from retrievers.triple.trained.stack import Stack
from retrievers.triple.words import content_spans, split_words
from retrievers.triple_hits import passing_triples, triple_hit

MAX_UNITS = 256
MOLECULAR, BINDING, ACTION = "MOLECULAR", "DPI", "ACTION"
# Vectors say nothing of structures: such questions are not sent through the encoder without training.
SURELY_STRUCTURES = 0.9
# From this directness on names and relation say all that is asked: there is nothing to learn.
PLAIN = 0.5
_LONGEST_SYNONYM = 40
_PATHWAYS = re.compile(r"\bpathways?\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, eq=False)
class _Allowed:
    """What passes the filters: triples, int64 ascending, and the relations, bool [R], that they have."""

    triples: NDArray[np.int64]
    molecular: NDArray[np.bool_]
    other: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """One question read: its evidence, its names, and why a kind of evidence is missing.

    spoken: where the words stand that can speak of something; allowed: the triples that may answer it;
    tokens: float32 [W, d], its tokens' states, none where it was not sent through the encoder.
    """

    evidence: Evidence
    totals: Totals
    matches: tuple[Match, ...]
    notes: tuple[str, ...]
    spoken: Spans
    allowed: _Allowed
    tokens: Floats = field(default_factory=lambda: np.zeros((0, 0), dtype=np.float32))


class TripleRetriever:
    """Ranks the fact edges of a snapshot. Safe to call from threads.

    Of the default kinds, STITCH's actions answer plain questions about what has no other fact of
    a drug and a protein. Ties in score are broken by (head id, relation name, tail id); of equal scores
    each later one is lowered by the least amount, shown as the part `tie`.
    """

    name = "triple"
    returns = "triple"

    def __init__(
        self,
        snapshot: Snapshot,
        encoder: SentenceEncoder,
        settings: Settings,
        *,
        gazetteer: Gazetteer | None = None,
    ) -> None:
        """Index the snapshot: seconds for texts that were never encoded here, tenths of it afterwards.

        gazetteer: that of the snapshot, where there is one already.
        """
        self._snapshot = snapshot
        self._encoder = encoder
        self._opsin = Opsin(cache_size=settings.phrase_cache_size)
        self._gazetteer = gazetteer or Gazetteer(snapshot)
        texts = [(p.entity, p.text) for p in snapshot.passages if p.entity >= 0 and not p.composed]
        self._texts = TermIndex(_documents(snapshot.entities, texts))
        self._sentences = index_sentences(texts, encoder, settings.home / "cache")
        self._chemistry = ChemicalEvidence(snapshot.entities, self._opsin)
        self._relations = RelationIndex(snapshot.relations, snapshot.relation_embeddings)
        self._molecular = np.array(
            [relation.kind == MOLECULAR for relation in snapshot.relations], dtype=bool
        )
        self._allowed = lru_cache(maxsize=64)(self._find_allowed)
        self._only_actions = _only_actions(snapshot)
        self._stack: Stack | None = None
        self.ranking = Ranking(snapshot)

    @property
    def chemistry(self) -> ChemicalEvidence:
        """How it reads the chemistry of questions, for other retrievers of the same snapshot."""
        return self._chemistry

    @property
    def encoder(self) -> SentenceEncoder:
        """What it reads questions with."""
        return self._encoder

    def close(self) -> None:
        """End the chemistry reader's process; a later question starts it again."""
        self._opsin.close()

    def ranked_by(self, stack: Stack) -> TripleRetriever:
        """The same retriever with a trained ranking; it shares every index and process with this one.

        Raises ModelError when the ranking reads tokens of another encoder, or is of other entities.
        """
        if stack.interaction is not None:
            stack.interaction.require(
                entities=len(self._snapshot.entities),
                relations=len(self._snapshot.relations),
                encoder=self._encoder.identity,
            )
        trained = copy.copy(self)
        trained._stack = stack
        return trained

    def first_stages(
        self, questions: Sequence[str], filters: Filters, *, tokens: bool = False
    ) -> list[FirstStage]:
        """Each question read and scored by the first stage: what a trained ranking is made from.

        tokens: whether every question's token states are wanted, not only where its vectors are.
        """
        readings = self._read_all(questions, filters, tokens=tokens)
        return [
            self._first_stage(question, reading)
            for question, reading in zip(questions, readings, strict=True)
        ]

    def retrieve(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool = False
    ) -> list[Result]:
        """Rank at most `k` triples a question; one pass of the encoder for all that need it."""
        return [result for result, _ in self._answers(questions, k=k, filters=filters, explain=explain)]

    def retrieve_with_stages(
        self, questions: Sequence[str], *, k: int, filters: Filters
    ) -> list[tuple[Result, FirstStage]]:
        """What `retrieve` gives, with how each question was read."""
        return list(self._answers(questions, k=k, filters=filters, explain=False))

    def _answers(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool
    ) -> Iterator[tuple[Result, FirstStage]]:
        for question, reading in zip(questions, self._read_all(questions, filters), strict=True):
            stage = self._first_stage(question, reading)
            yield self._answer(reading, stage, k=k, explain=explain), stage

    def _read_all(
        self, questions: Sequence[str], filters: Filters, *, tokens: bool = False
    ) -> list[_Reading]:
        readings = [self._read(question, filters) for question in questions]
        shares = [self._share(reading) for reading in readings]
        tokens = tokens or (self._stack is not None and self._stack.interaction is not None)
        described = [share < SURELY_STRUCTURES for share in shares]
        encoded = [at for at, reading in enumerate(readings) if reading.spoken and (tokens or described[at])]
        # What is compared with structures is learned, and learns from function words what belongs to what.
        spans = [None if tokens and shares[at] >= LEAST_SHARE else readings[at].spoken for at in encoded]
        vectors, found = self._encoder.encode_questions([questions[at] for at in encoded], spans)
        for at, vector, states in zip(encoded, vectors, found, strict=True):
            readings[at] = replace(readings[at], tokens=states.states)
            if described[at]:
                readings[at] = self._with_vectors(readings[at], questions[at], vector, states)
        return readings

    def _answer(self, reading: _Reading, stage: FirstStage, *, k: int, explain: bool) -> Result:
        question, notes = stage.question, list(reading.notes)
        mentions = [mention for match in reading.matches for mention in self._mentions(question, match)]
        if not len(reading.allowed.triples):
            notes.append("filters: no triple of the graph passes them")
            return Result(question, (), mentions, tuple(notes))
        stack = None if stage.evidence.directness >= PLAIN else self._stack
        if self._stack is not stack:
            notes.append("model: a plain question about named entities is ranked without training")
        if stack is not None:
            scored = self.ranking.trained(stage, stack, k, explain=explain)
        else:
            scored = self.ranking.untrained(stage, k)
        if not len(scored.triples):
            notes.append("scoring: nothing in the question speaks of any triple")
        shown = strictly_decreasing(scored.scores)
        hits = [
            self._hit(rank, int(triple), shown[rank - 1], scored, explain=explain)
            for rank, triple in enumerate(scored.triples, 1)
        ]
        return Result(question, hits, mentions, tuple(notes), trained=stack is not None)

    def _read(self, question: str, filters: Filters) -> _Reading:
        """Everything a question says but what its vectors say."""
        size = len(self._snapshot.entities)
        words = split_words(question, limit=MAX_UNITS)
        matches = self._gazetteer.matches(question)
        claims, chemistry_ran = self._chemistry.claims(question, words)
        named = np.zeros(size, dtype=np.float32)
        for match in matches:
            for candidate in match.candidates:
                named[candidate.entity] = max(named[candidate.entity], candidate.score)
        relation = self._relations.match(question)
        direct = directness(words, matches, self._relations.exact_stems(relation))
        evidence = Evidence(
            text=self._texts.rows(word.stem if word.counts else None for word in words),
            structure=claim_rows(claims, len(words)),
            caption=self._chemistry.captions(words),
            sentence=np.zeros(size, dtype=np.float32),
            clauses=np.zeros((0, size), dtype=np.float32),
            shares=np.zeros(0, dtype=np.float32),
            # In a long description, an agonist or a blocker is no relation that is asked for.
            relation=self._relations.match(reworded(question)) if direct else relation,
            named=named,
            directness=direct,
            units=len(words),
        )
        notes = []
        if not matches:
            notes.append("names: the question names no entity of the graph")
        if not len(evidence.text.entities):
            notes.append("texts: no word of the question occurs in any entity's names or texts")
        if not claims:
            notes.append("structures: no phrase of the question names a fragment that a structure contains")
        if not chemistry_ran:
            notes.append("structures: OPSIN cannot run here, so only the lexicon of groups was used")
        if _PATHWAYS.search(question) and REACTOME not in filters.kinds:
            notes.append("kinds: pathways and reactions are triples of kind REACTOME, which `kinds` asks for")
        allowed = self._allowed(filters)
        if direct >= PLAIN and not filters.kinds:
            allowed = self._with_actions(allowed, matches, filters)
        spoken = content_spans(words)
        return _Reading(evidence, Totals.of(evidence), tuple(matches), tuple(notes), spoken, allowed)

    def _with_actions(self, allowed: _Allowed, matches: Sequence[Match], filters: Filters) -> _Allowed:
        """`allowed` and the actions of what is named, where the graph knows nothing else of what it binds."""
        named = {candidate.entity for match in matches for candidate in match.candidates}
        lacking = np.array([entity for entity in named if self._only_actions[entity]], dtype=np.int64)
        if not len(lacking):
            return allowed
        snapshot = self._snapshot
        actions = self._allowed(replace(filters, kinds=frozenset({ACTION}))).triples
        of_named = np.isin(snapshot.heads[actions], lacking) | np.isin(snapshot.tails[actions], lacking)
        more = actions[of_named]
        other = allowed.other.copy()
        other[snapshot.relation_of[more]] = True
        triples = np.insert(allowed.triples, np.searchsorted(allowed.triples, more), more)
        return _Allowed(triples, allowed.molecular, other)

    def _with_vectors(
        self, reading: _Reading, question: str, vector: Floats, tokens: TokenStates
    ) -> _Reading:
        clauses, shares = clause_vectors(split_clauses(question), tokens)
        size = len(self._snapshot.entities)
        closeness = self._sentences.closeness(np.concatenate([vector[None], clauses]), size)
        evidence = replace(
            reading.evidence,
            sentence=closeness[0],
            clauses=closeness[1:],
            shares=shares,
            relation=self._relations.with_vectors(reading.evidence.relation, vector, clauses),
        )
        return replace(reading, evidence=evidence)

    def _share(self, reading: _Reading) -> float:
        allowed = reading.allowed
        scores = relation_scores(reading.evidence.relation)
        inside, outside = scores[allowed.molecular], scores[allowed.other]
        lead = float(inside.max() - outside.max()) if len(inside) and len(outside) else 0.0
        return structure_share(reading.totals, reading.evidence.units, lead)

    def _first_stage(self, question: str, reading: _Reading) -> FirstStage:
        snapshot, allowed = self._snapshot, reading.allowed
        evidence, totals = reading.evidence, reading.totals
        share = self._share(reading)
        everything = len(allowed.triples) == len(snapshot.heads)
        chosen = slice(None) if everything else allowed.triples
        ends = (snapshot.heads[chosen], snapshot.tails[chosen])
        scores = additive_scores(evidence, totals, share, ends, snapshot.relation_of[chosen])
        return FirstStage(question, evidence, totals, share, allowed.triples, scores, reading.tokens)

    def _find_allowed(self, filters: Filters) -> _Allowed:
        snapshot = self._snapshot
        triples = passing_triples(snapshot, filters)
        present = np.zeros(len(snapshot.relations), dtype=bool)
        present[snapshot.relation_of[triples]] = True
        return _Allowed(triples, present & self._molecular, present & ~self._molecular)

    def _hit(self, rank: int, triple: int, score: np.float64, scored: Ranked, *, explain: bool) -> Hit:
        parts = None
        if explain:
            parts = {name: float(part[rank - 1]) for name, part in scored.parts.items() if part[rank - 1]}
            if score != scored.scores[rank - 1]:
                parts["tie"] = float(score - scored.scores[rank - 1])
        return triple_hit(self._snapshot, triple, rank=rank, score=float(score), parts=parts)

    def _mentions(self, question: str, match: Match) -> list[Mention]:
        text = question[match.start : match.end]
        entities = self._snapshot.entities
        return [
            Mention(match.start, match.end, text, entities[c.entity].reference, c.score)
            for c in match.candidates
        ]


def _only_actions(snapshot: Snapshot) -> NDArray[np.bool_]:
    """Which entities have actions but no other fact of a drug and a protein: bool [entities]."""
    having = {}
    for kind in (BINDING, ACTION):
        triples = passing_triples(snapshot, Filters(kinds=frozenset({kind})))
        having[kind] = np.zeros(len(snapshot.entities), dtype=bool)
        having[kind][snapshot.heads[triples]] = True
        having[kind][snapshot.tails[triples]] = True
    return having[ACTION] & ~having[BINDING]


def _documents(entities: Sequence[Entity], texts: Sequence[tuple[int, str]]) -> list[list[str]]:
    """The stems of everything written of each entity: names, gene, short synonyms, texts."""
    documents: list[list[str]] = []
    for entity in entities:
        short = [synonym for synonym in entity.synonyms if len(synonym) < _LONGEST_SYNONYM]
        names = [entity.name, entity.gene or "", *short]
        documents.append([word.stem for name in names for word in split_words(name)])
    for owner, text in texts:
        documents[owner].extend(word.stem for word in split_words(text) if word.counts)
    return documents
