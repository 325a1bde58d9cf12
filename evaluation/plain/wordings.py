"""Sets of wordings: templates of questions, forms of verbs and frames, as files beside this module."""

from __future__ import annotations

import datetime as dt
import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from biomolkg.errors import SourceError

FOLDER = files("evaluation.plain") / "wordings"
_SET = re.compile(r"set\w+\.toml")
_SLOT = re.compile(r"(?P<article>\b[Aa] )?\{(?P<slot>\w+)\}")
_OF_SOUND = re.compile(r"(?:[aeio]|u(?!ni|se)|h(?:our|onest)|[FLMNRSX](?:[A-Z]|\d|\b))", re.ASCII)
_VOWEL = re.compile(r"[AEIOU]")


class Verb(BaseModel):
    """The forms of a verb and the nouns that go with it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    v: str
    vs: str
    ved: str
    ving: str
    agent: str
    agents: str
    noun: str


class WordingSet(BaseModel):
    """A frozen set of wordings; docs/benchmarks.md says how one is written."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    date: dt.date
    verbs: Mapping[str, tuple[Verb, ...]]
    templates: Mapping[str, tuple[str, ...]]
    indirect: Mapping[str, tuple[str, ...]]
    frames: Mapping[str, tuple[str, ...]]
    misc: Mapping[str, tuple[str, ...]]
    bonds: Mapping[str, tuple[str, ...]]
    labels: Mapping[str, tuple[str, ...]]


def wording_sets() -> list[str]:
    """The ids of the sets that are bundled."""
    return sorted(
        entry.name.removesuffix(".toml") for entry in FOLDER.iterdir() if _SET.fullmatch(entry.name)
    )


def read_wordings(name: str) -> WordingSet:
    """The bundled set of that id, or the set in that file. Raises SourceError."""
    source = Path(name) if name.endswith(".toml") else FOLDER / f"{name}.toml"
    if not source.is_file():
        raise SourceError(
            f"There is no set of wordings {name!r}.",
            remedy=f"There are: {', '.join(wording_sets())}; or name a file that ends in .toml.",
        )
    try:
        return WordingSet.model_validate(tomllib.loads(source.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SourceError(f"{name} cannot be read: {error}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        raise SourceError(f"{name}: {'.'.join(map(str, first['loc']))}: {first['msg']}.") from error


def fill(template: str, verb: Verb | None = None, /, **slots: str) -> str:
    """The template with its slots filled; "a" becomes "an" before a vowel.

    >>> fill("Is {drug} a {agent} of {protein}?", None, drug="Aspirin", agent="inhibitor", protein="COX-1")
    'Is Aspirin an inhibitor of COX-1?'
    """
    words: dict[str, Any] = {**(verb.model_dump() if verb else {}), **slots}

    def put(match: re.Match[str]) -> str:
        word = str(words[match["slot"]])
        article = match["article"] or ""
        if article and (_OF_SOUND.match(word) or _VOWEL.match(word)):
            article = f"{article[0]}n "
        return article + word

    text = _SLOT.sub(put, template)
    # A template that begins with a slot begins a sentence, where people write a capital more often than not.
    return text if _SLOT.match(template) is None or not text[:1].islower() else text[:1].upper() + text[1:]
