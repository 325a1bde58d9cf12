"""What a fact is worth, looked up in a snapshot: compared with going through every row."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrievers.evidence_types import EVIDENCE_TYPES, evidence_type, kinds_with, stated_evidence
from retrievers.fact_details import FactDetails, polarity
from retrievers.hits import DEFAULT_TRIPLE_KINDS, TRIPLE_KINDS, Filters, TripleHit
from retrievers.snapshot import Entity, Relation, Snapshot
from retrievers.triple_hits import passing_triples

ENTITIES = tuple(Entity(f"x:{at}", f"thing {at}", "Thing") for at in range(4))
RELATIONS = (
    Relation("activation", "ACTION"),
    Relation("inhibition", "ACTION"),
    Relation("headache", "DDI"),
    Relation("binding and inhibition", "DPI"),
    Relation("binding", "DPI"),
    Relation("related to", "FACT"),
)
AGENTS = (None, "manual_agent", "text_mining_agent", "Manual_Agent", "data_analysis_pipeline")
Row = tuple[int, int, int, int]  # head, relation, tail, agent


def snapshot_of(rows: list[Row]) -> Snapshot:
    rows = sorted(rows)
    heads, relations, tails, agents = np.array(rows, dtype=np.int32).reshape(-1, 4).T
    stated = [stated_evidence(AGENTS[agent]) for agent in agents]
    codes = [-1 if one is None else EVIDENCE_TYPES.index(one) for one in stated]
    return Snapshot(
        graph_version="made",
        entities=ENTITIES,
        relations=RELATIONS,
        passages=(),
        heads=heads,
        relation_of=relations,
        tails=tails,
        sources=tuple(f"made:{at}" for at in range(len(rows))),
        relation_embeddings=np.zeros((len(RELATIONS), 384), dtype=np.float32),
        passage_embeddings=np.zeros((0, 384), dtype=np.float32),
        stated_evidence=np.array(codes, dtype=np.int8),
    )


def rows_of(agents: int) -> st.SearchStrategy[list[Row]]:
    end = st.integers(0, len(ENTITIES) - 1)
    relation = st.integers(0, len(RELATIONS) - 1)
    return st.lists(st.tuples(end, relation, end, st.integers(0, agents - 1)), max_size=25)


@given(rows_of(1))
def test_all_sources_and_contradictions_are_those_of_every_row(rows: list[Row]) -> None:
    snapshot = snapshot_of(rows)
    details = FactDetails(snapshot)
    for at, (head, relation, tail, _) in enumerate(sorted(rows)):
        one = RELATIONS[relation]
        triple = TripleHit(ENTITIES[head].reference, one.name, ENTITIES[tail].reference, one.kind)
        worth = details.worth(triple, snapshot.sources[at])
        same = [
            snapshot.sources[other]
            for other, row in enumerate(sorted(rows))
            if row[:3] == (head, relation, tail)
        ]
        assert list(worth.sources) == same
        said = {
            polarity(RELATIONS[row[1]].kind, RELATIONS[row[1]].name)
            for row in rows
            if (row[0], row[2]) == (head, tail)
        }
        assert worth.disputed == (polarity(one.kind, one.name) != 0 and {-1, 1} <= said)
        assert worth.evidence_type == evidence_type(one.kind)


@given(rows_of(len(AGENTS)), st.sets(st.sampled_from(EVIDENCE_TYPES)), st.sets(st.sampled_from(TRIPLE_KINDS)))
def test_the_filter_keeps_what_is_of_the_evidence(
    rows: list[Row], evidence: set[str], kinds: set[str]
) -> None:
    filters = Filters(kinds=frozenset(kinds), evidence=frozenset(evidence))
    kept = passing_triples(snapshot_of(rows), filters).tolist()
    wanted = [
        at
        for at, (_, relation, _, agent) in enumerate(sorted(rows))
        if RELATIONS[relation].kind in (kinds or DEFAULT_TRIPLE_KINDS)
        and (
            not evidence
            or (stated_evidence(AGENTS[agent]) or evidence_type(RELATIONS[relation].kind)) in evidence
        )
    ]
    if all(agent == 0 or RELATIONS[relation].kind == "FACT" for _, relation, _, agent in rows):
        assert kept == wanted
    assert set(kept) <= set(wanted)


def test_a_fact_that_the_snapshot_lacks_has_the_source_that_it_came_with() -> None:
    details = FactDetails(snapshot_of([(0, 2, 1, 0)]))
    reaction = TripleHit(ENTITIES[0].reference, "catalyzes", ENTITIES[3].reference, "REACTOME")
    assert details.worth(reaction, "reactome:1").sources == ("reactome:1",)
    assert details.worth(reaction, "reactome:1").evidence_type == "curated"
    other = TripleHit(ENTITIES[1].reference, "headache", ENTITIES[0].reference, "DDI")
    assert details.worth(other, "here").sources == ("here",)


@pytest.mark.parametrize(
    ("relation", "says"),
    [
        ("binding and activation", 1),
        ("inhibition", -1),
        ("inactivates", -1),
        ("agonist", 1),
        ("antagonist of", -1),
        ("binding", 0),
        ("reactivates", 1),
    ],
)
def test_polarity_of_relations(relation: str, says: int) -> None:
    assert polarity("DPI", relation) == says
    assert polarity("DDI", relation) == 0


def test_kinds_that_may_be_evidence_of_a_type() -> None:
    assert kinds_with({"report_signal"}) == {"DDI"}
    assert kinds_with({"text_mined"}) == {"FACT"}
    assert kinds_with({"curated"}) == {"REACTOME", "HAS_ROLE", "FACT"}
