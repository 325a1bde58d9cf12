"""What kind of name a string is: a name that people say, a systematic one, a code, a salt."""

from __future__ import annotations

import re

SALTS = frozenset({
    "acetate", "anhydrous", "benzoate", "besilate", "besylate", "bicarbonate", "bitartrate", "bromide",
    "calcium", "camsylate", "carbonate", "chloride", "citrate", "decanoate", "dihydrate", "dihydrochloride",
    "dimesylate", "dipotassium", "disodium", "edisylate", "enanthate", "esylate", "estolate",
    "ethylsuccinate", "fumarate", "furoate", "gluconate", "hcl", "hemifumarate", "hemihydrate", "hippurate",
    "hydrobromide", "hydrochloride", "hydrogen", "hyclate", "hydrate", "iodide", "isethionate", "lactate",
    "lactobionate", "magnesium", "malate", "maleate", "meglumine", "mesilate", "mesylate", "monohydrate",
    "monohydrochloride", "mononitrate", "monosodium", "napsylate", "nitrate", "palmitate", "pamoate",
    "pentahydrate", "phosphate", "pivalate", "potassium", "propionate", "salicylate", "sesquihydrate",
    "sodium", "stearate", "succinate", "sulfate", "sulphate", "tartrate", "tosylate", "trihydrate",
    "trisodium", "tromethamine", "valerate", "xinafoate", "zinc",
})  # fmt: skip
_CAS = re.compile(r"\d{2,7}-\d{2}-\d")
_CODE = re.compile(
    r"[A-Z]{2,}[- ]?\d[\dA-Z-]*|\d[\dA-Z]{6,}|[A-Z]{14}(-[A-Z]{10}-[A-Z])?|[A-Z0-9]{10}|BLAH"
    r"|[a-z]{1,4}[- ]?\d{3,}[a-z]?"
)
_SYSTEMATIC = re.compile(
    r"[\[\](){}~]|^\W*\d+[,'′]?\d*[-,(]|\d,\d|-\d+-|\byl\b|yl\)|oxy-|^.{60,}$|\bimpurity\b|[ξαβ].*-\d",
    re.IGNORECASE,
)
_STEREO = re.compile(
    r"^(\(.{1,6}\)|[±+-])[- ]?|^(rac|dl|cis|trans|epi|rel|d|l|r|s|e|z)-(?=[a-z])|^\.(alpha|beta)\."
    r"|,\s*\(?[a-z±+-]*\)?-?\)?$",
    re.IGNORECASE,
)


def kind_of(name: str) -> str:
    """`code`, `systematic` or `synonym`."""
    bare = name.strip()
    if _CAS.fullmatch(bare) or _CODE.fullmatch(bare):
        return "code"
    if _SYSTEMATIC.search(bare) or sum(map(str.isdigit, bare)) > 3:
        return "systematic"
    return "synonym"


def is_usual(name: str) -> bool:
    """Whether a pharmacist may say it: no code, no systematic name, no stereo prefix."""
    return (
        kind_of(name) == "synonym"
        and not _STEREO.search(name.strip())
        and bool(re.search("[a-z]", name, re.IGNORECASE))
    )


def without_salt(name: str) -> str:
    """The name without the counter-ions and hydrates at its end; the name itself where nothing is left."""
    words = name.split()
    kept = list(words)
    while len(kept) > 1 and kept[-1].lower().strip("().,") in SALTS:
        kept.pop()
    if len(kept) == 1 and kept[0].lower() in SALTS | {"ammonium", "aluminium", "aluminum", "iron", "ferrous"}:
        return name
    return " ".join(kept)


def in_order(name: str) -> str:
    """An inverted name in plain order: `Acidosis, Lactic` → `Lactic Acidosis`; others as they are."""
    parts = name.split(", ")
    return " ".join(reversed(parts)) if 1 < len(parts) <= 3 and all(parts) else name
