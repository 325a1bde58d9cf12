"""The compressed tables of the package: written by `build`, read by the loader.

The same records always give the same bytes, so that a rebuilt table that did
not change shows no difference.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.records import DrugEntry, Fact, ProteinEntry, SourceFacts

DATASET = "biomolmqa"
_FILES = {
    "DDI": "DDI_subset.csv",
    "DPI": "DPI_subset_with_rel.csv",
    "MOLECULAR": "molecular_interactions_df.csv",
    "ACTION": "DPI_subset.csv",
}
_DRUGS = ("cid", "name", "smiles", "alias")
_PROTEINS = ("ensp", "name", "gene", "gene_number")
_FACTS = ("row", "head", "relation", "tail")
_DETAILS: dict[str, tuple[str, ...]] = {
    "DDI": ("umls",),
    "DPI": (),
    "MOLECULAR": (),
    "ACTION": ("mode", "action", "score"),
}
_NAMES = ("entity", "name", "source")


def bundled_folder() -> Traversable:
    """Where the tables are in the installed package."""
    return files("graph_loader") / "starter" / "tables"


def read_starter(folder: Traversable | None = None) -> SourceFacts:
    """The facts of the starter graph. Raises SourceError when a table is missing or damaged."""
    place = bundled_folder() if folder is None else folder
    drugs = tuple(
        DrugEntry(int(cid), name, smiles or None, (alias,) if alias else ())
        for cid, name, smiles, alias in read_rows(place, "drugs", _DRUGS)
    )
    proteins = tuple(
        ProteinEntry(ensp, name, gene, int(number))
        for ensp, name, gene, number in read_rows(place, "proteins", _PROTEINS)
    )
    facts = [fact for kind in _FILES for fact in _read_facts(place, kind)]
    return SourceFacts(
        dataset=DATASET,
        origin="starter",
        selection="starter",
        drugs=drugs,
        proteins=proteins,
        facts=tuple(facts),
    )


def write_starter(folder: Path, source: SourceFacts) -> None:
    """Write the facts of `source`; texts, mechanisms and evidence stay out."""
    write_rows(
        folder,
        "drugs",
        _DRUGS,
        ((drug.cid, drug.name, drug.smiles or "", next(iter(drug.aliases), "")) for drug in source.drugs),
    )
    write_rows(
        folder,
        "proteins",
        _PROTEINS,
        ((protein.ensp, protein.name, protein.gene, protein.gene_number) for protein in source.proteins),
    )
    for kind, file in _FILES.items():
        write_rows(
            folder,
            kind.lower(),
            (*_FACTS, *_DETAILS[kind]),
            (
                (
                    fact.source.removeprefix(f"{DATASET}:{file}:"),
                    fact.head,
                    fact.relation,
                    fact.tail,
                    *(fact.details.get(name, "") for name in _DETAILS[kind]),
                )
                for fact in source.facts
                if fact.kind == kind
            ),
        )


def read_names(table: str, folder: Traversable | None = None) -> dict[int | str, tuple[str, ...]]:
    """The `synonyms` or the `xrefs` of each entity, by CID (int) or ENSP."""
    found: dict[int | str, list[str]] = {}
    for entity, name, _ in read_rows(bundled_folder() if folder is None else folder, table, _NAMES):
        found.setdefault(_entity(entity), []).append(name)
    return {entity: tuple(names) for entity, names in found.items()}


def write_names(folder: Path, table: str, rows: Iterable[tuple[int | str, str, str]]) -> None:
    """Write (entity, synonym or cross-reference, where it is from)."""
    write_rows(folder, table, _NAMES, rows)


def _read_facts(folder: Traversable, kind: str) -> Iterator[Fact]:
    for row, head, relation, tail, *details in read_rows(folder, kind.lower(), (*_FACTS, *_DETAILS[kind])):
        stated: dict[str, str | int] = {
            name: int(value) if name == "score" else value
            for name, value in zip(_DETAILS[kind], details, strict=True)
            if value
        }
        yield Fact(kind, _entity(head), relation, _entity(tail), f"{DATASET}:{_FILES[kind]}:{row}", stated)


def _entity(text: str) -> int | str:
    return text if text.startswith("ENSP") else int(text)


def read_rows(folder: Traversable, table: str, columns: Sequence[str]) -> Iterator[list[str]]:
    """The rows of a table that has these columns. Raises SourceError when it is missing or damaged."""
    path = folder / f"{table}.tsv.gz"
    try:
        text = gzip.decompress(path.read_bytes()).decode("utf-8")
    except (OSError, EOFError, UnicodeDecodeError, gzip.BadGzipFile) as error:
        raise SourceError(
            f"The bundled table {path.name} cannot be read: {error}.", remedy="Reinstall biomolkg."
        ) from error
    rows = csv.reader(io.StringIO(text, newline=""), delimiter="\t", quoting=csv.QUOTE_NONE)
    if next(rows, None) != list(columns):
        raise SourceError(f"The bundled table {path.name} has other columns.", remedy="Reinstall biomolkg.")
    for row in rows:
        if len(row) != len(columns):
            raise SourceError(f"The bundled table {path.name} is damaged.", remedy="Reinstall biomolkg.")
        yield row


def write_rows(folder: Path, table: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a table; no value may hold a tab or a line break."""
    lines = ["\t".join(columns)]
    for row in rows:
        cells = [str(value) for value in row]
        if any(char in cell for cell in cells for char in "\t\r\n"):
            raise SourceError(f"A value for {table} holds a tab or a line break: {cells}.")
        lines.append("\t".join(cells))
    folder.mkdir(parents=True, exist_ok=True)
    content = "\n".join(lines) + "\n"
    (folder / f"{table}.tsv.gz").write_bytes(gzip.compress(content.encode("utf-8"), 9, mtime=0))
