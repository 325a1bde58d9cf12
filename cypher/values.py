"""Dates, times, durations and points as Neo4j takes them, from their text."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from neo4j import spatial, time

_PAIR = re.compile(r"\s*[\"']?(\w+)[\"']?\s*:\s*[\"']?([-+.\w]+)[\"']?\s*(?:,|\Z)")
_COMPACT = re.compile(r"\A(\d{4})(\d\d)(\d\d)(?=T|\Z)")
_READERS: dict[str, Callable[[str], Any]] = {
    "date": time.Date.from_iso_format,
    "localtime": time.Time.from_iso_format,
    "time": time.Time.from_iso_format,
    "localdatetime": time.DateTime.from_iso_format,
    "datetime": time.DateTime.from_iso_format,
    "duration": time.Duration.from_iso_format,
}


def parse_value(kind: str, text: str) -> Any:
    """The value of a text of `kind`: date, localtime, time, localdatetime, datetime, duration or point.

    Raises ValueError for a text that the driver cannot read, such as a date by week,
    a time of a named zone, or a point without coordinates.
    """
    if kind == "point":
        return _point(text)
    try:
        return _READERS[kind](_COMPACT.sub(r"\1-\2-\3", text))
    except (KeyError, ValueError, TypeError) as error:
        raise ValueError(f"{text!r} is no {kind} of the usual form") from error


def _point(text: str) -> Any:
    parts = {name.lower(): value for name, value in _PAIR.findall(text.strip().strip("{}"))}
    names = ("longitude", "latitude", "height") if "latitude" in parts else ("x", "y", "z")
    if not set(names[:2]) <= parts.keys():
        raise ValueError(f"{text!r} is no point")
    numbers = [float(parts[name]) for name in names if name in parts]
    if "latitude" in parts or parts.get("crs", "").lower().startswith("wgs"):
        return spatial.WGS84Point(numbers)
    return spatial.CartesianPoint(numbers)
