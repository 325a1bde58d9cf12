"""The mapping file: which columns are names, synonyms, texts and structures, which labels are drugs.

TOML. Every part may be left out; docs/tables.md shows each key.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping as MappingABC
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from biomolkg.errors import SourceError
from graph_loader.files import refuse_device
from graph_loader.graph_records import EDGE_KINDS, NODE_KINDS

DATASET_PATTERN = r"^[a-z][a-z0-9_.-]{0,62}$"
_MAX_BYTES = 1024 * 1024
_PREFIX_PATTERN = r"^[a-z0-9][a-z0-9_.-]*$"

NodeKind = Literal[
    "Drug", "Protein", "Chemical", "Gene", "Transcript", "Pathway", "Reaction", "PhysicalEntity", "Thing"
]
EdgeKind = Literal["DDI", "DPI", "MOLECULAR", "ACTION", "FACT"]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Files(_Part):
    """One group: names or simple expressions, the header in the first line of the first."""

    files: tuple[str, ...] = Field(min_length=1)
    labels: tuple[str, ...] = ()
    type: str = ""


class Format(_Part):
    """How the files are written; what is not given is found."""

    delimiter: str | None = None
    array_delimiter: str | None = None
    quote: str | None = None
    encoding: str | None = None


class Limits(_Part):
    """How strict the checks are; `graph_loader.checks.Rules` says what each means."""

    self_loops: bool = False
    dangling: Literal["skip", "keep"] = "skip"
    max_labels: int = Field(default=1_000, ge=1, le=32_000)
    max_relations: int = Field(default=20_000, ge=1)


class NodeMapping(_Part):
    """What the columns of the nodes with one label mean. Without a kind, a label that is one says it."""

    kind: NodeKind | None = None
    prefix: str | None = Field(default=None, pattern=_PREFIX_PATTERN)
    name: str | None = None
    synonyms: tuple[str, ...] = ()
    smiles: str | None = None
    inchikey: str | None = None
    xrefs: tuple[str, ...] = ()
    texts: MappingABC[str, str] = Field(default_factory=dict)

    def columns(self) -> tuple[str, ...]:
        """Every column that is named."""
        single = [column for column in (self.name, self.smiles, self.inchikey) if column]
        return (*single, *self.synonyms, *self.xrefs, *self.texts)


class EdgeMapping(_Part):
    """What relationships of one type are; `relation` is a column that holds the relation's name.

    Without a kind, a type that is one says it.
    """

    kind: EdgeKind | None = None
    relation: str | None = None
    name: str | None = None
    undirected: bool = False


class Mapping(_Part):
    """A whole mapping file. `nodes` is by label, `edges` by type; `*` is for all others."""

    dataset: str | None = Field(default=None, pattern=DATASET_PATTERN)
    format: Format = Format()
    limits: Limits = Limits()
    groups: tuple[Files, ...] = ()
    nodes: MappingABC[str, NodeMapping] = Field(default_factory=dict)
    edges: MappingABC[str, EdgeMapping] = Field(default_factory=dict)


def read_mapping(path: Path) -> Mapping:
    """The mapping in a TOML file. Raises SourceError that names each key that is wrong."""
    try:
        refuse_device(path)
        with path.open("rb") as stream:
            content = stream.read(_MAX_BYTES + 1)
        if len(content) > _MAX_BYTES:
            raise SourceError(f"{path.name} is longer than a mapping file can be.")
        return Mapping.model_validate(tomllib.loads(content.decode("utf-8-sig")))
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as error:
        raise SourceError(
            f"{path.name} is no TOML: {error}.", remedy="docs/tables.md shows a mapping file."
        ) from error
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in error.errors()[:5]
        )
        raise SourceError(
            f"{path.name} cannot be used: {problems}.",
            remedy=f"Kinds of nodes: {', '.join(NODE_KINDS)}; of edges: {', '.join(EDGE_KINDS)}.",
        ) from error
