"""What drug labels say: the passages of a drug's or product's label on what is asked for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from retrievers.hits import Filters
from retrievers.plain.answers.gathering import Gathering
from retrievers.plain.answers.replies import PASSAGE, Replies
from retrievers.plain.question.cues import table_rows
from retrievers.plain.question.elements import Slot, Word
from retrievers.plain.question.reading import Reading
from retrievers.plain.records import NOT_IN_GRAPH, Item, PlainAnswer
from retrievers.snapshot import Passage, Snapshot

_SECOND = 0.7  # where the words of a topic are only in the text of a section
_LEAST_OVERLAP = 0.1
_WORDS = re.compile(r"[^\W_]+")


class Labels:
    """The passages of labels by label. Safe to share."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.passages = snapshot.passages
        self._entities = snapshot.entities
        self._of_label: dict[str, list[int]] = defaultdict(list)
        self._of_drug: dict[str, set[str]] = defaultdict(set)
        self._names: dict[str, set[str]] = defaultdict(set)
        self._words = lru_cache(maxsize=20_000)(self._read)
        for at, passage in enumerate(snapshot.passages):
            label = passage.label
            if label is not None:
                self._of_label[label].append(at)
                for drug in passage.drugs:
                    self._of_drug[drug].add(label)
                for name in passage.names:
                    self._names[name].add(label)

    @property
    def names(self) -> Mapping[str, set[str]]:
        """The labels by the names of their products and substances."""
        return self._names

    def of(self, slot: Slot) -> list[str]:
        """The labels of a product or drug."""
        found = {str(it.target) for it in slot.senses if it.kind == "label"}
        if found:
            return sorted(found)
        for sense in slot.senses:
            if sense.kind in {"drug", "thing"} and isinstance(sense.target, int):
                found |= self._of_drug.get(self._entities[sense.target].id, set())
        return sorted(found)

    def about(
        self, labels: Sequence[str], topics: Sequence[str], words: Sequence[str], filters: Filters
    ) -> list[tuple[float, int]]:
        """Passages on some topics, the best first, each with how well it fits."""
        least = 1.0 if topics else _LEAST_OVERLAP
        found = []
        for at in (it for label in labels for it in self._of_label[label]):
            passage = self.passages[at]
            if filters.sources and not passage.source.startswith(tuple(filters.sources)):
                continue
            title, titled, inside = self._words(at)
            fit = sum(_fit(passage, title, topic) for topic in topics)
            fit += sum(0.3 * (word in titled) + 0.1 * (word in inside) for word in words)
            if fit >= least:
                found.append((fit - 0.01 * passage.position, at))
        return sorted(found, key=lambda it: (-it[0], _order(self.passages[it[1]])))

    def _read(self, at: int) -> tuple[str, frozenset[str], frozenset[str]]:
        """A passage's title in lower case, and the words of its title and text."""
        passage = self.passages[at]
        title = passage.title.casefold()
        return title, frozenset(_WORDS.findall(title)), frozenset(_WORDS.findall(passage.text.casefold()))


def answer_from_label(
    reading: Reading,
    replies: Replies,
    gathering: Gathering,
    labels: Labels,
    slots: Sequence[Slot],
    topics: Sequence[str],
) -> PlainAnswer:
    """The passage of a label on a topic; without a verdict, since a label has none."""
    replies.use([*slots, *reading.effects, *reading.slots("condition")])
    leftover = reading.leftover(
        relations=frozenset(),
        roles=frozenset({"section", "label", "noprop", "prop", "prop_metab", "rel", "neg"}),
    )
    understood = replies.understood(
        "label_section", slots, (), section=topics[0] if topics else None, leftover=leftover
    )
    names = ", ".join(replies.called(it) for it in slots)
    known = [label for it in slots for label in labels.of(it)]
    if not known:
        return replies.nothing(
            understood, f"the graph has no label of {names}", reason=NOT_IN_GRAPH, kind="none"
        )
    found = labels.about(known, topics, _content(reading), gathering.filters)
    if not found:
        return replies.nothing(
            understood,
            f"the label of {names} has no section on {', '.join(topics) or 'that'}",
            reason=NOT_IN_GRAPH,
            kind="none",
        )
    best = found[0][0]
    items = tuple(
        Item(None, labels.passages[at].title, labels.passages[at].id) for fit, at in found if fit >= best / 2
    )
    first = labels.passages[found[0][1]]
    return PlainAnswer(
        understood,
        "passage",
        first.title,
        None,
        items,
        confidence=replies.confidence(PASSAGE if best >= 2 else _SECOND, ()),
        notes=(f"from the label of {names}; a label gives no yes or no",),
    )


def _content(reading: Reading) -> list[str]:
    """Words of the question that a passage may have, beside names of drugs and words with a role."""
    found: list[str] = []
    for it in reading.elements.row:
        told = isinstance(it, Slot) and it.kind in {"effect", "condition", "absent_drug"}
        if told or isinstance(it, Word):
            found.extend(token.text for token in reading.elements.tokens[it.start : it.end])
    return [word for word in found if len(word) > 2]


def _order(passage: Passage) -> tuple[str, int, int]:
    document, _, number = passage.document.rpartition("#")
    return document, int(number) if number.isdecimal() else 0, passage.position


def _fit(passage: Passage, title: str, topic: str) -> float:
    codes, titles = _sections()[topic]
    return 2.0 * (passage.section in codes) + 1.0 * any(name in title for name in titles)


@lru_cache(maxsize=1)
def _sections() -> dict[str, tuple[frozenset[str], tuple[str, ...]]]:
    return {
        topic: (frozenset(codes.split("|")), tuple(titles.split("|")))
        for topic, codes, titles in table_rows("sections")
    }
