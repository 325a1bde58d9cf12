"""Typed values of neo4j-admin's CSV files: from a cell to a value and back.

Types and spellings follow "Import header format" of Neo4j's operations manual. A
boolean is `true` or `false`; anything else, which neo4j-admin reads as false, is
refused here.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import date

from graph_loader.graph_records import Literal, Scalar, Value

INTEGER_BITS = {"byte": 8, "short": 16, "int": 32, "long": 64}
_INTEGER = re.compile(r"[+-]?[0-9]{1,20}")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?|NaN|[+-]?Infinity")
_CLOCK = r"([01]\d|2[0-3])(:?[0-5]\d(:?[0-5]\d([.,]\d{1,9})?)?)?"
_ZONE = r"(Z|[+-]\d{2}(:?\d{2})?)?(\[[A-Za-z0-9_+/-]+\])?"
_DAY = r"(?P<year>\d{4})-?(?P<month>\d{2})-?(?P<day>\d{2})"
_SHAPES = {
    "date": rf"{_DAY}|\d{{4}}(-?(\d{{2}}|W\d{{2}}(-?[1-7])?|Q[1-4](-?\d{{1,2}})?|[0-3]\d{{2}}))?",
    "localtime": _CLOCK,
    "time": _CLOCK + _ZONE,
    "localdatetime": rf"{_DAY}T{_CLOCK}",
    "datetime": rf"{_DAY}T{_CLOCK}{_ZONE}",
    "duration": r"-?P(?=.)([-+]?\d+([.,]\d+)?[YMWD])*(T(?=.)([-+]?\d+([.,]\d+)?[HMS])+)?",
    "point": r"\{[^{}]{1,400}\}",
}
LITERALS = tuple(_SHAPES)
TYPES = (*INTEGER_BITS, "float", "double", "boolean", "char", "string", *LITERALS)
_SHAPE = {kind: re.compile(shape) for kind, shape in _SHAPES.items()}


def converter(kind: str, array_delimiter: str | None) -> Callable[[str], Value]:
    """The function from a cell to its value; it raises ValueError for a cell that has none.

    An array of an empty cell has no elements. `array_delimiter` None: one value.
    """
    scalar = _scalar(kind)
    if array_delimiter is None:
        return scalar
    if kind == "string":
        return lambda cell: tuple(cell.split(array_delimiter)) if cell else ()
    return lambda cell: tuple(scalar(item) for item in cell.split(array_delimiter)) if cell else ()


def written(value: Scalar) -> str:
    """A value as a cell shows it, before it is quoted."""
    if isinstance(value, Literal):
        return value.text
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        if math.isfinite(value):
            return repr(value)
        return "NaN" if math.isnan(value) else f"{'-' if value < 0 else ''}Infinity"
    return str(value)


def _scalar(kind: str) -> Callable[[str], Scalar]:
    if kind == "string":
        return str
    if kind in INTEGER_BITS:
        limit = 1 << (INTEGER_BITS[kind] - 1)
        return lambda cell: _integer(cell, limit)
    if kind in {"float", "double"}:
        return _number
    if kind == "boolean":
        return _boolean
    if kind == "char":
        return _character
    shape = _SHAPE[kind]
    return lambda cell: _literal(cell, kind, shape)


def _integer(cell: str, limit: int) -> int:
    cell = cell.strip()
    if _INTEGER.fullmatch(cell) is None:
        raise ValueError(cell)
    value = int(cell)
    if not -limit <= value < limit:
        raise ValueError(cell)
    return value


def _number(cell: str) -> float:
    cell = cell.strip()
    if _NUMBER.fullmatch(cell) is None:
        raise ValueError(cell)
    return float(cell)


def _boolean(cell: str) -> bool:
    word = cell.strip().lower()
    if word not in {"true", "false"}:
        raise ValueError(cell)
    return word == "true"


def _character(cell: str) -> str:
    if len(cell) != 1:
        raise ValueError(cell)
    return cell


def _literal(cell: str, kind: str, shape: re.Pattern[str]) -> Literal:
    text = cell.strip()
    found = shape.fullmatch(text)
    if found is None:
        raise ValueError(cell)
    if shape.groupindex and found["day"]:
        date(int(found["year"]), int(found["month"]), int(found["day"]))
    return Literal(kind, text)
