"""The words of a question that say what is asked: a lexicon with roles, found longest first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from retrievers.plain.names.words import Token, tokenize

TABLES = ("cues", "relations", "types", "properties")
_SHORTEST_STEM = 3
_BARE_NOUNS = frozenset(("effect", "effects", "activity", "mechanism", "mechanisms", "affinity", "blockade"))
_AGENTS = ("or", "ors", "er", "ers", "ist", "ists", "ant", "ants")
_VERBS = frozenset(("trigger", "hinder", "hamper", "alter", "lower", "counter", "deliver", "suffer"))
_NOUNS = ("ion", "ions", "ism", "isms", "ment", "ade", "ades", "ance", "ancy", "ancies", "ence", "ity", "al")


@dataclass(frozen=True, slots=True)
class Cue:
    """Tokens [start, end) and their roles, as (role, value); form is of their last word."""

    start: int
    end: int
    roles: tuple[tuple[str, str], ...]
    form: str

    def value(self, role: str) -> str | None:
        """What the words mean in a role; None where they have not that role."""
        return next((value for name, value in self.roles if name == role), None)

    def values(self, role: str) -> tuple[str, ...]:
        """All that the words mean in a role."""
        return tuple(value for name, value in self.roles if name == role)

    def has(self, *roles: str) -> bool:
        """Whether the words have one of the roles."""
        return any(name in roles for name, _ in self.roles)


_Pattern = tuple[tuple[str, ...], list[tuple[str, str]]]


class Lexicon:
    """Finds cues among tokens. A word that ends in `*` in the tables stands for all that begin so."""

    def __init__(self, rows: Sequence[tuple[str, str, str]]) -> None:
        merged: dict[tuple[str, ...], list[tuple[str, str]]] = defaultdict(list)
        for role, value, phrases in rows:
            for phrase in phrases.split("|"):
                words = _words(phrase)
                if words and (role, value) not in merged[words]:
                    merged[words].append((role, value))
        self._by_first: dict[str, list[_Pattern]] = defaultdict(list)
        for words, roles in merged.items():
            self._by_first[words[0]].append((words, roles))

    def find(self, tokens: Sequence[Token]) -> list[Cue]:
        """The cues from the left, the longest at each place; of equal ones the most literal."""
        found = []
        at = 0
        while at < len(tokens):
            cue = self.at(tokens, at)
            if cue is None:
                at += 1
            else:
                found.append(cue)
                at = cue.end
        return found

    def at(self, tokens: Sequence[Token], at: int) -> Cue | None:
        """The longest cue that begins at a token."""
        best: list[tuple[str, str]] = []
        best_size = (0, -1)
        word = tokens[at].text
        stems = [word, *(word[:size] + "*" for size in range(len(word), _SHORTEST_STEM - 1, -1))]
        for stem in stems:
            for words, roles in self._by_first.get(stem, ()):
                if len(words) < best_size[0] or not self._matches(tokens, at, words):
                    continue
                # Phrases have the roles of all that fit, single words those of the most literal.
                size = (len(words), sum(len(part.rstrip("*")) for part in words) if len(words) == 1 else 0)
                if size > best_size:
                    best, best_size = list(roles), size
                elif size == best_size:
                    best.extend(role for role in roles if role not in best)
        if not best:
            return None
        end = at + best_size[0]
        stated = next((value for role, value in best if role == "form"), None)
        return Cue(at, end, tuple(best), stated or form_of(tokens[end - 1].text))

    def of_words(self, *words: str) -> Cue | None:
        """The cue that words would be if they stood together; all of them."""
        cue = self.at([Token(it, it, 0, len(it), opens=True, closes=True) for it in words], 0)
        return cue if cue is not None and cue.end == len(words) else None

    @staticmethod
    def _matches(tokens: Sequence[Token], at: int, words: tuple[str, ...]) -> bool:
        if at + len(words) > len(tokens):
            return False
        return all(
            token.text.startswith(word[:-1]) if word.endswith("*") else token.text == word
            for token, word in zip(tokens[at : at + len(words)], words, strict=True)
        )


def form_of(word: str) -> str:
    """What the ending of a relation's word says: agent, noun, past, gerund, or verb."""
    if word in _VERBS or word.removesuffix("s") in _VERBS:
        return "verb"
    if word.endswith(_AGENTS) and len(word) > 5:
        return "agent"
    if word.endswith(_NOUNS) or word in _BARE_NOUNS:
        return "noun"
    if word.endswith("ed"):
        return "past"
    return "gerund" if word.endswith("ing") else "verb"


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon of the tables of this folder."""
    rows = []
    for table in TABLES:
        rows.extend(table_rows(table))
    split = []
    for role, value, phrases in rows:
        # "inhibit:agent" states the form, where the ending of the words does not tell it.
        relation, _, form = value.partition(":")
        if role == "rel" and form:
            split += [(role, relation, phrases), ("form", form, phrases)]
        else:
            split.append((role, value, phrases))
    return Lexicon(split)


def table_rows(table: str) -> list[list[str]]:
    """The rows of a table of this folder, without its header."""
    lines = (Path(__file__).parent / "tables" / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines[1:] if line]


def _words(phrase: str) -> tuple[str, ...]:
    return tuple(
        token.text + "*" if phrase[token.end : token.end + 1] == "*" else token.text
        for token in tokenize(phrase)
    )
