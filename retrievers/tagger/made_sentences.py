"""Sentences about the graph's own names, so that a tagger can be trained with no other text at hand.

A drug is a Chemical, as it is in BC5CDR. Some names are misspelt, hyphenated or
given without their salt, since such names are what the tagger is needed for.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from biomolkg.misspellings import misspelt
from biomolkg.tagged_text import Span, TaggedSentence, words_of
from retrievers.hits import entity_label
from retrievers.snapshot import Entity, Snapshot

CHEMICAL, PROTEIN, DISEASE = "Chemical", "Protein", "Disease"
# What each label of the graph is to the tagger; others have no sentences made of them.
KINDS = {"Drug": CHEMICAL, "Chemical": CHEMICAL, "Protein": PROTEIN, "Gene": PROTEIN}
_LONGEST = 60
_SHORTEST = 3
_MISSPELT = 0.25
_HYPHENATED = 0.05
_NAMES = 8  # of one entity

# {c}: a chemical; {p}: a protein. What has neither teaches that ordinary words are no names.
_TEMPLATES = (
    "What happens when {c} and {c} are taken together?",
    "Which side effects does {c} have when it is combined with {c}?",
    "Is it safe to take {c} with {c}?",
    "Does {c} raise the level of {c} in the blood?",
    "Which proteins does {c} inhibit?",
    "Which drugs act on {p}?",
    "What activates {p}?",
    "Does {c} bind to {p} or to {p}?",
    "How does {c} change the activity of {p}?",
    "{c} is an inhibitor of {p}.",
    "{c} was given by mouth twice a day, and {c} was stopped.",
    "Patients on {c} had received {c} or {c} before.",
    "The binding of {c} to {p} was measured in rats.",
    "{p} is expressed in the liver and breaks down {c}.",
    "We compared {c} with placebo and found no difference in weight.",
    "My mother takes {c} every morning; the new doctor adds {c} for the winter.",
    "{c}-induced effects were seen after three weeks of treatment.",
    "Treatment with {c} ({c}) was continued for 12 months.",
    "An antagonist of {p}, such as {c}, lowers the dose that is needed.",
    "tell me about {c}",
    "{c} and {c} interaction",
    "{p} inhibitors",
    "mutations of {p} and the response to {c}",
    "Neither {c}, {c} nor {c} changed the level of {p}.",
    "Which compound with two chlorine atoms and a tertiary amine is meant?",
    "The drug is used when others have failed; it is given by injection.",
    "Which medicine with a sulfonamide group should not be taken with alcohol?",
    "What is the second drug, and how does it act on the receptor?",
)


def made_sentences(snapshot: Snapshot, count: int, *, seed: int) -> tuple[list[TaggedSentence], set[str]]:
    """`count` sentences with names drawn from the graph, and the ids of the entities that are in none.

    A tenth of the entities is left out, so that names never seen can be asked for. Without a chemical
    or without a protein, the sentences that need one are not made.
    """
    chance = random.Random(seed)  # noqa: S311 - drawn to be repeatable, not to be secret
    kept, left_out = _split(snapshot.entities, chance)
    names = {kind: [each for entity in kept if KINDS.get(entity.label) == kind for each in [_names(entity)]]
             for kind in (CHEMICAL, PROTEIN)}  # fmt: skip
    names = {kind: [each for each in of_kind if each] for kind, of_kind in names.items()}
    templates = [
        template
        for template in _TEMPLATES
        if (names[CHEMICAL] or "{c}" not in template) and (names[PROTEIN] or "{p}" not in template)
    ]
    if not any(names.values()):
        return [], left_out
    return [_filled(chance.choice(templates), names, chance) for _ in range(count)], left_out


def _split(entities: Sequence[Entity], chance: random.Random) -> tuple[list[Entity], set[str]]:
    order = list(entities)
    chance.shuffle(order)
    size = len(order) // 10
    return order[size:], {entity.id for entity in order[:size]}


def _names(entity: Entity) -> list[str]:
    written = dict.fromkeys([entity.name, *([entity.gene] if entity.gene else []), *entity.synonyms])
    usable = [
        name
        for name in written
        if _SHORTEST <= len(name) <= _LONGEST and any(letter.isalpha() for letter in name)
    ]
    return usable[:_NAMES]


def _filled(template: str, names: dict[str, list[list[str]]], chance: random.Random) -> TaggedSentence:
    words: list[str] = []
    spans: list[Span] = []
    for piece, kind in _pieces(template):
        if kind is None:
            words += [word.text for word in words_of(piece)]
            continue
        name = _as_written(chance.choice(chance.choice(names[kind])), kind, chance)
        start = len(words)
        words += [word.text for word in words_of(name)]
        spans.append(Span(start, len(words), kind))
    return TaggedSentence(tuple(words), tuple(spans))


def _pieces(template: str) -> Iterator[tuple[str, str | None]]:
    for at, piece in enumerate(template.split("{")):
        if at == 0:
            yield piece, None
            continue
        slot, _, rest = piece.partition("}")
        yield "", CHEMICAL if slot == "c" else PROTEIN
        yield rest, None


def _as_written(name: str, kind: str, chance: random.Random) -> str:
    if kind == CHEMICAL:
        name = chance.choice([name, name.lower(), name.capitalize() if name.islower() else name])
        drawn = chance.random()
        if drawn < _MISSPELT:
            return misspelt(name, chance)
        if drawn < _MISSPELT + _HYPHENATED and name.isalpha() and len(name) > 7:
            at = chance.randrange(3, len(name) - 3)
            return f"{name[:at]}-{name[at:]}"
    return name


def tagger_kind(labels: Sequence[str]) -> str | None:
    """What a node with these labels is to the tagger; None for what it was not taught."""
    return KINDS.get(entity_label(labels))
