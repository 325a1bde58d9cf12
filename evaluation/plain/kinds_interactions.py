"""Questions about two drugs: side effects, interactions, molecular contacts."""

from __future__ import annotations

import re

from biomolkg.names import name_words
from evaluation.plain.draws import Draw, Made, Unnamed
from evaluation.plain.gold import PAIR, RELATION, Gold, Verdict
from evaluation.plain.graph import pair_key
from evaluation.plain.wordings import fill

_SAFE = re.compile(
    r"\b(?:safe(?:ly)?|ok|okay|fine|all right|alright|can i|may i|compatible)\b", re.IGNORECASE
)
_DRUGS = re.compile(r"\b(?:drugs?|medic\w+|compounds?|substances?|agents?)\b", re.IGNORECASE)
_MOST_ITEMS = 400


def relation(draw: Draw) -> Made:
    """What two drugs do together."""
    one, other = _pair(draw)
    key = pair_key(one, other)
    text = draw.write("relation", a=draw.drug(one), b=draw.drug(other))
    return text, Gold(
        items=_relations(draw.graph.effects[key]),
        also=_relations(draw.graph.contacts.get(key, frozenset())),
        facts=draw.graph.causing([key]),
    )


def interaction_yes(draw: Draw, template: str | None = None) -> Made:
    """Whether two drugs interact, of which a side effect is reported.

    A question for safety may be answered as it is put (no) or as what it is read for (yes, they interact).
    """
    one, other = _pair(draw)
    text = fill(template or draw.template("interaction"), a=draw.drug(one), b=draw.drug(other))
    verdicts: set[Verdict] = {"yes", "no"} if _SAFE.search(text) else {"yes"}
    return text, Gold(verdicts=frozenset(verdicts), facts=draw.graph.causing([pair_key(one, other)]))


def interaction_nothing(draw: Draw, template: str | None = None) -> Made:
    """Whether two drugs interact of which nothing is known."""
    one, other = draw.pick(draw.drugs(interacting=True)), draw.pick(draw.drugs(interacting=True))
    key = pair_key(one, other)
    if one == other or key in draw.graph.effects or key in draw.graph.contacts:
        raise Unnamed
    text = fill(template or draw.template("interaction"), a=draw.drug(one), b=draw.drug(other))
    return text, Gold(decline=True)


def relation_nothing(draw: Draw) -> Made:
    """What two drugs do together of which nothing is known."""
    one, other = draw.pick(draw.drugs(interacting=True)), draw.pick(draw.drugs(interacting=True))
    key = pair_key(one, other)
    if one == other or key in draw.graph.effects or key in draw.graph.contacts:
        raise Unnamed
    return draw.write("relation", a=draw.drug(one), b=draw.drug(other)), Gold(decline=True)


def effect_yes(draw: Draw) -> Made:
    """Whether two drugs cause what is reported of them."""
    one, other = _pair(draw)
    key = pair_key(one, other)
    effect = draw.pick(draw.graph.effects[key])
    text = draw.write("effect_check", a=draw.drug(one), b=draw.drug(other), effect=draw.effect(effect))
    return text, Gold(verdicts=frozenset({"yes"}), facts=draw.graph.causing([key], frozenset({effect})))


def effect_other(draw: Draw) -> Made:
    """Whether two drugs cause what is not reported of them, though something else is."""
    one, other = _pair(draw)
    effect = draw.pick(draw.names.effects)
    if any(draw.alike(effect, it) for it in draw.graph.effects[pair_key(one, other)]):
        raise Unnamed
    text = draw.write("effect_check", a=draw.drug(one), b=draw.drug(other), effect=draw.effect(effect))
    return text, Gold(decline=True)


def effect_pairs(draw: Draw) -> Made:
    """All pairs of drugs of which a side effect is reported."""
    effect = draw.pick(draw.names.effects)
    pairs = _caused(draw, effect, exactly=True)
    if len(pairs) > _MOST_ITEMS:
        raise Unnamed
    text = draw.write("effect_pairs", effect=draw.effect(effect))
    return text, Gold(
        items=pairs,
        also=_caused(draw, effect, exactly=False) - pairs,
        facts=draw.graph.causing(pairs, frozenset({effect})),
    )


def effect_partner(draw: Draw) -> Made:
    """All drugs that cause a side effect together with one."""
    one, other = _pair(draw)
    effect = draw.pick(draw.graph.effects[pair_key(one, other)])
    pairs = {it for it in _caused(draw, effect, exactly=True) if one in it.split(PAIR)}
    near = {it for it in _caused(draw, effect, exactly=False) if one in it.split(PAIR)}
    text = draw.write("effect_partner", drug=draw.drug(one), effect=draw.effect(effect))
    items = _others(pairs, one)
    return text, Gold(
        items=items,
        also=_others(near, one) - items,
        facts=draw.graph.causing(pairs, frozenset({effect})),
    )


def partners(draw: Draw) -> Made:
    """All drugs that interact with one."""
    drug = draw.pick(draw.drugs(interacting=True))
    name = draw.drug(drug)
    text = draw.write("partners", drug=name)
    items = draw.graph.partners[drug]
    also = draw.graph.touching.get(drug, frozenset()) - items
    if not _DRUGS.search(text.replace(name, "")):
        also |= draw.graph.targets.get(drug, frozenset())
    return text, Gold(items=items, also=also, facts=draw.graph.causing([pair_key(drug, it) for it in items]))


def molecular_list(draw: Draw) -> Made:
    """All drugs that touch one by a molecular mechanism."""
    bond = draw.pick(list(draw.wordings.bonds))
    stem = _stem(bond)
    drug = draw.pick(sorted(set(draw.drugs()) & set(draw.graph.touching)))
    items = frozenset(
        it
        for it in draw.graph.touching[drug]
        if any(stem in _stem(how) for how in draw.graph.contacts[pair_key(drug, it)])
    )
    if not items:
        raise Unnamed
    words = draw.pick(draw.wordings.bonds[bond])
    facts = {
        PAIR.join(order)
        for it in items
        for how in draw.graph.contacts[pair_key(drug, it)]
        for order in ((drug, how, it), (it, how, drug))
        if stem in _stem(how)
    }
    text = draw.write("molecular_list", drug=draw.drug(drug), bond=words)
    return text, Gold(items=items, facts=frozenset(facts))


def _pair(draw: Draw) -> tuple[str, str]:
    one = draw.pick(draw.drugs(interacting=True))
    other = draw.pick(sorted(draw.graph.partners[one] & set(draw.drugs(interacting=True))))
    return one, other


def _relations(relations: frozenset[str]) -> frozenset[str]:
    return frozenset(relation_item(it) for it in relations)


def relation_item(name: str) -> str:
    """A relation as an item of a gold: `relation:` and its words."""
    return f"{RELATION}{' '.join(name_words(name))}"


def _caused(draw: Draw, effect: str, *, exactly: bool) -> frozenset[str]:
    """The pairs of a side effect; else those of side effects that are named alike too."""
    return frozenset(
        pair
        for pair, found in draw.graph.effects.items()
        if any(it == effect if exactly else draw.alike(effect, it) for it in found)
    )


def _others(pairs: set[str], one: str) -> frozenset[str]:
    return frozenset(end for pair in pairs for end in pair.split(PAIR) if end != one)


def _stem(bond: str) -> str:
    """What tells the molecular relations apart, whose names are written in many ways."""
    text = bond.casefold()
    return next((stem for stem in ("hydrogen", "stack", "hydrophobic", "steric") if stem in text), text)
