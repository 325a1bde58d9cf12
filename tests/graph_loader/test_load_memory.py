"""What a load holds in memory does not grow with the length of its files."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from biomolkg.identifiers.curies import identify
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader import checks, staging
from graph_loader.identity import known, table_joins
from graph_loader.removal import remove_dataset
from graph_loader.scale import write_made_graph
from graph_loader.sources.csv_graph import read_mapping
from graph_loader.sources.csv_graph import source as csv_reader
from graph_loader.table_loading import load_tables
from graph_loader.table_sources import csv_source

# All that may be held, made small enough for files that are read in seconds.
HELD = (
    (checks, "_HELD", 200),
    (checks, "_FACTS_HELD", 100),
    (checks, "_RECENT", 100),
    (staging, "_HELD", 100),
    (staging, "_BATCH", 100),
    (table_joins, "_TARGETS_HELD", 100),
    (csv_reader, "_ENDS_HELD", 100),
)
ROWS = (1_500, 4_500)
MOST = 100_000  # bytes; of each of the 3,000 further rows a digest alone would take more


def fill_kept_identifiers() -> None:
    """As many as are kept between loads: each that a load reads takes the place of one."""
    identify.cache_clear()
    most = identify.cache_info().maxsize
    assert most is not None
    for number in range(most):
        identify(f"kept:{number}")


def test_memory_does_not_grow_with_the_file(
    client: Client, neo4j_server: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name, value in HELD:
        monkeypatch.setattr(module, name, value)
    mapping = tmp_path / "mapping.toml"
    mapping.write_text('[format]\narray_delimiter = "U+001F"\n')
    narrow = neo4j_server.model_copy(update={"load_batch_rows": 200})

    def peak(name: str, rows: int) -> int:
        folder = tmp_path / f"{name}-{rows}"
        write_made_graph(folder, nodes=rows // 4, edges=rows)
        source = csv_source(folder, read_mapping(mapping), name=name)
        if rows >= ROWS[0]:
            tracemalloc.start()
            fill_kept_identifiers()
        ledger = load_tables(client, source, narrow)
        most = tracemalloc.get_traced_memory()[1]  # 0 when it was not started
        tracemalloc.stop()
        identify.cache_clear()
        assert {row.table: row.read for row in ledger.tables}["fact"] == rows
        return most

    names = ("words", "small", "large")
    try:
        peak("words", 200)  # the relations are embedded, the same for all
        for told in (known.mapped_to, known.symbol_of_gene, known.is_class):
            told("made:1")  # the tables of vocabularies are read once
        small, large = peak("small", ROWS[0]), peak("large", ROWS[1])
        assert large - small < MOST, f"{small:,} and {large:,} bytes for {ROWS} facts"
        # One more of each is another file, compared with what the graph has and written anew.
        small, large = peak("small", ROWS[0] + 4), peak("large", ROWS[1] + 4)
        assert large - small < MOST, f"{small:,} and {large:,} bytes for {ROWS} changed facts"
    finally:
        for name in names:
            remove_dataset(client, name, neo4j_server)
