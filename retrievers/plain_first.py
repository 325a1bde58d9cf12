"""Questions that name things are read and answered by the facts; only the others are ranked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from retrievers.evidence_types import EVIDENCE_TYPES, evidence_type
from retrievers.hits import PASSAGE_KIND, Filters, Hit, Mention, Result, Retriever, TripleHit
from retrievers.passage_ranking import passage_hit
from retrievers.plain.records import Fact, PlainAnswer
from retrievers.reactome_snapshot import KIND as REACTOME
from retrievers.score_order import strictly_decreasing
from retrievers.snapshot import Snapshot

# The score of a fact is what its evidence counts, so that the strongest comes first.
_STRENGTH: Mapping[str, float] = {
    name: float(len(EVIDENCE_TYPES) - at) for at, name in enumerate(EVIDENCE_TYPES)
}
# Of a disputed pair, what was asked for comes before its contrary.
_STEMS = {"inhibit": "inhibit", "activate": "activat"}
ACTION = "ACTION"
_CORRECTED = 0.85
_NO_TRIPLES = "answer: it is no triple; /v1/answer gives it"


class Reads(Protocol):
    """What reads a question that names things."""

    def answer(self, question: str, *, filters: Filters) -> PlainAnswer | None:
        """What it asks for, looked up; None where it describes things instead."""
        ...


class PlainFirst:
    """A retriever behind a reading: what is read is answered by its facts alone, the rest is ranked.

    A question that is read and has no fact gets no hits, and notes that say why. Where passages are
    asked for as well, those that the retriever ranks follow, with their own scores: a fact's score is
    what its evidence counts, lifted above theirs. Safe to call from threads.
    """

    def __init__(self, retriever: Retriever, reader: Reads, snapshot: Snapshot) -> None:
        """All are of the same snapshot."""
        self.name = retriever.name
        self.returns = retriever.returns
        self._retriever = retriever
        self._reader = reader
        self._snapshot = snapshot

    def retrieve(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool = False
    ) -> list[Result]:
        """Rank at most `k` hits a question; what is read needs no ranking, and gets none."""
        kinds = filters.kinds - {PASSAGE_KIND}
        if filters.kinds and not kinds:
            return self._retriever.retrieve(questions, k=k, filters=filters, explain=explain)
        of_facts = replace(filters, kinds=kinds)
        read = [self._read(question, of_facts) for question in questions]
        wants_passages = self.returns == "both" and (not filters.kinds or PASSAGE_KIND in filters.kinds)
        only_passages = replace(filters, kinds=frozenset({PASSAGE_KIND}))
        described = [at for at, found in enumerate(read) if found is None]
        followed = [at for at, found in enumerate(read) if found and wants_passages and not found.abstained]
        ranked = self._ranked(questions, described, k, filters, explain=explain)
        passages = self._ranked(questions, followed, k, only_passages, explain=explain)
        results = []
        for at, (question, found) in enumerate(zip(questions, read, strict=True)):
            if found is None:
                results.append(ranked[at])
            else:
                own = self._hits(found, passages=wants_passages)
                results.append(_told(question, found, own, passages.get(at), k, explain=explain))
        return results

    def _read(self, question: str, filters: Filters) -> PlainAnswer | None:
        """The answer; None where the ranking has to find what is meant."""
        found = self._reader.answer(question, filters=filters)
        # Names of reactions are long, and much is asked of them that no rule reads.
        unread = found is not None and (found.abstained or found.understood.leftover)
        return None if unread and REACTOME in filters.kinds else found

    def _ranked(
        self, questions: Sequence[str], places: Sequence[int], k: int, filters: Filters, *, explain: bool
    ) -> dict[int, Result]:
        if not places:
            return {}
        asked = [questions[at] for at in places]
        found = self._retriever.retrieve(asked, k=k, filters=filters, explain=explain)
        return dict(zip(places, found, strict=True))

    def _hits(self, found: PlainAnswer, *, passages: bool) -> list[Hit]:
        """What the answer says as hits that are not ranked yet, the strongest evidence first."""
        if found.abstained:
            return []
        told = dict.fromkeys((*found.because, *(fact for item in found.items for fact in item.facts)))
        hits = [_fact_hit(fact) for fact in told]
        named = {item.passage for item in found.items if item.passage is not None}
        if passages and named:
            hits += [self._passage_hit(at) for at, it in enumerate(self._snapshot.passages) if it.id in named]
        stem = _STEMS.get(found.understood.relation or "", "")
        return sorted(hits, key=lambda hit: (-hit.score, *_asked_first(hit, stem)))

    def _passage_hit(self, at: int) -> Hit:
        source = self._snapshot.passages[at].source
        score = _STRENGTH[evidence_type("PASSAGE", source)]
        return Hit(rank=0, score=score, source=source, passage=passage_hit(self._snapshot, at))


def _asked_first(hit: Hit, stem: str) -> tuple[bool, bool]:
    """What was asked for before its contrary; a labelled interaction before the rows behind it."""
    triple = hit.triple
    return triple is None or stem not in triple.relation, triple is not None and triple.kind == ACTION


def _fact_hit(fact: Fact) -> Hit:
    triple = TripleHit(fact.head, fact.relation, fact.tail, fact.kind)
    source = fact.sources[0] if fact.sources else fact.kind
    return Hit(rank=0, score=_STRENGTH.get(fact.evidence_type, 0.0), source=source, triple=triple)


def _told(
    question: str, found: PlainAnswer, own: Sequence[Hit], others: Result | None, k: int, *, explain: bool
) -> Result:
    """The answer's own hits before those of the ranking, ranked together; the notes of the reading alone."""
    known = {hit.passage.id for hit in own if hit.passage is not None}
    after = (
        [] if others is None else [hit for hit in others.hits if hit.passage and hit.passage.id not in known]
    )
    first = list(own[:k])
    lift = max(0.0, after[0].score + 1.0 - first[-1].score) if first and after else 0.0
    bases = [*(hit.score + lift for hit in first), *(hit.score for hit in after)][:k]
    shown = strictly_decreasing(np.array(bases, dtype=np.float64)).tolist()
    hits = []
    for rank, (hit, base, score) in enumerate(zip([*first, *after], bases, shown, strict=False), start=1):
        parts = dict(hit.parts or {}) if rank > len(first) else {"evidence": hit.score, "read": lift}
        parts["tie"] = parts.get("tie", 0.0) + score - base
        kept = {name: value for name, value in parts.items() if value}
        hits.append(replace(hit, rank=rank, score=score, parts=kept if explain else None))
    notes = found.notes
    if not hits and not found.abstained:
        notes = (*notes, _NO_TRIPLES)
    return Result(question, hits, _mentions(question, found), tuple(dict.fromkeys(notes)))


def _mentions(question: str, found: PlainAnswer) -> list[Mention]:
    """What was linked, in reading order: each name with all that it stands for."""
    read = found.understood
    mentions = [
        Mention(
            named.start,
            named.end,
            question[named.start : named.end],
            entity,
            _CORRECTED if named.corrected_from else 1.0,
        )
        for named in (*read.subjects, *read.objects, *read.excluded)
        for entity in named.entities
    ]
    return sorted(dict.fromkeys(mentions), key=lambda it: (it.start, it.entity.id))
