"""A graph and questions made for the tests: what questions call a thing is never what its text says.

Sixty things have two traits each; texts speak of a trait by one word and
questions by another, so that only what was learned can rank. The last thing has no fact and no text.
"""

import itertools
import random

import numpy as np

from biomolkg.encoder import SentenceEncoder
from retrievers.snapshot import Entity, Passage, Relation, Snapshot
from retrievers.training_questions import TrainingQuestion, TrainingSet

TRAITS = {
    "violin": "harbour", "granite": "lemon", "parliament": "glove", "volcano": "pencil",
    "orchid": "anchor", "tractor": "candle", "falcon": "ladder", "cathedral": "pepper",
    "submarine": "blanket", "walnut": "mirror",
}  # fmt: skip
RELATIONS = (Relation("erythema", "DDI"), Relation("hydrogen bonding", "MOLECULAR"))
ASKED = {"erythema": "reddens the skin", "hydrogen bonding": "shares a proton"}


def colour_graph(encoder: SentenceEncoder) -> Snapshot:
    things = list(itertools.combinations(TRAITS, 2))
    entities = [Entity(f"test:{at:03}", f"Q{at:03}", "Thing") for at in range(len(things) + 1)]
    texts = [f"It has something of a {first} and of a {second}." for first, second in things]
    passages = tuple(
        Passage(f"p{at:03}", at, text, "", None, "made", f"d{at:03}", 0, composed=False)
        for at, text in enumerate(texts)
    )
    drawn = random.Random(5)
    facts = set()
    while len(facts) < 120:
        head, tail = drawn.sample(range(len(things)), 2)
        facts.add((head, drawn.randrange(2), tail))
    # The same pair twice, in both directions, and a thing with itself.
    facts |= {(0, 0, 1), (0, 1, 1), (1, 0, 0), (2, 0, 2)}
    heads, relation_of, tails = np.array(sorted(facts), dtype=np.int32).T
    return Snapshot(
        graph_version="colours",
        entities=tuple(entities),
        relations=RELATIONS,
        passages=passages,
        heads=heads,
        relation_of=relation_of,
        tails=tails,
        sources=tuple(f"made:facts.csv:{row}" for row in range(1, len(heads) + 1)),
        relation_embeddings=encoder.encode([relation.name for relation in RELATIONS]),
        passage_embeddings=encoder.encode(texts),
    )


def colour_questions(snapshot: Snapshot) -> tuple[TrainingSet, TrainingSet]:
    """Three quarters of the facts as questions to train on, and the others."""
    things = list(itertools.combinations(TRAITS.values(), 2))
    questions = []
    for head, relation, tail in zip(snapshot.heads, snapshot.relation_of, snapshot.tails, strict=True):
        name = snapshot.relations[relation].name
        ends = [" with a ".join(things[end]) for end in (head, tail)]
        asked = f"Which {ends[0]} {ASKED[name]} next to a {ends[1]}?"
        gold = (snapshot.entities[head].name, name, snapshot.entities[tail].name)
        questions.append(TrainingQuestion(asked, (gold,)))
    random.Random(3).shuffle(questions)
    cut = len(questions) * 3 // 4
    return (TrainingSet("made", tuple(questions[:cut])), TrainingSet("made", tuple(questions[cut:])))
