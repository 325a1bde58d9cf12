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
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

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

    def arguments(self) -> list[str]:
        """The options that make neo4j-admin read such files."""
        return [
            f"--delimiter={_code(self.dialect.delimiter)}",
            f"--array-delimiter={_code(self.array_delimiter)}",
            f"--quote={self.dialect.quote}",
            "--multiline-fields=true",
        ]


def group_arguments(group: Group, *, edges: bool) -> str:
    """The option of neo4j-admin that names a group's files."""
    option, names = ("relationships", group.type) if edges else ("nodes", ":".join(group.labels))
    return f"--{option}={f'{names}=' if names else ''}{','.join(map(str, group.files))}"


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
    """Write nodes of one id space: a header file and part files named after `stem`.

    `properties` are the columns of all properties that the nodes may have.

    Raises InputError for a value that the format cannot hold, that is not of its
    column's type, or a property without a column; the files are then incomplete.
    """
    form = form or Form()
    columns = (Column("", role="ID", space=space), *properties, Column("", role="LABEL"))
    text, cells = _quoted(form), _Cells(properties, form)

    def row(node: CsvNode) -> list[str]:
        if not node.id.strip():
            raise InputError(f"A node of {stem} has no id.")
        if node.space != space:
            raise InputError(f"Node {node.id} is of the id space {node.space!r}, not {space!r}.")
        labels = text(_joined(node.labels, form, node.id)) if node.labels else ""
        return [text(node.id), *cells.of(node.properties, node.id), labels]

    return _write(folder, stem, columns, map(row, nodes), form, rows_per_file)


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
    """Write relationships between two id spaces, as `write_nodes` does nodes."""
    form = form or Form()
    columns = (
        Column("", role="START_ID", space=start_space),
        *properties,
        Column("", role="END_ID", space=end_space),
        Column("", role="TYPE"),
    )
    text, cells = _quoted(form), _Cells(properties, form)

    def row(edge: CsvEdge) -> list[str]:
        if not (edge.start and edge.end and edge.type):
            raise InputError(f"A relationship of {stem} lacks a start, an end or a type: {edge}.")
        if (edge.start_space, edge.end_space) != (start_space, end_space):
            raise InputError(f"The relationship {edge.start} {edge.type} {edge.end} is of other id spaces.")
        named = f"{edge.start} {edge.type} {edge.end}"
        values = cells.of(edge.properties, named)
        return [text(edge.start), *values, text(edge.end), text(edge.type)]

    return _write(folder, stem, columns, map(row, edges), form, rows_per_file)


def _write(
    folder: Path,
    stem: str,
    columns: Sequence[Column],
    rows: Iterable[list[str]],
    form: Form,
    rows_per_file: int,
) -> Group:
    if not _STEM.fullmatch(stem):
        raise InputError(f"{stem!r} is no name for files.", remedy="Use letters, digits, - and _.")
    folder.mkdir(parents=True, exist_ok=True)
    header = folder / f"{stem}-header.csv"
    header.write_text(_header(columns, form) + "\n", encoding="utf-8", newline="")
    files = [header]
    with ExitStack() as stack:
        part: IO[str] | None = None
        for number, cells in enumerate(rows):
            if part is None or number % rows_per_file == 0:
                stack.close()
                files.append(folder / f"{stem}-part{len(files) - 1:03d}.csv")
                part = stack.enter_context(files[-1].open("w", encoding="utf-8", newline=""))
            line = form.dialect.delimiter.join(cells)
            try:
                part.write(line + "\n")
            except UnicodeEncodeError as error:
                raise InputError(
                    f"{stem}, row {number + 1} holds a lone surrogate: {line[:80]!r}."
                ) from error
    return Group(tuple(files))


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
