"""Tables of a label as lines that can be read, and found, one by one."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from graph_loader.sources.spl.document import Element, local
from graph_loader.sources.spl.lines import Lines, one_line

MAX_SPAN = 100
MAX_SPANNED_COLUMNS = 200
REPEATED_CHARS = 100
LAYOUT_CHARS = 400
HEADER_ROWS = 5

_NOTE_MARK = re.compile(r" ?\[\d+\]")

WriteChildren = Callable[[Element, Lines], None]


@dataclass(frozen=True, slots=True)
class _Cell:
    """A cell at `column`; `repeated` marks one that an earlier row spans down from."""

    lines: tuple[str, ...]
    text: str
    column: int
    columns: int
    repeated: bool
    is_header: bool
    is_bold: bool


_Row = list[_Cell]


def write_table(table: Element, out: Lines, write_children: WriteChildren) -> None:
    """Write a table: its caption, its header, then each row as `header: value; header: value`.

    Spans are followed: a value that spans rows is said in each of them, a header
    that spans columns in each of those. Without a header, cells are parted by
    bars. A row that lays out paragraphs and lists, or a table inside a table, is
    written block by block. What is repeated is bounded by the size of the table,
    so a small file cannot grow large. Footnotes come after the outermost table.
    """
    out.end_line()
    outermost = not any(local(above) == "table" for above in table.iterancestors())
    for caption in table.iterchildren("{*}caption"):
        write_children(caption, out)
        out.end_line()
    elements = list(_row_elements(table))
    rows = list(_rows([row for row, _ in elements], out, write_children))
    headers = _header_count([in_head for _, in_head in elements], rows)
    _write_rows(rows, headers, out)
    if outermost:
        out.end_notes()


def _row_elements(table: Element) -> Iterator[tuple[Element, bool]]:
    """The rows and whether each is in a thead; a tfoot comes last wherever it stands."""
    groups = [group for group in table.iterchildren() if local(group) in {"thead", "tbody", "tfoot", "tr"}]
    order = {"thead": 0, "tbody": 1, "tr": 1, "tfoot": 2}
    for group in sorted(groups, key=lambda group: order[local(group)]):
        if local(group) == "tr":
            yield group, False
        for row in group.iterchildren("{*}tr"):
            yield row, local(group) == "thead"


class _Spans:
    """Cells that reach down into rows below theirs."""

    def __init__(self) -> None:
        self._above: dict[int, tuple[_Cell, int]] = {}
        self._below: dict[int, tuple[_Cell, int]] = {}

    def fill(self, row: _Row, column: int) -> int:
        """Add the cells that reach down at `column` and after; returns the next free column."""
        while column in self._above:
            column = self._take(row, column)
        return column

    def begin(self, cell: _Cell, rows: int) -> None:
        """Let a cell of this row reach down into the next ones."""
        if rows > 1 and cell.column < MAX_SPANNED_COLUMNS:
            self._below[cell.column] = (replace(cell, repeated=True), rows - 1)

    def end_row(self, row: _Row) -> None:
        """Add the cells that reach down behind the row's last one, and go on to the next row."""
        for column in sorted(self._above):
            self._take(row, column)
        self._above, self._below = self._below, {}

    def _take(self, row: _Row, column: int) -> int:
        cell, left = self._above.pop(column)
        row.append(cell)
        if left > 1:
            self._below[column] = (cell, left - 1)
        return column + cell.columns


def _rows(elements: list[Element], out: Lines, write_children: WriteChildren) -> Iterator[_Row]:
    """The cells of each row with the columns that they cover."""
    spans = _Spans()
    for element in elements:
        row: _Row = []
        column = 0
        for child in element.iterchildren("{*}td", "{*}th"):
            column = spans.fill(row, column)
            cell = _cell(child, column, out, write_children)
            row.append(cell)
            spans.begin(cell, _span(child, "rowspan"))
            column += cell.columns
        spans.end_row(row)
        yield row


def _cell(element: Element, column: int, out: Lines, write_children: WriteChildren) -> _Cell:
    inside = out.inside()
    write_children(element, inside)
    inside.end_line()
    text = one_line(" ".join(inside.lines))
    return _Cell(
        lines=tuple(inside.lines),
        text=text,
        column=column,
        columns=min(_span(element, "colspan"), MAX_SPAN),
        repeated=False,
        is_header=local(element) == "th",
        is_bold=bool(text) and _is_bold(element),
    )


def _is_bold(element: Element) -> bool:
    """Whether all text of the element is inside bold content."""
    bold = [
        one_line("".join(content.itertext()))
        for content in element.iter("{*}content")
        if "bold" in (content.get("styleCode") or "").lower()
    ]
    return bool(bold) and sum(map(len, bold)) >= len(one_line("".join(element.itertext()))) - len(bold)


def _span(element: Element, name: str) -> int:
    value = (element.get(name) or "").strip()
    return max(1, int(value)) if value.isascii() and value.isdigit() and len(value) < 6 else 1


def _header_count(in_head: list[bool], rows: list[_Row]) -> int:
    """How many of the first rows are headers: those of a thead, else rows of th, else one bold row."""
    count = sum(in_head)
    if count == 0:
        for row in rows:
            if not row or not all(cell.is_header for cell in row):
                break
            count += 1
    if count == 0 and len(rows) > 2:
        first, second = ([cell for cell in row if cell.text] for row in rows[:2])
        bold = len(first) > 1 and all(cell.is_bold for cell in first)
        count = int(bold and not all(cell.is_bold for cell in second))
    return count if count <= HEADER_ROWS and count < len(rows) else 0


def _write_rows(rows: list[_Row], header_count: int, out: Lines) -> None:
    headers = _headers(rows[:header_count])
    own = sum(len(cell.text) for row in rows for cell in row if not cell.repeated)
    allowance = 2 * own + 1_000
    for number, row in enumerate(rows):
        if not any(cell.text and not cell.repeated for cell in row):
            continue
        if number >= header_count and _is_layout(row):
            _write_blocks(row, out)
            continue
        named = headers if number >= header_count and _values(row) > 1 else {}
        line, repeated = _row_line(row, named, allowance)
        allowance -= repeated
        out.write(line)
        out.end_line()


def _is_layout(row: _Row) -> bool:
    """Whether the row lays out blocks of text rather than values."""
    return any(
        len(cell.lines) > 1 and len(cell.text) > LAYOUT_CHARS for cell in row if not cell.repeated
    ) or (_values(row) == 1)


def _values(row: _Row) -> int:
    return sum(bool(cell.text) for cell in row)


def _write_blocks(row: _Row, out: Lines) -> None:
    for cell in row:
        if not cell.repeated:
            out.add_lines(cell.lines)


def _headers(rows: list[_Row]) -> dict[int, str]:
    """The header of each column, from the top down; one that spans the whole table is none of a column."""
    width = max((cell.column + cell.columns for row in rows for cell in row), default=0)
    parts: dict[int, list[str]] = {}
    for row in rows:
        if _values(row) == 1 and width > 1 and any(cell.columns >= width for cell in row if cell.text):
            continue
        for cell in row:
            for column in range(cell.column, cell.column + cell.columns):
                if cell.text and cell.text not in parts.setdefault(column, []):
                    parts[column].append(cell.text)
    return {column: _NOTE_MARK.sub("", ", ".join(names)).rstrip(" :") for column, names in parts.items()}


def _row_line(row: _Row, headers: dict[int, str], allowance: int) -> tuple[str, int]:
    """The row on one line, and how many of its characters are repeated from elsewhere."""
    said = []
    repeated = 0
    for cell in row:
        if not cell.text:
            continue
        header = headers.get(cell.column, "")
        extra = (len(cell.text) if cell.repeated else 0) + len(header)
        if repeated + extra > allowance or (cell.repeated and len(cell.text) > REPEATED_CHARS):
            header, extra = "", 0
            if cell.repeated:
                continue
        repeated += extra
        said.append(f"{header}: {cell.text}" if header else cell.text)
    return ("; " if headers else " | ").join(said), repeated
