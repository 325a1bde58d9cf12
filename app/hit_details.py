"""What a request wants to know of facts beside what they are: read for those that are returned alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from app.state import View
from retrievers.fact_details import FactWorth, entity_details, fact_properties
from retrievers.hits import TripleHit

_NOTHING: dict[str, Sequence[str]] = {}


class HitDetails:
    """The details of some facts, as `app.formatting.Details`."""

    def __init__(self, view: View, triples: Iterable[TripleHit], include: frozenset[str]) -> None:
        """Reads what is to be included. Raises DatabaseError."""
        self._view = view
        facts = list({_key(triple): triple for triple in triples}.values())
        self._properties: dict[object, list[dict[str, Any]]] | None = None
        if "properties" in include:
            found = fact_properties(view.client, facts) if facts else []
            self._properties = {_key(fact): rows for fact, rows in zip(facts, found, strict=True)}
        self._entities: dict[str, dict[str, Sequence[str]]] = {}
        wanted = [name for name in ("xrefs", "labels") if name in include]
        if wanted and facts:
            ids = {end.id for fact in facts for end in (fact.head, fact.tail)}
            for id_, (xrefs, labels) in entity_details(view.client, view.details, ids).items():
                both = {"xrefs": xrefs, "labels": labels}
                self._entities[id_] = {name: both[name] for name in wanted}

    def worth(self, triple: TripleHit, source: str) -> FactWorth:
        """The evidence of a fact, and all its sources."""
        return self._view.details.worth(triple, source)

    def properties(self, triple: TripleHit) -> list[dict[str, Any]] | None:
        """What the fact's edges say; None where it was not asked for."""
        return None if self._properties is None else self._properties.get(_key(triple), [])

    def of_entity(self, id_: str) -> dict[str, Sequence[str]]:
        """Cross-references and labels of an entity, as far as they were asked for."""
        return self._entities.get(id_, _NOTHING)


def _key(triple: TripleHit) -> tuple[str, str, str, str]:
    return triple.head.id, triple.kind, triple.relation, triple.tail.id
