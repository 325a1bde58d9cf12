"""A made graph of any size, loaded online and imported offline: python -m graph_loader.scale.

It works on scratch folders and with Neo4js of its own. The made graph is things
with names of made words and facts between them, the same for the same seed, as
CSV files with neo4j-admin's headers: what a user's own graph looks like.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Self

import psutil

from biomolkg.settings import Settings, load_settings
from cypher.client import connect
from cypher.progress import Terminal
from cypher.server import ManagedServer
from graph_loader.export import write_edges, write_nodes
from graph_loader.graph_export import export_graph
from graph_loader.graph_import import import_graph
from graph_loader.sources.csv_graph.headers import Column
from graph_loader.sources.csv_graph.mapping import read_mapping
from graph_loader.sources.csv_graph.rows import CsvEdge, CsvNode
from graph_loader.table_loading import load_tables
from graph_loader.table_sources import csv_source

RELATIONS = 40
_SYLLABLES = ("ba", "co", "di", "fa", "ge", "hi", "ju", "ka", "lo", "mu", "ne", "pi", "so", "tu", "ve", "zo")
_SEED = 7


@dataclass(frozen=True, slots=True)
class Scale:
    """Rows a second of each way in and out, and how much memory the online load takes.

    `offline` counts neo4j-admin alone, `offline_seconds` everything: checks, import, start, indexes.
    `memory_mb` is the most that a load of the graph has in memory in all its processes, Neo4j not
    counted, `memory_tenth_mb` the same of a graph of a tenth of the size: what one exceeds the other
    by is what depends on the length of the files.
    """

    nodes: int
    edges: int
    online: float
    online_again_seconds: float
    exported: float
    offline: float
    offline_seconds: float
    memory_tenth_mb: int
    memory_mb: int


def write_made_graph(folder: Path, *, nodes: int, edges: int, seed: int = _SEED) -> None:
    """Write the made graph; no node has a relationship to itself, none is there twice."""
    words = random.Random(seed)  # noqa: S311 - nothing here is secret

    def word() -> str:
        return "".join(words.choice(_SYLLABLES) for _ in range(words.randint(2, 4)))

    def things() -> Iterator[CsvNode]:
        for at in range(nodes):
            label = "Compound" if at % 3 else "Target"
            yield CsvNode(
                f"made:{at}",
                labels=(label,),
                properties={"name": f"{word()} {word()} {at}", "mass": words.random() * 500},
            )

    relations = [f"{word()}_{word()}".upper() for _ in range(RELATIONS)]

    def facts() -> Iterator[CsvEdge]:
        for at in range(edges):
            head = words.randrange(nodes)
            tail = (head + 1 + words.randrange(nodes - 1)) % nodes
            kind = relations[words.randrange(RELATIONS)]
            yield CsvEdge(
                f"made:{head}", f"made:{tail}", kind, properties={"score": words.random(), "row": at}
            )

    write_nodes(folder, "Thing", [Column("name"), Column("mass", kind="double")], things())
    write_edges(folder, "Fact", [Column("score", kind="double"), Column("row", kind="long")], facts())


def measure(settings: Settings, scratch: Path, *, nodes: int, edges: int) -> Scale:
    """Load a made graph online, again, export it, and import the export into another home.

    `settings.home` and `scratch` are used for nothing else.
    """
    terminal = Terminal()
    mapping = scratch / "mapping.toml"
    mapping.parent.mkdir(parents=True, exist_ok=True)
    mapping.write_text('[format]\narray_delimiter = "U+001F"\n', encoding="utf-8")
    for name, part in (("tenth", 10), ("made", 1)):
        write_made_graph(scratch / name, nodes=nodes // part, edges=edges // part)
    patient = settings.model_copy(update={"neo4j_transaction_timeout": 3_600.0})
    # The first use of an encoder compares it with torch, which would hide what a load needs.
    first_use = "import sys, pathlib; from biomolkg.encoder import SentenceEncoder; from biomolkg.settings "
    first_use += "import Settings; SentenceEncoder(Settings(home=pathlib.Path(sys.argv[1])))"
    small = patient.model_copy(update={"home": scratch / "small"})
    for used in (settings, small):
        subprocess.run([sys.executable, "-c", first_use, str(used.home)], check=True)
    with ManagedServer(small, terminal) as server:
        server.start()
        tenth = _loaded(small, scratch / "tenth", mapping)
    with ManagedServer(settings, terminal) as server:
        server.start()
        terminal.say(f"Loading {nodes:,} nodes and {edges:,} edges online ...")
        whole = _loaded(patient, scratch / "made", mapping)
        again = _loaded(patient, scratch / "made", mapping)
        terminal.say("Exporting ...")
        with connect(patient) as client:
            exported = _timed(lambda: export_graph(client, scratch / "export"))
    other = settings.model_copy(update={"home": scratch / "imported"})
    imported = import_graph(scratch / "export", other, reporter=terminal)
    rows = nodes + edges
    return Scale(
        nodes=nodes,
        edges=edges,
        online=rows / whole.seconds,
        online_again_seconds=again.seconds,
        exported=rows / exported,
        offline=imported.rate,
        offline_seconds=imported.seconds,
        memory_tenth_mb=tenth.memory_mb,
        memory_mb=whole.memory_mb,
    )


def _timed(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


@dataclass(frozen=True, slots=True)
class _Loading:
    """What one load took: seconds, and the most that its processes had in memory."""

    seconds: float
    memory_mb: int


def _loaded(settings: Settings, folder: Path, mapping: Path) -> _Loading:
    """Load a folder in a process of its own, as the command line does; what others hold is not counted."""
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=spawn) as alone:
        return alone.submit(_load, settings, folder, mapping).result()


def _load(settings: Settings, folder: Path, mapping: Path) -> _Loading:
    source = csv_source(folder, read_mapping(mapping), name=folder.name)
    with connect(settings) as client, _Memory() as memory:
        seconds = _timed(lambda: load_tables(client, source, settings))
    return _Loading(seconds, memory.most_mb)


class _Memory:
    """The most that this process and those it starts have in memory while the block runs."""

    def __init__(self) -> None:
        self.most_mb = 0
        self._done = threading.Event()
        self._watch = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._watch.join()

    def _look(self) -> None:
        own = psutil.Process()
        while not self._done.wait(0.1):
            held = 0
            for process in (own, *own.children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    held += process.memory_info().rss
            self.most_mb = max(self.most_mb, held // 2**20)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; `--keep DIR` leaves the imported home there, to be served."""
    parser = argparse.ArgumentParser(prog="python -m graph_loader.scale", description=__doc__)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--edges", type=int, default=1_000_000)
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="where everything is left, else it is deleted"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="file for the figures")
    options = parser.parse_args(arguments)
    own = load_settings()
    shared = {"server_cache": own.server_cache or own.home / "server", "neo4j_uri": None}
    with tempfile.TemporaryDirectory() as folder:
        scratch = options.keep or Path(folder)
        settings = own.model_copy(update={**shared, "home": scratch / "online"})
        found = measure(settings, scratch, nodes=options.nodes, edges=options.edges)
    content = json.dumps(asdict(found), indent=2)
    sys.stdout.write(content + "\n")
    if options.json is not None:
        options.json.write_text(content + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
