"""How long work is shown: a bar when a person watches the terminal, plain lines otherwise."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

_LINE_INTERVAL = 5.0  # seconds between two plain lines of one download


class Reporter(Protocol):
    """What the fetch and the server tell while they work."""

    def say(self, text: str) -> None:
        """One step began or ended."""

    def download(self, text: str, total: int) -> AbstractContextManager[Callable[[int], None]]:
        """Show a download of `total` bytes; the context's value takes the bytes as they arrive."""


class Quiet:
    """Tells nothing."""

    def say(self, text: str) -> None:
        """Nothing."""

    def download(self, text: str, total: int) -> AbstractContextManager[Callable[[int], None]]:  # noqa: ARG002
        """Nothing."""
        return nullcontext(lambda _count: None)


class Terminal:
    """Tells on standard error, so that standard output stays a command's result."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True, highlight=False, soft_wrap=True)

    def say(self, text: str) -> None:
        """One line."""
        self._console.print(text, markup=False)

    @contextmanager
    def download(self, text: str, total: int) -> Iterator[Callable[[int], None]]:
        """A bar on a terminal, else a line every few seconds."""
        if self._console.is_terminal:
            columns = (TextColumn(text), BarColumn(), DownloadColumn(), TimeRemainingColumn())
            with Progress(*columns, console=self._console, transient=True) as bar:
                task = bar.add_task(text, total=total)
                yield lambda count: bar.advance(task, count)
        else:
            yield self._lines(text, total)

    def _lines(self, text: str, total: int) -> Callable[[int], None]:
        done = 0
        told = time.monotonic()
        self.say(f"{text}: {total / 1e6:.0f} MB ...")

        def advance(count: int) -> None:
            nonlocal done, told
            done += count
            if time.monotonic() - told >= _LINE_INTERVAL:
                told = time.monotonic()
                self.say(f"{text}: {done / 1e6:.0f} of {total / 1e6:.0f} MB")

        return advance
