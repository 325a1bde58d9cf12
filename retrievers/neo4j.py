"""The Neo4j triple retriever: recognise entities, match relations, rank triples, all in the database.

The pipeline is that of the BioMol-MQA paper (entity recognition, relation
match on MiniLM embeddings, top-k triples). The paper walks from recognised
names only and ranks by the relation; here every word of the question is
looked up in the full-text indexes as well, so that entities which are
described instead of named are found, and a triple is scored as a whole: each
word is spent on the end that it fits better. `variant="paper"` is the
published method. docs/neo4j-retriever.md walks through the statements.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder import SentenceEncoder, TokenStates
from biomolkg.names import name_key
from biomolkg.settings import Settings
from cypher.client import Client
from retrievers.asked import Asked, AskedRelations
from retrievers.entities import quoted
from retrievers.group_words import group_phrases
from retrievers.hits import (
    TRIPLE_KINDS,
    EntityRef,
    Filters,
    Hit,
    Mention,
    Result,
    TripleHit,
    entity_ref,
)
from retrievers.neo4j_reactome import reactome_rows
from retrievers.question_words import QuestionWords, question_words
from retrievers.reactome_snapshot import KIND as REACTOME
from retrievers.snapshot import Relation

Variant = Literal["words", "paper"]
Row = Mapping[str, Any]
_SHOWN = ("id", "name", "labels", "preferred_name", "synonyms")

_DEPTH = 100  # passages a word may find
_COMMON = 2_000  # groups that more drugs have say too little to be looked at
_NAME_WEIGHT = 0.5
_GROUP_WEIGHT = 2.0
_MENTION_WEIGHT = 20.0
_RELATION_WEIGHT = 2.0
# The other parts of a score come to 8 at most. What is asked of a name counts for more than what is near;
# a triple that joins two names, by synonyms even, for more than all of them.
_ASKED_WEIGHT = 3.0
_JOINED_WEIGHT = 16.0
_NEAR_RELATIONS, _NEAR_TO_PART = 100, 20
_AROUND = 40
_KNOWN = 400
_CANDIDATES = 200


class FindsNames(Protocol):
    """What finds the entities that a text names: the gazetteer, alone or with a tagger."""

    def find(self, text: str) -> list[Mention]:
        """The names in `text`, in reading order."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class _Evidence:
    """What the words of a question say of entities: float32 [entities, places], best entity first."""

    ids: tuple[str, ...]
    scores: NDArray[np.float32]

    def parameters(self) -> dict[str, dict[str, Any]]:
        """By entity id, the score of each place, the sums up to it, and the total."""
        sums = np.cumsum(self.scores, axis=1)
        return {
            id_: {"words": words, "sums": up_to, "total": total}
            for id_, words, up_to, total in zip(
                self.ids, self.scores.tolist(), sums.tolist(), sums[:, -1].tolist(), strict=True
            )
        }


class Neo4jRetriever:
    """Ranks triples by Cypher statements. Safe to call from threads."""

    name = "neo4j"
    returns = "triple"

    def __init__(
        self,
        client: Client,
        encoder: SentenceEncoder,
        names: FindsNames,
        relations: Sequence[Relation],
        settings: Settings,
        *,
        variant: Variant | None = None,
    ) -> None:
        """`relations`: those of the graph. `variant`: `words` or `paper`; default: that of the settings."""
        self._client = client
        self._encoder = encoder
        self._names = names
        self._asked = AskedRelations(relations)
        self._workers = settings.neo4j_concurrency
        self._max_words = settings.max_question_words
        self._variant = variant or settings.neo4j_variant

    @property
    def published(self) -> bool:
        """Whether it is the published method, which reads no questions."""
        return self._variant == "paper"

    def with_names(self, names: FindsNames) -> Neo4jRetriever:
        """The same retriever with other means to find names."""
        other = copy.copy(self)
        other._names = names
        return other

    def retrieve(
        self, questions: Sequence[str], *, k: int, filters: Filters, explain: bool = False
    ) -> list[Result]:
        """Rank at most `k` triples a question. Raises DatabaseError when Neo4j does not answer."""
        cut = [question_words(question) for question in questions]
        wholes, states = self._encoder.encode_questions([words.text for words in cut])
        jobs = [
            (question, words, np.vstack([whole, *_part_vectors(words, tokens)]))
            for question, words, whole, tokens in zip(questions, cut, wholes, states, strict=True)
        ]

        def work(job: tuple[str, QuestionWords, NDArray[np.float32]]) -> Result:
            return self._one(*job, k=k, filters=filters, explain=explain)

        if len(jobs) == 1:
            return [work(jobs[0])]
        with ThreadPoolExecutor(max_workers=max(1, min(self._workers, len(jobs)))) as pool:
            return list(pool.map(work, jobs))

    def _one(
        self,
        question: str,
        words: QuestionWords,
        vectors: NDArray[np.float32],
        *,
        k: int,
        filters: Filters,
        explain: bool,
    ) -> Result:
        mentions = self._names.find(question)
        rows: list[Row] = []
        notes: list[str] = []
        others = replace(filters, kinds=filters.kinds - {REACTOME})
        if filters.kinds and not others.kinds:
            pass
        elif self._variant == "paper":
            rows, notes = self._paper(vectors[0], mentions, k, others)
        else:
            rows, notes = self._words(
                words,
                vectors,
                mentions,
                self._asked.read(question, mentions, limit=self._max_words),
                k,
                others,
            )
        if REACTOME in filters.kinds and REACTOME in filters.allowed_kinds():
            rows = _best([*rows, *reactome_rows(self._client, words, vectors[0], filters, k)], k)
            if not rows:
                notes.append("no triple of Reactome has a name with a word of the question")
        return Result(question, _hits(rows, explain=explain), mentions, notes)

    def _paper(
        self, vector: NDArray[np.float32], mentions: Sequence[Mention], k: int, filters: Filters
    ) -> tuple[list[Row], list[str]]:
        around = sorted({mention.entity.id for mention in mentions})
        if not around:
            return [], ["no entity is named in the question"]
        rows = self._client.read(
            "retrieve/paper",
            vector=vector.tolist(),
            depth=_NEAR_RELATIONS,
            around=around,
            k=k,
            **_filter_parameters(filters),
        )
        return list(rows), [] if rows else ["no triple of the named entities passes the filters"]

    def _words(
        self,
        words: QuestionWords,
        vectors: NDArray[np.float32],
        mentions: Sequence[Mention],
        asked: Asked,
        k: int,
        filters: Filters,
    ) -> tuple[list[Row], list[str]]:
        if not words.words:
            return [], ["the question has no word"]
        evidence = self._evidence(words, mentions)
        relations, named = self._relations(words, vectors)
        notes = [] if evidence.ids else ["no word of the question speaks of an entity"]
        around = sorted(filters.entities or {*asked.entities, *evidence.ids[:_AROUND]})
        rows = self._client.read(
            "retrieve/triples",
            around=around,
            named=named,
            evidence=evidence.parameters(),
            nothing={"words": [0.0] * len(words.words), "sums": [0.0] * len(words.words), "total": 0.0},
            relations=relations,
            mentioned=asked.entities,
            asked=asked.relations,
            asked_weight=_ASKED_WEIGHT,
            joined_weight=_JOINED_WEIGHT,
            places=list(range(len(words.words))),
            candidates=max(_CANDIDATES, k),
            k=k,
            **_filter_parameters(filters),
        )
        if not rows:
            notes.append("no triple around the entities found passes the filters")
        return list(rows), notes

    def _evidence(self, words: QuestionWords, mentions: Sequence[Mention]) -> _Evidence:
        """What each word says of each entity, divided by the most that all say of one."""
        rows = self._client.read(
            "retrieve/evidence",
            terms=[asdict(term) for term in words.terms(self._max_words)],
            groups=[
                {
                    "query": quoted(phrase.name),
                    "places": list(range(phrase.start, phrase.end)),
                    "weight": phrase.weight / (phrase.end - phrase.start),
                }
                for phrase in group_phrases([word.text for word in words.words[: self._max_words]])
            ],
            depth=_DEPTH,
            common=_COMMON,
            name_weight=_NAME_WEIGHT,
            group_weight=_GROUP_WEIGHT,
        )
        index = {row["id"]: at for at, row in enumerate(rows)}
        for mention in mentions:
            index.setdefault(mention.entity.id, len(index))
        scores = np.zeros((len(index), len(words.words)), dtype=np.float32)
        for at, row in enumerate(rows):
            scores[at, row["places"]] = row["scores"]
        for mention in mentions:
            places = words.places(mention.start, mention.end)
            scores[index[mention.entity.id], places] += _MENTION_WEIGHT * mention.score / max(1, len(places))
        totals = scores.sum(axis=1)
        ids = list(index)
        best = sorted(range(len(ids)), key=lambda at: (-totals[at], ids[at]))[:_KNOWN]
        if best:
            scores /= totals[best[0]]
        return _Evidence(tuple(ids[at] for at in best), scores[best])

    def _relations(
        self, words: QuestionWords, vectors: NDArray[np.float32]
    ) -> tuple[dict[str, dict[str, float]], dict[str, list[str]]]:
        """The score of each relation by kind and name, and the names that the question contains."""
        rows = self._client.read(
            "retrieve/relations",
            vectors=vectors.tolist(),
            depth=_NEAR_RELATIONS,
            part_depth=_NEAR_TO_PART,
        )
        whole = {(row["kind"], row["name"]): row["cosine"] for row in rows if row["part"] == 0}
        part: dict[tuple[str, str], float] = {}
        for row in rows:
            if row["part"] > 0:
                key = (row["kind"], row["name"])
                part[key] = max(part.get(key, -1.0), row["cosine"])
        spoken = f" {name_key(words.text)} "
        # What an index did not return is no nearer than the last that it did.
        far = min(whole.values(), default=0.0)
        relations: dict[str, dict[str, float]] = {kind: {} for kind in TRIPLE_KINDS}
        named: dict[str, list[str]] = {kind: [] for kind in TRIPLE_KINDS}
        for kind, name in sorted(whole.keys() | part.keys()):
            key = (kind, name)
            score = _RELATION_WEIGHT * (whole.get(key, far) + max(0.0, part.get(key, 0.0)))
            relations.setdefault(kind, {})[name] = score
            if f" {name_key(name)} " in spoken:
                named.setdefault(kind, []).append(name)
        return relations, named


def _best(rows: Sequence[Row], k: int) -> list[Row]:
    """The `k` best of rows from several statements."""
    return sorted(rows, key=lambda row: (-row["score"], row["head_id"], row["relation"], row["tail_id"]))[:k]


def _part_vectors(words: QuestionWords, tokens: TokenStates) -> list[NDArray[np.float32]]:
    """The mean token vector of each part of the question, of unit length: one pass of the encoder for all."""
    vectors: list[NDArray[np.float32]] = []
    for start, end in words.parts():
        inside = (tokens.offsets[:, 0] >= start) & (tokens.offsets[:, 1] <= end)
        if inside.any():
            mean = tokens.states[inside].mean(axis=0)
            vectors.append(mean / max(float(np.linalg.norm(mean)), 1e-12))
    return vectors


def _filter_parameters(filters: Filters) -> dict[str, list[str]]:
    return {
        "kinds": sorted(filters.allowed_kinds()),
        "evidence_types": sorted(filters.evidence),
        "sources": sorted(filters.sources),
        "entities": sorted(filters.entities),
    }


def _hits(rows: Sequence[Row], *, explain: bool) -> list[Hit]:
    hits: list[Hit] = []
    above = math.inf
    for rank, row in enumerate(rows, start=1):
        # Equal scores are ordered by id in the database; the score says so too.
        above = min(float(row["score"]), math.nextafter(above, -math.inf))
        parts = {
            name: float(row[name]) for name in ("pair", "split", "related", "asked", "joined") if name in row
        }
        hits.append(
            Hit(
                rank=rank,
                score=above,
                source=row["source"],
                triple=TripleHit(
                    head=_entity(row, "head"),
                    relation=row["relation"],
                    tail=_entity(row, "tail"),
                    kind=row["kind"],
                ),
                parts=parts if explain else None,
            )
        )
    return hits


def _entity(row: Row, end: str) -> EntityRef:
    return entity_ref({part: row[f"{end}_{part}"] for part in _SHOWN})
