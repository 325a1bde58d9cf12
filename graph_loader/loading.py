"""Load a source into the graph: read, assemble, write, and give the account of it."""

from __future__ import annotations

import time
from pathlib import Path

from biomolkg.encoder import SentenceEncoder, encoder_identity
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.assemble import assemble
from graph_loader.bundled import read_starter
from graph_loader.embeddings import Embeddings
from graph_loader.ledger import Ledger, Omissions
from graph_loader.plan import Encoding
from graph_loader.records import SourceFacts
from graph_loader.sources.biomolmqa import Selection, read_biomolmqa
from graph_loader.writer import Report, Writer, quiet


def load_biomolmqa(
    client: Client, folder: Path, settings: Settings, *, selection: Selection = "full", report: Report = quiet
) -> Ledger:
    """Load BioMol-MQA from its folder; `selection` is the full graph or the question graph.

    The graph then holds of this data set what the selection has, and nothing else.

    Raises SourceError when the folder is not what was published (nothing is
    written then), Overloaded when another load is running, DatabaseError when
    Neo4j fails; run again, it goes on where it stopped.
    """
    began = time.perf_counter()
    omissions = Omissions()
    source = read_biomolmqa(folder, selection=selection, omissions=omissions)
    return _load(client, source, settings, omissions, report, began)


def load_starter(client: Client, settings: Settings, *, report: Report = quiet) -> Ledger:
    """Load the bundled starter graph: the facts of BioMol-MQA without its texts.

    Raises as `load_biomolmqa` does.
    """
    began = time.perf_counter()
    return _load(client, read_starter(), settings, Omissions(), report, began)


def _load(
    client: Client,
    source: SourceFacts,
    settings: Settings,
    omissions: Omissions,
    report: Report,
    began: float,
) -> Ledger:
    content = assemble(source, settings, omissions)
    if client.pending_indexes():
        client.apply_schema()
        client.await_indexes()
    identity, dimension = encoder_identity(settings)
    writer = Writer(
        client,
        settings,
        encoding=Encoding(identity, dimension),
        encoder=Embeddings(
            settings, identity=identity, dimension=dimension, encoder=lambda: SentenceEncoder(settings)
        ),
        report=report,
    )
    return writer.write(content, omissions, began=began)
