"""Which relation a question asks for: words, vector and exact mention of each relation's name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from biomolkg.names import name_words
from retrievers.mentions import Match
from retrievers.snapshot import Relation
from retrievers.triple.evidence import Floats
from retrievers.triple.lexical import TermIndex
from retrievers.triple.words import FUNCTION_WORDS, Word, stem

# One phenomenon under several spellings.
_SAME = (
    (re.compile(r"\bpi[ -]+pi\b"), "pipi stacking"),
    (re.compile(r"\bh bond"), "hydrogen bond"),
)


# Words for what the graph calls by another name.
_OTHER_WORDS = (
    (re.compile(r"\b(?:block|antagoni[sz]|suppress)\w*", re.IGNORECASE), "inhibit"),
    (re.compile(r"\b(?:agoni[sz]|stimulat)\w*", re.IGNORECASE), "activate"),
)

# What is spoken of when facts of a kind are asked for.
_OF_PROTEINS = (
    "protein receptor target enzyme gene transporter channel kinase bind inhibit activate agonist "
    "antagonist encoded"
)
_KIND_WORDS = {
    "DPI": _OF_PROTEINS,
    "ACTION": _OF_PROTEINS,
    "MOLECULAR": "molecule molecular stacking pipi hydrogen bond donor acceptor noncovalent steric ionic "
    "electrostatic",
    "DDI": "interaction coadministered combined concomitantly together adverse side effect taken",
    "REACTOME": "pathway reaction catalyze complex produce consume participate",
}
_KIND_STEMS = {kind: frozenset(map(stem, words.split())) for kind, words in _KIND_WORDS.items()}
_NO_STEMS: frozenset[str] = frozenset()
RELATION_STEMS = frozenset().union(*_KIND_STEMS.values())


@dataclass(frozen=True, slots=True, eq=False)
class RelationMatch:
    """How well each of R relations fits a question: float32 [R] each, in [0, 1]."""

    words: Floats
    closeness: Floats
    exact: Floats
    kind: Floats


class RelationIndex:
    """The relations of a snapshot, ready to be matched. `embeddings`: float32 [R, d], unit length."""

    def __init__(self, relations: Sequence[Relation], embeddings: Floats) -> None:
        self._stems = [tuple(relation_stems(relation.name)) for relation in relations]
        self._index = TermIndex([set(stems) for stems in self._stems], k1=0.6, b=0.4)
        self._embeddings = embeddings
        kinds = sorted({relation.kind for relation in relations})
        self._of_kind = {
            kind: np.array([relation.kind == kind for relation in relations], dtype=np.float32)
            for kind in kinds
        }
        self._by_first: dict[str, list[int]] = {}
        for index, stems in enumerate(self._stems):
            if stems:
                self._by_first.setdefault(stems[0], []).append(index)

    def match(self, question: str) -> RelationMatch:
        """What the words say; `closeness` is 0 until vectors are given."""
        stems = relation_stems(question)
        words = self._index.scores(set(stems))
        top = float(words.max(initial=0.0))
        return RelationMatch(
            words=words / top if top else words,
            closeness=np.zeros(len(self._stems), dtype=np.float32),
            exact=self._exact(stems),
            kind=self._kind(stems),
        )

    def with_vectors(self, match: RelationMatch, vector: Floats, clauses: Floats) -> RelationMatch:
        """`match` with the closeness of a question vector, float32 [d], and clauses, float32 [n, d]."""
        if not len(self._embeddings):
            return match
        cosines = (np.concatenate([vector[None], clauses]) @ self._embeddings.T).max(axis=0)
        return replace(match, closeness=np.maximum(cosines, 0).astype(np.float32))

    def exact_stems(self, match: RelationMatch) -> frozenset[str]:
        """The stems of the relations that the question has word for word."""
        return frozenset().union(*(self._stems[at] for at in np.flatnonzero(match.exact)))

    def _kind(self, stems: Sequence[str]) -> Floats:
        """1 for relations of the kind that the most words of the question speak of."""
        spoken = {kind: len(_KIND_STEMS.get(kind, _NO_STEMS).intersection(stems)) for kind in self._of_kind}
        most = max(1, *spoken.values()) if spoken else 1
        found = np.zeros(len(self._stems), dtype=np.float32)
        for kind, of_kind in self._of_kind.items():
            if spoken[kind] == most:
                found += of_kind
        return found

    def _exact(self, stems: Sequence[str]) -> Floats:
        found = np.zeros(len(self._stems), dtype=np.float32)
        for at, first in enumerate(stems):
            for index in self._by_first.get(first, ()):
                name = self._stems[index]
                if tuple(stems[at : at + len(name)]) == name:
                    found[index] = 1.0
        return found


def reworded(text: str) -> str:
    """`text` with what it calls a relation in the words of the graph."""
    for pattern, word in _OTHER_WORDS:
        text = pattern.sub(word, text)
    return text


def relation_stems(text: str) -> list[str]:
    """Stems of the words that count, spellings of one phenomenon made one."""
    plain = " ".join(name_words(text))
    for pattern, name in _SAME:
        plain = pattern.sub(name, plain)
    return [stem(word) for word in plain.split() if word not in FUNCTION_WORDS]


def content_stems(words: Sequence[Word]) -> list[str]:
    """Stems of the words that can speak of something."""
    return [word.stem for word in words if word.counts]


def directness(
    words: Sequence[Word], matches: Sequence[Match], spoken: frozenset[str] = frozenset()
) -> float:
    """0 when names and words of relations are under a third of what is said, 1 from two thirds on.

    spoken: stems of relations that the question has word for word.
    """
    counted = [word for word in words if word.counts]
    if not matches or not counted:
        return 0.0
    inside = sum(
        word.stem in RELATION_STEMS
        or word.stem in spoken
        or any(match.start <= word.start and word.end <= match.end for match in matches)
        for word in counted
    )
    return min(1.0, max(0.0, 3 * inside / len(counted) - 1))
