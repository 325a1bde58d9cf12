"""Which of Reactome's relations a question asks for: words around the names in it, by their beginnings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from biomolkg.names import fold

# Beginnings of words or of phrases; "reaction" and "protein" say nothing, every question has them.
_CUES: Mapping[str, tuple[str, ...]] = {
    "catalyzes": ("catalys", "catalyz", "enzyme"),
    "consumes": (
        "consum",
        "input",
        "substrate",
        "reactant",
        "goes in",
        "go in",
        "going in",
        "starting material",
        "used up",
        "taken up",
    ),
    "produces": (
        "produc",
        "output",
        "yield",
        "comes out",
        "come out",
        "coming out",
        "result",
        "is formed",
        "are formed",
        "is released",
        "are released",
        "generat",
    ),
    "participates in": (
        "pathway",
        "participat",
        "take part",
        "takes part",
        "taking part",
        "involved",
        "belong",
    ),
    "regulates by activation": ("activat", "stimulat", "promot", "enhanc", "positively regulat"),
    "regulates by inhibition": ("inhibit", "block", "suppress", "negatively regulat"),
    "regulates as a requirement": ("requir", "necessary", "needed", "essential"),
    "regulates": ("regulat", "control", "modulat"),
}
_REGULATES = "regulates"
_PATTERNS = {
    relation: re.compile(rf"\b(?:{'|'.join(map(re.escape, cues))})") for relation, cues in _CUES.items()
}
_QUOTED = re.compile(r'"[^"]*"|“[^”]*”')


def asked_relations(question: str, spans: Iterable[tuple[int, int]]) -> frozenset[str]:
    """The relations whose cues stand outside quotes and outside the names at `spans` of the question.

    A question about regulation asks for every kind of it.
    """
    kept = list(question)
    for start, end in (*spans, *(match.span() for match in _QUOTED.finditer(question))):
        kept[start:end] = " " * (end - start)
    plain = " ".join(fold("".join(kept)).lower().split())
    asked = {relation for relation, pattern in _PATTERNS.items() if pattern.search(plain)}
    if asked & {relation for relation in _CUES if relation.startswith(f"{_REGULATES} ")}:
        asked.discard(_REGULATES)
    elif _REGULATES in asked:
        asked |= {relation for relation in _CUES if relation.startswith(_REGULATES)}
    return frozenset(asked)
