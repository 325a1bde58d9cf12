"""What Reactome's files say, as frozen records; identity is the stable id, never the display name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Regulation = Literal["activation", "inhibition", "requirement", "regulation"]
EdgeKind = Literal[
    "HAS_EVENT",
    "INPUT",
    "OUTPUT",
    "CATALYZED_BY",
    "REGULATED_BY",
    "PRECEDES",
    "HAS_COMPONENT",
    "HAS_MEMBER",
    "REFERS_TO",
    "PARTICIPATES_IN",
]


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of another database; `identifier` as written there, isoform or version included.

    `database` is the Bioregistry prefix: uniprot, chebi, ensembl, mirbase, ena.embl, ncbigene, iuphar.ligand.
    """

    database: str
    identifier: str

    @property
    def stem(self) -> str:
        """The identifier without the isoform of UniProt or the version of Ensembl."""
        if self.database == "uniprot":
            return self.identifier.partition("-")[0]
        if self.database == "ensembl":
            return self.identifier.partition(".")[0]
        return self.identifier

    @property
    def curie(self) -> str:
        """The id of the graph's node: isoforms of one protein are one node."""
        return f"{self.database}:{self.stem}"


@dataclass(frozen=True, slots=True)
class Part:
    """An entity in a reaction, complex or set; `count` is None where the source states no stoichiometry."""

    entity: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Regulator:
    """An entity that regulates a reaction."""

    entity: str
    kind: Regulation


@dataclass(frozen=True, slots=True)
class Pathway:
    """A pathway; `disease` says that it lies below Reactome's top-level pathway Disease."""

    id: str
    name: str
    species: str | None
    source: str
    version: int | None = None
    disease: bool = False
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reaction:
    """A reaction-like event with its participants; `reaction_class` is Reactome's schema class."""

    id: str
    name: str
    reaction_class: str
    species: str | None
    source: str
    version: int | None = None
    disease: bool = False
    synonyms: tuple[str, ...] = ()
    inputs: tuple[Part, ...] = ()
    outputs: tuple[Part, ...] = ()
    catalysts: tuple[str, ...] = ()
    regulators: tuple[Regulator, ...] = ()
    preceding: tuple[str, ...] = ()

    def participants(self) -> tuple[str, ...]:
        """Every entity that takes part, once each: inputs, outputs, catalysts, regulators."""
        entities = [part.entity for part in self.inputs + self.outputs]
        entities += self.catalysts
        entities += [regulator.entity for regulator in self.regulators]
        return tuple(dict.fromkeys(entities))


@dataclass(frozen=True, slots=True)
class PhysicalEntity:
    """A molecule, complex or set in one compartment; the name stands without the compartment."""

    id: str
    name: str
    schema_class: str
    compartment: str | None
    species: str | None
    source: str
    version: int | None = None
    reference: Reference | None = None
    gene_names: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def is_set(self) -> bool:
        """Whether the parts are alternatives (members) rather than components."""
        return self.schema_class.endswith("Set")


@dataclass(frozen=True, slots=True)
class Edge:
    """A fact between two nodes by id; properties that do not apply to its kind are None.

    `count` is a stoichiometry, `regulation` of REGULATED_BY, `direct` of PARTICIPATES_IN (False: inherited
    from a pathway below), `identifier` of REFERS_TO (the isoform), `evidence` a code of the mapping tables.
    `candidate` is of HAS_MEMBER: the set is one of candidates, so that this may be no member of it.
    """

    kind: EdgeKind
    head: str
    tail: str
    source: str
    count: int | None = None
    regulation: Regulation | None = None
    direct: bool | None = None
    identifier: str | None = None
    evidence: str | None = None
    candidate: bool | None = None
