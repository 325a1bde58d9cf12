"""Downloads of jars from a Maven repository, through jgo."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import requests
from jgo.maven import MavenContext

from biomolkg.errors import ServerError
from cypher.lock import Jar
from cypher.progress import Reporter

_THREADS = 16
_TRIES = 3
_REQUEST_TIMEOUT = 30  # seconds without a byte
_PAUSE = 1.0  # seconds between two tries
_OFFLINE_REMEDY = (
    "Neo4j is downloaded once: connect to the Internet for it, set HTTPS_PROXY or "
    "BIOMOLKG_MAVEN_REPOSITORY to what your network has, or use a Neo4j of your own with "
    "BIOMOLKG_NEO4J_URI (its address) or BIOMOLKG_NEO4J_HOME (an unpacked Neo4j 5.26)."
)
_CHANGED_REMEDY = (
    "What arrives is not what was published: a proxy or a scanner changes it, or the mirror in "
    "BIOMOLKG_MAVEN_REPOSITORY is not one. Try again on another network or without the mirror."
)


def download(jars: Sequence[Jar], partial: Path, repository: str | None, reporter: Reporter) -> None:
    """Fetch `jars` into `partial/lib`, each compared with the lock; the first failure ends the others.

    `repository` is the address of a Maven repository, None for the public one.
    Raises ServerError that names the jar and what was wrong, OSError when it cannot be written.
    """
    if not jars:
        return
    context = MavenContext(
        repo_cache=partial / "repository",
        remote_repos={"mirror": repository.rstrip("/")} if repository else None,
        timeout=_REQUEST_TIMEOUT,
    )
    given_up = threading.Event()
    # The largest first, so that no thread begins one when the others are done.
    jars = sorted(jars, key=lambda jar: jar.size, reverse=True)
    with (
        reporter.download("Fetching Neo4j", sum(jar.size for jar in jars)) as advance,
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
    fault = ""
    remedy = _OFFLINE_REMEDY
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
            cause, remedy = None, _CHANGED_REMEDY
            fault = jar.fault(path) or ""
            if not fault:
                path.replace(staged / jar.filename)
                return
        # jgo takes any file that is there for the artifact, and refuses to write over it.
        artifact.cached_path.unlink(missing_ok=True)
        given_up.wait(_PAUSE)
    raise ServerError(f"Neo4j cannot be fetched: {jar.coordinate}: {fault}.", remedy=remedy) from cause
