"""The kinds of plain questions, and as many questions of each as are wanted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from biomolkg.errors import InvalidRequest, SourceError
from evaluation.plain import kinds_frames as frames
from evaluation.plain import kinds_interactions as interactions
from evaluation.plain import kinds_others as others
from evaluation.plain import kinds_targets as targets
from evaluation.plain.draws import Draw, Maker, Unnamed
from evaluation.plain.gold import Question
from evaluation.plain.graph import Graph
from evaluation.plain.names import Names
from evaluation.plain.wordings import WordingSet

PER_KIND = 12
_TRIES = 200  # a question
KINDS: Mapping[str, Maker] = {
    "check true": targets.check_true,
    "check contrary": targets.check_contrary,
    "check nothing": targets.check_nothing,
    "drugs of a protein": targets.list_drugs,
    "proteins of a drug": targets.list_proteins,
    "count drugs": targets.count_drugs,
    "count proteins": targets.count_proteins,
    "other drugs": targets.exclude_drug,
    "other proteins": targets.exclude_protein,
    "negated": targets.negated,
    "acts on a drug": targets.direction_drug,
    "protein acts": targets.direction_protein,
    "compare drugs": targets.compare_drugs,
    "shared targets": targets.shared_targets,
    "both proteins": targets.both_proteins,
    "either protein": targets.either_proteins,
    "relation": interactions.relation,
    "relation nothing": interactions.relation_nothing,
    "interaction yes": interactions.interaction_yes,
    "interaction nothing": interactions.interaction_nothing,
    "effect yes": interactions.effect_yes,
    "effect other": interactions.effect_other,
    "pairs of an effect": interactions.effect_pairs,
    "partner of an effect": interactions.effect_partner,
    "partners of a drug": interactions.partners,
    "molecular": interactions.molecular_list,
    "class yes": others.class_yes,
    "class unknown": others.class_unknown,
    "class members": others.class_members,
    "class and relation": others.class_list,
    "pathways of a protein": others.pathways_of_protein,
    "participants": others.participants,
    "pathway yes": others.pathway_yes,
    "pathway nothing": others.pathway_nothing,
    "pathways of a drug": others.pathways_of_drug,
    "label section": others.label_section,
    "property": others.property_in,
    "property not there": others.property_out,
    "absent drug": others.absent_drug,
    "absent protein": others.absent_protein,
    "absent effect": others.absent_effect,
    "stranger": others.stranger,
    "outside": others.outside,
    "polite": frames.polite,
    "long text": frames.long_text,
    "lower case": frames.lower,
    "brand": frames.brand,
    "alias": frames.alias,
    "everyday name": frames.everyday,
    "misspelt": frames.misspelt,
    "foreign": frames.foreign,
}
# Where nothing is known of what is named, and where what is named is not known.
WITHOUT_FACT = ("check nothing", "relation nothing", "interaction nothing", "effect other", "pathway nothing")
ABSENT = ("absent drug", "absent protein", "absent effect", "stranger")


@dataclass(frozen=True, slots=True)
class Making:
    """The questions, and the kinds that the graph has too little for: kind and how many there are."""

    questions: tuple[Question, ...]
    short: Mapping[str, int] = field(default_factory=dict)


def make_questions(
    graph: Graph,
    names: Names,
    wordings: WordingSet,
    *,
    kinds: Sequence[str] = (),
    per_kind: int = PER_KIND,
    seed: int = 0,
    tell: Callable[[str], None] = lambda _: None,
) -> Making:
    """`per_kind` questions of each kind, the same for the same graph, wordings and seed.

    Raises InvalidRequest for an unknown kind, SourceError when the graph has facts for none.
    """
    if unknown := [kind for kind in kinds if kind not in KINDS]:
        raise InvalidRequest(
            f"There is no kind {', '.join(map(repr, unknown))}.",
            field="kind",
            remedy=f"There are: {', '.join(KINDS)}.",
        )
    made: list[Question] = []
    short: dict[str, int] = {}
    for kind in kinds or KINDS:
        found = _of_kind(kind, Draw.of(kind, seed, graph, names, wordings), per_kind)
        made += found
        if len(found) < per_kind:
            short[kind] = len(found)
            tell(f"{kind}: {len(found)} of {per_kind} questions, the graph has no more to ask about.")
    if not made:
        raise SourceError("The graph has nothing to ask about in these kinds.")
    return Making(tuple(made), short)


def _of_kind(kind: str, draw: Draw, count: int) -> list[Question]:
    found: dict[str, Question] = {}
    for _ in range(_TRIES * count):
        if len(found) == count:
            break
        draw.turn = len(found)
        try:
            text, gold = KINDS[kind](draw)
        except Unnamed:
            continue
        id_ = f"{draw.wordings.id}/{kind.replace(' ', '-')}/{len(found) + 1}"
        found.setdefault(text, Question(id=id_, kind=kind, question=text, gold=gold))
    return list(found.values())
