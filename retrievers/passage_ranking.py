"""What every retriever of passages does with their scores: filter, cut, order, and say why nothing came."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from biomolkg.names import name_key
from retrievers.evidence_types import PASSAGE, evidence_type
from retrievers.hits import Filters, Hit, PassageHit, Result
from retrievers.label_topics import asking_words
from retrievers.mentions import Gazetteer
from retrievers.score_order import strictly_decreasing
from retrievers.snapshot import Entity, Passage, Snapshot
from retrievers.triple.evidence import top_candidates

T = TypeVar("T")
Scores = NDArray[np.float64]
Indexes = NDArray[np.int64]
Explain = Callable[[Indexes], Mapping[str, Scores]]


def best_passages(scores: Scores, allowed: Indexes, k: int) -> Indexes:
    """The `k` of `allowed` with the highest scores, best first; what scores nothing is left out.

    scores: float64 [P]; allowed: int64 [n], indexes into it. Equal scores keep the order of `allowed`.
    """
    found = np.flatnonzero(scores[allowed] > 0)
    values = scores[allowed]
    places = found[top_candidates(values[found], k)]
    return allowed[places[np.lexsort((places, -values[places]))]]


class PassageRanking:
    """The passages of a snapshot, ready to be ranked by any scores. Safe to call from threads.

    Ties in score are broken by passage id; of equal scores each later one is
    lowered by the least amount, shown as the part `tie`.
    """

    def __init__(self, snapshot: Snapshot, gazetteer: Gazetteer) -> None:
        """`gazetteer` finds the mentions that results carry; they do not change the ranking."""
        self._snapshot = snapshot
        self._gazetteer = gazetteer
        ids = [passage.id for passage in snapshot.passages]
        self._by_id: Indexes = np.array(sorted(range(len(ids)), key=ids.__getitem__), dtype=np.int64)
        self._allowed = lru_cache(maxsize=64)(self._find_allowed)

    def result(
        self,
        question: str,
        scores: Scores | None,
        *,
        k: int,
        filters: Filters,
        nothing: str,
        explain: Explain | None = None,
    ) -> Result:
        """The best `k` passages by `scores`.

        scores: float64 [P], None when the question says nothing that could be scored.
        nothing: the note for a question that no allowed passage scores for.
        explain: the terms of the scores of the passages it is given, by name.
        """
        mentions = self._gazetteer.find(question)
        notes = ["kinds: passages have none, so this filter changed nothing"] if filters.kinds else []
        allowed = self._allowed(filters.sources, filters.entities, filters.evidence)
        if not len(self._by_id):
            notes.append("passages: the graph has none")
        elif not len(allowed):
            notes.append("filters: no passage of the graph passes them")
        elif scores is None:
            notes.append("words: the question has no word that could speak of anything")
        else:
            if filters.per_entity is None:
                best = best_passages(scores, allowed, k)
            else:
                best = self._limited(best_passages(scores, allowed, len(allowed)), k, filters.per_entity)
            if not len(best):
                notes.append(nothing)
            return Result(question, self._hits(best, scores[best], explain), mentions, tuple(notes))
        return Result(question, (), mentions, tuple(notes))

    def _limited(self, ranked: Indexes, k: int, per_entity: int) -> Indexes:
        """The first `k` of the passages, of each entity at most so many."""
        kept = limited(ranked.tolist(), per_entity, key=lambda at: described(passage_hit(self._snapshot, at)))
        return np.array(list(islice(kept, k)), dtype=np.int64)

    def _find_allowed(
        self, sources: frozenset[str], entities: frozenset[str], evidence: frozenset[str]
    ) -> Indexes:
        """Indexes of the passages that pass, in the order of their ids."""
        snapshot = self._snapshot
        passes = np.ones(len(snapshot.passages), dtype=bool)
        if sources:
            prefixes = tuple(sources)
            passes &= np.array([passage.source.startswith(prefixes) for passage in snapshot.passages], bool)
        if evidence:
            passes &= np.array(
                [evidence_type(PASSAGE, passage.source) in evidence for passage in snapshot.passages], bool
            )
        if entities:
            listed = {at for at, entity in enumerate(snapshot.entities) if entity.id in entities}
            passes &= np.array(
                [
                    passage.entity in listed or not entities.isdisjoint(passage.drugs)
                    for passage in snapshot.passages
                ],
                dtype=bool,
            )
        return self._by_id[passes[self._by_id]]

    def _hits(self, passages: Indexes, scores: Scores, explain: Explain | None) -> list[Hit]:
        shown = strictly_decreasing(scores)
        terms = {} if explain is None else explain(passages)
        hits: list[Hit] = []
        for at, passage in enumerate(passages.tolist()):
            parts = None
            if explain is not None:
                parts = {name: float(values[at]) for name, values in terms.items() if values[at]}
                if shown[at] != scores[at]:
                    parts["tie"] = float(shown[at] - scores[at])
            hits.append(
                Hit(
                    rank=at + 1,
                    score=float(shown[at]),
                    source=self._snapshot.passages[passage].source,
                    passage=passage_hit(self._snapshot, passage),
                    parts=parts,
                )
            )
        return hits


def limited(items: Iterable[T], per_entity: int | None, *, key: Callable[[T], Sequence[str]]) -> Iterator[T]:
    """The items in their order, of each entity that `key` gives at most `per_entity`; "" is no entity."""
    counts: Counter[str] = Counter()
    for item in items:
        entities = [entity for entity in key(item) if entity]
        if per_entity is None or all(counts[entity] < per_entity for entity in entities):
            counts.update(entities)
            yield item


def described(passage: PassageHit | None) -> tuple[str, ...]:
    """What a passage is of: ids of its entity or its label's drugs, else its label's; () for none."""
    if passage is None:
        return ()
    if passage.entity is not None:
        return (passage.entity.id,)
    return tuple(drug.id for drug in passage.drugs) or (passage.label or "",)


def passage_hit(snapshot: Snapshot, index: int) -> PassageHit:
    """The passage with that index as a hit shows it."""
    passage = snapshot.passages[index]
    entity = snapshot.entities[passage.entity] if passage.entity >= 0 else None
    return PassageHit(
        id=passage.id,
        text=passage.text,
        title=passage.title,
        section=passage.section,
        entity=None if entity is None else entity.reference,
        label=passage.label,
        product=passage.product,
        drugs=tuple(drug.reference for drug in drugs_of(snapshot, passage)),
        section_title=passage.section_title,
        topic=passage.topic,
        boxed=passage.boxed,
        effective=passage.effective,
    )


def drugs_of(snapshot: Snapshot, passage: Passage) -> list[Entity]:
    """The drugs that a passage's label is about, ordered by id; entities of a snapshot are, too."""
    found = []
    for drug in passage.drugs:
        at = bisect_left(snapshot.entities, drug, key=_id)
        if at < len(snapshot.entities) and snapshot.entities[at].id == drug:
            found.append(snapshot.entities[at])
    return found


def passage_text(snapshot: Snapshot, index: int) -> str:
    """What a passage says: its title, the name of its entity unless that is the title, its text.

    A passage of a drug label is found by every name of its products, substances and drugs, by the
    topic that its section's code stands for, and by what asks for such a section.
    """
    passage = snapshot.passages[index]
    name = snapshot.entities[passage.entity].name if passage.entity >= 0 else ""
    heading: list[str] = [passage.title] if passage.title == name else [passage.title, name]
    if passage.label is not None:
        drugs = drugs_of(snapshot, passage)
        called = (*passage.names, *(name for drug in drugs for name in (drug.preferred_name, drug.name)))
        heading += {name_key(each): each for each in called}.values()
        if passage.topic and name_key(passage.topic) not in name_key(passage.title):
            heading.append(passage.topic)
        heading.append(asking_words(passage.section))
    return "\n".join(part for part in (*heading, passage.text) if part)


def _id(entity: Entity) -> str:
    return entity.id
