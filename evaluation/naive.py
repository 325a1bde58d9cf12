"""A naive baseline for speed: encode every triple anew for each question and loop over the cosines.

It is what a first script does, with the encoder that the service uses
(all-MiniLM-L6-v2 through sentence-transformers) in batches of 32. Encoding a
whole graph takes minutes, so a sample of its triples is encoded and the time
scaled to their number; the report says so.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from biomolkg.encoder_files import bundled_model
from biomolkg.errors import RequestFailed
from biomolkg.extras import require_extra
from evaluation.client import ServiceClient

SAMPLE = 512
PAGE = 100


@dataclass(frozen=True, slots=True)
class NaiveSpeed:
    """Seconds that one question costs over `triples`, scaled up from `sample` of them."""

    seconds: float
    sample: int
    triples: int


def sample_triples(client: ServiceClient, count: int = SAMPLE) -> list[str]:
    """Up to `count` triples of the served graph as texts, by walking its entities. Raises RequestFailed."""
    texts: dict[str, None] = {}
    offset = 0
    while len(texts) < count:
        entities = _rows(client.get(f"/v1/entities?limit={PAGE}&offset={offset}"), "entities")
        if not entities:
            break
        offset += len(entities)
        for entity in entities:
            path = f"/v1/entities/{quote(str(entity['id']), safe=':')}/neighbors?limit={PAGE}"
            for row in _rows(client.get(path), "neighbors"):
                triple = row["triple"]
                if triple["kind"] != "ACTION":
                    texts[f"{triple['head']['name']} {triple['relation']} {triple['tail']['name']}"] = None
            if len(texts) >= count:
                break
    return list(texts)[:count]


def naive_speed(questions: Sequence[str], sample: Sequence[str], *, triples: int) -> NaiveSpeed:
    """Time the baseline on `questions`, one after the other, over `sample`; scale it to `triples`.

    Raises RequestFailed when the sample is empty.
    """
    if not sample:
        raise RequestFailed(
            "The service has no triples to measure the naive baseline on.",
            remedy="Load a graph first, or leave the baseline out with --no-naive.",
        )
    require_extra("train", "The naive baseline")
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415  (loads torch: only when measured)

    model = SentenceTransformer(str(bundled_model()), device="cpu")
    model.encode(list(sample[:8]), show_progress_bar=False)
    seconds = []
    for question in questions:
        start = time.perf_counter()
        wanted = model.encode([question], show_progress_bar=False)[0]
        own = time.perf_counter() - start
        start = time.perf_counter()
        vectors = model.encode(list(sample), show_progress_bar=False)
        sorted(((float(vector @ wanted), text) for vector, text in zip(vectors, sample, strict=True)))
        seconds.append(own + (time.perf_counter() - start) * triples / len(sample))
    return NaiveSpeed(sum(seconds) / len(seconds), len(sample), triples)


def _rows(answer: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    rows = answer.get(name)
    if not isinstance(rows, list):
        raise RequestFailed(
            f"The answer of the service has no list of {name}.",
            remedy="Is it a BioMolKG service of this version?",
        )
    return rows
