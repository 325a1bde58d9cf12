"""When two names are one, as far as identity goes: stricter than for finding what is asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from biomolkg.identifiers import is_placeholder
from biomolkg.names import fold

# Hyphens, commas, dots, brackets and trade marks do not count. Other signs do: a|b is not a'b.
_WORD = re.compile(r"[^\W_]+|[^\w\s\-‐‑‒–—,.()\[\]{}®™©·•_]")
_PRIMES = str.maketrans(dict.fromkeys("’‘`´′", "'"))
_LEVOROTATORY = re.compile(r"(?<![^\W_])[(\[]\s*[-−–]\s*[)\]]")
_TELLING_LETTERS = 5
# Words that are long enough for names of drugs: no `beta-` and no `para-`.
_HYPHENATED = re.compile(r"[^\W\d_]{5,}(?:-[^\W\d_]{5,})+")
_JOINED = re.compile(r"\s*(?:[/+&;|]|\band\b|\bwith\b|\bplus\b)\s*", re.IGNORECASE)


def identity_key(name: str) -> str:
    """The form under which names are compared; empty for a placeholder.

    >>> identity_key("Pamidronic-Acid") == identity_key("pamidronic acid")
    True
    >>> identity_key("a|b") == identity_key("a'b") or identity_key("(-)-x") == identity_key("(+)-x")
    False
    """
    if is_placeholder(name):
        return ""
    marked = _LEVOROTATORY.sub(" ∓ ", name.translate(_PRIMES))
    return " ".join(_WORD.findall(fold(marked)))


def is_telling(key: str) -> bool:
    """Whether a name can stand for one thing alone: abbreviations and codes are used for several.

    NAD and NAd, E3810 and E-3810 are two things each.
    """
    return any(len(word) >= _TELLING_LETTERS and word.isalpha() for word in key.split())


def identity_keys(names: Iterable[str | None]) -> set[str]:
    """The keys of several names, without placeholders."""
    return {key for name in names if name and (key := identity_key(name))}


def names_of_parts(name: str) -> list[str]:
    """The names that a name joins by `/`, `+`, `and` and their like; none when it joins nothing.

    >>> names_of_parts("Sulfamethoxazole / trimethoprim")
    ['Sulfamethoxazole', 'trimethoprim']
    """
    parts = [part for part in _JOINED.split(name) if part.strip(" ()[]")]
    if len(parts) == 1 and _HYPHENATED.fullmatch(name.strip()):
        parts = name.split("-")
    return [part.strip(" ()[]") for part in parts] if len(parts) > 1 else []
