"""The statements of `cypher/statements`: one a file, named by their path without the ending."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from biomolkg.errors import DatabaseError

_NAME = re.compile(r"[a-z0-9_]+(?:/[a-z0-9_]+)*")
_SCHEMA = re.compile(
    r"^CREATE (?:(?P<type>\w+) )?(?:INDEX|CONSTRAINT) (?P<name>\w+) IF NOT EXISTS\s+"
    r"FOR \(.*?:(?P<labels>[\w|]+)[\])].*?(?:ON|REQUIRE)\b(?P<properties>[^{]*)(?P<options>.*)",
    re.MULTILINE | re.DOTALL,
)
_PROPERTY = re.compile(r"\w\.(\w+)")
_OPTION = re.compile(r"`([\w.]+)`: '?([\w-]+)")


@dataclass(frozen=True, slots=True)
class SchemaIndex:
    """The index of one schema statement, of a constraint too: what it is of, and how it is set."""

    name: str
    type: str
    labels: frozenset[str]
    properties: frozenset[str]
    options: frozenset[tuple[str, str]]

    def is_of(self, row: Mapping[str, Any]) -> bool:
        """Whether an index of `admin/indexes` is of the same kind and of the same labels or types."""
        return row["type"] == self.type and set(row["labels"]) == self.labels

    def matches(self, row: Mapping[str, Any]) -> bool:
        """Whether that index is of the same properties, and set the same, as well."""
        held = {(name, str(value).lower()) for name, value in row["config"].items()}
        return self.is_of(row) and set(row["properties"]) == self.properties and self.options <= held


def _root() -> Traversable:
    return files("cypher") / "statements"


@cache
def statement(name: str) -> str:
    """The text of the statement `name`, such as `load/drugs`.

    Raises DatabaseError that lists the statements of the same folder when there is none of that name.
    """
    path = _root().joinpath(*f"{name}.cypher".split("/"))
    if not _NAME.fullmatch(name) or not path.is_file():
        folder = name.rpartition("/")[0]
        near = [known for known in statement_names() if known.rpartition("/")[0] == folder]
        raise DatabaseError(
            f"There is no statement {name!r}.",
            remedy=f"There are: {', '.join(near or statement_names())}.",
        )
    return path.read_text(encoding="utf-8").rstrip().removesuffix(";")


def statement_names(folder: str = "") -> list[str]:
    """The names of all statements, or of those in `folder`, sorted."""
    return sorted(
        name for name in _walk(_root(), "") if not folder or name.startswith(f"{folder.rstrip('/')}/")
    )


def schema_names() -> list[str]:
    """The names of the constraints and indexes that the schema statements make."""
    return [index.name for index in schema_indexes()]


@cache
def schema_indexes() -> tuple[SchemaIndex, ...]:
    """The indexes that the schema statements make, one each, in the order of `statement_names`."""
    found = {name: _SCHEMA.search(statement(name)) for name in statement_names("schema")}
    assert all(found.values()), f"a schema statement makes nothing that has a name: {found}"
    return tuple(
        SchemaIndex(
            match["name"],
            match["type"] or "RANGE",
            frozenset(match["labels"].split("|")),
            frozenset(_PROPERTY.findall(match["properties"])),
            frozenset((name, value.lower()) for name, value in _OPTION.findall(match["options"])),
        )
        for match in found.values()
        if match
    )


def _walk(folder: Traversable, prefix: str) -> list[str]:
    names = []
    for entry in folder.iterdir():
        if entry.is_dir():
            names += _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            names.append(prefix + entry.name.removesuffix(".cypher"))
    return names
