"""How a measurement is run as a script of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable

import typer

from biomolkg.errors import BioMolKGError


def run_script(measure: Callable[..., None]) -> None:
    """Run `measure` with the flags that it declares; what goes wrong is one message on standard error."""
    try:
        typer.run(measure)
    except BioMolKGError as error:
        print(error, file=sys.stderr)
        sys.exit(error.exit_code)
