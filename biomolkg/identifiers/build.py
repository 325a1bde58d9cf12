"""Make the bundled tables of prefixes and addresses from Bioregistry.

Run after `pip install bioregistry`, which is needed for this alone: it takes 0.6 s and
90 MB to import, its tables here take a few milliseconds.

    python -m biomolkg.identifiers.build
"""

from __future__ import annotations

import gzip
import importlib
from collections.abc import Iterable
from pathlib import Path

FOLDER = Path(__file__).parent


def build(folder: Path = FOLDER) -> tuple[int, int]:
    """Write `prefixes.tsv.gz` and `addresses.tsv.gz`; returns how many rows each has."""
    registry = importlib.import_module("bioregistry").manager.registry
    prefixes = [
        (prefix, "|".join(sorted(resource.get_synonyms())), resource.get_pattern() or "")
        for prefix, resource in sorted(registry.items())
    ]
    owners: dict[str, set[str]] = {}
    for prefix, resource in registry.items():
        for address in resource.get_uri_prefixes():
            owners.setdefault(address.partition("://")[2], set()).add(prefix)
    addresses = [(address, "|".join(sorted(owner))) for address, owner in sorted(owners.items())]
    _write(folder / "prefixes.tsv.gz", ("prefix", "spellings", "pattern"), prefixes)
    _write(folder / "addresses.tsv.gz", ("address", "prefixes"), addresses)
    return len(prefixes), len(addresses)


def _write(path: Path, header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> None:
    lines = "".join("\t".join(row) + "\n" for row in (header, *rows))
    # Without a time, so that the same registry gives the same bytes.
    path.write_bytes(gzip.compress(lines.encode(), compresslevel=9, mtime=0))


if __name__ == "__main__":
    build()
