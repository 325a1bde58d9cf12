"""Nodes and relationships of neo4j-admin's CSV files, typed, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from biomolkg.errors import SourceError
from graph_loader.delimited import Cells, Dialect, read_header, read_rows
from graph_loader.graph_records import Value
from graph_loader.reading import Reading
from graph_loader.sources.csv_graph.headers import Header, parse_header
from graph_loader.sources.csv_graph.values import converter


@dataclass(frozen=True, slots=True)
class Group:
    """Files that share the header in the first line of the first one.

    `labels` and `type` hold for all its rows, besides what the columns say.
    """

    files: tuple[Path, ...]
    labels: tuple[str, ...] = ()
    type: str = ""


class CsvNode(NamedTuple):
    """A node as the files have it; an absent property is not in `properties`."""

    id: str
    space: str = ""
    labels: tuple[str, ...] = ()
    properties: Mapping[str, Value] = MappingProxyType({})


class CsvEdge(NamedTuple):
    """A relationship as the files have it, its ends as identifiers within their spaces."""

    start: str
    end: str
    type: str
    start_space: str = ""
    end_space: str = ""
    properties: Mapping[str, Value] = MappingProxyType({})


class Placed(NamedTuple):
    """A node or relationship and where it stands: file name and data row from 1."""

    record: CsvNode | CsvEdge
    file: str
    row: int


_Property = tuple[int, str, Callable[[str], Value] | None, str]


def group_header(group: Group, dialect: Dialect) -> Header:
    """The header of a group; raises SourceError when it is none."""
    first = group.files[0]
    cells = read_header(first, dialect)
    if not cells:
        raise SourceError(f"{first.name} is empty.", remedy="The first line must be the header.")
    if any("\0" in cell for cell in cells):
        raise SourceError(f"{first.name} has a NUL character in its header.", remedy="Is this a text file?")
    return parse_header(cells, first.name)


def read_group(
    group: Group, dialect: Dialect, array_delimiter: str, reading: Reading, *, ignore_extra: bool = False
) -> Iterator[Placed]:
    """The rows of a group that can be used; the others are counted.

    Left out: rows of another length than the header, without id, endpoint or type;
    with `ignore_extra`, cells beyond the header's are passed over.
    A property whose cell is not of its type is left out of its row and noted; a
    header that is repeated in a later file is passed over.

    Raises SourceError for a file that is no such table, and when more than half of a
    file's rows are left out.
    """
    header = group_header(group, dialect)
    for position, path in enumerate(group.files):
        yield from _File(path, header, group, array_delimiter, reading).read(
            dialect, has_header=position == 0, ignore_extra=ignore_extra
        )
        reading.refuse_if_mostly_unusable(path.name)


class _File:
    def __init__(
        self, path: Path, header: Header, group: Group, array_delimiter: str, reading: Reading
    ) -> None:
        self._path = path
        self._name = path.name
        self._header = header
        self._group = group
        self._delimiter = array_delimiter
        self._reading = reading
        self._texts = [str(column) for column in header.columns]
        self._properties: list[_Property] = []
        for place, column in enumerate(header.columns):
            if column.role is None:
                plain = column.kind == "string" and not column.array
                convert = None if plain else converter(column.kind, array_delimiter if column.array else None)
                shown = f"{column.kind}{'[]' if column.array else ''}"
                self._properties.append((place, column.name, convert, shown))
            elif column.role == "ID" and column.name:
                self._properties.append((place, column.name, None, "string"))

    def read(self, dialect: Dialect, *, has_header: bool, ignore_extra: bool) -> Iterator[Placed]:
        width = len(self._header.columns)
        build = self._edge if self._header.is_edges else self._node
        for row, written in read_rows(self._path, dialect, self._reading, has_header=has_header):
            cells = written[:width] if ignore_extra else written
            if len(cells) < len(written):
                self._reading.note(self._name, "cells beyond the header, passed over", f"row {row}")
            if len(cells) != width:
                self._skip("another number of columns than the header", row)
            elif row == 1 and not has_header and self._is_header(cells):
                self._reading.note(self._name, "header repeated, passed over", "row 1")
            else:
                record = build(cells, row)
                if record is not None:
                    yield Placed(record, self._name, row)

    def _is_header(self, cells: Cells) -> bool:
        return [cell or "" for cell in cells] == self._texts

    def _skip(self, reason: str, row: int) -> None:
        self._reading.skip(self._name, reason, f"row {row}")

    def _node(self, cells: Cells, row: int) -> CsvNode | None:
        header = self._header
        place = header.places["ID"]
        identifier = cells[place]
        if not identifier or not identifier.strip():
            self._skip("no id", row)
            return None
        labels = self._group.labels
        if "LABEL" in header.places:
            own = cells[header.places["LABEL"]]
            if own:
                labels = (*labels, *own.split(self._delimiter))
        return CsvNode(identifier, header.columns[place].space, labels, self._values(cells, row))

    def _edge(self, cells: Cells, row: int) -> CsvEdge | None:
        places, columns = self._header.places, self._header.columns
        start, end = cells[places["START_ID"]], cells[places["END_ID"]]
        if not start or not end:
            self._skip("no start" if not start else "no end", row)
            return None
        kind = (cells[places["TYPE"]] if "TYPE" in places else None) or self._group.type
        if not kind:
            self._skip("no type", row)
            return None
        return CsvEdge(
            start,
            end,
            kind,
            columns[places["START_ID"]].space,
            columns[places["END_ID"]].space,
            self._values(cells, row),
        )

    def _values(self, cells: Sequence[str | None], row: int) -> dict[str, Value]:
        values: dict[str, Value] = {}
        for place, name, convert, kind in self._properties:
            cell = cells[place]
            if cell is None:
                continue
            if convert is None:
                values[name] = cell
                continue
            try:
                values[name] = convert(cell)
            except ValueError:
                self._reading.note(self._name, f"{name} is no {kind}, left out", f"row {row}: {cell[:40]!r}")
        return values
