"""Tables whose columns are found by name, even where bytes of the header are damaged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.delimited import Cells, Dialect, read_header, read_rows
from graph_loader.reading import Reading

# Some published headers end in bytes of no character, or start with a comment sign.
_STRAY = re.compile("[\ud800-\udfff\x00-\x1f\x7f]")
_FROM_STRAY = re.compile(r"[^ -~].*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Table:
    """A table's columns as they are named, and its data rows: number from 1, a cell for each column."""

    names: tuple[str, ...]
    rows: Iterator[tuple[int, Cells]]


def read_columns(path: Path, dialect: Dialect, columns: Sequence[str], reading: Reading) -> Table:
    """A table that must have `columns`; names are compared without case, and without stray bytes after them.

    Rows of another length than the header are left out and counted.

    Raises SourceError when the file cannot be read or a column is missing.
    """
    names = tuple(_clean(cell, position) for position, cell in enumerate(read_header(path, dialect)))
    places(names, columns, path.name)
    return Table(names, _rows(path, dialect, len(names), reading))


def places(names: Sequence[str], columns: Sequence[str], file: str = "The table") -> tuple[int, ...]:
    """Where `columns` are among `names`; raises SourceError when one is missing."""
    known = {name.lower(): place for place, name in reversed(list(enumerate(names)))}
    missing = [column for column in columns if column.lower() not in known]
    if missing:
        raise SourceError(
            f"{file} lacks the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}; "
            f"it has {', '.join(name[:40] or '(unnamed)' for name in names[:12]) or 'nothing'}.",
            remedy="The first line must name the columns as they were published.",
        )
    return tuple(known[column.lower()] for column in columns)


def has_columns(path: Path, dialect: Dialect, columns: Sequence[str]) -> bool:
    """Whether a file's first line names all of `columns`."""
    names = {_clean(cell, position).lower() for position, cell in enumerate(read_header(path, dialect))}
    return all(column.lower() in names for column in columns)


def _rows(path: Path, dialect: Dialect, width: int, reading: Reading) -> Iterator[tuple[int, Cells]]:
    for row, cells in read_rows(path, dialect, reading):
        if len(cells) == width:
            yield row, cells
        else:
            reading.skip(path.name, "another number of columns than the header", f"row {row}")


def _clean(cell: str, position: int) -> str:
    name = _FROM_STRAY.sub("", cell) if _STRAY.search(cell) else cell
    name = name.strip()
    return name.removeprefix("#").strip() if position == 0 else name
