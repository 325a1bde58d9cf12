"""Texts that stand where there is no value, as tables of all makes have them."""

from __future__ import annotations

# What pandas and numpy write and read as missing; exactly so, since Na is sodium.
_EXACT = frozenset(
    ("NA", "#NA", "#N/A N/A", "-1.#IND", "-1.#QNAN", "1.#IND", "1.#QNAN", "\\N", "nan", "NaN", "-nan", "-NaN")
)
_ANY_CASE = frozenset(
    """
    n/a|#n/a|n.a.|n.a|n/d|n.d.|nan|<na>|<n/a>|none|null|(null)|<null>|nil|nat|undefined|unknown|unk|unnamed
    unspecified|not available|not applicable|not assigned|not specified|not found|not known|no data|no value
    no name|missing|tbd|to be determined|empty|void|-|--|---|–|—|_|.|..|...|?|??|???|*|/|\\|0|0.0
    []|{}|()|""|''
    """.replace("\n", "|").split("|")
)
_KNOWN = frozenset(word.strip() for word in _ANY_CASE if word.strip())


def is_placeholder(text: str) -> bool:
    """Whether a text is no value: empty, `N/A`, `-`, `nan`, `unknown`, `0` and their like.

    >>> [is_placeholder(text) for text in ("N/A", "-", "None", "Na", "nantes")]
    [True, True, True, False, False]
    """
    word = text.strip()
    return not word or word in _EXACT or word.lower() in _KNOWN
