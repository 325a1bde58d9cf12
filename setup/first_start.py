"""How long the first minutes take: a fresh clone, an empty home, whatever pip has in its cache.

    python setup/first_start.py [--here] [--keep FOLDER]

Clones the last commit (`--here`: copies the files as they are), runs `make serve` in it with an empty HOME
until it has answered a question, and until the whole starter graph is loaded; then stops it and starts it
again. Printed are the size of the environment and, of both starts, the seconds, the processor time of all
processes and the load of the machine. Exit code 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
QUESTION = "Which proteins does Trazodone inhibit?"
# GB of the environment, seconds to the first answer, seconds to the first answer of a second start.
TARGETS = {"environment": 1.0, "first start": 90.0, "second start": 15.0}
PATIENCE = 900.0
# Settings of ours, and what would make this Python or another home known.
LEFT_OUT = ("BIOMOLKG_", "PYTHON", "VIRTUAL_ENV", "XDG_", "MAKE", "HF_")


@dataclass(frozen=True)
class Start:
    """Seconds and processor seconds from `make serve` to the first answer; seconds until all is loaded."""

    answered: float
    processor: float
    whole: float
    load: float


def clone(folder: Path, *, here: bool) -> None:
    """The project in `folder`: the last commit, or the files that Git knows or would add as they are."""
    if not here:
        subprocess.run(["git", "clone", "--quiet", str(PROJECT), str(folder)], check=True)
        return
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=PROJECT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        source, target = PROJECT / name, folder / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())


def clean_environment(home: Path) -> dict[str, str]:
    """An empty HOME, no setting of ours, and pip's cache where it is."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_OUT)}
    if "PIP_CACHE_DIR" not in kept:
        told = subprocess.run(
            [sys.executable, "-m", "pip", "cache", "dir"], capture_output=True, text=True, check=False
        )
        kept["PIP_CACHE_DIR"] = told.stdout.strip()
    return {**kept, "HOME": str(home)}


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def ask(address: str, path: str, body: dict[str, object] | None = None) -> dict[str, Any] | None:
    """The JSON of a 200, else None."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{address}{path}", data, {"Content-Type": "application/json"})
    with contextlib.suppress(OSError, ValueError), urllib.request.urlopen(request, timeout=30) as answer:
        content: dict[str, Any] = json.load(answer)
        return content
    return None


def processor_seconds(root: int) -> float:
    """What a process, its children and those that they waited for have used; 0 where there is no /proc."""
    used: dict[int, tuple[int, float]] = {}
    ticks = os.sysconf("SC_CLK_TCK")
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
            used[int(stat.parent.name)] = (int(fields[1]), sum(map(int, fields[11:15])) / ticks)
    tree = {root}
    while more := {pid for pid, (parent, _) in used.items() if parent in tree} - tree:
        tree |= more
    return sum(used[pid][1] for pid in tree if pid in used)


def start(folder: Path, environment: dict[str, str]) -> Start:
    """`make serve` until the whole starter graph is loaded; it is stopped afterwards."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    began = time.perf_counter()
    process = subprocess.Popen(
        ["make", f"PYTHON={sys.executable}", "serve"],
        cwd=folder,
        env={**environment, "BIOMOLKG_PORT": str(port), "BIOMOLKG_LOG_LEVEL": "warning"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )

    def show() -> None:
        assert process.stdout is not None
        for line in process.stdout:
            print(f"{time.perf_counter() - began:7.1f}  {line}", end="", flush=True)

    reader = threading.Thread(target=show, daemon=True)
    reader.start()
    try:
        answered = _until(
            process, lambda: ask(address, "/v1/retrieve/triple", {"question": QUESTION, "k": 1})
        )
        processor = processor_seconds(process.pid)
        print(f"{answered - began:7.1f}  A question is answered.", flush=True)
        whole = _until(process, lambda: (ask(address, "/readyz") or {}).get("loading") is False)
        print(f"{whole - began:7.1f}  All is loaded.", flush=True)
        load = os.getloadavg()[0]
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(120)
        reader.join(10)
    return Start(answered - began, processor, whole - began, load)


def _until(process: subprocess.Popen[str], holds: Any) -> float:
    deadline = time.perf_counter() + PATIENCE
    while not holds():
        if process.poll() is not None:
            raise SystemExit(f"make serve ended with code {process.returncode}.")
        if time.perf_counter() > deadline:
            raise SystemExit(f"No answer within {PATIENCE:g} s.")
        time.sleep(0.1)
    return time.perf_counter()


def gigabytes(folder: Path) -> float:
    """What `du -s` says of a folder."""
    told = subprocess.run(["du", "-sk", str(folder)], capture_output=True, text=True, check=True)
    return int(told.stdout.split()[0]) * 1024 / 1e9


def main() -> int:
    """Measure, print, and compare with the targets."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--here", action="store_true", help="the files as they are, not the last commit")
    parser.add_argument("--keep", type=Path, help="an empty folder to work in; default: one that is removed")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep.resolve() if options.keep else Path(scratch)
        home = folder / "home"
        home.mkdir(parents=True)
        clone(folder / "clone", here=options.here)
        environment = clean_environment(home)
        print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}", flush=True)
        starts = [start(folder / "clone", environment) for _ in range(2)]
        model = gigabytes(folder / "clone" / "biomolkg" / "minilm")
        size = gigabytes(folder / "clone" / ".venv") + model
    print(f"\nEnvironment: {size:.2f} GB, {model:.2f} of them the encoder's weights")
    for name, one in zip(("First", "Second"), starts, strict=True):
        print(
            f"{name} start: answered after {one.answered:.1f} s ({one.processor:.1f} s of processors, load "
            f"{one.load:.1f}), all loaded after {one.whole:.1f} s"
        )
    measured = (size, starts[0].answered, starts[1].answered)
    missed = [
        f"{name}: {value:.1f} is over {target:g}"
        for (name, target), value in zip(TARGETS.items(), measured, strict=True)
        if value > target
    ]
    print("; ".join(missed) or "All within the targets.")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
