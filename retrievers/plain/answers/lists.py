"""Questions for what is not named: lists, counts, and whether there is any."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from retrievers.plain.answers.contacts import contacts
from retrievers.plain.answers.gathering import Gathering, Support, common, united, without
from retrievers.plain.answers.replies import (
    CURATED,
    DIRECT,
    MODEL,
    NO_SAFETY,
    SIGNAL,
    UNREAD,
    WIDE,
    Replies,
)
from retrievers.plain.facts import TARGET
from retrievers.plain.question.cues import Cue
from retrievers.plain.question.elements import Slot
from retrievers.plain.question.frame import YES_NO
from retrievers.plain.question.reading import POLAR, PROTEINS, TARGETING, Reading
from retrievers.plain.records import NOT_UNDERSTOOD, Item, PlainAnswer

COMBINING = frozenset(("combine", "cause", "connect"))
_NEGATED = "absence of a fact is no fact: what does not act on something is not known"


def drugs_for(reading: Reading, replies: Replies, gathering: Gathering) -> PlainAnswer:
    """Drugs that act on proteins, interact with drugs and are members of classes: what is asked of these."""
    frame = reading.frame
    proteins, drugs = reading.proteins, reading.drugs
    heads = head_classes(reading)
    if drugs and not proteins and frame.wanted != "drug":
        heads = reading.classes
    argued = [it for it in reading.classes if it not in heads]
    replies.use([*proteins, *drugs, *reading.classes, *reading.effects])
    relations = [reading.polarity_of(it) or "act" for it in proteins]
    accounted: set[str] = {"class", *relations}
    if proteins and not set(relations) & POLAR:
        accounted |= {"act", "bind", "combine", "connect", "participate"}
    if proteins and set(relations) & POLAR:
        accounted |= {"bind"}
    partners = [*drugs, *argued]
    if partners:
        accounted |= COMBINING
    molecular = "molecular" in reading.relations()
    if molecular:
        accounted |= {"molecular", "produce", "bind"}
    roles = frozenset({"neg"}) if frame.none and frame.kind == YES_NO else frozenset[str]()
    leftover = reading.leftover(relations=frozenset(accounted), roles=roles)
    understood = replies.understood(
        "list" if frame.kind != "count" else "count",
        heads, [*proteins, *partners, *reading.effects],
        relation=relations[0] if relations else "interact" if partners else None,
        direction="forward" if proteins else None, leftover=leftover,
    )  # fmt: skip
    nothing = _reversed(reading, replies, leftover)
    if nothing is not None:
        return nothing
    if frame.negative and not (frame.none and frame.kind == YES_NO):
        return _negated(reading, replies, gathering, heads=heads)
    several = [
        gathering.acting(gathering.places(it), relation, tails=True)
        for it, relation in zip(proteins, relations, strict=True)
    ]
    effects = [sense.place for it in reading.effects for sense in it.best]
    kinds = ("MOLECULAR",) if molecular else ("DDI",)
    effects = effects or sorted(contacts(reading, gathering.facts.snapshot.relations))
    joined = [gathering.partners(gathering.places(it), kinds, effects) for it in partners]
    found = _meeting(reading, several, joined, _members(reading, gathering, heads))
    gone = excluded_drugs(reading, gathering, relations[0] if relations else None, partners=bool(partners))
    gone.extend(at for it in drugs for at in gathering.places(it))
    found = without(found, gone)
    alone = len(proteins) > 1 and not found and not joined and not heads
    if alone:
        found = without(united(several), gone)
        replies.note("no drug acts on all of them: those that act on one")
    if len(proteins) == 1 and len(proteins[0].best) > 1:
        replies.note(f"{replies.called(proteins[0])} is the name of several proteins: all are searched")
    base = MODEL if molecular else SIGNAL if partners else CURATED if heads and not proteins else DIRECT
    if any(len(it.best) > 1 for it in proteins) or (proteins and not reading.says_how()):
        base = min(base, WIDE)
    if alone:
        base = UNREAD[1]
    what = ", ".join(replies.called(it) for it in (*heads, *proteins, *partners, *reading.effects))
    tail = f"; {NO_SAFETY}" if partners else ""
    return replies.listing(understood, found, base, f"no fact of that kind is in the graph ({what}){tail}")


def _meeting(
    reading: Reading, acting: Sequence[Support], partners: Sequence[Support], members: Support | None
) -> Support:
    """The drugs that meet all conditions; with "or", those that meet one of them."""
    conditions = [*acting, *partners]
    if conditions and reading.frame.quantifier == "either":
        conditions = [united(conditions)]
    return common(conditions if members is None else [*conditions, members])


def _members(reading: Reading, gathering: Gathering, heads: Sequence[Slot]) -> Support | None:
    """The members of the classes that are asked for: of any where they are coordinated, else of all."""
    if not heads:
        return None
    sets = [gathering.members(it) for it in heads]
    elements = reading.elements
    listed = all(
        elements.between(one, other).strip(" ,").casefold()
        in {"", "and", "or", "and the", "or the", "and/or"}
        for one, other in pairwise(heads)
    )
    return united(sets) if listed else common(sets)


def _reversed(reading: Reading, replies: Replies, leftover: tuple[str, ...]) -> PlainAnswer | None:
    """What acts on a drug, or what a protein acts on: the graph has no such facts."""
    proteins, drugs = reading.proteins, reading.drugs
    names = ", ".join(map(replies.called, (*proteins, *drugs)))
    understood = replies.understood("list", proteins, drugs, direction="backward", leftover=leftover)
    if reading.against_the_grain():
        return replies.nothing(
            understood,
            "the graph knows what drugs act on, and nothing of what acts on a drug "
            f"or of what a protein acts on ({names})",
        )
    if drugs and not proteins and asked_polar(reading):
        return replies.nothing(understood, f"the graph has no fact of one drug acting on another ({names})")
    return None


def asked_polar(reading: Reading) -> bool:
    """Whether a drug is said to inhibit or activate, and nothing to interact."""
    values = reading.relations()
    return bool(values & POLAR) and not values & {"combine", "cause", "molecular"}


def _negated(
    reading: Reading, replies: Replies, gathering: Gathering, *, heads: Sequence[Slot]
) -> PlainAnswer:
    understood = replies.understood(
        "list",
        heads,
        [*reading.proteins, *reading.drugs],
        leftover=reading.leftover(relations=TARGETING | COMBINING, roles=frozenset({"neg"})),
    )
    if not heads or not (reading.proteins or reading.drugs):
        return replies.nothing(understood, _NEGATED, reason=NOT_UNDERSTOOD)
    members = common([gathering.members(it) for it in heads])
    gone: list[int] = []
    for it in reading.proteins:
        gone.extend(gathering.acting(gathering.places(it), reading.polarity_of(it), tails=True))
    for it in reading.drugs:
        gone.extend([*gathering.places(it), *gathering.partners(gathering.places(it), ("DDI",))])
    replies.note("members of the class without such a fact; that is no proof of the contrary")
    return replies.listing(understood, without(members, gone), WIDE, _NEGATED)


def head_classes(reading: Reading) -> list[Slot]:
    """Classes whose members are asked for ("which SSRIs …"); the others are arguments ("with opioids")."""
    found: list[Slot] = []
    row = reading.elements.row
    classes = reading.classes
    if not classes:
        return []
    others = reading.proteins or reading.drugs or reading.effects
    if (
        not others
        and reading.frame.wanted in {None, "drug"}
        and not reading.relations() & {"combine", "cause", "molecular"}
    ):
        return classes
    for one, other in pairwise([it for it in row if not (isinstance(it, Cue) and it.has("of", "func"))]):
        if isinstance(one, Cue) and one.has("wh") and isinstance(other, Slot) and other in classes:
            return [other]
    for at, it in enumerate(row):
        if isinstance(it, Slot):
            if it.kind == "class" and it in classes and not _argued(reading, at):
                found.append(it)
            elif it.kind != "class":
                break
        elif (
            isinstance(it, Cue)
            and it.has("rel")
            and not it.has("func", "harmless", "polite", "of", "both", "with")
            and found
        ):
            break
    return found


def _argued(reading: Reading, at: int) -> bool:
    """Whether a class stands behind a preposition or a relation, so that it is what something is done to."""
    row, elements = reading.elements.row, reading.elements
    for place in range(at - 1, -1, -1):
        it = row[place]
        if isinstance(it, Slot):
            return False
        if not isinstance(it, Cue):
            continue
        text = elements.tokens[it.start].text
        if text in {"and", "or"} and place and isinstance(row[place - 1], Slot):
            return row[place - 1] not in reading.classes or _argued(reading, place - 1)
        if it.has("with") or text in {"to", "on", "from", "between"}:
            return True
        if it.has("wh", "count", "all", "any", "polite"):
            return False
        if it.has("rel") and "class" not in it.values("rel") and not it.has("harmless"):
            return it.form not in {"noun", "agent"} or text.startswith("interaction")
    return False


def excluded_drugs(
    reading: Reading, gathering: Gathering, relation: str | None, *, partners: bool
) -> list[int]:
    """Drugs that a question leaves out: named ones, members of classes, what acts on a protein left out."""
    gone: list[int] = []
    for it in reading.frame.excluded:
        if it.kind in PROTEINS:
            gone.extend(
                gathering.acting(gathering.places(it), reading.polarity_of(it) or relation, tails=True)
            )
        elif it.kind in {"drug", "class"}:
            gone.extend(gathering.places(it))
            if partners and _with_before(reading, it):
                gone.extend(gathering.partners(gathering.places(it), ("DDI",)))
    return gone


def _with_before(reading: Reading, slot: Slot) -> bool:
    """Whether a name is left out as a partner: "but not with B" leaves out the partners of B."""
    row = reading.elements.row
    at = row.index(slot)
    before = row[at - 1] if at else None
    return isinstance(before, Cue) and (
        before.has("with") or "combine" in before.values("rel") or "act" in before.values("rel")
    )


def targets_of(reading: Reading, replies: Replies, gathering: Gathering) -> PlainAnswer:
    """Proteins that drugs act on."""
    frame = reading.frame
    drugs = [*reading.drugs, *reading.classes]
    replies.use(drugs)
    relations = [reading.polarity_of(it) or "act" for it in drugs]
    accounted = {"connect", *relations}
    if not set(relations) & POLAR:
        accounted |= {"act", "bind", "combine"}
    else:
        accounted |= {"bind"}
    leftover = reading.leftover(relations=frozenset(accounted))
    understood = replies.understood(
        frame.kind if frame.kind in {"count", "compare"} else "list", drugs, (),
        relation=relations[0], direction="forward", leftover=leftover,
    )  # fmt: skip
    names = ", ".join(replies.called(it) for it in drugs)
    if reading.against_the_grain():
        return replies.nothing(
            replies.understood(
                "list", (), drugs, relation=relations[0], direction="backward", leftover=leftover
            ),
            f"the graph knows what {names} acts on, and nothing of what acts on it",
        )
    if frame.negative:
        return replies.nothing(understood, _NEGATED, reason=NOT_UNDERSTOOD)
    several = [
        gathering.acting(gathering.places(it), relation, tails=False)
        for it, relation in zip(drugs, relations, strict=True)
    ]
    shared = len(several) > 1 and _shared(reading)
    found = common(several) if shared else united(several)
    for it in frame.excluded:
        if it.kind in PROTEINS:
            found = without(found, gathering.places(it))
        elif it.kind in {"drug", "class"}:
            found = without(found, gathering.acting(gathering.places(it), relations[0], tails=False))
    found = _typed(found, frame.wanted, gathering)
    wide = any(it.kind == "class" for it in drugs)
    answer = replies.listing(
        understood, found, WIDE if wide else DIRECT, f"no fact says what {names} acts on in this way"
    )
    if len(several) > 1 and not shared and answer.items:
        replies.note(
            "; ".join(f"{replies.called(it)}: {len(one)}" for it, one in zip(drugs, several, strict=True))
        )
        both = common(several)
        shown = ", ".join(gathering.facts.entities[at].preferred_name for at in list(both)[:12])
        replies.note(f"in common: {shown}" if both else "nothing in common")
        answer = replies.listing(understood, found, WIDE if wide else DIRECT, "")
    return answer


def _shared(reading: Reading) -> bool:
    if reading.frame.kind == "yes_no":
        return True
    if reading.frame.kind == "compare" or reading.frame.quantifier == "either":
        return False
    texts = [token.text for token in reading.elements.tokens]
    if any(one == "all" and other == "of" and at > 2 for at, (one, other) in enumerate(pairwise(texts))):
        return True
    words = set(texts)
    if "lists" in words or "each" in words:
        return False
    also = {"also", "too", "likewise"} & words
    well = "as well as" in " ".join(texts) and words & {"that", "which", "who"}
    return bool(also or well or words & _COMMON)


_COMMON = frozenset(
    [
        "both",
        "common",
        "share",
        "shared",
        "shares",
        "same",
        "mutual",
        "overlap",
        "overlapping",
        "jointly",
        "sharing",
    ]
)
_TYPED = {
    "receptor": ("receptor",),
    "transporter": ("transporter", "carrier", "solute"),
    "channel": ("channel", "channels"),
    "kinase": ("kinase",),
    "enzyme": ("ase",),
}


def _typed(found: Support, wanted: str | None, gathering: Gathering) -> Support:
    """Only receptors where receptors are asked for, if the names say of any that it is one."""
    sort = (wanted or "").partition(":")[2]
    if not sort:
        return found
    ends = _TYPED[sort]
    kept = {}
    for at, support in found.items():
        entity = gathering.facts.entities[at]
        words = (
            " ".join((entity.preferred_name, entity.name, *entity.synonyms, *entity.aliases))
            .casefold()
            .split()
        )
        if any(word.strip(",()").endswith(ends) for word in words):
            kept[at] = support
    return kept or found


def classes_of(reading: Reading, replies: Replies, gathering: Gathering) -> PlainAnswer:
    """The classes of drugs."""
    drugs = reading.drugs
    replies.use(drugs)
    leftover = reading.leftover(relations=frozenset({"class", "participate"}))
    understood = replies.understood("class", drugs, (), relation="has role", leftover=leftover)
    found: dict[int, list[int]] = {}
    per_drug = [
        {
            gathering.classes.role_class(role): [~role]
            for at in gathering.places(it)
            for role in gathering.classes.of_drug(at)
        }
        for it in drugs
    ]
    found = common(per_drug) if len(drugs) > 1 and _shared(reading) else united(per_drug)
    items = tuple(
        Item(gathering.classes.reference(at), None, None, gathering.told(found[at]))
        for at in sorted(found, key=lambda it: gathering.classes.all[it].name)
    )
    names = ", ".join(replies.called(it) for it in drugs)
    return replies.items(understood, items, CURATED, f"the graph has no class of {names}")


def everything_about(reading: Reading, replies: Replies, gathering: Gathering) -> PlainAnswer:
    """All facts of one thing."""
    slots = [*reading.drugs, *reading.proteins]
    replies.use(slots)
    leftover = reading.leftover(relations=frozenset({"connect", "act"}))
    understood = replies.understood("facts", slots, (), leftover=leftover)
    if leftover:
        return replies.nothing(
            understood, "the names were read; what is asked of them was not", reason=NOT_UNDERSTOOD
        )
    found: Support = {}
    for it in slots:
        for place in gathering.places(it):
            for kind in (TARGET, ("DDI",), ("MOLECULAR", "FACT")):
                for triple in gathering.facts.allowed(
                    gathering.facts.of_entity(place, kind), gathering.filters
                ):
                    found.setdefault(gathering.facts.other_end(int(triple), place), []).append(int(triple))
    names = ", ".join(replies.called(it) for it in slots)
    return replies.listing(
        understood,
        found,
        WIDE,
        f"the graph has no fact of {names}",
    )
