"""Questions made from the graph, for training where nobody has asked any yet.

A path of one to three facts is drawn, its entities are described as people describe
them - by name or synonym, by a sentence of their texts without the name, or by groups
of their structures - and put into sentences of our own. Such questions teach a ranker
how kinds of evidence go together; they are easier than people's questions.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from biomolkg.errors import NotReady
from biomolkg.molecules import group_vocabulary
from retrievers.hits import DEFAULT_TRIPLE_KINDS
from retrievers.snapshot import Entity, Snapshot
from retrievers.training_questions import TrainingQuestion, TrainingSet

QUESTIONS = 1_200
_HOPS = (0.7, 0.15, 0.15)
_MOLECULAR = "MOLECULAR"
_BY_NAME = 0.25
_SENTENCE_WORDS = (5, 16)

_NOUNS = {"Drug": "drug", "Protein": "protein", "Chemical": "compound"}
_ASKED = {
    "DDI": (
        "Which {noun}, {described}, is known to cause {relation} when taken together with {other}?",
        "What {noun} can lead to {relation} in patients who also take {other}, given that it is {described}?",
        "When {other} is combined with {described}, {relation} may occur: which {noun} is the latter?",
    ),
    "DPI": (
        "Which {noun}, {described}, takes part in {relation} with {other}?",
        "What {noun} shows {relation} towards {other}, being {described}?",
    ),
    _MOLECULAR: (
        "Which molecule, {described}, forms {relation} with {other}?",
        "Between {described} and {other} there is {relation}: which compound is the former?",
        "What compound shows {relation} with {other} and is {described}?",
    ),
    "": (
        "Which {noun}, {described}, is connected by {relation} with {other}?",
        "What {noun} stands in the relation {relation} to {other}, being {described}?",
    ),
}
_LINKS = (
    ", which itself is linked by {relation} with {other}",
    ", the latter being connected through {relation} to {other}",
)


def make_questions(snapshot: Snapshot, *, count: int = QUESTIONS, seed: int = 0) -> TrainingSet:
    """At most `count` questions, the same for the same snapshot and seed; no triple is asked twice.

    Raises NotReady for a graph without triples.
    """
    allowed = [relation.kind in DEFAULT_TRIPLE_KINDS for relation in snapshot.relations]
    pool = np.flatnonzero(np.array(allowed, dtype=bool)[snapshot.relation_of])
    if not len(pool):
        raise NotReady(
            "No questions can be made from the graph: it has no triples.",
            remedy="Load one with `biomolkg load`.",
        )
    random = np.random.default_rng(seed)
    writer = Writer(snapshot, random)
    questions = dict.fromkeys(writer.ask(int(triple)) for triple in _draw(snapshot, pool, count, random))
    return TrainingSet(f"made from the graph, {len(questions)} questions", tuple(questions))


def _draw(
    snapshot: Snapshot, pool: NDArray[np.int64], count: int, random: np.random.Generator
) -> list[np.int64]:
    """Triples of each kind in equal shares, as far as there are any."""
    kinds = np.array([relation.kind for relation in snapshot.relations])[snapshot.relation_of[pool]]
    queues = [random.permutation(pool[kinds == kind]) for kind in np.unique(kinds)]
    rounds = max(len(queue) for queue in queues)
    turns = [queue[turn] for turn in range(rounds) for queue in queues if turn < len(queue)]
    return turns[:count]


class Writer:
    """Puts paths of one snapshot into words."""

    def __init__(self, snapshot: Snapshot, random: np.random.Generator) -> None:
        self._snapshot, self._random = snapshot, random
        self._into: dict[int, list[int]] = {}
        for triple, tail in enumerate(snapshot.tails):
            self._into.setdefault(int(tail), []).append(triple)
        self._sentences: dict[int, list[str]] = {}
        for passage in snapshot.passages:
            if passage.entity >= 0 and not passage.composed:
                entity = snapshot.entities[passage.entity]
                found = _sentences(passage.text, entity)
                self._sentences.setdefault(passage.entity, []).extend(found)
        self._groups = _spoken_groups()

    def ask(self, last: int) -> TrainingQuestion:
        """A question of a path that ends with this triple."""
        snapshot, random = self._snapshot, self._random
        path = self._path(last, 1 + int(random.choice(len(_HOPS), p=_HOPS)))
        kind = snapshot.relations[snapshot.relation_of[last]].kind
        head, tail = int(snapshot.heads[last]), int(snapshot.tails[last])
        # A question of several hops asks for where the path ends.
        asked, other = (tail, head) if len(path) > 1 or random.random() < 0.5 else (head, tail)
        templates = _ASKED.get(kind, _ASKED[""])
        text = templates[int(random.integers(len(templates)))].format(
            noun=_NOUNS.get(snapshot.entities[asked].label, "entity"),
            described=self._describe(asked, kind),
            relation=self._relation(last),
            other=self._describe(other, kind) + self._links(path[:-1], kind),
        )
        return TrainingQuestion(text, tuple(self._named(triple) for triple in path))

    def mixed(self, triple: int, *, structure_first: bool) -> str | None:
        """A question of one triple that describes one end by its text, one by its structure; None without."""
        snapshot, random = self._snapshot, self._random
        kind = snapshot.relations[snapshot.relation_of[triple]].kind
        head, tail = int(snapshot.heads[triple]), int(snapshot.tails[triple])
        built, told = (head, tail) if random.random() < 0.5 else (tail, head)
        known = [group for group in snapshot.entities[built].groups if group in self._groups]
        sentences = self._sentences.get(told)
        if head == tail or len(known) < 2 or not sentences:
            return None
        structure = self._structure(snapshot.entities[built], known)
        text = sentences[int(random.integers(len(sentences)))]
        described, other = (structure, text) if structure_first else (text, structure)
        templates = _ASKED.get(kind, _ASKED[""])
        return templates[int(random.integers(len(templates)))].format(
            noun="drug", described=described, relation=self._relation(triple), other=other
        )

    def _path(self, last: int, hops: int) -> list[int]:
        """Triples from the first to `last`, each beginning where the one before ends, no entity twice."""
        snapshot = self._snapshot
        path, met = [last], {int(snapshot.heads[last]), int(snapshot.tails[last])}
        molecular = self._is_molecular(last)
        while len(path) < hops:
            before = [
                triple
                for triple in self._into.get(int(snapshot.heads[path[0]]), ())
                if int(snapshot.heads[triple]) not in met and self._is_molecular(triple) == molecular
            ]
            if not before:
                break
            path.insert(0, int(self._random.choice(before)))
            met.add(int(snapshot.heads[path[0]]))
        return path

    def _is_molecular(self, triple: int) -> bool:
        kind: str = self._snapshot.relations[self._snapshot.relation_of[triple]].kind
        return kind == _MOLECULAR

    def _links(self, path: Sequence[int], kind: str) -> str:
        text = ""
        for triple in reversed(path):
            link = _LINKS[int(self._random.integers(len(_LINKS)))]
            other = self._describe(int(self._snapshot.heads[triple]), kind)
            text += link.format(relation=self._relation(triple), other=other)
        return text

    def _describe(self, entity: int, kind: str) -> str:
        thing = self._snapshot.entities[entity]
        known = [group for group in thing.groups if group in self._groups]
        sentences = self._sentences.get(entity)
        if self._random.random() >= _BY_NAME:
            if known and (kind == _MOLECULAR or not sentences):
                return self._structure(thing, known)
            if sentences and kind != _MOLECULAR:
                return sentences[int(self._random.integers(len(sentences)))]
        names = [thing.name, *(name for name in thing.synonyms[:5] if len(name) < 40)]
        return names[int(self._random.integers(len(names)))]

    def _structure(self, thing: Entity, known: Sequence[str]) -> str:
        size = min(len(known), int(self._random.integers(2, 4)))
        chosen = self._random.choice(len(known), size=size, replace=False)
        said = []
        for group in (known[index] for index in chosen):
            names = self._groups[group]
            name = names[int(self._random.integers(len(names)))]
            said.append(f"two {name} groups" if thing.groups[group] == 2 else f"a {name}")
        start = self._random.choice(["a compound with", "a molecule featuring", "a structure containing"])
        return f"{start} {' and '.join(said)}"

    def _relation(self, triple: int) -> str:
        name = self._snapshot.relations[self._snapshot.relation_of[triple]].name
        return re.sub(r"(?<=[a-z])(?=[A-Z][a-z])|[_:]+", " ", name).strip() or name

    def _named(self, triple: int) -> tuple[str, str, str]:
        snapshot = self._snapshot
        return (
            snapshot.entities[snapshot.heads[triple]].name,
            snapshot.relations[snapshot.relation_of[triple]].name,
            snapshot.entities[snapshot.tails[triple]].name,
        )


def _sentences(text: str, entity: Entity) -> list[str]:
    """Beginnings of sentences of `text` in which the entity's names are left out."""
    names = sorted({entity.name, *entity.synonyms}, key=len, reverse=True)
    pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names if name), re.IGNORECASE)
    found = []
    fewest, most = _SENTENCE_WORDS
    for sentence in re.split(r"(?<=[.!?])\s+", text):
        words = pattern.sub(" ", sentence).replace("()", " ").strip(" .,;!?").split()
        if len(words) >= fewest:
            said = " ".join(words[:most]).strip(" ,;(")
            found.append(f'one described by the words "{said}"')
    return found


def _spoken_groups() -> Mapping[str, tuple[str, ...]]:
    return {group.name: (group.name, *group.synonyms[:2]) for group in group_vocabulary()}
