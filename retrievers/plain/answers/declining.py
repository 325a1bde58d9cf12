"""Questions without an answer: what they name is unknown, absent, or not of the domain."""

from __future__ import annotations

from retrievers.plain.answers.asked import Asked
from retrievers.plain.answers.pairs import related_of
from retrievers.plain.answers.replies import CURATED, NO_SAFETY
from retrievers.plain.names.linker import Sense
from retrievers.plain.question.cues import Cue
from retrievers.plain.question.elements import Elements, Slot, Word
from retrievers.plain.question.frame import COMPARE, RELATION, YES_NO
from retrievers.plain.question.reading import with_slot
from retrievers.plain.records import NOT_IN_GRAPH, NOT_UNDERSTOOD, OUTSIDE, UNKNOWN_NAME, PlainAnswer

DESCRIPTION = 3  # words that nothing accounts for make a description
_STORED = frozenset(("graph", "database", "data", "dataset", "know", "known", "information", "included"))
_SHORT = 12  # runs; in a longer question words that are no name rather describe
_OUTSIDE = "nothing in the question is of the graph's domain"
# Beginnings of words that only this domain uses.
_DOMAIN = (
    "drug", "protein", "receptor", "medicin", "medicat", "enzym", "gene", "pathway", "inhibit",
    "antagonis", "agonis", "kinase", "transporter", "molecul", "ligand", "pharmac", "reactome", "dosage",
    "dose", "pregnan", "contraindicat", "blocker", "catalys", "catalyz", "biolog", "clinic", "patholog",
    "metabol", "toxic", "therap", "syndrome", "chemi", "reaction", "symptom", "tablet", "prescri",
    "antibiotic", "vitamin", "hormone", "vaccin", "disease",
)  # fmt: skip
_EVERYDAY = (
    "allow",
    "avoid",
    "danger",
    "safe",
    "problem",
    "worr",
    "conflict",
    "careful",
    "hazard",
    "tolerat",
    *("troubl", "bad", "good", "wise", "unwise", "keep", "kept", "concern", "sensibl", "acceptab", "advisab"),
)
_TELLING = frozenset(("inhibit", "activate", "bind", "act", "combine"))
_GENERAL = frozenset(
    ("general", "generally", "generation", "generations", "generate", "generated", "generous", "genesis")
)


def nameless(asked: Asked) -> PlainAnswer | None:
    """A question that names nothing; None where it describes something of the domain."""
    reading, replies = asked.reading, asked.replies
    strangers = reading.strangers()
    domain = _of_domain(reading.elements)
    left = reading.leftover(relations=frozenset(asked.relations))
    if not domain and (not strangers or len(left) >= DESCRIPTION):
        return replies.nothing(replies.understood("outside", leftover=left), _OUTSIDE, reason=OUTSIDE)
    if len(left) >= DESCRIPTION:
        return None
    if strangers:
        return _unknown(asked, strangers[0])
    if left and len(reading.elements.tokens) <= _SHORT:
        return replies.nothing(
            replies.understood("other", leftover=left),
            f"{', '.join(left)}: no name that the graph or its vocabularies know",
            reason=UNKNOWN_NAME,
        )
    return None if left else half_read(asked)


def absent(asked: Asked) -> PlainAnswer | None:
    """A question about a drug or protein that vocabularies know and the graph has not."""
    if not asked.absent:
        return None
    replies = asked.replies
    replies.use(asked.reading.elements.slots)
    names = ", ".join(replies.called(it) for it in asked.absent)
    understood = replies.understood(
        "other",
        [*asked.drugs, *asked.absent],
        [*asked.proteins, *asked.classes, *asked.effects],
        leftover=asked.reading.leftover(relations=frozenset(asked.relations)),
    )
    if all(it.kind == "absent_protein" and asked.in_reactome(str(it.best[0].target)) for it in asked.absent):
        return replies.nothing(understood, f"no drug of the graph is known to act on {names}")
    return replies.nothing(understood, f"{names}: not in this graph", reason=NOT_IN_GRAPH)


def stranger(asked: Asked) -> PlainAnswer | None:
    """A question that lacks a name and has a word that no vocabulary knows."""
    needed = 2 if asked.kind in {YES_NO, RELATION, COMPARE} else 1
    strangers = asked.reading.strangers()
    if asked.arguments >= needed:
        strangers = [it for it in strangers if _beside_name(asked.reading.elements, it)]
    word = next(iter(strangers), None)
    return None if word is None else _unknown(asked, word)


def _beside_name(elements: Elements, word: Word) -> bool:
    """Whether a word is joined to a name by "and" or "with", so that it is one itself."""
    row = elements.row
    at = row.index(word)
    for step in (1, -1):
        place = at + step
        while 0 <= place < len(row) and isinstance(row[place], Cue) and row[place].has("func", "type"):  # type: ignore[union-attr]
            place += step
        joint, name = (row[it] if 0 <= it < len(row) else None for it in (place, place + step))
        joins = isinstance(joint, Cue) and joint.has("both", "with", "either")
        if joins and isinstance(name, Slot):
            return True
    return False


def unreported(asked: Asked) -> PlainAnswer | None:
    """A question about a condition that no fact of the graph names."""
    if not asked.conditions:
        return None
    replies = asked.replies
    replies.use([*asked.drugs, *asked.conditions])
    names = ", ".join(replies.called(it) for it in asked.conditions)
    leftover = asked.reading.leftover(relations=frozenset(asked.relations))
    understood = replies.understood(
        "effect", asked.drugs, asked.conditions, relation="cause", leftover=leftover
    )
    related = related_of(asked.gathering, asked.drugs)
    reported = ", ".join(dict.fromkeys(fact.relation for fact in related[:3]))
    told = f"; what is reported is {reported}" if reported else ""
    return replies.nothing(
        understood, f"no fact of the graph names {names}{told}; {NO_SAFETY}", related=related
    )


def half_read(asked: Asked) -> PlainAnswer:
    """A question of which only the names were read."""
    replies, slots = asked.replies, asked.reading.elements.slots
    asked.reading.accept()
    replies.use(slots)
    understood = replies.understood(
        "other", slots, (), leftover=asked.reading.leftover(relations=frozenset())
    )
    return replies.nothing(
        understood, "the names were read; what is asked of them was not", reason=NOT_UNDERSTOOD
    )


def foreign(asked: Asked) -> PlainAnswer:
    """A question whose words are mostly of no English list."""
    asked.replies.note("only English questions are read")
    return half_read(asked)


def presence(asked: Asked) -> PlainAnswer | None:
    """Whether something is in the graph at all."""
    words = {token.text for token in asked.reading.elements.tokens}
    slots = [*asked.drugs, *asked.proteins]
    if len(slots) != 1 or asked.relations or not words & _STORED:
        return None
    asked.replies.use(slots)
    leftover = asked.reading.leftover(relations=frozenset())
    understood = asked.replies.understood("facts", slots, (), leftover=leftover)
    return asked.replies.verdict(
        understood, "yes", f"{asked.replies.called(slots[0])} is in the graph", (), CURATED
    )


def between_proteins(asked: Asked) -> PlainAnswer:
    """What one protein does to another: the graph has facts of drugs only."""
    replies = asked.replies
    replies.use(asked.proteins)
    understood = replies.understood(
        "list", asked.proteins, (), leftover=asked.reading.leftover(relations=frozenset(asked.relations))
    )
    names = ", ".join(map(replies.called, asked.proteins))
    return replies.nothing(
        understood, f"the graph has no facts between proteins ({names}), only what drugs act on"
    )


def _unknown(asked: Asked, word: Word) -> PlainAnswer:
    reading, replies = asked.reading, asked.replies
    written = reading.elements.written(word)
    with_slot(reading, word, Slot(word.start, word.end, (Sense("unknown", written, name=written),)))
    replies.use(reading.elements.slots)
    near = asked.suggest(word.text)
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    return replies.nothing(
        replies.understood("other", reading.elements.slots, ()),
        f"{written!r} is no name that the graph or its vocabularies know{meant}",
        reason=UNKNOWN_NAME,
    )


def _of_domain(elements: Elements) -> bool:
    words = (token.text for token in elements.tokens if token.text not in _GENERAL)
    if any(word.startswith(_DOMAIN) for word in words):
        return True
    return any(
        (cue.has("section", "label") or set(cue.values("rel")) & _TELLING)
        and len(elements.written(cue)) > 5
        and not elements.written(cue).casefold().startswith(_EVERYDAY)
        for cue in elements.cues
    )
