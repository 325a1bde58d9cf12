"""A source that is read by a process of its own, so that its records are made while this one keeps them."""

from __future__ import annotations

import copyreg
import pickle
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import MappingProxyType
from typing import IO, Any

from biomolkg.errors import SourceError
from graph_loader.graph_records import Record
from graph_loader.reading import Reading
from graph_loader.staging import batches

Read = Callable[[Reading], Iterator[Record]]
_Message = list[Record] | Reading | Exception

_BATCH = 2_000  # records sent at once


def _reduce(proxy: MappingProxyType[Any, Any]) -> tuple[type, tuple[dict[Any, Any]]]:
    return MappingProxyType, (dict(proxy),)


# What has no properties has a read-only mapping, of which pickle knows nothing.
copyreg.pickle(MappingProxyType, _reduce)


def read_beside(read: Read, reading: Reading) -> Iterator[Record]:
    """The records of `read`, made by a process that ends with them, or when nobody asks for more.

    `read` must be found by name in this package: one of its functions, or a
    `functools.partial` of one. `reading` has the account once all records were taken.

    Raises what `read` raises, and SourceError when the process is killed.
    """
    # Not by multiprocessing, which would run the caller's own script again.
    command = [sys.executable, "-P", "-m", "graph_loader.reader_process"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            # One that was ended before it could listen has sent nothing either, which `_received` tells.
            with suppress(BrokenPipeError), process.stdin as task:
                pickle.dump(read, task)
            while isinstance(message := _received(process.stdout), list):
                yield from message
        finally:
            process.kill()
        if isinstance(message, Exception):
            raise message
        reading.include(message)


def _received(pipe: IO[bytes]) -> _Message:
    try:
        message: _Message = pickle.load(pipe)  # noqa: S301 - of a process of our own
    except (EOFError, pickle.UnpicklingError) as error:
        raise SourceError(
            "The process that read the source was ended before it had read all of it.",
            remedy="Nothing was loaded. See that the machine does not run out of memory, and try again.",
        ) from error
    return message


def main() -> None:
    """Read what standard input says, and write the records to standard output."""
    # Ctrl-C reaches this process too; the one that it works for ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    read: Read = pickle.load(sys.stdin.buffer)  # noqa: S301 - of the process that started this one
    pipe, sys.stdout = sys.stdout.buffer, sys.stderr
    with suppress(BrokenPipeError):
        for message in _messages(read):
            pickle.dump(message, pipe)
            pipe.flush()


def _messages(read: Read) -> Iterator[_Message]:
    """The records in batches, and at the end the account, or what went wrong."""
    reading = Reading()
    try:
        yield from batches(read(reading), _BATCH)
    except Exception as error:  # noqa: BLE001 - whatever it is, the other process raises it
        error.add_note(traceback.format_exc())
        yield error
    else:
        yield reading


if __name__ == "__main__":
    main()
