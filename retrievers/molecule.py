"""Molecules that a question describes: by groups and fragments in words, by names, by a SMILES.

Words are read as `triple` reads them: chemical names by OPSIN, groups by the
vocabulary. A hit is the passage that describes the structure of a drug.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from biomolkg.errors import InvalidMolecule, RequestTimeout
from biomolkg.molecules import parse_smiles
from retrievers.hits import Filters, Result
from retrievers.mentions import Gazetteer
from retrievers.molecules import MoleculeIndex, MoleculeQuery
from retrievers.passage_ranking import Indexes, PassageRanking, Scores
from retrievers.snapshot import Passage, Snapshot
from retrievers.triple.chemistry import ChemicalEvidence, claim_rows
from retrievers.triple.evidence import Rows
from retrievers.triple.words import split_words

# What each kind of evidence counts. A structure that is written or shall be resembled outweighs words.
WEIGHTS = {"fragments": 1.0, "captions": 0.5, "name": 1.0, "similar": 4.0, "contains": 2.0}
MAX_WORDS = 256
NOTHING = "structures: nothing in the question speaks of any structure"
_CARD = "structure"
_CONTAINS_SECONDS = 1.0
_MAX_WRITTEN = 4
_ALIKE = re.compile(r"\b(?:similar|resembl\w*|alike|like|analog\w*|close(?:st)? to|nearest)\b", re.IGNORECASE)
_SMILES = re.compile(r"(?=\S*[=#()\[\]\d])[A-Za-z0-9@+\-\[\]()\\/=#$:.%*]{5,}")
_LEAST_ATOMS = 4

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class MoleculeEvidence:
    """What a question says of E entities' structures.

    fragments, captions: a row a word. name, similar, contains: float64 [E], in
    [0, 1]: how surely an entity is named, the greatest Tanimoto similarity to a
    structure that others shall resemble, whether it contains a written one.
    """

    fragments: Rows
    captions: Rows
    name: Floats
    similar: Floats
    contains: Floats


def molecule_parts(evidence: MoleculeEvidence) -> dict[str, Floats]:
    """The terms of the scores, float64 [E] each; sums over words are divided by the greatest of them."""
    size = len(evidence.name)
    parts = {
        "fragments": _of_best(evidence.fragments.totals(size)),
        "captions": _of_best(evidence.captions.totals(size)),
        "name": evidence.name,
        "similar": evidence.similar,
        "contains": evidence.contains,
    }
    return {name: WEIGHTS[name] * values for name, values in parts.items()}


def molecule_scores(evidence: MoleculeEvidence) -> Floats:
    """float64 [E]: how well each entity's structure is what the question describes; 0 for no evidence."""
    total: Floats = np.sum(list(molecule_parts(evidence).values()), axis=0)
    return total


class MoleculeRetriever:
    """Ranks entities by their structures and shows their passages. Safe to call from threads.

    Ties in score are broken by passage id, as for every retriever of passages.
    """

    name = "molecule"
    returns = "passage"

    def __init__(
        self,
        snapshot: Snapshot,
        chemistry: ChemicalEvidence,
        molecules: MoleculeIndex,
        gazetteer: Gazetteer,
    ) -> None:
        """`chemistry` and `molecules` are of the same snapshot; entities without a passage cannot be hits."""
        self._entities = snapshot.entities
        self._chemistry = chemistry
        self._molecules = molecules
        self._gazetteer = gazetteer
        self._ranking = PassageRanking(snapshot, gazetteer)
        self._has_structure = np.array(
            [molecules.entity(it.id) is not None for it in snapshot.entities], bool
        )
        self._cards = _cards(snapshot.passages, self._has_structure)
        self._entity_of = np.array([passage.entity for passage in snapshot.passages], dtype=np.int64)

    def retrieve(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool = False
    ) -> list[Result]:
        """Rank at most `k` drugs a question. `filters.kinds` does not apply to passages."""
        return [self._answer(question, k=k, filters=filters, explain=explain) for question in questions]

    def scores(self, question: str) -> Floats:
        """float64 [E]: `molecule_scores` of the snapshot's entities, for others to fuse."""
        return molecule_scores(self.read(question)[0])

    def read(self, question: str) -> tuple[MoleculeEvidence, list[str]]:
        """The evidence of one question, and notes on what could not be read."""
        size = len(self._entities)
        written = list(_written(question))
        prose = question
        for smiles in written:
            prose = prose.replace(smiles, " " * len(smiles))
        words = split_words(prose, limit=MAX_WORDS)
        claims, chemistry_ran = self._chemistry.claims(prose, words)
        notes = []
        if not chemistry_ran:
            notes.append("structures: OPSIN cannot run here, so only the lexicon of groups was used")
        name = np.zeros(size)
        for match in self._gazetteer.matches(question):
            for candidate in match.candidates:
                name[candidate.entity] = max(name[candidate.entity], candidate.score)
        name *= self._has_structure
        similar, contains = np.zeros(size), np.zeros(size)
        if _ALIKE.search(question):
            models = [
                *written,
                *(str(self._entities[at].smiles) for at in np.flatnonzero(name)[:_MAX_WRITTEN]),
            ]
            for smiles in models:
                similar = np.maximum(similar, self._over_entities(self._molecules.similarities(smiles)))
        else:
            for smiles in written:
                try:
                    contains = np.maximum(contains, self._containing(smiles))
                except RequestTimeout:
                    notes.append(f"structures: looking for {smiles[:60]} took too long, so it was left out")
        fragments = claim_rows(claims, len(words))
        return MoleculeEvidence(fragments, self._chemistry.captions(words), name, similar, contains), notes

    def _answer(self, question: str, *, k: int, filters: Filters, explain: bool) -> Result:
        evidence, notes = self.read(question)
        parts = molecule_parts(evidence)
        scores = np.zeros(len(self._entity_of))
        scores[self._cards] = np.sum(list(parts.values()), axis=0)[self._entity_of[self._cards]]

        def explained(passages: Indexes) -> Mapping[str, Scores]:
            return {name: values[self._entity_of[passages]] for name, values in parts.items()}

        result = self._ranking.result(
            question,
            scores,
            k=k,
            filters=filters,
            nothing=NOTHING,
            explain=explained if explain else None,
        )
        return Result(result.question, result.hits, result.mentions, (*result.notes, *notes))

    def _containing(self, smiles: str) -> Floats:
        query = MoleculeQuery(substructure=smiles)
        hits = self._molecules.search(query, k=max(1, len(self._molecules)), seconds=_CONTAINS_SECONDS)
        return self._over_entities({hit.entity.id: 1.0 for hit in hits})

    def _over_entities(self, by_id: Mapping[str, float]) -> Floats:
        return np.array([by_id.get(entity.id, 0.0) for entity in self._entities])


def _written(question: str) -> Iterator[str]:
    """What the question writes as SMILES, the first few."""
    found = 0
    for match in _SMILES.finditer(question):
        text = match.group().rstrip(".:")
        try:
            molecule = parse_smiles(text)
        except InvalidMolecule:
            continue
        if molecule.GetNumAtoms() >= _LEAST_ATOMS:
            yield text
            found += 1
        if found == _MAX_WRITTEN:
            return


def _of_best(totals: NDArray[np.float32]) -> Floats:
    best = float(totals.max()) if len(totals) else 0.0
    return totals.astype(np.float64) / best if best else totals.astype(np.float64)


def _cards(passages: Sequence[Passage], has_structure: NDArray[np.bool_]) -> Indexes:
    """The passage by which each entity with a structure is shown: that of its structure, else the first."""
    chosen: dict[int, int] = {}
    for at, passage in enumerate(passages):
        if passage.entity < 0 or not has_structure[passage.entity]:
            continue
        held = chosen.get(passage.entity)
        if held is None or (_is_card(passage) and not _is_card(passages[held])):
            chosen[passage.entity] = at
    return np.array(sorted(chosen.values()), dtype=np.int64)


def _is_card(passage: Passage) -> bool:
    return passage.section == _CARD and passage.position == 0
