"""Fragments to look for in structures: SMARTS or the name of a group, bounded in size and in time."""

from __future__ import annotations

import difflib
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from rdkit import Chem

from biomolkg.errors import InvalidMolecule, NotFound, RequestTimeout
from biomolkg.molecules import MATCHING, Group, group_vocabulary, parse_smarts, silent_rdkit

MAX_SMARTS_CHARS = 400
SUBSTRUCTURE_SECONDS = 5.0
_MAX_ATOMS = 100
_MAX_RECURSIONS = 16
_MAX_NESTING = 3
_MAX_PLACES = 100


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """A fragment as it was asked for: the name of a group or a SMARTS; `query` matches it."""

    name: str
    query: Chem.Mol


class Deadline:
    """Ends a search for substructures after `seconds`, also inside a single comparison of two structures.

    RDKit has no time limit of its own, and a comparison can take longer than the
    age of the universe; but it asks back at each pair of atoms.
    """

    def __init__(self, seconds: float = SUBSTRUCTURE_SECONDS) -> None:
        self._seconds = seconds
        self._end = time.monotonic() + seconds
        self._parameters = Chem.SubstructMatchParameters()
        self._parameters.maxMatches = _MAX_PLACES  # type: ignore[assignment]
        self._parameters.setExtraAtomCheckFunc(self._in_time)

    def places(self, molecule: Chem.Mol, pattern: Pattern) -> tuple[tuple[int, ...], ...]:
        """Where `pattern` is in `molecule`, at most 100 places. Raises RequestTimeout when time is up."""
        if time.monotonic() > self._end:
            raise self._late(pattern)
        try:
            with MATCHING:
                return tuple(molecule.GetSubstructMatches(pattern.query, self._parameters))
        except _OutOfTime as error:
            raise self._late(pattern) from error

    def _in_time(self, _pattern_atom: Chem.Atom, _atom: Chem.Atom) -> bool:
        if time.monotonic() > self._end:
            raise _OutOfTime
        return True

    def _late(self, pattern: Pattern) -> RequestTimeout:
        return RequestTimeout(
            f"Looking for {pattern.name!r} took longer than {self._seconds:g} seconds.",
            remedy="Give a smaller or more specific pattern.",
        )


class _OutOfTime(Exception):
    """Raised through RDKit's matcher to leave it."""


def named_group(name: str) -> Group:
    """The group of the vocabulary that `name` or one of its synonyms is, whatever the case.

    Raises NotFound, with the nearest names, when there is none.
    """
    names = _group_names()
    key = _key(name)
    group = names.get(key) or names.get(key.removesuffix("s"))
    if group is None:
        near = difflib.get_close_matches(key, names, n=3, cutoff=0.6)
        hint = f"Did you mean {', '.join(sorted({names[it].name for it in near}))}?" if near else None
        raise NotFound(f"No group or ring is called {name[:80]!r}.", remedy=hint or "Give a SMARTS instead.")
    return group


def smarts_pattern(text: str, *, max_chars: int = MAX_SMARTS_CHARS) -> Pattern:
    """The pattern that a SMARTS writes, or a SMILES: aromatic rings drawn with double bonds are recognised.

    Raises InvalidMolecule when it cannot be read, is longer than `max_chars`, has
    more than 100 atoms, or has more than 16 recursive parts or 3 inside each other.
    """
    if len(text) > max_chars:
        raise InvalidMolecule(
            f"The SMARTS {text[:60]!r}… has {len(text)} characters, more than the {max_chars} allowed.",
            remedy="Give a smaller pattern.",
        )
    if text.count("$(") > _MAX_RECURSIONS or _nesting(text) > _MAX_NESTING:
        raise InvalidMolecule(
            f"The SMARTS {text[:60]!r} has more than {_MAX_RECURSIONS} recursive parts, "
            f"or more than {_MAX_NESTING} inside each other.",
            remedy="Write the fragment without so many $(…).",
        )
    query = parse_smarts(text, max_chars=max_chars)
    if query.GetNumAtoms() > _MAX_ATOMS:
        raise InvalidMolecule(
            f"The SMARTS {text[:60]!r} has {query.GetNumAtoms()} atoms, more than the {_MAX_ATOMS} allowed.",
            remedy="Give a smaller pattern.",
        )
    return Pattern(text.strip(), _aromatic(text, query))


def _aromatic(text: str, query: Chem.Mol) -> Chem.Mol:
    """`query`, or its fragment with aromatic rings where `text` is a SMILES that has them in Kekulé form.

    As a SMARTS C1=CC=CC=C1 means aliphatic atoms, which no benzene ring has.
    """
    if any(atom.GetIsAromatic() for atom in query.GetAtoms()):
        return query
    with silent_rdkit():
        molecule = Chem.MolFromSmiles(text.strip())
    if molecule is None or not any(atom.GetIsAromatic() for atom in molecule.GetAtoms()):
        return query
    return Chem.MolFromSmarts(Chem.MolToSmarts(molecule))


def group_pattern(name: str) -> Pattern:
    """The pattern of a group of the vocabulary. Raises NotFound as `named_group` does."""
    group = named_group(name)
    return Pattern(group.name, parse_smarts(group.smarts))


def read_pattern(text: str, *, max_chars: int = MAX_SMARTS_CHARS) -> Pattern:
    """The pattern that `text` names as a group, else writes as a SMARTS. Raises InvalidMolecule."""
    if len(text) <= max_chars and text.strip():
        group = _group_names().get(_key(text))
        if group is not None:
            return Pattern(group.name, parse_smarts(group.smarts))
    return smarts_pattern(text, max_chars=max_chars)


def _nesting(text: str) -> int:
    """How many recursive parts are inside each other at most."""
    open_parts: list[bool] = []
    deepest = 0
    for at, char in enumerate(text):
        if char == "(":
            open_parts.append(at > 0 and text[at - 1] == "$")
            deepest = max(deepest, sum(open_parts))
        elif char == ")" and open_parts:
            open_parts.pop()
    return deepest


def _key(name: str) -> str:
    return " ".join(name.casefold().split())


@lru_cache(maxsize=1)
def _group_names() -> dict[str, Group]:
    """Names before synonyms: a synonym never hides the group that bears the name itself."""
    groups: Sequence[Group] = group_vocabulary()
    names = {_key(group.name): group for group in groups}
    for group in groups:
        for synonym in group.synonyms:
            if synonym.strip():
                names.setdefault(_key(synonym), group)
    return names
