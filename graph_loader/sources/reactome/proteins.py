"""Facts that join other sources' proteins to Reactome: accessions by gene, and the pathways they reach."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from graph_loader.sources.reactome.records import Edge, PhysicalEntity
from graph_loader.sources.reactome.store import Reactome

_HUMAN = "-HSA-"


@dataclass(frozen=True, slots=True)
class ProteinXrefs:
    """What Reactome says about one human protein: `symbol` is the first gene name, or None if it has none."""

    accession: str
    symbol: str | None
    gene_names: tuple[str, ...]
    isoforms: tuple[str, ...]
    ensembl: tuple[str, ...]
    entities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GeneMatch:
    """The accession of a gene symbol, or the reason why there is none; `evidence` says what matched."""

    accession: str | None
    evidence: str


@dataclass(frozen=True, slots=True)
class Reach:
    """The pathways that a protein reaches, by stable id; `reason` tells why there are none."""

    protein: str
    symbol: str
    accession: str | None
    evidence: str
    direct: tuple[str, ...]
    inherited: tuple[str, ...]
    reason: str | None


def protein_xrefs(reactome: Reactome) -> dict[str, ProteinXrefs]:
    """Every human UniProt accession, isoforms stripped, with names and the Ensembl genes of its symbol."""
    genes: dict[str, dict[str, None]] = {}
    isoforms: dict[str, dict[str, None]] = {}
    entities: dict[str, list[str]] = {}
    ensembl: dict[str, dict[str, None]] = {}
    for entity in _human(reactome):
        reference = entity.reference
        if reference is None:
            continue
        if reference.database == "uniprot":
            genes.setdefault(reference.stem, {}).update(dict.fromkeys(entity.gene_names))
            isoforms.setdefault(reference.stem, {})[reference.identifier] = None
            entities.setdefault(reference.stem, []).append(entity.id)
        elif reference.database == "ensembl" and entity.gene_names:
            ensembl.setdefault(entity.gene_names[0], {})[reference.stem] = None
    found = {}
    for accession in sorted(genes):
        names = tuple(genes[accession])
        found[accession] = ProteinXrefs(
            accession=accession,
            symbol=names[0] if names else None,
            gene_names=names,
            isoforms=tuple(sorted(isoforms[accession].keys() - {accession})),
            ensembl=tuple(sorted(ensembl.get(names[0], ()) if names else ())),
            entities=tuple(sorted(entities[accession])),
        )
    return found


def gene_to_uniprot(reactome: Reactome) -> dict[str, tuple[str, ...]]:
    """Human UniProt accessions by gene symbol, sorted; more than one means that the symbol is ambiguous.

    A gene's symbol is the first of its gene names. Only a symbol that is nobody's first name is looked up
    among the further names, because those overlap between related genes.
    """
    first: dict[str, set[str]] = {}
    further: dict[str, set[str]] = {}
    for entity in _human(reactome):
        if entity.reference is None or entity.reference.database != "uniprot":
            continue
        for position, name in enumerate(entity.gene_names):
            (further if position else first).setdefault(name, set()).add(entity.reference.stem)
    return {name: tuple(sorted(accessions)) for name, accessions in sorted({**further, **first}.items())}


def match_gene(symbol: str, accessions: Mapping[str, tuple[str, ...]]) -> GeneMatch:
    """The one accession of `symbol` in `gene_to_uniprot`'s table; a symbol with several stays unmatched."""
    found = accessions.get(symbol, ())
    if len(found) == 1:
        return GeneMatch(found[0], f"gene symbol {symbol}")
    if not found:
        return GeneMatch(None, "gene not in Reactome's files")
    return GeneMatch(None, f"ambiguous gene symbol: {', '.join(found)}")


def pathway_reach(
    proteins: Iterable[tuple[str, str]],
    accessions: Mapping[str, tuple[str, ...]],
    memberships: Iterable[Edge],
) -> list[Reach]:
    """The pathways of each protein, given as (id, gene symbol) pairs, in the order given.

    `accessions` is `gene_to_uniprot`'s table, `memberships` the PARTICIPATES_IN edges. For an ambiguous
    symbol no accession is chosen and no pathway is reached.
    """
    matched = [(protein, symbol, match_gene(symbol, accessions)) for protein, symbol in proteins]
    wanted = {f"uniprot:{match.accession}" for _, _, match in matched if match.accession}
    direct: dict[str, list[str]] = {}
    inherited: dict[str, list[str]] = {}
    for edge in memberships:
        if edge.kind == "PARTICIPATES_IN" and edge.head in wanted:
            side = direct if edge.direct else inherited
            side.setdefault(edge.head, []).append(edge.tail.partition(":")[2])
    found = []
    for protein, symbol, match in matched:
        key = f"uniprot:{match.accession}"
        reason = None if match.accession else match.evidence
        if match.accession and key not in direct and key not in inherited:
            reason = "in no reaction of a pathway"
        found.append(
            Reach(
                protein=protein,
                symbol=symbol,
                accession=match.accession,
                evidence=match.evidence,
                direct=tuple(sorted(direct.get(key, ()))),
                inherited=tuple(sorted(inherited.get(key, ()))),
                reason=reason,
            )
        )
    return found


def _human(reactome: Reactome) -> Iterator[PhysicalEntity]:
    return (entity for entity in reactome.entities.values() if _HUMAN in entity.id)
