"""The managed server's jars: fetched once from Maven's repository, each compared with the lock.

A server is fetched into a folder that gets its name only when every jar is
there and right, so half a download is never taken for a server. What a broken
fetch left behind is used by the next one.
"""

from __future__ import annotations

import errno
import shutil
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import requests
from filelock import FileLock
from jgo.maven import MavenContext

from biomolkg.errors import ServerError
from biomolkg.settings import Settings
from cypher.lock import Jar, read_lock, server_version
from cypher.progress import Quiet, Reporter

_THREADS = 16
_TRIES = 3
_REQUEST_TIMEOUT = 30  # seconds without a byte
_OFFLINE_REMEDY = (
    "Connect to the Internet (or set HTTPS_PROXY) for this one download, or use a Neo4j of your own: "
    "set BIOMOLKG_NEO4J_URI to its address or BIOMOLKG_NEO4J_HOME to an unpacked Neo4j 5.26."
)


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
        with FileLock(folder.with_name(f"{folder.name}.lock")):
            faults = find_faults(settings, jars)
            if faults:
                _complete(folder, jars, reporter)
    except OSError as error:
        raise _storage_error(error, folder.parent, jars) from error
    return folder / "lib"


def _complete(folder: Path, jars: Sequence[Jar], reporter: Reporter) -> None:
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
    _download(missing, partial, reporter)
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


def _download(jars: Sequence[Jar], partial: Path, reporter: Reporter) -> None:
    """Fetch `jars` into `partial/lib`; the first failure ends the others."""
    if not jars:
        return
    context = MavenContext(repo_cache=partial / "repository", timeout=_REQUEST_TIMEOUT)
    given_up = threading.Event()
    text = f"Fetching Neo4j {server_version(read_lock())}"
    with (
        reporter.download(text, sum(jar.size for jar in jars)) as advance,
        ThreadPoolExecutor(max_workers=_THREADS, thread_name_prefix="fetch") as pool,
    ):
        futures = {pool.submit(_fetch_jar, context, jar, partial / "lib", given_up): jar for jar in jars}
        try:
            for future in as_completed(futures):
                future.result()
                advance(futures[future].size)
        finally:
            given_up.set()


def _fetch_jar(context: MavenContext, jar: Jar, staged: Path, given_up: threading.Event) -> None:
    fault: str = ""
    cause: Exception | None = None
    for _ in range(_TRIES):
        if given_up.is_set():
            return
        artifact = (
            context.project(jar.group, jar.artifact)
            .at_version(jar.version)
            .artifact(jar.classifier, packaging="jar")
        )
        try:
            path = Path(artifact.resolve())
        except requests.ConnectionError as error:
            fault, cause = "the connection failed", error
        except requests.RequestException as error:
            fault, cause = f"the download broke off ({type(error).__name__})", error
        except RuntimeError as error:  # jgo's word for any answer other than 200
            fault, cause = "the repository did not give it", error
        else:
            fault = jar.fault(path) or ""
            if not fault:
                path.replace(staged / jar.filename)
                return
        # jgo takes any file that is there for the artifact, and refuses to write over it.
        artifact.cached_path.unlink(missing_ok=True)
    raise ServerError(
        f"Neo4j cannot be fetched: {jar.coordinate}: {fault}.", remedy=_OFFLINE_REMEDY
    ) from cause


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
