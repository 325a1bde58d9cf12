"""Questions about drugs and the proteins they act on."""

from __future__ import annotations

import re

from evaluation.plain.draws import Draw, Made, Unnamed
from evaluation.plain.gold import Gold
from evaluation.plain.graph import OPPOSITE, Polarity
from evaluation.plain.wordings import Verb, fill

_BOUND = re.compile(r"\b(?:bind(?:s|ing)?|bound|ligands?)\b", re.IGNORECASE)
_POLARITIES: tuple[Polarity, ...] = ("any", "inhibit", "activate")
_SIDED: tuple[Polarity, ...] = ("inhibit", "activate")


def polarity_of(draw: Draw) -> Polarity:
    """Any of the three, what is asked most often twice as often."""
    return draw.pick((*_POLARITIES, "inhibit"))


def check_true(draw: Draw, template: str | None = None) -> Made:
    """A pair that a fact of the polarity asked is of."""
    polarity = polarity_of(draw)
    drug = draw.pick(draw.drugs(acting=True))
    protein = draw.pick(_named(draw, draw.graph.proteins_of(drug, polarity)))
    text = _check(draw, template, draw.verb(polarity), drug, protein)
    if polarity == "any" and _BOUND.search(text) and not draw.graph.says(drug, protein, "any", bound=True):
        raise Unnamed
    facts = draw.graph.acting([(drug, protein)], polarity)
    return text, Gold(verdicts=frozenset({"yes"}), facts=facts)


def check_contrary(draw: Draw) -> Made:
    """A pair of which only the opposite is known."""
    polarity = draw.pick(_SIDED)
    drug = draw.pick(draw.drugs(acting=True))
    known = draw.graph.proteins_of(drug, OPPOSITE[polarity]) - draw.graph.proteins_of(drug, polarity)
    protein = draw.pick(_named(draw, known))
    text = _check(draw, None, draw.verb(polarity), drug, protein)
    facts = draw.graph.acting([(drug, protein)], OPPOSITE[polarity])
    return text, Gold(verdicts=frozenset({"no"}), facts=facts)


def check_nothing(draw: Draw) -> Made:
    """A pair that no fact is of."""
    drug, protein = draw.pick(draw.drugs(acting=True)), draw.pick(draw.proteins())
    if protein in draw.graph.targets[drug]:
        raise Unnamed
    return _check(draw, None, draw.verb(polarity_of(draw)), drug, protein), Gold(decline=True)


def list_drugs(draw: Draw, template: str | None = None) -> Made:
    """All drugs that act on a protein."""
    polarity, protein = polarity_of(draw), draw.pick(draw.proteins())
    verb, name = draw.verb(polarity), draw.protein(protein)
    text = fill(template or draw.template("list_drugs"), verb, protein=name)
    return text, drugs_gold(draw, text, protein, polarity)


def list_proteins(draw: Draw, template: str | None = None) -> Made:
    """All proteins that a drug acts on."""
    polarity, drug = polarity_of(draw), draw.pick(draw.drugs(acting=True))
    verb, name = draw.verb(polarity), draw.drug(drug)
    text = fill(template or draw.template("list_proteins"), verb, drug=name)
    return text, proteins_gold(draw, text, drug, polarity)


def count_drugs(draw: Draw) -> Made:
    """How many drugs act on a protein."""
    polarity, protein = polarity_of(draw), draw.pick(draw.proteins())
    text = draw.write("count_drugs", draw.verb(polarity), protein=draw.protein(protein))
    return text, _count(drugs_gold(draw, text, protein, polarity))


def count_proteins(draw: Draw) -> Made:
    """How many proteins a drug acts on."""
    polarity, drug = polarity_of(draw), draw.pick(draw.drugs(acting=True))
    text = draw.write("count_proteins", draw.verb(polarity), drug=draw.drug(drug))
    return text, _count(proteins_gold(draw, text, drug, polarity))


def exclude_drug(draw: Draw) -> Made:
    """The drugs that act on a protein, but one."""
    polarity, protein = polarity_of(draw), draw.pick(draw.proteins())
    drug = draw.pick(sorted(draw.graph.drugs_of(protein, polarity) & set(draw.drugs(acting=True))))
    text = draw.write(
        "exclude_drug", draw.verb(polarity), protein=draw.protein(protein), drug=draw.drug(drug)
    )
    return text, _without(drugs_gold(draw, text, protein, polarity), drug)


def exclude_protein(draw: Draw) -> Made:
    """The proteins that a drug acts on, but one."""
    polarity, drug = polarity_of(draw), draw.pick(draw.drugs(acting=True))
    protein = draw.pick(_named(draw, draw.graph.proteins_of(drug, polarity)))
    text = draw.write(
        "exclude_protein", draw.verb(polarity), protein=draw.protein(protein), drug=draw.drug(drug)
    )
    return text, _without(proteins_gold(draw, text, drug, polarity), protein)


def negated(draw: Draw) -> Made:
    """The targets of a drug on which it does not act in the way named."""
    polarity, drug = draw.pick(_SIDED), draw.pick(draw.drugs(acting=True))
    text = draw.write("negated", draw.verb(polarity), drug=draw.drug(drug))
    left = draw.graph.proteins_of(drug, "any") - draw.graph.proteins_of(drug, polarity)
    if not left or not draw.graph.proteins_of(drug, polarity):
        raise Unnamed
    return text, Gold(items=left, facts=draw.graph.acting([(drug, it) for it in left], "any"))


def direction_drug(draw: Draw) -> Made:
    """What acts on a drug: nothing in the graph does."""
    drug = draw.pick(draw.drugs(acting=True))
    text = draw.write("direction_drug", draw.verb(draw.pick(_SIDED)), drug=draw.drug(drug))
    return text, Gold(decline=True)


def direction_protein(draw: Draw) -> Made:
    """Which drugs a protein acts on: none in the graph, though drugs act on it."""
    protein = draw.pick(draw.proteins())
    text = draw.write("direction_protein", draw.verb(draw.pick(_SIDED)), protein=draw.protein(protein))
    return text, Gold(decline=True, count=(0, 0))


def compare_drugs(draw: Draw) -> Made:
    """The targets of each of two drugs."""
    one, other = draw.pick(draw.drugs(acting=True)), draw.pick(draw.drugs(acting=True))
    if one == other:
        raise Unnamed
    text = draw.write("compare_drugs", a=draw.drug(one), b=draw.drug(other))
    first, second = (_gold_of(draw, text, it) for it in (one, other))
    items = first.items | second.items
    return text, Gold(items=items, also=(first.also | second.also) - items, facts=first.facts | second.facts)


def shared_targets(draw: Draw) -> Made:
    """The proteins that two drugs both act on."""
    one = draw.pick(draw.drugs(acting=True))
    near = {it for protein in draw.graph.targets[one] for it in draw.graph.ligands[protein]} - {one}
    other = draw.pick(sorted(near & set(draw.drugs(acting=True))))
    text = draw.write("shared_targets", a=draw.drug(one), b=draw.drug(other))
    first, second = (_gold_of(draw, text, it) for it in (one, other))
    items = first.items & second.items
    if not items:
        raise Unnamed
    also = ((first.items | first.also) & (second.items | second.also)) - items
    facts = draw.graph.acting([(drug, it) for drug in (one, other) for it in items], "any")
    return text, Gold(items=items, also=also, facts=facts)


def both_proteins(draw: Draw) -> Made:
    """The drugs that act on two proteins alike."""
    return _of_two(draw, "both_proteins")


def either_proteins(draw: Draw) -> Made:
    """The drugs that act on one of two proteins, or on both."""
    return _of_two(draw, "either_proteins")


def drugs_gold(draw: Draw, text: str, protein: str, polarity: Polarity) -> Gold:
    """All drugs of a protein; where binding is asked, those of which no binding is told are as good."""
    bound = polarity == "any" and bool(_BOUND.search(text))
    every = draw.graph.drugs_of(protein, polarity)
    items = draw.graph.drugs_of(protein, polarity, bound=bound)
    if not items:
        raise Unnamed
    facts = draw.graph.acting([(drug, protein) for drug in every], polarity)
    return Gold(items=items, also=every - items, facts=facts)


def proteins_gold(draw: Draw, text: str, drug: str, polarity: Polarity) -> Gold:
    """All proteins of a drug; where binding is asked, those of which no binding is told are as good."""
    bound = polarity == "any" and bool(_BOUND.search(text))
    every = draw.graph.proteins_of(drug, polarity)
    items = draw.graph.proteins_of(drug, polarity, bound=bound)
    if not items:
        raise Unnamed
    facts = draw.graph.acting([(drug, protein) for protein in every], polarity)
    return Gold(items=items, also=every - items, facts=facts)


def _of_two(draw: Draw, group: str) -> Made:
    polarity = polarity_of(draw)
    proteins = draw.proteins()
    one = draw.pick(proteins)
    near = {it for drug in draw.graph.drugs_of(one, polarity) for it in draw.graph.targets[drug]} - {one}
    other = draw.pick(sorted(near & set(proteins)))
    text = draw.write(group, draw.verb(polarity), p=draw.protein(one), q=draw.protein(other))
    first, second = (drugs_gold(draw, text, it, polarity) for it in (one, other))
    wide = [it.items | it.also for it in (first, second)]
    if group == "both_proteins":
        items, every = first.items & second.items, wide[0] & wide[1]
    else:
        items, every = first.items | second.items, wide[0] | wide[1]
    if not items:
        raise Unnamed
    facts = draw.graph.acting([(drug, it) for drug in every for it in (one, other)], polarity)
    return text, Gold(items=items, also=every - items, facts=facts)


def _gold_of(draw: Draw, text: str, drug: str) -> Gold:
    return proteins_gold(draw, text, drug, "any")


def _check(draw: Draw, template: str | None, verb: Verb, drug: str, protein: str) -> str:
    return fill(template or draw.template("check"), verb, drug=draw.drug(drug), protein=draw.protein(protein))


def _named(draw: Draw, ids: frozenset[str]) -> list[str]:
    return sorted(ids & set(draw.proteins()))


def _count(gold: Gold) -> Gold:
    return Gold(count=(len(gold.items), len(gold.items | gold.also)), facts=gold.facts)


def _without(gold: Gold, left_out: str) -> Gold:
    items = gold.items - {left_out}
    if not items:
        raise Unnamed
    facts = frozenset(it for it in gold.facts if left_out not in it.split("|"))
    return Gold(items=items, also=gold.also - {left_out}, facts=facts)
