"""Which things of a source the graph has already, and how that is known.

Evidence is looked at in the order of its strength, as `graph_loader.identity.evidence`
declares it for the source. What several things fit is left apart, and so is what
something speaks against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from biomolkg.identifiers import sort_of
from graph_loader.claims import holder
from graph_loader.identity.contradictions import contradiction
from graph_loader.identity.evidence import TABLES, Evidence
from graph_loader.identity.names import identity_key, is_telling
from graph_loader.identity.structure import is_tautomer
from graph_loader.identity.taxa import HUMAN
from graph_loader.identity.things import Index, Thing, add, of_row
from graph_loader.ledger import APART

_NAMED = 5  # of several that fit
_CHEBI = "chebi:"
_NAMES = frozenset((Evidence.NAME, Evidence.SYNONYM))


@dataclass(frozen=True, slots=True)
class Match:
    """What a thing is among those of the graph: `target`, or None.

    `reason` is why it was left apart, in words that are fit for counting, `doubt` the same with its case.
    """

    target: str | None
    rank: int = 0
    evidence: str = ""
    reason: str = ""
    doubt: str = ""


class _Clue(NamedTuple):
    """Evidence to look for: things under any of `keys`, and under any of `also` where there are such."""

    evidence: Evidence
    shown: str
    keys: list[str]
    also: tuple[str, ...] = ()


def index_rows(index: Index, rows: Iterable[Mapping[str, Any]], dataset: str) -> None:
    """Put the things of other data sets in an index; what `dataset` holds itself is no other's."""
    for row in rows:
        datasets = row["datasets"] or ()
        if holder([name for name in datasets if name != dataset]) is None or holder(datasets) == dataset:
            continue
        thing = of_row(row)
        if thing is not None:
            add(index, thing)


def once(_: str) -> int:
    """How many things of a source have a name, where that need not be asked."""
    return 1


class Matcher:
    """Recognises things among those of an index by the evidence that a policy allows."""

    def __init__(
        self,
        index: Index,
        policy: tuple[Evidence, ...] = TABLES,
        *,
        named: Callable[[str], int] = once,
    ) -> None:
        """`named`: how many things of the source have a name, by its key."""
        self._index = index
        self._policy = frozenset(policy)
        self._named = named

    def find(self, thing: Thing) -> Match:
        """The thing of the graph that a thing is, by the best evidence there is."""
        against: Match | None = None
        for clue in _clues(thing):
            if clue.evidence not in self._policy:
                continue
            match = self._by(clue, thing)
            if match is None:
                continue
            if match.target is not None or match.reason == APART:
                return match
            against = against or match
        return against or Match(None)

    def _by(self, clue: _Clue, thing: Thing) -> Match | None:
        """What one clue leads to; None when it leads to nothing."""
        evidence = clue.evidence
        found = self._ids(clue.keys)
        if clue.also:
            found &= self._ids(clue.also)
        if not found:
            return None
        if evidence is Evidence.IDENTIFIER:
            return Match(thing.id, 0, f"{evidence.value} {clue.shown}")
        fitting = self._fitting(found, clue, thing)
        return _judged(fitting, clue, several=self._several_named(clue)) if fitting else None

    def _fitting(self, found: Iterable[str], clue: _Clue, thing: Thing) -> dict[str, str]:
        """Those of the same sort, each with what speaks against it."""
        fitting: dict[str, str] = {}
        for one in sorted(found):
            other = self._index.thing_of(one)
            if other is None or other.sort != thing.sort or one == thing.id:
                continue
            tautomer = clue.evidence is Evidence.TAUTOMER
            if tautomer and not _tautomers(thing, other):
                continue
            against = contradiction(thing, other, tautomer=tautomer)
            if not against and clue.evidence is Evidence.SYMBOL and not same_species(thing, other):
                against = "another species"
            fitting[one] = against
        return fitting

    def _several_named(self, clue: _Clue) -> bool:
        """Whether several things of the source have the name that a clue is."""
        return clue.evidence in _NAMES and self._named(clue.keys[0].partition(":")[2]) > 1

    def _ids(self, keys: Iterable[str]) -> set[str]:
        return {one for key in keys for one in self._index.ids_of(key)}


def same_species(one: Thing, other: Thing) -> bool:
    """Whether a symbol means one gene for two things: symbols without a species are taken for human ones."""
    return (one.taxon or HUMAN) == (other.taxon or HUMAN)


def _judged(fitting: Mapping[str, str], clue: _Clue, *, several: bool) -> Match:
    """The one thing that a clue leads to, or why it is none; a name has to be one thing's."""
    evidence = clue.evidence
    shown = f"{evidence.value} {clue.shown}"
    agreeing = [one for one, against in fitting.items() if not against]
    if not agreeing:
        why = next(iter(fitting.values()))
        return Match(None, reason=f"{why}, left apart", doubt=f"{shown} of {_first(fitting)}: {why}")
    if evidence in _NAMES and (len(fitting) > 1 or several):
        return Match(None, reason=APART, doubt=f"{shown} of several: {_first(fitting)}")
    if len(agreeing) > 1:
        return Match(None, reason=APART, doubt=f"{shown} of {_first(agreeing)}")
    return Match(agreeing[0], evidence.rank, shown)


def _first(ids: Iterable[str]) -> str:
    return ", ".join(sorted(ids)[:_NAMED])


def _tautomers(one: Thing, other: Thing) -> bool:
    return bool(one.smiles and other.smiles and is_tautomer(one.smiles, other.smiles))


def _clues(thing: Thing) -> Iterator[_Clue]:
    """What to look for, the strongest evidence first."""
    yield _Clue(Evidence.IDENTIFIER, thing.id, [f"id:{thing.id}"])
    yield from _of_small(thing) if thing.sort == "small" else _of_sequence(thing)


def _of_small(thing: Thing) -> Iterator[_Clue]:
    for key in thing.inchikeys:
        yield _Clue(Evidence.INCHIKEY, key, [f"inchikey:{key}"])
    numbers = [one for one in thing.identifiers if not one.startswith("inchikey:")]
    for one in numbers:
        if not one.startswith(_CHEBI):
            yield _Clue(Evidence.XREF, one, [f"xref:{one}"])
    if thing.id.startswith(_CHEBI):
        yield _Clue(Evidence.MAPPING, thing.id, [f"mapped:{thing.id}"])
    if thing.formula and thing.smiles:
        yield _Clue(Evidence.TAUTOMER, thing.formula, [f"formula:{thing.formula}"])
    yield from _by_names(thing)


def _by_names(thing: Thing) -> Iterator[_Clue]:
    """Names, together with weaker evidence first, and alone at last."""
    names = {key: name for name in reversed(thing.all_names) if (key := identity_key(name))}
    spelt = {key: (f"name:{key}", f"synonym:{key}") for key in reversed(names)}
    both = [
        (Evidence.SKELETON_AND_NAME, block, f"block:{block}")
        for block in dict.fromkeys(key[:14] for key in thing.inchikeys)
    ]
    # ChEBI numbers charged and neutral forms apart, and sources choose differently.
    both += [
        (Evidence.CHEBI_AND_NAME, one, f"xref:{one}") for one in thing.identifiers if one.startswith(_CHEBI)
    ]
    for evidence, shown, found in both:
        for key, keys in spelt.items():
            yield _Clue(evidence, f"{shown}, {names[key]}", [found], keys)
    own = identity_key(thing.name) if thing.name else ""
    if own:
        yield _Clue(Evidence.NAME, names[own], list(spelt[own]) if is_telling(own) else [f"name:{own}"])
    for key, keys in spelt.items():
        if key != own and is_telling(key):
            yield _Clue(Evidence.SYNONYM, names[key], list(keys))


def _of_sequence(thing: Thing) -> Iterator[_Clue]:
    own = [one for one in thing.identifiers if sort_of(one) == thing.sort]
    for one in own:
        yield _Clue(Evidence.ACCESSION, one, [f"xref:{one}"])
    for one in thing.identifiers:
        if one not in own:
            yield _Clue(Evidence.XREF, one, [f"xref:{one}"])
    if thing.symbol:
        keys = [f"gene:{thing.symbol}", f"xref:hgnc.symbol:{thing.symbol}"]
        yield _Clue(Evidence.SYMBOL, thing.symbol, keys)
