"""Facts by structure: what an agent asks that has read the question itself."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from retrievers.plain.answers.gathering import Gathering
from retrievers.plain.facts import ACTIVATION, BINDING, INHIBITION, SYMMETRIC, TARGET, Indexes
from retrievers.plain.names.linker import Linker, Sense
from retrievers.plain.names.words import key_of
from retrievers.plain.records import Fact, FactPage, FactQuery

_RELATIONS = {
    "inhibit": INHIBITION, "inhibits": INHIBITION, "inhibitor": INHIBITION, "antagonist": INHIBITION,
    "activate": ACTIVATION, "activates": ACTIVATION, "agonist": ACTIVATION, "activator": ACTIVATION,
    "bind": BINDING, "binds": BINDING, "target": BINDING, "targets": BINDING,
}  # fmt: skip
_ENTITIES = frozenset(("drug", "protein", "family", "thing", "class"))


def query_facts(query: FactQuery, linker: Linker, gathering: Gathering) -> FactPage:
    """A page of the facts that fit; names that are not known are told, and give none."""
    notes: list[str] = []
    ends = [
        None if name is None else _places(name, linker, gathering, notes)
        for name in (query.subject, query.object)
    ]
    members = None if query.class_ is None else _places(query.class_, linker, gathering, notes, only="class")
    if any(end is not None and not end for end in (*ends, members)):
        return FactPage((), 0, tuple(notes))
    subject, object_ = ends
    if members is not None:
        if subject is None:
            subject = members
        elif object_ is None:
            object_ = members
        else:
            subject = subject & members
    triples = _joined(gathering, subject, object_)
    triples = gathering.facts.allowed(_related(gathering, triples, query.relation, notes), gathering.filters)
    facts: list[Fact] = [
        fact
        for fact in gathering.facts.told(triples)
        if (not query.kinds or fact.kind in query.kinds)
        and (not query.evidence or fact.evidence_type in query.evidence)
    ]
    facts.extend(_roles(query, gathering, subject, members))
    return FactPage(tuple(facts[query.offset : query.offset + query.limit]), len(facts), tuple(notes))


def _places(
    name: str, linker: Linker, gathering: Gathering, notes: list[str], *, only: str | None = None
) -> frozenset[int]:
    entities = gathering.facts.entities
    at = gathering.facts.place_of(name)
    if at is not None and only is None:
        return frozenset((at,))
    senses: Sequence[Sense] = linker.senses(key_of(name))
    meant = [it for it in senses if it.kind in _ENTITIES and (only is None or it.kind == only)]
    if not meant:
        notes.append(f"{name!r} is not in the graph")
        return frozenset()
    found: set[int] = set()
    for sense in meant:
        if sense.kind != meant[0].kind or sense.rank != meant[0].rank:
            continue
        if sense.kind == "class":
            found.update(gathering.classes.members(sense.place))
        else:
            found.update(sense.target if isinstance(sense.target, tuple) else (sense.place,))
    if len(found) > 1 and meant[0].kind in {"drug", "protein"}:
        notes.append(f"{name!r} names {', '.join(sorted(entities[it].preferred_name for it in found))}")
    return frozenset(found)


def _joined(gathering: Gathering, subject: frozenset[int] | None, object_: frozenset[int] | None) -> Indexes:
    """Triples from the subjects to the objects; of symmetric kinds also the other way round."""
    facts = gathering.facts
    snapshot = facts.snapshot
    near = subject if subject is not None else object_
    if near is None:
        return np.arange(len(snapshot.heads), dtype=np.int64)
    parts = [facts.of_entity(at) for at in near]
    triples = np.unique(np.concatenate(parts)) if parts else np.zeros(0, dtype=np.int64)
    heads, tails = snapshot.heads[triples], snapshot.tails[triples]
    kinds = np.array([kind in SYMMETRIC for kind in facts.kind_of], dtype=bool)
    symmetric = kinds[snapshot.relation_of[triples]] if len(triples) else np.zeros(0, dtype=bool)
    forward = _within(heads, subject) & _within(tails, object_)
    backward = symmetric & _within(tails, subject) & _within(heads, object_)
    found: Indexes = triples[forward | backward]
    return found


def _within(ends: NDArray[np.int32], allowed: frozenset[int] | None) -> NDArray[np.bool_]:
    if allowed is None:
        return np.ones(len(ends), dtype=bool)
    return np.isin(ends, list(allowed))


def _related(gathering: Gathering, triples: Indexes, relation: str | None, notes: list[str]) -> Indexes:
    if relation is None:
        return triples
    facts = gathering.facts
    word = _RELATIONS.get(relation.casefold(), relation.casefold())
    if word in {INHIBITION, ACTIVATION}:
        return facts.with_polarity(triples, word)
    if word == BINDING:
        flags = np.array([kind in TARGET for kind in facts.kind_of], dtype=bool)
        bound: Indexes = triples[flags[facts.snapshot.relation_of[triples]]]
        return bound
    wanted = [at for at, it in enumerate(facts.snapshot.relations) if it.name.casefold() == word]
    if not wanted:
        notes.append(f"{relation!r} is no relation of the graph")
    found: Indexes = triples[np.isin(facts.snapshot.relation_of[triples], wanted)]
    return found


def _roles(
    query: FactQuery, gathering: Gathering, subject: frozenset[int] | None, members: frozenset[int] | None
) -> list[Fact]:
    """Roles, where they are asked for by kind or by their relation."""
    asked = query.relation is not None and query.relation.casefold() in {"has role", "is a"}
    if "HAS_ROLE" not in query.kinds and not asked:
        return []
    if subject is None or (members is not None and not subject & members):
        return []
    roles = [role for at in sorted(subject) for role in gathering.classes.of_drug(at)]
    found = [gathering.classes.fact(role) for role in roles]
    return [fact for fact in found if query.relation is None or fact.relation == query.relation.casefold()]
