"""A view from the snapshot file answers as one that was read anew, and only while it is current."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app import view as module
from app.state import View
from app.view import Views
from biomolkg.settings import Settings
from cypher.client import Client, connect
from retrievers.hits import Filters
from retrievers.snapshot import Snapshot, read_snapshot

QUESTIONS = [
    "What happens when Warfarin and Fentanyl are combined?",
    "Which molecule with a coumarin and a nitro group forms a hydrogen bond?",
    "Which NSAIDs are there?",
]


@pytest.fixture(scope="module")
def client(starter: Settings) -> Iterator[Client]:
    with connect(starter) as opened:
        yield opened


@pytest.fixture
def own(starter: Settings, tmp_path: Path) -> Settings:
    """Settings of a home without a snapshot file; the database is the one of the run."""
    return starter.model_copy(update={"home": tmp_path})


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The graph version of each reading of the database."""
    found: list[str] = []

    def counting(client: Client) -> Snapshot:
        read = read_snapshot(client)
        found.append(read.graph_version)
        return read

    monkeypatch.setattr(module, "read_snapshot", counting)
    return found


def answers(settings: Settings, client: Client) -> list[object]:
    views = Views(settings)
    views.prepare()
    try:
        return said(views.build(client))
    finally:
        views.close()


def said(view: View) -> list[object]:
    found: list[object] = [view.graph_version]
    for name in ("triple", "bm25", "dense", "molecule", "hybrid", "neo4j"):
        results = view.retrievers[name].retrieve(QUESTIONS, k=20, filters=Filters(), explain=True)
        found += [(name, result.hits, result.mentions, result.notes) for result in results]
    found += [view.reader.answer(question) for question in QUESTIONS]
    return found


def test_the_second_view_is_from_the_file_and_answers_the_same(
    own: Settings, client: Client, readings: list[str]
) -> None:
    first = answers(own, client)
    assert len(readings) == 1
    assert answers(own, client) == first
    assert len(readings) == 1


def test_services_of_one_home_use_the_file_side_by_side(
    own: Settings, client: Client, readings: list[str]
) -> None:
    both = [Views(own), Views(own)]
    for views in both:
        views.prepare()
    # Neither had a file when it began: each reads, and each writes.
    views_of = [views.build(client) for views in both]
    assert len(readings) == 2
    third = Views(own)
    third.prepare()
    assert said(third.build(client)) == said(views_of[0]) == said(views_of[1])
    assert len(readings) == 2
    for views in (*both, third):
        views.close()


def test_a_damaged_file_is_read_anew_and_written_again(
    own: Settings, client: Client, readings: list[str]
) -> None:
    first = answers(own, client)
    [path] = (own.home / "cache").glob("snapshot-*")
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    assert answers(own, client) == first
    assert len(readings) == 2
    assert answers(own, client) == first
    assert len(readings) == 2


@pytest.mark.parametrize("changed", [{"version": "another"}, {"loads": "others"}])
def test_a_file_of_another_graph_is_read_anew(
    own: Settings,
    client: Client,
    readings: list[str],
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, str],
) -> None:
    real = module.read_graph_mark

    def other(client: Client) -> module.GraphMark:
        mark = real(client)
        return module.GraphMark(changed.get("version", mark.version), changed.get("loads", mark.loads))

    first = answers(own, client)
    monkeypatch.setattr(module, "read_graph_mark", other)
    assert answers(own, client) == first
    assert len(readings) == 2


def test_it_can_be_turned_off(own: Settings, client: Client, readings: list[str]) -> None:
    off = own.model_copy(update={"snapshot_cache": False})
    answers(off, client)
    answers(off, client)
    assert len(readings) == 2
    assert not list((own.home / "cache").glob("snapshot-*"))
