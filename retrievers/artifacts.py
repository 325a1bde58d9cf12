"""Trained models as files: arrays in safetensors, and what they were trained on beside them.

A file is `<home>/models/<name>/model.safetensors`. Its metadata holds one JSON object; nothing in a file is
ever executed. A hash over arrays and metadata is checked before anything is used.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from biomolkg.errors import ModelError

# 2: of a question about texts, `triple` encodes the content words.
FORMAT = "biomolkg-model-2"
FILE = "model.safetensors"
# No model of ours comes near it; a larger file is not read into memory.
MAX_BYTES = 512 * 1024 * 1024

Arrays = Mapping[str, NDArray[np.generic]]
Scalar = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Training:
    """What a model was trained on. `figures`: what was measured; `options`: what shapes the model."""

    graph_version: str
    questions: int
    origin: str
    sha256: str
    seed: int
    date: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    figures: Mapping[str, float] = field(default_factory=dict)
    options: Mapping[str, Scalar] = field(default_factory=dict)

    @property
    def account(self) -> str:
        """One sentence for people: data, date, graph version, seed."""
        examples = self.options.get("examples", "questions")
        return (
            f"Trained on {self.questions} {examples} ({self.origin}) on {self.date[:10]}, "
            f"graph version {self.graph_version}, seed {self.seed}."
        )


@dataclass(frozen=True, slots=True, eq=False)
class Artifact:
    """A model's arrays by name, with its training."""

    name: str
    training: Training
    arrays: Arrays


def artifact_path(home: Path, name: str) -> Path:
    """Where the model `name` is kept."""
    return home / "models" / name / FILE


def save_artifact(home: Path, artifact: Artifact) -> Path:
    """Write the model; the file of before stays until the new one is whole. Raises ModelError."""
    path = artifact_path(home, artifact.name)
    arrays = {name: np.ascontiguousarray(array) for name, array in artifact.arrays.items()}
    described = json.dumps(_fields(artifact), ensure_ascii=False, sort_keys=True)
    metadata = {"format": FORMAT, "training": described, "sha256": content_hash(arrays, described)}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            part = Path(file.name)
        try:
            save_file(arrays, part, metadata=metadata)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise ModelError(
            f"The model {artifact.name!r} cannot be written to {path}: {error.strerror or error}.",
            remedy="Give a home that can be written to (BIOMOLKG_HOME).",
        ) from error
    return path


def load_artifact(home: Path, name: str, *, graph_version: str | None = None) -> Artifact | None:
    """The model `name`; None where there is none.

    Raises ModelError when the file is damaged, is not one of ours, holds numbers that are not finite,
    or, with `graph_version`, was trained on another graph.
    """
    path = artifact_path(home, name)
    if not path.is_file():
        return None
    try:
        if path.stat().st_size > MAX_BYTES:
            raise _refused(path, f"it is larger than {MAX_BYTES:,} bytes")
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            if metadata.get("format") != FORMAT:
                raise _refused(path, f"its format is {metadata.get('format')!r}, not {FORMAT!r}")
            arrays = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 - not a mapping
    except (SafetensorError, OSError, ValueError, TypeError, UnicodeDecodeError) as error:
        raise _refused(path, f"it cannot be read as safetensors: {error}") from error
    described = metadata.get("training", "")
    if metadata.get("sha256") != content_hash(arrays, described):
        raise _refused(path, "its content is not what was written")
    training = _training(path, name, described)
    for key, array in arrays.items():
        if array.dtype.kind == "f" and not np.isfinite(array).all():
            raise _refused(path, f"the array {key!r} holds numbers that are not finite")
    if graph_version is not None and training.graph_version != graph_version:
        raise ModelError(
            f"The model {name!r} was trained on graph version {training.graph_version}; "
            f"the graph is now version {graph_version}.",
            remedy=f"Run `biomolkg train --retriever {name}`.",
        )
    return Artifact(name, training, arrays)


def _refused(path: Path, reason: str) -> ModelError:
    return ModelError(
        f"The model file {path} cannot be used: {reason}.",
        remedy=f"Run `biomolkg train --retriever {path.parent.name}`, or delete the file.",
    )


def _fields(artifact: Artifact) -> dict[str, object]:
    training = artifact.training
    return {
        "name": artifact.name,
        "graph_version": training.graph_version,
        "questions": training.questions,
        "origin": training.origin,
        "sha256": training.sha256,
        "seed": training.seed,
        "date": training.date,
        "figures": dict(training.figures),
        "options": dict(training.options),
    }


def _training(path: Path, name: str, described: str) -> Training:
    try:
        fields = json.loads(described)
        if fields.pop("name") != name:
            raise _refused(path, f"it is not the model {name!r}")
        training = Training(**fields)
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise _refused(path, f"what it says of its training cannot be read: {error}") from error
    texts = (training.graph_version, training.origin, training.sha256, training.date)
    if not (
        all(isinstance(text, str) for text in texts)
        and isinstance(training.questions, int)
        and isinstance(training.seed, int)
        and isinstance(training.figures, dict)
        and isinstance(training.options, dict)
    ):
        raise _refused(path, "what it says of its training is of the wrong type")
    return training


def content_hash(arrays: Arrays, described: str) -> str:
    """A digest of the arrays with their names, types and shapes, and of what is said of them."""
    digest = hashlib.sha256(described.encode("utf-8", "surrogatepass"))
    for name in sorted(arrays):
        array = arrays[name]
        digest.update(f"\n{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
