"""When two spellings are the same name.

`name_key` maps a name to the form under which it is looked up; two names match
when their keys are equal. Case, accents, hyphens, apostrophes, brackets and
spacing do not count; Greek letters and their English names are one.
"""

from __future__ import annotations

import re
import unicodedata

_GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "epsilon", "ζ": "zeta", "η": "eta",
    "θ": "theta", "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "ν": "nu", "ξ": "xi",
    "ο": "omicron", "π": "pi", "ρ": "rho", "σ": "sigma", "ς": "sigma", "τ": "tau", "υ": "upsilon",
    "φ": "phi", "χ": "chi", "ψ": "psi", "ω": "omega",
}  # fmt: skip
_GREEK_TABLE = str.maketrans({letter: f" {name} " for letter, name in _GREEK.items()})
_WORD = re.compile(r"[^\W_]+|\+")


def fold(text: str) -> str:
    """Lower-case `text` without accents, compatibility forms resolved and Greek letters spelt out."""
    # The micro sign decomposes to the Greek letter, so letters are spelt out after NFKD.
    decomposed = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    return bare.translate(_GREEK_TABLE)


def name_words(text: str) -> list[str]:
    """The words of `text` that count in a name: letters and digits, and a `+` that marks a charge."""
    return _WORD.findall(fold(text))


def name_key(text: str) -> str:
    """The form under which a name is looked up.

    >>> name_key("Pamidronic-Acid") == name_key("pamidronic acid")
    True
    >>> name_key("β-1 adrenergic receptor") == name_key("Beta-1 Adrenergic Receptor")
    True
    """
    return " ".join(name_words(text))
