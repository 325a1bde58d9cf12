"""Answers and facts as JSON: plain ones from the facts, and those to descriptions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from app.formatting import hit_fields, ref_fields
from retrievers.answers import Answer, Candidate
from retrievers.evidence_types import EvidenceType, evidence_type
from retrievers.hits import EntityRef, Hit
from retrievers.plain.records import Fact, Item, Named, PlainAnswer, Understood

# Their items are a page of a list, and so are the facts that are told with them.
LISTS = frozenset(("list", "count"))
DESCRIPTION = Understood("description")


def plain_fields(
    question: str, found: PlainAnswer, notes: Sequence[str], *, k: int, offset: int, cursor: str | None
) -> dict[str, Any]:
    """A plain answer as `app.answer_schemas.AnsweredOut`: `k` of its items from `offset` on."""
    shown = found.items[offset : offset + k]
    because = [fact for item in shown for fact in item.facts] if found.kind in LISTS else []
    because = because or list(found.because[:k] if found.kind in LISTS else found.because)
    return {
        "question": question,
        "understood": understood_fields(found.understood),
        "kind": found.kind,
        "answer": found.answer,
        "verdict": found.verdict,
        "items": [item_fields(item) for item in shown],
        "total": len(found.items),
        "cursor": cursor,
        "because": [fact_fields(fact) for fact in because],
        "related": [fact_fields(fact) for fact in found.related[:k]],
        "confidence": round(found.confidence, 6),
        "abstained": found.abstained,
        "reason": found.reason,
        "citations": [
            *(cited_fact(fact) for fact in dict.fromkeys(because)),
            *(cited_passage(item.passage) for item in shown if item.passage is not None),
        ],
        "candidates": [
            _plain_candidate(rank, item, found.confidence)
            for rank, item in enumerate(shown, start=offset + 1)
            if item.entity is not None or item.relation is not None
        ],
        "notes": list(dict.fromkeys((*found.notes, *notes))),
    }


def described_fields(found: Answer, notes: Sequence[str]) -> dict[str, Any]:
    """The answer to a description as `app.answer_schemas.AnsweredOut`: its best candidate is the item."""
    best = found.candidates[0] if found.candidates and found.answer is not None else None
    because = [] if best is None else [_fact_of(hit) for hit in best.triples]
    facts = [fact_fields(fact) for fact in because]
    items = [] if best is None else [_item_of(best, facts)]
    return {
        "question": found.question,
        "understood": understood_fields(DESCRIPTION),
        "kind": found.kind if found.kind and found.answer is not None else "none",
        "answer": found.answer,
        "verdict": None,
        "items": items,
        "total": len(items),
        "cursor": None,
        "because": facts,
        "related": [],
        "confidence": round(found.confidence, 6),
        "abstained": found.answer is None,
        "reason": found.reason,
        "citations": [cited_fact(fact) for fact in because],
        "candidates": [_candidate_fields(rank, it) for rank, it in enumerate(found.candidates, start=1)],
        "notes": list(dict.fromkeys((*found.notes, *notes))),
    }


def understood_fields(understood: Understood) -> dict[str, Any]:
    """A reading as `app.answer_schemas.UnderstoodOut`."""
    return {
        "intent": understood.intent,
        "subjects": [_named_fields(named) for named in understood.subjects],
        "objects": [_named_fields(named) for named in understood.objects],
        "excluded": [_named_fields(named) for named in understood.excluded],
        "relation": understood.relation,
        "direction": understood.direction,
        "polarity": understood.polarity,
        "quantifier": understood.quantifier,
        "wanted": understood.wanted,
        "section": understood.section,
        "leftover": list(understood.leftover),
    }


def item_fields(item: Item) -> dict[str, Any]:
    """A member of an answer as `app.answer_schemas.ItemOut`."""
    return {
        "entity": None if item.entity is None else ref_fields(item.entity),
        "relation": item.relation,
        "passage": item.passage,
        "facts": [fact_fields(fact) for fact in item.facts],
    }


def fact_fields(fact: Fact) -> dict[str, Any]:
    """A fact as `app.answer_schemas.FactOut`."""
    return {
        "head": ref_fields(fact.head),
        "relation": fact.relation,
        "tail": ref_fields(fact.tail),
        "kind": fact.kind,
        "evidence_type": fact.evidence_type,
        "disputed": fact.disputed,
        "sources": list(fact.sources),
        "via": fact.via,
    }


def cited_fact(fact: Fact) -> dict[str, Any]:
    """A fact to be cited, as `app.answer_schemas.CitedOut`."""
    ends: Iterable[EntityRef] = dict.fromkeys((fact.head, fact.tail))
    return {
        "text": f"{fact.head.preferred_name} – {fact.relation} → {fact.tail.preferred_name}",
        "evidence_type": fact.evidence_type,
        "sources": list(fact.sources),
        "routes": [route_of(end) for end in ends],
    }


def cited_passage(passage: str) -> dict[str, Any]:
    """A passage to be cited, as `app.answer_schemas.CitedOut`."""
    route = f"/v1/passages/{quote(passage, safe='')}"
    return {"text": f"passage {passage}", "evidence_type": None, "sources": [], "routes": [route]}


def route_of(entity: EntityRef) -> str:
    """The path that shows an entity."""
    folder = {"Pathway": "pathways", "Reaction": "reactions"}.get(entity.label, "entities")
    return f"/v1/{folder}/{quote(entity.id, safe=':')}"


def _named_fields(named: Named) -> dict[str, Any]:
    return {
        "text": named.text,
        "start": named.start,
        "end": named.end,
        "kind": named.kind,
        "entities": [ref_fields(entity) for entity in named.entities],
        "corrected_from": named.corrected_from,
    }


def _plain_candidate(rank: int, item: Item, score: float) -> dict[str, Any]:
    """An item as `app.answer_schemas.CandidateOut`, called as its source writes it: so is gold."""
    return {
        "rank": rank,
        "answer": item.relation if item.entity is None else item.entity.name,
        "entity": None if item.entity is None else ref_fields(item.entity),
        "score": round(score, 6),
        "triples": [
            {
                "rank": number,
                "score": round(score, 6),
                "triple": {
                    "head": ref_fields(fact.head),
                    "relation": fact.relation,
                    "tail": ref_fields(fact.tail),
                    "kind": fact.kind,
                },
                "source": fact.sources[0] if fact.sources else "",
            }
            for number, fact in enumerate(item.facts, start=1)
        ],
    }


def _candidate_fields(rank: int, candidate: Candidate) -> dict[str, Any]:
    return {
        "rank": rank,
        "answer": candidate.text,
        "entity": None if candidate.entity is None else ref_fields(candidate.entity),
        "score": round(candidate.score, 6),
        "triples": [
            {name: value for name, value in hit_fields(hit).items() if name != "kind"}
            for hit in candidate.triples
        ],
    }


def _item_of(candidate: Candidate, facts: list[dict[str, Any]]) -> dict[str, Any]:
    entity = None if candidate.entity is None else ref_fields(candidate.entity)
    relation = candidate.text if candidate.entity is None else None
    return {"entity": entity, "relation": relation, "passage": None, "facts": facts}


def _fact_of(hit: Hit) -> Fact:
    triple = hit.triple
    assert triple is not None
    worth: EvidenceType = evidence_type(triple.kind, hit.source)
    return Fact(triple.head, triple.relation, triple.tail, triple.kind, worth, sources=(hit.source,))
