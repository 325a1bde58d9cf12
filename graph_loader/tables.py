"""Delimited tables, read so that nothing wrong with them passes silently."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from operator import itemgetter
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.files import refuse_device
from graph_loader.ledger import Omissions

# Tab and line feed can be part of a value; the others are damage.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")

csv.field_size_limit(16 * 1024 * 1024)


Cells = tuple[str, ...]


def read_text(path: Path) -> str:
    """The text of a UTF-8 file, without a byte order mark, every line end a single line feed.

    Raises SourceError when the file is missing, unreadable or not UTF-8.
    """
    try:
        refuse_device(path)
        content = path.read_bytes()
    except FileNotFoundError as error:
        raise SourceError(
            f"{path} does not exist.", remedy="Give the folder that holds the data set as it was published."
        ) from error
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from error
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SourceError(
            f"{path} is not UTF-8: byte {content[error.start]:#04x} in line {line}.",
            remedy="Convert the file to UTF-8.",
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_table(
    path: Path, columns: Sequence[str], omissions: Omissions, *, required: Sequence[str] | None = None
) -> Iterator[tuple[int, Cells]]:
    """The usable rows of a comma-separated file: number, from 1 below the header, and stripped cells.

    The cells are those of `columns` (two at least), in that order.

    Rows of the wrong length, with a control character, or with an empty value in
    a `required` column (default: all of `columns`) are left out and counted.

    Raises SourceError when the file is missing, not UTF-8, lacks a column, is not
    quoted properly, or when more than half of its rows are unusable.
    """
    needed = columns if required is None else required
    text = read_text(path)
    suspicious = _CONTROL.search(text) is not None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    number = 0
    try:
        header = [name.strip() for name in next(reader, [])]
        places = _places(path, header, columns)
        chosen = itemgetter(*places.values())
        for cells in reader:
            if not cells:
                continue
            number += 1
            fault = _fault(cells, len(header), suspicious=suspicious)
            row = () if fault else tuple(map(str.strip, chosen(cells)))
            if "" in row:
                fault = next(
                    (
                        f"empty {name}"
                        for name, cell in zip(columns, row, strict=True)
                        if not cell and name in needed
                    ),
                    None,
                )
            if fault is not None:
                omissions.add(path.name, fault, f"row {number}")
                continue
            yield number, row
    except csv.Error as error:
        raise SourceError(
            f"{path}, line {reader.line_num} (after row {number}): {error}.",
            remedy="Quote fields that hold commas, quotes or line ends, and double the quotes inside them.",
        ) from error
    if number == 0:
        raise SourceError(f"{path} has a header but no rows.", remedy="Check that the file is complete.")


def refuse_if_mostly_unusable(path: Path, rows: int, omissions: Omissions) -> None:
    """Raise SourceError when more rows of a file were left out than were taken."""
    left_out = omissions.of(path.name)
    if left_out > rows:
        reasons = "; ".join(
            f"{item.reason} ({item.count}, first {item.offenders[0]})"
            for item in omissions.listed()
            if item.file == path.name
        )
        raise SourceError(
            f"{path}: {left_out} of {left_out + rows} rows cannot be used: {reasons}.",
            remedy="This is not the file that was published; nothing was loaded.",
        )


def _places(path: Path, header: Sequence[str], columns: Sequence[str]) -> dict[str, int]:
    missing = [name for name in columns if name not in header]
    if missing:
        raise SourceError(
            f"{path} lacks the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}; "
            f"it has {', '.join(name or '(unnamed)' for name in header) or 'no header'}.",
            remedy="The first line must name the columns, separated by commas.",
        )
    return {name: header.index(name) for name in columns}


def _fault(cells: Sequence[str], width: int, *, suspicious: bool) -> str | None:
    if len(cells) != width:
        return "wrong number of columns"
    found = _CONTROL.search("".join(cells)) if suspicious else None
    if found is None:
        return None
    return "NUL byte" if found[0] == "\x00" else "control character"
