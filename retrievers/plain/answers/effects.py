"""Questions about side effects: the graph has them of pairs of drugs."""

from __future__ import annotations

from retrievers.plain.answers.gathering import Gathering, Support
from retrievers.plain.answers.replies import NO_SAFETY, SIGNAL, WIDE, Replies
from retrievers.plain.question.reading import Reading
from retrievers.plain.records import NOT_UNDERSTOOD, Item, PlainAnswer

_NEGATED = "absence of a fact is no fact: what is not reported is not known"


def effects_of(reading: Reading, replies: Replies, gathering: Gathering) -> PlainAnswer:
    """Side effects that are reported for a drug with any other: the graph has pairs only."""
    drugs = reading.drugs
    replies.use(drugs)
    leftover = reading.leftover(relations=frozenset({"cause", "combine"}))
    understood = replies.understood("effect", drugs, (), relation="cause", leftover=leftover)
    names = ", ".join(replies.called(it) for it in drugs)
    triples = [
        it
        for support in gathering.partners(
            [at for it in drugs for at in gathering.places(it)], ("DDI",)
        ).values()
        for it in support
    ]
    facts = gathering.told(triples)
    by_name: dict[str, list] = {}  # type: ignore[type-arg]
    for fact in facts:
        by_name.setdefault(fact.relation, []).append(fact)
    items = tuple(Item(None, name, None, tuple(mine)) for name, mine in sorted(by_name.items()))
    replies.note(f"the graph has effects of pairs only: these are of {names} with another drug")
    if reading.frame.negative:
        return replies.nothing(understood, _NEGATED, reason=NOT_UNDERSTOOD)
    return replies.items(understood, items, WIDE, f"no effect of {names} is in the graph; {NO_SAFETY}")


def with_effect(reading: Reading, replies: Replies, gathering: Gathering) -> PlainAnswer:
    """Pairs that an effect is reported for; with a drug or class, those with it."""
    effects, drugs, classes = reading.effects, reading.drugs, reading.classes
    replies.use([*effects, *drugs, *classes])
    leftover = reading.leftover(
        relations=frozenset({"cause", "combine", "connect"}),
        roles=frozenset({"neg"}) if reading.frame.kind == "yes_no" else frozenset(),
    )
    names = " or ".join(replies.called(it) for it in effects)
    understood = replies.understood("effect", [*drugs, *classes], effects, relation=names, leftover=leftover)
    if reading.frame.negative and reading.frame.kind != "yes_no":
        return replies.nothing(understood, _NEGATED, reason=NOT_UNDERSTOOD)
    triples = gathering.of_effects(sense.place for it in effects for sense in it.best)
    snapshot = gathering.facts.snapshot
    for it in (*drugs, *classes):
        places = set(gathering.places(it))
        triples = [
            at for at in triples if int(snapshot.heads[at]) in places or int(snapshot.tails[at]) in places
        ]
    gone = {place for it in reading.frame.excluded for place in gathering.places(it)}
    triples = [
        at for at in triples if int(snapshot.heads[at]) not in gone and int(snapshot.tails[at]) not in gone
    ]
    whom = " and ".join(replies.called(it) for it in (*drugs, *classes))
    if reading.frame.kind == "yes_no" and drugs and not reading.frame.existential and not _others(reading):
        return replies.nothing(
            understood,
            f"the graph has effects of pairs only, none of {whom} alone; "
            f"{names} is reported for {len(triples)} pairs with it; {NO_SAFETY}",
            related=gathering.told(triples),
        )
    if len(drugs) == 1 and not classes:
        found: Support = {}
        mine = set(gathering.places(drugs[0]))
        for at in triples:
            head = int(snapshot.heads[at])
            other = int(snapshot.tails[at]) if head in mine else head
            found.setdefault(other, []).append(at)
        return replies.listing(understood, found, SIGNAL, f"no pair with {whom} has {names}; {NO_SAFETY}")
    if reading.frame.kind == "count" and reading.frame.wanted == "drug":
        found = {}
        for at in triples:
            for end in (int(snapshot.heads[at]), int(snapshot.tails[at])):
                found.setdefault(end, []).append(at)
        return replies.listing(understood, found, WIDE, f"no pair has {names}")
    if not drugs and not classes:
        replies.note("the graph has effects of pairs of drugs, not of single drugs")
    return replies.items(
        understood,
        gathering.pairs(triples),
        SIGNAL,
        f"no fact says that {names} is reported{' for ' + whom if whom else ''}; {NO_SAFETY}",
    )


def _others(reading: Reading) -> bool:
    """Whether a question asks for what a drug has an effect with."""
    return reading.frame.wanted in {"drug", "pair", "partner"} or reading.frame.quantifier == "any"
