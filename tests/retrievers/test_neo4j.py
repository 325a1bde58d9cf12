"""The neo4j retriever on the starter graph: exact names first, harmless text, reading only."""

from __future__ import annotations

import itertools
import random

import pytest

from biomolkg.encoder import SentenceEncoder
from biomolkg.settings import Settings
from cypher.catalogue import statement, statement_names
from cypher.client import Client
from retrievers.hits import Filters, Hit
from retrievers.mentions import Gazetteer
from retrievers.neo4j import Neo4jRetriever
from retrievers.snapshot import Snapshot

LUCENE = ["+", "-", "&&", "||", "!", "(", ")", "{", "}", "[", "]", "^", '"', "~", "*", "?", ":", "\\", "/"]
NO_FILTERS = Filters()


def ask(retriever: Neo4jRetriever, question: str, k: int = 10, filters: Filters = NO_FILTERS) -> list[Hit]:
    (result,) = retriever.retrieve([question], k=k, filters=filters, explain=True)
    return list(result.hits)


def facts(hits: list[Hit]) -> list[tuple[str, str, str]]:
    return [(hit.triple.head.id, hit.triple.relation, hit.triple.tail.id) for hit in hits if hit.triple]


@pytest.mark.parametrize(
    ("question", "ends", "kind"),
    [
        ("Which proteins does Trazodone inhibit?", {"Trazodone"}, "DPI"),
        ("which proteins does TRAZODONE inhibit", {"Trazodone"}, "DPI"),
        ("What happens when Fentanyl and Ibuprofen are combined?", {"Fentanyl", "Ibuprofen"}, None),
        ("What inhibits the histamine-H1 receptor?", {"Histamine H1 receptor"}, "DPI"),
        ("What activates the β1 adrenergic receptor?", {"Beta-1 adrenergic receptor"}, "DPI"),
    ],
)
def test_named_entities_come_first(
    retriever: Neo4jRetriever, starter: Client, question: str, ends: set[str], kind: str | None
) -> None:
    first = ask(retriever, question)[0]
    assert first.triple is not None
    assert ends <= {first.triple.head.name, first.triple.tail.name}
    assert kind in {None, first.triple.kind}


def sampled(
    snapshot: Snapshot, gazetteer: Gazetteer, kind: str, count: int
) -> list[tuple[str, str, str, str]]:
    """Names of head and tail in any case, as the gazetteer surely knows them, and both ids."""
    chance = random.Random(7)
    pairs = []
    for triple in chance.sample(range(len(snapshot.heads)), len(snapshot.heads)):
        ends = [snapshot.entities[index[triple]] for index in (snapshot.heads, snapshot.tails)]
        names = [chance.choice([end.name, end.name.lower(), end.name.upper()]) for end in ends]
        known = [{m.entity.id for m in gazetteer.find(name) if m.score >= 0.9} for name in names]
        if snapshot.relations[snapshot.relation_of[triple]].kind == kind and known == [{e.id} for e in ends]:
            pairs.append((*names, *(end.id for end in ends)))
        if len(pairs) == count:
            break
    return pairs


@pytest.mark.parametrize(
    "asked",
    [
        "What happens when {} and {} are combined?",
        "What side effect occurs when {} is taken with {}?",
        "My neighbour has swallowed {} every morning for years, and the new doctor adds {} for the winter.",
    ],
)
def test_the_triples_of_two_names_come_first(
    retriever: Neo4jRetriever, snapshot: Snapshot, gazetteer: Gazetteer, asked: str
) -> None:
    for head, tail, *ids in sampled(snapshot, gazetteer, "DDI", 6):
        first = ask(retriever, asked.format(tail, head), k=1)[0].triple
        assert first is not None
        assert {first.head.id, first.tail.id} == set(ids)


@pytest.mark.parametrize(
    ("asked", "relations"),
    [
        ("Which proteins does {} bind?", {"binding and inhibition", "binding and activation"}),
        ("What is a target of {}?", {"binding and inhibition", "binding and activation"}),
        ("What does {} inhibit?", {"binding and inhibition"}),
        ("What is {} an antagonist of?", {"binding and inhibition"}),
        ("What does {} activate?", {"binding and activation"}),
        ("What is {} an agonist of?", {"binding and activation"}),
    ],
)
def test_the_relation_that_is_asked_of_a_name_comes_first(
    retriever: Neo4jRetriever, snapshot: Snapshot, gazetteer: Gazetteer, asked: str, relations: set[str]
) -> None:
    for head, _, drug, _ in sampled(snapshot, gazetteer, "DPI", 4):
        kept = Filters(kinds=frozenset({"DPI"}), entities=frozenset({drug}))
        there = {relation for _, relation, _ in facts(ask(retriever, head, k=100, filters=kept))}
        first = ask(retriever, asked.format(head), k=1)[0].triple
        assert first is not None
        assert drug in {first.head.id, first.tail.id}
        assert first.relation in (relations & there or there)


def test_a_structure_that_is_described_is_found(retriever: Neo4jRetriever) -> None:
    hits = ask(
        retriever, "Which compound with a bisphosphonate forms a hydrogen bond with a sulfonamide?", k=5
    )
    assert {hit.triple.relation.casefold() for hit in hits if hit.triple} == {"hydrogen bonding"}


@pytest.mark.parametrize("sign", [*LUCENE, "AND", "OR", "NOT"])
def test_signs_of_lucene_change_nothing(retriever: Neo4jRetriever, sign: str) -> None:
    plain = ask(retriever, "Which proteins does Trazodone inhibit")
    assert facts(ask(retriever, f"Which proteins does Trazodone {sign} inhibit {sign}")) == facts(plain)
    ask(retriever, sign)


@pytest.mark.parametrize(
    "text",
    ["TB-", "IL-6", "node:", "C++", "(x)", "5'-ABC-3'", "b/testing", "root causes/solutions", "",
     "the of and",
     "\x00", "'" * 50, "word " * 900, "]->(x) DETACH DELETE x //"],
)  # fmt: skip
def test_any_text_is_answered(retriever: Neo4jRetriever, text: str) -> None:
    for hits in [ask(retriever, text)]:
        assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))


def test_scores_strictly_decrease_and_repeat(retriever: Neo4jRetriever) -> None:
    hits = ask(retriever, "What is Fentanyl combined with?", k=100)
    assert len(hits) == 100
    assert all(left.score > right.score for left, right in itertools.pairwise(hits))
    assert facts(hits) == facts(ask(retriever, "What is Fentanyl combined with?", k=100))
    assert facts(hits)[:7] == facts(ask(retriever, "What is Fentanyl combined with?", k=7))
    assert sum(hits[0].parts.values()) == pytest.approx(hits[0].score)  # type: ignore[union-attr]


def test_filters_hold(retriever: Neo4jRetriever) -> None:
    question = "What is Fentanyl combined with?"
    for kind in ("DDI", "DPI", "MOLECULAR", "ACTION"):
        hits = ask(retriever, question, filters=Filters(kinds=frozenset({kind})))
        assert {hit.triple.kind for hit in hits if hit.triple} == {kind}
    assert ask(retriever, question, filters=Filters(kinds=frozenset({"REACTOME"}))) == []
    naproxen = "pubchem.compound:156391"
    known = next(end for fact in facts(ask(retriever, "Ibuprofen")) for end in (fact[0], fact[2]))
    hits = ask(retriever, question, filters=Filters(entities=frozenset({known, naproxen})))
    assert hits
    assert all({known, naproxen} & {head, tail} for head, _, tail in facts(hits))
    assert ask(retriever, question, filters=Filters(sources=frozenset({"nowhere"}))) == []
    assert all(
        hit.source.startswith("biomolmqa:DPI")
        for hit in ask(retriever, question, filters=Filters(sources=frozenset({"biomolmqa:DPI"})))
    )


def test_many_questions_are_answered_in_order(retriever: Neo4jRetriever) -> None:
    questions = ["Trazodone", "zzzz", "Fentanyl", "Ibuprofen"] * 2
    results = retriever.retrieve(questions, k=3, filters=NO_FILTERS)
    assert [result.question for result in results] == questions
    assert [facts(list(result.hits)) for result in results] == [
        facts(ask(retriever, q, 3)) for q in questions
    ]
    assert results[1].notes
    assert results[0].hits[0].parts is None


def test_the_published_variant_walks_from_names_only(
    starter: Client, encoder: SentenceEncoder, gazetteer: Gazetteer, neo4j_server: Settings
) -> None:
    paper = Neo4jRetriever(starter, encoder, gazetteer, (), neo4j_server, variant="paper")
    (named, described) = paper.retrieve(
        ["Which proteins does Trazodone inhibit?", "Which antidepressant is it?"], k=5, filters=NO_FILTERS
    )
    assert all("Trazodone" in {h.triple.head.name, h.triple.tail.name} for h in named.hits if h.triple)
    assert len(named.hits) == 5
    assert (described.hits, bool(described.notes)) == ([], True)


def operators(plan: dict) -> list[str]:
    return [
        plan["operatorType"].split("@")[0],
        *(op for child in plan.get("children", []) for op in operators(child)),
    ]


@pytest.mark.parametrize("name", statement_names("retrieve"))
def test_statements_begin_at_an_index_and_only_read(
    starter: Client, neo4j_server: Settings, name: str
) -> None:
    from neo4j import GraphDatabase

    from cypher.home import server_home

    login = (neo4j_server.neo4j_user, server_home(neo4j_server).read_password())
    with GraphDatabase.driver(starter.uri, auth=login) as driver:
        summary = driver.execute_query(f"EXPLAIN {statement(name)}").summary
    assert summary.query_type == "r"
    found = operators(summary.plan)
    assert not set(found) & {"AllNodesScan", "NodeByLabelScan", "DirectedAllRelationshipsScan",
                             "DirectedRelationshipTypeScan", "UndirectedRelationshipTypeScan"}  # fmt: skip
