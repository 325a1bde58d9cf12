"""Text of a label while it is written: inline pieces, lines, list markers, footnotes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

# Characters that are drawn as nothing: they only keep words from being found.
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u2060\ufeff"))


@dataclass(slots=True)
class Lines:
    """Text as it is written: inline pieces gather in a line until a block ends it.

    Footnotes are numbered through the whole text and set after the outermost
    table, or the block, that they belong to. `left_out` counts images.
    """

    lines: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[tuple[int, str]] = field(default_factory=list)
    _pieces: list[str] = field(default_factory=list)
    _marker: str = ""
    _indent: str = ""
    _numbers: dict[str, int] = field(default_factory=dict)

    def write(self, text: str | None) -> None:
        """Add inline text; its white space counts as in HTML."""
        if text:
            self._pieces.append(text)

    @property
    def ends_in_word(self) -> bool:
        """Whether the last character written to this line is a letter, a digit or a closing bracket."""
        last = self._pieces[-1][-1:] if self._pieces else ""
        return last.isalnum() or last == ")"

    def end_line(self) -> None:
        """End the line; an empty one leaves nothing behind, and keeps a list marker for the next."""
        line = one_line("".join(self._pieces))
        self._pieces.clear()
        if line:
            self._add(line)

    def add_lines(self, lines: Iterable[str]) -> None:
        """Add finished lines, further indented by what they are inside of."""
        self.end_line()
        for line in lines:
            self._add(line)

    def _add(self, line: str) -> None:
        self.lines.append(f"{self._indent}{self._marker}{line}")
        self._indent += " " * len(self._marker)
        self._marker = ""

    def inside(self) -> Lines:
        """A fresh text with the same numbering of footnotes, for a table's cell or a footnote."""
        return Lines(left_out=self.left_out, notes=self.notes, _numbers=self._numbers)

    def number(self, identity: str | None) -> int:
        """The number of the footnote of that ID; a new one when it has none or was not met yet."""
        if identity and identity in self._numbers:
            return self._numbers[identity]
        # The counter lives in the shared map, so that texts inside this one go on counting.
        number = self._numbers[""] = self._numbers.get("", 0) + 1
        if identity:
            self._numbers[identity] = number
        return number

    def end_notes(self) -> None:
        """Set the footnotes gathered so far."""
        self.end_line()
        for number, note in sorted(self.notes):
            self.lines.append(f"[{number}] {note}")
        self.notes.clear()

    def enter_item(self, marker: str) -> tuple[str, str, int]:
        """Begin a list item; what it returns goes to `leave_item`."""
        self.end_line()
        before = self._indent, self._marker, len(self.lines)
        self._indent += self._marker
        self._marker = marker
        return before

    def leave_item(self, before: tuple[str, str, int], *, keep_marker: bool) -> None:
        """End a list item; with `keep_marker` its marker stays although nothing followed it."""
        self.end_line()
        if self._marker and keep_marker:
            self._marker, line = "", self._marker.rstrip()
            self._add(line)
        self._indent, self._marker, count = before
        if len(self.lines) > count:
            self._indent += " " * len(self._marker)
            self._marker = ""


def one_line(text: str) -> str:
    """The text with invisible characters removed and each run of white space as one blank."""
    return " ".join(text.translate(_INVISIBLE).split())
