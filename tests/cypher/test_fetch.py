import errno
import gc
import os
import socket
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from biomolkg.errors import ServerError
from biomolkg.settings import Settings
from cypher.fetch import fetch_server, find_faults, server_folder
from cypher.lock import Jar, read_lock
from tests.cypher.repository import Repository, serve_jars

_WANTED = ("neo4j", "neo4j-unsafe", "netty-transport-native-epoll", "neo4j-monitoring", "neo4j-id-generator")
Cache = tuple[Settings, Repository, list[Jar]]


@pytest.fixture
def cache(neo4j_server: Settings, tmp_path: Path) -> Iterator[Cache]:
    """Settings with an empty cache, and a repository that has a few real jars."""
    locked = read_lock()
    jars = [jar for jar in locked if jar.artifact in _WANTED]
    assert any(jar.classifier for jar in jars)
    with serve_jars(jars, server_folder(neo4j_server, locked) / "lib") as repository:
        settings = neo4j_server.model_copy(
            update={"server_cache": tmp_path / "cache", "maven_repository": repository.address}
        )
        yield settings, repository, jars
    with warnings.catch_warnings():
        # jgo leaves the responses of refused downloads open.
        warnings.simplefilter("ignore", ResourceWarning)
        gc.collect()


def test_a_fetched_server_is_complete_and_not_fetched_again(cache: Cache) -> None:
    settings, repository, jars = cache
    assert len(find_faults(settings, jars)) == len(jars)
    lib = fetch_server(settings, jars=jars)
    assert {path.name for path in lib.iterdir()} == {jar.filename for jar in jars}
    assert not find_faults(settings, jars)
    fetch_server(settings, jars=jars)
    assert repository.asked == {jar.filename: 1 for jar in jars}
    assert sorted(path.name for path in lib.parent.parent.iterdir()) == [
        lib.parent.name,
        f"{lib.parent.name}.lock",
    ]


@pytest.mark.parametrize(
    ("fault", "told"), [("absent", "did not give it"), ("changed", "SHA-256"), ("cut", "broke off")]
)
def test_a_broken_fetch_leaves_no_server_and_is_resumed(
    cache: Cache, fault: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cypher.download._PAUSE", 0.0)
    monkeypatch.setattr("cypher.download._THREADS", 1)
    settings, repository, jars = cache
    smallest = min(jars, key=lambda jar: jar.size)  # the last to be fetched
    repository.faults[smallest.filename] = fault
    with pytest.raises(ServerError, match=told) as caught:
        fetch_server(settings, jars=jars)
    assert smallest.coordinate in caught.value.message
    assert caught.value.remedy
    assert repository.asked[smallest.filename] == 3, "each jar is tried three times"
    assert not server_folder(settings, jars).exists()

    repository.faults.clear()
    repository.asked.clear()
    fetch_server(settings, jars=jars)
    assert repository.asked == {smallest.filename: 1}, "what was fetched is kept"
    assert not find_faults(settings, jars)


def test_what_a_killed_fetch_left_half_written_is_fetched_again(cache: Cache) -> None:
    settings, _, jars = cache
    folder = server_folder(settings, jars)
    partial = folder.with_name(f"{folder.name}.partial")
    for jar in jars[:2]:
        for name in ("lib", f"repository/{jar.group.replace('.', '/')}/{jar.artifact}/{jar.version}"):
            (partial / name).mkdir(parents=True, exist_ok=True)
            (partial / name / jar.filename).write_bytes(b"half")
    (partial / "lib" / "of-an-older-lock.jar").write_bytes(b"")
    lib = fetch_server(settings, jars=jars)
    assert {path.name for path in lib.iterdir()} == {jar.filename for jar in jars}
    assert not find_faults(settings, jars)


@pytest.mark.parametrize("damage", ["changed", "cut", "gone"])
def test_a_damaged_jar_of_a_whole_server_is_repaired(cache: Cache, damage: str) -> None:
    settings, repository, jars = cache
    path = fetch_server(settings, jars=jars) / jars[0].filename
    content = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes(content[: len(content) // 2] if damage == "cut" else b"\0" * len(content))
    assert [jars[0].filename in fault for fault in find_faults(settings, jars)] == [True]
    repository.asked.clear()
    fetch_server(settings, jars=jars)
    assert path.read_bytes() == content
    assert repository.asked == {jars[0].filename: 1}


def test_without_a_network_the_message_tells_what_else_can_be_done(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cypher.download._PAUSE", 0.0)
    settings, _, jars = cache
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        nowhere = f"http://127.0.0.1:{unused.getsockname()[1]}"
        with pytest.raises(ServerError, match="connection failed") as caught:
            fetch_server(settings.model_copy(update={"maven_repository": nowhere}), jars=jars)
    for word in ("BIOMOLKG_NEO4J_URI", "BIOMOLKG_NEO4J_HOME", "HTTPS_PROXY"):
        assert word in str(caught.value)


def test_a_full_disk_is_told_and_what_was_fetched_is_kept(
    cache: Cache, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, _, jars = cache

    def full(path: Path, *args: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr("jgo.maven._resolver.open", full, raising=False)
    with pytest.raises(ServerError, match="disk is full") as caught:
        fetch_server(settings, jars=jars)
    assert "BIOMOLKG_SERVER_CACHE" in str(caught.value)
    monkeypatch.undo()
    fetch_server(settings, jars=jars)
    assert not find_faults(settings, jars)


def test_a_cache_that_cannot_be_written_is_named(cache: Cache, tmp_path: Path) -> None:
    settings, _, jars = cache
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ServerError, match="cannot be kept in") as caught:
        fetch_server(settings.model_copy(update={"server_cache": tmp_path / "file" / "cache"}), jars=jars)
    assert "BIOMOLKG_SERVER_CACHE" in str(caught.value)
    if os.geteuid() != 0:  # root may write everywhere
        (tmp_path / "locked").mkdir(mode=0o500)
        with pytest.raises(ServerError, match="cannot be kept in"):
            fetch_server(settings.model_copy(update={"server_cache": tmp_path / "locked"}), jars=jars)


def test_several_at_once_fetch_each_jar_once(cache: Cache) -> None:
    settings, repository, jars = cache
    threads = [
        threading.Thread(target=fetch_server, args=(settings,), kwargs={"jars": jars}) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert repository.asked == {jar.filename: 1 for jar in jars}
    assert not find_faults(settings, jars)
