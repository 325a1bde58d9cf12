"""BioMol-MQA as it was published: tables of interactions, texts and structures.

data/mined_data/DDI_subset.csv            drug-drug interactions; the drugs' names and structures
data/mined_data/sampled_ddi.csv           the same by STITCH number, with the UMLS code of each side effect
data/mined_data/DPI_subset.csv            STITCH actions; the proteins' identifiers
data/mined_data/DPI_subset_with_rel.csv   labelled drug-protein interactions, by name
data/mined_data/full_graph.csv            the question graph, by name
data/OAI/molecular_interactions/molecular_interactions_df.csv
data/background_information_data/         texts, one a file, named after their entity
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeVar

from biomolkg.errors import SourceError
from graph_loader.ledger import Omissions
from graph_loader.records import DrugEntry, Fact, ProteinEntry, SourceFacts, Text
from graph_loader.tables import Cells, read_table, read_text, refuse_if_mostly_unusable

DATASET = "biomolmqa"
Selection = Literal["full", "question"]
Key = TypeVar("Key", int, str)

MINED = Path("data/mined_data")
DDI = MINED / "DDI_subset.csv"
DDI_CODES = MINED / "sampled_ddi.csv"
ACTIONS = MINED / "DPI_subset.csv"
DPI = MINED / "DPI_subset_with_rel.csv"
QUESTION_GRAPH = MINED / "full_graph.csv"
MOLECULAR = Path("data/OAI/molecular_interactions/molecular_interactions_df.csv")
TEXTS = Path("data/background_information_data")
TEXT_FOLDERS = (
    (TEXTS / "drug_data/Wiki", "raw"),
    (TEXTS / "drug_data/Wiki_complexified", "rewritten"),
    (TEXTS / "protein_data/Wiki", "raw"),
)

_FOLDER_REMEDY = "Give the folder of BioMol-MQA as published, the one that holds data/mined_data."
_CID = re.compile(r"CID[m1s0]?0*([1-9]\d{0,9})")
_ENSP = re.compile(r"(?:9606\.)?(ENSP\d{11})")
_UMLS = re.compile(r"C\d{7}")
_UNDIRECTED = frozenset({"DDI", "MOLECULAR"})
_SCORE = re.compile(r"\d{1,3}|1000")
_NUMBER = re.compile(r"[1-9]\d{0,9}")
_MODES = frozenset({"activation", "binding", "inhibition"})


def read_biomolmqa(
    folder: Path, *, selection: Selection = "full", omissions: Omissions | None = None
) -> SourceFacts:
    """Everything that the folder says of the selected graph; what is left out is counted in `omissions`.

    `question` keeps the facts of `full_graph.csv`, with the entities that take
    part in them or have a text. Facts keep the file and row of the full tables,
    so that both selections name the same fact alike.

    Raises SourceError when a table is missing or is not what it should be.
    """
    check_layout(folder, selection)
    reading = _Reading(folder, Omissions() if omissions is None else omissions)
    reading.read_interactions()
    reading.read_actions()
    reading.read_labelled()
    reading.read_molecular()
    reading.read_texts()
    facts = reading.facts if selection == "full" else reading.question_facts()
    source = SourceFacts(
        dataset=DATASET,
        origin="biomolmqa",
        selection=selection,
        drugs=tuple(reading.drugs[cid] for cid in sorted(reading.drugs)),
        proteins=tuple(reading.proteins[ensp] for ensp in sorted(reading.proteins)),
        facts=tuple(facts),
        texts=tuple(reading.texts),
    )
    return source if selection == "full" else _taking_part(source)


def check_layout(folder: Path, selection: Selection = "full") -> None:
    """Raise SourceError that names the tables which are missing, before anything is read."""
    if not folder.is_dir():
        raise SourceError(f"{folder} is no folder.", remedy=_FOLDER_REMEDY)
    tables = [DDI, DDI_CODES, ACTIONS, DPI, MOLECULAR, *([QUESTION_GRAPH] if selection == "question" else [])]
    missing = [str(path) for path in tables if not (folder / path).is_file()]
    if missing:
        raise SourceError(f"{folder} lacks {', '.join(missing)}.", remedy=_FOLDER_REMEDY)


@lru_cache(maxsize=16_384)
def clean_name(raw: str) -> str:
    """A name without the line breaks that a long one was wrapped with, and single spaces."""
    return " ".join(raw.replace("\n", "").split())


def _taking_part(source: SourceFacts) -> SourceFacts:
    """Without the entities that have neither a fact nor a text."""
    kept = {end for fact in source.facts for end in (fact.head, fact.tail)}
    kept |= {text.entity for text in source.texts}
    return replace(
        source,
        drugs=tuple(drug for drug in source.drugs if drug.cid in kept),
        proteins=tuple(protein for protein in source.proteins if protein.ensp in kept),
    )


class _UnusableError(Exception):
    """A row or a text that is left out; the message is the reason that it is counted under."""


class _Reading:
    """The state of one reading: entities by identifier and by name, facts in file order."""

    def __init__(self, folder: Path, omissions: Omissions) -> None:
        self.folder = folder
        self.omissions = omissions
        self.drugs: dict[int, DrugEntry] = {}
        self.proteins: dict[str, ProteinEntry] = {}
        self.facts: list[Fact] = []
        self.texts: list[Text] = []
        self._drug_names: dict[str, set[int]] = {}
        self._protein_names: dict[str, set[str]] = {}
        self._seen: set[tuple[object, ...]] = set()
        self._drug_cells: dict[tuple[str, str, str], int] = {}

    def read_interactions(self) -> None:
        """Drug-drug interactions, and with them the drugs."""
        codes = self._umls_codes()
        ends = [[f"drug_{end}_{what}" for what in ("CID", "name", "SMILES")] for end in "12"]
        columns = [*ends[0], *ends[1], "relationship"]

        def fact(row: int, cells: Cells) -> Fact:
            cid_1, name_1, smiles_1, cid_2, name_2, smiles_2, relation = cells
            head = self._drug(row, cid_1, name_1, smiles_1)
            tail = self._drug(row, cid_2, name_2, smiles_2)
            code = codes.get((cid_1, relation, cid_2))
            return Fact("DDI", head, relation, tail, _source(DDI, row), {"umls": code} if code else {})

        self._take(DDI, columns, fact, required=[name for name in columns if not name.endswith("SMILES")])

    def read_actions(self) -> None:
        """STITCH actions, and with them the proteins."""

        def fact(row: int, cells: Cells) -> Fact:
            stitch, gene_number, gene, ensp, name, mode, action, score = cells
            cid = _cid(stitch)
            if cid not in self.drugs:
                raise _UnusableError(f"drug not in {DDI.name}")
            if mode not in _MODES or action not in _MODES:
                raise _UnusableError("unknown mode or action")
            if not _SCORE.fullmatch(score):
                raise _UnusableError("score is not a number from 0 to 1000")
            protein = self._protein(row, ensp, name, gene, gene_number)
            details: dict[str, str | int] = {"mode": mode, "action": action, "score": int(score)}
            relation = mode if mode == action else f"{mode} ({action})"
            return Fact("ACTION", cid, relation, protein, _source(ACTIONS, row), details)

        columns = ["cid", "Gene", "Gene_Name", "Protein ID", "Protein_Name", "mode", "action", "score"]
        self._take(ACTIONS, columns, fact)

    def read_labelled(self) -> None:
        """Labelled drug-protein interactions, joined by name."""

        def fact(row: int, cells: Cells) -> Fact:
            drug, relation, protein = cells
            head = _only(self._drug_names, drug, "drug name")
            tail = _only(self._protein_names, protein, "protein name")
            return Fact("DPI", head, relation, tail, _source(DPI, row))

        self._take(DPI, ["drug_name", "relationship", "protein_name"], fact)

    def read_molecular(self) -> None:
        """Molecular interactions of two drugs, joined by name."""
        required = ["drug_1_name", "molecular_interaction", "drug_2_name"]
        told = ["mechanism", "evidence", "severity"]

        def fact(row: int, cells: Cells) -> Fact:
            head = _only(self._drug_names, cells[0], "drug name")
            tail = _only(self._drug_names, cells[2], "drug name")
            details = {name: value for name, value in zip(told, cells[3:], strict=True) if value}
            return Fact("MOLECULAR", head, cells[1], tail, _source(MOLECULAR, row), details)

        self._take(MOLECULAR, [*required, *told], fact, required=required)

    def read_texts(self) -> None:
        """The texts of entities; a file that cannot be used is left out and counted."""
        for relative, section in TEXT_FOLDERS:
            folder = self.folder / relative
            label = relative.relative_to(TEXTS).as_posix()
            if not folder.is_dir():
                self.omissions.add(label, "no such folder", str(relative), taken=True)
                continue
            for path in sorted(folder.glob("*.txt")):
                if "protein_data" in relative.parts:
                    self._take_text(path, label, self._protein_names, section)
                else:
                    self._take_text(path, label, self._drug_names, section)

    def question_facts(self) -> list[Fact]:
        """The facts that full_graph.csv lists by name, in the order of the full tables."""
        entities: dict[int | str, str] = {cid: drug.name for cid, drug in self.drugs.items()}
        entities |= {ensp: protein.name for ensp, protein in self.proteins.items()}
        by_name: dict[tuple[str, str, str, bool], Fact] = {}
        for fact in self.facts:
            if fact.kind != "ACTION":
                key = (entities[fact.head], fact.relation, entities[fact.tail], fact.kind == "DPI")
                by_name.setdefault(key, fact)
        chosen: dict[str, Fact] = {}
        path = self.folder / QUESTION_GRAPH
        columns = ["entity_1", "relationship", "entity_2", "label"]
        for row, (head, relation, tail, label) in read_table(path, columns, self.omissions):
            found = by_name.get((clean_name(head), relation, clean_name(tail), label == "1"))
            if found is None:
                self.omissions.add(path.name, "no such fact in the full tables", f"row {row}")
            elif found.source in chosen:
                self.omissions.add(path.name, "duplicate", f"row {row}")
            else:
                chosen[found.source] = found
        refuse_if_mostly_unusable(path, len(chosen), self.omissions)
        return [fact for fact in self.facts if fact.source in chosen]

    def _take(
        self,
        table: Path,
        columns: list[str],
        make: Callable[[int, Cells], Fact],
        *,
        required: list[str] | None = None,
    ) -> None:
        """Read one table of facts; `make` gives the fact of a row or raises _UnusableError."""
        path = self.folder / table
        before = len(self.facts)
        for row, cells in read_table(path, columns, self.omissions, required=required):
            try:
                fact = make(row, cells)
                self._refuse_repeated(fact)
            except _UnusableError as reason:
                self.omissions.add(path.name, str(reason), f"row {row}")
            else:
                self.facts.append(fact)
                if fact.kind == "DDI" and not fact.details:
                    self._note(DDI, f"no UMLS code in {DDI_CODES.name}", row)
        refuse_if_mostly_unusable(path, len(self.facts) - before, self.omissions)

    def _refuse_repeated(self, fact: Fact) -> None:
        """Raise when both ends are one entity, or an earlier row states the same fact."""
        if fact.head == fact.tail:
            raise _UnusableError("both ends are the same entity")
        key: tuple[object, ...] = (fact.kind, fact.head, fact.relation, fact.tail)
        if fact.kind == "ACTION":
            key = (*key, fact.details["mode"], fact.details["action"], fact.details["score"])
        if key in self._seen:
            raise _UnusableError("duplicate")
        if fact.kind in _UNDIRECTED and (fact.kind, fact.tail, fact.relation, fact.head) in self._seen:
            raise _UnusableError("duplicate in the other direction")
        self._seen.add(key)

    def _drug(self, row: int, stitch: str, raw: str, smiles: str) -> int:
        """The CID of one end of a row, listed when it is new."""
        seen = self._drug_cells.get((stitch, raw, smiles))
        if seen is not None:
            return seen
        cid = _cid(stitch)
        if cid is None:
            raise _UnusableError("CID is no STITCH number")
        name = clean_name(raw)
        known = self.drugs.get(cid)
        if known is None:
            # A wrapped name may be looked for as it was printed, with the break as a space.
            alias = " ".join(raw.split())
            self.drugs[cid] = DrugEntry(cid, name, smiles or None, (alias,) if alias != name else ())
            self._drug_names.setdefault(name, set()).add(cid)
            self._drug_cells[stitch, raw, smiles] = cid
            return cid
        if name != known.name:
            self._note(DDI, "second name for a drug, first kept", row)
        if smiles != (known.smiles or ""):
            self._note(DDI, "second SMILES for a drug, first kept", row)
        return cid

    def _protein(self, row: int, raw_ensp: str, raw_name: str, gene: str, gene_number: str) -> str:
        """The ENSP of a row, listed when it is new."""
        match = _ENSP.fullmatch(raw_ensp)
        if match is None:
            raise _UnusableError("Protein ID is no human Ensembl protein")
        if not _NUMBER.fullmatch(gene_number):
            raise _UnusableError("Gene is no number")
        ensp = match[1]
        name = clean_name(raw_name)
        known = self.proteins.get(ensp)
        if known is None:
            self.proteins[ensp] = ProteinEntry(ensp, name, gene, int(gene_number))
            self._protein_names.setdefault(name, set()).add(ensp)
        elif name != known.name:
            self._note(ACTIONS, "second name for a protein, first kept", row)
        return ensp

    def _note(self, table: Path, reason: str, row: int) -> None:
        """Count what was not as expected in a row that is taken all the same."""
        self.omissions.add(table.name, reason, f"row {row}", taken=True)

    def _umls_codes(self) -> dict[tuple[str, str, str], str]:
        columns = ["STITCH 1", "Side Effect Name", "STITCH 2", "Polypharmacy Side Effect"]
        codes = {}
        for row, (head, relation, tail, code) in read_table(self.folder / DDI_CODES, columns, self.omissions):
            if _UMLS.fullmatch(code):
                codes[head, relation, tail] = code
            else:
                self.omissions.add(DDI_CODES.name, "not a UMLS code", f"row {row}")
        return codes

    def _take_text(self, path: Path, label: str, names: Mapping[str, set[Key]], section: str) -> None:
        try:
            entity = _only(names, path.stem, "name")
            text = _usable_text(path)
        except _UnusableError as reason:
            self.omissions.add(label, str(reason), path.name)
        except SourceError as error:
            self.omissions.add(label, "unreadable or not UTF-8", error.message)
        else:
            self.texts.append(Text(entity, section, f"{DATASET}:{label}/{path.name}", text))


def _usable_text(path: Path) -> str:
    text = read_text(path).strip()
    if "\x00" in text:
        raise _UnusableError("NUL byte")
    if not text:
        raise _UnusableError("empty text")
    return text


def _only(names: Mapping[str, set[Key]], raw: str, what: str) -> Key:
    """The identifier of the one entity of that name."""
    found = names.get(clean_name(raw), set())
    if len(found) != 1:
        raise _UnusableError(f"{what} is not known" if not found else f"{what} stands for several entities")
    return next(iter(found))


@lru_cache(maxsize=16_384)
def _cid(text: str) -> int | None:
    match = _CID.fullmatch(text)
    return int(match[1]) if match else None


def _source(table: Path, row: int) -> str:
    return f"{DATASET}:{table.name}:{row}"


def fact_counts(source: SourceFacts) -> Iterator[tuple[str, int]]:
    """How many facts of each kind a source has."""
    for kind in ("DDI", "DPI", "MOLECULAR", "ACTION"):
        yield kind, sum(fact.kind == kind for fact in source.facts)
