"""Label text as openFDA's JSON, and two plainer forms of it, to label records.

Layouts, told apart by their first keys:

- openFDA's own, from the API or a bulk file: `{"meta": …, "results": [label, …]}`,
  a list of such labels, or one label a line;
- a list of `{"drug": name, "section": title, "text": text}`;
- `{name: text, …}` in a file whose name is one of openFDA's fields (`adverse_reactions.json`).

Files may be long (bulk files have 20,000 labels): they are read as a stream.
"""

from __future__ import annotations

import codecs
import gzip
import hashlib
import itertools
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

import ijson

from biomolkg.errors import SourceError
from biomolkg.names import name_words
from biomolkg.settings import Settings
from graph_loader.files import is_hidden, refuse_device
from graph_loader.labels import Ingredient, Label, Product, Section, Substance, short_title
from graph_loader.ledger import Omissions
from graph_loader.sources.archives import SMALL_BYTES, UNREADABLE, unpacks_to_too_much
from graph_loader.sources.spl.codes import BOXED_WARNING, OPENFDA_FIELDS, topic

READER = "openfda"
_JSON_ENDINGS = (".json", ".jsonl", ".ndjson")
ENDINGS = (*_JSON_ENDINGS, *(f"{ending}.gz" for ending in _JSON_ENDINGS), ".zip")

_SET_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z._-]{0,127}")
_DATE = re.compile(r"(\d{4})(\d{2})(\d{2})")
_UNWRITABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_TABLE_END = "_table"
_NO_SECTIONS = frozenset(
    {
        "id",
        "set_id",
        "version",
        "effective_time",
        "openfda",
        "spl_product_data_elements",
        "spl_indexing_data_elements",
    }
)
_Events = Iterator[tuple[str, str, Any]]
_REMEDY = "Give openFDA's drug label JSON, or a list of drug, section and text."


def read_openfda(path: Path, settings: Settings, omissions: Omissions) -> Iterator[Label]:
    """The labels of a JSON file, gzipped or not, a zip with one, or a folder of these, one at a time.

    What has no set id, no text or a wrong shape is left out and counted. Raises
    SourceError when the path is missing, no JSON, or gives no label.
    """
    if not path.exists():
        raise SourceError(f"{path} does not exist.", remedy=_REMEDY)
    refuse_device(path)
    files = [path] if path.is_file() else sorted(each for each in path.iterdir() if each.is_file())
    seen: set[str] = set()
    for file in files:
        if not file.name.lower().endswith(ENDINGS) or (file != path and is_hidden(file.name)):
            omissions.add(path.name, "a file of another kind", file.name)
            continue
        try:
            for label in _labels(file, settings, omissions):
                if label.id in seen:
                    omissions.add(file.name, "a set id again", label.set_id)
                    continue
                seen.add(label.id)
                yield label
        except SourceError as error:
            if file is path:
                raise
            omissions.add(file.name, "unreadable from some place on", error.message)
    if not seen:
        raise SourceError(f"{path} holds no label.", remedy=_REMEDY)


def _labels(file: Path, settings: Settings, omissions: Omissions) -> Iterator[Label]:
    try:
        layout, field = _layout(file, settings)
        with _opened(file, settings) as stream:
            events = _events(stream, file, settings)
            if layout == "texts":
                yield from _from_texts(events, field, file, omissions)
            elif layout == "rows":
                yield from _from_rows(events, file, settings, omissions)
            else:
                prefix = {"results": "results.item", "list": "item", "lines": ""}[layout]
                for number, item in enumerate(ijson.items(events, prefix), start=1):
                    yield from _from_result(item, number, file, omissions)
    except (ijson.JSONError, UnicodeDecodeError) as error:
        raise SourceError(f"{file} is no readable JSON: {_fault(error)}.", remedy=_REMEDY) from error
    except UNREADABLE as error:
        raise SourceError(f"{file} cannot be read: {error}.", remedy=_REMEDY) from error


def _fault(error: Exception) -> str:
    """What the parser says in its first line, maybe as bytes; below that it points into the text."""
    said = error.args[0] if error.args else ""
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(error)
    return text.partition("\n")[0].rstrip(" .")


def _events(stream: IO[bytes], file: Path, settings: Settings) -> _Events:
    """Parse events with their prefixes, bounded in depth.

    ijson keeps the whole path of each level, so that memory grows with the square
    of the depth: the depth is counted before it gets there.
    """

    def bounded() -> Iterator[tuple[str, Any]]:
        depth = 0
        for event, value in ijson.basic_parse(stream, multiple_values=True):
            if event in {"start_map", "start_array"}:
                depth += 1
                if depth > settings.label_max_depth:
                    raise SourceError(
                        f"{file} nests values more than {settings.label_max_depth} deep.", remedy=_REMEDY
                    )
            elif event in {"end_map", "end_array"}:
                depth -= 1
            yield event, value

    yield from ijson.parse(bounded())


@contextmanager
def _opened(file: Path, settings: Settings) -> Iterator[IO[bytes]]:
    """The bytes of a JSON file, gzipped or not, or of the one JSON file in a zip."""
    if file.suffix.lower() == ".gz":
        with gzip.open(file) as unpacked:
            content = _after_mark(cast("IO[bytes]", unpacked))
            yield cast("IO[bytes]", _Bounded(content, file, settings))
        return
    if file.suffix.lower() != ".zip":
        with file.open("rb") as stream:
            yield _after_mark(stream)
        return
    with zipfile.ZipFile(file) as archive:
        members = [
            each
            for each in archive.infolist()
            if each.filename.lower().endswith(_JSON_ENDINGS) and not is_hidden(each.filename)
        ]
        if len(members) != 1:
            raise SourceError(f"{file} has {len(members)} JSON files, not one.", remedy=_REMEDY)
        if unpacks_to_too_much(members[0], settings):
            raise SourceError(f"{file} unpacks to too much.", remedy="Raise BIOMOLKG_ARCHIVE_MAX_RATIO.")
        with archive.open(members[0]) as stream:
            yield _after_mark(stream)


def _after_mark(stream: IO[bytes]) -> IO[bytes]:
    """The same stream, a byte order mark passed over."""
    if stream.read(len(codecs.BOM_UTF8)) != codecs.BOM_UTF8:
        stream.seek(0)
    return stream


class _Bounded:
    """What a gzipped file unpacks to, as long as that is not too much for its length."""

    def __init__(self, stream: IO[bytes], file: Path, settings: Settings) -> None:
        self._stream, self._file = stream, file
        self._left = max(SMALL_BYTES, file.stat().st_size * settings.archive_max_ratio)

    def read(self, size: int = -1, /) -> bytes:
        content = self._stream.read(size)
        self._left -= len(content)
        if self._left < 0:
            raise SourceError(
                f"{self._file} unpacks to too much.", remedy="Raise BIOMOLKG_ARCHIVE_MAX_RATIO."
            )
        return content


def _layout(file: Path, settings: Settings) -> tuple[str, str]:
    """Which layout the file has, and the section that its name says, from its first few values."""
    with _opened(file, settings) as stream:
        keys: list[str] = []
        top = ""
        for prefix, event, value in _events(stream, file, settings):
            top = top or event
            if event == "map_key" and prefix in {"", "item"}:
                keys.append(value)
            if event == "map_key" and prefix == "" and value == "results":
                return "results", ""
            if event == "end_map" and prefix in {"", "item"}:
                break
            if len(keys) > 200:
                break
    if {"section", "text"} <= set(keys):
        return "rows", ""
    if top == "start_array":
        return "list", ""
    field = next((name for name in OPENFDA_FIELDS if file.stem.lower().startswith(name)), "")
    if top == "start_map" and ("set_id" in keys or "openfda" in keys):
        return "lines", ""
    if top == "start_map" and field:
        return "texts", field
    raise SourceError(f"{file} has none of the layouts of label text.", remedy=_REMEDY)


def _from_result(item: Any, number: int, file: Path, omissions: Omissions) -> Iterator[Label]:
    """One label of openFDA. A field's text comes as a list; `…_table` repeats the tables in it as HTML."""
    place = f"{file.name}:{number}"
    if not isinstance(item, Mapping):
        omissions.add(file.name, "no label object", place)
        return
    set_id = _word(item.get("set_id")) or _word(item.get("id"))
    if set_id is None:
        omissions.add(file.name, "no set id", place)
        return
    sections = [
        (OPENFDA_FIELDS.get(field), field, text)
        for field, value in item.items()
        if field not in _NO_SECTIONS and not field.endswith(_TABLE_END)
        for text in _texts(value)
    ]
    harmonised = item.get("openfda")
    known: Mapping[str, Any] = harmonised if isinstance(harmonised, Mapping) else {}
    products = _products(known, item)
    if not sections and not products:
        omissions.add(file.name, "a label that says nothing", place)
        return
    date = _DATE.fullmatch(str(item.get("effective_time") or ""))
    version = str(item.get("version") or "")
    yield Label(
        reader=READER,
        set_id=set_id.lower(),
        version=int(version) if version.isascii() and version.isdigit() and len(version) < 10 else None,
        effective="-".join(date.groups()) if date else None,
        title="",
        kind=next(iter(_names(known.get("product_type"))), None),
        document_id=_word(item.get("id")),
        maker=next(iter(_names(known.get("manufacturer_name"))), None),
        products=products,
        sections=tuple(
            _section(at, code, "" if code else field.replace("_", " ").capitalize(), text)
            for at, (code, field, text) in enumerate(sections)
        ),
    )


def _products(known: Mapping[str, Any], item: Mapping[str, Any]) -> tuple[Product, ...]:
    """The product as openFDA harmonised it, else by the words that its product data begin with.

    Substances and UNIIs are two lists in no common order: they are paired only
    when there is one of each.
    """
    names, uniis = _names(known.get("substance_name")), _names(known.get("unii"))
    if len(names) == len(uniis) == 1:
        substances = [Substance(names[0], uniis[0])]
    else:
        substances = [*(Substance(name) for name in names), *(Substance(unii, unii) for unii in uniis)]
    brands, generics = _names(known.get("brand_name")), _names(known.get("generic_name"))
    elements = " ".join(_texts(item.get("spl_product_data_elements"))).split()
    if not brands and not generics and elements:
        # Names come first and as written; the substances that follow are in capitals.
        leading = itertools.takewhile(lambda word: not (word.isupper() and len(word) > 3), elements[1:])
        brands = [" ".join([elements[0], *leading][:8])]
    return tuple(
        Product(
            name=name,
            generics=tuple(generics),
            ndc=next(iter(_names(known.get("product_ndc"))), None),
            routes=tuple(_names(known.get("route"))),
            ingredients=tuple(Ingredient(substance) for substance in substances),
        )
        for name in (brands or generics[:1] or [each.name for each in substances[:1]])
    )


def _from_rows(events: _Events, file: Path, settings: Settings, omissions: Omissions) -> Iterator[Label]:
    """One label a drug, whose rows need not follow each other: they are held, within the limit."""
    texts: dict[str, list[tuple[str, str]]] = {}
    names: dict[str, str] = {}
    held = 0
    for number, item in enumerate(ijson.items(events, "item"), start=1):
        row = item if isinstance(item, Mapping) else {}
        name, section = (_clean(row.get(key)) for key in ("drug", "section"))
        text = next(_texts(row.get("text")), "")
        if not (name and section and text):
            omissions.add(file.name, "a row without drug, section or text", f"{file.name}:{number}")
            continue
        held += len(text)
        if held > settings.label_max_bytes:
            raise SourceError(
                f"{file} has more than {settings.label_max_bytes:,} characters of text.",
                remedy="Split it, or raise BIOMOLKG_LABEL_MAX_BYTES.",
            )
        names.setdefault(_identity(name), name)
        texts.setdefault(_identity(name), []).append((section, text))
    for identity, sections in texts.items():
        yield _plain_label(identity, names[identity], sections)


def _from_texts(events: _Events, field: str, file: Path, omissions: Omissions) -> Iterator[Label]:
    """One label a name, of the one section that the file's name says."""
    met: dict[str, list[str]] = {}
    for key, value in ijson.kvitems(events, ""):
        name, texts = _clean(key), list(_texts(value))
        if not (name and texts):
            omissions.add(file.name, "a label that says nothing", name or repr(key))
            continue
        identity = f"{field}-{_identity(name)}"
        digest = hashlib.sha256("\n".join(texts).encode()).hexdigest()
        same = met.setdefault(identity, [])
        if digest in same:
            omissions.add(file.name, "a name and text again", name)
            continue
        same.append(digest)
        # Makers give one name to labels of their own; a second text must not replace the first.
        yield _plain_label(
            identity if len(same) == 1 else f"{identity}-{len(same)}", name, [(field, text) for text in texts]
        )


def _plain_label(identity: str, name: str, sections: list[tuple[str, str]]) -> Label:
    return Label(
        reader=READER,
        namespace="label.text",
        set_id=identity,
        version=None,
        effective=None,
        title=name,
        products=(Product(name),),
        sections=tuple(
            _section(at, OPENFDA_FIELDS.get(_field(title)), "" if title in OPENFDA_FIELDS else title, text)
            for at, (title, text) in enumerate(sections)
        ),
    )


def _section(position: int, code: str | None, title: str, text: str) -> Section:
    return Section(
        position=position,
        parent=None,
        own_code=code,
        code=code,
        topic=topic(code),
        title=title,
        path=(short_title(title),) if title else (),
        text=text,
        boxed=code == BOXED_WARNING,
    )


def _field(title: str) -> str:
    return "_".join(name_words(title))


def _identity(name: str) -> str:
    return "-".join(name_words(name)) or name


def _word(value: object) -> str | None:
    return value if isinstance(value, str) and _SET_ID.fullmatch(value) else None


def _names(value: object) -> list[str]:
    return list(dict.fromkeys(name for text in _texts(value) if (name := _clean(text))))


def _texts(value: object) -> Iterator[str]:
    """The texts of a value that is one or a list of them, line ends kept."""
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, str):
            lines = (_clean(line) for line in each.splitlines())
            text = "\n".join(filter(None, lines))
            if text:
                yield text


def _clean(value: object) -> str:
    """One line without control characters and halves of surrogate pairs, which no database takes."""
    if not isinstance(value, str):
        return ""
    return " ".join(_UNWRITABLE.sub(" ", value).split())
