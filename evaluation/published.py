"""Figures of the BioMol-MQA paper, on its test split: reference rows, not measured here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Published:
    """One row of the paper's tables: (hard, soft) at 5, 10 and 15, where given, and the MRR."""

    system: str
    over: str
    at5: tuple[float, float] | None
    at10: tuple[float, float] | None
    at15: tuple[float, float] | None
    mrr: float


BIOMOLMQA = (
    Published("BM25", "documents", (0.20, 0.58), (0.28, 0.58), (0.30, 0.58), 0.52),
    Published("Neo4j triple retriever", "question graph", (0.15, 0.19), (0.19, 0.26), (0.20, 0.28), 0.13),
    Published("hybrid", "documents and question graph", (0.06, 0.60), (0.13, 0.60), (0.14, 0.61), 0.52),
    Published("Neo4j triple retriever", "full graph", None, None, None, 0.03),
    Published("GNN retrievers (best)", "full graph", None, None, None, 0.02),
)
