"""Starting and ending the server's process."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path

import psutil

from biomolkg.errors import ServerError
from cypher import supervisor
from cypher.home import ServerHome, write_private
from cypher.java import Java

_ADMIN_TIMEOUT = 120  # seconds
_REAP_TIMEOUT = 10  # seconds


def set_password(java: Java, lib: Path, home: ServerHome) -> None:
    """Give a server that has never run the password of `home`, which is made when there is none."""
    # In a file, since every user of the machine can read the arguments of a process.
    arguments = home.root / "run" / "set-password"
    words = (
        "-cp",
        str(lib / "*"),
        "org.neo4j.cli.AdminTool",
        "dbms",
        "set-initial-password",
        home.make_password(),
    )
    write_private(arguments, "\n".join(_quoted(word) for word in words) + "\n")
    environment = {**os.environ, "NEO4J_HOME": str(home.root), "NEO4J_CONF": str(home.conf)}
    try:
        done = subprocess.run(
            [str(java.executable), f"@{arguments}"],
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=_ADMIN_TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ServerError(
            f"Setting the password of Neo4j took longer than {_ADMIN_TIMEOUT} s.", remedy="Try again."
        ) from error
    finally:
        arguments.unlink(missing_ok=True)
    if done.returncode != 0:
        tail = "\n".join(f"  {line}" for line in (done.stdout + done.stderr).splitlines()[-10:])
        raise ServerError(f"The password of Neo4j could not be set. What its tool said:\n{tail}")


def detached(command: list[str], home: ServerHome) -> tuple[subprocess.Popen[bytes], int]:
    """Start `command` so that it outlives this process: the process, and the server's process id."""
    with home.console_log.open("wb") as log:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            cwd=home.root,
            start_new_session=True,
        )
    return process, process.pid


def supervised(command: list[str], home: ServerHome, patience: float) -> tuple[subprocess.Popen[bytes], int]:
    """Start `command` so that it ends with this process: its supervisor, and the server's process id."""
    with home.console_log.open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-I", supervisor.__file__, str(patience), *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            cwd=home.root,
            # Ctrl-C reaches a whole session; the server is to end after its users, not with them.
            start_new_session=True,
        )
    assert process.stdout is not None
    with process.stdout as answer:
        line = answer.readline()
    if not line:
        reap(process)
        raise ServerError(f"Java could not be started. What it said:\n{home.log_tail()}")
    return process, int(line)


def end(server: psutil.Process, patience: float) -> bool:
    """Stop a process; True when it had to be killed after `patience` seconds."""
    with contextlib.suppress(psutil.NoSuchProcess):
        server.terminate()
    try:
        server.wait(timeout=patience)
    except psutil.TimeoutExpired:
        with contextlib.suppress(psutil.NoSuchProcess):
            server.kill()
            server.wait(timeout=_REAP_TIMEOUT)
        return True
    return False


def reap(process: subprocess.Popen[bytes]) -> None:
    """Take note of the end of a child that was told to end."""
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
    try:
        process.wait(timeout=_REAP_TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _quoted(word: str) -> str:
    """A word of a Java argument file, in which a backslash escapes."""
    escaped = word.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
