"""Readers of the bundled tables: each is read once and kept.

All tables have a header row and are sorted; graph_loader.vocabulary.build writes them.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from biomolkg.lexicon.records import (
    AbsentName,
    Alias,
    ClassCorrection,
    ClassName,
    DrugClass,
    DrugName,
    EffectName,
    Family,
    ProteinName,
    Role,
)

TABLES = Path(__file__).parent / "tables"
COLUMNS = {
    "drugs": ("id", "preferred_name", "preferred_source", "xrefs", "note"),
    "drug_names": ("id", "name", "kind", "source"),
    "proteins": ("id", "symbol", "name", "xrefs"),
    "protein_names": ("id", "name", "kind", "source"),
    "families": ("name", "members", "source"),
    "classes": ("id", "name", "parents", "hidden"),
    "class_names": ("id", "name", "source"),
    "roles": ("drug", "class", "relation", "via", "source"),
    "class_corrections": ("class", "drug", "action", "reason", "reference"),
    "effects": ("relation", "name", "source"),
    "conditions": ("name", "source"),
    "absent": ("name", "preferred", "source"),
}
PLAIN = frozenset({"class_corrections"})


def table_file(name: str) -> str:
    """The file of a table: compressed, but for what people review line by line."""
    return f"{name}.tsv" if name in PLAIN else f"{name}.tsv.gz"


def _rows(name: str) -> Iterator[list[str]]:
    path = TABLES / table_file(name)
    content = path.read_bytes()
    text = (content if name in PLAIN else gzip.decompress(content)).decode()
    lines = iter(text.splitlines())
    next(lines)
    for line in lines:
        yield line.split("\t")


def _list(cell: str) -> tuple[str, ...]:
    return tuple(cell.split("|")) if cell else ()


@lru_cache(maxsize=1)
def drugs() -> tuple[DrugName, ...]:
    """The drugs of the starter graph, by id."""
    return tuple(
        DrugName(one, name, source, _list(xrefs), note) for one, name, source, xrefs, note in _rows("drugs")
    )


@lru_cache(maxsize=1)
def drug_names() -> tuple[Alias, ...]:
    """All names of the drugs of `drugs`, the preferred one among them."""
    return tuple(Alias(*row) for row in _rows("drug_names"))


@lru_cache(maxsize=1)
def proteins() -> tuple[ProteinName, ...]:
    """All human genes of HGNC that have a UniProt accession, by id."""
    return tuple(
        ProteinName(one, symbol, name, _list(xrefs)) for one, symbol, name, xrefs in _rows("proteins")
    )


@lru_cache(maxsize=1)
def protein_names() -> tuple[Alias, ...]:
    """All names of the proteins: symbol and approved name, which stand in `proteins`, then the others."""
    own = [
        alias
        for protein in proteins()
        for alias in (
            Alias(protein.id, protein.symbol, "symbol", "HGNC"),
            Alias(protein.id, protein.name, "approved", "HGNC"),
        )
    ]
    return (*own, *(Alias(*row) for row in _rows("protein_names")))


@lru_cache(maxsize=1)
def families() -> tuple[Family, ...]:
    """Families and complexes of proteins, one row a name."""
    return tuple(Family(name, _list(members), source) for name, members, source in _rows("families"))


@lru_cache(maxsize=1)
def classes() -> tuple[DrugClass, ...]:
    """Classes of the drugs and all classes above them, by id."""
    return tuple(
        DrugClass(one, name, _list(parents), hidden == "1") for one, name, parents, hidden in _rows("classes")
    )


@lru_cache(maxsize=1)
def class_names() -> tuple[ClassName, ...]:
    """Names of the classes that are not hidden, singular and plural as the sources have them."""
    return tuple(ClassName(*row) for row in _rows("class_names"))


@lru_cache(maxsize=1)
def roles() -> tuple[Role, ...]:
    """Which drug is directly in which class, after the corrections."""
    return tuple(Role(*row) for row in _rows("roles"))


@lru_cache(maxsize=1)
def class_corrections() -> tuple[ClassCorrection, ...]:
    """What the review of the classes people ask about changed; `roles` has it already."""
    return tuple(ClassCorrection(*row) for row in _rows("class_corrections"))


@lru_cache(maxsize=1)
def effects() -> tuple[EffectName, ...]:
    """Names of the side effects that relations of the starter graph name."""
    return tuple(EffectName(*row) for row in _rows("effects"))


@lru_cache(maxsize=1)
def conditions() -> frozenset[str]:
    """Names of diseases and findings that no relation of the starter graph names."""
    return frozenset(name for name, _ in _rows("conditions"))


@lru_cache(maxsize=1)
def absent() -> tuple[AbsentName, ...]:
    """Names of drugs and chemicals that the starter graph does not have, by name."""
    return tuple(AbsentName(*row) for row in _rows("absent"))
