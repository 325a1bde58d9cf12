"""The snapshot is the graph: same counts, documented order, one version."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from biomolkg.errors import NotReady
from cypher.client import Client
from retrievers import snapshot as module
from retrievers.snapshot import Snapshot, Sources, read_snapshot

FACTS = {"DDI": 18_585, "DPI": 314, "MOLECULAR": 499, "ACTION": 938}


def test_the_snapshot_has_every_fact_once(snapshot: Snapshot) -> None:
    kinds = Counter(snapshot.relations[relation].kind for relation in snapshot.relation_of)
    assert kinds == FACTS
    assert Counter(entity.label for entity in snapshot.entities) == {"Drug": 494, "Protein": 198}
    assert len(snapshot.sources) == sum(FACTS.values()) == len(set(snapshot.sources))


def test_everything_is_in_the_documented_order(snapshot: Snapshot) -> None:
    ids = [entity.id for entity in snapshot.entities]
    assert ids == sorted(set(ids))
    relations = [(relation.kind, relation.name) for relation in snapshot.relations]
    assert relations == sorted(set(relations))
    triples = list(zip(snapshot.heads, snapshot.relation_of, snapshot.tails, strict=True))
    assert triples == sorted(triples)


def test_every_entity_has_a_text_and_vectors_are_unit(snapshot: Snapshot) -> None:
    assert {passage.entity for passage in snapshot.passages} == set(range(len(snapshot.entities)))
    for vectors in (snapshot.relation_embeddings, snapshot.passage_embeddings):
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-4)


def test_a_drug_carries_its_structure(snapshot: Snapshot) -> None:
    ibuprofen = next(entity for entity in snapshot.entities if entity.name == "Ibuprofen")
    assert ibuprofen.id == "pubchem.compound:3672"
    assert ibuprofen.groups["carboxylic acid"] == 1


def test_sources_are_what_was_kept() -> None:
    file_of, rows = np.array([0, 1, 0], np.int32), np.array([7, -1, 9], np.int32)
    sources = Sources(("set:a.csv", "no row"), file_of, rows)
    assert list(sources) == ["set:a.csv:7", "no row", "set:a.csv:9"]
    assert list(sources[1:]) == ["no row", "set:a.csv:9"]


def test_a_graph_that_changes_is_read_again_or_refused(
    starter: Client, monkeypatch: pytest.MonkeyPatch, snapshot: Snapshot
) -> None:
    monkeypatch.setattr(module, "_PAUSE", 0.0)
    real, versions = module.read_version, iter(["old", snapshot.graph_version, *"abcdef"])

    def changing(client: Client) -> str:
        real(client)
        return next(versions)

    monkeypatch.setattr(module, "read_version", changing)
    with pytest.raises(NotReady):
        read_snapshot(starter)
