"""A snapshot on disk is the one that was read, or it is not used."""

from __future__ import annotations

import threading
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from retrievers import snapshot_file as module
from retrievers.snapshot import Snapshot
from retrievers.snapshot_file import GraphMark, SnapshotFile

MARK = GraphMark("version", "loads")


def assert_equal(one: Snapshot, other: Snapshot) -> None:
    for field in fields(Snapshot):
        mine, yours = getattr(one, field.name), getattr(other, field.name)
        if isinstance(mine, np.ndarray):
            assert mine.dtype == yours.dtype, field.name
            np.testing.assert_array_equal(mine, yours, err_msg=field.name)
        elif field.name == "sources":
            assert list(mine) == list(yours)
        elif field.name != "graph_version":
            assert mine == yours, field.name


@pytest.fixture
def file(tmp_path: Path, snapshot: Snapshot) -> SnapshotFile:
    written = SnapshotFile(tmp_path, "managed neo4j")
    written.save(MARK, snapshot)
    return written


def test_what_is_read_back_is_what_was_written(file: SnapshotFile, snapshot: Snapshot) -> None:
    kept = file.load()
    assert kept is not None
    mark, again = kept
    assert mark == MARK
    assert_equal(snapshot, again)
    for one, other in ((snapshot.entities[0], again.entities[0]), (snapshot.passages[0], again.passages[0])):
        assert [type(getattr(one, it.name)) for it in fields(one)] == [
            type(getattr(other, it.name)) for it in fields(other)
        ]
    assert again.entities[0].reference == snapshot.entities[0].reference


def test_databases_of_one_home_have_files_of_their_own(file: SnapshotFile, tmp_path: Path) -> None:
    assert SnapshotFile(tmp_path, "bolt://elsewhere neo4j").load() is None
    assert SnapshotFile(tmp_path, "managed neo4j").load() is not None


@pytest.mark.parametrize("place", [0.0, 0.3, 0.6, 0.999])
def test_a_damaged_file_is_not_used(file: SnapshotFile, place: float) -> None:
    content = bytearray(file.path.read_bytes())
    content[int(len(content) * place)] ^= 0x01
    file.path.write_bytes(content)
    assert file.load() is None


@pytest.mark.parametrize("content", [b"", b"\0" * 100, b"PK\x03\x04 no snapshot", b'{"format": 1}'])
def test_a_foreign_or_cut_off_file_is_not_used_and_is_replaced(
    file: SnapshotFile, snapshot: Snapshot, content: bytes
) -> None:
    file.path.write_bytes(content)
    assert file.load() is None
    file.save(MARK, snapshot)
    assert file.load() is not None


def test_a_file_that_is_cut_off_is_not_used(file: SnapshotFile) -> None:
    content = file.path.read_bytes()
    file.path.write_bytes(content[: len(content) // 2])
    assert file.load() is None


@pytest.mark.parametrize("changed", ["FORMAT", "read_by"])
def test_a_file_of_another_version_of_the_program_is_not_used(
    file: SnapshotFile, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    monkeypatch.setattr(module, changed, "other" if changed == "FORMAT" else lambda: "other")
    assert file.load() is None


def test_other_arrays_under_the_same_description_are_not_used(file: SnapshotFile) -> None:
    arrays = load_file(file.path)
    with module.safe_open(file.path, framework="numpy") as opened:
        metadata = opened.metadata()
    arrays["heads"] = arrays["tails"]
    save_file(arrays, file.path, metadata=metadata)
    assert file.load() is None


def test_a_folder_that_cannot_be_written_is_no_failure(tmp_path: Path, snapshot: Snapshot) -> None:
    (tmp_path / "cache").write_text("no folder")
    file = SnapshotFile(tmp_path, "managed neo4j")
    file.save(MARK, snapshot)
    assert file.load() is None


def test_processes_that_write_at_once_leave_a_whole_file(file: SnapshotFile, snapshot: Snapshot) -> None:
    marks = [GraphMark(f"version {at}", "loads") for at in range(3)]
    seen: list[object] = []

    def write(mark: GraphMark) -> None:
        SnapshotFile(file.path.parents[1], "managed neo4j").save(mark, snapshot)

    writers = [threading.Thread(target=write, args=(mark,)) for mark in marks]
    for writer in writers:
        writer.start()
    while any(writer.is_alive() for writer in writers):
        kept = file.load()
        seen.append(None if kept is None else kept[0])
    kept = file.load()
    assert kept is not None
    assert kept[0] in marks
    assert None not in seen
    assert [path.name for path in file.path.parent.iterdir()] == [file.path.name]
