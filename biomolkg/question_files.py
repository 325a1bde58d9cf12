"""Files of questions with gold triples: their tables as columns, and the triples that a background names.

The published csv of BioMol-MQA names its gold in the `INTERACTION TRIPLE` lines of
`Question_Background`, joined as `head-relation-tail`. Names and relations contain
hyphens themselves, so a joined triple is never split blindly: it is compared whole,
by its key, and told apart only where the names of the same background leave one reading.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biomolkg.errors import SourceError
from biomolkg.extras import require_extra

CSV_COLUMNS = ("Entities", "Question_Background", "Question", "Answer", "Label")
# A name may run over a line end, so a triple ends at the next heading or an empty line.
_TRIPLE = re.compile(
    r"INTERACTION TRIPLE[^:\n]*:[ \t]*(?P<triple>.+?)\s*"
    r"(?=\n[^\n]*INTERACTION TRIPLE|\n(?:DRUG|PROTEIN)[ A-Z0-9]*:|\n\s*\n|\Z)",
    re.DOTALL,
)
_NAME = re.compile(
    r"^(?:DRUG|PROTEIN)(?: \d+)? NAME:[ \t]*(?P<name>.+?)\s*"
    r"(?=\n(?:DRUG|PROTEIN)[ A-Z0-9]*:|\n\s*\n|\Z)",
    re.DOTALL | re.MULTILINE,
)


def triple_key(joined: str) -> str:
    """The form in which gold and hits are compared: composed Unicode, without white space.

    White space is left out because two published names are broken over lines;
    keys also serve as document ids of TREC files, which cannot contain any.
    """
    return "".join(unicodedata.normalize("NFC", joined).split())


@dataclass(frozen=True, slots=True)
class NamedTriple:
    """A triple as a file names it: `joined` by hyphens, and its three `parts` where they are told apart."""

    joined: str
    parts: tuple[str, str, str] | None = None

    @property
    def key(self) -> str:
        """What it is compared by."""
        return triple_key(self.joined)

    @classmethod
    def of(cls, head: str, relation: str, tail: str) -> NamedTriple:
        """The triple (head, relation, tail); the direction counts."""
        return cls(f"{head}-{relation}-{tail}", (head, relation, tail))


def background_triples(background: str) -> tuple[NamedTriple, ...]:
    """The triples of a `Question_Background`, repeated ones once, in the order given."""
    names = [" ".join(match["name"].split()) for match in _NAME.finditer(background)]
    found: dict[str, NamedTriple] = {}
    for match in _TRIPLE.finditer(background):
        triple = _tell_apart(" ".join(match["triple"].split()), names)
        found.setdefault(triple.key, triple)
    return tuple(found.values())


def listed_triples(path: Path, row: int, listed: Any) -> tuple[NamedTriple, ...]:
    """The triples of a `Gold_Triples` cell: a list of [head, relation, tail] or of joined triples.

    row: counts from 0. Raises SourceError that names file and row.
    """
    if listed is not None and not isinstance(listed, list):
        raise SourceError(
            f"{path}, row {row + 1}: Gold_Triples is {type(listed).__name__}, not a list of triples."
        )
    found: dict[str, NamedTriple] = {}
    for item in listed or ():
        if isinstance(item, str) and item.strip():
            triple = NamedTriple(item)
        elif isinstance(item, list) and len(item) == 3 and all(isinstance(part, str) for part in item):
            triple = NamedTriple.of(*item)
        else:
            raise SourceError(
                f"{path}, row {row + 1}: {item!r} is no gold triple.",
                remedy="A gold triple is a list of head, relation and tail, or the three joined by hyphens.",
            )
        found.setdefault(triple.key, triple)
    return tuple(found.values())


def file_content(path: Path) -> bytes:
    """The bytes of a file. Raises SourceError when it cannot be read or is empty."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from error
    if not content:
        raise SourceError(f"{path} is empty.")
    return content


def csv_columns(path: Path, required: Sequence[str]) -> dict[str, list[Any]]:
    """The columns of a csv as lists of text. Raises SourceError when it is malformed or lacks a column."""
    require_extra("bench", f"Reading {path.name}")
    from pyarrow import csv, string  # noqa: PLC0415 - of the extra `bench`

    return _columns(
        path,
        lambda: csv.read_csv(
            path,
            parse_options=csv.ParseOptions(newlines_in_values=True),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(CSV_COLUMNS, string()), strings_can_be_null=False
            ),
        ),
        required,
        "csv",
    )


def parquet_columns(path: Path, required: Sequence[str]) -> dict[str, list[Any]]:
    """The columns of a parquet as lists. Raises SourceError when it is malformed or lacks a column."""
    require_extra("bench", f"Reading {path.name}")
    from pyarrow import parquet  # noqa: PLC0415 - of the extra `bench`

    return _columns(path, lambda: parquet.read_table(path), required, "parquet")


def _tell_apart(joined: str, names: Sequence[str]) -> NamedTriple:
    """`joined` with its parts by the names; whole when that is not unique."""
    readings = {
        (head, joined[len(head) + 1 : -len(tail) - 1], tail)
        for head in names
        for tail in names
        if joined.startswith(f"{head}-")
        and joined.endswith(f"-{tail}")
        and len(joined) > len(head) + len(tail) + 2
    }
    return NamedTriple(joined, readings.pop() if len(readings) == 1 else None)


def _columns(path: Path, read: Callable[[], Any], required: Iterable[str], kind: str) -> dict[str, list[Any]]:
    from pyarrow import ArrowException  # noqa: PLC0415 - of the extra `bench`

    try:
        table = read()
    except (ArrowException, OSError, UnicodeDecodeError) as error:
        reason = str(error).splitlines()[0].rstrip(".")
        raise SourceError(f"{path} cannot be read as {kind}: {reason}.") from error
    missing = [name for name in required if name not in table.column_names]
    if missing:
        raise SourceError(
            f"{path} lacks the column{'s' if len(missing) > 1 else ''} {', '.join(missing)}; "
            f"it has {', '.join(table.column_names)}."
        )
    columns: dict[str, list[Any]] = table.to_pydict()
    return columns
