"""Model files: what is written is what is read, and nothing else is."""

import json

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from biomolkg.errors import ModelError
from retrievers.artifacts import Artifact, Training, artifact_path, load_artifact, save_artifact


def made(graph_version="v1", **arrays):
    training = Training(
        graph_version=graph_version,
        questions=3,
        origin="three.csv",
        sha256="0" * 64,
        seed=7,
        figures={"mrr": 0.5},
        options={"layers": 2},
    )
    return Artifact("triple", training, arrays or {"weights": np.arange(6, dtype=np.float32).reshape(2, 3)})


def test_a_model_comes_back_as_it_was(tmp_path):
    assert load_artifact(tmp_path, "triple") is None
    path = save_artifact(tmp_path, made())
    assert path == artifact_path(tmp_path, "triple")
    found = load_artifact(tmp_path, "triple", graph_version="v1")
    assert found.training == made().training
    assert np.array_equal(found.arrays["weights"], made().arrays["weights"])
    assert "3 questions (three.csv)" in found.training.account
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_model_of_another_graph_is_refused_and_says_what_to_run(tmp_path):
    save_artifact(tmp_path, made())
    with pytest.raises(ModelError, match=r"version v1; .* version v2.*biomolkg train --retriever triple"):
        load_artifact(tmp_path, "triple", graph_version="v2")


def rewritten(path, change):
    """The file with other arrays or metadata, well-formed as safetensors."""
    from safetensors import safe_open

    with safe_open(path, framework="numpy") as file:
        metadata = dict(file.metadata())
    arrays = load_file(path)
    change(arrays, metadata)
    save_file(arrays, path, metadata=metadata)


def swap_a_number(arrays, _metadata):
    arrays["weights"][0, 0] = 9


def claim_another_graph(_arrays, metadata):
    fields = json.loads(metadata["training"])
    metadata["training"] = json.dumps(fields | {"graph_version": "v2"})


def be_of_somebody_else(_arrays, metadata):
    metadata["format"] = "other"


def lose_the_training(_arrays, metadata):
    del metadata["training"]


@pytest.mark.parametrize(
    "change", [swap_a_number, claim_another_graph, be_of_somebody_else, lose_the_training]
)
def test_a_changed_file_is_refused(tmp_path, change):
    path = save_artifact(tmp_path, made())
    rewritten(path, change)
    with pytest.raises(ModelError, match=str(path)):
        load_artifact(tmp_path, "triple")


@pytest.mark.parametrize("cut", [0, 1, 7, 8, 9, 60, -1])
def test_a_file_cut_short_is_refused(tmp_path, cut):
    path = save_artifact(tmp_path, made())
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(ModelError, match="cannot be used"):
        load_artifact(tmp_path, "triple")


@pytest.mark.parametrize(
    "content",
    [b"\xff" * 64, b"\x80\x00\x00\x00\x00\x00\x00\x00{}", b"\x02" + b"\0" * 7 + b"{}", b"pickle" * 9],
)
def test_no_safetensors_at_all_is_refused(tmp_path, content):
    path = artifact_path(tmp_path, "triple")
    path.parent.mkdir(parents=True)
    path.write_bytes(content)
    with pytest.raises(ModelError, match="cannot be used"):
        load_artifact(tmp_path, "triple")


def test_numbers_that_are_not_finite_and_other_models_are_refused(tmp_path):
    save_artifact(tmp_path, made(weights=np.array([1.0, np.nan], dtype=np.float32)))
    with pytest.raises(ModelError, match="not finite"):
        load_artifact(tmp_path, "triple")
    save_artifact(tmp_path, made())
    other = artifact_path(tmp_path, "gcn")
    other.parent.mkdir(parents=True)
    artifact_path(tmp_path, "triple").rename(other)
    with pytest.raises(ModelError, match="not the model 'gcn'"):
        load_artifact(tmp_path, "gcn")


def test_a_home_that_cannot_be_written_to_is_named(tmp_path):
    (tmp_path / "models").write_text("a file in the way")
    with pytest.raises(ModelError, match="BIOMOLKG_HOME"):
        save_artifact(tmp_path, made())
