"""The whole graph of a database as CSV files that neo4j-admin imports: `biomolkg db export`.

A group of files holds the nodes of one combination of labels, or the relationships
of one type. `graph.json` names the groups and is written last: a folder without it
is no export. What CSV cannot say, an empty array, is kept as the names of the
properties in a column of its own, and given back after the import.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from biomolkg.errors import DatabaseError, InputError, SourceError
from cypher.client import Client
from graph_loader.export import EdgeFiles, Form, NodeFiles
from graph_loader.graph_values import as_value, column_of, plain, type_of
from graph_loader.sources.csv_graph.headers import Column
from graph_loader.sources.csv_graph.rows import CsvEdge, CsvNode, Group

MANIFEST = "graph.json"
FORMAT = 1
EMPTY_ARRAYS = "biomolkg_empty_arrays"
# Rows between two lines of progress.
_EVERY = 50_000
_NO_STEM = re.compile(r"[^A-Za-z0-9_]+")
_STEM_CHARS = 60

Told = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class GraphFiles:
    """An export: how many nodes and relationships, in how many files of how many bytes."""

    folder: Path
    graph_version: str
    nodes: int
    relationships: int
    files: int
    size: int


def export_graph(client: Client, folder: Path, *, tell: Told = lambda _: None) -> GraphFiles:
    """Write every node and relationship of the database into `folder`, which must be new or empty.

    Memory does not depend on the size of the graph. Raises SourceError when the folder
    is not empty or cannot be written, DatabaseError when a load is under way or the
    graph changed meanwhile, InputError for a value that CSV cannot hold.
    """
    _require_empty(folder)
    before = _state(client)
    try:
        found = _write(client, folder, tell)
        after = _state(client)
        if before != after:
            raise DatabaseError(
                "The graph changed while it was exported.", remedy=f"Empty {folder}, then export again."
            )
        files = [path for group in (*found.nodes, *found.edges) for path in group.files]
        manifest = {
            "format": FORMAT,
            "graph_version": before["version"],
            "nodes": before["nodes"],
            "relationships": before["relationships"],
            "node_groups": [[path.name for path in group.files] for group in found.nodes],
            "relationship_groups": [[path.name for path in group.files] for group in found.edges],
            "multiline": found.multiline,
            "empty_arrays": [list(names) for names in sorted(found.empty)],
            "files": {path.name: _content(path) for path in files},
        }
        (folder / MANIFEST).write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{folder} cannot be written: {error.strerror or error}.") from error
    return GraphFiles(
        folder,
        str(before["version"]),
        before["nodes"],
        before["relationships"],
        len(files),
        sum(path.stat().st_size for path in files),
    )


@dataclass(slots=True)
class _Found:
    nodes: list[Group]
    edges: list[Group]
    empty: set[tuple[str, ...]]
    multiline: bool = False


class _Shapes:
    """The files of one combination of labels or one type; more than one where a property has several types.

    columns: the types that each property has, by name.
    """

    def __init__(self, name: str, columns: Mapping[str, Sequence[str]]) -> None:
        self._name = name
        self._mixed = sorted(key for key, types in columns.items() if len(types) > 1)
        self._columns = columns
        self._has_arrays = any(type_.endswith("Array") for types in columns.values() for type_ in types)
        self.variants: dict[tuple[str, ...], Any] = {}

    def variant(self, properties: Mapping[str, Any]) -> tuple[str, ...]:
        """Which files a row belongs to: the types of the properties that have several."""
        return tuple(type_of(properties[key]) if key in properties else "" for key in self._mixed)

    def columns(self, variant: tuple[str, ...]) -> list[Column]:
        """The columns of those files. Raises InputError for a type that CSV cannot hold."""
        chosen = dict(zip(self._mixed, variant, strict=True))
        listed = []
        for key in sorted(self._columns):
            type_ = chosen.get(key, self._columns[key][0])
            if type_ and type_ != "Array":
                try:
                    listed.append(column_of(key, type_))
                except InputError as error:
                    raise InputError(f"{self._name}: {error.message}") from error
        if self._has_arrays:
            listed.append(Column(EMPTY_ARRAYS, array=True))
        return listed


def _write(client: Client, folder: Path, tell: Told) -> _Found:
    found = _Found([], [], set())
    node_shapes = _shapes(client.read("export/node_properties"), lambda row: tuple(sorted(row["labels"])))
    edge_shapes = _shapes(
        client.read("export/relationship_properties"), lambda row: row["type"].removeprefix(":").strip("`")
    )
    with ExitStack() as stack:
        for count, row in enumerate(client.stream("export/nodes"), 1):
            labels = tuple(sorted(row["labels"]))
            files, properties = _files(stack, NodeFiles, folder, node_shapes, labels, row, found)
            files.add(CsvNode(str(row["id"]), labels=labels, properties=properties))
            if count % _EVERY == 0:
                tell(f"{count:,} nodes")
    with ExitStack() as stack:
        for count, row in enumerate(client.stream("export/relationships"), 1):
            files, properties = _files(stack, EdgeFiles, folder, edge_shapes, row["type"], row, found)
            files.add(CsvEdge(str(row["head"]), str(row["tail"]), row["type"], properties=properties))
            if count % _EVERY == 0:
                tell(f"{count:,} relationships")
    for shapes, groups in ((node_shapes, found.nodes), (edge_shapes, found.edges)):
        written = [files for shape in shapes.values() for files in shape.variants.values()]
        groups += [files.group for files in written]
        found.multiline = found.multiline or any(files.multiline for files in written)
    return found


def _files(
    stack: ExitStack,
    kind: type[NodeFiles | EdgeFiles],
    folder: Path,
    shapes: dict[Any, _Shapes],
    key: Any,
    row: Mapping[str, Any],
    found: _Found,
) -> tuple[Any, dict[str, Any]]:
    """Where a row is written, and its properties as cells take them."""
    name = key if isinstance(key, str) else ":".join(key)
    shape = shapes.get(key)
    if shape is None:  # what has no property at all
        shape = shapes[key] = _Shapes(name, {})
    properties = plain(row["properties"])
    variant = shape.variant(properties)
    files = shape.variants.get(variant)
    if files is None:
        prefix = "nodes" if kind is NodeFiles else "edges"
        number = sum(len(other.variants) for other in shapes.values())
        stem = f"{prefix}-{number:03d}-{_NO_STEM.sub('-', name)[:_STEM_CHARS]}"
        files = kind(folder, stem, shape.columns(variant), form=Form())
        shape.variants[variant] = stack.enter_context(files)
    empty = tuple(sorted(name for name, value in properties.items() if value == []))
    cells = {name: as_value(value) for name, value in properties.items() if value != []}
    if empty:
        cells[EMPTY_ARRAYS] = empty
        found.empty.add(empty)
    return files, cells


def _shapes(rows: Iterable[Mapping[str, Any]], key: Callable[[Mapping[str, Any]], Any]) -> dict[Any, _Shapes]:
    columns: dict[Any, dict[str, list[str]]] = {}
    for row in rows:
        mine = columns.setdefault(key(row), {})
        if row["name"] is not None:
            mine.setdefault(row["name"], []).extend(row["types"])
    return {
        name: _Shapes(name if isinstance(name, str) else ":".join(name), mine)
        for name, mine in columns.items()
    }


def _state(client: Client) -> dict[str, Any]:
    rows = client.read("service/graph_state")
    if not rows or rows[0]["version"] is None:
        raise DatabaseError("The database has no graph to export.", remedy="Load one: biomolkg load starter.")
    if rows[0]["loading"]:
        raise DatabaseError("A load is under way or was interrupted.", remedy="Finish it, then export.")
    return {"version": rows[0]["version"], **client.read("export/totals")[0]}


def _require_empty(folder: Path) -> None:
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise SourceError(f"{folder} is not empty.", remedy="Name a new folder for the export.")
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SourceError(f"{folder} cannot be written: {error.strerror or error}.") from error


def _content(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"bytes": path.stat().st_size, "sha256": hashlib.file_digest(file, "sha256").hexdigest()}


@dataclass(frozen=True, slots=True)
class Manifest:
    """What `graph.json` says of an export; `multiline`: whether values hold line ends."""

    folder: Path
    graph_version: str
    nodes: int
    relationships: int
    node_groups: tuple[Group, ...]
    edge_groups: tuple[Group, ...]
    empty_arrays: tuple[tuple[str, ...], ...]
    multiline: bool = True

    @property
    def rows(self) -> int:
        """Nodes and relationships together."""
        return self.nodes + self.relationships


def read_manifest(folder: Path) -> Manifest:
    """The export in `folder`, its files compared with what was written.

    Raises SourceError when it is none, or files are missing or were changed.
    """
    path = folder / MANIFEST
    remedy = (
        "Name a folder that `biomolkg db export` wrote; other CSV files are loaded with `biomolkg load csv`."
    )
    if not path.is_file():
        raise SourceError(f"{folder} has no {MANIFEST}: it is no finished export.", remedy=remedy)
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        if content["format"] != FORMAT:
            raise SourceError(f"{path} has the format {content['format']!r}, not {FORMAT}.", remedy=remedy)
        groups = {
            side: tuple(Group(tuple(folder / name for name in names)) for names in content[f"{side}_groups"])
            for side in ("node", "relationship")
        }
        for name, known in content["files"].items():
            _require_unchanged(folder, name, known)
        named = {file.name for group in chain(*groups.values()) for file in group.files}
        if named != content["files"].keys():
            raise SourceError(f"{path} does not list the files of its groups.", remedy=remedy)
        return Manifest(
            folder,
            str(content["graph_version"]),
            int(content["nodes"]),
            int(content["relationships"]),
            groups["node"],
            groups["relationship"],
            tuple(tuple(map(str, names)) for names in content["empty_arrays"]),
            # Exports of earlier versions do not say it.
            bool(content.get("multiline", True)),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SourceError(f"{path} is damaged: {error!r}.", remedy=remedy) from error
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from error


def _require_unchanged(folder: Path, name: str, known: Mapping[str, Any]) -> None:
    path = folder / name
    if Path(name).name != name or not path.is_file():
        raise SourceError(f"The export's file {path} is missing.", remedy="Export again.")
    if _content(path) != known:
        raise SourceError(
            f"The export's file {path} was changed after it was written.", remedy="Export again."
        )
