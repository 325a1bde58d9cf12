"""A question as a row of elements: names, cues, and the words that are neither."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from retrievers.plain.names.linker import Links, Sense, Span
from retrievers.plain.names.words import Token
from retrievers.plain.question.cues import Cue, lexicon

ARGUMENTS = frozenset(
    ("drug", "protein", "family", "class", "effect", "thing", "label", "absent_drug", "condition",
     "absent_protein", "pathway", "reaction", "chemical", "unknown")
)  # fmt: skip
# Words beside a name that say that it is one of a protein, even in lower case.
_PROTEIN_NOUNS = frozenset(
    [
        "receptor",
        "receptors",
        "transporter",
        "transporters",
        "inhibitor",
        "inhibitors",
        "antagonist",
        "antagonists",
        "agonist",
        "agonists",
        "blocker",
        "blockers",
        "channel",
        "channels",
        "kinase",
        "kinases",
        "gene",
        "protein",
        "enzyme",
        "pump",
    ]
)
_ACTS = frozenset(("inhibit", "activate", "bind"))


@dataclass(frozen=True, slots=True)
class Slot:
    """A name at tokens [start, end). `corrected_from`: its spelling, where another was read."""

    start: int
    end: int
    senses: tuple[Sense, ...]
    corrected_from: str | None = None
    context: bool = False

    @property
    def kind(self) -> str:
        """The kind of what is meant first."""
        return self.senses[0].kind

    @property
    def best(self) -> tuple[Sense, ...]:
        """The senses of that kind that fit best: several where the name is shared."""
        first = self.senses[0]
        return tuple(it for it in self.senses if it.kind == first.kind and it.rank == first.rank)

    def read_as(self, *kinds: str) -> Slot | None:
        """The name read as another kind of thing, None where it names none."""
        mine = tuple(it for it in self.senses if it.kind in kinds)
        return replace(self, senses=mine) if mine else None


@dataclass(frozen=True, slots=True)
class Word:
    """A word without a known role."""

    start: int
    end: int
    text: str


Element = Slot | Cue | Word


@dataclass(slots=True)
class Elements:
    """The elements of a question in reading order, and the text they are of."""

    text: str
    tokens: Sequence[Token]
    row: list[Element] = field(default_factory=list)

    @property
    def slots(self) -> list[Slot]:
        """The names."""
        return [it for it in self.row if isinstance(it, Slot)]

    @property
    def cues(self) -> list[Cue]:
        """The cues."""
        return [it for it in self.row if isinstance(it, Cue)]

    @property
    def words(self) -> list[Word]:
        """The words that are neither."""
        return [it for it in self.row if isinstance(it, Word)]

    def written(self, element: Element) -> str:
        """The characters of an element."""
        return self.text[self.tokens[element.start].start : self.tokens[element.end - 1].end]

    def between(self, one: Element, other: Element) -> str:
        """The characters between two elements."""
        return self.text[self.tokens[one.end - 1].end : self.tokens[other.start].start]


def elements_of(text: str, tokens: Sequence[Token], linker: Links, start: int = 0) -> Elements:
    """Names first, then cues in what is left, then single words; of the tokens from `start` on."""
    found = Elements(text, tokens)
    asked = tokens[start:]
    at = start
    for span in linker.link(text, asked, _sure(asked)):
        if _is_cue(asked, span):
            continue
        found.row.extend(_plain(tokens, at, span.start + start))
        found.row.append(Slot(span.start + start, span.end + start, span.senses))
        at = span.end + start
    found.row.extend(_plain(tokens, at, len(tokens)))
    _join_particles(found)
    return found


def _join_particles(elements: Elements) -> None:
    """Read "switches X on" as "switches on X"."""
    row = elements.row
    for at in range(len(row) - 2):
        verb, named, particle = row[at : at + 3]
        words = (elements.tokens[verb.start].text, elements.tokens[particle.start].text)
        between = isinstance(named, Slot) or elements.tokens[named.start].text in {"it", "them", "these"}
        if verb.end != verb.start + 1 or not between or isinstance(verb, Slot) or isinstance(particle, Slot):
            continue
        cue = lexicon().of_words(*words)
        if cue is not None and cue.value("rel") in _ACTS:
            row[at] = Cue(verb.start, verb.end, cue.roles, cue.form)


def _plain(tokens: Sequence[Token], start: int, end: int) -> list[Element]:
    found: list[Element] = []
    part = tokens[:end]
    at = start
    while at < end:
        cue = lexicon().at(part, at)
        if cue is not None:
            found.append(cue)
            at = cue.end
            continue
        after = at + 1
        while after < end and not tokens[after - 1].closes:
            after += 1
        found.append(Word(at, after, "".join(token.text for token in tokens[at:after])))
        at = after
    return found


def _is_cue(tokens: Sequence[Token], span: Span) -> bool:
    """Whether a name is rather a word that says what is asked."""
    cue = lexicon().at(tokens, span.start)
    if cue is not None and cue.end > span.end and span.kind != "drug":
        return True
    if cue is None or span.kind in {"drug", "class", "thing"}:
        return False
    return cue.end == span.end and span.kind != "effect" and len(tokens[span.start].text) > 1


def _sure(tokens: Sequence[Token]) -> frozenset[int]:
    """Places of words that are names although they are ordinary words: "net transporter", "inhibit ret"."""
    found = set()
    for at, token in enumerate(tokens):
        if not token.opens or lexicon().at(tokens, at) is not None:
            continue
        after = at + 1
        while after < len(tokens) and not tokens[after - 1].closes:
            after += 1
        if after < len(tokens) and tokens[after].text in _PROTEIN_NOUNS:
            found.add(at)
        elif at:
            before = lexicon().at(tokens, at - 1)
            if before is not None and before.value("rel") in _ACTS and before.form in {"verb", "gerund"}:
                found.add(at)
    return frozenset(found)
