"""What a service says to a question, read from the JSON of `/v1/answer` and of `/v1/retrieve`.

Services from before answers had verdicts and items are read too: their `answer` is the
one item, and the first triple that speaks for it is the fact.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from biomolkg.names import name_words
from evaluation.plain.gold import PAIR, RELATION


@dataclass(frozen=True, slots=True)
class Item:
    """One item of an answer: the entity, relation or passage that it is, and the facts for it."""

    entity: str | None
    relation: str | None
    passage: str | None
    facts: tuple[str, ...]

    @property
    def pair(self) -> str | None:
        """Both ends of its first fact, in order."""
        if not self.facts:
            return None
        head, _, tail = self.facts[0].split(PAIR)
        return PAIR.join(sorted((head, tail)))


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. `facts` (`head|relation|tail`) are what it stands on; `text` is all it says in words."""

    answer: str | None
    verdict: str | None
    items: tuple[Item, ...]
    total: int
    facts: tuple[str, ...]
    confidence: float
    abstained: bool
    reason: str | None
    old: bool
    text: str

    @property
    def declined(self) -> bool:
        """Whether it claims nothing: it abstains, says that it is unknown, or has no word of an answer."""
        empty = self.answer is None and self.verdict is None and not self.items and not self.total
        return self.abstained or self.verdict == "unknown" or empty

    def describe(self) -> str:
        """What it says, in a line of a report."""
        if self.declined:
            return f"no claim ({self.reason or self.verdict or 'abstained'})"
        said = [self.verdict, self.answer, f"{self.total} items" if self.items else None]
        ids = [it.entity or it.pair or it.relation or it.passage for it in self.items[:8]]
        return "; ".join(str(part) for part in (*said, ", ".join(filter(None, ids)) or None) if part)


def read_reply(result: Mapping[str, Any]) -> Reply:
    """The reply of one result of `/v1/answer`."""
    answer, abstained = result.get("answer"), bool(result.get("abstained"))
    if "verdict" not in result and "items" not in result:
        return _read_old(result)
    items = tuple(_item(it) for it in result.get("items") or ())
    total = result.get("total")
    if not items and result.get("verdict") is None and result.get("candidates"):
        # What was read as a description is answered by the first of some candidates.
        items, total = _first_candidate(result), None
    facts = tuple(_facts(result.get("because") or result.get("citations") or ()))
    return Reply(
        answer=None if answer is None else str(answer),
        verdict=result.get("verdict"),
        items=items,
        total=len(items) if total is None else int(total),
        facts=facts or tuple(fact for item in items for fact in item.facts),
        confidence=float(result.get("confidence") or 0.0),
        abstained=abstained,
        reason=result.get("reason"),
        old=False,
        # Ids have figures too, so items are looked through only where there are no words.
        text=json.dumps(result.get("items"), ensure_ascii=False) if answer is None else str(answer),
    )


def read_hits(result: Mapping[str, Any]) -> list[str]:
    """The hits of one result of `/v1/retrieve`: `head|relation|tail`, or the id of a passage."""
    found = []
    for hit in result.get("hits") or ():
        if hit.get("triple"):
            found.append(_fact(hit["triple"]))
        elif hit.get("passage"):
            found.append(str(hit["passage"]["id"]))
    return found


def _read_old(result: Mapping[str, Any]) -> Reply:
    answer, abstained = result.get("answer"), bool(result.get("abstained"))
    items = _first_candidate(result)
    return Reply(
        answer=None if answer is None else str(answer),
        verdict=None,
        items=items,
        total=len(items),
        facts=tuple(fact for item in items for fact in item.facts),
        confidence=float(result.get("confidence") or 0.0),
        abstained=abstained or answer is None,
        reason=None,
        old=True,
        text=str(answer),
    )


def _first_candidate(result: Mapping[str, Any]) -> tuple[Item, ...]:
    first, answer = next(iter(result.get("candidates") or ()), None), result.get("answer")
    if first is None or answer is None:
        return ()
    entity = (first.get("entity") or {}).get("id")
    return (Item(entity, None if entity else str(answer), None, tuple(_facts(first.get("triples") or ()))),)


def _item(item: Mapping[str, Any]) -> Item:
    entity, passage = item.get("entity"), item.get("passage")
    return Item(
        entity.get("id") if isinstance(entity, Mapping) else entity,
        item.get("relation"),
        passage.get("id") if isinstance(passage, Mapping) else passage,
        tuple(_facts(item.get("facts") or ())),
    )


def _facts(facts: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    for fact in facts:
        triple = fact.get("triple") or fact.get("fact") or fact
        if isinstance(triple, Mapping) and triple.get("head") and triple.get("tail"):
            yield _fact(triple)


def _fact(triple: Mapping[str, Any]) -> str:
    ends = [end["id"] if isinstance(end, Mapping) else str(end) for end in (triple["head"], triple["tail"])]
    return fact_key(PAIR.join((ends[0], str(triple["relation"]), ends[1])))


def fact_key(fact: str) -> str:
    """A fact with its relation folded, so that spellings of it are one."""
    head, relation, tail = fact.split(PAIR)
    return PAIR.join((head, " ".join(name_words(relation)), tail))


def relation_key(relation: str) -> str:
    """A relation as an item of a gold."""
    return f"{RELATION}{' '.join(name_words(relation))}"
