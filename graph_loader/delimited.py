"""Rows of delimited text, one at a time: quoted or not, with line ends inside values."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.files import TextFile, opened
from graph_loader.reading import Reading

Cells = list[str | None]

MAX_CELL_CHARS = 16 * 1024 * 1024
MAX_ROW_LINES = 100_000
_NAMED = {"TAB": "\t", "\\t": "\t"}
_CODE_POINT = re.compile(r"(?:U\+(?P<hex>[0-9A-Fa-f]{4})|\\(?P<decimal>\d{1,5}))")
_SURROGATE = re.compile("[\ud800-\udfff]")
_LINE_ENDS = "\n\r"

csv.field_size_limit(MAX_CELL_CHARS)


def separator(written: str, role: str) -> str:
    r"""The character that neo4j-admin's way of writing it means: `;`, `TAB`, `\t`, `\9`, `U+0009`.

    Raises SourceError when it is not one character of the Basic Multilingual Plane,
    or cannot separate anything; `role` names it in the message.
    """
    code = _CODE_POINT.fullmatch(written)
    if written in _NAMED:
        return _NAMED[written]
    if code:
        point = int(code["hex"], 16) if code["hex"] else int(code["decimal"])
        written = chr(point)
    if len(written) != 1 or ord(written) > 0xFFFF:
        raise SourceError(
            f"The {role} {written!r} is {len(written)} characters, or one that 16 bits do not hold.",
            remedy="Give one character such as ; or |, TAB, or its code as U+001F.",
        )
    if written in _LINE_ENDS or written == "\0" or _SURROGATE.match(written):
        raise SourceError(f"{written!r} cannot be the {role}.", remedy="Give a character such as ; or |.")
    return written


@dataclass(frozen=True, slots=True)
class Dialect:
    """How cells are separated and quoted; `quote` None means that quotes are ordinary characters.

    Raises SourceError when delimiter and quote are the same or are not one character.
    """

    delimiter: str = ","
    quote: str | None = '"'
    encoding: str = "utf-8"

    def __post_init__(self) -> None:
        separator(self.delimiter, "delimiter")
        if self.quote is not None:
            separator(self.quote, "quote")
        if self.delimiter == self.quote:
            raise SourceError(f"{self.delimiter!r} cannot be both the delimiter and the quote.")
        try:
            "".encode(self.encoding)
        except LookupError as error:
            raise SourceError(
                f"The encoding {self.encoding!r} is not known.", remedy="Give a name such as utf-8 or cp1252."
            ) from error


def read_rows(
    path: Path, dialect: Dialect, reading: Reading, *, has_header: bool = True
) -> Iterator[tuple[int, Cells]]:
    """Number (from 1, below the header) and cells of each data row; blank lines are no rows.

    A cell is None when nothing stands in it, "" when it is an empty pair of quotes.
    Rows with NUL, with bytes that the encoding does not have, or with text after a
    closing quote are left out and counted. The number of rows is added to `reading`.

    Raises SourceError when the file is missing, cut short, holds a cell or line of
    more than 16 MiB, a row of more than 100,000 lines, or a quote that is never closed.
    """
    with opened(path) as stream:
        text = TextFile(stream, path.name, encoding=dialect.encoding)
        yield from _Rows(text, path.name, dialect, reading).read(has_header=has_header)


def read_header(path: Path, dialect: Dialect) -> list[str]:
    """The cells of the first row as they are, bytes of no character included; [] for an empty file.

    Raises SourceError as `read_rows` does.
    """
    with opened(path) as stream:
        for line in TextFile(stream, path.name, encoding=dialect.encoding):
            if line.strip(_LINE_ENDS):
                return [cell or "" for cell in split_line(line.rstrip(_LINE_ENDS), dialect)]
    return []


def split_line(line: str, dialect: Dialect) -> Cells:
    """The cells of one line, None where nothing stands, "" for an empty pair of quotes.

    Text after a closing quote is kept, so that any line can be split.
    """
    if dialect.quote is None:
        return [cell or None for cell in line.split(dialect.delimiter)]
    cells: Cells = []
    for found in _matches(line, dialect.delimiter, dialect.quote):
        if found["quoted"] is None:
            cells.append(found["plain"] or None)
        else:
            cells.append(found["quoted"].replace(dialect.quote * 2, dialect.quote) + found["rest"])
    return cells


def quoted_cells(line: str, dialect: Dialect) -> list[bool | None]:
    """Whether each cell of a line stands in quotes as a whole; None where nothing stands, or nothing in them.

    Raises ValueError when the dialect has no quote.
    """
    if dialect.quote is None:
        raise ValueError("Cells of a dialect without a quote are never quoted.")
    quoted: list[bool | None] = []
    for found in _matches(line, dialect.delimiter, dialect.quote):
        whole = found["quoted"] is not None and not found["rest"]
        quoted.append(whole if found["plain"] or found["quoted"] or found["rest"] else None)
    return quoted


def _matches(line: str, delimiter: str, quote: str) -> Iterator[re.Match[str]]:
    """One match a cell of the line."""
    pattern = _cell_pattern(delimiter, quote)
    place = 0
    while (found := pattern.match(line, place)) is not None:
        yield found
        place = found.end()
        if not found["end"]:
            return


@cache
def _cell_pattern(delimiter: str, quote: str) -> re.Pattern[str]:
    q, d = re.escape(quote), re.escape(delimiter)
    quoted = rf"{q}(?P<quoted>[^{q}]*(?:{q}{q}[^{q}]*)*){q}(?P<rest>[^{d}]*)"
    return re.compile(rf"(?:{quoted}|(?P<plain>[^{d}]*))(?P<end>{d}|\Z)", re.DOTALL)


class _Rows:
    """Rows by the csv module; a row with a doubled quote is split again to tell "" from nothing."""

    def __init__(self, text: TextFile, name: str, dialect: Dialect, reading: Reading) -> None:
        self._text = text
        self._name = name
        self._dialect = dialect
        self._reading = reading
        self._pending: list[str] = []

    def read(self, *, has_header: bool) -> Iterator[tuple[int, Cells]]:
        last = 0
        try:
            for last, cells in self._split(0 if has_header else 1):
                if last and cells is not None:
                    yield last, cells
        finally:
            self._reading.rows[self._name] += last

    def _split(self, first: int) -> Iterator[tuple[int, Cells | None]]:
        """Every row with its number, the header's being 0; None for one that is left out."""
        dialect, pending = self._dialect, self._pending
        quote = dialect.quote
        reader = csv.reader(
            self._lines(),
            delimiter=dialect.delimiter,
            quotechar=quote or '"',
            quoting=csv.QUOTE_NONE if quote is None else csv.QUOTE_MINIMAL,
            strict=True,
        )
        doubled = None if quote is None else quote * 2
        number = first - 1
        while True:
            try:
                row = next(reader, None)
            except csv.Error as error:
                number += 1
                self._refuse(error, number, reader.line_num)
                pending.clear()
                yield number, None
                continue
            if row is None:
                return
            if not row:
                pending.clear()
                continue
            number += 1
            fault = self._fault(row) if self._text.damaged or self._text.has_nul else None
            if fault is not None:
                if number:
                    self._reading.skip(self._name, fault, f"row {number}")
                yield number, None
            elif doubled is not None and "" in row and any(doubled in line for line in pending):
                yield number, split_line("".join(pending).rstrip(_LINE_ENDS), dialect)
            else:
                yield number, [cell or None for cell in row]
            pending.clear()

    def _lines(self) -> Iterator[str]:
        for line in self._text:
            self._pending.append(line)
            if len(self._pending) > MAX_ROW_LINES:
                raise csv.Error("unexpected end")
            yield line

    def _refuse(self, error: csv.Error, number: int, line: int) -> None:
        reason = str(error)
        if "expected after" in reason:
            self._reading.skip(self._name, "text after a closing quote", f"row {number}")
            return
        if "unexpected end" in reason or "field larger" in reason:
            opening = line - len(self._pending) + 1
            raise SourceError(
                f"{self._name}, row {number}: a quote in line {opening} or below is not closed.",
                remedy="Double the quotes inside quoted values, or name the right quote character.",
            ) from error
        raise SourceError(f"{self._name}, row {number} (line {line}): {reason}.") from error

    @staticmethod
    def _fault(cells: Iterable[str]) -> str | None:
        whole = "".join(cells)
        if "\0" in whole:
            return "NUL character"
        return "bytes of another encoding" if _SURROGATE.search(whole) else None
