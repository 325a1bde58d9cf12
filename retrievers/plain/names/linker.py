"""Names in a text: the longest one from the left, by keys, whatever their number.

The work for a text depends on its length, not on how many names are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from retrievers.plain.names.words import Token, key_of, singular

_LONGEST = 24
_SHORT = 3
# Of several kinds of thing with one name, the first is meant.
KINDS = (
    "drug", "protein", "family", "class", "effect", "thing", "label", "absent_drug", "condition",
    "absent_protein", "pathway", "reaction", "chemical",
)  # fmt: skip
_RANK = {kind: at for at, kind in enumerate(KINDS)}


class Sense(NamedTuple):
    """What a name may mean. target: a place among the entities, classes …, by kind; or an id.

    rank: the smaller, the better the name fits; equal ranks of one kind are all meant. exact: the
    spelling in which a word counts that is short or an ordinary word; None where any case counts.
    """

    kind: str
    target: int | str | tuple[int, ...]
    rank: int = 0
    exact: str | None = None
    name: str = ""

    @property
    def place(self) -> int:
        """The target, of a kind whose targets are places."""
        if not isinstance(self.target, int):
            raise TypeError(f"{self.kind} {self.name!r} has no place")
        return self.target


@dataclass(frozen=True, slots=True)
class Span:
    """Tokens [start, end) and the senses of the name that they are, the best first."""

    start: int
    end: int
    senses: tuple[Sense, ...]

    @property
    def kind(self) -> str:
        """The kind of what is meant first."""
        return self.senses[0].kind

    def of_kind(self, *kinds: str) -> tuple[Sense, ...]:
        """The senses of some kinds that fit best."""
        mine = [sense for sense in self.senses if sense.kind in kinds]
        best = min((sense.rank for sense in mine), default=0)
        return tuple(sense for sense in mine if sense.rank == best)


class Links(Protocol):
    """Finds names in a text."""

    def link(self, text: str, tokens: Sequence[Token], sure: frozenset[int] = frozenset()) -> list[Span]:
        """The names in reading order, none over another."""
        ...


class Linker:
    """A dictionary of names. Filled once, then only read."""

    def __init__(self, ordinary: frozenset[str], common: frozenset[str] = frozenset()) -> None:
        """`ordinary`: words of everyday language; as names of one word they count as spelt only.

        common: the most frequent of these, which alone are no names of drugs that the graph lacks.
        """
        self._ordinary, self._common = ordinary, common
        self._senses: dict[str, list[Sense] | Sense] = {}
        self._reach: dict[str, int] = {}

    def add(
        self, name: str, kind: str, target: int | str | tuple[int, ...], rank: int = 0, called: str = ""
    ) -> None:
        """One more name, of what is `called` otherwise. Too short or too long ones are left out."""
        key = key_of(name)
        if not key or len(key) > _LONGEST or (len(key) == 1 and len(key[0]) < 2):
            return
        exact = name.strip() if self._needs_case(name, key, kind) else None
        sense = Sense(kind, target, rank, exact, called or name)
        text = " ".join(key)
        known = self._senses.get(text)
        if known is None:
            self._senses[text] = sense
        else:
            several = known if isinstance(known, list) else [known]
            if all((it.kind, it.target, it.exact) != (kind, target, exact) for it in several):
                self._senses[text] = [*several, sense]
        if self._reach.get(key[0], 0) < len(key):
            self._reach[key[0]] = len(key)

    def senses(self, key: Sequence[str]) -> tuple[Sense, ...]:
        """What a name of these keys may mean, the best first."""
        found = self._senses.get(" ".join(key), [])
        return _ordered(found if isinstance(found, list) else [found])

    def __iter__(self) -> Iterator[str]:
        """All keys, their parts joined by spaces."""
        return iter(self._senses)

    def __contains__(self, key: str) -> bool:
        return key in self._senses

    def kinds(self, key: str) -> set[str]:
        """The kinds of what a key may mean."""
        found = self._senses[key]
        return {sense.kind for sense in found} if isinstance(found, list) else {found.kind}

    def link(self, text: str, tokens: Sequence[Token], sure: frozenset[int] = frozenset()) -> list[Span]:
        """The names in `text`. `sure`: places of tokens whose surroundings say that they are names."""
        found = []
        at = 0
        shouted = text.isupper()
        while at < len(tokens):
            span = self._longest(text, tokens, at, sure, shouted=shouted) if tokens[at].opens else None
            if span is None:
                at += 1
            else:
                found.append(span)
                at = span.end
        return found

    def _longest(
        self, text: str, tokens: Sequence[Token], at: int, sure: frozenset[int], *, shouted: bool
    ) -> Span | None:
        first = tokens[at].key
        reach = self._reach.get(first, 0)
        single = singular(first)
        if single is not None:
            reach = max(reach, 1)
        for length in range(min(reach, len(tokens) - at), 0, -1):
            end = at + length
            if not tokens[end - 1].closes:
                continue
            keys = [token.key for token in tokens[at:end]]
            written = text[tokens[at].start : tokens[end - 1].end]
            senses = self._meant(keys, written, sure=at in sure, shouted=shouted)
            if senses:
                return Span(at, end, senses)
        return None

    def _meant(self, keys: list[str], written: str, *, sure: bool, shouted: bool) -> tuple[Sense, ...]:
        found = self._fitting(" ".join(keys), written, sure=sure, shouted=shouted)
        if not found:
            one = singular(keys[-1])
            if one is not None:
                shorter = written[: len(written) - (len(keys[-1]) - len(one))]
                found = self._fitting(" ".join([*keys[:-1], one]), shorter, sure=sure, shouted=shouted)
        found = _ordered(found)
        symbols = [it for it in found if it.kind == "protein" and it.rank == 0 and it.name == written]
        if symbols and found[0].kind != "protein" and found[0].name != written:
            return (*symbols, *(it for it in found if it not in symbols))  # CA2 is no calcium
        return found

    def _fitting(self, key: str, written: str, *, sure: bool, shouted: bool) -> tuple[Sense, ...]:
        known = self._senses.get(key)
        if known is None:
            return ()
        several = known if isinstance(known, list) else [known]
        return tuple(
            sense
            for sense in several
            if sense.exact is None
            or sure
            or (not shouted and (written == sense.exact or written.isupper()))
            or (shouted and key not in self._ordinary)
        )

    def _needs_case(self, name: str, key: tuple[str, ...], kind: str) -> bool:
        if len(key) == 1:
            word = key[0]
            if kind in {"drug", "class", "effect", "thing", "condition"}:
                # Drugs and findings are ordinary words, but mean what they say; "pi" is no class "PI".
                return len(word) <= {"drug": _SHORT, "class": _SHORT - 1}.get(kind, 0)
            words = self._common if kind == "absent_drug" else self._ordinary
            return len(word) <= _SHORT or word in words
        return len(name) <= _SHORT + 2 and len("".join(key)) <= _SHORT and " " not in name.strip()


def _ordered(senses: Sequence[Sense]) -> tuple[Sense, ...]:
    if len(senses) < 2:
        return tuple(senses)
    # Below 0: what a word means before all else.
    return tuple(sorted(senses, key=lambda it: (it.rank >= 0, _RANK.get(it.kind, 99), it.rank)))
