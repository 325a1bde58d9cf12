"""What a system leaves in folders and zips is no part of a source."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from biomolkg.settings import Settings
from graph_loader.ledger import Omissions
from graph_loader.reading import Reading
from graph_loader.sources.openfda import read_openfda
from graph_loader.table_sources import TableSource, csv_source, decagon_source, kgx_source

APPLE_DOUBLE = b"\0\5\x16\7\0\2\0\0Mac OS X        "
LABELS = '[{"drug": "aspirin", "section": "Warnings", "text": "Bleeding."}]'
FILES = {
    "csv": {"nodes.csv": ":ID,name\na,aspirin\nb,ibuprofen\n", "e.csv": ":START_ID,:END_ID,:TYPE\na,b,X\n"},
    "kgx": {
        "nodes.tsv": "id\tcategory\nA:1\tbiolink:Drug\nA:2\tbiolink:Drug\n",
        "edges.tsv": "subject\tpredicate\tobject\nA:1\tbiolink:treats\tA:2\n",
    },
    "decagon": {"targets.csv": "STITCH,Gene\nCID000002519,135\n"},
}
SOURCES = {"csv": csv_source, "kgx": kgx_source, "decagon": decagon_source}


@pytest.mark.parametrize("kind", FILES)
def test_hidden_files_in_a_folder_of_tables(tmp_path: Path, kind: str) -> None:
    def told(source: TableSource) -> tuple[object, ...]:
        reading = Reading()
        return list(source.records(reading)), dict(reading.rows), source.fingerprint, source.size

    for name, text in FILES[kind].items():
        (tmp_path / name).write_text(text)
    before = told(SOURCES[kind](tmp_path))
    for name in FILES[kind]:
        (tmp_path / f"._{name}").write_bytes(APPLE_DOUBLE)
    (tmp_path / ".DS_Store").write_bytes(b"\0\0\0\1Bud1")
    assert told(SOURCES[kind](tmp_path)) == before


def test_hidden_files_in_a_zip_of_labels(tmp_path: Path) -> None:
    path = tmp_path / "labels.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("labels.json", LABELS)
        archive.writestr("__MACOSX/._labels.json", APPLE_DOUBLE)
    (label,) = read_openfda(path, Settings(), Omissions())
    assert label.name == "aspirin"
