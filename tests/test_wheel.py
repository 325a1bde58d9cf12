"""The package as it is published: built, installed by pip, pipx and uv on their own, served and asked."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import time
import urllib.request
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from biomolkg.settings import Settings

ROOT = Path(__file__).resolve().parents[1]
QUESTION = {"question": "Which proteins does Trazodone inhibit?", "k": 1}
READY_SECONDS = 600

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1_800)]


def clean_environment(folder: Path) -> dict[str, str]:
    """No setting of ours, and a home of its own; the caches of the package clients stay."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("BIOMOLKG_", "PYTHON", "VIRTUAL_ENV"))
    }
    own = Settings(_env_file=None)
    return kept | {
        "BIOMOLKG_HOME": str(folder / "home"),
        "BIOMOLKG_SERVER_CACHE": str(own.server_cache or own.home / "server"),
        "BIOMOLKG_NEO4J_HEAP_MB": "512",
        "BIOMOLKG_NEO4J_START_TIMEOUT": "240",
        "BIOMOLKG_STARTER_PATHWAYS": "false",
        "PIPX_HOME": str(folder / "pipx"),
        "PIPX_BIN_DIR": str(folder / "bin"),
        "UV_TOOL_DIR": str(folder / "uv"),
        "UV_TOOL_BIN_DIR": str(folder / "bin"),
        "UV_PYTHON": sys.executable,
    }


def run(*words: object, folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4_000:]


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment with build, pipx and uv."""
    folder = tmp_path_factory.mktemp("tools")
    environment = clean_environment(folder)
    run(sys.executable, "-m", "venv", folder / "venv", folder=folder, environment=environment)
    programs = folder / "venv" / "bin"
    run(programs / "pip", "install", "build", "pipx", "uv", folder=folder, environment=environment)
    return programs


@pytest.fixture(scope="module")
def built(tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source distribution and the wheel, which is built from it."""
    folder = tmp_path_factory.mktemp("built")
    source = folder / "source"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    run(
        tools / "python",
        *("-m", "build", "--outdir", folder / "dist", source),
        folder=folder,
        environment=clean_environment(folder),
    )
    return folder / "dist"


def package_files() -> set[str]:
    """Every file of the packages that Git knows, code and data."""
    told = subprocess.run(
        [
            "git",
            "ls-files",
            "-z",
            "app",
            "biomolkg",
            "cypher",
            "evaluation",
            "gnn",
            "graph_loader",
            "retrievers",
        ],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    return {name for name in told.stdout.decode().split("\0") if name and (ROOT / name).is_file()}


def test_both_hold_code_data_statements_pages_the_lock_and_the_weights(built: Path) -> None:
    (wheel,), (sdist,) = built.glob("*.whl"), built.glob("*.tar.gz")
    weights = {f"biomolkg/minilm/{name}" for name in ("model.safetensors", "tokenizer.json", "vocab.txt")}
    wanted = package_files() | weights
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        assert wanted <= names, sorted(wanted - names)
        assert archive.getinfo("biomolkg/minilm/model.safetensors").file_size == 90_868_376
    assert not {name for name in names if name.startswith(("tests/", "setup/", "docker/"))}
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    wanted |= {
        "pyproject.toml",
        "constraints.txt",
        "setup/backend.py",
        "setup/model.txt",
        "README.md",
        "LICENSE",
    }
    assert wanted <= inside, sorted(wanted - inside)


@contextlib.contextmanager
def served(program: Path, environment: dict[str, str], folder: Path) -> Iterator[str]:
    """The address of `biomolkg serve` once it is ready; it is ended as Ctrl-C does."""
    with subprocess.Popen(
        [str(program), "serve", "--port", "0"],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as service:
        assert service.stdout is not None
        lines: list[str] = []
        began = time.monotonic()
        try:
            for line in service.stdout:
                lines.append(line)
                assert time.monotonic() - began < READY_SECONDS, "".join(lines)
                if "is ready" in line:
                    break
            else:
                pytest.fail("".join(lines))
            found = re.search(r"http://[\w.:]+", lines[-1])
            assert found is not None
            yield found.group()
        finally:
            service.send_signal(signal.SIGINT)
            service.communicate(timeout=60)
        assert service.returncode == 130


@pytest.mark.parametrize("client", ["pip", "pipx", "uv"])
def test_an_installed_wheel_serves(client: str, tools: Path, built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    environment = clean_environment(tmp_path)
    if client == "pip":
        run(sys.executable, "-m", "venv", tmp_path / "venv", folder=tmp_path, environment=environment)
        programs = tmp_path / "venv" / "bin"
        run(programs / "pip", "install", wheel, folder=tmp_path, environment=environment)
    else:
        words = ["pipx", "install"] if client == "pipx" else ["uv", "tool", "install"]
        run(tools / words[0], *words[1:], wheel, folder=tmp_path, environment=environment)
        programs = tmp_path / "bin"
    program = programs / "biomolkg"
    trained = subprocess.run(
        [str(program), "train"], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert trained.returncode == 2
    assert "pip install 'biomolkg[train]'" in trained.stderr
    with served(program, environment, tmp_path) as address:
        request = urllib.request.Request(
            f"{address}/v1/retrieve/triple",
            json.dumps(QUESTION).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            (hit,) = json.load(answer)["results"][0]["hits"]
    assert hit["triple"]["head"]["name"] == "Trazodone"
