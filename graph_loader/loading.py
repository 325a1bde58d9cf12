"""Load a source into the graph: read, assemble, write, and give the account of it."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from biomolkg.encoder import SentenceEncoder, encoder_identity
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.assemble import assemble
from graph_loader.bundled import read_starter
from graph_loader.bundled_reactome import SPECIES, read_bundled_reactome
from graph_loader.embeddings import Embeddings
from graph_loader.graph_tables import GraphTables
from graph_loader.identity import taxa
from graph_loader.identity.drug_names import DrugNames
from graph_loader.label_drugs import own_drug
from graph_loader.label_tables import read_label_tables
from graph_loader.ledger import Ledger, Omissions
from graph_loader.plan import Encoding
from graph_loader.reactome_tables import DATASET, reactome_tables
from graph_loader.records import SourceFacts
from graph_loader.sources.biomolmqa import Selection, read_biomolmqa
from graph_loader.sources.openfda import read_openfda
from graph_loader.sources.reactome import Reactome, read_reactome
from graph_loader.sources.spl import read_labels
from graph_loader.writer import Report, Writer, quiet

_COLLECT_AFTER = 1_000_000  # objects


def load_biomolmqa(
    client: Client,
    folder: Path,
    settings: Settings,
    *,
    selection: Selection = "full",
    report: Report = quiet,
    dry_run: bool = False,
) -> Ledger:
    """Load BioMol-MQA from its folder; `selection` is the full graph or the question graph.

    The graph then holds of this data set what the selection has, and nothing else.
    With `dry_run`, here as in every other load, nothing is written: the account
    says what a load would change.

    Raises SourceError when the folder is not what was published (nothing is
    written then), Overloaded when another load is running, DatabaseError when
    Neo4j fails; run again, it goes on where it stopped.
    """
    began = time.perf_counter()
    omissions = Omissions()
    with _few_collections():
        source = read_biomolmqa(folder, selection=selection, omissions=omissions)
        return _load(client, source, settings, omissions, report, began, dry_run=dry_run)


def load_starter(
    client: Client, settings: Settings, *, report: Report = quiet, dry_run: bool = False
) -> Ledger:
    """Load the bundled drugs, proteins and interactions: the facts of BioMol-MQA without its texts.

    Raises as `load_biomolmqa` does.
    """
    began = time.perf_counter()
    with _few_collections():
        return _load(client, read_starter(), settings, Omissions(), report, began, dry_run=dry_run)


def load_starter_pathways(
    client: Client,
    settings: Settings,
    *,
    folder: Path | None = None,
    report: Report = quiet,
    dry_run: bool = False,
) -> Ledger:
    """Load the bundled human part of Reactome, and join it as `load_reactome` joins the downloads.

    `folder`: other tables of the same form. The graph then holds of Reactome this and nothing else.
    Raises as `load_biomolmqa` does.
    """
    began = time.perf_counter()
    with _few_collections():
        reactome = read_bundled_reactome(folder)
        return _join_reactome(
            client, reactome, SPECIES, settings, report, began, origin="starter", dry_run=dry_run
        )


@contextmanager
def _few_collections() -> Iterator[None]:
    """Reading makes many records that all stay; looking for garbage among them takes a third of the time."""
    before = gc.get_threshold()
    gc.set_threshold(_COLLECT_AFTER, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)


def load_labels(
    client: Client,
    path: Path,
    settings: Settings,
    *,
    dataset: Literal["spl", "openfda"],
    report: Report = quiet,
    dry_run: bool = False,
) -> Ledger:
    """Load drug labels: Structured Product Labeling XML (`spl`) or openFDA's JSON (`openfda`).

    The graph then holds of this data set the labels at `path` and no others. They
    are joined to the drugs that the graph has; loaded again after another source,
    they are joined to what that one brought. Raises as `load_biomolmqa` does.
    """
    began = time.perf_counter()
    omissions = Omissions()
    labels = (read_labels if dataset == "spl" else read_openfda)(path, settings, omissions)
    content = read_label_tables(dataset, labels, settings, Encoding(*encoder_identity(settings)))

    def joined() -> GraphTables:
        held = client.read("load/drug_names")
        drugs = DrugNames(drug for drug in held if not own_drug(drug["id"], drug["datasets"] or ()))
        return content.joined(drugs, omissions)

    await_schema(client, dry_run=dry_run)
    return writer_of(client, settings, report, dry_run=dry_run).agree(joined, omissions, began=began)


def load_reactome(
    client: Client,
    path: Path,
    settings: Settings,
    *,
    species: Sequence[str] = (),
    report: Report = quiet,
    dry_run: bool = False,
) -> Ledger:
    """Load Reactome's downloads, and join their proteins and chemicals to those that the graph has.

    `species` narrows the text tables (none: all species). Loaded again after
    another source, they are joined to what that one brought. Raises as `load_biomolmqa` does.
    """
    began = time.perf_counter()
    with _few_collections():
        reactome = read_reactome(path, set(species) or None)
        selection = ", ".join(sorted(set(species))) or "all species"
        return _join_reactome(client, reactome, selection, settings, report, began, dry_run=dry_run)


def _join_reactome(
    client: Client,
    reactome: Reactome,
    selection: str,
    settings: Settings,
    report: Report,
    began: float,
    *,
    origin: str = "reactome",
    dry_run: bool = False,
) -> Ledger:
    omissions = Omissions()
    encoding = Encoding(*encoder_identity(settings))
    await_schema(client, dry_run=dry_run)

    def joined() -> GraphTables:
        held = client.read("load/joinable_entities", own=f"{DATASET}:", species=list(taxa.PROPERTIES))
        return reactome_tables(reactome, selection, held, encoding, omissions, origin=origin)

    return writer_of(client, settings, report, dry_run=dry_run).agree(joined, omissions, began=began)


def _load(
    client: Client,
    source: SourceFacts,
    settings: Settings,
    omissions: Omissions,
    report: Report,
    began: float,
    *,
    dry_run: bool,
) -> Ledger:
    content = assemble(source, settings, omissions)
    await_schema(client, dry_run=dry_run)
    return writer_of(client, settings, report, dry_run=dry_run).write(content, omissions, began=began)


def await_schema(client: Client, *, dry_run: bool) -> None:
    """Make what is missing of the schema, and wait for it; a dry run makes nothing."""
    if not dry_run and client.pending_indexes():
        client.apply_schema()
        client.await_indexes()


def writer_of(client: Client, settings: Settings, report: Report, *, dry_run: bool) -> Writer:
    """A writer with the encoder of these settings."""
    identity, dimension = encoder_identity(settings)
    return Writer(
        client,
        settings,
        encoding=Encoding(identity, dimension),
        encoder=Embeddings(
            settings,
            identity=identity,
            dimension=dimension,
            # No question is encoded here, so that what questions have of their own need not be made.
            encoder=lambda: SentenceEncoder(settings.model_copy(update={"question_precision": "fp32"})),
        ),
        report=report,
        dry_run=dry_run,
    )
