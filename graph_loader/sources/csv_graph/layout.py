"""Which files belong together, and how they are written: from an import script, a list, or their names.

The layouts are those of neo4j-admin (`--nodes=Label=header.csv,part.*`) and of
BioCypher, which writes `X-header.csv`, `X-part000.csv` … and the command that imports
them, `neo4j-admin-import-call.sh`. The script is read, never run.
"""

from __future__ import annotations

import codecs
import re
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path, PurePosixPath

from biomolkg.errors import SourceError
from graph_loader.delimited import Dialect, quoted_cells, read_header, separator
from graph_loader.files import TextFile, files_of, is_hidden, opened
from graph_loader.hints import hint_of_files
from graph_loader.sources.csv_graph.headers import parse_header
from graph_loader.sources.csv_graph.rows import Group, group_header

SCRIPT = "neo4j-admin-import-call.sh"
ARRAY_DELIMITER = ";"
_TABLE = re.compile(r".+\.(csv|tsv|txt)(\.gz)?", re.IGNORECASE)
_HEADER = re.compile(r"(?P<stem>.+?)[-_.]headers?\.(csv|tsv|txt)(\.gz)?", re.IGNORECASE)
_CANDIDATES = ",;\t|"
_QUOTES = ('"', "'")
_IDS = frozenset(("ID", "START_ID", "END_ID"))
_OPTIONS = frozenset(("--delimiter", "--array-delimiter", "--quote", "--input-encoding"))
_IGNORE_EXTRA = "--ignore-extra-columns"
_SAMPLED_ROWS = 50  # of each file
_MAX_SCRIPT_BYTES = 4 * 1024 * 1024
_MAX_PATTERN_CHARS = 200
# Nested repetition can take exponential time; names of files need none of it.
_SIMPLE_PATTERN = re.compile(r"[^()+{}|]*")


@dataclass(frozen=True, slots=True)
class Layout:
    """The groups of a graph, nodes and relationships as their headers say, and how they are written.

    `ignore_extra`: cells beyond the header's columns are passed over.
    """

    groups: tuple[Group, ...]
    dialect: Dialect
    array_delimiter: str
    ignore_extra: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """What the user or the import script says about the writing; None where nothing is said."""

    delimiter: str | None = None
    array_delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None
    ignore_extra: bool = False


def find_layout(path: Path, written: Written, groups: Sequence[Group] = ()) -> Layout:
    """The layout of a folder (or of one file), with what `written` says before what is found.

    Groups: the given ones, else the import script's, else by the files' names.
    The delimiter, where nothing says it, is the one of `,` `;` tab `|` that makes the
    first header a header.

    The quote, where nothing says it, is ' where it stands around every text of each
    file's first rows, as BioCypher may write them, else ".

    Raises SourceError when the path is missing, nothing is found, or a delimiter is
    not one character of 16 bits.
    """
    if not path.exists():
        raise SourceError(f"{path} does not exist.", remedy="Give a folder of CSV files, or one file.")
    folder = path if path.is_dir() else path.parent
    script = folder / SCRIPT
    if path.is_file() and path.name.endswith(".sh"):
        script = path
    if not groups and path.is_file() and path != script:
        groups = (Group((path,)),)
    if not groups and script.is_file():
        called, groups = read_script(script)
        written = Written(
            written.delimiter or called.delimiter,
            written.array_delimiter or called.array_delimiter,
            written.quote or called.quote,
            written.encoding or called.encoding,
            written.ignore_extra or called.ignore_extra,
        )
    groups = tuple(groups) or _by_name(folder)
    quote = separator(written.quote or _QUOTES[0], "quote")
    encoding = written.encoding or "utf-8"
    array_delimiter = separator(written.array_delimiter or ARRAY_DELIMITER, "array delimiter")
    if written.delimiter is not None:
        dialect = Dialect(separator(written.delimiter, "delimiter"), quote, encoding)
    else:
        dialect = _sniffed(groups[0].files[0], Dialect(",", quote, encoding))
    if written.quote is None:
        dialect = replace(dialect, quote=_sniffed_quote(groups, dialect))
    if array_delimiter == dialect.delimiter:
        if written.array_delimiter is not None:
            raise SourceError(f"{array_delimiter!r} cannot be both the delimiter and the array delimiter.")
        array_delimiter = "|"  # what BioCypher writes beside its delimiter `;`
    return Layout(groups, dialect, array_delimiter, written.ignore_extra)


def match_files(folder: Path, names: Iterable[str]) -> tuple[Path, ...]:
    """The files that `names` mean: exact names, or simple regular expressions as neo4j-admin takes them.

    Only the last part of a path counts, and only files of `folder` are found.
    Matches of one expression are in the order of their names, numbers as numbers.

    Raises SourceError when a name means no file or is no simple expression.
    """
    found: list[Path] = []
    for written in names:
        name = PurePosixPath(written.strip().replace("\\", "/")).name if "/" in written else written.strip()
        exact = folder / name
        if name and exact.is_file():
            found.append(exact)
            continue
        if len(name) > _MAX_PATTERN_CHARS or not _SIMPLE_PATTERN.fullmatch(name):
            raise SourceError(
                f"{written!r} is neither a file of {folder.name} nor a simple expression.",
                remedy="Name the files, or use . * ? [..] and \\d only.",
            )
        try:
            pattern = re.compile(name)
        except re.error as error:
            raise SourceError(f"{written!r} is no regular expression: {error}.") from error
        matching = [item for item in files_of(folder) if pattern.fullmatch(item.name)]
        if not matching:
            raise SourceError(f"{written!r} means no file of {folder.name}.", remedy="Check the name.")
        found += sorted(matching, key=_natural)
    return tuple(dict.fromkeys(found))


def read_script(path: Path) -> tuple[Written, tuple[Group, ...]]:
    """The options and groups of a `neo4j-admin … import` command in a shell script, which is not run.

    Raises SourceError when it cannot be read as words of a shell or names no files.
    """
    try:
        with path.open("rb") as stream:
            text = stream.read(_MAX_SCRIPT_BYTES).decode("utf-8")
        words = shlex.split(text, comments=False)
    except (OSError, ValueError) as error:
        raise SourceError(f"{path.name} cannot be read as an import command: {error}.") from error
    options: dict[str, str] = {}
    groups: dict[Group, None] = {}
    for place, word in enumerate(words):
        key, equals, value = word.partition("=")
        if not equals and place + 1 < len(words):
            value = words[place + 1]
        if key in _OPTIONS:
            options.setdefault(key, value)
        elif key == _IGNORE_EXTRA:
            # The option alone means true.
            options.setdefault(key, value if value.lower() in {"true", "false"} else "true")
        elif key.partition(":")[0] in {"--nodes", "--relationships"}:
            groups[_called(key, value, path)] = None
    if not groups:
        raise SourceError(f"{path.name} names no --nodes and no --relationships.")
    encoding = options.get("--input-encoding")
    if encoding is not None:
        _require_encoding(encoding, path)
    ignore_extra = options.get(_IGNORE_EXTRA, "").lower() == "true"
    delimiter, array_delimiter, quote = (
        options.get(f"--{name}") for name in ("delimiter", "array-delimiter", "quote")
    )
    return Written(delimiter, array_delimiter, quote, encoding, ignore_extra), tuple(groups)


def _require_encoding(encoding: str, script: Path) -> None:
    try:
        codecs.lookup(encoding)
    except LookupError as error:
        raise SourceError(
            f"{script.name} names the encoding {encoding!r}, which is not known.",
            remedy="Give encoding under [format] of a mapping file, as utf-8 or iso-8859-1.",
        ) from error


def _called(key: str, value: str, script: Path) -> Group:
    """A group of the command: `--nodes=A:B=files` of Neo4j 5, or `--nodes:A:B files` of Neo4j 3."""
    option, _, names = key.partition(":")
    before, equals, after = value.partition("=")
    if equals and "," not in before and "/" not in before:
        names, value = before, after
    files = match_files(script.parent, [name for name in value.split(",") if name.strip()])
    if not files:
        raise SourceError(f"{script.name}: {option} names no files.")
    if option == "--nodes":
        return Group(files, labels=tuple(name for name in names.split(":") if name))
    return Group(files, type=names)


def _by_name(folder: Path) -> tuple[Group, ...]:
    # A pipe or folder that is called like a table is taken too, and refused when it is read.
    named = [item for item in folder.iterdir() if _TABLE.fullmatch(item.name) and not is_hidden(item.name)]
    tables = sorted(named, key=_natural)
    groups: list[Group] = []
    taken: set[Path] = set()
    for item in tables:
        header = _HEADER.fullmatch(item.name)
        if header:
            part = re.compile(
                re.escape(header["stem"]) + r"[-_.]?(part|data)?[-_.]?\d*\.(csv|tsv|txt)(\.gz)?"
            )
            parts = [other for other in tables if other != item and part.fullmatch(other.name)]
            groups.append(Group((item, *parts)))
            taken.update(groups[-1].files)
    groups += [Group((item,)) for item in tables if item not in taken]
    if not groups:
        hint = hint_of_files(item.name for item in files_of(folder))
        raise SourceError(
            f"{folder} has no .csv, .tsv or .txt files.",
            remedy=hint or "Give the folder of the graph's files.",
        )
    return tuple(groups)


def _sniffed(first: Path, dialect: Dialect) -> Dialect:
    refusals: list[SourceError] = []
    for candidate in _CANDIDATES:
        tried = replace(dialect, delimiter=candidate)
        try:
            parse_header(read_header(first, tried), first.name)
        except SourceError as error:
            refusals.append(error)
            continue
        return tried
    raise refusals[0]


def _sniffed_quote(groups: Iterable[Group], dialect: Dialect) -> str:
    """The single quote when the texts of the first rows, or the ids where no text is, all stand in such."""
    double, single = _QUOTES
    tried = replace(dialect, quote=single)
    texts: list[bool] = []
    ids: list[bool] = []
    for group in groups:
        columns = group_header(group, dialect).columns
        for position, path in enumerate(group.files):
            for quoted in _first_rows(path, tried, skipped=int(position == 0)):
                if len(quoted) != len(columns):
                    continue
                for column, is_quoted in zip(columns, quoted, strict=True):
                    if is_quoted is not None and column.role is None and column.kind == "string":
                        texts.append(is_quoted)
                    elif is_quoted is not None and column.role in _IDS:
                        ids.append(is_quoted)
            if False in texts:
                return double
    # One text alone may be what is called 'so'.
    told = all(texts) if texts else all(ids)
    return single if told and texts.count(True) + ids.count(True) > 1 else double


def _first_rows(path: Path, dialect: Dialect, *, skipped: int) -> Iterator[list[bool | None]]:
    with opened(path) as stream:
        lines = iter(TextFile(stream, path.name, encoding=dialect.encoding))
        for line in islice(lines, skipped, _SAMPLED_ROWS):
            yield quoted_cells(line.rstrip("\r\n"), dialect)


def _natural(path: Path) -> list[tuple[int, str]]:
    """Names in the order that people give them: part2 before part10."""
    return [
        (int(piece), "") if piece.isdigit() else (-1, piece)
        for piece in re.split(r"(\d+)", path.name)
        if piece
    ]
