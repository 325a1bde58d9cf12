"""Runs one command for as long as its parent lives; started by path, with the standard library alone.

    python supervisor.py SECONDS COMMAND...

Standard input is a pipe whose other end only the parent holds. When the parent
ends, whatever way, the pipe closes and the command is told to stop, and is
killed after SECONDS. The command's process id is the first line printed.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading

_POLL = 1.0  # seconds between two looks at the parent


def main() -> int:
    """Run the command; the exit code is its own."""
    seconds, *command = sys.argv[1:]
    parent = os.getppid()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=sys.stderr)
    orphaned = threading.Event()

    def wait_for_end() -> None:
        with contextlib.suppress(OSError):
            while sys.stdin.buffer.read(1):
                pass
        orphaned.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: orphaned.set())
    threading.Thread(target=wait_for_end, daemon=True).start()
    with contextlib.suppress(OSError):
        sys.stdout.write(f"{child.pid}\n")
        sys.stdout.flush()
    while not orphaned.is_set():
        try:
            return child.wait(timeout=_POLL)
        except subprocess.TimeoutExpired:
            # A process forked by the parent may hold the pipe open after it.
            if os.getppid() != parent:
                break
    child.terminate()
    try:
        return child.wait(timeout=float(seconds))
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()


if __name__ == "__main__":
    # Not sys.exit: the thread may be inside a read that the interpreter's end would wait for.
    os._exit(main() & 0xFF)
