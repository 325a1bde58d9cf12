"""Questions to train on: what is asked, and the path of triples that answers it.

They are read from files, or made from the graph by `retrievers.made_questions`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

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
from retrievers.snapshot import Snapshot

NamedPath = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class TrainingQuestion:
    """A question and its gold: (head name, relation, tail name) from the first hop to the last."""

    question: str
    gold: NamedPath


@dataclass(frozen=True, slots=True)
class TrainingSet:
    """Questions with what is said of them in a model: their origin, a hash, and what was left out.

    left_out: a reason -> how many rows.
    """

    origin: str
    questions: tuple[TrainingQuestion, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)

    @property
    def sha256(self) -> str:
        """A hash of the questions and their gold, whatever file they came from."""
        return questions_sha256(self.questions)


def questions_sha256(questions: Iterable[TrainingQuestion]) -> str:
    """SHA-256 over the questions and their gold, in their order."""
    digest = hashlib.sha256()
    for item in questions:
        line = json.dumps([item.question, item.gold], ensure_ascii=False)
        digest.update(line.encode("utf-8", "surrogatepass") + b"\n")
    return digest.hexdigest()


def read_training_questions(paths: Sequence[Path]) -> TrainingSet:
    """The questions of one file or several, each once.

    .csv: `Question` and `Question_Background`, as published; .parquet: `Question`
    and `Gold_Triples`; .jsonl: an object a line with `question` and `gold`, a list
    of [head, relation, tail]. Rows without gold, with gold that cannot be told
    apart, and repeated rows are left out and counted. Raises SourceError, naming
    file and row, for a file that is missing, malformed, or of another kind, and
    when no question is left.
    """
    readers = {".csv": _csv_rows, ".parquet": _parquet_rows, ".jsonl": _json_rows}
    kept: dict[TrainingQuestion, None] = {}
    left_out = {"without gold": 0, "gold not told apart": 0, "repeated": 0}
    for path in paths:
        reader = readers.get(path.suffix.lower())
        if reader is None:
            raise SourceError(
                f"{path} is no file of training questions: it must be one of {', '.join(readers)}."
            )
        file_content(path)
        for row, text, triples in reader(path):
            if not isinstance(text, str) or not text.strip():
                raise SourceError(f"{path}, row {row + 1}: the question is blank.")
            parts = tuple(triple.parts for triple in triples if triple.parts is not None)
            question = TrainingQuestion(text.strip(), parts)
            if not triples:
                left_out["without gold"] += 1
            elif len(parts) < len(triples):
                left_out["gold not told apart"] += 1
            elif question in kept:
                left_out["repeated"] += 1
            else:
                kept[question] = None
    names = ", ".join(path.name for path in paths)
    if not kept:
        counted = ", ".join(f"{count} {reason}" for reason, count in left_out.items() if count)
        raise SourceError(f"{names}: no question can be trained on ({counted or 'there is none'}).")
    return TrainingSet(names, tuple(kept), {reason: count for reason, count in left_out.items() if count})


def _csv_rows(path: Path) -> Iterator[tuple[int, object, tuple[NamedTriple, ...]]]:
    columns = csv_columns(path, ("Question", "Question_Background"))
    rows = zip(columns["Question"], columns["Question_Background"], strict=True)
    for row, (text, background) in enumerate(rows):
        yield row, text, background_triples(background)


def _parquet_rows(path: Path) -> Iterator[tuple[int, object, tuple[NamedTriple, ...]]]:
    columns = parquet_columns(path, ("Question", "Gold_Triples"))
    for row, (text, listed) in enumerate(zip(columns["Question"], columns["Gold_Triples"], strict=True)):
        yield row, text, listed_triples(path, row, listed)


def _json_rows(path: Path) -> Iterator[tuple[int, object, tuple[NamedTriple, ...]]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except UnicodeDecodeError as error:
        raise SourceError(f"{path} is not UTF-8: {error}.") from error
    for row, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise SourceError(f"{path}, row {row + 1}: not JSON: {error}.") from error
        if not isinstance(fields, dict) or "question" not in fields:
            raise SourceError(
                f"{path}, row {row + 1}: no object with `question` and `gold`.",
                remedy='Write {"question": "...", "gold": [["head", "relation", "tail"]]}.',
            )
        yield row, fields["question"], listed_triples(path, row, fields.get("gold"))


@dataclass(frozen=True, slots=True, eq=False)
class PlacedQuestion:
    """A training question in a snapshot. `steps`: for each hop, int64 indexes of its triples, at least one.

    Several triples answer to one name when entities share names or sources repeat a fact.
    """

    question: str
    steps: tuple[NDArray[np.int64], ...]

    @property
    def gold(self) -> NDArray[np.int64]:
        """Every gold triple, ascending."""
        return np.unique(np.concatenate(self.steps))


def place_questions(
    questions: Iterable[TrainingQuestion], snapshot: Snapshot
) -> tuple[list[PlacedQuestion], list[TrainingQuestion]]:
    """The questions whose whole gold is in the snapshot, and those for which some of it is missing."""
    questions = list(questions)
    wanted = {triple_key("-".join(triple)) for item in questions for triple in item.gold}
    where: dict[str, list[int]] = {}
    names = [entity.name for entity in snapshot.entities]
    relations = [relation.name for relation in snapshot.relations]
    columns = zip(snapshot.heads, snapshot.relation_of, snapshot.tails, strict=True)
    for at, (head, relation, tail) in enumerate(columns):
        key = triple_key(f"{names[head]}-{relations[relation]}-{names[tail]}")
        if key in wanted:
            where.setdefault(key, []).append(at)
    placed, missing = [], []
    for item in questions:
        found = [where.get(triple_key("-".join(triple))) for triple in item.gold]
        steps = tuple(np.array(step, dtype=np.int64) for step in found if step)
        if item.gold and len(steps) == len(item.gold):
            placed.append(PlacedQuestion(item.question, steps))
        else:
            missing.append(item)
    return placed, missing
