"""Questions answered by one view: those that are read from its facts, the others by its ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.answer_formatting import described_fields, plain_fields
from app.paging import write_cursor
from app.state import View
from retrievers.answers import DESCRIBED_KINDS, Answer
from retrievers.hits import Filters
from retrievers.plain.records import NOT_UNDERSTOOD

_OTHER_KINDS = (
    f"kinds: a question that describes things is answered from {', '.join(sorted(DESCRIBED_KINDS))} alone"
)


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """The view that answers, and which part of the items is shown. asked: the request without that part."""

    view: View
    model: str
    k: int
    offset: int
    asked: dict[str, Any]

    def answers(
        self, questions: Sequence[str], filters: Filters, notes: Sequence[str]
    ) -> list[dict[str, Any]]:
        """The answers in the order of the questions: read ones at once, descriptions as one batch."""
        read = [self.view.reader.answer(question, filters=filters) for question in questions]
        rest = [question for question, found in zip(questions, read, strict=True) if found is None]
        described = iter(self._described(rest, filters))
        fields = []
        for question, found in zip(questions, read, strict=True):
            if found is None:
                fields.append(described_fields(next(described), notes))
            else:
                cursor = self._next(len(found.items))
                fields.append(
                    plain_fields(question, found, notes, k=self.k, offset=self.offset, cursor=cursor)
                )
        return fields

    def _next(self, total: int) -> str | None:
        """The cursor of what follows; None at the end, and where many questions were asked."""
        after = self.offset + self.k
        if after >= total or self.asked["question"] is None:
            return None
        return write_cursor(self.view.graph_version, self.asked, after)

    def _described(self, questions: Sequence[str], filters: Filters) -> list[Answer]:
        if not questions:
            return []
        kinds = filters.kinds & DESCRIBED_KINDS
        if filters.kinds and not kinds:
            return [Answer.without(question, NOT_UNDERSTOOD, _OTHER_KINDS) for question in questions]
        answerer = self.view.answerers[self.model]
        return answerer.answer(questions, k=self.k, filters=replace(filters, kinds=kinds))
