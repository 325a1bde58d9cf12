"""What the graph holds, counted in the database."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from app.graph_state import GraphState, read_graph_state
from cypher.client import Client
from retrievers.evidence_types import EVIDENCE_TYPES, MEANINGS, PASSAGE, evidence_type, stated_evidence

HIDDEN = frozenset({"content", "files", "others", "place", "joins_made", "joins_refused"})


@dataclass(frozen=True, slots=True)
class EvidenceCount:
    """How many triples and passages are evidence of one type, and what that is."""

    evidence_type: str
    knowledge_level: str
    agent_type: str
    meaning: str
    triples: int
    passages: int


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts by entity label, kind of triple, data set, origin of passages, and the rest; and every load.

    The rest are the nodes and links of drug labels and of Reactome, which are no triples yet.
    """

    state: GraphState
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    loads: tuple[dict[str, Any], ...] = ()
    evidence: tuple[EvidenceCount, ...] = ()


def read_overview(client: Client) -> Overview:
    """Count. Raises DatabaseError."""
    facts = client.read("service/fact_counts")
    by_kind: Counter[str] = Counter()
    by_dataset: Counter[str] = Counter()
    for row in facts:
        by_kind[row["kind"]] += row["count"]
        by_dataset[row["dataset"] or "unknown"] += row["count"]
    return Overview(
        state=read_graph_state(client),
        counts={
            "entities": _named(client, "service/entity_counts"),
            "triples": dict(by_kind),
            "sources": dict(by_dataset),
            "source_entities": _named(client, "service/dataset_counts"),
            "passages": _named(client, "service/passage_counts"),
            "nodes": _present(client, "service/node_counts"),
            "links": _present(client, "service/link_counts"),
        },
        loads=tuple(
            {name: value for name, value in row["load"].items() if name not in HIDDEN and value is not None}
            for row in client.read("load/ledger")
        ),
        evidence=_evidence(facts, client.read("service/passage_origins")),
    )


def _evidence(facts: list[dict[str, Any]], passages: list[dict[str, Any]]) -> tuple[EvidenceCount, ...]:
    triples: Counter[str] = Counter()
    for row in facts:
        triples[stated_evidence(row["agent"]) or evidence_type(row["kind"])] += row["count"]
    texts: Counter[str] = Counter()
    for row in passages:
        texts[evidence_type(PASSAGE, row["origin"])] += row["count"]
    return tuple(
        EvidenceCount(
            name,
            MEANINGS[name].knowledge_level,
            MEANINGS[name].agent_type,
            MEANINGS[name].meaning,
            triples[name],
            texts[name],
        )
        for name in EVIDENCE_TYPES
        if triples[name] or texts[name]
    )


def _named(client: Client, statement: str) -> dict[str, int]:
    return {row["name"]: row["count"] for row in client.read(statement)}


def _present(client: Client, statement: str) -> dict[str, int]:
    return {name: count for name, count in _named(client, statement).items() if count}
