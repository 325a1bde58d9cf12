"""The relations of one's own data sets by the words of their names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

import Stemmer

from retrievers.plain.names.words import Token, tokenize
from retrievers.snapshot import Snapshot

KIND = "FACT"
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_BARE = frozenset(
    (
        "the",
        "a",
        "an",
        "of",
        "in",
        "to",
        "with",
        "by",
        "for",
        "on",
        "at",
        "is",
        "are",
        "has",
        "have",
        "and",
        "or",
    )
)


class OwnFacts:
    """The relations of kind FACT by their words, and the labels of things. Safe to share."""

    def __init__(self, snapshot: Snapshot) -> None:
        self.relations: dict[frozenset[str], list[int]] = defaultdict(list)
        for at, relation in enumerate(snapshot.relations):
            if relation.kind == KIND:
                stems = frozenset(_stems(tokenize(_CAMEL.sub(" ", relation.name).replace("_", " "))))
                if stems:
                    self.relations[stems].append(at)
        labels = {label for entity in snapshot.entities for label in (entity.label, *entity.labels)}
        self.labels: dict[str, str] = {}
        if self.relations:
            for label in labels:
                for it in _stems(tokenize(_CAMEL.sub(" ", label))):
                    self.labels.setdefault(it, label)

    def asked(self, stems: set[str]) -> tuple[frozenset[str], list[int]]:
        """The relation with the most words, all of which are in the question."""
        fitting = [words for words in self.relations if words <= stems]
        best = max(fitting, key=lambda words: (len(words), sorted(words)), default=frozenset())
        return best, self.relations.get(best, [])


def _stems(tokens: Iterable[Token]) -> list[str]:
    return [stem(token.text) for token in tokens if token.text not in _BARE and token.text.isalpha()]


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """The stem of a word."""
    return str(_stemmer().stemWord(word))


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")
