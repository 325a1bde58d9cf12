"""Results as JSON, written on the thread that made them: the event loop only passes bytes on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Protocol

from retrievers.evidence_types import PASSAGE, evidence_type
from retrievers.fact_details import FactWorth
from retrievers.hits import EntityRef, Hit, Mention, PassageHit, Result, TripleHit
from retrievers.tagger.recognition import UnlinkedMention


def encode(value: object) -> bytes:
    """Compact JSON in UTF-8; a lone surrogate, which UTF-8 cannot carry, as `?`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode(
        "utf-8", "replace"
    )


def result_bytes(result: Result, more: Details | None = None) -> bytes:
    """One result as `app.schemas.ResultOut` describes it; `more`: what is known of its facts."""
    return encode(
        {
            "question": result.question,
            "mentions": [mention_fields(mention) for mention in result.mentions],
            "hits": [hit_fields(hit, more) for hit in result.hits],
            "notes": list(result.notes),
        }
    )


def answer_bytes(
    retriever: str, graph_version: str, results: Sequence[bytes], took_ms: float, *, model: str
) -> bytes:
    """A whole answer as `app.schemas.RetrieveAnswer` describes it, around results that are JSON already."""
    head = _head(retriever, graph_version, model) | {"took_ms": round(took_ms, 2)}
    return encode(head)[:-1] + b',"results":[' + b",".join(results) + b"]}"


def line_bytes(retriever: str, graph_version: str, result: bytes, *, model: str) -> bytes:
    """One line of a stream: the result with the retriever's name and the graph version."""
    return encode(_head(retriever, graph_version, model))[:-1] + b"," + result[1:] + b"\n"


def _head(retriever: str, graph_version: str, model: str) -> dict[str, Any]:
    return {"retriever": retriever, "model": model, "graph_version": graph_version}


def mention_fields(mention: Mention) -> dict[str, Any]:
    """A mention as `app.schemas.MentionOut`."""
    return {
        "start": mention.start,
        "end": mention.end,
        "text": mention.text,
        "entity": ref_fields(mention.entity),
        "score": float(mention.score),
    }


def unlinked_fields(mention: UnlinkedMention) -> dict[str, Any]:
    """A mention of nothing in the graph as `app.schemas.FoundMentionOut`."""
    return {
        "start": mention.start,
        "end": mention.end,
        "text": mention.text,
        "entity": None,
        "label": mention.label,
        "score": float(mention.score),
    }


class Details(Protocol):
    """What is known of facts and entities beside what a hit has."""

    def worth(self, triple: TripleHit, source: str) -> FactWorth:
        """The evidence of a fact, and all its sources."""
        ...

    def properties(self, triple: TripleHit) -> list[dict[str, Any]] | None:
        """What the fact's edges say; None where it was not asked for."""
        ...

    def of_entity(self, id_: str) -> dict[str, Sequence[str]]:
        """Cross-references and labels of an entity, as far as they were asked for."""
        ...


def hit_fields(hit: Hit, more: Details | None = None) -> dict[str, Any]:
    """A hit as `app.schemas.HitOut`; what it does not have is left out.

    Without `more` only the source of the hit itself is told, and nothing that contradicts it.
    """
    fields: dict[str, Any] = {"rank": hit.rank, "score": float(hit.score), "kind": hit.kind}
    if hit.triple is not None:
        fields["triple"] = triple_fields(hit.triple, more)
    if hit.passage is not None:
        fields["passage"] = passage_fields(hit.passage, hit.source)
    fields["source"] = hit.source
    fields |= _worth(hit, more)
    if hit.parts is not None:
        fields["parts"] = {name: float(value) for name, value in hit.parts.items()}
    return fields


def passage_fields(passage: PassageHit, source: str) -> dict[str, Any]:
    """A passage as `app.schemas.PassageOut`; what only passages of drug labels have is left out of others."""
    fields: dict[str, Any] = {
        "id": passage.id,
        "text": passage.text,
        "title": passage.title,
        "section": passage.section,
        "entity": None if passage.entity is None else ref_fields(passage.entity),
        "evidence_type": evidence_type(PASSAGE, source),
    }
    if passage.label is not None:
        fields |= {
            "label": passage.label,
            "product": passage.product,
            "drugs": [ref_fields(drug) for drug in passage.drugs],
            "section_title": passage.section_title,
            "topic": passage.topic,
            "boxed": passage.boxed,
            "effective": passage.effective,
        }
    return fields


def triple_fields(triple: TripleHit, more: Details | None = None) -> dict[str, Any]:
    """A triple as `app.schemas.TripleOut`."""
    return {
        "head": ref_fields(triple.head, more),
        "relation": triple.relation,
        "tail": ref_fields(triple.tail, more),
        "kind": triple.kind,
    }


def _worth(hit: Hit, more: Details | None) -> dict[str, Any]:
    if hit.triple is None:
        return {"evidence_type": evidence_type(PASSAGE, hit.source)}
    if more is None:
        return worth_fields(FactWorth(evidence_type(hit.triple.kind), (hit.source,)))
    fields = worth_fields(more.worth(hit.triple, hit.source))
    properties = more.properties(hit.triple)
    return fields if properties is None else fields | {"properties": properties}


def worth_fields(worth: FactWorth) -> dict[str, Any]:
    """What a fact is worth."""
    return {
        "sources": list(worth.sources),
        "evidence_type": worth.evidence_type,
        "disputed": worth.disputed,
    }


def ref_fields(entity: EntityRef, more: Details | None = None) -> dict[str, Any]:
    """An entity in short, as `app.schemas.EntityRefOut`."""
    fields: dict[str, Any] = {
        "id": entity.id,
        "name": entity.name,
        "preferred_name": entity.preferred_name,
        "label": entity.label,
    }
    return fields if more is None else fields | more.of_entity(entity.id)
