"""A small graph written for the tests: five drugs, two proteins, eight facts."""

import numpy as np

from biomolkg.encoder import SentenceEncoder
from retrievers.snapshot import Entity, Passage, Relation, Snapshot

ENTITIES = (
    Entity("pubchem.compound:1", "Alendronic acid", "Drug", ("Fosamax",), "C(CC(O)(P(=O)(O)O)P(=O)(O)O)CN"),
    Entity("pubchem.compound:2", "Diazepam", "Drug", (), "CN1C(=O)CN=C(C2=C1C=CC(=C2)Cl)C3=CC=CC=C3"),
    Entity(
        "pubchem.compound:3", "Trazodone", "Drug", ("Désyrel",),
        "C1CN(CCN1CCCN2C(=O)N3C=CC=CC3=N2)C4=CC(=CC=C4)Cl",
    ),
    Entity("pubchem.compound:4", "Naproxen", "Drug", (), "CC(C1=CC2=C(C=C1)C=C(C=C2)OC)C(=O)O"),
    Entity("pubchem.compound:5", "Estradiol", "Drug", (), "CC12CCC3C(C1CCC2O)CCC4=C3C=CC(=C4)O"),
    Entity("uniprot:P18089", "Alpha-2B adrenergic receptor", "Protein", (), None, "ADRA2B"),
    Entity("uniprot:P35367", "Histamine H1 receptor", "Protein", (), None, "HRH1"),
)  # fmt: skip
RELATIONS = (
    Relation("Back Ache", "DDI"),
    Relation("erythema", "DDI"),
    Relation("binding and activation", "DPI"),
    Relation("binding and inhibition", "DPI"),
    Relation("Hydrogen Bonding", "MOLECULAR"),
    Relation("π-π Stacking", "MOLECULAR"),
    Relation("inhibition", "ACTION"),
)
TEXTS = (
    (0, "It slows the loss of bone and is given once a week against osteoporosis."),
    (1, "It calms anxiety and stops seizures. Doctors also use it when alcohol is withdrawn."),
    (2, "It lifts depression and brings sleep at night in small doses."),
    (3, "It eases the pain of arthritis and lowers fever."),
    (4, "It replaces the hormone that is lost after menopause."),
)
# head, relation, tail, in the order of the snapshot
TRIPLES = (
    (0, 0, 1), (0, 4, 1), (1, 1, 2), (2, 3, 5), (2, 3, 6), (2, 6, 5), (3, 5, 1), (4, 0, 3),
)  # fmt: skip


def small_snapshot(encoder: SentenceEncoder) -> Snapshot:
    passages = tuple(
        Passage(
            f"p{entity}", entity, text, ENTITIES[entity].name, "raw", "made", f"d{entity}", 0, composed=False
        )
        for entity, text in TEXTS
    )
    heads, relation_of, tails = np.array(TRIPLES, dtype=np.int32).T
    return Snapshot(
        graph_version="small",
        entities=ENTITIES,
        relations=RELATIONS,
        passages=passages,
        heads=heads,
        relation_of=relation_of,
        tails=tails,
        sources=tuple(f"made:facts.csv:{row}" for row in range(1, len(TRIPLES) + 1)),
        relation_embeddings=encoder.encode([relation.name for relation in RELATIONS]),
        passage_embeddings=encoder.encode([passage.text for passage in passages]),
    )
