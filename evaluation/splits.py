"""Question files without common entities: what a system knows of things that no training question names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from biomolkg.errors import SourceError
from evaluation.questions import Question

SHARE = 0.3


@dataclass(frozen=True, slots=True)
class EntitySplit:
    """Questions of which no gold entity is in both `train` and `test`; `dropped` have some of either."""

    train: tuple[Question, ...]
    test: tuple[Question, ...]
    dropped: int
    held_out: frozenset[str]


def split_entities(questions: Sequence[Question], *, seed: int, share: float = SHARE) -> EntitySplit:
    """Hold out a `share` of the gold entities: questions of held-out ones only are the test.

    The same questions, seed and share give the same split. Raises SourceError when a side is empty.
    """
    known = [question for question in questions if question.gold and all(it.entities for it in question.gold)]
    names = sorted({name for question in known for name in question.entities})
    order = np.random.default_rng(seed).permutation(len(names))
    held_out = frozenset(names[at] for at in order[: round(share * len(names))])
    train = tuple(question for question in known if not question.entities & held_out)
    test = tuple(question for question in known if question.entities <= held_out)
    if not train or not test:
        raise SourceError(
            f"With {len(held_out)} of {len(names)} entities held out, {len(train)} questions are left to "
            f"train on and {len(test)} to test.",
            remedy="Give another --share or more questions.",
        )
    return EntitySplit(train, test, len(questions) - len(train) - len(test), held_out)


def write_questions(path: Path, questions: Sequence[Question]) -> None:
    """Write a parquet of Question, Gold_Triples, Answer and Label. Raises SourceError."""
    import pyarrow as pa  # noqa: PLC0415 - of the extra `bench`
    from pyarrow import parquet  # noqa: PLC0415

    table = pa.table(
        {
            "Question": [question.text for question in questions],
            "Gold_Triples": pa.array(
                [[[it.entities[0], it.relation, it.entities[1]] for it in q.gold] for q in questions],
                type=pa.list_(pa.list_(pa.string())),
            ),
            "Answer": pa.array([question.answer for question in questions], type=pa.string()),
            "Label": pa.array([question.label for question in questions], type=pa.int64()),
        }
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table, path)
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror or error}.") from error
