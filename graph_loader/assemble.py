"""From what a source says to what the graph shall hold: identifiers, structures, names, passages."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from biomolkg.errors import InvalidMolecule
from biomolkg.names import name_key
from biomolkg.settings import Settings
from graph_loader.bundled import read_names
from graph_loader.chemistry import why_impossible
from graph_loader.descriptions import describe_protein, describe_structure, describe_targets
from graph_loader.ledger import Omissions
from graph_loader.passages import PASSAGE_CHARS, Chunk, split_passages
from graph_loader.records import (
    Drug,
    DrugEntry,
    GraphContent,
    Interaction,
    Passage,
    Protein,
    ProteinEntry,
    SourceFacts,
)
from graph_loader.structures import Structures, group_kinds

COMPOSED = "composed"
Named = TypeVar("Named", Drug, Protein)
Names = Mapping[int | str, tuple[str, ...]]


def assemble(source: SourceFacts, settings: Settings, omissions: Omissions) -> GraphContent:
    """Everything that the graph shall hold of the source.

    Synonyms and accessions come from the bundled tables whatever the source is,
    so the starter graph and the published folder name every entity alike. A drug
    whose SMILES cannot be read is kept without a structure, and counted.
    """
    synonyms, xrefs = read_names("synonyms"), read_names("xrefs")
    structures = Structures(settings)
    drugs = {
        entry.cid: _drug(entry, structures, (synonyms, xrefs), omissions, f"{source.origin} drugs")
        for entry in source.drugs
    }
    structures.keep()
    accessions = Counter(
        curie
        for entry in source.proteins
        for curie in xrefs.get(entry.ensp, ())
        if curie.startswith("uniprot:")
    )
    proteins = {entry.ensp: _protein(entry, synonyms, xrefs, accessions) for entry in source.proteins}
    entities: dict[int | str, Drug | Protein] = dict(drugs.items())
    entities.update(proteins.items())
    interactions = tuple(
        Interaction(
            fact.kind,
            entities[fact.head].id,
            fact.relation,
            entities[fact.tail].id,
            fact.source,
            fact.details,
        )
        for fact in source.facts
    )
    passages = [
        passage
        for text in source.texts
        for passage in _passages(
            entities[text.entity], text.text, text.section, text.source, text.source, composed=False
        )
    ]
    passages += _composed(drugs.values(), proteins.values(), interactions)
    return GraphContent(
        dataset=source.dataset,
        origin=source.origin,
        selection=source.selection,
        drugs=tuple(drugs.values()),
        proteins=tuple(proteins.values()),
        interactions=interactions,
        passages=tuple(passages),
    )


def _drug(
    entry: DrugEntry, structures: Structures, names: tuple[Names, Names], omissions: Omissions, file: str
) -> Drug:
    synonyms, xrefs = names
    structure = None
    if entry.smiles is None:
        omissions.add(file, "drug kept without structure: it has no SMILES", entry.name, taken=True)
    else:
        try:
            structure = structures.of(entry.smiles)
        except InvalidMolecule as error:
            offender = f"CID {entry.cid} {entry.name}: {error.message}"
            why = why_impossible(entry.smiles, max_chars=structures.max_chars)
            omissions.add(file, f"drug kept without structure: {why}", offender, taken=True)
    curies = {f"stitch:CID{entry.cid:09d}", *xrefs.get(entry.cid, ())}
    if structure is not None and structure.inchikey:
        curies.add(f"inchikey:{structure.inchikey}")
    return Drug(
        id=f"pubchem.compound:{entry.cid}",
        name=entry.name,
        synonyms=_synonyms(entry.name, (*entry.aliases, *synonyms.get(entry.cid, ()))),
        smiles=None if structure is None else entry.smiles,
        structure=structure,
        xrefs=tuple(sorted(curies)),
    )


def _protein(entry: ProteinEntry, synonyms: Names, xrefs: Names, accessions: Mapping[str, int]) -> Protein:
    """A protein under its accession; under Ensembl's identifier where two proteins share one."""
    curies = {
        f"ensembl:{entry.ensp}",
        f"ncbigene:{entry.gene_number}",
        f"hgnc.symbol:{entry.gene}",
        *xrefs.get(entry.ensp, ()),
    }
    own = [curie for curie in sorted(curies) if accessions.get(curie, 0) == 1]
    chosen = own[0] if own else f"ensembl:{entry.ensp}"
    return Protein(
        id=chosen,
        name=entry.name,
        gene=entry.gene,
        synonyms=_synonyms(entry.name, synonyms.get(entry.ensp, ())),
        xrefs=tuple(sorted(curies - {chosen})),
    )


def _synonyms(name: str, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(
        sorted({synonym for synonym in names if synonym != name}, key=lambda word: (name_key(word), word))
    )


@dataclass(slots=True)
class _Partners:
    """The other ends of an entity's protein facts."""

    inhibition: set[str]
    activation: set[str]


def _composed(
    drugs: Iterable[Drug], proteins: Iterable[Protein], interactions: Iterable[Interaction]
) -> Iterator[Passage]:
    kinds = group_kinds()
    partners = _partners(interactions)
    drug_by_id = {drug.id: drug for drug in drugs}
    protein_by_id = {protein.id: protein for protein in proteins}
    for drug in drug_by_id.values():
        acts = partners.get(drug.id, _Partners(set(), set()))
        texts = (
            ("structure", describe_structure(drug, kinds)),
            (
                "facts",
                describe_targets(
                    drug, _named(acts.inhibition, protein_by_id), _named(acts.activation, protein_by_id)
                ),
            ),
        )
        for section, text in texts:
            yield from _passages(
                drug, text, section, COMPOSED, f"{COMPOSED}:{section}:{drug.id}", composed=True
            )
    for protein in protein_by_id.values():
        acts = partners.get(protein.id, _Partners(set(), set()))
        text = describe_protein(
            protein, _named(acts.inhibition, drug_by_id), _named(acts.activation, drug_by_id)
        )
        yield from _passages(
            protein, text, "facts", COMPOSED, f"{COMPOSED}:facts:{protein.id}", composed=True
        )


def _partners(interactions: Iterable[Interaction]) -> dict[str, _Partners]:
    partners: dict[str, _Partners] = {}
    for fact in interactions:
        if fact.kind not in {"DPI", "ACTION"}:
            continue
        said = str(fact.details.get("action", fact.relation))
        for one, other in ((fact.head, fact.tail), (fact.tail, fact.head)):
            acts = partners.setdefault(one, _Partners(set(), set()))
            if "inhibition" in said:
                acts.inhibition.add(other)
            if "activation" in said:
                acts.activation.add(other)
    return partners


def _named(ids: set[str], entities: Mapping[str, Named]) -> list[Named]:
    return sorted((entities[key] for key in ids), key=lambda entity: (name_key(entity.name), entity.id))


def _chunks(text: str) -> list[Chunk]:
    whole = text.strip()
    if len(whole) <= PASSAGE_CHARS:
        # As split_passages would, without looking for sentences.
        return [Chunk(whole, 0, len(whole), 0)] if whole else []
    return split_passages(text)


def _passages(
    entity: Drug | Protein, text: str, section: str, source: str, document: str, *, composed: bool
) -> Iterator[Passage]:
    for chunk in _chunks(text):
        parts = (entity.id, section, source, document, str(chunk.position), chunk.text)
        digest = hashlib.sha256("\x00".join(parts).encode()).hexdigest()
        yield Passage(
            id=f"passage:{digest[:24]}",
            entity=entity.id,
            text=chunk.text,
            title=entity.name,
            section=section,
            source=source,
            document=document,
            position=chunk.position,
            composed=composed,
        )
