"""Which answer a reading gets: rules in order, the first that answers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from retrievers.plain.answers import declining, effects, lists, pairs
from retrievers.plain.answers.asked import Asked
from retrievers.plain.answers.labels import answer_from_label
from retrievers.plain.answers.own_facts import answer_own
from retrievers.plain.answers.properties import answer_property, not_in_graph
from retrievers.plain.answers.without_fact import without_fact
from retrievers.plain.question.cues import Cue
from retrievers.plain.question.elements import Slot
from retrievers.plain.question.frame import COMPARE, RELATION, YES_NO
from retrievers.plain.question.reading import TARGETING, Reading, is_superlative
from retrievers.plain.records import PlainAnswer

# Topics of labels that facts of the graph may be meant by.
_SHARED = frozenset(
    (
        "adverse",
        "interactions",
        "mechanism",
    )
)
_PEOPLE = frozenset(("pregnancy", "lactation", "pediatric", "geriatric", "renal", "hepatic"))
_ACTING = frozenset(("inhibit", "activate", "bind", "combine", "molecular"))
_MOST_NAMES = 12
_BOUND = TARGETING - {"act"}
_TOGETHER = frozenset(("combine", "molecular", "cause"))
Rule = Callable[[Asked], PlainAnswer | None]


def choose(asked: Asked) -> PlainAnswer | None:
    """The answer, or None where the ranking has to find one."""
    if asked.arguments > _MOST_NAMES:
        asked.replies.note(f"more than {_MOST_NAMES} names are not read together")
        return declining.half_read(asked)
    if not asked.reading.elements.slots:
        return declining.nameless(asked)
    for rule in _RULES:
        answer = rule(asked)
        if answer is not None:
            return answer
    return None


def _label(asked: Asked) -> PlainAnswer | None:
    reading = asked.reading
    named = [*asked.products, *asked.drugs]
    if len(named) != 1 or asked.classes or asked.proteins:
        return None
    spoken = reading.has_cue("label")
    if not spoken and reading.has_cue("prop", "weight", "formula", "smiles"):
        return None
    # "How much does it cost" is no question about a dose.
    topics = [] if reading.has_cue("noprop") and not spoken else reading.values("section")
    own = [it for it in topics if it not in _SHARED]
    # "Is it safe in pregnancy" speaks of no other drug.
    acting = set() if set(own) & _PEOPLE else asked.relations & _ACTING
    labelled = bool(asked.labels.of(named[0]))
    asks = (topics or spoken) if labelled else (own or spoken) and not acting
    if not asks or (acting and not own and not spoken):
        return None
    return answer_from_label(reading, asked.replies, asked.gathering, asked.labels, named, own or topics)


def _of_label_only(asked: Asked) -> PlainAnswer | None:
    """A question that joins what only a label tells of with something else."""
    if not asked.products or asked.arguments < 2:
        return None
    replies = asked.replies
    replies.use(asked.reading.elements.slots)
    names = ", ".join(map(replies.called, asked.products))
    understood = replies.understood("other", asked.reading.elements.slots, ())
    return replies.nothing(understood, f"the graph knows {names} by its label only, and has no facts of it")


def _property(asked: Asked) -> PlainAnswer | None:
    reading = asked.reading
    head = _asked_noun(reading)
    if head is not None and head.has("noprop") and not head.has("rel", "harmless"):
        return not_in_graph(asked.replies, reading.elements.slots, str(head.value("noprop")))
    if asked.relations & _ACTING or (asked.relations & TARGETING and not reading.has_cue("prop", "noprop")):
        return None
    things = [*asked.drugs, *asked.proteins]
    if reading.has_cue("prop") and things and not asked.effects:
        return answer_property(reading, asked.replies, asked.gathering, things)
    missing = reading.values("noprop") or reading.values("prop_metab")
    if missing and len(things) + len(asked.products) < 2:
        return not_in_graph(asked.replies, reading.elements.slots, missing[0])
    return None


def _asked_noun(reading: Reading) -> Cue | None:
    """What a question word asks for at once: "what is the half-life", "where … expressed"."""
    row = reading.elements.row
    lead = next(
        (at for at, it in enumerate(row) if isinstance(it, Cue) and it.has("wh", "how", "whowhere")), None
    )
    if lead is None:
        return None
    for it in row[lead:]:
        if not isinstance(it, Cue):
            break
        if it.has("noprop"):
            return it
        if not it.has("wh", "how", "whowhere", "aux", "func", "of", "harmless", "all", "any"):
            break
    where = reading.elements.tokens[row[lead].start].text == "where"
    return next((it for it in reading.elements.cues if it.has("noprop")), None) if where else None


def _beyond(asked: Asked) -> PlainAnswer | None:
    """What facts do not say: which is best or strongest, why, how much, in which animal."""
    reading = asked.reading
    words = [
        reading.elements.written(it)
        for it in reading.elements.cues
        if it.has("beyond") and it.start not in reading.frame.used
    ]
    words += [reading.elements.written(it) for it in reading.elements.words if is_superlative(it.text)]
    restricting = [
        it
        for it in reading.elements.cues
        if it.has("noprop") and not it.has("rel", "harmless", "type", "section", "prop")
    ]
    if restricting and asked.arguments and not words:
        return not_in_graph(asked.replies, reading.elements.slots, str(restricting[0].value("noprop")))
    if not words:
        return None
    asked.replies.note(f"facts of the graph do not say {', '.join(repr(it) for it in words)}")
    return declining.half_read(asked)


def _decided(asked: Asked) -> PlainAnswer | None:
    """Yes or no, and how two things are related."""
    asks = asked.kind == YES_NO and not asked.reading.frame.existential
    if not asks and not (asked.kind == RELATION and asked.arguments > 1):
        return None
    return _of_all_named(asked) or _of_any(asked) or declining.half_read(asked)


def _of_all_named(asked: Asked) -> PlainAnswer | None:
    parts = asked.reading, asked.replies, asked.gathering
    drugs, proteins, classes = asked.drugs, asked.proteins, asked.classes
    acting = [*drugs, *classes]
    member = drugs and classes and not asked.effects and not asked.relations & _TOGETHER
    if (
        proteins
        and acting
        and not (member and "class" in asked.relations and not asked.relations & TARGETING)
    ):
        return pairs.on_protein(*parts, drugs or classes, proteins)
    if asked.effects and len(acting) < 2:
        return effects.with_effect(*parts)
    if member:
        return pairs.membership(*parts, drugs, classes)
    if len(acting) < 2:
        return declining.presence(asked)
    return _in_common(asked) or pairs.drugs_together(*parts, acting)


def _in_common(asked: Asked) -> PlainAnswer | None:
    """Whether drugs have the same targets or classes."""
    if asked.classes or "combine" in asked.relations:
        return None
    parts = asked.reading, asked.replies, asked.gathering
    shares = _words(asked) & {"common", "share", "shared", "overlap"} and not asked.relations - {"connect"}
    if shares or "target" in _words(asked) or asked.reading.has_cue("type", "protein"):
        return lists.targets_of(*parts)
    return lists.classes_of(*parts) if asked.reading.has_cue("type", "class") else None


def _words(asked: Asked) -> set[str]:
    return {token.text.rstrip("s") for token in asked.reading.elements.tokens}


def _of_any(asked: Asked) -> PlainAnswer | None:
    doers = (
        asked.proteins
        and not asked.drugs
        and any(
            cue.form == "agent" and set(cue.values("rel")) & TARGETING for cue in asked.reading.elements.cues
        )
    )
    if not asked.reading.has_cue("any") and not asked.reading.frame.none and not doers:
        return None
    parts = asked.reading, asked.replies, asked.gathering
    if asked.drugs and (asked.relations & TARGETING or asked.reading.has_cue("type", "protein")):
        return lists.targets_of(*parts)
    if asked.drugs or asked.proteins or asked.classes:
        return lists.drugs_for(*parts)
    return None


def _effect(asked: Asked) -> PlainAnswer | None:
    if asked.effects and len(asked.drugs) < 2:
        return effects.with_effect(asked.reading, asked.replies, asked.gathering)
    return None


def _class(asked: Asked) -> PlainAnswer | None:
    if not asked.drugs or asked.proteins or asked.classes:
        return None
    if asked.wanted == "class" or ("class" in asked.relations and asked.wanted is None):
        return lists.classes_of(asked.reading, asked.replies, asked.gathering)
    return None


def _several_drugs(asked: Asked) -> PlainAnswer | None:
    if len(asked.drugs) < 2 or asked.proteins:
        return None
    parts = asked.reading, asked.replies, asked.gathering
    acting = TARGETING if asked.wanted is None and asked.reading.has_cue("wh") else _BOUND
    bound = asked.relations & acting and "combine" not in asked.relations
    if asked.kind == COMPARE or asked.wanted == "protein" or bound or "target" in _words(asked):
        return lists.targets_of(*parts)
    if asked.wanted in {"drug", "partner"}:
        return lists.drugs_for(*parts)
    return pairs.drugs_together(*parts, asked.drugs)


def _drug_and_protein(asked: Asked) -> PlainAnswer | None:
    if asked.drugs and asked.proteins and asked.wanted != "drug":
        return pairs.on_protein(asked.reading, asked.replies, asked.gathering, asked.drugs, asked.proteins)
    return None


def _one_drug(asked: Asked) -> PlainAnswer | None:
    if not asked.drugs or asked.proteins:
        return None
    parts = asked.reading, asked.replies, asked.gathering
    if asked.wanted == "effect" and not asked.classes:
        return effects.effects_of(*parts)
    if asked.wanted == "protein":
        return lists.targets_of(*parts)
    if (
        asked.wanted in {"drug", "pair", "partner"}
        or asked.relations & {"combine", "molecular"}
        or asked.classes
    ):
        return lists.drugs_for(*parts)
    if asked.relations & TARGETING:
        return lists.targets_of(*parts)
    return effects.effects_of(*parts) if "cause" in asked.relations else lists.everything_about(*parts)


def _classes_only(asked: Asked) -> PlainAnswer | None:
    if not asked.classes or asked.proteins or asked.drugs:
        return None
    parts = asked.reading, asked.replies, asked.gathering
    if asked.wanted == "protein" or (asked.relations & _BOUND and asked.wanted is None):
        return lists.targets_of(*parts)
    if len(asked.classes) > 1 and asked.relations & _TOGETHER and asked.wanted != "drug":
        return pairs.drugs_together(*parts, asked.classes)
    return lists.drugs_for(*parts)


def _protein(asked: Asked) -> PlainAnswer | None:
    if not asked.proteins:
        return None
    if asked.wanted == "protein" and not _drug_targets(asked):
        return declining.between_proteins(asked)
    return lists.drugs_for(asked.reading, asked.replies, asked.gathering)


def _drug_targets(asked: Asked) -> bool:
    """Whether "drug targets X" is a drug that targets it."""
    row = asked.reading.elements.row
    for one, other in pairwise(row):
        if isinstance(one, Cue) and one.value("type") == "protein" and isinstance(other, Slot):
            return asked.reading.elements.tokens[one.start].text == "drug"
    return False


_RULES: tuple[Rule, ...] = (
    answer_own,
    _label,
    _of_label_only,
    _property,
    declining.absent,
    declining.stranger,
    without_fact,
    _beyond,
    declining.unreported,
    _decided,
    _effect,
    _class,
    _several_drugs,
    _drug_and_protein,
    _one_drug,
    _classes_only,
    _protein,
)
