"""What a source says, as frozen records: the only form in which facts reach the writer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graph_loader.chemistry import MoleculeDescription

FACT_KINDS = ("DDI", "DPI", "MOLECULAR", "ACTION")


@dataclass(frozen=True, slots=True)
class DrugEntry:
    """A drug as a source lists it: `cid` is its PubChem compound number."""

    cid: int
    name: str
    smiles: str | None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ProteinEntry:
    """A protein as a source lists it: Ensembl protein, NCBI gene number and gene symbol."""

    ensp: str
    name: str
    gene: str
    gene_number: int


@dataclass(frozen=True, slots=True)
class Fact:
    """One row of a source: head and tail are a drug's CID (int) or a protein's ENSP (str).

    `source` is data set, file and data row, counted from 1. `details` holds what
    the kind adds: umls; mechanism, evidence, severity; mode, action, score.
    """

    kind: str
    head: int | str
    relation: str
    tail: int | str
    source: str
    details: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Text:
    """A whole text about an entity; `section` is `raw` or `rewritten`."""

    entity: int | str
    section: str
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class SourceFacts:
    """Everything one source says, in its own identifiers.

    `origin` is where it was read from (`biomolmqa` or `starter`), `selection`
    which part of it was asked for.
    """

    dataset: str
    origin: str
    selection: str
    drugs: tuple[DrugEntry, ...]
    proteins: tuple[ProteinEntry, ...]
    facts: tuple[Fact, ...]
    texts: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Drug:
    """A drug as the graph has it: `smiles` as the source writes it, `structure` what follows from it."""

    id: str
    name: str
    synonyms: tuple[str, ...]
    smiles: str | None
    structure: MoleculeDescription | None
    xrefs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Protein:
    """A protein as the graph has it."""

    id: str
    name: str
    gene: str
    synonyms: tuple[str, ...]
    xrefs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Interaction:
    """A fact edge between two entity ids."""

    kind: str
    head: str
    relation: str
    tail: str
    source: str
    details: Mapping[str, str | int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RelationType:
    """A relation name of one kind, and how many edges carry it."""

    id: str
    name: str
    kind: str
    count: int


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text about one entity; `document` names the text that it is the `position`-th part of."""

    id: str
    entity: str
    text: str
    title: str
    section: str
    source: str
    document: str
    position: int
    composed: bool


@dataclass(frozen=True, slots=True)
class GraphContent:
    """What the graph shall hold of one data set once a load is complete."""

    dataset: str
    origin: str
    selection: str
    drugs: tuple[Drug, ...]
    proteins: tuple[Protein, ...]
    interactions: tuple[Interaction, ...]
    passages: tuple[Passage, ...]
