"""What the makers of questions draw from: the graph, the names and the wordings, with a seed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar
from zlib import crc32

import numpy as np

from biomolkg.names import name_key, name_words
from evaluation.plain.gold import Gold
from evaluation.plain.graph import Graph, Polarity
from evaluation.plain.names import Names
from evaluation.plain.wordings import Verb, WordingSet, fill

Style = Literal["usual", "brand", "alias", "everyday", "misspelt"]
Made = tuple[str, Gold]
_Item = TypeVar("_Item")
_LEAST_MISSPELT = 7
_VOWELS = "aeiou"


class Unnamed(Exception):
    """What was drawn has no name in this style, or no such fact: another is drawn."""


@dataclass(slots=True)
class Draw:
    """The random choices of one kind of question; templates are used in turn, in a drawn order."""

    graph: Graph
    names: Names
    wordings: WordingSet
    random: np.random.Generator
    style: Style = "usual"
    turn: int = 0
    _orders: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, kind: str, seed: int, graph: Graph, names: Names, wordings: WordingSet) -> Draw:
        """The draw of a kind: the same for the same seed and set, whatever other kinds are asked."""
        seeds = [seed, crc32(kind.encode()), crc32(wordings.id.encode())]
        return cls(graph, names, wordings, np.random.default_rng(seeds))

    def pick(self, options: Iterable[_Item]) -> _Item:
        """One of the options, which must have an order of their own if they are no set. Raises Unnamed."""
        found: Sequence[Any] = sorted(options) if isinstance(options, set | frozenset) else list(options)
        if not found:
            raise Unnamed
        chosen: _Item = found[int(self.random.integers(len(found)))]
        return chosen

    def chance(self, share: float) -> bool:
        """True in that share of the draws."""
        return bool(self.random.random() < share)

    def template(self, group: str, of: Mapping[str, Sequence[str]] | None = None) -> str:
        """The next template of a group."""
        options = (self.wordings.templates if of is None else of)[group]
        if group not in self._orders:
            self._orders[group] = [options[at] for at in self.random.permutation(len(options))]
        order = self._orders[group]
        return order[self.turn % len(order)]

    def verb(self, polarity: Polarity) -> Verb:
        """A verb of that polarity."""
        return self.pick(self.wordings.verbs[polarity])

    def write(self, group: str, verb: Verb | None = None, **slots: str) -> str:
        """A question of that group."""
        return fill(self.template(group), verb, **slots)

    def drugs(self, *, acting: bool = False, interacting: bool = False) -> list[str]:
        """The drugs that have a name in this style, and targets or side effects where asked."""
        named = self.names.brands if self.style == "brand" else self.names.drugs
        return [
            id_
            for id_ in named
            if (not acting or id_ in self.graph.targets) and (not interacting or id_ in self.graph.partners)
        ]

    def proteins(self) -> list[str]:
        """The targets that have a name in this style."""
        return list(self._proteins())

    def drug(self, id_: str) -> str:
        """The drug by name. Raises Unnamed."""
        if self.style == "brand":
            return self.pick(self.names.brands.get(id_, ()))
        name = self.pick(self.names.drugs.get(id_, ()))
        return self.misspell(name) if self.style == "misspelt" else name

    def protein(self, id_: str) -> str:
        """The protein by name. Raises Unnamed."""
        name = self.pick(self._proteins().get(id_, ()))
        return self.misspell(name) if self.style == "misspelt" else name

    def effect(self, relation: str) -> str:
        """The side effect in the words of the graph or of others; lower case but for abbreviations."""
        name = self.pick(self.names.effects.get(relation, (relation,)))
        words = name.split()
        if len(words) > 1 and name.isupper():
            return name.lower()
        # CMV, ECG and LFTs keep their capitals, and so does the C of hepatitis C.
        return " ".join(word if word[-1].isupper() or word[1:2].isupper() else word.lower() for word in words)

    def alike(self, one: str, other: str) -> bool:
        """Whether two side effects are named alike: infection and chest infection, or by a vocabulary."""
        first, second = set(name_words(one)), set(name_words(other))
        return first <= second or second <= first or other in self.names.alike.get(one, ())

    def misspell(self, name: str) -> str:
        """The name with one slip behind its second letter. Raises Unnamed where it is too short."""
        if len(name) < _LEAST_MISSPELT:
            raise Unnamed
        at = int(self.random.integers(2, len(name) - 2))
        before, here, after = name[:at], name[at], name[at + 1 :]
        if not (here + after[0]).isalpha():
            raise Unnamed
        slips = [before + after, before + after[0] + here + after[1:], before + here + here + after]
        if here in _VOWELS:
            slips.append(before + self.pick([it for it in _VOWELS if it != here]) + after)
        wrong = self.pick([slip for slip in slips if slip != name])
        if name_key(wrong) in self.graph.known:
            raise Unnamed
        return wrong

    def _proteins(self) -> Mapping[str, tuple[str, ...]]:
        if self.style == "alias":
            return self.names.aliases
        if self.style in {"everyday", "misspelt"}:
            return self.names.everyday
        merged = {}
        for id_ in sorted({*self.names.symbols, *self.names.everyday}):
            merged[id_] = self.names.symbols.get(id_, ()) + self.names.everyday.get(id_, ())[:1]
        return merged


Maker = Callable[[Draw], Made]
