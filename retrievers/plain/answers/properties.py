"""Questions about a thing's own properties: those that the graph has, and those that it has not."""

from __future__ import annotations

from collections.abc import Sequence

from rdkit import Chem
from rdkit.Chem import rdMolDescriptors

from retrievers.plain.answers.gathering import Gathering
from retrievers.plain.answers.replies import DIRECT, Replies
from retrievers.plain.question.elements import Slot
from retrievers.plain.question.reading import Reading
from retrievers.plain.records import NOT_IN_GRAPH, Item, PlainAnswer
from retrievers.snapshot import Entity

_SHOWN = 20


def answer_property(
    reading: Reading, replies: Replies, gathering: Gathering, slots: Sequence[Slot]
) -> PlainAnswer:
    """The value of a property, for each thing that is named."""
    asked = reading.values("prop")[0]
    replies.use(slots)
    leftover = reading.leftover(relations=frozenset({"class"}), roles=frozenset({"prop", "section"}))
    understood = replies.understood("property", slots, (), relation=asked, leftover=leftover)
    found = []
    for slot in slots:
        for place in gathering.places(slot):
            entity = gathering.facts.entities[place]
            value = _value(entity, asked)
            if value:
                found.append((entity, value))
    names = ", ".join(replies.called(it) for it in slots)
    if not found:
        return replies.nothing(
            understood, f"the graph has no {asked} of {names}", reason=NOT_IN_GRAPH, kind="none"
        )
    text = (
        found[0][1]
        if len(found) == 1
        else "; ".join(f"{entity.preferred_name}: {value}" for entity, value in found)
    )
    items = tuple(Item(entity.reference, value) for entity, value in found)
    return PlainAnswer(
        understood, "entity", text, None, items, confidence=replies.confidence(DIRECT, leftover)
    )


def not_in_graph(replies: Replies, slots: Sequence[Slot], what: str) -> PlainAnswer:
    """A property that the graph has of nothing."""
    replies.use(slots)
    replies.reading.accept()
    understood = replies.understood("property", slots, (), relation=what)
    names = ", ".join(replies.called(it) for it in slots)
    of = f" of {names}" if names else ""
    return replies.nothing(understood, f"the graph knows no {what}{of}", reason=NOT_IN_GRAPH, kind="none")


def _value(entity: Entity, asked: str) -> str | None:
    match asked:
        case "smiles":
            return entity.smiles
        case "id":
            return ", ".join((entity.id, *entity.xrefs))
        case "names":
            names = dict.fromkeys((entity.name, *entity.aliases, *entity.synonyms))
            names.pop(entity.preferred_name, None)
            return ", ".join(list(names)[:_SHOWN])
        case "symbol":
            return entity.gene
    molecule = Chem.MolFromSmiles(entity.smiles) if entity.smiles else None
    if molecule is None:
        return None
    return (
        f"{rdMolDescriptors._CalcMolWt(molecule):.2f} g/mol"
        if asked == "weight"
        else str(rdMolDescriptors.CalcMolFormula(molecule))
    )
