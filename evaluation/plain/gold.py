"""A plain question with what is right, and files of them: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from biomolkg.errors import SourceError

Verdict = Literal["yes", "no"]
PAIR = "|"
RELATION = "relation:"
PASSAGE = "passage:"


class Gold(BaseModel):
    """What a right answer says; exactly the parts that the question asks for are set.

    `items` are ids of entities, two ids joined by `|` where pairs are asked, `relation:` and
    its folded name where relations are, or ids of passages; `also` may be among them without
    being missed otherwise. `facts` (`head|relation|tail`) are what a retriever should find first.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    decline: bool = Field(default=False, description="The graph does not say: nothing may be claimed.")
    may_decline: bool = Field(default=False, description="No answer is as good as the right one.")
    verdicts: frozenset[Verdict] = frozenset()
    items: frozenset[str] = frozenset()
    also: frozenset[str] = frozenset()
    count: tuple[int, int] | None = Field(default=None, description="The least and the most that is right.")
    number: float | None = Field(default=None, description="A figure that the answer must name.")
    text: str | None = Field(default=None, description="A text that the answer must have.")
    facts: frozenset[str] = frozenset()

    @model_validator(mode="after")
    def _asks_for_one_thing(self) -> Gold:
        asked = [self.decline, self.verdicts, self.items, self.count is not None and not self.decline,
                 self.number is not None, self.text is not None]  # fmt: skip
        if sum(map(bool, asked)) != 1:
            raise ValueError("exactly one of decline, verdicts, items, count, number and text must be given")
        return self

    def describe(self) -> str:
        """What is right, in a line of a report."""
        if self.decline:
            return "no claim"
        if self.verdicts:
            return " or ".join(sorted(self.verdicts))
        if self.count is not None:
            low, high = self.count
            return f"{low}" if low == high else f"{low} to {high}"
        if self.number is not None or self.text is not None:
            return str(self.number if self.text is None else self.text)
        return f"{len(self.items)}: {', '.join(sorted(self.items)[:8])}"


class Question(BaseModel):
    """A question, its kind and what is right."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    kind: Annotated[str, Field(min_length=1)]
    question: Annotated[str, Field(min_length=1)]
    gold: Gold


def read_questions(path: Path) -> list[Question]:
    """The questions of a file that `write_questions` wrote, or a user did. Raises SourceError."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from error
    questions = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            questions.append(Question.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "question"
            raise SourceError(f"{path}, line {number}: {where}: {first['msg']}.") from error
    if not questions:
        raise SourceError(f"{path} has no question.")
    return questions


def write_questions(path: Path, questions: Sequence[Question]) -> None:
    """Write one JSON object a line, what is unset left out. Raises SourceError."""
    lines = []
    for question in questions:
        record = question.model_dump(mode="json", exclude_defaults=True)
        record["gold"] = {
            name: sorted(value) if isinstance(getattr(question.gold, name), frozenset) else value
            for name, value in record["gold"].items()
        }
        lines.append(json.dumps(record, ensure_ascii=False))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror or error}.") from error
