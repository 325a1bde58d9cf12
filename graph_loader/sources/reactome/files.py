"""Reading Reactome's files as they are published: plain, gzipped, or members of an archive."""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from biomolkg.errors import SourceError
from graph_loader.files import opened, unreadable
from graph_loader.sources.reactome.tally import Tally

MAX_JSON_BYTES = 256 * 1024 * 1024
MAX_LINE_BYTES = 1024 * 1024
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_BROKEN = (EOFError, OSError, zlib.error, tarfile.TarError, zipfile.BadZipFile)


def clean(text: str) -> str:
    """`text` with runs of white space as one space, without control characters and lone surrogates."""
    return " ".join(_UNPRINTABLE.sub("", text).split())


def lines(path: Path, tally: Tally) -> Iterator[tuple[int, str]]:
    """Numbered lines (from 1) of a text file, without blank lines, comments, BOM and line ends.

    A line that is not UTF-8 is read as Windows-1252 and noted; one with a NUL or undecodable is skipped.
    Raises SourceError for a broken file, a line of more than a mebibyte, or when most lines are skipped.
    """
    number = skipped = 0
    try:
        with opened(path) as stream:
            while raw := stream.readline(MAX_LINE_BYTES + 1):
                number += 1
                text = _decoded(raw, path.name, number, tally)
                skipped += text is None
                if text and not text.startswith("#"):
                    yield number, text
    except SourceError as error:
        if isinstance(error.__cause__, _BROKEN):
            raise SourceError(f"{error.message} Read up to line {number}.", remedy=error.remedy) from error
        raise
    if skipped * 2 > number:
        raise SourceError(
            f"{path.name}: {skipped} of {number} lines are no text.",
            remedy="Fetch the file again; it may be damaged, or another file under this name.",
        )


def _decoded(raw: bytes, name: str, number: int, tally: Tally) -> str | None:
    place = f"{name}:{number}"
    if len(raw) > MAX_LINE_BYTES:
        raise SourceError(
            f"{name}, line {number}: longer than {MAX_LINE_BYTES:,} bytes.",
            remedy="Is this the text table that its name says?",
        )
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        try:
            text = raw.decode("cp1252")
        except UnicodeDecodeError:
            tally.skip("line in no known encoding", place)
            return None
        tally.note("line read as Windows-1252", place)
    if "\0" in text:
        tally.skip("line with a NUL character", place)
        return None
    return text.rstrip("\r\n")


def json_object(stream: IO[bytes], name: str) -> dict[str, object]:
    """The JSON object in `stream`; SourceError says where it breaks off."""
    try:
        raw = stream.read(MAX_JSON_BYTES + 1)
    except _BROKEN as error:
        raise unreadable(name, error) from error
    if len(raw) > MAX_JSON_BYTES:
        raise SourceError(f"{name} is larger than {MAX_JSON_BYTES:,} bytes, the limit for one diagram.")
    try:
        value = json.loads(raw)
    except json.JSONDecodeError as error:
        raise SourceError(
            f"{name} is not valid JSON at line {error.lineno}, column {error.colno}: {error.msg}.",
            remedy="Fetch the file again: it may be cut short.",
        ) from error
    except (ValueError, RecursionError) as error:
        raise SourceError(f"{name} cannot be read as JSON: {error}.") from error
    if not isinstance(value, dict):
        raise SourceError(f"{name} holds a JSON {type(value).__name__} where an object is expected.")
    return value


def members(path: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[str, IO[bytes]]]:
    """Each regular member of a tar or zip archive whose name ends with one of `suffixes`, as a stream.

    Members are read in place, never written to disk. Raises SourceError for a broken archive.
    """
    try:
        if zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as archive:
                for entry in archive.infolist():
                    if entry.filename.endswith(suffixes):
                        with archive.open(entry) as stream:
                            yield f"{path.name}!{entry.filename}", stream
            return
        with tarfile.open(path, "r|*") as tar:
            for member in tar:
                if member.isfile() and member.name.endswith(suffixes):
                    content = tar.extractfile(member)
                    if content is not None:
                        yield f"{path.name}!{member.name}", content
    except (*_BROKEN, RuntimeError, NotImplementedError) as error:
        raise unreadable(path.name, error) from error
