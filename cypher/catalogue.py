"""The statements of `cypher/statements`: one a file, named by their path without the ending."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from biomolkg.errors import DatabaseError

_NAME = re.compile(r"[a-z0-9_]+(?:/[a-z0-9_]+)*")
_SCHEMA_NAME = re.compile(r"^CREATE (?:\w+ )?(?:INDEX|CONSTRAINT) (\w+) IF NOT EXISTS", re.MULTILINE)


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
    found = [(name, _SCHEMA_NAME.search(statement(name))) for name in statement_names("schema")]
    assert all(match for _, match in found), f"a schema statement makes nothing that has a name: {found}"
    return [match.group(1) for _, match in found if match]


def _walk(folder: Traversable, prefix: str) -> list[str]:
    names = []
    for entry in folder.iterdir():
        if entry.is_dir():
            names += _walk(entry, f"{prefix}{entry.name}/")
        elif entry.name.endswith(".cypher"):
            names.append(prefix + entry.name.removesuffix(".cypher"))
    return names
