"""Published files as bytes or as text, plain or gzipped, whatever their length."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import IO, cast

from biomolkg.errors import SourceError

# A longer line is no row of a table; reading it whole would take the memory it asks for.
MAX_LINE_BYTES = 16 * 1024 * 1024
BROKEN = (EOFError, OSError, zlib.error)
_GZIP_MAGIC = b"\x1f\x8b"
_CHUNK_BYTES = 64 * 1024
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def is_hidden(name: str) -> bool:
    """Whether a file of a folder or zip is one that a system left there: `.DS_Store`, `__MACOSX/._x.csv`."""
    path = PurePosixPath(name)
    return path.name.startswith(".") or "__MACOSX" in path.parts


def files_of(path: Path) -> list[Path]:
    """The files of a folder in the order of their names, hidden ones left out; a file itself."""
    if not path.is_dir():
        return [path]
    return sorted(item for item in path.iterdir() if item.is_file() and not is_hidden(item.name))


def refuse_device(path: Path) -> None:
    """Raise SourceError for a pipe, device or socket: it has no end, or can be read only once."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise SourceError(
            f"{path} is a pipe or device, no file.", remedy="Write what it gives to a file, and load that."
        )


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """The bytes of a plain or gzipped file; SourceError when it is missing, unreadable or cut short.

    The content decides whether it is gzipped, not the name.
    """
    try:
        refuse_device(path)
        if path.is_dir():
            raise SourceError(f"{path} is a folder, no file.", remedy="Name the file in it.")
        with path.open("rb") as raw:
            gzipped = raw.read(2) == _GZIP_MAGIC
            raw.seek(0)
            if gzipped:
                with gzip.GzipFile(fileobj=raw) as unpacked:
                    yield cast("IO[bytes]", unpacked)
            else:
                yield raw
    except BROKEN as error:
        raise unreadable(path.name, error) from error


def unreadable(name: str, error: Exception) -> SourceError:
    """What is raised for a file that ends too early or cannot be read."""
    return SourceError(
        f"{name} cannot be read to its end: {error or type(error).__name__}.",
        remedy="Check the path, or fetch the file again: it may be cut short.",
    )


class TextFile:
    """The lines of an opened file as text, line ends kept, a byte order mark taken off.

    A byte order mark of UTF-8 or UTF-16 decides the encoding, else `encoding` does.
    Bytes that it does not have become lone surrogates. `damaged` and `has_nul` turn
    true no later than the first line with such a byte, or with NUL, is given: only
    then need lines be looked at.
    """

    def __init__(self, stream: IO[bytes], name: str, *, encoding: str = "utf-8") -> None:
        self._watch = _Watch(stream, name, encoding)
        self._text = io.TextIOWrapper(
            self._watch,
            encoding=self._watch.encoding,
            errors="surrogateescape",
            newline="",
        )

    @property
    def damaged(self) -> bool:
        """Whether a byte was met that the encoding does not have."""
        return self._watch.damaged

    @property
    def has_nul(self) -> bool:
        """Whether a NUL character may have been met."""
        return self._watch.has_nul

    def __iter__(self) -> Iterator[str]:
        try:
            yield from self._text
        except UnicodeDecodeError as error:  # UTF-16 that is cut within a character
            raise SourceError(
                f"{self._watch.name} is no {self._watch.encoding}: {error.reason}.",
                remedy="Fetch the file again: it may be cut short.",
            ) from error


class _Watch(io.BufferedIOBase):
    """Passes bytes on and looks at them: NUL, bytes of no character, lines without an end."""

    def __init__(self, stream: IO[bytes], name: str, encoding: str) -> None:
        self.name = name
        self._stream = stream
        self._first = stream.read(_CHUNK_BYTES)
        self.encoding = next(
            (marked for mark, marked in _MARKS if self._first.startswith(mark)),
            encoding,
        )
        self._decoder = codecs.getincrementaldecoder(self.encoding)()
        self._open_line = 0
        self.damaged = False
        self.has_nul = self.encoding == "utf-16"

    def readable(self) -> bool:
        return True

    def read1(self, _size: int | None = -1, /) -> bytes:
        chunk = self._first
        if chunk:
            self._first = b""
        else:
            chunk = self._stream.read(_CHUNK_BYTES)
        self._look(chunk)
        return chunk

    def read(self, size: int | None = -1, /) -> bytes:
        return self.read1(size)

    def _look(self, chunk: bytes) -> None:
        end = chunk.rfind(b"\n")
        if end < 0:
            end = chunk.rfind(b"\r")
        self._open_line = self._open_line + len(chunk) if end < 0 else len(chunk) - end
        if self._open_line > MAX_LINE_BYTES:
            raise SourceError(
                f"{self.name} has a line longer than {MAX_LINE_BYTES:,} bytes.",
                remedy="Is this the text table that its name says?",
            )
        self.has_nul = self.has_nul or b"\0" in chunk
        if not self.damaged:
            try:
                self._decoder.decode(chunk, not chunk)
            except UnicodeDecodeError:
                self.damaged = True
