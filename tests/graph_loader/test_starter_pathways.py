"""The bundled tables of Reactome; tests/app/test_pathways.py has the graph that they become."""

from __future__ import annotations

from pathlib import Path

import pytest

from biomolkg.errors import SourceError
from graph_loader.bundled_reactome import SPECIES, read_bundled_reactome, write_bundled_reactome
from graph_loader.ledger import Omissions
from graph_loader.plan import Encoding
from graph_loader.reactome_tables import reactome_tables
from graph_loader.sources.reactome import Reactome, read_reactome


def test_written_again_the_tables_are_the_same(tmp_path: Path) -> None:
    reactome = read_bundled_reactome()
    write_bundled_reactome(tmp_path, reactome)
    again = read_bundled_reactome(tmp_path)
    for part in ("pathways", "reactions", "entities", "below", "listed"):
        assert getattr(again, part) == getattr(reactome, part), part
    (tmp_path / "reactome_reactions.tsv.gz").write_bytes(b"no gzip")
    with pytest.raises(SourceError, match="reactome_reactions"):
        read_bundled_reactome(tmp_path)


def test_the_downloads_become_the_same_nodes_and_edges(shared_data: Path) -> None:
    def content(reactome: Reactome) -> str:
        tables = reactome_tables(reactome, SPECIES, [], Encoding("any", 384), Omissions())
        return tables.content_hash()

    downloads = read_reactome(shared_data / "reactome", {SPECIES})
    assert content(read_bundled_reactome()) == content(downloads)
