"""Nodes and relationships as CSV files that neo4j-admin imports and `csv_graph` reads back exactly.

Each group is a header file and part files, as BioCypher names them. Text is always
quoted, so that "" and nothing differ; arrays are separated by U+001F, which texts
do not hold. What the format cannot say is refused: NUL, lone surrogates, an array
of one empty text, an array element with the separator in it.

neo4j-admin itself imports no empty arrays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Self

from biomolkg.errors import InputError
from graph_loader.delimited import Dialect
from graph_loader.graph_records import Literal, Value
from graph_loader.sources.csv_graph.headers import Column, parse_header
from graph_loader.sources.csv_graph.rows import CsvEdge, CsvNode, Group
from graph_loader.sources.csv_graph.values import INTEGER_BITS, written

ARRAY_DELIMITER = "\x1f"
ROWS_PER_FILE = 5_000_000
_STEM = re.compile(r"[\w.-]{1,100}")
_PLAIN = re.compile(r"[A-Za-z0-9_.:(){}\[\]-]+")
_Cell = Callable[[Value], str]


@dataclass(frozen=True, slots=True)
class Form:
    """How files are written."""

    dialect: Dialect = field(default_factory=Dialect)
    array_delimiter: str = ARRAY_DELIMITER

    def arguments(self, *, multiline: bool = True) -> list[str]:
        """The options that make neo4j-admin read such files.

        Where no value holds a line end (`multiline` false) it reads a file in parallel.
        """
        return [
            f"--delimiter={_code(self.dialect.delimiter)}",
            f"--array-delimiter={_code(self.array_delimiter)}",
            f"--quote={self.dialect.quote}",
            f"--multiline-fields={str(multiline).lower()}",
        ]


def group_arguments(group: Group, *, edges: bool) -> str:
    """The option of neo4j-admin that names a group's files."""
    option, names = ("relationships", group.type) if edges else ("nodes", ":".join(group.labels))
    return f"--{option}={f'{names}=' if names else ''}{','.join(map(str, group.files))}"


class _GroupFiles:
    """The files of one group, open until the end of a block."""

    _parts: _Parts

    @property
    def group(self) -> Group:
        """The files so far."""
        return Group(tuple(self._parts.files))

    @property
    def multiline(self) -> bool:
        """Whether a value so far holds a line end."""
        return self._parts.multiline

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._parts.close()


class NodeFiles(_GroupFiles):
    """Nodes of one id space, written as they come: a header file and part files named after `stem`.

    `properties` are the columns of all properties that the nodes may have. Use it
    as a context manager; `group` names the files.

    `add` raises InputError for a value that the format cannot hold, that is not of its
    column's type, or a property without a column; the files are then incomplete.
    """

    def __init__(
        self,
        folder: Path,
        stem: str,
        properties: Sequence[Column],
        *,
        space: str = "",
        form: Form | None = None,
        rows_per_file: int = ROWS_PER_FILE,
    ) -> None:
        self._form = form or Form()
        self._stem, self._space = stem, space
        columns = (Column("", role="ID", space=space), *properties, Column("", role="LABEL"))
        self._text, self._cells = _quoted(self._form), _Cells(properties, self._form)
        self._parts = _Parts(folder, stem, columns, self._form, rows_per_file)

    def add(self, node: CsvNode) -> None:
        """Write one node."""
        if not node.id.strip():
            raise InputError(f"A node of {self._stem} has no id.")
        if node.space != self._space:
            raise InputError(f"Node {node.id} is of the id space {node.space!r}, not {self._space!r}.")
        labels = self._text(_joined(node.labels, self._form, node.id)) if node.labels else ""
        self._parts.add([self._text(node.id), *self._cells.of(node.properties, node.id), labels])


class EdgeFiles(_GroupFiles):
    """Relationships between two id spaces, written as `NodeFiles` does nodes."""

    def __init__(
        self,
        folder: Path,
        stem: str,
        properties: Sequence[Column],
        *,
        start_space: str = "",
        end_space: str = "",
        form: Form | None = None,
        rows_per_file: int = ROWS_PER_FILE,
    ) -> None:
        self._form = form or Form()
        self._stem, self._spaces = stem, (start_space, end_space)
        columns = (
            Column("", role="START_ID", space=start_space),
            *properties,
            Column("", role="END_ID", space=end_space),
            Column("", role="TYPE"),
        )
        self._text, self._cells = _quoted(self._form), _Cells(properties, self._form)
        self._parts = _Parts(folder, stem, columns, self._form, rows_per_file)

    def add(self, edge: CsvEdge) -> None:
        """Write one relationship."""
        named = f"{edge.start} {edge.type} {edge.end}"
        if not (edge.start and edge.end and edge.type):
            raise InputError(f"A relationship of {self._stem} lacks a start, an end or a type: {edge}.")
        if (edge.start_space, edge.end_space) != self._spaces:
            raise InputError(f"The relationship {named} is of other id spaces.")
        text = self._text
        values = self._cells.of(edge.properties, named)
        self._parts.add([text(edge.start), *values, text(edge.end), text(edge.type)])


def write_nodes(
    folder: Path,
    stem: str,
    properties: Sequence[Column],
    nodes: Iterable[CsvNode],
    *,
    space: str = "",
    form: Form | None = None,
    rows_per_file: int = ROWS_PER_FILE,
) -> Group:
    """Write all `nodes` as `NodeFiles` does, and raise what its `add` raises."""
    with NodeFiles(folder, stem, properties, space=space, form=form, rows_per_file=rows_per_file) as files:
        for node in nodes:
            files.add(node)
    return files.group


def write_edges(
    folder: Path,
    stem: str,
    properties: Sequence[Column],
    edges: Iterable[CsvEdge],
    *,
    start_space: str = "",
    end_space: str = "",
    form: Form | None = None,
    rows_per_file: int = ROWS_PER_FILE,
) -> Group:
    """Write all `edges` as `EdgeFiles` does, and raise what its `add` raises."""
    with EdgeFiles(
        folder,
        stem,
        properties,
        start_space=start_space,
        end_space=end_space,
        form=form,
        rows_per_file=rows_per_file,
    ) as files:
        for edge in edges:
            files.add(edge)
    return files.group


class _Parts:
    """A header file, and part files of so many rows each."""

    def __init__(
        self, folder: Path, stem: str, columns: Sequence[Column], form: Form, rows_per_file: int
    ) -> None:
        if not _STEM.fullmatch(stem):
            raise InputError(f"{stem!r} is no name for files.", remedy="Use letters, digits, - and _.")
        folder.mkdir(parents=True, exist_ok=True)
        header = folder / f"{stem}-header.csv"
        header.write_text(_header(columns, form) + "\n", encoding="utf-8", newline="")
        self.files = [header]
        self._folder, self._stem = folder, stem
        self._delimiter = form.dialect.delimiter
        self._rows_per_file = rows_per_file
        self._rows = 0
        self._part: IO[str] | None = None
        self.multiline = False

    def add(self, cells: Sequence[str]) -> None:
        """Write one row."""
        if self._part is None or self._rows % self._rows_per_file == 0:
            self.close()
            self.files.append(self._folder / f"{self._stem}-part{len(self.files) - 1:03d}.csv")
            self._part = self.files[-1].open("w", encoding="utf-8", newline="")
        self._rows += 1
        line = self._delimiter.join(cells)
        self.multiline = self.multiline or "\n" in line or "\r" in line
        try:
            self._part.write(line + "\n")
        except UnicodeEncodeError as error:
            raise InputError(
                f"{self._stem}, row {self._rows} holds a lone surrogate: {line[:80]!r}."
            ) from error

    def close(self) -> None:
        """Close the file that is open."""
        if self._part is not None:
            self._part.close()
            self._part = None


def _header(columns: Sequence[Column], form: Form) -> str:
    text = _quoted(form)
    spelt = [str(column) for column in columns]
    for name in spelt:
        if "\n" in name or "\r" in name:
            raise InputError(f"The property {name!r} has a line end in its name.")
    if parse_header(spelt, "the header").columns != tuple(columns):
        raise InputError(f"The columns {', '.join(spelt)} cannot be told apart from others in a header.")
    return form.dialect.delimiter.join(name if _PLAIN.fullmatch(name) else text(name) for name in spelt)


class _Cells:
    """The cells of properties, one for each column; absent ones are empty."""

    def __init__(self, columns: Sequence[Column], form: Form) -> None:
        self._columns = [(column.name, _formatter(column, form)) for column in columns]
        self._names = {name for name, _ in self._columns}

    def of(self, properties: Mapping[str, Value], owner: str) -> list[str]:
        if not self._names.issuperset(properties):
            unknown = ", ".join(sorted(properties.keys() - self._names))
            raise InputError(f"{owner} has properties without a column: {unknown}.")
        try:
            return [
                write(value) if (value := properties.get(name)) is not None else ""
                for name, write in self._columns
            ]
        except InputError as error:
            raise InputError(f"{owner}: {error.message}", remedy=error.remedy) from error


def _formatter(column: Column, form: Form) -> _Cell:
    if column.role is not None:
        raise InputError(f"{column} is no column of a property.")
    text = _quoted(form)
    bare = column.kind in INTEGER_BITS or column.kind in {"float", "double", "boolean"}
    has_type = _test(column.kind)

    def scalar(value: Value) -> str:
        if isinstance(value, tuple) or not has_type(value):
            raise InputError(f"{column.name} is no {column.kind}: {str(value)[:80]!r}.")
        return written(value) if bare else text(written(value))

    def array(value: Value) -> str:
        if not isinstance(value, tuple) or not all(has_type(item) for item in value):
            raise InputError(f"{column.name} is no {column.kind}[]: {str(value)[:80]!r}.")
        return text(_joined([written(item) for item in value], form, column.name))

    return array if column.array else scalar


def _test(kind: str) -> Callable[[Value], bool]:
    if kind in INTEGER_BITS:
        limit = 1 << (INTEGER_BITS[kind] - 1)
        return lambda value: type(value) is int and -limit <= value < limit
    if kind in {"float", "double"}:
        return lambda value: type(value) is float
    if kind == "boolean":
        return lambda value: type(value) is bool
    if kind == "char":
        return lambda value: type(value) is str and len(value) == 1
    if kind == "string":
        return lambda value: type(value) is str
    return lambda value: isinstance(value, Literal) and value.kind == kind


def _joined(items: Sequence[str], form: Form, owner: str) -> str:
    joined = form.array_delimiter.join(items)
    if joined.count(form.array_delimiter) != max(len(items) - 1, 0):
        raise InputError(
            f"{owner}: an element holds the array delimiter {form.array_delimiter!r}.",
            remedy="Choose another array delimiter.",
        )
    if len(items) == 1 and not items[0]:
        raise InputError(f"{owner}: a list of one empty text cannot be told from an empty list.")
    return joined


def _quoted(form: Form) -> Callable[[str], str]:
    quote = form.dialect.quote
    if quote is None:
        raise InputError("Without a quote character texts cannot be written exactly.")
    if form.array_delimiter in {form.dialect.delimiter, quote}:
        raise InputError("The array delimiter must differ from delimiter and quote.")

    def text(value: str) -> str:
        if "\0" in value:
            raise InputError(f"NUL characters cannot be written: {value[:80]!r}.")
        return f"{quote}{value.replace(quote, quote * 2)}{quote}"

    return text


def _code(character: str) -> str:
    """A character as an option of neo4j-admin: itself where a shell and a log can show it."""
    return character if character.isprintable() and not character.isspace() else f"U+{ord(character):04X}"
