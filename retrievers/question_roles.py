"""Where in a question the thing that is asked for is described, told from the words around each word.

"Which drug, an X, causes Y when combined with a Z?" asks for X: what follows the
question word is described of the answer, what follows "combined with" of the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from retrievers.triple.words import Word

ROLES = ("before", "asked", "other", "after", "choice")

_TAKEN = (
    r"(?:co-?administ\w*|combin\w*|interact\w*|co-?prescri\w*|use|used|taken|given|administ\w*|"
    r"conjunction|concurrent\w*|concomitant\w*|together|tandem|pair\w*|bond\w*|stack\w*|engag\w*|"
    r"contact\w*|coupl\w*|mixed|along|compared)"
)
_OTHER = (
    rf"\b{_TAKEN}\W+(?:\w+\W+){{0,2}}?(?:with|alongside)\b|\balongside\b|\bin (?:the )?presence of\b|"
    r"\b(?:with|to|by) another\b|\btowards?\b|\b(?:bonds?|bonding|donor|acceptor)\W+to\b|"
    r"\bwith (?:the|an?) (?:drug|compound|molecule|one|agent|second|different)\b"
)
_ASKED = r"\b(?:which|what|who|whose|identify|name|determine|find)\b"
_AFTER = r"\b(?:after|following|upon)\b"
_CHOICE = r"\b(?:between|considering|either|two|both|the one|one)\b"
_CUE = re.compile(
    rf"(?P<other>{_OTHER})|(?P<asked>{_ASKED})|(?P<after>{_AFTER})|(?P<choice>{_CHOICE})", re.IGNORECASE
)
_OF_TWO = re.compile(
    r"\bbetween |\bthe one\b|\beither\b|\bof (?:the|these) |\btwo (?:drugs|compounds|molecules)|"
    r"\bthese two|\bthe other\b",
    re.IGNORECASE,
)
_PROTEIN = r"proteins?|receptors?|enzymes?|targets?|genes?|transporters?|channels?|kinases?"
_DRUG = r"drugs?|medications?|medicines?|compounds?|molecules?|agents?|substances?"
_NOUN = re.compile(
    rf"\b(?:which|what|name|list|find|identify)\b(?:\W+\w+){{0,3}}?\W+(?:(?P<Protein>{_PROTEIN})|(?P<Drug>{_DRUG}))\b",
    re.IGNORECASE,
)


def word_roles(question: str, words: Sequence[Word]) -> list[int]:
    """For each word the place in ROLES of the last cue that ends before it; 0 before any cue."""
    cues = [(match.end(), ROLES.index(match.lastgroup or "")) for match in _CUE.finditer(question)]
    roles, at = [], -1
    for word in words:
        while at + 1 < len(cues) and cues[at + 1][0] <= word.start:
            at += 1
        roles.append(cues[at][1] if at >= 0 else 0)
    return roles


def chooses(question: str) -> bool:
    """Whether the question describes two things and asks which of them it is."""
    return _OF_TWO.search(question) is not None


def asked_label(question: str) -> str | None:
    """`Protein` or `Drug` when a question word is followed by a noun for one, such as "which receptor"."""
    match = _NOUN.search(question)
    return None if match is None else match.lastgroup
