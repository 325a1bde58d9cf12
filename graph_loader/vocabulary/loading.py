"""Load the bundled vocabulary: names that people use, identifiers, and the classes of drugs."""

from __future__ import annotations

import time
from dataclasses import replace

from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.ledger import Ledger, Omissions
from graph_loader.loading import await_schema, writer_of
from graph_loader.loads import Loads, graph_version
from graph_loader.vocabulary.agreement import DATASET, VocabularyAgreement
from graph_loader.writer import Report, quiet


def load_vocabulary(
    client: Client, settings: Settings, *, report: Report = quiet, dry_run: bool = False
) -> Ledger:
    """Give the graph's drugs and proteins the names and classes of the bundled vocabulary.

    Every later load and removal keeps them in step, until the data set `vocabulary` is removed.
    Raises as `load_biomolmqa` does.
    """
    began = time.perf_counter()
    await_schema(client, dry_run=dry_run)
    writer = writer_of(client, settings, report, dry_run=dry_run)
    return writer.agree(VocabularyAgreement, Omissions(), began=began)


def with_vocabulary(client: Client, ledger: Ledger, settings: Settings, *, report: Report = quiet) -> Ledger:
    """The account of a load once its graph has the vocabulary too, which is loaded if it is not there yet.

    After a dry run nothing is written: the account says what the version would be.
    """
    loads = Loads(client.read("load/ledger"))
    identity = VocabularyAgreement().content_hash()
    if loads.stands(DATASET, identity):
        return ledger
    if ledger.dry_run:
        planned = zip(ledger.dataset.split(", "), ledger.content.split(", "), strict=True)
        contents = {**loads.complete(), **dict(planned), DATASET: identity}
        return replace(ledger, graph_version=graph_version(contents))
    added = load_vocabulary(client, settings, report=report)
    return replace(
        ledger,
        graph_version=added.graph_version,
        tables=ledger.tables + added.tables,
        seconds=ledger.seconds + added.seconds,
        writes={
            name: ledger.writes.get(name, 0) + added.writes.get(name, 0)
            for name in {**ledger.writes, **added.writes}
        },
    )
