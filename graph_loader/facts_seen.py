"""Which facts of a source came before, by digest, in memory that does not grow with their number."""

from __future__ import annotations

import sqlite3

DIGEST_BYTES = 16
# Probes of the filter are 27 bits of a digest each: 16 MiB, wrong of 1 % of new facts after ten million.
_PROBE = (1 << 27) - 1
_FILTER_BYTES = (_PROBE + 1) // 8


class FactsSeen:
    """Digests of facts: the last `held` in memory, those before in a table of `base`.

    A Bloom filter over the table answers for nearly all new facts, so that a
    source without repetitions is not looked up row by row; the table is filled
    in the order of its keys.
    """

    def __init__(self, base: sqlite3.Connection, held: int) -> None:
        self._base = base
        self._held = held
        self._recent: set[bytes] = set()
        self._filter: bytearray | None = None
        self._base.execute("CREATE TABLE fact (digest BLOB PRIMARY KEY) WITHOUT ROWID")

    def add(self, digest: bytes) -> bool:
        """Whether a digest of DIGEST_BYTES bytes is new."""
        if digest in self:
            return False
        self._recent.add(digest)
        if len(self._recent) >= self._held:
            self._spill()
        return True

    def __contains__(self, digest: bytes) -> bool:
        if digest in self._recent:
            return True
        bits = self._filter
        if bits is None:
            return False
        number = int.from_bytes(digest, "little")
        for shift in (0, 27, 54):
            probe = number >> shift & _PROBE
            if not bits[probe >> 3] >> (probe & 7) & 1:
                return False
        found = self._base.execute("SELECT 1 FROM fact WHERE digest = ?", (digest,)).fetchone()
        return found is not None

    def _spill(self) -> None:
        if self._filter is None:
            self._filter = bytearray(_FILTER_BYTES)
        bits = self._filter
        for digest in self._recent:
            number = int.from_bytes(digest, "little")
            for shift in (0, 27, 54):
                probe = number >> shift & _PROBE
                bits[probe >> 3] |= 1 << (probe & 7)
        self._base.executemany("INSERT INTO fact VALUES (?)", ((one,) for one in sorted(self._recent)))
        self._recent.clear()
