"""Load a source of any length: read and checked to its end first, then compared and written in batches.

Memory does not grow with the source. A fact's `digest` and a node's
`dataset:digest` say what was written; the graph is compared by them. A load of
the same files beside the same other loads ends at once.
"""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

from biomolkg import __version__
from biomolkg.encoder import SentenceEncoder, encoder_identity
from biomolkg.errors import SourceError
from biomolkg.identifiers import sort_of
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.claims import VOCABULARY
from graph_loader.embeddings import Embeddings
from graph_loader.graph_records import MAX_NAME_CHARS, GraphEdge, GraphNode, Record
from graph_loader.identity.cleaning import (
    cleaned,
    described_structure,
    keys_of_structure,
    species_in,
    symbol_of,
)
from graph_loader.identity.known import symbol_of_gene
from graph_loader.identity.names import identity_keys
from graph_loader.identity.taxa import taxon_of
from graph_loader.identity.things import JOINABLE, SMALL
from graph_loader.ledger import JoinCount, Ledger, TableCount
from graph_loader.loads import Loads
from graph_loader.plan import Encoding
from graph_loader.reading import Reading
from graph_loader.staging import Staging
from graph_loader.structures import structure_properties
from graph_loader.table_sources import TableSource
from graph_loader.table_writing import TableWriting
from graph_loader.writer import LOCK, Report, quiet

FORMAT = 4  # raise when the same source gives another graph
_LONG_ID = f"id of more than {MAX_NAME_CHARS:,} characters"
_LONG_RELATION = f"relation name of more than {MAX_NAME_CHARS:,} characters"
_TOLD_EVERY = 20_000  # rows
_GENE_COLUMNS = ("gene_", "gene_symbol", "symbol")
SEQUENCES = JOINABLE - SMALL
_KINDS = {"protein": "Protein", "gene": "Gene", "transcript": "Transcript"}


def load_tables(
    client: Client,
    source: TableSource,
    settings: Settings,
    *,
    report: Report = quiet,
    dry_run: bool = False,
) -> Ledger:
    """Make the graph agree with a source; `dry_run`: only say what that would change.

    The graph then holds of this data set what the source has, and nothing else.

    Raises SourceError when the source cannot be used, or has its name from its folder and another
    folder of that name was loaded (nothing is written then), Overloaded when another load is running,
    ConfigurationError when temporary files cannot be written, DatabaseError when Neo4j fails;
    run again, it goes on where it stopped.
    """
    began = time.perf_counter()
    encoding = Encoding(*encoder_identity(settings))
    files = hashlib.sha256(f"{FORMAT} {encoding.identity} {source.fingerprint}".encode()).hexdigest()
    loads = Loads(client.read("load/ledger"))
    standing = None if dry_run else _standing(client, loads, source.dataset, files)
    if standing is not None:
        return _as_before(standing, source, time.perf_counter() - began)
    _require_own_name(loads, source)
    if not dry_run and client.pending_indexes():
        client.apply_schema()
        client.await_indexes()
    with Staging() as staging:
        reading = Reading()
        stage(source, staging, reading, settings, report)
        writing = TableWriting(
            client,
            source,
            staging,
            reading,
            settings,
            encoding=encoding,
            encoder=Embeddings(
                settings,
                identity=encoding.identity,
                dimension=encoding.dimension,
                encoder=lambda: SentenceEncoder(settings),
            ),
            report=report,
        )
        with client.exclusive(LOCK, patience=settings.load_patience):
            loads = Loads(client.read("load/ledger"))
            joins = writing.join()
            identity = hashlib.sha256(f"{files} {joins}".encode()).hexdigest()
            version = loads.version_with(source.dataset, identity)
            elsewhere = loads.unfinished_elsewhere(source.dataset)
            writing.compare(fresh=not loads.of(source.dataset) and not dry_run)
            settled = loads.stands(source.dataset, identity) and _settled(client, version, loading=elsewhere)
            if not dry_run and (writing.differs or not settled):
                load = f"{source.dataset}:{identity[:16]}"
                writing.begin(
                    load,
                    {
                        "dataset": source.dataset,
                        "origin": source.origin,
                        "selection": source.selection,
                        "content": identity,
                        "encoder": encoding.identity,
                        "software": __version__,
                        "place": source.place,
                        "files": files,
                        "others": _others(loads, source.dataset),
                    },
                )
                writing.write()
                writing.finish(
                    load,
                    version=version,
                    loading=elsewhere,
                    superseded=loads.others(source.dataset, load),
                )
        return writing.account(identity, version, time.perf_counter() - began, dry_run=dry_run)


def stage(
    source: TableSource, staging: Staging, reading: Reading, settings: Settings, report: Report
) -> None:
    """Read a source to its end. What only edges name becomes a node, whose kind follows from its identifier.

    Raises SourceError when the source cannot be used.
    """
    knows = staging.knows
    for number, record in enumerate(source.records(reading), start=1):
        if number % _TOLD_EVERY == 0:
            report("rows read", number, 0)
        fault = _too_long(record)
        if fault is not None:
            reading.skip(*_place(record.source, fault), broken=False)
        elif isinstance(record, GraphEdge):
            for end in (record.head, record.tail):
                if not knows(end):
                    kind = _end_kind(end, record, source.small)
                    staging.add_node(
                        GraphNode(end, kind, record.source, symbol_of_gene(end) if kind == "Gene" else None)
                    )
            staging.add_edge(record)
        else:
            knows(record.id)
            stage_node(record, staging, reading, settings, optional=source.optional)


def _place(source: str, what: str) -> tuple[str, str, str]:
    """File, `what` and row of a source, as a reading counts them."""
    file, _, row = source.partition(":")[2].rpartition(":")
    return file, what, f"row {row}"


def _too_long(record: Record) -> str | None:
    """Why a record cannot be found again: Neo4j's indexes take no longer values."""
    if isinstance(record, GraphNode):
        return _LONG_ID if len(record.id) > MAX_NAME_CHARS else None
    if len(record.head) > MAX_NAME_CHARS or len(record.tail) > MAX_NAME_CHARS:
        return _LONG_ID
    return _LONG_RELATION if len(record.relation) > MAX_NAME_CHARS else None


def stage_node(
    node: GraphNode, staging: Staging, reading: Reading, settings: Settings, *, optional: bool
) -> None:
    """Keep a node, with all that tells which one it is; what is no value is left out and noted."""

    def note(what: str, detail: str) -> None:
        file, reason, row = _place(node.source, what)
        reading.note(file, reason, f"{row}: {detail}".removesuffix(": "))

    node = cleaned(node, note)
    properties = dict(node.properties)
    sequence = node.kind in SEQUENCES
    gene = symbol_of(properties, _GENE_COLUMNS) if sequence else None
    described = None
    # Of what only joins, a key says enough, unless there is a counter-ion beside the drug.
    told = optional and node.inchikey is not None and "." not in (node.smiles or "")
    if node.kind in SMALL and not told:
        described = described_structure(node, settings.max_smiles_chars, note)
    elif node.smiles and not told:
        properties["smiles_"] = node.smiles
    keys = keys_of_structure(node, described)
    structure = structure_properties(node.smiles, described) if described is not None else {}
    curies = (node.id, *node.xrefs)
    names = (node.name, *node.synonyms)
    staging.add_node(
        node,
        inchikey=node.inchikey or next(iter(keys.whole), None),
        keys=keys,
        taxon=taxon_of(species_in(properties, node.xrefs), curies, names) if sequence else None,
        structure={key: value for key, value in structure.items() if value is not None and key != "inchikey"},
        gene=gene,
        properties=properties,
        optional=optional,
    )
    if node.kind in SMALL:
        staging.count_names(identity_keys(names))


def _end_kind(curie: str, edge: GraphEdge, small: str) -> str:
    """What a thing is that only edges name."""
    sort = sort_of(curie)
    if sort == "small":
        return "Drug" if edge.kind in {"DDI", "DPI", "MOLECULAR"} else small
    if sort is not None:
        return _KINDS[sort]
    if edge.kind in {"DDI", "MOLECULAR"}:
        return "Drug"
    if edge.kind in {"DPI", "ACTION"}:
        return "Protein" if curie == edge.tail else "Drug"
    return "Thing"


def _others(loads: Loads, dataset: str) -> str:
    """What else the graph holds that joins depend on: not the vocabulary, by which nothing is joined."""
    others = {name: content for name, content in loads.without(dataset).items() if name != VOCABULARY}
    lines = "".join(f"{name} {content}\n" for name, content in sorted(others.items()))
    return hashlib.sha256(lines.encode()).hexdigest()


def _require_own_name(loads: Loads, source: TableSource) -> None:
    """Two folders of one name are two graphs until whoever loads them says otherwise."""
    for load in loads.of(source.dataset):
        place = load.get("place")
        if load["state"] == "superseded" or None in {place, source.place} or place == source.place:
            continue
        raise SourceError(
            f"The data set {source.dataset!r} was loaded from {place}, not from {source.place}.",
            remedy=f"Give --name {source.dataset} to put this in its place, or another --name to have both.",
        )


def _settled(client: Client, version: str, *, loading: bool) -> bool:
    state = client.read("service/graph_state")
    return bool(state) and state[0] == {"version": version, "loading": loading}


def _standing(client: Client, loads: Loads, dataset: str, files: str) -> dict[str, Any] | None:
    """The load of these very files, if it is complete and nothing else was loaded since."""
    current = [load for load in loads.of(dataset) if load["state"] != "superseded"]
    if len(current) != 1 or current[0]["state"] != "complete":
        return None
    (load,) = current
    if (load.get("files"), load.get("others")) != (files, _others(loads, dataset)):
        return None
    version = loads.version_with(dataset, load["content"])
    elsewhere = loads.unfinished_elsewhere(dataset)
    return load if _settled(client, version, loading=elsewhere) else None


def _as_before(load: Mapping[str, Any], source: TableSource, seconds: float) -> Ledger:
    """The account of a load that found everything as it was."""
    joined: Counter[str] = Counter()
    for text in load.get("joined") or ():
        evidence, _, count = text.rpartition(": ")
        joined[evidence] = int(count)
    return Ledger(
        dataset=source.dataset,
        origin=source.origin,
        selection=source.selection,
        content=load["content"],
        graph_version=load["version"],
        tables=tuple(
            TableCount(table, read, 0, read, 0, 0.0)
            for table, read in zip(load["tables"], load["read"], strict=True)
        ),
        omissions=(),
        seconds=seconds,
        writes={},
        joins=tuple(JoinCount(evidence, count, ()) for evidence, count in joined.items()),
    )
