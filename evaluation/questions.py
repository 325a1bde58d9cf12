"""Question files of BioMol-MQA: what is asked, which triples are gold, and what kind of question it is.

Two forms are read. The published csv (`Entities, Question_Background, Question,
Answer, Label`) names its gold in the `INTERACTION TRIPLE` lines of the
background, joined as `head-relation-tail`; a parquet holds `Question` and
`Gold_Triples`, and takes its labels from a csv when one is given.

Names and relations contain hyphens themselves, so a joined triple is never
split blindly: it is compared whole, with the joined form of each hit. Over the
19,398 triples of the published graph the joined forms are all different. Only
the entities named in the same background are used to tell the relation apart.

`Label` is 0 to 8: `label // 3` tells what the question describes (drugs in
text, molecules by structure, drugs and a protein in text), `label % 3 + 1` its
hops, which is also the number of its gold triples.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from biomolkg.errors import SourceError
from biomolkg.question_files import (
    NamedTriple,
    background_triples,
    csv_columns,
    file_content,
    listed_triples,
    parquet_columns,
    triple_key,
)
from evaluation.documents import STRUCTURE, Document

Modality = Literal["drug text", "protein text", "molecule"]
MODALITIES: tuple[Modality, ...] = ("drug text", "molecule", "protein text")
LABELS = 9

_PROTEIN_RELATION = re.compile(r"binding and (?:inhibition|activation)", re.IGNORECASE)
_MOLECULAR_RELATION = re.compile(
    r"hydrogen bond|stacking|steric clash|ionic interaction|electrostatic", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Gold:
    """A gold triple: its key, and its relation and ends where they could be told apart."""

    key: str
    relation: str | None = None
    entities: tuple[str, ...] = ()

    @classmethod
    def of(cls, head: str, relation: str, tail: str) -> Gold:
        """The gold triple (head, relation, tail); the direction counts."""
        return cls(triple_key(f"{head}-{relation}-{tail}"), relation, (head, tail))


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `id` is its row in the file (q0001 is the first row of data).

    `hops` and `modality` come from the label, else from the gold; None when neither tells.
    """

    id: str
    text: str
    gold: tuple[Gold, ...]
    hops: int | None
    modality: Modality | None
    label: int | None = None
    answer: str | None = None

    @property
    def keys(self) -> frozenset[str]:
        """The keys of the gold triples."""
        return frozenset(gold.key for gold in self.gold)

    @property
    def documents(self) -> frozenset[str]:
        """The keys of the gold documents: of each gold entity, of the kind that the question describes.

        Empty when entities or modality are not known.
        """
        if self.modality is None or not all(gold.entities for gold in self.gold):
            return frozenset()
        section = STRUCTURE if self.modality == "molecule" else None
        return frozenset(Document(name, section).key for name in self.entities)

    @property
    def entities(self) -> frozenset[str]:
        """The names of the gold entities that are known."""
        return frozenset(name for gold in self.gold for name in gold.entities)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions that can be scored, and what became of the other rows.

    A question without gold cannot be answered rightly by any system: it is left
    out of every mean, and counted. A repeated row (same question, same gold) is
    asked once, and counted.
    """

    name: str
    sha256: str
    rows: int
    questions: tuple[Question, ...]
    without_gold: tuple[str, ...] = ()
    duplicates: tuple[str, ...] = ()
    labelled: int = 0

    @property
    def notes(self) -> list[str]:
        """What a reader of the figures must know about the file, one sentence each."""
        notes = []
        if self.without_gold:
            notes.append(
                f"{len(self.without_gold)} questions without gold triples are left out of every mean: "
                f"{_some(self.without_gold)}."
            )
        if self.duplicates:
            notes.append(f"{len(self.duplicates)} repeated rows are asked once: {_some(self.duplicates)}.")
        if unlabelled := len(self.questions) - self.labelled:
            notes.append(
                f"{unlabelled} questions have no label; hops and modality are told from their gold triples."
            )
        if odd := [q.id for q in self.questions if q.label is not None and q.hops != len(q.gold)]:
            notes.append(f"{len(odd)} questions have not one gold triple a hop: {_some(odd)}.")
        return notes


def read_questions(path: Path, *, labels: Path | None = None, limit: int | None = None) -> QuestionSet:
    """Read a question file; `labels` is a csv of `Question` and `Label` for a parquet without them.

    `limit` keeps the first so many questions. Raises SourceError, naming the
    file, the row and the remedy, when the file is missing, empty or malformed.
    """
    content = file_content(path)
    reader = {".csv": _csv_rows, ".parquet": _parquet_rows}.get(path.suffix.lower())
    if reader is None:
        raise SourceError(f"{path} is no question file: it must be a .csv or a .parquet.")
    rows = reader(path)
    if not rows:
        raise SourceError(f"{path} has no questions: it has a header but no rows.")
    if labels is not None:
        rows = _with_labels(rows, _labels(labels), questions=path, labels=labels)
    questions, without_gold, duplicates = _sift(rows)
    if not questions:
        raise SourceError(
            f"None of the {len(rows)} questions of {path} has a gold triple.",
            remedy="A csv names them in INTERACTION TRIPLE lines of Question_Background, "
            "a parquet in Gold_Triples.",
        )
    kept = questions[:limit]
    return QuestionSet(
        name=path.name,
        sha256=hashlib.sha256(content).hexdigest(),
        rows=len(rows),
        questions=tuple(kept),
        without_gold=tuple(without_gold),
        duplicates=tuple(duplicates),
        labelled=sum(question.label is not None for question in kept),
    )


def background_gold(background: str) -> tuple[Gold, ...]:
    """The gold triples of a `Question_Background`, repeated ones once, in the order given."""
    return tuple(_gold(triple) for triple in background_triples(background))


def _gold(triple: NamedTriple) -> Gold:
    return Gold(triple.key) if triple.parts is None else Gold.of(*triple.parts)


def _csv_rows(path: Path) -> list[Question]:
    columns = csv_columns(path, ("Question", "Question_Background"))
    count = len(columns["Question"])
    labels = columns.get("Label", [""] * count)
    answers = columns.get("Answer", [""] * count)
    return [
        _question(
            path,
            row,
            text=columns["Question"][row],
            gold=background_gold(columns["Question_Background"][row]),
            label=_label(path, row, labels[row]),
            answer=answers[row] or None,
        )
        for row in range(count)
    ]


def _parquet_rows(path: Path) -> list[Question]:
    columns = parquet_columns(path, ("Question", "Gold_Triples"))
    count = len(columns["Question"])
    labels = columns.get("Label", [None] * count)
    answers = columns.get("Answer", [None] * count)
    return [
        _question(
            path,
            row,
            text=columns["Question"][row],
            gold=tuple(_gold(triple) for triple in listed_triples(path, row, columns["Gold_Triples"][row])),
            label=_label(path, row, labels[row]),
            answer=answers[row],
        )
        for row in range(count)
    ]


def _question(
    path: Path, row: int, *, text: Any, gold: tuple[Gold, ...], label: int | None, answer: Any
) -> Question:
    if not isinstance(text, str) or not text.strip():
        raise SourceError(f"{path}, row {row + 1}: the question is blank.")
    return _labelled(
        Question(id=f"q{row + 1:04d}", text=text.strip(), gold=gold, hops=None, modality=None, answer=answer),
        label,
    )


def _labelled(question: Question, label: int | None) -> Question:
    """`question` with hops and modality by its label, else by its gold."""
    if label is None:
        return replace(question, hops=len(question.gold) or None, modality=_told_modality(question.gold))
    return replace(question, label=label, hops=label % 3 + 1, modality=MODALITIES[label // 3])


def _told_modality(gold: Sequence[Gold]) -> Modality | None:
    """The modality by the relation of the last triple, the one that a question ends on."""
    relation = gold[-1].relation if gold else None
    if relation is None:
        return None
    if _PROTEIN_RELATION.fullmatch(relation):
        return "protein text"
    return "molecule" if _MOLECULAR_RELATION.search(relation) else "drug text"


def _label(path: Path, row: int, value: Any) -> int | None:
    text = "" if value is None else str(value).strip().removesuffix(".0")
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and int(text) < LABELS):
        raise SourceError(f"{path}, row {row + 1}: Label is {value!r}, not one of 0 to {LABELS - 1}.")
    return int(text)


def _text_key(text: str) -> str:
    return " ".join(unicodedata.normalize("NFC", text).split())


def _labels(path: Path) -> dict[str, tuple[int | None, str | None]]:
    """Label and answer by question, from a csv."""
    file_content(path)
    columns = csv_columns(path, ("Question", "Label"))
    answers = columns.get("Answer", [""] * len(columns["Question"]))
    return {
        _text_key(text): (_label(path, row, label), answer or None)
        for row, (text, label, answer) in enumerate(
            zip(columns["Question"], columns["Label"], answers, strict=True)
        )
    }


def _with_labels(
    rows: Sequence[Question],
    known: Mapping[str, tuple[int | None, str | None]],
    *,
    questions: Path,
    labels: Path,
) -> list[Question]:
    joined = []
    matched = 0
    for question in rows:
        label, answer = known.get(_text_key(question.text), (None, None))
        if label is not None:
            matched += 1
            question = replace(_labelled(question, label), answer=question.answer or answer)  # noqa: PLW2901
        joined.append(question)
    if not matched:
        raise SourceError(
            f"No question of {questions} is in {labels}.",
            remedy="--labels must be the csv of the same questions.",
        )
    return joined


def _sift(rows: Sequence[Question]) -> tuple[list[Question], list[str], list[str]]:
    """The questions to be scored, and the ids of those without gold and of repeated ones."""
    questions: list[Question] = []
    without_gold: list[str] = []
    duplicates: list[str] = []
    seen: set[tuple[str, frozenset[str]]] = set()
    for question in rows:
        identity = (_text_key(question.text), question.keys)
        if not question.gold:
            without_gold.append(question.id)
        elif identity in seen:
            duplicates.append(question.id)
        else:
            seen.add(identity)
            questions.append(question)
    return questions, without_gold, duplicates


def _some(ids: Sequence[str], limit: int = 5) -> str:
    return ", ".join(ids[:limit]) + (" …" if len(ids) > limit else "")
