"""Headers of neo4j-admin's import files: `name:type`, `:ID(Space)`, `:LABEL`, `:START_ID(Space)`, `:TYPE`.

The format is that of "Import header format" in Neo4j's operations manual.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from biomolkg.errors import SourceError
from graph_loader.hints import hint_of_columns
from graph_loader.sources.csv_graph.values import TYPES

ROLES = ("ID", "LABEL", "START_ID", "END_ID", "TYPE", "IGNORE")
_FIELD = re.compile(
    r"(?P<name>.*?)(:(?P<type>[A-Za-z_]+)(?P<array>\[\])?(\((?P<space>[^()]*)\))?(\{(?P<options>[^{}]*)\})?)?",
    re.DOTALL,
)
# The manual's `:START_ID:int` and the like: a type after a role says nothing.
_ROLE_WITH_TYPE = re.compile(r"(?P<field>.*:(START_ID|END_ID)(\([^()]*\))?):[a-z]+")

# What pandas calls a column without a name, mostly the numbers of its rows.
_NAMELESS = re.compile(r"Unnamed: \d+")


@dataclass(frozen=True, slots=True)
class Column:
    """One field of a header.

    `role` is one of ROLES or None for a property; `kind` is a type of `values.TYPES`;
    `space` is the id space of an ID, START_ID or END_ID ("" for the global one).
    `options` is what stood in braces, as written.
    """

    name: str
    role: str | None = None
    kind: str = "string"
    array: bool = False
    space: str = ""
    options: str = ""

    def __str__(self) -> str:
        options = f"{{{self.options}}}" if self.options else ""
        if self.role is not None:
            return f"{self.name}:{self.role}{f'({self.space})' if self.space else ''}{options}"
        if self.kind == "string" and not self.array:
            return f"{self.name}:string" if ":" in self.name else self.name
        return f"{self.name}:{self.kind}{'[]' if self.array else ''}{options}"


@dataclass(frozen=True, slots=True)
class Header:
    """The columns of a file, and the places of those with a role."""

    columns: tuple[Column, ...]
    places: dict[str, int] = field(default_factory=dict)

    @property
    def is_edges(self) -> bool:
        """Whether the rows are relationships."""
        return "START_ID" in self.places

    def column(self, role: str) -> Column | None:
        """The column with a role."""
        place = self.places.get(role)
        return None if place is None else self.columns[place]


def parse_header(cells: Sequence[str], where: str) -> Header:
    """The header that `cells` spell; `where` names the file in messages.

    Raises SourceError for an unknown type, a repeated role or property name, and when
    the file is neither of nodes (`:ID`) nor of relationships (`:START_ID`, `:END_ID`).
    """
    columns = tuple(parse_column(cell, where) for cell in cells)
    places: dict[str, int] = {}
    names: set[str] = set()
    for place, column in enumerate(columns):
        if column.role == "IGNORE":
            continue
        if column.role is not None:
            if column.role in places:
                raise SourceError(
                    f"{where} has more than one column :{column.role}.",
                    remedy="Join what makes up the id in one column.",
                )
            places[column.role] = place
        elif column.name in names:
            raise SourceError(f"{where} has the property {column.name!r} twice.", remedy="Mark one :IGNORE.")
        if column.role is None or column.role == "ID":
            names.add(column.name)
    _require_kind(places, columns, where)
    return Header(columns, places)


def parse_column(cell: str, where: str) -> Column:
    """One field of a header; raises SourceError when its type is not known."""
    text = cell.strip()
    if _NAMELESS.fullmatch(text):
        return Column("", role="IGNORE")
    bare = _ROLE_WITH_TYPE.fullmatch(text)
    if bare:
        text = bare["field"]
    found = _FIELD.fullmatch(text)
    if found is None or found["type"] is None:
        if ":" in text:
            raise _unknown_type(text, where)
        if not text:
            return Column("", role="IGNORE")  # neo4j-admin needs names; a column without one has none
        return Column(text)
    name, kind, space = found["name"], found["type"], (found["space"] or "").strip()
    options = (found["options"] or "").strip()
    if kind.upper() in ROLES and not found["array"]:
        return Column(name, role=kind.upper(), space=space, options=options)
    if kind.lower() not in TYPES or found["space"] is not None:
        raise _unknown_type(text, where)
    if not name:
        raise SourceError(
            f"{where}: the column {text!r} has a type but no name.", remedy="Name the property."
        )
    return Column(name, kind=kind.lower(), array=bool(found["array"]), options=options)


def _unknown_type(text: str, where: str) -> SourceError:
    return SourceError(
        f"{where}: the column {text[:80]!r} has no type that neo4j-admin knows.",
        remedy=f"A column is name:type with a type of {', '.join(TYPES)}, [] after it for an array, "
        f"or one of {', '.join(f':{role}' for role in ROLES)}.",
    )


def _require_kind(places: dict[str, int], columns: Sequence[Column], where: str) -> None:
    has_ends = [role for role in ("START_ID", "END_ID") if role in places]
    if len(has_ends) == 2 and "ID" not in places:
        return
    if not has_ends and "ID" in places:
        return
    shown = ", ".join(str(column) for column in columns[:12]) or "nothing"
    if len(has_ends) == 1:
        missing = "END_ID" if has_ends == ["START_ID"] else "START_ID"
        raise SourceError(f"{where} has :{has_ends[0]} but no :{missing}.", remedy="Relationships need both.")
    raise SourceError(
        f"{where} is neither a file of nodes nor of relationships: its first line has {shown}.",
        remedy="Nodes need a column :ID, relationships :START_ID and :END_ID; or name the right delimiter. "
        + hint_of_columns(column.name for column in columns),
    )
