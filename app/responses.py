"""How problems are described in the OpenAPI page."""

from __future__ import annotations

from typing import Any

from app.problems import MEDIA_TYPE

_PROBLEM = {"content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}}

PROBLEMS: dict[int | str, dict[str, Any]] = {
    400: {"description": "The body is no JSON.", **_PROBLEM},
    404: {"description": "What the path names is not there.", **_PROBLEM},
    413: {"description": "The body is larger than the limit.", **_PROBLEM},
    415: {"description": "The body is not declared as JSON.", **_PROBLEM},
    422: {"description": "A field is missing, malformed, unknown or over a limit.", **_PROBLEM},
    503: {"description": "Not ready, overloaded, or without its database; see Retry-After.", **_PROBLEM},
    504: {"description": "It took longer than the limit.", **_PROBLEM},
}
READ_PROBLEMS: dict[int | str, dict[str, Any]] = {status: PROBLEMS[status] for status in (404, 422, 503, 504)}
