"""Free ports on loopback."""

from __future__ import annotations

import socket

from biomolkg.errors import ConfigurationError
from biomolkg.settings import Settings

_BOLT = 7687
_HTTP = 7474


def choose_ports(settings: Settings) -> tuple[int, int]:
    """The Bolt and the Browser port: those of the settings, else Neo4j's usual ones if free, else any.

    Raises ConfigurationError when a port of the settings is taken.
    """
    bolt = _choose(settings.neo4j_bolt_port, _BOLT, "BIOMOLKG_NEO4J_BOLT_PORT")
    return bolt, _choose(settings.neo4j_http_port, _HTTP, "BIOMOLKG_NEO4J_HTTP_PORT", but=bolt)


def is_free(port: int) -> bool:
    """Whether a server can listen on `port` of 127.0.0.1."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # As Neo4j does: a port whose last connections are only fading is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
            probe.listen(1)
        except OSError:
            return False
    return True


def _choose(wanted: int, usual: int, variable: str, *, but: int = 0) -> int:
    if wanted:
        if wanted == but or not is_free(wanted):
            raise ConfigurationError(
                f"Port {wanted} is taken by another program, so Neo4j cannot use it.",
                remedy=f"End that program, or set {variable} to another port (0: any free one).",
            )
        return wanted
    if usual != but and is_free(usual):
        return usual
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
            probe.bind(("127.0.0.1", 0))
            port = int(probe.getsockname()[1])
        if port != but:
            return port
