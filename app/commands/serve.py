"""`biomolkg serve`: the service, and a Neo4j for it if none is given."""

from __future__ import annotations

import contextlib
import errno
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import structlog
import typer
import uvicorn

from app.commands import settings_of
from biomolkg.errors import ConfigurationError
from biomolkg.settings import Settings

if TYPE_CHECKING:
    from app.state import View

INTERRUPTED = 130
SIGNALS = (signal.SIGINT, signal.SIGTERM)
# Threads that are about to end get so long when everything else has ended.
LAST_SECONDS = 1.0

app = typer.Typer(help="Start Neo4j, if none is given, and the service.", pretty_exceptions_enable=False)


@app.command()
def serve(
    context: typer.Context,
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="Port to listen on; 0: any.")] = None,
    starter_graph: Annotated[
        bool | None, typer.Option(help="Load the bundled graph into an empty database.")
    ] = None,
    log_format: Annotated[
        Literal["auto", "json", "console"] | None, typer.Option(help="Form of the log lines.")
    ] = None,
) -> None:
    """Start Neo4j, if none is given, and the service; Ctrl-C ends both.

    Example: biomolkg serve --port 8080
    """
    began = time.perf_counter()
    settings = settings_of(context, host=host, port=port, starter_graph=starter_graph, log_format=log_format)
    listener = listen(settings.host, settings.port)
    _prepare_process(settings)
    from app.logging import configure_logging  # noqa: PLC0415  (after the threads of numerical libraries are set)
    from app.main import create_app  # noqa: PLC0415
    from app.upkeep import Host  # noqa: PLC0415

    configure_logging(settings)
    address = url_of(settings.host, listener.getsockname()[1])
    typer.echo(f"Listening on {address}; /readyz answers 200 when questions can be asked.")

    def announce(_view: View) -> None:
        took = f"after {time.perf_counter() - began:.1f} s"
        typer.echo(f"BioMolKG is ready {took}: {address}  (API page: {address}/docs). Ctrl-C ends it.")

    ended = threading.Event()
    application = create_app(settings, Host(say=typer.echo, ready=announce, give_up=ended.set))
    server = Server(
        ended,
        uvicorn.Config(
            application,
            log_config=None,
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=max(1, round(settings.shutdown_timeout)),
        ),
    )
    server.run(sockets=[listener])
    fatal = application.state.live.fatal
    if fatal is None:
        typer.echo("Stopped.")
        code = INTERRUPTED if server.signal == signal.SIGINT else 0
    else:
        code = fatal.exit_code
    left = running_threads(LAST_SECONDS)
    if left:
        structlog.get_logger().warning("threads are still at work and are given up", threads=left)
        if fatal is not None:
            typer.echo(f"biomolkg: {fatal}", err=True)
        leave(code)
    if fatal is not None and threading.active_count() > 1:
        # A thread that is still loading the encoder aborts a Python that is ending.
        typer.echo(f"biomolkg: {fatal}", err=True)
        leave(code)
    if fatal is not None:
        raise fatal
    if code:
        raise typer.Exit(code)


def running_threads(patience: float) -> list[str]:
    """The names of the threads that Python would wait for at its end and that go on after `patience`."""
    deadline = time.monotonic() + patience
    others = [
        thread
        for thread in threading.enumerate()
        if not thread.daemon and thread is not threading.current_thread()
    ]
    for thread in others:
        thread.join(max(0.0, deadline - time.monotonic()))
    return [thread.name for thread in others if thread.is_alive()]


def leave(code: int) -> NoReturn:
    """End the process now, whatever its threads are doing; logs and output are written to their end."""
    logging.shutdown()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


class Server(uvicorn.Server):
    """Uvicorn's server, which ends on a signal without raising that signal again afterwards."""

    def __init__(self, ended: threading.Event, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._ended = ended
        self.signal: int | None = None

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Hold SIGINT and SIGTERM while the service runs."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end; a second Ctrl-C does not wait for what is under way."""
        if self.signal is None:
            typer.echo("Stopping ...")
        self.signal = sig
        super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Whether to end: a signal came, or the service gave up."""
        return self._ended.is_set() or await super().on_tick(counter)


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to the address. Raises ConfigurationError when that cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(128)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise ConfigurationError(
                f"Port {port} on {host} is taken by another program.",
                remedy="End that program, or choose another port with --port (0: any free one).",
            ) from error
        raise ConfigurationError(
            f"The service cannot listen on {host}, port {port}: {error.strerror or error}.",
            remedy="Choose another address with --host and --port.",
        ) from error
    return listener


def url_of(host: str, port: int) -> str:
    """The address to open, for a host that may be IPv6 or mean all addresses."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104  (compared with, not bound to)
    return f"http://[{reachable}]:{port}" if ":" in reachable else f"http://{reachable}:{port}"


def _prepare_process(settings: Settings) -> None:
    """Set what libraries read from the environment when they are loaded: few threads, no network."""
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, str(settings.threads))
    os.environ.update({"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"})
