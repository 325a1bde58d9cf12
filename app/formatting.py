"""Results as JSON, written on the thread that made them: the event loop only passes bytes on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from retrievers.evidence_types import PASSAGE, evidence_type
from retrievers.hits import EntityRef, Hit, Mention, PassageHit, Result
from retrievers.tagger.recognition import UnlinkedMention


def encode(value: object) -> bytes:
    """Compact JSON in UTF-8; a lone surrogate, which UTF-8 cannot carry, as `?`."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str).encode(
        "utf-8", "replace"
    )


def result_bytes(result: Result) -> bytes:
    """One result as `app.schemas.ResultOut` describes it."""
    return encode(
        {
            "question": result.question,
            "mentions": [mention_fields(mention) for mention in result.mentions],
            "hits": [hit_fields(hit) for hit in result.hits],
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


def hit_fields(hit: Hit) -> dict[str, Any]:
    """A hit as `app.schemas.HitOut`; what it does not have is left out."""
    fields: dict[str, Any] = {"rank": hit.rank, "score": float(hit.score), "kind": hit.kind}
    if hit.triple is not None:
        fields["triple"] = {
            "head": ref_fields(hit.triple.head),
            "relation": hit.triple.relation,
            "tail": ref_fields(hit.triple.tail),
            "kind": hit.triple.kind,
        }
    if hit.passage is not None:
        fields["passage"] = passage_fields(hit.passage, hit.source)
    fields["source"] = hit.source
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


def ref_fields(entity: EntityRef) -> dict[str, str]:
    """An entity in short, as `app.schemas.EntityRefOut`."""
    return {
        "id": entity.id,
        "name": entity.name,
        "preferred_name": entity.preferred_name,
        "label": entity.label,
    }
