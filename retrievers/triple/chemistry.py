"""What chemical words of a question say of each structure: names read by OPSIN, and a lexicon of groups."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from biomolkg.errors import InvalidMolecule
from biomolkg.molecules import find_groups, group_vocabulary, parse_smiles
from biomolkg.names import name_words
from retrievers.snapshot import Entity
from retrievers.triple.evidence import Floats, Indexes, Rows
from retrievers.triple.fragments import ISOMER, NOTHING, Found, Structures
from retrievers.triple.lexical import TermIndex
from retrievers.triple.opsin import Opsin
from retrievers.triple.phrases import Phrase, find_phrases, spellings
from retrievers.triple.words import FUNCTION_WORDS, Word, stem

SUM_SHARE = 0.2
BREADTH = 0.3
TOO_FEW = 0.5
_NONE = (np.zeros(0, np.int32), np.zeros(0, np.float32))


@dataclass(frozen=True, slots=True, eq=False)
class Claim:
    """A phrase read as a fragment: the units it covers and the weight it gives each entity that has it."""

    units: tuple[int, ...]
    entities: Indexes
    weights: Floats


class ChemicalEvidence:
    """Reads questions against the structures of a snapshot. Safe to share between threads."""

    def __init__(self, entities: Sequence[Entity], opsin: Opsin) -> None:
        self._opsin = opsin
        self._listed = lru_cache(maxsize=50_000)(self._find_listed)
        self.size = len(entities)
        holders, molecules, groups = [], [], []
        for index, entity in enumerate(entities):
            if not entity.smiles:
                continue
            try:
                molecule = parse_smiles(entity.smiles)
            except InvalidMolecule:
                continue
            holders.append(index)
            molecules.append(molecule)
            groups.append(dict(entity.groups) or find_groups(molecule))
        self._holders = np.array(holders, dtype=np.int32)
        self._structures = Structures(molecules)
        self._groups = _with_near(_group_matches(groups))
        self._breadth = _breadth([len(found) for found in groups])
        self._lexicon = _lexicon()
        captions: list[list[str]] = [[] for _ in entities]
        words = {group.name: _caption(group.name, group.synonyms) for group in group_vocabulary()}
        for holder, found in zip(holders, groups, strict=True):
            captions[holder] = [word for name in found for word in words.get(name, ())]
        self._captions = TermIndex(captions, k1=0.4, b=0.3)

    def captions(self, words: Sequence[Word]) -> Rows:
        """Words of group and ring names against the groups and rings that each structure has."""
        return self._captions.rows(word.stem if word.counts else None for word in words)

    def claims(self, question: str, words: Sequence[Word]) -> tuple[list[Claim], bool]:
        """Each phrase that names a fragment some structure has, and whether OPSIN could be asked."""
        if not len(self._structures):
            return [], True
        phrases = [phrase for phrase in find_phrases(question, words) if _may_name(phrase)]
        forms = {phrase.text: _forms(phrase.text) for phrase in phrases}
        listed = {text: self._listed(options) for text, options in forms.items()}
        unknown = [form for text, options in forms.items() if not listed[text] for form in options]
        named = self._opsin.read(unknown)
        claims = []
        for phrase in phrases:
            for found in listed[phrase.text] or self._read(forms[phrase.text], named):
                claim = self._claim(phrase, found)
                if claim is not None:
                    claims.append(claim)
                    break
        return claims, self._opsin.available

    def _find_listed(self, forms: tuple[str, ...]) -> list[Found]:
        """The groups of the vocabulary that the first known of `forms` names."""
        for form in forms:
            names = self._lexicon.get(_key(form))
            if names:
                return [self._groups[name] for name in names if name in self._groups]
        return []

    def _read(self, forms: Iterable[str], named: Mapping[str, str | None]) -> Iterable[Found]:
        for form in forms:
            smiles = named.get(form)
            if smiles:
                yield self._structures.search(smiles)

    def _claim(self, phrase: Phrase, found: Found) -> Claim | None:
        if not len(found.molecules):
            return None
        holders = float(found.quality.sum())
        rarity = math.log1p((len(self._structures) - holders + 0.5) / (holders + 0.5))
        enough = np.where(found.counts >= phrase.count, 1.0, TOO_FEW)
        weights = rarity / len(phrase.units) * found.quality * enough / self._breadth[found.molecules]
        return Claim(phrase.units, self._holders[found.molecules], weights.astype(np.float32))


def claim_rows(claims: Sequence[Claim], units: int) -> Rows:
    """X[w, e] = the best claim on unit w for e, plus a fifth of the sum of all."""
    if not claims:
        return Rows.of([_NONE] * units)
    said = [(claim, unit) for claim in claims for unit in claim.units]
    lengths = [len(claim.entities) for claim, _ in said]
    of_unit = np.repeat(np.array([unit for _, unit in said], dtype=np.int64), lengths)
    entities = np.concatenate([claim.entities for claim, _ in said])
    weights = np.concatenate([claim.weights for claim, _ in said])
    order = np.lexsort((entities, of_unit))
    of_unit, entities, weights = of_unit[order], entities[order], weights[order]
    firsts = np.flatnonzero((np.diff(of_unit, prepend=-1) != 0) | (np.diff(entities, prepend=-1) != 0))
    best = np.maximum.reduceat(weights, firsts)
    total = np.add.reduceat(weights, firsts)
    starts = np.searchsorted(of_unit[firsts], np.arange(units + 1)).astype(np.int64)
    return Rows(starts, entities[firsts], (best + SUM_SHARE * total).astype(np.float32))


def _may_name(phrase: Phrase) -> bool:
    return any(char.isalpha() for char in phrase.text) and phrase.text not in FUNCTION_WORDS


@lru_cache(maxsize=50_000)
def _forms(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(spellings(text)))


@lru_cache(maxsize=50_000)
def _key(text: str) -> str:
    words = name_words(text)
    return " ".join([*words[:-1], stem(words[-1])]) if words else ""


def _caption(name: str, synonyms: Sequence[str]) -> list[str]:
    return list({stem(word) for text in (name, *synonyms[:3]) for word in name_words(text)} - FUNCTION_WORDS)


def _lexicon() -> dict[str, list[str]]:
    """Spelling -> names of groups. A group's own name outranks the same word as a synonym of another."""
    own = {_key(group.name): [group.name] for group in group_vocabulary()}
    lexicon = dict(own)
    for group in group_vocabulary():
        for synonym in group.synonyms:
            key = _key(synonym)
            if key not in own:
                lexicon.setdefault(key, []).append(group.name)
    return lexicon


def _breadth(kinds: Sequence[int]) -> Floats:
    """A molecule with many kinds of group meets any description more easily; BM25's length norm for it."""
    counts = np.array(kinds, dtype=np.float32)
    mean = float(counts.mean()) if len(counts) else 1.0
    return (1 - BREADTH + BREADTH * counts / max(mean, 1.0)).astype(np.float32)


def _group_matches(groups: Sequence[Mapping[str, int]]) -> dict[str, Found]:
    holders: dict[str, list[int]] = {}
    for index, found in enumerate(groups):
        for name in found:
            holders.setdefault(name, []).append(index)
    return {
        name: Found(
            np.array(indexes, dtype=np.int32),
            np.ones(len(indexes), dtype=np.float32),
            np.array([groups[index][name] for index in indexes], dtype=np.int32),
        )
        for name, indexes in holders.items()
    }


def _with_near(found: Mapping[str, Found]) -> dict[str, Found]:
    """Structures that have only the near entry of a group almost have the group itself."""
    merged = dict(found)
    for group in group_vocabulary():
        frames = found.get(group.near or "")
        if frames is None:
            continue
        own = found.get(group.name, NOTHING)
        rest = ~np.isin(frames.molecules, own.molecules)
        merged[group.name] = Found(
            np.concatenate([own.molecules, frames.molecules[rest]]),
            np.concatenate([own.quality, np.full(int(rest.sum()), ISOMER, np.float32)]),
            np.concatenate([own.counts, frames.counts[rest]]),
        )
    return merged
