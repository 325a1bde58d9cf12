"""The question graph straight from the published files, for tests of ranking quality alone."""

from pathlib import Path

import numpy as np

from biomolkg.encoder import SentenceEncoder
from graph_loader.passages import split_passages
from graph_loader.sources.biomolmqa import read_biomolmqa
from retrievers.snapshot import Entity, Passage, Relation, Snapshot


def published_snapshot(folder: Path, encoder: SentenceEncoder) -> Snapshot:
    source = read_biomolmqa(folder, selection="question")
    entities = {
        drug.cid: Entity(f"pubchem.compound:{drug.cid}", drug.name, "Drug", drug.aliases, drug.smiles)
        for drug in source.drugs
    } | {
        protein.ensp: Entity(f"ensembl:{protein.ensp}", protein.name, "Protein", (), None, protein.gene)
        for protein in source.proteins
    }
    keys = sorted(entities, key=lambda key: entities[key].id)
    place = {key: index for index, key in enumerate(keys)}
    kinds = sorted({(fact.kind, fact.relation) for fact in source.facts})
    relation_place = {kind: index for index, kind in enumerate(kinds)}
    facts = sorted(
        source.facts,
        key=lambda fact: (entities[fact.head].id, fact.kind, fact.relation, entities[fact.tail].id),
    )
    passages = tuple(
        Passage(
            id=f"{text.source}-{chunk.position}",
            entity=place[text.entity],
            text=chunk.text,
            title="",
            section=text.section,
            source=text.source,
            document=text.source,
            position=chunk.position,
            composed=False,
        )
        for text in source.texts
        for chunk in split_passages(text.text)
    )
    return Snapshot(
        graph_version="published",
        entities=tuple(entities[key] for key in keys),
        relations=tuple(Relation(name, kind) for kind, name in kinds),
        passages=passages,
        heads=np.array([place[fact.head] for fact in facts], dtype=np.int32),
        relation_of=np.array([relation_place[fact.kind, fact.relation] for fact in facts], dtype=np.int32),
        tails=np.array([place[fact.tail] for fact in facts], dtype=np.int32),
        sources=tuple(fact.source for fact in facts),
        relation_embeddings=encoder.encode([name for _, name in kinds]),
        passage_embeddings=np.zeros((len(passages), encoder.dimension), dtype=np.float32),
    )


def gold_triples(background: str) -> set[str]:
    return {
        line.split(": ", 1)[1].strip() for line in background.splitlines() if "INTERACTION TRIPLE" in line
    }
