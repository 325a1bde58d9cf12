"""Tables of names, with the structures and registry numbers that tell which thing is meant.

DrugCentral as it is published (`drugcentral_2021.obo`, `drugcentral.synonyms.tsv`,
`drugcentral.tsv`), and any table with a column `name` and some of `id`, `synonyms`,
`inchikey`, `cas`, `smiles`.

In DrugCentral's tables the column `name` belongs to other terms than the rest of the
row: term 100 is called methyl nicotinate there, but its synonyms and its structure
are ajmaline's. Names and structures are therefore taken from the ontology, and from
the tables only the synonyms; without the ontology a term has no name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path

from biomolkg.errors import SourceError
from biomolkg.identifiers import as_curie
from biomolkg.names import name_key
from graph_loader.checks import Seen
from graph_loader.columns import Table, has_columns, places, read_columns
from graph_loader.delimited import Dialect, read_header
from graph_loader.files import TextFile, files_of, opened
from graph_loader.hints import hint_of_columns
from graph_loader.reading import Reading

OBO = re.compile(r"drugcentral.*\.obo(\.gz)?", re.IGNORECASE)
SYNONYM_COLUMNS = ("text", "curie", "predicate")
TERM_COLUMNS = ("identifier", "name", "synonyms")
_SYNONYM = "oboInOwl:hasRelatedSynonym"
_TAB = Dialect("\t", quote=None)
_LISTS = re.compile(r"[|;]")
_INCHIKEY = re.compile(r"[A-Z]{14}-[A-Z]{10}-[A-Z]")
# What the columns are called, and what they are called elsewhere, as in DrugBank's vocabulary.
_ALIASES = {
    "name": ("common name", "drug name", "preferred name", "pref_name", "generic name"),
    "id": ("drugbank id", "drugbank_id", "chembl_id", "chembl id", "pubchem cid", "identifier"),
    "synonyms": ("synonym", "aliases", "other names"),
    "inchikey": ("standard inchi key", "standard_inchi_key", "inchi key", "inchi_key"),
    "cas": ("cas number", "cas_number", "cas rn", "cas_rn"),
    "smiles": ("canonical_smiles", "canonical smiles"),
    "unii": (),
}
_CAS = re.compile(r"(\d{2,7})-(\d\d)-(\d)")


@dataclass(frozen=True, slots=True)
class NameEntry:
    """A thing with its names; `name` is empty where the source does not say which is the preferred one."""

    id: str
    source: str
    name: str = ""
    synonyms: tuple[str, ...] = ()
    inchikey: str = ""
    cas: str = ""
    smiles: str = ""
    unii: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Its name and its synonyms."""
        return (self.name, *self.synonyms) if self.name else self.synonyms


@dataclass(slots=True)
class _Term:
    """An entry while its parts come from several files."""

    source: str
    name: str = ""
    inchikey: str = ""
    cas: str = ""
    smiles: str = ""
    synonyms: list[str] = field(default_factory=list)

    def entry(self, identifier: str) -> NameEntry:
        return NameEntry(
            identifier, self.source, self.name, tuple(self.synonyms), self.inchikey, self.cas, self.smiles
        )


def read_names(path: Path, reading: Reading, *, dataset: str = "names") -> Iterator[NameEntry]:
    """The entries of a folder of DrugCentral, or of one table of names; ordered by id for DrugCentral.

    DrugCentral's terms are gathered from all its files and so held in memory (some
    thousands); other tables stream. An id that comes again is counted and left out.

    Raises SourceError when nothing is recognised or a file cannot be read.
    """
    if not path.exists():
        raise SourceError(f"{path} does not exist.", remedy="Give DrugCentral's folder, or a table of names.")
    if path.is_dir() or OBO.fullmatch(path.name) or _is_drugcentral(path):
        terms = read_drugcentral_terms(path, reading)
        for identifier in sorted(terms):
            yield terms[identifier]
        return
    yield from _table(path, reading, dataset)


def read_drugcentral_terms(path: Path, reading: Reading) -> Mapping[str, NameEntry]:
    """DrugCentral's terms by CURIE, from its folder or one of its files.

    Raises SourceError when there is none of its files.
    """
    files = files_of(path)
    terms: dict[str, _Term] = {}
    ontologies = [item for item in files if OBO.fullmatch(item.name)]
    tables = [item for item in files if item not in ontologies and _is_drugcentral(item)]
    if not ontologies and not tables:
        raise SourceError(
            f"{path} holds neither DrugCentral's ontology nor one of its tables.",
            remedy="Give the folder with drugcentral_2021.obo and drugcentral.synonyms.tsv.",
        )
    for item in ontologies:
        _read_ontology(item, terms, reading)
    # The table with one synonym a row has all that the other one has.
    one_a_row = [item for item in tables if has_columns(item, _TAB, SYNONYM_COLUMNS)]
    for item in one_a_row or tables:
        _read_synonyms(item, terms, reading, has_ontology=bool(ontologies), one_a_row=bool(one_a_row))
    return {identifier: term.entry(identifier) for identifier, term in terms.items()}


def _is_drugcentral(path: Path) -> bool:
    if path.suffix not in {".tsv", ".gz", ".txt"}:
        return False
    return has_columns(path, _TAB, SYNONYM_COLUMNS) or has_columns(path, _TAB, TERM_COLUMNS)


def _read_synonyms(
    path: Path, terms: dict[str, _Term], reading: Reading, *, has_ontology: bool, one_a_row: bool
) -> None:
    columns = SYNONYM_COLUMNS if one_a_row else TERM_COLUMNS
    table = read_columns(path, _TAB, (*columns, "name"), reading)
    at = places(table.names, (*columns, "name"), path.name)
    for row, cells in table.rows:
        first, second, third, named = ((cells[place] or "").strip() for place in at)
        curie = second if one_a_row else f"drugcentral:{first}"
        words = [first] if one_a_row else [word.strip() for word in third.split("|") if word.strip()]
        if one_a_row and third != _SYNONYM:
            reading.skip(path.name, "a name that belongs to another term", f"row {row}", broken=False)
            continue
        term = terms.get(curie)
        if term is None and has_ontology:
            reading.skip(
                path.name, "a term that the ontology does not have", f"row {row}: {curie}", broken=False
            )
            continue
        if term is None:
            term = terms[curie] = _Term(f"drugcentral:{path.name}:{row}")
        elif term.name and name_key(term.name) != name_key(named):
            reading.note(path.name, "called otherwise than in the ontology", f"row {row}: {named!r}")
        term.synonyms += words


def _read_ontology(path: Path, terms: dict[str, _Term], reading: Reading) -> None:
    term: _Term | None = None
    with opened(path) as stream:
        lines = TextFile(stream, path.name)
        for number, ended in enumerate(lines, start=1):
            line = ended.rstrip("\r\n")
            if line.startswith("["):
                term = None
            if lines.damaged and any("\ud800" <= character <= "\udfff" for character in line):
                reading.skip(path.name, "bytes of another encoding", f"line {number}")
                continue
            key, _, value = line.partition(": ")
            if key == "id":
                reading.rows[path.name] += 1
                term = terms.setdefault(value, _Term(f"drugcentral:{path.name}:{reading.rows[path.name]}"))
            elif term is not None:
                _take(term, key, value)


def _take(term: _Term, key: str, value: str) -> None:
    if key == "name":
        term.name = value.replace("\\", "")
    elif value.startswith("inchikey:"):
        term.inchikey = value.removeprefix("inchikey:")
    elif value.startswith("smiles ") and value.count('"') >= 2:
        term.smiles = value.split('"')[1]
    elif value.startswith("cas:"):
        term.cas = value.removeprefix("cas:")


def _table(path: Path, reading: Reading, dataset: str) -> Iterator[NameEntry]:
    fitting = [
        (dialect, column)
        for dialect in (Dialect(), _TAB, Dialect(";"))
        for column in ("name", *_ALIASES["name"])
        if has_columns(path, dialect, (column,))
    ]
    if not fitting:
        columns = (name for dialect in (Dialect(), _TAB, Dialect(";")) for name in read_header(path, dialect))
        raise SourceError(
            f"{path.name} has no column named name.",
            remedy="A table of names has a column name and some of id, synonyms, inchikey, cas, smiles. "
            + hint_of_columns(columns, otherwise=""),
        )
    # What follows a tab is stray to a table of one column named name: the most columns are the right ones.
    dialect, named = max(fitting, key=lambda one: len(read_header(path, one[0])))
    table = read_columns(path, dialect, (named,), reading)
    with closing(Seen()) as seen:
        yield from _entries(table, path.name, reading, dataset, seen)
    reading.refuse_if_mostly_unusable(path.name)


def _entries(table: Table, file: str, reading: Reading, dataset: str, seen: Seen) -> Iterator[NameEntry]:
    written = {name.lower(): place for place, name in enumerate(table.names)}
    at = {}
    for name, others in _ALIASES.items():
        found = next((one for one in (name, *others) if one in written), None)
        if found is not None:
            at[name] = written[found]
    for row, cells in table.rows:
        said = {name: (cells[place] or "").strip() for name, place in at.items()}
        place = f"row {row}"
        if not said["name"]:
            reading.skip(file, "no name", place)
            continue
        identifier = said.get("id") or f"{dataset}:{name_key(said['name'])}"
        identifier = as_curie(identifier) or identifier
        if not seen.add_node(identifier, identifier, said["name"]):
            other = seen.name_of(identifier) != said["name"]
            reason = "id again with another name" if other else "id again"
            reading.skip(file, reason, f"{place}: {identifier}", broken=False)
            continue
        synonyms = dict.fromkeys(
            word.strip() for word in _LISTS.split(said.get("synonyms", "")) if word.strip()
        )
        synonyms.pop(said["name"], None)
        entry = NameEntry(
            identifier,
            f"{dataset}:{file}:{row}",
            said["name"],
            tuple(synonyms),
            said.get("inchikey", ""),
            said.get("cas", ""),
            said.get("smiles", ""),
            said.get("unii", ""),
        )
        yield _proven(entry, reading, file, place)


def _proven(entry: NameEntry, reading: Reading, file: str, place: str) -> NameEntry:
    """The entry without an InChIKey or CAS number that cannot be one."""
    if entry.inchikey and not _INCHIKEY.fullmatch(entry.inchikey):
        reading.note(file, "no InChIKey, left out", f"{place}: {entry.inchikey[:40]!r}")
        entry = replace(entry, inchikey="")
    if entry.cas and not is_cas(entry.cas):
        reading.note(file, "no CAS number, left out", f"{place}: {entry.cas[:40]!r}")
        entry = replace(entry, cas="")
    return entry


def is_cas(text: str) -> bool:
    """Whether `text` is a CAS number with the right check digit."""
    found = _CAS.fullmatch(text)
    if found is None:
        return False
    digits = [int(digit) for digit in found[1] + found[2]]
    total = sum(weight * digit for weight, digit in enumerate(reversed(digits), start=1))
    return total % 10 == int(found[3])
