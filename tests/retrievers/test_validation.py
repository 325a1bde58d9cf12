"""How well the neo4j retriever ranks on the validation questions, on the question graph."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.loading import load_biomolmqa, load_starter
from retrievers.hits import Filters
from retrievers.mentions import Gazetteer
from retrievers.neo4j import Neo4jRetriever
from retrievers.snapshot import Snapshot, read_snapshot

Fact = tuple[str, str, str]


@pytest.fixture
def question_graph(
    starter: Client, snapshot: Snapshot, neo4j_server: Settings, shared_data: Path
) -> Iterator[Client]:
    """The question graph in place of the starter graph, which is put back for the other tests."""
    load_biomolmqa(starter, shared_data / "biomolmqa", neo4j_server, selection="question")
    yield starter
    load_starter(starter, neo4j_server)


def gold_triples(background: str, known: dict[str, set[Fact]]) -> set[Fact]:
    """Any triple of the background; names hold hyphens, so the line is compared with those of the graph."""
    lines = re.findall(r"INTERACTION TRIPLE[^:]*:\s*(.*)", background)
    return set().union(*(known[line.strip().casefold()] for line in lines))


def test_described_entities_are_found(
    question_graph: Client, neo4j_server: Settings, encoder: SentenceEncoder, shared_data: Path
) -> None:
    snapshot = read_snapshot(question_graph)
    known: dict[str, set[Fact]] = defaultdict(set)
    for head, relation, tail in zip(snapshot.heads, snapshot.relation_of, snapshot.tails, strict=True):
        ends, name = (snapshot.entities[head], snapshot.entities[tail]), snapshot.relations[relation].name
        known[f"{ends[0].name}-{name}-{ends[1].name}".casefold()].add((ends[0].id, name, ends[1].id))
    assert len(snapshot.heads) == 1_083
    with (shared_data / "biomolmqa/dataset_for_hf/validation.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    golds = [gold_triples(row["Question_Background"], known) for row in rows]
    assert all(golds)
    retriever = Neo4jRetriever(question_graph, encoder, Gazetteer(snapshot), snapshot.relations, neo4j_server)
    results = retriever.retrieve([row["Question"] for row in rows], k=100, filters=Filters())
    ranks = [
        next(
            (
                hit.rank
                for hit in result.hits
                if hit.triple and (hit.triple.head.id, hit.triple.relation, hit.triple.tail.id) in gold
            ),
            None,
        )
        for result, gold in zip(results, golds, strict=True)
    ]
    assert sum(1 / rank for rank in ranks if rank) / len(ranks) >= 0.85
