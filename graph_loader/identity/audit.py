"""The joins of a graph against what ChEBI, DrugBank and HGNC say themselves is one thing.

The vocabularies are tables of a folder, as docs/loading.md lists them. A join that
none of them speaks of is neither right nor wrong here.
"""

from __future__ import annotations

import csv
import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

from biomolkg import lexicon
from biomolkg.errors import SourceError
from biomolkg.identifiers import as_curie, sort_of
from biomolkg.names import name_key
from cypher.client import Client

_TABLES = (
    ("chebi_to_pubchem.tsv.gz", ("CHEBI", "chebi"), ("PUBCHEM", "pubchem.compound")),
    ("cas_to_chebi.tsv.gz", ("CAS", "cas"), ("CHEBI", "chebi")),
    ("chebi_to_chembl.tsv.gz", ("CHEBI", "chebi"), ("CHEMBL", "chembl.compound")),
)
_HGNC = {
    "HGNC ID": "hgnc",
    "NCBI Gene ID(supplied by NCBI)": "ncbigene",
    "UniProt ID(supplied by UniProt)": "uniprot",
    "Ensembl gene ID": "ensembl",
}
_FORMS = ("is_conjugate_acid_of", "is_conjugate_base_of", "is_tautomer_of", "is_enantiomer_of")


@dataclass(frozen=True, slots=True)
class Disagreement:
    """A join that a vocabulary has otherwise: `explained` says why it is right all the same, or nothing."""

    id: str
    name: str
    one: str
    other: str
    says: tuple[str, ...]
    explained: str


@dataclass(slots=True)
class Audit:
    """How many joined pairs of identifiers the vocabularies have too, do not speak of, or have otherwise."""

    joined: int = 0
    agreeing: int = 0
    silent: int = 0
    disagreements: list[Disagreement] = field(default_factory=list)

    @property
    def wrong(self) -> list[Disagreement]:
        """The disagreements that nothing explains."""
        return [one for one in self.disagreements if not one.explained]


class Vocabularies:
    """What each identifier is in each other namespace."""

    def __init__(self, folder: Path) -> None:
        """Read the tables. Raises SourceError when one is missing."""
        self._same: dict[tuple[str, tuple[str, str | None]], set[str]] = defaultdict(set)
        self._forms: dict[str, set[str]] = defaultdict(set)
        self._groups: dict[str, set[str]] = defaultdict(set)
        self._names: dict[str, str] = {}
        self._drugs: dict[str, set[str]] = defaultdict(set)
        for drug in lexicon.drug_names():
            self._drugs[drug.id].add(name_key(drug.name))
        for name, first, second in _TABLES:
            for row in _rows(folder, name):
                self._pair(_curie(first[1], row[first[0]]), _curie(second[1], row[second[0]]))
        for row in _rows(folder, "drugbank_mappings.tsv.gz"):
            if row["NAMESPACE"] != "NAME":
                other = as_curie(f"{row['NAMESPACE']}:{row['ID']}")
                self._pair(_curie("drugbank", row["DRUGBANK_ID"]), other)
        for row in _rows(folder, "hgnc_entries.tsv.gz"):
            numbers = [
                _curie(prefix, one.strip())
                for column, prefix in _HGNC.items()
                for one in row[column].split(",")
            ]
            for one, other in product(numbers, repeat=2):
                self._pair(one, other)
        for row in _rows(folder, "lspci.tsv.gz"):
            for member in row["members"].split("|"):
                self._groups[as_curie(member) or member].add(row["lspcid"])
        self._read_chebi(folder)

    def _read_chebi(self, folder: Path) -> None:
        with _opened(folder, "chebi.json.gz") as stream:
            for term in json.load(stream):
                self._names[term["id"].lower()] = term["name"]
                for relation in _FORMS:
                    for other in term.get("relations", {}).get(relation, ()):
                        self._forms[term["id"].lower()].add(other.lower())
                        self._forms[other.lower()].add(term["id"].lower())

    def _pair(self, one: str | None, other: str | None) -> None:
        if one is None or other is None or one == other:
            return
        self._same[one, _namespace(other)].add(other)
        self._same[other, _namespace(one)].add(one)

    def of(self, one: str, other: str) -> set[str]:
        """What the first is in the namespace of the second; empty when no table says so."""
        return self._same.get((one, _namespace(other)), set())

    def explains(self, one: str, other: str, says: Iterable[str]) -> str:
        """Why two identifiers may be of one thing though the tables have others."""
        said = set(says)
        if self._forms.get(other, set()) & said:
            return "another charge, tautomer or mirror image in ChEBI"
        groups = self._groups.get(other, set())
        if groups & self._groups.get(one, set()) or any(
            groups & self._groups.get(form, set()) for form in said
        ):
            return "forms of one compound in the table of compounds"
        for compound, chebi in ((one, other), (other, one)):
            # STITCH's compounds are flat: PubChem numbers the drug that is sold, with its stereo, otherwise.
            if name_key(self._names.get(chebi, "")) in self._drugs.get(compound, set()):
                return "the drug of this name, as a compound without its stereo"
        return ""


def audit(client: Client, folder: Path) -> Audit:
    """Compare the joins of the graph. Raises SourceError and DatabaseError."""
    vocabularies = Vocabularies(folder)
    found = Audit()
    for row in client.stream("load/joined_entities"):
        sides = list(_sides(row))
        if len(sides) < 2:
            continue
        found.joined += 1
        mine, *others = sides
        for theirs in others:
            _compare(row, mine, theirs, vocabularies, found)
    return found


def _sides(row: Mapping[str, Any]) -> Iterator[set[str]]:
    """The identifiers of the first source of a thing, and those of each other one."""
    by_source: dict[str, set[str]] = defaultdict(set)
    for key, value in row["others"]:
        source = key.rpartition(":")[0] or key.removesuffix("_reference")
        for one in value if isinstance(value, list) else (value,):
            by_source[source].add(as_curie(one) or one)
    yield {as_curie(one) or one for one in (row["id"], *(row["xrefs"] or ()))}
    yield from by_source.values()


def _compare(
    row: Mapping[str, Any], mine: set[str], theirs: set[str], vocabularies: Vocabularies, found: Audit
) -> None:
    for one, other in product(sorted(mine), sorted(theirs)):
        if _namespace(one)[0] == _namespace(other)[0] or None in (sort_of(one), sort_of(other)):
            continue
        says = vocabularies.of(one, other) or vocabularies.of(other, one)
        turned = not vocabularies.of(one, other)
        if not says:
            found.silent += 1
        elif (one if turned else other) in says:
            found.agreeing += 1
        else:
            pair = (other, one) if turned else (one, other)
            why = vocabularies.explains(*pair, says)
            found.disagreements.append(Disagreement(row["id"], row["name"], *pair, tuple(sorted(says)), why))


def _namespace(curie: str) -> tuple[str, str | None]:
    """Prefix and sort: Ensembl numbers genes, transcripts and proteins."""
    return curie.partition(":")[0], sort_of(curie)


def _curie(prefix: str, local: str) -> str | None:
    return as_curie(f"{prefix}:{local}") if local else None


def _rows(folder: Path, name: str) -> Iterator[dict[str, str]]:
    with _opened(folder, name) as stream:
        yield from csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)


def _opened(folder: Path, name: str) -> Any:
    path = folder / name
    if not path.is_file():
        raise SourceError(
            f"{folder} has no {name}.",
            remedy="Give the folder of the vocabularies, as docs/loading.md lists it.",
        )
    return gzip.open(path, "rt", encoding="utf-8")
