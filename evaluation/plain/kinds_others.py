"""Questions about classes, pathways, labels, properties, and what the graph does not have."""

from __future__ import annotations

from evaluation.plain.draws import Draw, Made, Unnamed
from evaluation.plain.gold import PAIR, Gold
from evaluation.plain.kinds_targets import drugs_gold, polarity_of
from evaluation.plain.names import Spoken
from evaluation.plain.wordings import fill

_MOST_PATHWAY_WORDS = 7
_LEAST_PARTICIPANTS = 2
_PARTICIPATES = "participates in"
_EVERYDAY = 0.6  # of the classes asked about


def class_yes(draw: Draw) -> Made:
    """Whether a drug is in a class that it is in."""
    group = _class(draw)
    drug = draw.pick(sorted(group.group.members & set(draw.drugs())))
    return _class_check(draw, drug, group.one, group.many), Gold(verdicts=frozenset({"yes"}))


def class_unknown(draw: Draw) -> Made:
    """Whether a drug is in a class that no fact puts it in."""
    group, drug = _class(draw), draw.pick(draw.drugs())
    if drug in group.group.members | group.also:
        raise Unnamed
    return _class_check(draw, drug, group.one, group.many), Gold(decline=True)


def class_members(draw: Draw) -> Made:
    """All drugs of a class."""
    group = _class(draw)
    text = fill(draw.template("class_members"), **{"class": group.one, "classes": group.many})
    return text, Gold(items=group.group.members, also=group.also)


def class_list(draw: Draw) -> Made:
    """The drugs of a class that act on a protein."""
    group, polarity = _class(draw), polarity_of(draw)
    near = {it for drug in group.group.members for it in draw.graph.targets.get(drug, ())}
    protein = draw.pick(sorted(near & set(draw.proteins())))
    text = draw.write("class_list", draw.verb(polarity), classes=group.many, protein=draw.protein(protein))
    found = drugs_gold(draw, text, protein, polarity)
    items = found.items & group.group.members
    if not items:
        raise Unnamed
    facts = frozenset(it for it in found.facts if it.split(PAIR)[0] in group.group.members)
    also = (found.items | found.also) & (group.group.members | group.also)
    return text, Gold(items=items, also=also - items, facts=facts)


def pathways_of_protein(draw: Draw) -> Made:
    """All pathways that a protein takes part in; those above them may be told."""
    protein = draw.pick(draw.proteins())
    items = frozenset(it.id for it in draw.graph.pathways if protein in it.members)
    if not items:
        raise Unnamed
    also = frozenset(it.id for it in draw.graph.pathways if protein in it.more) - items
    facts = frozenset(PAIR.join((protein, _PARTICIPATES, it)) for it in items | also)
    text = draw.write("pathways_of_protein", protein=draw.protein(protein))
    return text, Gold(items=items, also=also, facts=facts)


def participants(draw: Draw) -> Made:
    """All proteins of a pathway's own reactions."""
    group = draw.pick(
        [
            it
            for it in draw.graph.pathways
            if len(it.members) >= _LEAST_PARTICIPANTS and len(it.name.split()) <= _MOST_PATHWAY_WORDS
        ]
    )
    if sum(it.name.casefold() == group.name.casefold() for it in draw.graph.pathways) > 1:
        raise Unnamed
    facts = frozenset(PAIR.join((it, _PARTICIPATES, group.id)) for it in group.members | group.more)
    text = draw.write("participants", pathway=group.name)
    return text, Gold(items=group.members, also=group.more, facts=facts)


def pathway_yes(draw: Draw) -> Made:
    """Whether a protein takes part in a pathway that it takes part in."""
    protein = draw.pick(draw.proteins())
    group = draw.pick([it for it in draw.graph.pathways if protein in it.members])
    text = draw.write("pathway_check", protein=draw.protein(protein), pathway=group.name)
    facts = frozenset({PAIR.join((protein, _PARTICIPATES, group.id))})
    return text, Gold(verdicts=frozenset({"yes"}), facts=facts)


def pathway_nothing(draw: Draw) -> Made:
    """Whether a protein takes part in a pathway that it is not known to take part in."""
    protein = draw.pick(draw.proteins())
    group = draw.pick(draw.graph.pathways)
    if protein in group.members | group.more or len(group.name.split()) > _MOST_PATHWAY_WORDS:
        raise Unnamed
    text = draw.write("pathway_check", protein=draw.protein(protein), pathway=group.name)
    return text, Gold(decline=True)


def pathways_of_drug(draw: Draw) -> Made:
    """All pathways of the proteins that a drug acts on; those above them may be told."""
    drug = draw.pick(draw.drugs(acting=True))
    targets = draw.graph.targets[drug]
    items = frozenset(it.id for it in draw.graph.pathways if targets & it.members)
    if not items:
        raise Unnamed
    also = frozenset(it.id for it in draw.graph.pathways if targets & it.more) - items
    also |= frozenset(it.id for it in draw.graph.pathways if drug in it.more) - items
    facts = frozenset(PAIR.join((protein, _PARTICIPATES, it)) for protein in targets for it in items | also)
    return draw.write("pathways_of_drug", drug=draw.drug(drug)), Gold(items=items, also=also, facts=facts)


def label_section(draw: Draw) -> Made:
    """A section of a label that is loaded."""
    sections = draw.wordings.labels
    name, code = draw.pick([it for it in draw.graph.sections if it[1] in sections])
    text = fill(draw.pick(sections[code]), brand=name)
    return text, Gold(items=draw.graph.sections[name, code])


def property_in(draw: Draw) -> Made:
    """The weight or the formula of a drug."""
    drug = draw.graph.drugs[draw.pick(draw.drugs())]
    if draw.turn % 2 and drug.formula:
        return draw.write("property_formula", drug=draw.drug(drug.id)), Gold(text=drug.formula)
    if not drug.weight:
        raise Unnamed
    return draw.write("property_weight", drug=draw.drug(drug.id)), Gold(number=drug.weight)


def property_out(draw: Draw) -> Made:
    """What no graph of molecules tells of a drug."""
    return draw.write("property_out", drug=draw.drug(draw.pick(draw.drugs()))), Gold(decline=True)


def absent_drug(draw: Draw) -> Made:
    """A drug that the graph does not have."""
    return _of_absent(draw, draw.pick(draw.names.absent_drugs))


def stranger(draw: Draw) -> Made:
    """A name that nothing has."""
    return _of_absent(draw, draw.pick(draw.wordings.misc["strangers"]))


def absent_protein(draw: Draw) -> Made:
    """A protein that no drug of the graph acts on."""
    text = draw.write(
        "absent_protein",
        absent=draw.pick(draw.names.absent_proteins),
        drug=draw.drug(draw.pick(draw.drugs(acting=True))),
    )
    return text, Gold(decline=True)


def absent_effect(draw: Draw) -> Made:
    """A condition that is reported of no pair."""
    one = draw.pick(draw.drugs(interacting=True))
    other = draw.pick([it for it in draw.drugs(interacting=True) if it != one])
    text = draw.write(
        "absent_effect",
        absent=draw.pick(draw.names.absent_conditions),
        a=draw.drug(one),
        b=draw.drug(other),
    )
    return text, Gold(decline=True)


def outside(draw: Draw) -> Made:
    """What has nothing to do with any of this."""
    return draw.template("outside"), Gold(decline=True)


def _class(draw: Draw) -> Spoken:
    """A class, most often one that people have a word for."""
    everyday = draw.chance(_EVERYDAY)
    return draw.pick([it for it in draw.names.classes if it.everyday == everyday])


def _class_check(draw: Draw, drug: str, one: str, many: str) -> str:
    return fill(draw.template("class_check"), **{"drug": draw.drug(drug), "class": one, "classes": many})


def _of_absent(draw: Draw, absent: str) -> Made:
    drug, protein = draw.pick(draw.drugs(acting=True)), draw.pick(draw.proteins())
    text = draw.write("absent_drug", absent=absent, drug=draw.drug(drug), protein=draw.protein(protein))
    return text, Gold(decline=True)
