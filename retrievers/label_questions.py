"""Which passages of drug labels a question asks for: those of a drug or product that it names, by section."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from biomolkg.names import name_words
from retrievers.hits import Mention
from retrievers.label_topics import SHARED, wanted_sections
from retrievers.snapshot import Passage, Snapshot

_LONGEST_NAME = 8  # words
_MOST_WORDS = 512
# Log-odds that a passage of a label gains: set by hand, as no questions about labels are published.
SECTION = 9.0  # of a drug that is named, the section that is asked for
SHARED_SECTION = 7.0  # the same, where triples tell of both
FIRST_SECTION = 0.7  # more, where it is not one of those that stand in for it
OF_NAMED = 3.0  # of a drug that is named, where the question asks for a label or only labels tell of the drug
OTHER_DRUG = -4.0  # of another drug than the one that is named


@dataclass(frozen=True, slots=True)
class LabelQuestion:
    """What a question asks of labels.

    labels: ids of those of what it names; codes: sections by LOINC code, `first` among them; only_labels:
    whether a label is what it speaks of, or nothing else tells of what it names.
    """

    labels: frozenset[str] = frozenset()
    codes: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()
    only_labels: bool = False

    def gain(self, passage: Passage) -> float:
        """What the question says for a passage of a label, in log-odds, beside its words."""
        if not self.labels:
            return 0.0
        if passage.label not in self.labels:
            return OTHER_DRUG
        if passage.section in self.codes:
            shared = passage.section in SHARED and not self.only_labels
            first = FIRST_SECTION if passage.section in self.first else 0.0
            return first + (SHARED_SECTION if shared else SECTION)
        return OF_NAMED if self.only_labels else 0.0

    def brings(self, passage: Passage) -> bool:
        """Whether the passage is to be looked at though no word or vector of it is near."""
        return passage.label in self.labels and passage.section in self.codes


class LabelQuestions:
    """The labels of a snapshot by the names of their drugs and products. Safe to call from threads."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.by_label: dict[str, list[int]] = defaultdict(list)
        self._names: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._drugs: dict[str, set[str]] = defaultdict(set)
        for at, passage in enumerate(snapshot.passages):
            if passage.label is None:
                continue
            if passage.label not in self.by_label:
                for name in passage.names:
                    self._names[tuple(name_words(name))].add(passage.label)
                for drug in passage.drugs:
                    self._drugs[drug].add(passage.label)
            self.by_label[passage.label].append(at)
        self._names.pop((), None)
        self._with_facts = _with_facts(snapshot) if self.by_label else frozenset()

    def read(self, question: str, mentions: Iterable[Mention]) -> LabelQuestion:
        """What the question asks of labels; `mentions` are the entities that it names."""
        if not self.by_label:
            return LabelQuestion()
        entities = {mention.entity.id for mention in mentions}
        labels = {label for entity in entities for label in self._drugs.get(entity, ())}
        labels |= self._named(name_words(question)[:_MOST_WORDS])
        if not labels:
            return LabelQuestion()
        wanted = wanted_sections(question)
        others = entities & self._with_facts
        return LabelQuestion(frozenset(labels), wanted.codes, wanted.first, wanted.label or not others)

    def _named(self, words: Sequence[str]) -> set[str]:
        """The labels of the longest names at each place."""
        found: set[str] = set()
        at = 0
        while at < len(words):
            longest = range(min(_LONGEST_NAME, len(words) - at), 0, -1)
            size = next((size for size in longest if tuple(words[at : at + size]) in self._names), 0)
            if size:
                found |= self._names[tuple(words[at : at + size])]
            at += size or 1
        return found


def _with_facts(snapshot: Snapshot) -> frozenset[str]:
    ends = np.unique(np.concatenate([snapshot.heads, snapshot.tails]))
    return frozenset(snapshot.entities[at].id for at in ends.tolist())
