"""The parts of the starter graph: which are waited for, and what a start that was ended leaves undone."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from app import starter
from app.graph_state import missing_starter_parts, read_graph_state
from app.starter import PARTS, Starter
from biomolkg.errors import Overloaded
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.loading import load_starter_pathways
from tests.reactome_part import write_part

pytestmark = pytest.mark.timeout(600)
LATER = [part.dataset for part in PARTS if not part.awaited]


@pytest.fixture(scope="module")
def settings(neo4j_server: Settings) -> Settings:
    return neo4j_server.model_copy(update={"starter_pathways": True})


@pytest.fixture(scope="module", autouse=True)
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Some pathways in place of all."""
    folder = tmp_path_factory.mktemp("part")
    write_part(folder)
    with pytest.MonkeyPatch.context() as patch:
        load = partial(load_starter_pathways, folder=folder)
        patch.setattr(
            starter, "PARTS", tuple(part if part.awaited else replace(part, load=load) for part in PARTS)
        )
        patch.setattr(starter, "RETRY_SECONDS", 0.1)
        yield


def test_a_load_that_is_ended_is_finished_before_questions_are_answered(
    client: Client, settings: Settings
) -> None:
    ending = threading.Event()
    lines: list[str] = []
    first = Starter(settings, lines.append, ending)
    first.load_awaited(client)
    assert first.pending
    assert missing_starter_parts(client) == tuple(LATER)
    before = read_graph_state(client)
    assert before.version is not None
    assert not before.loading

    # The service is told to end at the first batch.
    begun = threading.Event()
    report = first._report

    def ended(table: str, done: int, total: int) -> None:
        ending.set()
        begun.set()
        report(table, done, total)

    first._report = ended  # type: ignore[method-assign]
    first.load_later(lambda: client, lambda: pytest.fail("it says that it is done"))
    assert begun.wait(120)
    first.stop()
    assert read_graph_state(client).loading
    assert set(missing_starter_parts(client)) == set(LATER)

    second = Starter(settings, lines.append, threading.Event())
    second.load_awaited(client)
    assert not second.pending
    assert missing_starter_parts(client) == ()
    after = read_graph_state(client)
    assert not after.loading
    assert after.version not in {None, before.version}


def test_what_cannot_be_loaded_now_is_tried_again_and_what_cannot_at_all_is_told(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[Exception] = [Overloaded("Another load is running."), Overloaded("Another load is running.")]
    done = threading.Event()
    lines: list[str] = []
    loading = Starter(settings, lines.append, threading.Event())
    loading._later = tuple(part for part in starter.PARTS if not part.awaited)
    monkeypatch.setattr(loading, "_missing", lambda _client: list(loading._later))

    def load(*_args: object, **_options: object) -> None:
        if faults:
            raise faults.pop()
        raise ValueError("the tables are damaged")

    loading._later = tuple(replace(part, load=load) for part in loading._later)
    loading.load_later(lambda: client, done.set)
    assert done.wait(60)
    assert not faults, "it was tried again"
    assert not loading.pending
    assert any("Not loaded" in line and "damaged" in line for line in lines)
