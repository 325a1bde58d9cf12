"""What a fact is worth by where it comes from, in words of our own and in those of the Biolink model.

`knowledge_level` and `agent_type` are values of Biolink's enumerations KnowledgeLevelEnum and AgentTypeEnum.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, Literal, get_args

EvidenceType = Literal[
    "curated", "database", "label", "text_mined", "report_signal", "imported", "model_written", "composed"
]
# The strongest first: the order in which facts of one pair are told.
EVIDENCE_TYPES: Final[tuple[EvidenceType, ...]] = get_args(EvidenceType)
PASSAGE = "PASSAGE"


@dataclass(frozen=True, slots=True)
class EvidenceMeaning:
    """Evidence of one type: what it is, and how Biolink says so."""

    meaning: str
    knowledge_level: str
    agent_type: str


MEANINGS: Final[dict[EvidenceType, EvidenceMeaning]] = {
    "curated": EvidenceMeaning(
        "stated by curators of a database (Reactome, ChEBI)", "knowledge_assertion", "manual_agent"
    ),
    "database": EvidenceMeaning(
        "a combined score of STITCH, which joins experiments, databases and text mining",
        "not_provided",
        "data_analysis_pipeline",
    ),
    "label": EvidenceMeaning(
        "a passage of a product label, as its maker wrote it", "knowledge_assertion", "manual_agent"
    ),
    "text_mined": EvidenceMeaning("found in publications by a program", "not_provided", "text_mining_agent"),
    "report_signal": EvidenceMeaning(
        "a signal in spontaneous reports (TWOSIDES): one a pair, sampled; its absence is not safety",
        "statistical_association",
        "data_analysis_pipeline",
    ),
    "imported": EvidenceMeaning(
        "an edge of a data set that was loaded; its own properties say more", "not_provided", "not_provided"
    ),
    "model_written": EvidenceMeaning(
        "written by a language model, not measured", "prediction", "computational_model"
    ),
    "composed": EvidenceMeaning(
        "a text that the loader made of the graph's own facts", "not_provided", "automated_agent"
    ),
}
_OF_KIND: Final[dict[str, EvidenceType]] = {
    "DDI": "report_signal",
    "DPI": "database",
    "ACTION": "database",
    "MOLECULAR": "model_written",
    "REACTOME": "curated",
    "HAS_ROLE": "curated",
    "FACT": "imported",
}
# What loaders write where a text comes from.
_OF_TEXT: Final[dict[str, EvidenceType]] = {
    "composed": "composed",
    "labels": "label",
    "spl": "label",
    "openfda": "label",
}
# The kind of triple whose edges may say themselves what they are.
_STATING = "FACT"
# Biolink's own words on an edge that was loaded with them.
_OF_AGENT: Final[dict[str, EvidenceType]] = {
    "text_mining_agent": "text_mined",
    "manual_agent": "curated",
    "manual_validation_of_automated_agent": "curated",
}


def evidence_type(kind: str, dataset: str = "") -> EvidenceType:
    """The type of evidence of a triple's kind or, of kind PASSAGE, of what its source begins with.

    >>> evidence_type("DDI"), evidence_type("PASSAGE", "composed"), evidence_type("PASSAGE", "spl:1")
    ('report_signal', 'composed', 'label')
    """
    if kind == PASSAGE:
        return _OF_TEXT.get(dataset.partition(":")[0], "imported")
    return _OF_KIND.get(kind, "imported")


def kinds_with(evidence: Collection[str]) -> frozenset[str]:
    """The kinds of triple that may be evidence of one of these types."""
    found = {kind for kind, one in _OF_KIND.items() if one in evidence}
    if not set(_OF_AGENT.values()).isdisjoint(evidence):
        found.add(_STATING)
    return frozenset(found)


def stated_evidence(agent_type: object) -> EvidenceType | None:
    """What an edge says of itself by Biolink's `agent_type`; None where it says nothing that counts here."""
    return _OF_AGENT.get(agent_type.strip().lower()) if isinstance(agent_type, str) else None
