"""How fast loads are, beside a row-by-row load: python -m graph_loader.speed [DIR] [--json FILE].

It starts a Neo4j of its own on a scratch folder and warms it up. Without DIR,
the folder of BioMol-MQA, the bundled starter graph is loaded. The naive load
sends one interaction in each transaction, as a plain loop over the file does,
into a database that holds the drugs alone.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from biomolkg.settings import Settings, load_settings
from cypher.client import Client, connect
from cypher.progress import Terminal
from cypher.server import ManagedServer
from graph_loader.bundled import read_starter
from graph_loader.ledger import Ledger
from graph_loader.loading import load_biomolmqa, load_starter
from graph_loader.records import Fact

NAIVE_ROWS = 1_000
_DELETED_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class LoadSpeed:
    """Rows a second. `second_run` is over every row of the source and the whole run, reading included."""

    ddi_rows: int
    ddi_written: float
    naive_rows: int
    naive_written: float
    second_run_rows: int
    second_run: float
    second_run_writes: int
    first_run_seconds: float

    @property
    def factor(self) -> float:
        """How many times as fast as row by row."""
        return self.ddi_written / self.naive_written


def measure(client: Client, load: Callable[[], Ledger]) -> LoadSpeed:
    """Measure on an empty and warm database; it is left with the graph loaded."""
    # Compiles the server's code and computes the embeddings, so that the next load is of a warm server.
    load()
    load()
    _empty(client)
    naive_rows, naive_seconds = _naive(client)
    _empty(client)
    first = load()
    second = load()
    ddi = next(row for row in first.tables if row.table == "ddi")
    rows = sum(row.read for row in second.tables)
    return LoadSpeed(
        ddi_rows=ddi.written,
        ddi_written=ddi.written / ddi.seconds,
        naive_rows=naive_rows,
        naive_written=naive_rows / naive_seconds,
        second_run_rows=rows,
        second_run=rows / second.seconds,
        second_run_writes=sum(second.writes.values()),
        first_run_seconds=first.seconds,
    )


def _naive(client: Client) -> tuple[int, float]:
    starter = read_starter()
    for drug in starter.drugs:
        client.write("load/naive_drug", id=_drug(drug.cid))
    facts: Sequence[Fact] = [fact for fact in starter.facts if fact.kind == "DDI"][:NAIVE_ROWS]
    began = time.perf_counter()
    for fact in facts:
        client.write(
            "load/naive_ddi",
            head=_drug(fact.head),
            tail=_drug(fact.tail),
            relation=fact.relation,
            source=fact.source,
        )
    return len(facts), time.perf_counter() - began


def _drug(cid: int | str) -> str:
    return f"pubchem.compound:{cid}"


def _empty(client: Client) -> None:
    while client.write("admin/delete_nodes", limit=_DELETED_AT_ONCE).nodes_deleted:
        pass


def run(folder: Path | None, settings: Settings) -> LoadSpeed:
    """Measure on a server of its own, whatever the settings say of a database."""
    with tempfile.TemporaryDirectory(prefix="biomolkg-speed-") as scratch:
        cache = settings.server_cache or settings.home / "server"
        own = settings.model_copy(update={"home": Path(scratch), "server_cache": cache, "neo4j_uri": None})
        with ManagedServer(own, Terminal()) as server:
            server.start()
            with connect(own) as client:
                if folder is None:
                    return measure(client, lambda: load_starter(client, own))
                return measure(client, lambda: load_biomolmqa(client, folder, own))


def main(arguments: Sequence[str]) -> int:
    """The script."""
    parser = argparse.ArgumentParser(prog="python -m graph_loader.speed", description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR")
    parser.add_argument("--json", type=Path, metavar="FILE")
    given = parser.parse_args(arguments)
    speed = run(given.folder, load_settings())
    sys.stdout.write(
        f"DDIs written             {speed.ddi_written:>10,.0f} rows/s  ({speed.ddi_rows:,} rows)\n"
        f"row by row               {speed.naive_written:>10,.0f} rows/s  ({speed.naive_rows:,} rows)\n"
        f"faster by                {speed.factor:>10,.0f} ×\n"
        f"second run, all rows     {speed.second_run:>10,.0f} rows/s  ({speed.second_run_rows:,} rows, "
        f"{speed.second_run_writes} writes)\n"
        f"first run, everything    {speed.first_run_seconds:>10,.1f} s\n"
    )
    if given.json is not None:
        given.json.write_text(
            json.dumps(asdict(speed) | {"factor": speed.factor}, indent=2), encoding="utf-8"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
