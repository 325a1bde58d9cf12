"""Cursors: where the next page of a list begins, of one graph version and one request."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from typing import Any

from biomolkg.errors import InvalidRequest

_DIGITS = 16


def write_cursor(graph_version: str, asked: object, offset: int) -> str:
    """A cursor for the rows from `offset` on of what `asked`, any JSON value, lists."""
    text = json.dumps([graph_version, _mark(asked), offset], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode("ascii").rstrip("=")


def read_cursor(cursor: str | None, graph_version: str, asked: object) -> int:
    """The offset that a cursor stands for; 0 without one.

    Raises InvalidRequest when it is none, is of another graph version or of another request.
    """
    if cursor is None:
        return 0
    version, mark, offset = _parts(cursor)
    if version != graph_version:
        raise InvalidRequest(
            "The graph has changed since this cursor was given.",
            field="cursor",
            remedy="Ask for the first page again, without a cursor.",
        )
    if mark != _mark(asked):
        raise InvalidRequest(
            "The cursor belongs to another request.",
            field="cursor",
            remedy="Send it with the body that it came from; only the size of a page may differ.",
        )
    return offset


def _mark(asked: object) -> str:
    text = json.dumps(asked, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGITS]


def _parts(cursor: str) -> tuple[str, str, int]:
    try:
        padded = cursor + "=" * (-len(cursor) % 4)
        found: Any = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
        version, mark, offset = found
    except (binascii.Error, ValueError, TypeError, RecursionError):
        version, mark, offset = None, None, -1
    if not (isinstance(version, str) and isinstance(mark, str)) or type(offset) is not int or offset < 0:
        raise InvalidRequest(
            "The cursor is none that this service gave.",
            field="cursor",
            remedy="Give `cursor` of an answer as it was, or leave it out for the first page.",
        )
    return version, mark, offset
