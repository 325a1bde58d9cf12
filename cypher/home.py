"""The folder of the managed server: where its parts are, its configuration and its password."""

from __future__ import annotations

import os
import re
import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path

from biomolkg.errors import ServerError
from biomolkg.settings import Settings

_CONF = """\
# Written at each start; set BIOMOLKG_NEO4J_* variables instead of editing it.
server.default_listen_address=127.0.0.1
server.bolt.listen_address=127.0.0.1:{bolt}
server.bolt.advertised_address=127.0.0.1:{bolt}
server.http.listen_address=127.0.0.1:{http}
server.http.advertised_address=127.0.0.1:{http}
server.https.enabled=false
server.memory.pagecache.size={pagecache}m
db.transaction.timeout={timeout}ms
db.tx_log.preallocate=false
internal.dbms.bolt.netty_server_shutdown_quiet_period=0
dbms.usage_report.enabled=false
client.allow_telemetry=false
dbms.security.allow_csv_import_from_file_urls=false
"""
_FOLDERS = ("conf", "data", "logs", "run", "import", "plugins")
_ERROR = re.compile(r"\S+ \S+ +ERROR +(?P<message>.+)")
_CAUSE = re.compile(r"Caused by: \S+: (?P<message>.+)")
_FRAME = re.compile(r"\s+(at |\.\.\. \d+ more)")
_MINIMUM_FREE_MB = 200  # for the transaction logs of some loads; a full disk stops every write


@dataclass(frozen=True, slots=True)
class ServerHome:
    """Paths under one `settings.home`."""

    root: Path

    @property
    def conf(self) -> Path:
        """Neo4j's configuration folder."""
        return self.root / "conf"

    @property
    def password_file(self) -> Path:
        """The file that only its owner can read, with the password in one line."""
        return self.root / "password"

    @property
    def state_file(self) -> Path:
        """What the running server is: see `cypher.state`."""
        return self.root / "server.json"

    @property
    def lock_file(self) -> Path:
        """Held while a server is started or stopped."""
        return self.root / "server.lock"

    @property
    def console_log(self) -> Path:
        """What the server printed since its last start."""
        return self.root / "logs" / "console.log"

    @property
    def initialised(self) -> bool:
        """Whether a server has run here, so that its password is set for good."""
        return (self.root / "data" / "databases" / "system").exists()

    def prepare(self) -> None:
        """Make the folders. Raises ServerError when that cannot be done or the disk is nearly full."""
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            for name in _FOLDERS:
                (self.root / name).mkdir(exist_ok=True)
                if not os.access(self.root / name, os.W_OK | os.X_OK):
                    raise PermissionError(13, "it is not writable", str(self.root / name))
            free = shutil.disk_usage(self.root).free // 2**20
        except OSError as error:
            raise self.unusable(error) from error
        if free < _MINIMUM_FREE_MB:
            raise ServerError(
                f"The disk of {self.root} is nearly full ({free} MB free): Neo4j was not started.",
                remedy=f"Free at least {_MINIMUM_FREE_MB} MB, or set BIOMOLKG_HOME to another folder.",
            )

    def unusable(self, error: OSError) -> ServerError:
        """The error for a folder that cannot be written."""
        return ServerError(
            f"The managed Neo4j's folder cannot be used: {error.filename or self.root}: {error.strerror}.",
            remedy="Make it writable, or set BIOMOLKG_HOME to another folder.",
        )

    def write_conf(self, settings: Settings, *, bolt: int, http: int) -> None:
        """Write `neo4j.conf` for these ports."""
        text = _CONF.format(
            bolt=bolt,
            http=http,
            pagecache=settings.neo4j_pagecache_mb,
            timeout=round(settings.neo4j_transaction_timeout * 1000),
        )
        (self.conf / "neo4j.conf").write_text(text, encoding="utf-8")

    def read_password(self) -> str:
        """The password. Raises ServerError when its file is missing or cannot be read."""
        try:
            return self.password_file.read_text(encoding="utf-8").strip()
        except OSError as error:
            raise ServerError(
                f"The password of the managed Neo4j cannot be read: {self.password_file}: {error.strerror}.",
                remedy="Put the password back into that file, or move the folder "
                f"{self.root} away to begin with an empty database.",
            ) from error

    def make_password(self) -> str:
        """The password in the file, made when there is none yet."""
        if not self.password_file.exists():
            # Letters and digits only: Neo4j's tool takes what begins with a hyphen for an option.
            write_private(self.password_file, secrets.token_hex(18) + "\n")
        return self.read_password()

    def log_tail(self, lines: int = 15) -> str:
        """The last lines the server printed, indented, stack frames left out; empty when it printed none."""
        told = [line for line in self.read_log().splitlines() if not _FRAME.match(line)]
        return "\n".join(f"  {line}" for line in told[-lines:])

    def log_errors(self) -> list[str]:
        """The messages of the server's ERROR lines since its last start and of the last cause, each once."""
        found: list[str] = []
        cause = ""
        for line in self.read_log().splitlines():
            if match := _ERROR.match(line):
                # Neo4j repeats a message without its end.
                if not any(earlier.startswith(match["message"].rstrip(".")) for earlier in found):
                    found.append(match["message"])
            elif match := _CAUSE.match(line):
                cause = match["message"]
        if cause and not any(cause in message for message in found):
            found.append(cause)
        return found

    def read_log(self) -> str:
        """What the server printed since its last start."""
        try:
            return self.console_log.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def server_home(settings: Settings) -> ServerHome:
    """The managed server's folder under `settings.home`."""
    return ServerHome(settings.home / "neo4j")


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, whole or not at all."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
    temporary.replace(path)
