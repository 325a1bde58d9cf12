"""Forms in which people write the proteins of families that drugs act on, by pattern of the symbol.

The patterns and forms stand in reviewed/protein_patterns.tsv. A form has alternatives in
brackets (`[cyclooxygenase/COX]-{1}`) and parts of the symbol: `{1}` as it is, `{1r}` as
Roman number, `{1g}` as the Greek letter that the Latin one stands for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from graph_loader.vocabulary.build.reviewed import reviewed

_GREEK = {
    "A": "alpha", "B": "beta", "C": "gamma", "D": "delta", "E": "epsilon", "G": "gamma", "H": "eta",
    "I": "iota", "K": "kappa", "Q": "theta", "Z": "zeta",
}  # fmt: skip
_ROMAN = ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV")
_CHOICE = re.compile(r"\[([^\]]*)\]")
_PART = re.compile(r"\{(\d)([rg]?)\}")
_SLASH = re.compile(
    r"/(?!(?:H synthase|delta|D receptor|neu|orphanin))"
)  # a slash within a name is no alternative


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]:
    return tuple(
        (re.compile(row["symbol"]), tuple(row["forms"].split("|"))) for row in reviewed("protein_patterns")
    )


def forms_of(symbol: str) -> Iterator[str]:
    """The forms of a symbol, each once, none equal to the symbol."""
    seen = {symbol}
    for pattern, templates in _patterns():
        match = pattern.fullmatch(symbol)
        if match is None:
            continue
        for template in templates:
            for form in expand(template):
                said = _filled(form, match)
                if said not in seen:
                    seen.add(said)
                    yield said


def expand(template: str) -> Iterator[str]:
    """All readings of the alternatives in brackets.

    >>> list(expand("[COX/cyclooxygenase]-1"))
    ['COX-1', 'cyclooxygenase-1']
    """
    choice = _CHOICE.search(template)
    if choice is None:
        yield template
        return
    for one in _SLASH.split(choice[1]):
        yield from expand(template[: choice.start()] + one + template[choice.end() :])


def _filled(form: str, match: re.Match[str]) -> str:
    return _PART.sub(lambda part: _say(match[int(part[1])], part[2]), form)


def _say(part: str, how: str) -> str:
    if how == "g":
        return _GREEK[part]
    if how == "r" and int(part) < len(_ROMAN):
        return _ROMAN[int(part)]
    return part


def forms_of_name(name: str) -> Iterator[str]:
    """An approved or UniProt name without the words that people leave out, where it has such."""
    bare = re.sub(r", mitochondrial$", "", name)
    bare = re.sub(r"^Sodium-dependent ", "", bare, flags=re.IGNORECASE)
    bare = re.sub(r"-type (opioid)", r" \1", bare)
    bare = re.sub(r"\s*\[.*\]$|\s*\((quinone|EC .*)\)", "", bare)
    bare = re.sub(r"^(Tyrosine|Serine/threonine)-protein kinase (receptor )?", "", bare)
    if bare != name and len(bare) > 2:
        yield bare
