"""A Maven repository on loopback that serves real jars and can be told to fail."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

from cypher.lock import Jar


class Repository:
    """`address` is its URL, `asked` how often each jar was asked for, `fault` what it does wrong.

    fault: None, "absent" (404), "changed" (one byte differs), "cut" (the connection ends half-way).
    """

    def __init__(self, jars: list[Jar], lib: Path) -> None:
        self.asked: Counter[str] = Counter()
        self.faults: dict[str, str] = {}
        self.address = ""
        self.files = {
            f"/{jar.group.replace('.', '/')}/{jar.artifact}/{jar.version}/{jar.filename}": lib / jar.filename
            for jar in jars
        }


class _Answer(BaseHTTPRequestHandler):
    repository: ClassVar[Repository]

    def do_GET(self) -> None:
        path = self.repository.files.get(self.path)
        if path is None:  # the .sha1 that jgo also asks for
            self.send_error(404)
            return
        self.repository.asked[path.name] += 1
        fault = self.repository.faults.get(path.name)
        content = path.read_bytes()
        if fault == "absent":
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if fault == "changed":
            content = content[:-1] + bytes([content[-1] ^ 1])
        self.wfile.write(content[: len(content) // 2] if fault == "cut" else content)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def serve_jars(jars: list[Jar], lib: Path) -> Iterator[Repository]:
    """A repository of `jars`, whose files are in `lib`."""
    repository = Repository(jars, lib)
    answer = type("Answer", (_Answer,), {"repository": repository})
    server = ThreadingHTTPServer(("127.0.0.1", 0), answer)
    repository.address = f"http://127.0.0.1:{server.server_port}/maven2"
    repository.files = {f"/maven2{path}": file for path, file in repository.files.items()}
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield repository
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
