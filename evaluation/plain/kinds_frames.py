"""Questions of other kinds in other clothes: framed, long, in lower case, misspelt, in other languages."""

from __future__ import annotations

import re
from dataclasses import replace

from evaluation.plain import kinds_interactions as interactions
from evaluation.plain import kinds_targets as targets
from evaluation.plain.draws import Draw, Made, Maker, Style, Unnamed
from evaluation.plain.gold import Gold
from evaluation.plain.wordings import fill

_MARKS = re.compile(r"[?!.,;:\"“”]+(?=\s|$)")
_SHORT_SYMBOL = re.compile(r"\b[A-Z]{2,4}\b")
_INNER: tuple[Maker, ...] = (
    targets.list_drugs,
    targets.list_proteins,
    targets.check_true,
    targets.count_drugs,
    interactions.interaction_yes,
    interactions.interaction_nothing,
    interactions.effect_yes,
)
_BRANDED: tuple[Maker, ...] = (
    targets.list_proteins,
    targets.count_proteins,
    interactions.interaction_yes,
    interactions.effect_yes,
)
_ALIASED: tuple[Maker, ...] = (targets.list_drugs, targets.check_true, targets.count_drugs)
_MISSPELT: tuple[Maker, ...] = (*_BRANDED, targets.list_drugs)
_LONG: tuple[Maker, ...] = (
    interactions.interaction_yes,
    interactions.interaction_nothing,
    targets.list_proteins,
    targets.check_true,
)
_FEWEST_PARAGRAPHS = 3


def polite(draw: Draw) -> Made:
    """A question in a polite frame, or asked for indirectly."""
    if draw.chance(0.5):
        group = draw.pick(list(draw.wordings.indirect))
        template = draw.pick(draw.wordings.indirect[group])
        makers = {
            "check": targets.check_true,
            "list_drugs": targets.list_drugs,
            "list_proteins": targets.list_proteins,
            "interaction": interactions.interaction_yes,
        }
        return makers[group](draw, template)
    text, gold = draw.pick(_INNER)(draw)
    return fill(draw.template("polite", draw.wordings.frames), question=_ended(text)), gold


def long_text(draw: Draw) -> Made:
    """A question in a text of up to some thousand characters, which names a drug that is not asked about."""
    text, gold = draw.pick(_LONG)(draw)
    paragraphs = draw.wordings.frames["long"]
    count = int(draw.random.integers(_FEWEST_PARAGRAPHS, len(paragraphs) + 1))
    chosen = [paragraphs[at] for at in sorted(draw.random.permutation(len(paragraphs))[:count])]
    # Last, as most often, or before the last paragraph, which says no more of the matter.
    place = count if draw.chance(0.6) else count - 1
    chosen.insert(place, _ended(text))
    bystander = draw.drug(draw.pick(draw.drugs()))
    if bystander.casefold() in text.casefold():
        raise Unnamed
    return " ".join(fill(it, bystander=bystander) if "{bystander}" in it else it for it in chosen), gold


def lower(draw: Draw) -> Made:
    """A question typed without capitals and marks."""
    text, gold = draw.pick(_INNER)(draw)
    # "ar", "kit" and "ret" are words then, and no person would know them for genes.
    if _SHORT_SYMBOL.search(text):
        raise Unnamed
    return _MARKS.sub("", text).lower(), gold


def brand(draw: Draw) -> Made:
    """A question that has drugs by their trade names."""
    return draw.pick(_BRANDED)(_in_style(draw, "brand"))


def alias(draw: Draw) -> Made:
    """A question that has a protein by another symbol."""
    return draw.pick(_ALIASED)(_in_style(draw, "alias"))


def everyday(draw: Draw) -> Made:
    """A question that has a protein by the name that pharmacologists say."""
    return draw.pick(_ALIASED)(_in_style(draw, "everyday"))


def misspelt(draw: Draw) -> Made:
    """A question with a slip in each name."""
    return draw.pick(_MISSPELT)(_in_style(draw, "misspelt"))


def foreign(draw: Draw) -> Made:
    """A question in another language about known names: answered right, or not at all."""
    group = draw.pick(("foreign_list_proteins", "foreign_list_drugs", "foreign_interaction"))
    template = draw.pick(draw.wordings.templates[group])
    if group == "foreign_interaction":
        text, gold = interactions.interaction_yes(draw, template)
    elif group == "foreign_list_drugs":
        protein = draw.pick(draw.proteins())
        text = fill(template, protein=draw.protein(protein))
        gold = targets.drugs_gold(draw, text, protein, "inhibit")
    else:
        drug = draw.pick(draw.drugs(acting=True))
        text = fill(template, drug=draw.drug(drug))
        gold = targets.proteins_gold(draw, text, drug, "inhibit")
    return text, Gold.model_validate({**gold.model_dump(), "may_decline": True})


def _in_style(draw: Draw, style: Style) -> Draw:
    """The same draw with other names; its random numbers go on."""
    return replace(draw, style=style)


def _ended(text: str) -> str:
    return text if text.endswith(("?", ".", "!")) else f"{text}."
