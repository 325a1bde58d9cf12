"""The commands of the command line, one noun a module, each with a typer application named `app`.

A module is imported only when its command is called, so `biomolkg --help` stays fast.
"""

from __future__ import annotations

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
    return load_settings(**flags)
