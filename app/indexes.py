"""Everything that answers from a snapshot alone: made while the database still starts."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import NotReady
from biomolkg.settings import Settings
from gnn.retriever import UntrainedNetwork, untrained_networks
from retrievers.bm25 import BM25Retriever
from retrievers.dense import DenseRetriever
from retrievers.fact_details import FactDetails
from retrievers.hits import Filters, Retriever
from retrievers.hybrid import HybridRetriever
from retrievers.mentions import Gazetteer
from retrievers.molecule import MoleculeRetriever
from retrievers.molecules import MoleculeIndex
from retrievers.plain import PlainReader
from retrievers.reactome_snapshot import ReactomeFacts
from retrievers.snapshot import Snapshot
from retrievers.triple import TripleRetriever
from retrievers.triple.with_reactome import TripleWithReactome

_WARMING = "What is known of {}?"


@dataclass(frozen=True, slots=True, eq=False)
class Indexes:
    """What is made from one snapshot. `reactome` is the one part that asks the database, once connected."""

    snapshot: Snapshot
    gazetteer: Gazetteer
    molecules: MoleculeIndex
    reactome: ReactomeFacts
    triple: TripleWithReactome
    passages: tuple[Retriever, ...]
    hybrid: HybridRetriever
    networks: tuple[UntrainedNetwork, ...]
    details: FactDetails
    reader: PlainReader


def make_indexes(snapshot: Snapshot, encoder: SentenceEncoder, settings: Settings) -> Indexes:
    """The indexes of a snapshot, each asked once."""
    gazetteer = Gazetteer(snapshot)
    molecules = MoleculeIndex(snapshot.entities, max_chars=settings.max_smiles_chars)
    plain = TripleRetriever(snapshot, encoder, settings, gazetteer=gazetteer)
    reactome = ReactomeFacts(snapshot.graph_version)
    triple = TripleWithReactome(plain, reactome, encoder, settings)
    passages: tuple[Retriever, ...] = (
        BM25Retriever(snapshot, gazetteer),
        DenseRetriever(snapshot, encoder, gazetteer),
        MoleculeRetriever(snapshot, plain.chemistry, molecules, gazetteer),
    )
    hybrid = HybridRetriever(snapshot, triple, passages)
    reader = PlainReader(snapshot, reactome.if_any)
    warm(snapshot, [triple, *passages, hybrid])
    # A question about pathways waits for the database.
    with contextlib.suppress(NotReady):
        reader.answer(_WARMING.format(name_in(snapshot)), filters=Filters())
    return Indexes(
        snapshot=snapshot,
        gazetteer=gazetteer,
        molecules=molecules,
        reactome=reactome,
        triple=triple,
        passages=passages,
        hybrid=hybrid,
        networks=untrained_networks(snapshot, encoder),
        details=FactDetails(snapshot),
        reader=reader,
    )


def warm(snapshot: Snapshot, retrievers: Sequence[Retriever]) -> None:
    """Ask each retriever once, so that nobody's first question waits for plans, caches and processes."""
    question = _WARMING.format(name_in(snapshot))
    for retriever in retrievers:
        retriever.retrieve([question], k=1, filters=Filters())


def name_in(snapshot: Snapshot) -> str:
    """Something that the graph has a name of."""
    return snapshot.entities[0].name if snapshot.entities else "aspirin"
