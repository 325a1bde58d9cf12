"""The quote of a graph in CSV where neither a script nor a mapping says it."""

from __future__ import annotations

from pathlib import Path

import pytest

from graph_loader.delimited import Dialect, quoted_cells
from graph_loader.reading import Reading
from graph_loader.sources.csv_graph import read_csv_graph

EDGES = (":START_ID;why;:END_ID;:TYPE\n", "{0};'it''s; so';{1};MEETS\n")


@pytest.mark.parametrize("ids", [("'CHEBI:1'", "'CHEBI:2'"), ("CHEBI:1", "CHEBI:2")])
def test_single_quotes_around_all_texts_are_quotes(tmp_path: Path, ids: tuple[str, str]) -> None:
    (tmp_path / "Drug-header.csv").write_text(":ID;name;mass:double;synonyms:string[];:LABEL\n")
    (tmp_path / "Drug-part000.csv").write_text(f"{ids[0]};'5''-AMP; \"x\"';1.5;'a|b';Drug\n")
    (tmp_path / "Drug-part001.csv").write_text(f"{ids[1]};;;'';Drug\n")
    (tmp_path / "Meets-header.csv").write_text(EDGES[0])
    (tmp_path / "Meets-part000.csv").write_text(EDGES[1].format(*ids))
    reading = Reading()
    first, second, edge = read_csv_graph(tmp_path, reading)
    assert (first.id, first.name, first.synonyms) == ("chebi:1", '5\'-AMP; "x"', ("a", "b"))
    assert (second.id, second.name) == ("chebi:2", None)
    assert (edge.head, edge.tail, edge.properties) == ("chebi:1", "chebi:2", {"why": "it's; so"})
    assert not reading.skipped.listed()


@pytest.mark.parametrize(
    "rows",
    [
        "a,'tick'\n",  # one alone is a name
        "a,'tick'\nb,tack\n",
        "a,'tick'\nb,\"tack\"\n",
        "a,'tick' and 'tack'\nb,'tock' too\n",
        "'a,tick\n'b,tack\n",
    ],
)
def test_single_quotes_around_some_are_part_of_the_texts(tmp_path: Path, rows: str) -> None:
    path = tmp_path / "nodes.csv"
    path.write_text(":ID,name\n" + rows)
    found = {node.name for node in read_csv_graph(path, Reading())}
    assert found == {line.split(",")[1].strip('"') for line in rows.splitlines()}


def test_cells_are_quoted_as_a_whole_or_not() -> None:
    line = "'a';b;'';;'c'd;'e;f';'g''h'"
    assert quoted_cells(line, Dialect(";", "'")) == [True, False, None, None, False, True, True]
