"""Questions whose things are all named: does A act on B, do A and B interact, is A a B."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product

from retrievers.plain.answers.contacts import contacts
from retrievers.plain.answers.gathering import Gathering
from retrievers.plain.answers.replies import (
    CURATED,
    DIRECT,
    DISPUTED,
    MODEL,
    NO_SAFETY,
    SIGNAL,
    WIDE,
    Replies,
    doing,
)
from retrievers.plain.facts import ACTIVATION, INHIBITION, TARGET
from retrievers.plain.question.elements import Slot
from retrievers.plain.question.frame import YES_NO
from retrievers.plain.question.reading import POLAR, PROTEINS, TARGETING, Reading
from retrievers.plain.records import NO_FACT, Fact, Item, PlainAnswer, Understood

CONTRARY = 0.85  # other facts may be missing
COMBINING = frozenset(("combine", "cause", "connect"))
TOGETHER = frozenset(("drug", "effect", "relation", "pair", "partner"))
_CONTRARY = {"inhibit": ACTIVATION, "activate": INHIBITION}
_WORD = {INHIBITION: "inhibits", ACTIVATION: "activates"}


def on_protein(
    reading: Reading, replies: Replies, gathering: Gathering, drugs: Sequence[Slot], proteins: Sequence[Slot]
) -> PlainAnswer:
    """Whether some drugs act on some proteins, or how."""
    relation = reading.polarity_of(proteins[0]) or reading.polarity_of(drugs[0]) or "act"
    accounted = {relation, "connect", "combine", "participate"}
    if relation not in POLAR:
        accounted |= {"act", "bind"}
    if relation in POLAR:
        accounted |= {"bind"}
    replies.use([*drugs, *proteins])
    leftover = reading.leftover(relations=frozenset(accounted), roles=frozenset({"neg"}))
    understood = replies.understood(
        "yes_no" if reading.frame.kind == YES_NO else "relation",
        drugs, proteins, relation=relation, direction="forward", leftover=leftover,
    )  # fmt: skip
    subject = " and ".join(replies.called(it) for it in drugs)
    target = " and ".join(replies.called(it) for it in proteins)
    if reading.against_the_grain():
        related = _facts_between(gathering, drugs, proteins)
        return replies.nothing(
            replies.understood(
                "yes_no", proteins, drugs, relation=relation, direction="backward", leftover=leftover
            ),
            f"the graph knows what drugs act on, and nothing of a protein that acts on a drug; "
            f"of {subject} and {target} see the related facts",
            related=related,
        )
    joined = [_joined(gathering, drug, protein) for drug, protein in product(drugs, proteins)]
    if reading.frame.kind == YES_NO:
        return _verdict(replies, gathering, understood, (drugs, proteins), joined)
    every = gathering.told([it for one in joined for it in one])
    if not every:
        return replies.nothing(understood, f"no fact joins {subject} and {target}")
    return replies.relation(understood, every, _base(every, DIRECT))


def _joined(gathering: Gathering, drug: Slot, protein: Slot) -> list[int]:
    return [
        triple
        for one in gathering.places(drug)
        for other in gathering.places(protein)
        for triple in gathering.between(one, other, TARGET | {"FACT"})
    ]


def _verdict(
    replies: Replies,
    gathering: Gathering,
    understood: Understood,
    named: tuple[Sequence[Slot], Sequence[Slot]],
    joined: Sequence[list[int]],
) -> PlainAnswer:
    """Yes where each pair has such a fact, no where facts say the contrary, else unknown."""
    frame, relation = replies.reading.frame, understood.relation or "act"
    subject, target = (" and ".join(map(replies.called, it)) for it in named)
    met = [[it for it in one if relation not in POLAR or _fits(gathering, it, relation)] for one in joined]
    facts = gathering.told([it for one in met for it in one])
    seen = gathering.told([it for one in joined for it in one])
    short = _without_fact(replies.reading, gathering, named[0], met)
    if short:
        sentence = f"for {len(short)} of {subject} no fact says so: {', '.join(short[:8])}"
        return replies.nothing(understood, f"{sentence}; that is no proof of the contrary", related=facts)
    if any(met) if frame.quantifier == "either" else all(met):
        polar = relation in POLAR and any(fact.disputed for fact in facts)
        if polar:
            replies.note(f"disputed: other facts say that {subject} {_other(relation)} {target}")
        return replies.verdict(
            understood,
            "no" if frame.negative else "yes",
            f"{subject} {doing(relation)} {target}",
            seen if polar else facts,
            DISPUTED if polar else WIDE if _wide(*named) else DIRECT,
            _members(gathering, met, *named),
        )
    contrary = [
        it
        for one in joined
        for it in one
        if gathering.facts.polarity(it) == _CONTRARY.get(relation, relation)
    ]
    if contrary and not any(met) and not frame.negative:
        sentence = f"the facts say that {subject} {_other(relation)} {target}"
        return replies.verdict(understood, "no", sentence, gathering.told(contrary), CONTRARY)
    sentence = f"no fact says that {subject} {doing(relation)} {target}"
    return replies.nothing(understood, f"{sentence}; that is no proof of the contrary", related=seen)


def _without_fact(
    reading: Reading, gathering: Gathering, drugs: Sequence[Slot], met: Sequence[Sequence[int]]
) -> list[str]:
    """Where all members of a class are asked about: those without such a fact."""
    if reading.frame.quantifier != "all" or not any(it.kind == "class" for it in drugs):
        return []
    heads = {int(gathering.facts.snapshot.heads[triple]) for one in met for triple in one}
    members = [at for it in drugs for at in gathering.places(it) if at not in heads]
    return [gathering.facts.entities[at].preferred_name for at in members]


def _facts_between(gathering: Gathering, ones: Sequence[Slot], others: Sequence[Slot]) -> tuple[Fact, ...]:
    return gathering.told(
        [
            triple
            for one, other in product(ones, others)
            for a in gathering.places(one)
            for b in gathering.places(other)
            for triple in gathering.between(a, b, ())
        ]
    )


def _fits(gathering: Gathering, triple: int, relation: str) -> bool:
    return gathering.facts.polarity(triple) == (INHIBITION if relation == "inhibit" else ACTIVATION)


def _other(relation: str) -> str:
    return _WORD.get(_CONTRARY.get(relation, ""), "acts on")


def _wide(drugs: Sequence[Slot], proteins: Sequence[Slot]) -> bool:
    return any(it.kind == "class" for it in drugs) or any(len(it.best) > 1 for it in proteins)


def _base(facts: Sequence[Fact], base: float) -> float:
    return min(base, DISPUTED) if any(fact.disputed for fact in facts) else base


def _members(
    gathering: Gathering, met: Sequence[Sequence[int]], drugs: Sequence[Slot], proteins: Sequence[Slot]
) -> tuple[Item, ...]:
    """Which members of a class or family, or which of several things, it is that the verdict is of."""
    if len(drugs) == len(proteins) == 1 and all(
        it.kind not in {"class", "family"} for it in (*drugs, *proteins)
    ):
        return ()
    snapshot = gathering.facts.snapshot
    found: dict[int, list[int]] = {}
    by_tail = len(proteins) > 1 or proteins[0].kind == "family"
    for triple in (it for one in met for it in one):
        at = int(snapshot.tails[triple] if by_tail else snapshot.heads[triple])
        found.setdefault(at, []).append(triple)
    return gathering.items(found)


def drugs_together(
    reading: Reading, replies: Replies, gathering: Gathering, drugs: Sequence[Slot]
) -> PlainAnswer:
    """Whether some drugs, or members of classes, have a fact with each other, and which."""
    values = reading.relations()
    molecular = "molecular" in values
    kinds = ("MOLECULAR",) if molecular else ("DDI",)
    effects = reading.effects
    replies.use([*drugs, *effects])
    polar = values & (TARGETING - {"act"}) and not values & {"combine", "cause", "molecular"}
    leftover = reading.leftover(
        relations=COMBINING
        | ({"molecular", "produce", "bind"} if molecular else set())
        | (POLAR if polar else set()),
        roles=frozenset({"neg"}),
        types=TOGETHER,
    )
    relation = "molecular" if molecular else "interact"
    if effects:
        relation = replies.called(effects[0])
    asks = reading.frame.kind == YES_NO
    understood = replies.understood(
        "yes_no" if asks else "relation",
        drugs[:1],
        [*drugs[1:], *effects],
        relation=relation,
        leftover=leftover,
    )
    names = " and ".join(replies.called(it) for it in drugs)
    seen: list[int] = []
    other_kind: list[int] = []
    snapshot = gathering.facts.snapshot
    sorts = contacts(reading, snapshot.relations) if molecular else frozenset[int]()
    focus = _focus(reading, drugs)
    for one, other in combinations(drugs, 2):
        if focus is not None and focus not in {one, other}:
            continue
        for a, b in product(gathering.places(one), gathering.places(other)):
            if a != b:
                joined = gathering.between(a, b, (*kinds, "FACT"))
                seen.extend(it for it in joined if not sorts or snapshot.relation_of[it] in sorts)
                other_kind.extend(gathering.between(a, b, ("DDI", "MOLECULAR")))
    facts = gathering.told(seen)
    rest = tuple(fact for fact in gathering.told(other_kind) if fact not in facts)
    if polar or not (facts or effects):
        apart = "; a molecular edge is told apart" if rest and not molecular else ""
        apart = " in this way; others of their facts are told apart" if rest and sorts else apart
        sentence = (
            f"the graph has no fact of one drug acting on another; of {names} see the related facts"
            if polar
            else f"no fact says that {names} interact{apart}; {NO_SAFETY}"
        )
        return replies.nothing(understood, sentence, related=(*facts, *rest))
    if effects:
        return _with_effect(replies, gathering, understood, names, facts, rest)
    wide = any(it.kind == "class" or len(it.best) > 1 for it in drugs)
    base = MODEL if molecular else WIDE if wide else SIGNAL
    if asks:
        told = "; ".join(dict.fromkeys(fact.relation for fact in facts[:5]))
        if len(drugs) > 2:
            return _of_several(replies, gathering, understood, drugs, seen)
        items = tuple(Item(None, fact.relation, None, (fact,)) for fact in facts)
        verdict = "no" if reading.frame.negative else "yes"
        return replies.verdict(understood, verdict, f"{told} is reported for {names}", facts, base, items)
    if (wide or len(drugs) > 2) and len(facts) > 1:
        return replies.items(understood, gathering.pairs(seen), base, "")
    return replies.relation(understood, facts, base)


def _of_several(
    replies: Replies, gathering: Gathering, understood: Understood, drugs: Sequence[Slot], seen: Sequence[int]
) -> PlainAnswer:
    """Which of several drugs have a fact with each other, and which have none."""
    facts = gathering.told(list(seen))
    met = {ref.id for fact in facts for ref in (fact.head, fact.tail)}
    none = [it for it in drugs if not met & {ref.id for ref in gathering.references(it)}]
    if none:
        replies.note(f"no fact with {', '.join(map(replies.called, none))}; {NO_SAFETY}")
    told = "; ".join(
        f"{fact.relation} ({fact.head.preferred_name} + {fact.tail.preferred_name})" for fact in facts[:8]
    )
    frame = replies.reading.frame
    each = none and frame.quantifier not in {"any", "either"}
    base = WIDE if each or any(it.kind == "class" for it in drugs) else SIGNAL
    verdict = "no" if frame.negative else "yes"
    return replies.verdict(understood, verdict, told, facts, base, gathering.pairs(seen))


def _with_effect(
    replies: Replies,
    gathering: Gathering,
    understood: Understood,
    names: str,
    facts: tuple[Fact, ...],
    rest: tuple[Fact, ...],
) -> PlainAnswer:
    """Whether an effect that is named is what is reported for the drugs."""
    frame = replies.reading.frame
    wanted = {sense.place for it in replies.reading.effects for sense in it.best}
    snapshot = gathering.facts.snapshot
    named = tuple(fact for fact in facts if int(snapshot.relation_of[fact.triple]) in wanted)
    if named and frame.kind == YES_NO:
        verdict = "no" if frame.negative else "yes"
        return replies.verdict(
            understood, verdict, f"{understood.relation} is reported for {names}", named, SIGNAL
        )
    if named:
        return replies.relation(understood, named, SIGNAL)
    told = f"; what is reported is {', '.join(fact.relation for fact in facts[:3])}" if facts else ""
    sentence = f"no fact says that {names} cause {understood.relation}{told}; {NO_SAFETY}"
    return replies.nothing(understood, sentence, related=(*facts, *rest))


def _focus(reading: Reading, drugs: Sequence[Slot]) -> Slot | None:
    """Of several drugs the one that the others are taken with: the new one, the one alone beside "with"."""
    new = [it for it in drugs if not it.context]
    if len(drugs) < 2 or len(new) == 1:
        return new[0] if new else None
    joints = [
        it
        for it in reading.elements.cues
        if it.has("with") or (it.has("rel") and reading.elements.tokens[it.end - 1].text in {"with", "to"})
    ]
    for joint in joints:
        before, behind = ([it for it in new if (it.end <= joint.start) == first] for first in (True, False))
        if min(len(before), len(behind)) == 1 and len(new) > 2:
            return before[0] if len(before) == 1 else behind[0]
    return None


def related_of(gathering: Gathering, drugs: Sequence[Slot]) -> tuple[Fact, ...]:
    """What is known of some drugs together."""
    return gathering.told(
        [
            triple
            for one, other in combinations(drugs, 2)
            for a, b in product(gathering.places(one), gathering.places(other))
            if a != b
            for triple in gathering.between(a, b, ())
        ]
    )


def membership(
    reading: Reading, replies: Replies, gathering: Gathering, drugs: Sequence[Slot], classes: Sequence[Slot]
) -> PlainAnswer:
    """Whether drugs belong to a class."""
    replies.use([*drugs, *classes])
    leftover = reading.leftover(relations=frozenset({"class", "participate"}), roles=frozenset({"neg"}))
    understood = replies.understood("yes_no", drugs, classes, relation="has role", leftover=leftover)
    names, group = " and ".join(map(replies.called, drugs)), " and ".join(map(replies.called, classes))
    roles: list[int] = []
    missing = False
    for drug, one in product(drugs, classes):
        mine = [
            role
            for place in gathering.places(drug)
            for sense in one.best
            if (role := gathering.classes.role(place, sense.place)) is not None
        ]
        missing |= not mine
        roles.extend(mine)
    if reading.frame.quantifier == "either":
        missing = not roles
    facts = tuple(gathering.classes.fact(role) for role in dict.fromkeys(roles))
    if facts and not missing:
        verdict = "no" if reading.frame.negative else "yes"
        return replies.verdict(understood, verdict, f"{names} is in the class {group}", facts, CURATED)
    return replies.nothing(
        understood,
        f"no role of {names} says that it is in the class {group}; that is no proof of the contrary",
        reason=NO_FACT,
        related=[
            gathering.classes.fact(role)
            for it in drugs
            for at in gathering.places(it)
            for role in gathering.classes.of_drug(at)
        ],
    )


__all__ = ["PROTEINS", "drugs_together", "membership", "on_protein"]
