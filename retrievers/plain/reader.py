"""Plain questions over one snapshot: read, looked up, answered, or said to have no answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from retrievers.hits import Filters
from retrievers.plain.answers.asked import Asked
from retrievers.plain.answers.choosing import choose
from retrievers.plain.answers.declining import DESCRIPTION
from retrievers.plain.answers.gathering import Gathering
from retrievers.plain.answers.labels import Labels
from retrievers.plain.answers.pathways import Reactome, answer_pathways, asks_for_pathways
from retrievers.plain.answers.querying import query_facts
from retrievers.plain.answers.replies import Replies
from retrievers.plain.classes import Classes
from retrievers.plain.facts import Facts
from retrievers.plain.names.linker import Links
from retrievers.plain.names.spelling import Speller
from retrievers.plain.names.vocabulary import fill, proteins_of
from retrievers.plain.names.words import tokenize
from retrievers.plain.question.elements import Elements, Slot, elements_of
from retrievers.plain.question.frames import YES_NO
from retrievers.plain.question.reading import is_strange, read
from retrievers.plain.question.sentences import asking_part
from retrievers.plain.records import OUTSIDE, FactPage, FactQuery, PlainAnswer
from retrievers.snapshot import Snapshot

_CORRECTED_WORDS = 6


class PlainReader:
    """Answers plain questions from a snapshot; `reactome` gives that of Reactome when it is asked for.

    Safe to call from threads. Making one takes about a second: the names are put into a dictionary.
    """

    def __init__(self, snapshot: Snapshot, reactome: Callable[[], Snapshot | None] = lambda: None) -> None:
        self.snapshot = snapshot
        self._reactome = reactome
        self._facts = Facts(snapshot)
        self._classes = Classes(snapshot)
        self._labels = Labels(snapshot)
        self._linker = fill(snapshot, self._labels.names)
        self._known = {at: known for known, at in proteins_of(snapshot).items()}
        self._pathways = lru_cache(maxsize=2)(self._make_pathways)
        self._speller = Speller(self._linker)

    def answer(self, question: str, *, filters: Filters | None = None) -> PlainAnswer | None:
        """The answer, or None where the question describes things that the ranking has to find."""
        filters = filters or Filters()
        gathering = Gathering(self._facts, self._classes, filters)
        elements = self._elements(question, self._linker)
        reading = read(elements, self._correct(elements))
        if asks_for_pathways(reading) or "participate" in reading.relations():
            answer = self._from_reactome(question, gathering, filters, named=not asks_for_pathways(reading))
            if answer is not None:
                return answer
        replies = Replies(reading, gathering)
        answer = choose(Asked(reading, replies, gathering, self._labels, self._speller.suggestions))
        if answer is None or answer.reason == OUTSIDE:
            return answer
        # What is described by many words beside a name is for the ranking to find.
        if reading.frame.kind != YES_NO and len(reading.unread()) >= DESCRIPTION:
            return None
        return answer

    def facts(self, query: FactQuery, *, filters: Filters | None = None) -> FactPage:
        """The facts of a structure, without a question to read."""
        return query_facts(query, self._linker, Gathering(self._facts, self._classes, filters or Filters()))

    def _from_reactome(
        self, question: str, gathering: Gathering, filters: Filters, *, named: bool
    ) -> PlainAnswer | None:
        """`named`: only if a pathway is named, since the question does not speak of pathways."""
        snapshot = self._reactome()
        if snapshot is None:
            return None
        reactome = self._pathways(snapshot)
        elements = self._elements(question, reactome)
        reading = read(elements, self._correct(elements))
        if not elements.slots or (named and not any(reactome.places(it, "pathway") for it in elements.slots)):
            return None
        return answer_pathways(reading, Replies(reading, gathering), gathering, reactome, filters)

    def _make_pathways(self, snapshot: Snapshot) -> Reactome:
        return Reactome(snapshot, self._linker, self._known)

    def _elements(self, question: str, linker: Links) -> Elements:
        start, end = asking_part(question)
        tokens = [it for it in tokenize(question) if start <= it.start < end]
        return elements_of(question[:end], tokens, linker)

    def _correct(self, elements: Elements) -> int:
        corrections = 0
        for word in elements.words[: 4 * _CORRECTED_WORDS]:
            if not is_strange(word.text) or corrections == _CORRECTED_WORDS:
                continue
            near = self._speller.one(word.text)
            if near is None:
                continue
            at = elements.row.index(word)
            elements.row[at] = Slot(word.start, word.end, near[1], elements.written(word))
            corrections += 1
        return corrections
