"""The managed server's jars: fetched once from Maven's repository, each compared with the lock.

A server is fetched into a folder that gets its name only when every jar is
there and right, so half a download is never taken for a server. What a broken
fetch left behind is used by the next one.
"""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from biomolkg.errors import ServerError
from biomolkg.settings import Settings
from cypher.lock import Jar, read_lock, server_version
from cypher.progress import Quiet, Reporter


def server_cache(settings: Settings) -> Path:
    """The folder that fetched servers are kept in."""
    return settings.server_cache or settings.home / "server"


def server_folder(settings: Settings, jars: Sequence[Jar]) -> Path:
    """The folder of the server that `jars` make up; its jars are in `lib` below it."""
    return server_cache(settings) / f"neo4j-community-{server_version(jars)}"


def find_faults(settings: Settings, jars: Sequence[Jar] | None = None) -> list[str]:
    """What is wrong with the fetched server, jar by jar; empty when it can be started."""
    jars = jars or read_lock()
    lib = server_folder(settings, jars) / "lib"
    return [fault for jar in jars if (fault := jar.fault(lib / jar.filename))]


def fetch_server(
    settings: Settings, reporter: Reporter | None = None, jars: Sequence[Jar] | None = None
) -> Path:
    """The `lib` folder of a complete server; jars that are missing or damaged are fetched.

    Several programs may call this at once: one fetches, the others wait.
    Raises ServerError when there is no network, no room, no right to write, or
    when what arrives is not what the lock says.
    """
    jars = jars or read_lock()
    reporter = reporter or Quiet()
    folder = server_folder(settings, jars)
    if not find_faults(settings, jars):
        return folder / "lib"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _alone(folder.with_name(f"{folder.name}.lock"), reporter):
            if find_faults(settings, jars):
                _complete(folder, jars, settings.maven_repository, reporter)
    except OSError as error:
        raise _storage_error(error, folder.parent, jars) from error
    return folder / "lib"


@contextmanager
def _alone(path: Path, reporter: Reporter) -> Iterator[None]:
    """Hold the lock file at `path`."""
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        reporter.say("Another program is fetching Neo4j; waiting for it.")
        lock.acquire()
    try:
        yield
    finally:
        lock.release()


def _complete(folder: Path, jars: Sequence[Jar], repository: str | None, reporter: Reporter) -> None:
    from cypher.download import download  # noqa: PLC0415  (needed once in the life of an installation)

    partial = folder.with_name(f"{folder.name}.partial")
    staged = partial / "lib"
    staged.mkdir(parents=True, exist_ok=True)
    # A file here may have been cut off while it was written.
    shutil.rmtree(partial / "repository", ignore_errors=True)
    whole = folder.exists()
    needed = [jar for jar in jars if not whole or jar.fault(folder / "lib" / jar.filename)]
    missing = [jar for jar in needed if jar.fault(staged / jar.filename)]
    if whole:
        reporter.say(f"{len(needed)} damaged or missing files of Neo4j are fetched again.")
    download(missing, partial, repository, reporter)
    if whole:
        (folder / "lib").mkdir(exist_ok=True)
        for jar in needed:
            # A server that runs keeps the file it has open.
            (staged / jar.filename).replace(folder / "lib" / jar.filename)
        shutil.rmtree(partial)
    else:
        shutil.rmtree(partial / "repository", ignore_errors=True)
        wanted = {jar.filename for jar in jars}
        for path in staged.iterdir():
            if path.name not in wanted:
                path.unlink()
        partial.replace(folder)


def _storage_error(error: OSError, folder: Path, jars: Sequence[Jar]) -> ServerError:
    megabytes = round(sum(jar.size for jar in jars) / 1e6)
    elsewhere = "or set BIOMOLKG_SERVER_CACHE to another folder"
    if error.errno in {errno.ENOSPC, errno.EDQUOT}:
        return ServerError(
            f"The disk is full: Neo4j ({megabytes} MB) cannot be kept in {folder}.",
            remedy=f"Make room {elsewhere}, then try again: what was fetched is kept.",
        )
    if error.errno in {errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR}:
        return ServerError(
            f"Neo4j cannot be kept in {folder}: {error.strerror}.",
            remedy=f"Make the folder writable {elsewhere}.",
        )
    return ServerError(f"Neo4j cannot be kept in {folder}: {error}.", remedy=f"Repair this {elsewhere}.")
