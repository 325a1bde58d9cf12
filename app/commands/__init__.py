"""The commands of the command line, one noun a module, each with a typer application named `app`.

A module is imported only when its command is called, so `biomolkg --help` stays fast.
"""

from __future__ import annotations

import sys

import typer

from biomolkg.settings import Settings, load_settings

__all__ = ["settings_of"]


def settings_of(context: typer.Context, **overrides: object) -> Settings:
    """The settings of this call: environment, `.env`, the flags of the root, then `overrides` unless None.

    Raises ConfigurationError that names each setting that is wrong.
    """
    given = context.find_root().obj
    flags: dict[str, object] = dict(given) if isinstance(given, dict) else {}
    flags.update({name: value for name, value in overrides.items() if value is not None})
    settings = load_settings(**flags)
    _log_to_standard_error(settings)
    return settings


def _log_to_standard_error(settings: Settings) -> None:
    """Standard output is the command's answer, which a script reads; only warnings are worth a line."""
    import structlog  # noqa: PLC0415 - `biomolkg --help` needs none

    level = "warning" if settings.log_level == "info" else settings.log_level
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty()),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: structlog.PrintLogger(sys.stderr),
    )
