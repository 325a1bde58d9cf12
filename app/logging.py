"""Structured logs: lines for a person or JSON on standard error, everything with its trace in a file.

Nobody who watches the service sees a stack trace; the file under the home has it.
"""

from __future__ import annotations

import logging
import logging.handlers
import sys
from pathlib import Path
from typing import TextIO

import structlog
from structlog.types import EventDict, Processor, WrappedLogger

from biomolkg.errors import ConfigurationError
from biomolkg.settings import Settings, load_settings

FILE_BYTES = 5_000_000
FILE_COUNT = 3
# What these say at their own levels is either ours to say or of no use to who runs the service.
# Checked at the handlers: a library may set the level of its own logger whenever it is imported.
QUIET = {
    "asyncio": logging.ERROR,
    "bm25s": logging.WARNING,
    "httpx": logging.WARNING,
    "neo4j": logging.ERROR,
    "uvicorn": logging.ERROR,
}


def log_file(settings: Settings) -> Path:
    """Where the service's own log is."""
    return settings.home / "logs" / "service.log"


def configure_logging(settings: Settings, *, stream: TextIO | None = None) -> None:
    """Send structlog and the standard library's records to `stream` (standard error) and the log file.

    A home that cannot be written to costs the file, not the service: one warning says so.
    """
    stream = stream or sys.stderr
    console = settings.log_format == "console" or (settings.log_format == "auto" and stream.isatty())
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[settings.log_level.upper()]
        ),
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    seen: list[Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        _without_trace,
        structlog.dev.ConsoleRenderer(colors=stream.isatty()) if console else _as_json(),
    ]
    kept: list[Processor] = [
        structlog.stdlib.ProcessorFormatter.remove_processors_meta,
        structlog.processors.format_exc_info,
        _as_json(),
    ]
    handlers: list[logging.Handler] = [_formatted(logging.StreamHandler(stream), seen, shared)]
    refused: OSError | None = None
    try:
        handlers.append(_formatted(_file_handler(log_file(settings)), kept, shared))
    except OSError as error:
        refused = error
    root = logging.getLogger()
    for old in list(root.handlers):
        if getattr(old, "biomolkg", False):
            root.removeHandler(old)
            old.close()
    for handler in handlers:
        handler.setLevel(settings.log_level.upper())
        handler.addFilter(_is_of_use)
        root.addHandler(handler)
    root.setLevel(settings.log_level.upper())
    if refused is not None:
        structlog.get_logger().warning(
            "log file cannot be written", path=str(log_file(settings)), reason=str(refused)
        )


def log_crash(error: BaseException) -> Path | None:
    """Write the trace of an unexpected error to the log file: its path, or None if it cannot be written."""
    try:
        path = log_file(load_settings())
        handler = _file_handler(path)
    except (OSError, ConfigurationError):
        return None
    chain: list[Processor] = [
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        structlog.processors.format_exc_info,
        _as_json(),
    ]
    event: EventDict = {"event": "unexpected error", "level": "critical", "exc_info": error}
    for processor in chain:
        event = processor(None, "critical", event)  # type: ignore[assignment]
    handler.setFormatter(logging.Formatter("%(message)s"))
    handler.emit(logging.LogRecord("biomolkg", logging.CRITICAL, __file__, 0, str(event), None, None))
    handler.close()
    return path


def _is_of_use(record: logging.LogRecord) -> bool:
    return record.levelno >= QUIET.get(record.name.partition(".")[0], logging.NOTSET)


def _file_handler(path: Path) -> logging.Handler:
    path.parent.mkdir(parents=True, exist_ok=True)
    return logging.handlers.RotatingFileHandler(
        path, maxBytes=FILE_BYTES, backupCount=FILE_COUNT, encoding="utf-8"
    )


def _formatted(handler: logging.Handler, chain: list[Processor], foreign: list[Processor]) -> logging.Handler:
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processors=chain, foreign_pre_chain=foreign))
    handler.biomolkg = True  # type: ignore[attr-defined]
    return handler


def _as_json() -> Processor:
    return structlog.processors.JSONRenderer(ensure_ascii=True)


def _without_trace(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    trace = event.pop("exc_info", None)
    error = trace[1] if isinstance(trace, tuple) else trace
    if isinstance(error, BaseException):
        event["error"] = f"{type(error).__name__}: {error}"
    return event
