"""Values of the database as values of neo4j-admin's CSV files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from neo4j.spatial import Point
from neo4j.time import Date, DateTime, Duration, Time

from biomolkg.errors import InputError
from graph_loader.graph_records import Literal, Scalar, Value
from graph_loader.sources.csv_graph.headers import Column

# Property types as Neo4j's schema procedures name them.
_KINDS = {
    "String": "string",
    "Long": "long",
    "Integer": "int",
    "Double": "double",
    "Float": "float",
    "Boolean": "boolean",
    "Date": "date",
    "LocalTime": "localtime",
    "Time": "time",
    "LocalDateTime": "localdatetime",
    "DateTime": "datetime",
    "Duration": "duration",
    "Point": "point",
}
# Spatial reference systems that Neo4j has, by number.
_SYSTEMS = {4326: "wgs-84", 4979: "wgs-84-3d", 7203: "cartesian", 9157: "cartesian-3d"}


def column_of(name: str, type_name: str) -> Column:
    """The column of a property whose type Neo4j calls `type_name`. Raises InputError for an unknown type."""
    kind = _KINDS.get(type_name.removesuffix("Array"))
    if kind is None:
        raise InputError(f"The property {name!r} is of type {type_name}, which no CSV column can hold.")
    return Column(name, kind=kind, array=type_name.endswith("Array"))


def type_of(value: object) -> str:
    """The name that Neo4j's schema procedures give the type of a value; of an empty list "Array"."""
    if isinstance(value, list):
        return f"{type_of(value[0])}Array" if value else "Array"
    if isinstance(value, Literal):
        return next(name for name, kind in _KINDS.items() if kind == value.kind)
    return {bool: "Boolean", int: "Long", float: "Double", str: "String"}.get(type(value), "Unknown")


def plain(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Properties with dates, times, durations and points as literals; lists stay lists."""
    return {
        name: [_scalar(item) for item in value] if isinstance(value, list) else _scalar(value)
        for name, value in properties.items()
    }


def as_value(value: Any) -> Value:
    """A value of `plain` as a cell's."""
    return tuple(value) if isinstance(value, list) else value


def _scalar(value: Any) -> Scalar:
    if isinstance(value, (str, int, float)):  # a bool is an int
        return value
    if isinstance(value, Point):
        axes = ", ".join(f"{axis}: {number!r}" for axis, number in zip("xyz", value, strict=False))
        return Literal("point", f"{{{axes}, crs: {_SYSTEMS[value.srid or 0]}}}")
    if not isinstance(value, (Date, DateTime, Time, Duration)):
        raise InputError(f"No CSV column can hold a {type(value).__name__}: {str(value)[:80]}.")
    zone = ""
    if isinstance(value, DateTime) and value.tzinfo is not None:
        name = getattr(value.tzinfo, "zone", None) or getattr(value.tzinfo, "key", None) or ""
        zone = f"[{name}]" if "/" in name else ""
    return Literal(_kind(value), value.iso_format() + zone)


def _kind(value: Date | DateTime | Time | Duration) -> str:
    if isinstance(value, Date):
        return "date"
    if isinstance(value, Duration):
        return "duration"
    local = "local" if value.tzinfo is None else ""
    return f"{local}{'datetime' if isinstance(value, DateTime) else 'time'}"
