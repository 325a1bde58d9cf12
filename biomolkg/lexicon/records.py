"""The rows of the bundled tables, as records."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DrugName:
    """A drug of the starter graph by the name that a pharmacist knows.

    `id` is the CURIE that the graph uses (`pubchem.compound:2244`), `xrefs` are CURIEs
    of the same compound elsewhere. `note` says what to know of the structure behind the
    id, for example that without stereochemistry it stands for two drugs; mostly empty.
    """

    id: str
    preferred_name: str
    preferred_source: str
    xrefs: tuple[str, ...]
    note: str


@dataclass(frozen=True, slots=True)
class Alias:
    """One name of a drug or a protein (`id`), of which kind it is and where it comes from.

    Kinds of drugs' names: preferred, synonym, brand, abbreviation, systematic, code,
    salt_free. Kinds of proteins' names: symbol, approved, alias, previous, generated,
    everyday.
    """

    id: str
    name: str
    kind: str
    source: str


@dataclass(frozen=True, slots=True)
class ProteinName:
    """A human protein: `id` is its UniProt CURIE, `symbol` and `name` are HGNC's approved ones."""

    id: str
    symbol: str
    name: str
    xrefs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """A family or complex of proteins by one of its names; `members` are UniProt CURIEs."""

    name: str
    members: tuple[str, ...]
    source: str


@dataclass(frozen=True, slots=True)
class DrugClass:
    """A class of drugs: a ChEBI role or structural class, or a reviewed class that ChEBI lacks.

    `parents` are the ids of the classes directly above. `hidden` marks classes that
    say nothing to a pharmacologist ("inhibitor", "metabolite"): their members are
    known, their names are not to be read in a question.
    """

    id: str
    name: str
    parents: tuple[str, ...]
    hidden: bool


@dataclass(frozen=True, slots=True)
class ClassName:
    """One name of a class: of ChEBI, of MeSH, or as people say it."""

    id: str
    name: str
    source: str


@dataclass(frozen=True, slots=True)
class Role:
    """A drug is a direct member of a class; members through `parents` are not written out.

    `relation` is `has role` or `is a`; `via` is the ChEBI id that carries the fact, empty
    where it was reviewed by hand.
    """

    drug: str
    drug_class: str
    relation: str
    via: str
    source: str


@dataclass(frozen=True, slots=True)
class ClassCorrection:
    """Where the reviewed members of a class differ from ChEBI's: `action` is add or remove."""

    class_name: str
    drug: str
    action: str
    reason: str
    reference: str


@dataclass(frozen=True, slots=True)
class EffectName:
    """A name of a side effect, and the relation of the graph that says it."""

    relation: str
    name: str
    source: str


@dataclass(frozen=True, slots=True)
class AbsentName:
    """A name of a drug or chemical that the starter graph does not have, and its preferred name."""

    name: str
    preferred: str
    source: str
