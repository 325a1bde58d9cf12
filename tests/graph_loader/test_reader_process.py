"""A large source is read by a process of its own, and nothing else about it is different."""

from __future__ import annotations

import gzip
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest

from biomolkg.errors import SourceError
from graph_loader.graph_records import Record
from graph_loader.reader_process import read_beside
from graph_loader.reading import Reading
from graph_loader.scale import write_made_graph
from graph_loader.sources.csv_graph import read_csv_graph
from graph_loader.table_sources import TableSource, csv_source

EDGES = 30_000  # more than the pipe holds

NODES = (
    "id:ID,name,mass:double,since:date,:LABEL\n"
    "a,aspirin,180.2,2001-02-03,Compound\n"
    "b,'b',no number,,Compound;9 lives\n"
    "a,other,,,Compound\n"
    "c,two\n"
)
LINKS = ":START_ID,:END_ID,:TYPE,score:float\na,b,MEETS,0.5\na,b,MEETS,0.5\na,x,MEETS,\nb,a,MEETS,\n"


@pytest.fixture
def large(tmp_path: Path) -> TableSource:
    """A source of some batches."""
    write_made_graph(tmp_path / "made", nodes=EDGES // 10, edges=EDGES)
    return csv_source(tmp_path / "made")


def as_told(records: Iterator[Record], reading: Reading) -> tuple[object, ...]:
    return (
        list(records),
        dict(reading.rows),
        dict(reading.labels),
        dict(reading.relations),
        reading.skipped.listed(),
        reading.noted.listed(),
    )


def test_records_and_account_are_those_of_reading_here(tmp_path: Path) -> None:
    (tmp_path / "nodes.csv").write_text(NODES)
    (tmp_path / "links.csv").write_text(LINKS)
    source = csv_source(tmp_path, name="mine")
    here, beside = Reading(), Reading()
    told = as_told(source.read(here), here)
    assert as_told(read_beside(source.read, beside), beside) == told
    assert len(here.skipped.listed()) == 4
    assert here.noted.listed()


def test_size_decides_who_reads(large: TableSource) -> None:
    def processes(source: TableSource) -> int:
        records = source.records(Reading())
        next(records)
        return len(psutil.Process().children())

    before = len(psutil.Process().children())
    assert processes(large) == before
    records = replace(large, size=2**30).records(Reading())
    next(records)
    assert len(psutil.Process().children()) == before + 1
    records.close()  # type: ignore[attr-defined]
    assert len(psutil.Process().children()) == before


def test_an_error_is_the_one_of_the_source(tmp_path: Path) -> None:
    whole = gzip.compress(NODES.encode() * 50)
    (tmp_path / "nodes.csv.gz").write_bytes(whole[: len(whole) // 2])
    source = csv_source(tmp_path)
    with pytest.raises(SourceError) as here:
        list(source.read(Reading()))
    with pytest.raises(SourceError) as beside:
        list(read_beside(source.read, Reading()))
    assert str(beside.value) == str(here.value)


def test_a_process_that_is_killed_is_told(large: TableSource) -> None:
    before = set(psutil.Process().children())
    records = read_beside(large.read, Reading())
    next(records)
    (process,) = set(psutil.Process().children()) - before
    process.kill()
    with pytest.raises(SourceError, match="ended before it had read all"):
        list(records)


def test_a_process_that_ends_before_it_listens_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    true = shutil.which("true")
    assert true
    monkeypatch.setattr(sys, "executable", true)
    longer_than_a_pipe = partial(read_csv_graph, Path("x" * 1_000_000))
    with pytest.raises(SourceError, match="ended before it had read all"):
        list(read_beside(longer_than_a_pipe, Reading()))
