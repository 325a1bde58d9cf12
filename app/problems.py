"""RFC 9457 problems: one shape for every error that leaves the service.

`type` is stable: `urn:biomolkg:problem:<slug>`, listed in docs/http.md. `errors`
names the fields at fault. What was unexpected is logged with its request's id
and answered without details.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from biomolkg.errors import AmbiguousName, BioMolKGError, InvalidRequest, NotReady, Overloaded

MEDIA_TYPE = "application/problem+json"
TYPE_PREFIX = "urn:biomolkg:problem:"
RETRY_SECONDS = 2
# Of HTTP itself; the errors of biomolkg.errors bring their own.
HTTP_SLUGS = {
    HTTPStatus.BAD_REQUEST: "malformed-json",
    HTTPStatus.NOT_FOUND: "no-such-route",
    HTTPStatus.METHOD_NOT_ALLOWED: "method-not-allowed",
    HTTPStatus.NOT_ACCEPTABLE: "not-acceptable",
    HTTPStatus.REQUEST_TIMEOUT: "body-too-slow",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "body-too-large",
    HTTPStatus.UNSUPPORTED_MEDIA_TYPE: "unsupported-media-type",
}

logger = structlog.get_logger()


def problem(
    *,
    status: int,
    slug: str,
    detail: str,
    instance: str,
    errors: Sequence[Mapping[str, str]] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """A problem as a response. Text of the caller's may be any string: what UTF-8 cannot carry is escaped."""
    body = {
        "type": TYPE_PREFIX + slug,
        "title": slug.replace("-", " ").capitalize().replace("json", "JSON"),
        "status": int(status),
        "detail": detail,
        "instance": instance,
        "errors": list(errors),
    }
    return Response(
        json.dumps(body, ensure_ascii=True).encode("ascii"),
        status_code=int(status),
        media_type=MEDIA_TYPE,
        headers=dict(headers or {}),
    )


def of_error(error: BioMolKGError, *, instance: str) -> Response:
    """The problem of an error that was raised on purpose."""
    headers = {}
    if error.retryable:
        headers["Retry-After"] = str(error.retry_after if isinstance(error, Overloaded) else RETRY_SECONDS)
    errors = []
    if isinstance(error, InvalidRequest) and error.field:
        errors.append({"field": error.field, "message": error.message})
    if isinstance(error, AmbiguousName):
        errors = [{"field": str(error.field), "message": candidate} for candidate in error.candidates]
    return problem(
        status=error.status,
        slug=error.slug,
        detail=str(error),
        instance=instance,
        errors=errors,
        headers=headers,
    )


def of_status(
    status: HTTPStatus, detail: str, *, instance: str, headers: Mapping[str, str] | None = None
) -> Response:
    """The problem of a plain HTTP status."""
    slug = HTTP_SLUGS.get(status, status.phrase.lower().replace(" ", "-"))
    return problem(status=status, slug=slug, detail=detail, instance=instance, headers=headers)


def unexpected(*, instance: str, request_id: str) -> Response:
    """The problem of an error that nobody foresaw; the log has it under `request_id`."""
    return problem(
        status=500,
        slug="internal-error",
        detail=f"The service failed unexpectedly. Its log has the details under request id {request_id}.",
        instance=instance,
    )


def install(app: FastAPI) -> None:
    """Answer every error of `app` with a problem."""
    app.add_exception_handler(BioMolKGError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)


async def _on_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, BioMolKGError)
    # Not being ready and being full are states of the service, which /readyz and /metrics tell.
    if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, NotReady | Overloaded):
        logger.warning("request failed", slug=error.slug, error=str(error))
    return of_error(error, instance=request.url.path)


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    malformed = [item for item in found if item["type"] == "json_invalid"]
    if malformed:
        reason = str(malformed[0].get("ctx", {}).get("error", "it cannot be parsed"))
        reason = reason.rstrip(": ").removesuffix(" at")  # the parser's words are made to go on
        position = malformed[0]["loc"][-1]
        return of_status(
            HTTPStatus.BAD_REQUEST,
            f"The body is not JSON: {reason} at character {position}.",
            instance=request.url.path,
        )
    errors = [{"field": _field(item["loc"]), "message": _message(item)} for item in found]
    names = ", ".join(dict.fromkeys(item["field"] for item in errors))
    return problem(
        status=422,
        slug=InvalidRequest.slug,
        detail=f"The request cannot be used; see errors: {names}.",
        instance=request.url.path,
        errors=errors,
    )


async def _on_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = HTTPStatus(error.status_code)
    detail = {
        HTTPStatus.BAD_REQUEST: _unreadable(error.__cause__),
        HTTPStatus.NOT_FOUND: f"There is no route {request.url.path}. /docs lists the routes.",
        HTTPStatus.METHOD_NOT_ALLOWED: f"{request.method} is not allowed on {request.url.path}.",
    }.get(status, str(error.detail))
    return of_status(status, detail, instance=request.url.path, headers=error.headers)


def _unreadable(cause: BaseException | None) -> str:
    """What is wrong with a body that the JSON parser stopped at without a position."""
    if isinstance(cause, UnicodeDecodeError):
        return f"The body is not UTF-8: the byte at position {cause.start} cannot be read."
    if isinstance(cause, RecursionError):
        return "The body is nested too deeply."
    if isinstance(cause, ValueError) and "digits" in str(cause):
        return "The body has an integer with too many digits."
    return "The body is not JSON that can be read."


def _field(location: Sequence[Any]) -> str:
    """`("body", "questions", 3)` as `questions[3]`, `("body",)` as `body`."""
    path = ""
    for part in location[1:]:
        path += f"[{part}]" if isinstance(part, int) else f".{part}" if path else str(part)
    return path or str(location[0])


def _message(item: Mapping[str, Any]) -> str:
    message = str(item["msg"])
    return message.removeprefix("Value error, ")
