"""What a reply is worth: right, partly, honest (nothing claimed where there is an answer) or wrong."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from biomolkg.names import fold
from evaluation.plain.gold import PAIR, PASSAGE, RELATION, Gold
from evaluation.plain.replies import Item, Reply, fact_key, relation_key

Outcome = Literal["right", "partly", "honest", "wrong"]
OUTCOMES: tuple[Outcome, ...] = ("right", "partly", "honest", "wrong")
SURE = 0.8
BINS = (0.0, 0.5, 0.8, 0.9, 0.95)
_NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_GRAMS = 0.6  # per mole: what a figure may be rounded by
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_Z = 1.959964  # of 95 %


@dataclass(frozen=True, slots=True)
class Share:
    """A share of `of` with its Wilson interval at 95 %."""

    hits: int
    of: int

    @property
    def mean(self) -> float:
        """The share itself; 0 of none."""
        return self.hits / self.of if self.of else 0.0

    @property
    def bounds(self) -> tuple[float, float]:
        """Least and most, after E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209."""
        if not self.of:
            return 0.0, 1.0
        share, spread = self.mean, _Z**2 / self.of
        middle = share + spread / 2
        half = _Z * math.sqrt(share * (1 - share) / self.of + spread / (4 * self.of))
        return max(0.0, (middle - half) / (1 + spread)), min(1.0, (middle + half) / (1 + spread))


def judge(gold: Gold, reply: Reply) -> Outcome:
    """How a reply compares with what is right."""
    if gold.decline:
        counted = gold.count is not None and _counts(gold.count, reply)
        return "right" if reply.declined or counted else "wrong"
    if reply.declined:
        return "right" if gold.may_decline else "honest"
    if gold.items:
        return _judge_items(gold, reply)
    if _says(gold, reply):
        return "right"
    # The fact without a word of yes or no: not false, and not what was asked.
    told = gold.verdicts and reply.verdict is None and not reply.old and _stands_on(gold, reply)
    return "partly" if told else "wrong"


def judge_hits(gold: Gold, hits: Sequence[str]) -> Outcome | None:
    """How the hits of a retriever compare; None where hits cannot show it.

    Right: the first is a fact that answers, or a passage that does; nothing is found where nothing is to be.
    Partly: a later one is. Honest: nothing is found where something is.
    """
    wanted = {fact_key(it) for it in gold.facts}
    wanted |= {it for it in gold.items if it.startswith(PASSAGE)}
    if gold.decline or (gold.may_decline and not hits):
        return "wrong" if hits else "right"
    if not wanted:
        return None
    if not hits:
        return "honest"
    found = [it in wanted for it in hits]
    return "right" if found[0] else "partly" if any(found) else "wrong"


def bin_of(confidence: float) -> float:
    """The lower bound of the bin that a confidence is in."""
    return max(low for low in BINS if low <= max(confidence, 0.0))


def _says(gold: Gold, reply: Reply) -> bool:
    """Whether a verdict, a count, a figure or a text is as it should be."""
    if gold.verdicts:
        return _stands_on(gold, reply) if reply.old else reply.verdict in gold.verdicts
    if gold.count is not None:
        return _counts(gold.count, reply)
    if gold.number is not None:
        return any(abs(it - gold.number) <= _GRAMS for it in _numbers(reply.text))
    formula = re.compile(rf"(?<![A-Za-z0-9]){re.escape(gold.text or '')}(?![A-Za-z0-9])")
    return formula.search(reply.text.translate(_SUBSCRIPTS)) is not None


def _stands_on(gold: Gold, reply: Reply) -> bool:
    return bool({fact_key(it) for it in gold.facts} & set(reply.facts[:1]))


def _judge_items(gold: Gold, reply: Reply) -> Outcome:
    keys = [key for item in reply.items if (key := _key(gold, item)) is not None]
    allowed = gold.items | gold.also
    if any(it.startswith(PASSAGE) for it in gold.items):
        # One passage of the section answers; which of its parts is first is a matter of the question.
        return "right" if keys and keys[0] in allowed else "partly" if allowed & set(keys) else "wrong"
    found = set(keys)
    if not found and any(it.startswith(RELATION) for it in gold.items):
        found = {relation_key(it.split(PAIR)[1]) for it in reply.facts}
    paged = reply.total > len(reply.items)
    complete = gold.items <= found or (paged and len(gold.items) <= reply.total)
    if found and found <= allowed and complete and (not paged or reply.total <= len(allowed)):
        return "right"
    return "partly" if found & allowed else "wrong"


def _key(gold: Gold, item: Item) -> str | None:
    sample = next(iter(gold.items))
    if sample.startswith(PASSAGE):
        return item.passage
    if sample.startswith(RELATION):
        return None if item.relation is None else relation_key(item.relation)
    if PAIR in sample or item.entity is not None or item.pair is None:
        return item.pair if PAIR in sample else item.entity
    # A pair in which one drug was given says the other.
    ends = set(item.pair.split(PAIR)) & (gold.items | gold.also)
    return ends.pop() if len(ends) == 1 else item.pair


def _counts(count: tuple[int, int], reply: Reply) -> bool:
    numbers = _numbers(reply.answer or "")
    said = numbers[0] if numbers else reply.total if reply.answer is None else None
    return said is not None and count[0] <= said <= count[1]


def _numbers(text: str) -> list[float]:
    return [float(it.replace(",", "")) for it in _NUMBER.findall(fold(text))]
