"""Documents, answers and splits against cases computed by hand."""

from pathlib import Path

import pytest

from biomolkg.errors import SourceError
from evaluation.answering import answer_scores, same_answer, token_f1
from evaluation.client import Answered, Candidate
from evaluation.documents import Document, ranked_documents
from evaluation.metrics import measure_names, score
from evaluation.questions import Gold, Question, read_questions
from evaluation.splits import split_entities, write_questions


def question(*triples: tuple[str, str, str], modality: str = "drug text") -> Question:
    gold = tuple(Gold.of(*triple) for triple in triples)
    return Question("q", "Which?", gold, len(gold), modality)  # type: ignore[arg-type]


def test_passages_of_a_document_count_once_and_each_entity_needs_one() -> None:
    asked = question(("A", "r", "B"))
    hits = [
        Document("A", "structure"),  # the wrong kind
        Document("A", "raw"),
        Document("A", "raw"),  # another passage of the same document
        Document("A", "rewritten"),  # right, but A has one already
        Document("C", "facts"),
        Document("B", "rewritten"),
    ]
    ranking = ranked_documents(hits)
    assert len(ranking.keys) == 5
    values = score({"q": asked.documents}, {"q": ranking}, depth=15)
    found = dict(zip(measure_names(15), values[0].tolist(), strict=True))
    assert (found["hard@5"], found["soft@5"], found["mrr"], found["recall@5"]) == (1.0, 1.0, 0.5, 1.0)
    shorter = score({"q": asked.documents}, {"q": ranked_documents(hits[:4])}, depth=15)[0]
    assert dict(zip(measure_names(15), shorter.tolist(), strict=True))["hard@15"] == 0.0


def test_structure_questions_need_cards_and_others_texts() -> None:
    molecule = question(("A", "r", "B"), modality="molecule").documents
    assert molecule == {Document("A", "structure").key, Document("B", "structure").key}
    text = question(("A", "r", "B"), ("B", "r", "C C"))
    assert text.documents == {Document(name, "raw").key for name in ("A", "B", "C C")}
    assert Document("A", "facts").key not in {*molecule, *text.documents}
    unknown = Question("q", "Which?", (Gold("A-r-B"),), 1, "molecule")
    assert unknown.documents == frozenset()


def test_answers_by_hand() -> None:
    assert same_answer(" Folic\n ACID ") == "folic acid"
    # one word of two in common with one of three: precision 1/2, recall 1/3
    assert token_f1("folic acid", "acid of amber") == pytest.approx(2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3))
    assert token_f1("aspirin", "folic acid") == 0.0
    candidates = [Candidate(answer=name, score=0.5) for name in ("aspirin", "Folic acid", "x")]
    found = Answered(question="?", answer="aspirin", confidence=0.5, candidates=candidates)
    assert answer_scores(found, "folic acid") == (0.0, 0.0, 1.0, 1.0)
    abstained = found.model_copy(update={"answer": None})
    assert answer_scores(abstained, "aspirin") == (0.0, 0.0, 1.0, 1.0)
    assert answer_scores(found, "ASPIRIN")[:2] == (1.0, 1.0)


def test_no_entity_of_a_test_question_is_in_training(tmp_path: Path) -> None:
    letters = "ABCDEFGHIJ"
    questions = [question((a, "r", b)) for a in letters for b in letters if a < b]
    made = split_entities(questions, seed=3, share=0.4)
    seen = frozenset().union(*(it.entities for it in made.train))
    assert made.test
    assert not any(it.entities & seen for it in made.test)
    assert len(made.train) + len(made.test) + made.dropped == len(questions)
    assert split_entities(questions, seed=3, share=0.4) == made
    assert split_entities(questions, seed=4, share=0.4) != made
    with pytest.raises(SourceError, match="0 to test"):
        split_entities(questions, seed=3, share=0.05)
    write_questions(tmp_path / "test.parquet", made.test)
    again = read_questions(tmp_path / "test.parquet")
    assert {it.keys for it in again.questions} == {it.keys for it in made.test}
