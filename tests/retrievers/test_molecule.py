"""The retriever of molecules: what is described, named or written in a question comes first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import pytest

from retrievers.hits import Filters, Result
from retrievers.mentions import Gazetteer
from retrievers.molecule import NOTHING, MoleculeEvidence, MoleculeRetriever, molecule_scores
from retrievers.molecules import MoleculeIndex
from retrievers.snapshot import Entity, Passage, Snapshot
from retrievers.triple.chemistry import ChemicalEvidence
from retrievers.triple.evidence import Rows
from retrievers.triple.opsin import Opsin

DRUGS = {
    "Famotidine": "C1=C(N=C(S1)N=C(N)N)CSCCC(=NS(=O)(=O)N)N",
    "Ibuprofen": "CC(C)CC1=CC=C(C=C1)C(C)C(=O)O",
    "Indomethacin": "CC1=C(C2=C(N1C(=O)C3=CC=C(C=C3)Cl)C=CC(=C2)OC)CC(=O)O",
    "Metformin": "CN(C)C(=N)N=C(N)N",
    "Naproxen": "CC(C1=CC2=C(C=C1)C=C(C=C2)OC)C(=O)O",
    "Trazodone": "C1CN(CCN1CCCN2C(=O)N3C=CC=CC3=N2)C4=CC(=CC=C4)Cl",
}
WITHOUT_PASSAGE = Entity("x:90", "Alendronate", "Drug", (), "C(CC(O)(P(=O)(O)O)P(=O)(O)O)CN")
ENTITIES = (
    *(Entity(f"x:{at}", name, "Drug", (), smiles) for at, (name, smiles) in enumerate(DRUGS.items())),
    WITHOUT_PASSAGE,
    Entity("y:1", "Histamine H1 receptor", "Protein", (), None, "HRH1"),
)


def snapshot() -> Snapshot:
    passages = []
    for at, entity in enumerate(ENTITIES):
        if entity == WITHOUT_PASSAGE:
            continue
        sections = ("facts", "structure") if entity.label == "Drug" else ("facts",)
        passages += [
            Passage(f"p{at}{section}", at, f"{section} of it", entity.name, section, f"made:{section}",
                    f"d{at}", 0, composed=True)
            for section in sections
        ]  # fmt: skip
    none = np.zeros(0, np.int32)
    return Snapshot(
        graph_version="made", entities=ENTITIES, relations=(), passages=tuple(passages), heads=none,
        relation_of=none, tails=none, sources=(), relation_embeddings=np.zeros((0, 384), np.float32),
        passage_embeddings=np.zeros((len(passages), 384), np.float32),
    )  # fmt: skip


@pytest.fixture(scope="module")
def retriever() -> Iterator[MoleculeRetriever]:
    made, opsin = snapshot(), Opsin(cache_size=1_000)
    yield MoleculeRetriever(
        made, ChemicalEvidence(made.entities, opsin), MoleculeIndex(made.entities), Gazetteer(made)
    )
    opsin.close()


def ask(retriever: MoleculeRetriever, question: str, k: int = 10, **filters: frozenset[str]) -> Result:
    (result,) = retriever.retrieve([question], k=k, filters=Filters(**filters), explain=True)
    return result


def names(result: Result) -> list[str]:
    return [hit.passage.title for hit in result.hits if hit.passage]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Which drug has a thiazole ring and a guanidine?", "Famotidine"),
        ("Which compound is a biguanide?", "Metformin"),
        ("a chlorobenzoyl group on an indole with an acetic acid side chain", "Indomethacin"),
        ("an arylpiperazine joined to a triazolopyridine", "Trazodone"),
        ("What is the structure of naproxen?", "Naproxen"),
        ("Which drugs contain COc1ccc2ccccc2c1?", "Naproxen"),
        ("What is close to CC(C)Cc1ccc(cc1)C(C)C(=O)[O-].[Na+]?", "Ibuprofen"),
    ],
)
def test_what_a_question_describes_is_first(retriever: MoleculeRetriever, question: str, first: str) -> None:
    result = ask(retriever, question)
    assert names(result)[0] == first
    assert {hit.passage.section for hit in result.hits if hit.passage} == {"structure"}


def test_what_shall_be_resembled_is_followed_by_the_most_alike(retriever: MoleculeRetriever) -> None:
    assert names(ask(retriever, "Which drugs are similar to ibuprofen?"))[:2] == ["Ibuprofen", "Naproxen"]


def test_scores_strictly_decrease_and_are_the_sums_of_their_parts(retriever: MoleculeRetriever) -> None:
    result = ask(retriever, "drugs with a benzene ring and a carboxylic acid, similar to naproxen", k=4)
    assert [hit.rank for hit in result.hits] == [1, 2, 3, 4]
    assert all(one.score > other.score for one, other in pairwise(result.hits))
    for hit in result.hits:
        assert hit.parts
        assert hit.score == pytest.approx(sum(hit.parts.values()))
    by_entity = dict(
        zip([entity.name for entity in ENTITIES], retriever.scores(result.question), strict=True)
    )
    assert [round(by_entity[name], 9) for name in names(result)] == [
        round(hit.score - hit.parts.get("tie", 0.0), 9) for hit in result.hits if hit.parts
    ]


def test_filters_hold_and_their_effect_is_told(retriever: MoleculeRetriever) -> None:
    question = "a carboxylic acid on a benzene ring"
    assert names(ask(retriever, question, entities=frozenset({"x:4"}))) == ["Naproxen"]
    assert ask(retriever, question, sources=frozenset({"elsewhere"})).hits == ()
    assert any("kinds" in note for note in ask(retriever, question, kinds=frozenset({"DDI"})).notes)
    assert not names(ask(retriever, question, entities=frozenset({"y:1"})))


@pytest.mark.parametrize(
    "question", ["", "zzzz", "?!", "[" * 4_000, "C" * 4_000, "\0", "1" * 4_000, "(=)" * 900]
)
def test_questions_about_no_structure_have_no_hits(retriever: MoleculeRetriever, question: str) -> None:
    result = ask(retriever, question)
    assert not result.hits
    assert NOTHING in result.notes


def test_scores_are_the_plain_sum_over_words() -> None:
    def rows(*weights: dict[int, float]) -> Rows:
        return Rows.of(
            [(np.array(sorted(row), np.int32), np.array([row[at] for at in sorted(row)], np.float32))
             for row in weights]
        )  # fmt: skip

    evidence = MoleculeEvidence(
        fragments=rows({0: 2.0, 2: 1.0}, {2: 0.5}, {}),
        captions=rows({1: 1.0}, {}, {1: 3.0, 2: 2.0}),
        name=np.array([0.0, 0.0, 0.9, 0.0]),
        similar=np.array([0.5, 0.0, 1.0, 0.0]),
        contains=np.array([1.0, 0.0, 0.0, 0.0]),
    )
    expected = [1.0 + 4 * 0.5 + 2.0, 0.5 * 1.0, 0.75 + 0.5 * 0.5 + 0.9 + 4.0, 0.0]
    assert molecule_scores(evidence) == pytest.approx(expected)
    nothing = MoleculeEvidence(rows(), rows(), *(np.zeros(3) for _ in range(3)))
    assert molecule_scores(nothing).tolist() == [0.0, 0.0, 0.0]
