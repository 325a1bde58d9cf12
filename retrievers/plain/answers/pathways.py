"""Questions about pathways and reactions, answered from Reactome's facts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from retrievers.hits import EntityRef, Filters
from retrievers.plain.answers.gathering import Gathering, Support, common, united
from retrievers.plain.answers.replies import CURATED, DIRECT, WIDE, Replies
from retrievers.plain.facts import Facts
from retrievers.plain.names.linker import Linker, Sense, Span
from retrievers.plain.names.vocabulary import ordinary_words
from retrievers.plain.names.words import Token
from retrievers.plain.question.elements import Slot
from retrievers.plain.question.frame import YES_NO
from retrievers.plain.question.reading import Reading
from retrievers.plain.records import NOT_UNDERSTOOD, PlainAnswer
from retrievers.snapshot import Snapshot

PARTICIPATES = "participates in"
_LABELS = {"Pathway": "pathway", "Reaction": "reaction", "Chemical": "chemical", "PhysicalEntity": "chemical"}
_THINGS = ("chemical", "protein", "family", "absent_protein", "drug", "absent_drug")
_PATHWAY_WORDS = frozenset(
    (
        *(
            "signaling",
            "signalling",
            "events",
            "cascade",
            "metabolism",
            "biosynthesis",
            "synthesis",
            "degradation",
        ),
        *("transport", "cycle", "translocation", "phosphorylation", "formation", "regulation", "assembly"),
        *("transcription", "translation", "repair", "glycolysis", "apoptosis"),
    )
)
_NOUNS = frozenset(
    ("pathway", "pathways", "reaction", "reactions", "reactome", "process", "cascade", "called", "named")
)
# What a thing may do in a reaction: the names of relations, and whether the reaction is the head.
_PARTS = {
    "produce": (("produces",), True),
    "consume": (("consumes",), True),
    "catalyze": (("catalyzes",), False),
    "regulate": (
        ("regulates", "regulates by activation", "regulates by inhibition", "regulates as a requirement"),
        False,
    ),
    "inhibit": (("regulates by inhibition",), False),
    "activate": (("regulates by activation", "regulates as a requirement"), False),
}


class Reactome:
    """Reactome's facts and names. Safe to share."""

    def __init__(self, snapshot: Snapshot, main: Linker, known: dict[int, str]) -> None:
        """`main`: the linker of the other graph; `known`: UniProt CURIEs of its proteins by their places."""
        self.snapshot, self._main, self._known = snapshot, main, known
        self.facts = Facts(snapshot)
        self._linker = Linker(ordinary_words())
        self._places = {entity.id: at for at, entity in enumerate(snapshot.entities)}
        self._called: dict[str, list[int]] = defaultdict(list)
        self._relations: dict[str, set[int]] = defaultdict(set)
        for at, entity in enumerate(snapshot.entities):
            kind = _LABELS.get(entity.label)
            if kind is not None:
                for name in (entity.name, *entity.synonyms):
                    self._linker.add(name, kind, at)
            if entity.label == "PhysicalEntity":
                self._called[entity.name.casefold()].append(at)
        for at, relation in enumerate(snapshot.relations):
            self._relations[relation.name].add(at)

    def has(self, entity_id: str) -> bool:
        """Whether Reactome has a thing, by its id."""
        return entity_id in self._places

    def link(self, text: str, tokens: Sequence[Token], sure: frozenset[int] = frozenset()) -> list[Span]:
        """Names of both graphs: the longer one where two overlap, all meanings where they are equal."""
        mine = [it for it in self._linker.link(text, tokens, sure) if self._meant(text, tokens, it)]
        found: list[Span] = []
        for span in self._main.link(text, tokens, sure):
            over = [it for it in mine if it.start < span.end and span.start < it.end]
            if any(it.end - it.start > span.end - span.start for it in over):
                continue
            senses: tuple[Sense, ...] = span.senses
            for it in over:
                mine.remove(it)
                if (it.start, it.end) == (span.start, span.end):
                    senses = (*senses, *it.senses)
            found.append(Span(span.start, span.end, senses))
        return sorted([*found, *mine], key=lambda it: it.start)

    def _meant(self, text: str, tokens: Sequence[Token], span: Span) -> bool:
        """Ordinary words are names of pathways only beside the word pathway, or in quotation marks."""
        kinds = {it.kind for it in span.senses}
        if (
            span.end - span.start > 1
            or "chemical" in kinds
            or tokens[span.start].text not in ordinary_words()
        ):
            return True
        near = {tokens[at].text for at in (span.start - 1, span.end) if 0 <= at < len(tokens)}
        before = text[: tokens[span.start].start].rstrip(" ")[-1:]
        return bool(near & _NOUNS) or (before in "\"'“‘«" and before != "")

    def places(self, slot: Slot, *kinds: str) -> list[int]:
        """The things of Reactome that a name means."""
        found: dict[int, None] = {}
        for sense in slot.senses:
            if sense.kind not in kinds:
                continue
            if sense.kind in {"pathway", "reaction", "chemical"}:
                found[sense.place] = None
            else:
                targets = sense.target if isinstance(sense.target, tuple) else (sense.target,)
                for target in targets:
                    known = self._known.get(target) if isinstance(target, int) else target
                    if known in self._places:
                        found[self._places[str(known)]] = None
        return list(found)

    def references(self, slot: Slot, main: Gathering) -> tuple[EntityRef, ...]:
        """What a name means, as entities are shown."""
        if slot.kind in {"pathway", "reaction", "chemical"}:
            return tuple(self.snapshot.entities[at].reference for at in self.places(slot, slot.kind))
        return main.references(slot)

    def bodies(self, slot: Slot) -> list[int]:
        """Physical entities of a name: those called so, and those called like the protein's gene."""
        found = dict.fromkeys(self.places(slot, *_THINGS))
        for at in list(found):
            entity = self.snapshot.entities[at]
            for name in (entity.name, entity.gene or "", entity.preferred_name):
                found.update(dict.fromkeys(self._called.get(name.casefold(), ())))
        return list(found)

    def triples(self, ends: Iterable[int], relations: Iterable[str], *, heads: bool) -> Support:
        """What has some relations with some things: by the other end."""
        allowed = {at for name in relations for at in self._relations.get(name, ())}
        found: Support = defaultdict(list)
        for end in ends:
            for triple in self.facts.from_head(end) if heads else self.facts.to_tail(end):
                if int(self.snapshot.relation_of[triple]) in allowed:
                    found[self.facts.other_end(int(triple), end)].append(int(triple))
        return found


def asks_for_pathways(reading: Reading) -> bool:
    """Whether a question speaks of pathways, reactions or Reactome."""
    words = {token.text for token in reading.elements.tokens}
    return bool(
        reading.has_cue("type", "pathway")
        or words & {"reactome", "pathway", "pathways"}
        or (words & {"reaction", "reactions"} and not reading.has_cue("type", "effect") and not reading.drugs)
        or reading.relations() & {"catalyze"}
    )


def speaks_like_pathway(reading: Reading) -> bool:
    """Whether a question has a word that many names of pathways and reactions have."""
    return any(token.text in _PATHWAY_WORDS for token in reading.elements.tokens)


def answer_pathways(
    reading: Reading, replies: Replies, main: Gathering, reactome: Reactome, filters: Filters
) -> PlainAnswer | None:
    """The answer from Reactome; None where the question is not one of those that are read."""
    own = Gathering(reactome.facts, main.classes, filters)
    replies = Replies(reading, own, lambda slot: reactome.references(slot, main))
    slots = reading.elements.slots
    pathways = [it for it in slots if reactome.places(it, "pathway")]
    reactions = [it for it in slots if it not in pathways and reactome.places(it, "reaction")]
    things = [
        it for it in slots if it not in pathways and it not in reactions and it not in reading.frame.excluded
    ]
    wanted = (reading.frame.wanted or "").partition(":")[0]
    values = reading.relations()
    part = next(
        (
            name
            for name in ("catalyze", "consume", "produce", "regulate", "inhibit", "activate")
            if name in values
        ),
        None,
    )
    about_reactions = wanted == "reaction" or reactions or "catalyze" in values
    replies.use([*pathways, *reactions, *things])
    leftover = reading.leftover(
        relations=frozenset({"participate", "connect", "act", "class", part or ""})
        | ({"cause"} if part == "produce" else set())
    )
    if reading.frame.negative:
        understood = replies.understood("pathway", (), (), leftover=leftover)
        return replies.nothing(
            understood,
            "absence of a fact is no fact: what does not take part is not known",
            reason=NOT_UNDERSTOOD,
        )
    if about_reactions and part is not None:
        return _reactions(replies, reactome, reactions, things, part, leftover)
    if pathways and things and reading.frame.kind == YES_NO:
        return _takes_part(replies, own, reactome, things, pathways, leftover)
    if pathways and not things:
        understood = replies.understood("pathway", (), pathways, relation=PARTICIPATES, leftover=leftover)
        found = united(
            [reactome.triples(reactome.places(it, "pathway"), [PARTICIPATES], heads=False) for it in pathways]
        )
        if wanted == "protein":
            found = {at: it for at, it in found.items() if reactome.snapshot.entities[at].label == "Protein"}
        elif wanted == "drug":
            found = {at: it for at, it in found.items() if reactome.snapshot.entities[at].label == "Chemical"}
        return replies.listing(
            understood,
            found,
            CURATED,
            f"no direct participant of {_names(replies, pathways)} is in the graph",
        )
    if things and not pathways:
        return _pathways_of(reading, replies, main, reactome, things, leftover)
    return None


def _pathways_of(
    reading: Reading,
    replies: Replies,
    main: Gathering,
    reactome: Reactome,
    things: Sequence[Slot],
    leftover: tuple[str, ...],
) -> PlainAnswer:
    names = _names(replies, things)
    frame = reading.frame
    plural = any(token.text == "pathways" for token in reading.elements.tokens) and not leftover
    if frame.kind == YES_NO and frame.quantifier != "any" and not plural:
        understood = replies.understood("yes_no", things, (), relation=PARTICIPATES, leftover=leftover)
        return replies.nothing(understood, "no pathway that Reactome has is named")
    drugs = [it for it in things if it.kind == "drug"]
    if drugs:
        understood = replies.understood("paths", drugs, (), relation=PARTICIPATES, leftover=leftover)
        several = []
        for drug in drugs:
            targets = main.acting(main.places(drug), _said_of_targets(reading, drug), tails=False)
            proteins = [Slot(0, 1, (Sense("protein", at),)) for at in targets]
            places = [at for it in proteins for at in reactome.places(it, "protein")]
            several.append(reactome.triples(places, [PARTICIPATES], heads=True))
        replies.note(
            f"pathways of the proteins that {names} acts on; no source says that the drug affects them"
        )
        return replies.listing(
            understood, united(several), WIDE, f"no pathway of a target of {names} is in the graph"
        )
    understood = replies.understood("pathway", things, (), relation=PARTICIPATES, leftover=leftover)
    several = [reactome.triples(reactome.places(it, *_THINGS), [PARTICIPATES], heads=True) for it in things]
    shared = len(several) > 1 and reading.frame.quantifier == "both"
    found = common(several) if shared else united(several)
    return replies.listing(understood, found, DIRECT, f"no pathway of {names} is in the graph")


def _said_of_targets(reading: Reading, drug: Slot) -> str | None:
    """The relation to the targets; what a drug does to a pathway is no fact of it."""
    words = {token.text for token in reading.elements.tokens}
    return reading.polarity_of(drug) if words & {"target", "targets", "protein", "proteins"} else None


def _takes_part(
    replies: Replies,
    own: Gathering,
    reactome: Reactome,
    things: Sequence[Slot],
    pathways: Sequence[Slot],
    leftover: tuple[str, ...],
) -> PlainAnswer:
    understood = replies.understood("yes_no", things, pathways, relation=PARTICIPATES, leftover=leftover)
    ends = {at for it in pathways for at in reactome.places(it, "pathway")}
    found = [
        triple
        for it in things
        for at, support in reactome.triples(reactome.places(it, *_THINGS), [PARTICIPATES], heads=True).items()
        if at in ends
        for triple in support
    ]
    sentence = f"{_names(replies, things)} takes part in {_names(replies, pathways)}"
    if found:
        return replies.verdict(understood, "yes", sentence, own.told(found), DIRECT)
    return replies.nothing(understood, f"no fact says that {sentence}; that is no proof of the contrary")


def _reactions(
    replies: Replies,
    reactome: Reactome,
    reactions: Sequence[Slot],
    things: Sequence[Slot],
    part: str,
    leftover: tuple[str, ...],
) -> PlainAnswer:
    relations, reaction_first = _PARTS[part]
    if reactions:
        understood = replies.understood("pathway", (), reactions, relation=relations[0], leftover=leftover)
        places = [at for it in reactions for at in reactome.places(it, "reaction")]
        found = reactome.triples(places, relations, heads=reaction_first)
        return replies.listing(
            understood, found, CURATED, f"no fact says what {relations[0]} in {_names(replies, reactions)}"
        )
    understood = replies.understood("pathway", things, (), relation=relations[0], leftover=leftover)
    several = [reactome.triples(reactome.bodies(it), relations, heads=not reaction_first) for it in things]
    found = united(several)
    return replies.listing(
        understood, found, CURATED, f"no reaction with {_names(replies, things)} in this role is in the graph"
    )


def _names(replies: Replies, slots: Sequence[Slot]) -> str:
    return ", ".join(replies.reading.elements.written(it) for it in slots)
