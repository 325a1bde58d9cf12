"""What every request passes before a route sees it, and every response after.

Gives each request an id, refuses what no route could use (NUL bytes, a body
that is too large or too slow), counts and logs, and turns an
unforeseen error into a problem.
"""

from __future__ import annotations

import asyncio
import codecs
import json
import re
import time
import uuid
from http import HTTPStatus

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app import problems
from app.metrics import Metrics
from biomolkg.errors import InvalidRequest, Overloaded
from biomolkg.settings import Settings

REQUEST_ID = re.compile(r"[A-Za-z0-9._:-]{1,128}")
# Bodies up to so many times the limit are read to their end, and dropped, before they are refused.
DRAINED = 4
# How JSON begins in UTF-16 and UTF-32, with its mark or without.
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, b"{\x00", b"\x00{", b"\x00\x00\x00{", b"\x00\x00\xfe\xff")
# Probes come every few seconds and would drown the rest.
UNLOGGED = frozenset({"/healthz", "/readyz", "/metrics"})

logger = structlog.get_logger()


class Refused(Exception):  # never leaves this module
    """The request is answered with a problem before any route."""

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


class Intake:
    """The ASGI middleware; see the module."""

    def __init__(self, app: ASGIApp, settings: Settings, metrics: Metrics) -> None:
        self._app = app
        self._settings = settings
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection; all but HTTP passes untouched."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # A HEAD is a GET whose body the server drops.
        scope = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope
        exchange = _Exchange(scope, send)
        with structlog.contextvars.bound_contextvars(request_id=exchange.request_id):
            try:
                check_address(scope)
                body = await self._read_body(scope, receive)
                await self._app(scope, _replay(body, receive), exchange.send)
            except Refused as refusal:
                await refusal.response(scope, receive, exchange.send)
            except asyncio.CancelledError:
                # Only the end of the service cancels a request: after its last moments to finish.
                await self._give_up(scope, receive, exchange)
            except Exception:  # the last line of defence of the service
                logger.exception("unexpected error", path=scope["path"])
                if not exchange.started:
                    failure = problems.unexpected(instance=scope["path"], request_id=exchange.request_id)
                    await failure(scope, receive, exchange.send)
            finally:
                self._record(scope, exchange)

    async def _give_up(self, scope: Scope, receive: Receive, exchange: _Exchange) -> None:
        ending = Overloaded("The service is ending.", retry_after=5)
        if not exchange.started:
            await problems.of_error(ending, instance=scope["path"])(scope, receive, exchange.send)
        elif not exchange.complete:  # a stream: its reader is told, as of any failure on the way
            line = json.dumps({"error": {"type": ending.slug, "detail": str(ending)}}) + "\n"
            await exchange.send({"type": "http.response.body", "body": line.encode(), "more_body": False})

    async def _read_body(self, scope: Scope, receive: Receive) -> bytes:
        """The whole body. Raises Refused when it is too large, too slow, or has a NUL byte."""
        headers = Headers(scope=scope)
        path, limit = scope["path"], self._settings.max_body_bytes
        declared = headers.get("content-length", "")
        if declared.isdigit() and int(declared) > DRAINED * limit:
            raise Refused(_too_large(path, limit))
        body, size = bytearray(), 0
        try:
            async with asyncio.timeout(self._settings.request_timeout):
                more = True
                while more:
                    message = await receive()
                    piece = message.get("body", b"")
                    size += len(piece)
                    if size > limit:
                        body.clear()
                    else:
                        body += piece
                    more = message["type"] == "http.request" and message.get("more_body", False)
                    # Many a client reads no answer before all is sent, so a little too much is taken in.
                    if size > (DRAINED if more else 1) * limit:
                        raise Refused(_too_large(path, limit))
        except TimeoutError as error:
            slow = f"The body did not arrive within {self._settings.request_timeout:g} s."
            raise Refused(problems.of_status(HTTPStatus.REQUEST_TIMEOUT, slow, instance=path)) from error
        if body.startswith(WIDE):
            wide = "The body is not UTF-8: it looks like UTF-16 or UTF-32."
            raise Refused(problems.of_status(HTTPStatus.BAD_REQUEST, wide, instance=path))
        if b"\x00" in body:
            raise Refused(_nul(path, "body"))
        return bytes(body)

    def _record(self, scope: Scope, exchange: _Exchange) -> None:
        seconds = time.perf_counter() - exchange.begun
        route = getattr(scope.get("route"), "path", "unmatched")
        self._metrics.requests.labels(scope["method"], route, str(exchange.status)).inc()
        self._metrics.seconds.labels(scope["method"], route).observe(seconds)
        if scope["path"] not in UNLOGGED:
            logger.info(
                "request",
                method=scope["method"],
                path=scope["path"],
                status=exchange.status,
                ms=round(seconds * 1000, 1),
                request_id=exchange.request_id,
            )


class _Exchange:
    """One request and what has been sent for it."""

    def __init__(self, scope: Scope, send: Send) -> None:
        given = Headers(scope=scope).get("x-request-id", "")
        self.request_id = given if REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        self.begun = time.perf_counter()
        self.status = 0
        self.started = False
        self.complete = False
        self._send = send

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.started = True
            self.status = int(message["status"])
            headers = MutableHeaders(scope=message)
            headers["X-Request-ID"] = self.request_id
        elif message["type"] == "http.response.body":
            self.complete = not message.get("more_body", False)
        await self._send(message)


def check_address(scope: Scope) -> None:
    """Raise Refused when the path or the query has a NUL byte."""
    query = scope.get("query_string", b"")
    field = "path" if "\x00" in scope["path"] else "query" if b"\x00" in query or b"%00" in query else None
    if field:
        raise Refused(_nul(scope["path"].replace("\x00", "%00"), field))


def _nul(path: str, field: str) -> Response:
    error = InvalidRequest(f"The {field} has a NUL byte.", field=field, remedy="Leave it out.")
    return problems.of_error(error, instance=path)


def _too_large(path: str, limit: int) -> Response:
    detail = f"The body is larger than {limit:,} bytes. Send fewer questions in one request."
    return problems.of_status(
        HTTPStatus.REQUEST_ENTITY_TOO_LARGE, detail, instance=path, headers={"Connection": "close"}
    )


def _replay(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives `body` first, then what the server has to say (a disconnect)."""
    given = False

    async def next_message() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return next_message
