"""Names in a question: a gazetteer over the names, synonyms and gene symbols of every entity.

A name is found whatever its case, hyphens, accents, brackets or Greek letters,
in the plural or the possessive, with or without the salt it is given as. The
work for a question depends on its length, not on how many names are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from biomolkg.encoder_files import bundled_model
from biomolkg.names import fold, name_words
from retrievers.hits import Mention
from retrievers.snapshot import Entity, Snapshot

NAME, GENE, SYNONYM = 1.0, 0.95, 0.9
DERIVED = 0.85  # times the spelling that a form without its salt, or of the acid's anion, comes from
PLURAL = 0.97
EVERYDAY = 0.5

# Ranks of whole words in the uncased BERT vocabulary follow their frequency in English books and
# encyclopedias: the first 15,000 pieces hold "lead", "ice" and "water", and no name of a drug.
_EVERYDAY_RANK = 15_000
_SHORT = 3
_PREFIX = 6
_LONGEST_NAME = 400

_SALT_WORDS = """acetate anhydrous aspartate benzoate besylate besilate bitartrate bromide calcium
camsylate carbonate
chloride citrate dihydrate dihydrochloride dipotassium disodium edisylate embonate esylate fumarate
gluconate glucuronate hcl hemihydrate hemisulfate hydrate hydrobromide hydrochloride hydrogen iodide
lactate lithium lysine magnesium maleate meglumine mesylate mesilate monohydrate monohydrochloride
monosodium napsylate nitrate oxalate palmitate pamoate phosphate potassium propionate salicylate sodium
stearate succinate sulfate sulphate tartrate tosylate trihydrate trisodium tromethamine zinc"""
SALTS = frozenset(_SALT_WORDS.split())
_WORD = re.compile(r"[^\W_]+|\+")
_DIVIDER = re.compile(r"[\s\u2010-\u2015\u2212-]+")


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a span may name: its index in the snapshot and how surely, in (0, 1]."""

    entity: int
    score: float


@dataclass(frozen=True, slots=True)
class Match:
    """A span [start, end) of a question and the entities it may name, the surest first."""

    start: int
    end: int
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Token:
    """A folded word and the characters [start, end) that it is written with."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Spelling:
    """One way to write an entity's name; `exact`, if set, is the only case it is recognised in."""

    entity: int
    score: float
    exact: str | None


@lru_cache(maxsize=1)
def everyday_words() -> frozenset[str]:
    """Words of everyday English, lower case: the frequent part of the bundled encoder's vocabulary."""
    with (bundled_model() / "vocab.txt").open(encoding="utf-8") as pieces:
        return frozenset(piece.strip() for _, piece in zip(range(_EVERYDAY_RANK), pieces, strict=False))


def tokens(text: str) -> list[Token]:
    """The words of `name_words(text)`, each with its characters [start, end) in `text` itself."""
    if text.isascii():
        return [Token(word.group(), word.start(), word.end()) for word in _WORD.finditer(text.lower())]
    folded: list[str] = []
    origin: list[int] = []
    for index, char in enumerate(text):
        piece = char.lower() if char.isascii() else fold(char)
        folded.append(piece)
        origin.extend([index] * len(piece))
    return [
        Token(word.group(), origin[word.start()], origin[word.end() - 1] + 1)
        for word in _WORD.finditer("".join(folded))
    ]


class Gazetteer:
    """Finds the names of a snapshot's entities in text. Safe to share between threads."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._entities = snapshot.entities
        self._spellings: dict[str, list[_Spelling]] = {}
        self._reach: dict[str, int] = {}
        for index, entity in enumerate(self._entities):
            for score, text in _names(entity):
                self._add(index, score, text)

    def find(self, text: str) -> list[Mention]:
        """The names in `text`, in reading order; a name of several entities gives a mention for each."""
        return [
            Mention(
                start=match.start,
                end=match.end,
                text=text[match.start : match.end],
                entity=entity.reference,
                score=candidate.score,
            )
            for match in self.matches(text)
            for candidate in match.candidates
            for entity in (self._entities[candidate.entity],)
        ]

    def matches(self, text: str) -> list[Match]:
        """The names in `text` as spans with indexes into the entities, longest first from the left."""
        words = tokens(text)
        found: list[Match] = []
        at = 0
        while at < len(words):
            best = self._longest(text, words, at)
            if best is None:
                at += 1
                continue
            after, candidates = best
            end = _with_salt(text, words, after)
            found.append(Match(words[at].start, words[end - 1].end, candidates))
            at = end
        return found

    def spellings(self) -> Iterator[tuple[str, tuple[Candidate, ...]]]:
        """Each name that is known in any case, its words joined, and the entities that it names."""
        for key, known in self._spellings.items():
            scores: dict[int, float] = {}
            for spelling in known:
                if spelling.exact is None:
                    scores[spelling.entity] = max(spelling.score, scores.get(spelling.entity, 0.0))
            if scores:
                yield key, tuple(Candidate(entity, score) for entity, score in scores.items())

    def _longest(
        self, text: str, words: Sequence[Token], at: int
    ) -> tuple[int, tuple[Candidate, ...]] | None:
        key, best = "", None
        for after in range(at + 1, len(words) + 1):
            key += words[after - 1].text
            # A plural is up to two letters longer than the name.
            if len(key) > max(self._reach.get(key[:_PREFIX], 0), _PREFIX) + 2:
                break
            for form, factor in _singulars(key, words[after - 1].text):
                if form not in self._spellings:
                    continue
                span = text[words[at].start : words[after - 1].end]
                opens = _opens_sentence(text, words[at].start)
                candidates = self._look_up(form, span, factor, opens=opens)
                if candidates:
                    best = (after, candidates)
                    break
        return best

    def _look_up(self, key: str, span: str, factor: float, *, opens: bool) -> tuple[Candidate, ...]:
        scores: dict[int, float] = {}
        for spelling in self._spellings.get(key, ()):
            if spelling.exact is not None and (
                spelling.exact != _as_written(key, span) or (opens and not _marked(span))
            ):
                continue
            score = spelling.score * factor
            scores[spelling.entity] = max(score, scores.get(spelling.entity, 0.0))
        if not scores:
            return ()
        # A name beats a synonym of something else; equals share what they have.
        top = max(scores.values())
        peers = sum(score == top for score in scores.values())
        ranked = sorted(scores.items(), key=lambda item: (-item[1], self._entities[item[0]].id))
        return tuple(
            Candidate(entity, score / peers if score == top else score / (2 * len(scores)))
            for entity, score in ranked
        )

    def _add(self, entity: int, score: float, text: str) -> None:
        words = name_words(text[:_LONGEST_NAME])
        key = "".join(words)
        if not any(char.isalnum() for char in key):
            return
        common = key in everyday_words()
        exact = None
        if common and score == NAME:
            score *= EVERYDAY
        elif common and not _marked(text):
            if not text[0].isupper():
                return
            score, exact = score * EVERYDAY, _as_written(key, text)
        elif common or len(key) <= _SHORT or key.isdecimal():
            exact = _as_written(key, text)
        self._put(key, _Spelling(entity, score, exact))
        if exact is None and not common:
            for form in _derived(words):
                self._put(form, _Spelling(entity, score * DERIVED, None))

    def _put(self, key: str, spelling: _Spelling) -> None:
        self._spellings.setdefault(key, []).append(spelling)
        prefix = key[:_PREFIX]
        self._reach[prefix] = max(len(key), self._reach.get(prefix, 0))


def _names(entity: Entity) -> Iterator[tuple[float, str]]:
    yield NAME, entity.name
    if entity.gene:
        yield GENE, entity.gene
    for synonym in entity.synonyms:
        yield SYNONYM, synonym


def _derived(words: list[str]) -> Iterator[str]:
    """Other forms of a name: without its salt or sign of rotation, the anion of an acid and back."""
    bare = list(words)
    while bare and bare[0] == "+":
        del bare[0]
    while len(bare) > 1 and (bare[-1] in SALTS or bare[-1] == "+"):
        del bare[-1]
    key = "".join(bare)
    unsure = key in everyday_words() or key in SALTS or len(key) <= _SHORT + 1
    if bare != words and not unsure:
        yield key
    if len(bare) == 2 and bare[1] == "acid" and bare[0].endswith("ic") and len(bare[0]) > 6:
        yield bare[0][:-2] + "ate"
    elif len(bare) == 1 and key.endswith("ate") and len(key) > 7 and not unsure:
        yield key[:-3] + "icacid"


def _singulars(key: str, last: str) -> Iterator[tuple[str, float]]:
    yield key, 1.0
    if len(last) > _SHORT + 1 and last.endswith("s"):
        yield key[:-1], PLURAL
        if last.endswith("es"):
            yield key[:-2], PLURAL
        if last.endswith("ies"):
            yield key[:-3] + "y", PLURAL


def _with_salt(text: str, words: Sequence[Token], after: int) -> int:
    """Where a name ends that was read up to word `after`, with the salt that is written behind it."""
    while (
        after < len(words)
        and words[after].text in SALTS
        and text[words[after - 1].end : words[after].start].isspace()
    ):
        after += 1
    return after


def _as_written(key: str, text: str) -> str:
    """What must agree where case counts: letters and digits; of a number also how it is divided.

    Digits may be divided by spaces or any dash, as CAS numbers are.
    """
    if key.isdecimal():
        return _DIVIDER.sub("-", text.strip())
    return "".join(char for char in text if char.isalnum() or char == "+")


def _marked(text: str) -> bool:
    """Whether `text` is written as no ordinary word is: a digit, or a capital after the first letter."""
    return any(char.isdigit() for char in text) or any(char.isupper() for char in text[1:])


def _opens_sentence(text: str, start: int) -> bool:
    before = text[:start].rstrip(" \t\n\"'([")
    return not before or before[-1] in ".?!:"
