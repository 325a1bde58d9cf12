"""Plain questions over one snapshot: read, looked up, answered, or said to have no answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from retrievers.hits import Filters
from retrievers.plain.answers.asked import Asked
from retrievers.plain.answers.choosing import choose
from retrievers.plain.answers.declining import DESCRIPTION, foreign
from retrievers.plain.answers.gathering import Gathering
from retrievers.plain.answers.labels import Labels
from retrievers.plain.answers.own_relations import OwnFacts
from retrievers.plain.answers.pathways import (
    Reactome,
    answer_pathways,
    asks_for_pathways,
    speaks_like_pathway,
)
from retrievers.plain.answers.querying import query_facts
from retrievers.plain.answers.replies import Replies
from retrievers.plain.classes import Classes
from retrievers.plain.facts import Facts
from retrievers.plain.names.linker import Links
from retrievers.plain.names.resolving import Resolved, Resolver
from retrievers.plain.names.spelling import Speller
from retrievers.plain.names.vocabulary import fill, proteins_of
from retrievers.plain.names.words import sentences, singular, tokenize
from retrievers.plain.question.cues import Cue, lexicon
from retrievers.plain.question.describing import describes
from retrievers.plain.question.elements import Elements, Slot, Word, elements_of
from retrievers.plain.question.frame import YES_NO
from retrievers.plain.question.leaving_out import says_other
from retrievers.plain.question.misspelt import misspelt_cue
from retrievers.plain.question.reading import TARGETING, Reading, is_strange, read
from retrievers.plain.question.sentences import asking_part, refers_back
from retrievers.plain.records import NO_FACT, OUTSIDE, FactPage, FactQuery, PlainAnswer
from retrievers.snapshot import Snapshot

_LONG_TEXT = 300
_ASKING = ("polite", "whether", "count", "wh", "any", "all", "how")
_CORRECTED_WORDS = 6
_CONTEXT = frozenset(("drug", "protein", "absent_drug"))
_CONTEXT_NAMES = 3
_NEAR_PARTS, _NEAR_TOKENS = 3, 4
_OF_GRAPH = frozenset(("drug", "protein", "family", "class", "effect", "thing"))
_NARROWED = "only facts that the filters of the request let through were looked at"


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
        self._own = OwnFacts(snapshot)
        self._resolver = Resolver(snapshot, self._linker, self._classes)

    def answer(self, question: str, *, filters: Filters | None = None) -> PlainAnswer | None:
        """The answer, or None where the question describes things that the ranking has to find."""
        filters = filters or Filters()
        found = self._answer(question, filters)
        if found is not None and found.reason == NO_FACT and _narrows(filters):
            return replace(found, notes=(*found.notes, _NARROWED))
        return found

    def _answer(self, question: str, filters: Filters) -> PlainAnswer | None:
        gathering = Gathering(self._facts, self._classes, filters)
        elements = self._elements(question, self._linker)
        tokens = tokenize(question)
        alone = elements.row and elements.row[0].start == 0 and len(tokens) == len(elements.tokens)
        whole = elements if alone else elements_of(question, tokens, self._linker)
        if describes(whole, elements, read(elements).frame):
            # Names of pathways are long: read as words they describe something.
            answer = self._from_reactome(question, gathering, filters, named=True)
            return None if answer is None or answer.abstained or answer.understood.leftover else answer
        reading = self._with_context(read(elements, self._correct(elements)))
        pathways = asks_for_pathways(reading)
        joined = not reading.relations() & TARGETING and not reading.drugs and bool(reading.proteins)
        if pathways or joined or "participate" in reading.relations() or speaks_like_pathway(reading):
            answer = self._from_reactome(question, gathering, filters, named=not pathways)
            if answer is not None:
                return answer
        related = self._as_relation(reading)
        if related is not None:
            answer = self._chosen(related, gathering)
            if answer is not None and not answer.abstained:
                return answer
        return self._chosen(reading, gathering)

    def _chosen(self, reading: Reading, gathering: Gathering) -> PlainAnswer | None:
        asked = Asked(
            reading,
            Replies(reading, gathering),
            gathering,
            self._labels,
            self._speller.suggestions,
            self._own,
            self._in_reactome,
        )
        answer = choose(asked)
        if answer is None or answer.reason == OUTSIDE:
            return answer
        # What is described by many words beside a name is for the ranking to find.
        unread = reading.unread()
        strange = sum(map(is_strange, (word.casefold() for word in unread)))
        if strange > 1 and 2 * strange >= len(unread) >= DESCRIPTION:
            return foreign(asked)
        if len(unread) >= DESCRIPTION and reading.frame.kind != YES_NO:
            return None
        return answer

    def facts(self, query: FactQuery, *, filters: Filters | None = None) -> FactPage:
        """The facts of a structure, without a question to read."""
        return query_facts(query, self._linker, Gathering(self._facts, self._classes, filters or Filters()))

    def names(self) -> Iterator[str]:
        """Everything that it knows a name of, spelt as it is looked up."""
        return iter(self._linker)

    def resolve(self, name: str, *, kind: str | None = None) -> Resolved:
        """What a name or id stands for, outside a question; only as a `kind` of thing, if one is given."""
        return self._resolver.resolve(name, kind=kind)

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

    def _in_reactome(self, protein: str) -> bool:
        snapshot = self._reactome()
        return snapshot is not None and self._pathways(snapshot).has(protein)

    def _make_pathways(self, snapshot: Snapshot) -> Reactome:
        return Reactome(snapshot, self._linker, self._known)

    def _elements(self, question: str, linker: Links) -> Elements:
        start, end = self._request(question) or asking_part(question)
        tokens = [it for it in tokenize(question) if it.start < end]
        first = next((at for at, it in enumerate(tokens) if it.start >= start), len(tokens))
        return elements_of(question[:end], tokens, linker, first)

    def _request(self, text: str) -> tuple[int, int] | None:
        """In a long text without a question mark, the sentence that names most and asks for it."""
        if "?" in text or len(text) < _LONG_TEXT:
            return None
        best, most = None, 1
        for start, end in sentences(text):
            part = elements_of(
                text[:end], [it for it in tokenize(text[:end]) if it.start >= start], self._linker
            )
            named = sum(it.kind in _OF_GRAPH or it.kind in _CONTEXT for it in part.slots)
            asks = bool(part.row) and isinstance(part.row[0], Cue) and part.row[0].has(*_ASKING)
            told = any(it.has("rel") and it.form != "noun" for it in part.cues)
            if named and 2 * named + 3 * asks + told >= most and len(part.words) <= named + 1:
                best, most = (start, end), 2 * named + 3 * asks + told
        return best

    def _as_relation(self, reading: Reading) -> Reading | None:
        """The question with "COX-1 inhibitors" read as what inhibits COX-1: facts say more than the class."""
        row = list(reading.elements.row)
        tokens = reading.elements.tokens
        changed = False
        for slot in reading.elements.slots:
            last = lexicon().at(tokens, slot.end - 1)
            if slot.kind != "class" or slot.end - slot.start < 2 or last is None or last.form != "agent":
                continue
            senses = self._linker.senses([token.key for token in tokens[slot.start : slot.end - 1]])
            if senses and senses[0].kind in {"protein", "family"}:
                at = row.index(slot)
                row[at : at + 1] = [Slot(slot.start, slot.end - 1, senses), last]
                changed = True
        if not changed:
            return None
        related = read(Elements(reading.elements.text, tokens, row), reading.corrections)
        if related.frame.kind != YES_NO and related.frame.wanted is None:
            related.frame.wanted = "drug"
        return related

    def _with_context(self, reading: Reading) -> Reading:
        """The names of the sentence before, where the question lacks one and refers back."""
        elements = reading.elements
        first = elements.row[0].start if elements.row else 0
        named = len(elements.slots)
        relations = reading.relations()
        together = "combine" in relations and len(reading.drugs) < 2 and named <= 1
        causes = "cause" in relations and not reading.effects
        needed = 2 if reading.frame.kind == YES_NO or together else 1
        other = says_other(elements) and named < 2
        asks = together or refers_back(elements, few=named)
        if not first or not (other or (named < needed and asks)):
            return reading
        before = elements.tokens[:first]
        kinds = _CONTEXT | {"effect", "condition"} if causes else _CONTEXT
        slots = [
            Slot(span.start, span.end, span.senses, context=True)
            for span in self._linker.link(elements.text, before)
            if span.kind in kinds
        ] or self._misspelt_before(elements, first)
        if not slots:
            return reading
        corrected = sum(it.corrected_from is not None for it in slots[-_CONTEXT_NAMES:])
        elements.row[:0] = slots[-_CONTEXT_NAMES:]
        return read(elements, reading.corrections + corrected)

    def _misspelt_before(self, elements: Elements, first: int) -> list[Slot]:
        """The misspelt names of the sentences before token `first`."""
        found = []
        strange = [at for at in range(first) if is_strange(elements.tokens[at].text)]
        for at in strange[:_CORRECTED_WORDS]:
            near = self._speller.one(elements.tokens[at].text)
            if near is not None and near[1][0].kind in _CONTEXT:
                word = Word(at, at + 1, elements.tokens[at].text)
                found.append(Slot(at, at + 1, near[1], elements.written(word), context=True))
        return found

    def _correct(self, elements: Elements) -> int:
        """Read misspelt names and question words as what they are near to; how many names."""
        corrections = 0
        self._share_nouns(elements)
        strange = [word for word in elements.words if is_strange(word.text)]
        for word in strange[:_CORRECTED_WORDS]:
            if word not in elements.row:
                continue  # part of a name that was read already
            at = elements.row.index(word)
            near = self._speller.one(word.text)
            if near is not None:
                elements.row[at] = Slot(word.start, word.end, near[1], elements.written(word))
                corrections += 1
                continue
            slot = self._part_of_name(elements, word)
            if slot is not None and _replace(elements, slot):
                corrections += 1
                continue
            cue = misspelt_cue(word.text, word.start, word.end)
            if cue is not None:
                elements.row[at] = cue
        return corrections

    def _share_nouns(self, elements: Elements) -> None:
        """Read "serotonin" in "serotonin and noradrenaline transporters" as the transporter."""
        row = elements.row
        for at in range(len(row) - 2):
            word, joint, named = row[at : at + 3]
            if (
                not isinstance(named, Slot)
                or named.kind not in {"protein", "family"}
                or isinstance(word, Cue)
            ):
                continue
            between = elements.tokens[joint.start].text
            if between not in {"and", "or", "nor"} or (
                isinstance(word, Slot) and word.kind in {"protein", "family"}
            ):
                continue
            noun = elements.tokens[named.end - 1]
            keys = [token.key for token in elements.tokens[word.start : word.end]]
            senses = self._linker.senses([*keys, singular(noun.key) or noun.key])
            if noun.text.isalpha() and senses and senses[0].kind in {"protein", "family"}:
                row[at] = Slot(word.start, word.end, senses)

    def _part_of_name(self, elements: Elements, word: Word) -> Slot | None:
        """A name of several words of which one is misspelt: "serotonine transporter", "valproic aid"."""
        pair = self._speller.pair(word.text, elements.tokens, word.end)
        if pair is not None:
            return Slot(
                word.start,
                word.end + 1,
                pair,
                elements.text[elements.tokens[word.start].start : elements.tokens[word.end].end],
            )
        for part in self._speller.near(word.text)[:_NEAR_PARTS]:
            tokens = list(elements.tokens)
            tokens[word.start] = replace(tokens[word.start], text=part, key=part)
            start = max(word.start - _NEAR_TOKENS, 0)
            for span in self._linker.link(elements.text, tokens[start : word.end + _NEAR_TOKENS]):
                inside = span.start + start <= word.start < span.end + start
                if inside and span.end - span.start > 1 and span.kind in _OF_GRAPH:
                    return Slot(span.start + start, span.end + start, span.senses, elements.written(word))
        return None


def _replace(elements: Elements, slot: Slot) -> bool:
    """Put a name in place of the elements that it covers, unless one of them is a name itself."""
    covered = [at for at, it in enumerate(elements.row) if it.start < slot.end and slot.start < it.end]
    if any(isinstance(elements.row[at], Slot) for at in covered):
        return False
    elements.row[covered[0] : covered[-1] + 1] = [slot]
    return True


def _narrows(filters: Filters) -> bool:
    """Whether facts that would answer may have been left out at the request's own wish."""
    return bool(filters.kinds or filters.sources or filters.entities or filters.evidence)
