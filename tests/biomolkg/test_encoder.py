import json
import math
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest

from biomolkg import encoder_runtime
from biomolkg.bert_numpy import erf
from biomolkg.encoder import SentenceEncoder
from biomolkg.encoder_files import bundled_model
from biomolkg.encoder_runtime import graph_forward
from biomolkg.errors import ModelError
from biomolkg.settings import load_settings

TEXTS = ["Aspirin", "", "A β-lactam antibiotic, given by mouth.", "word " * 400, "A β-lactam antibiotic"]


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return load_settings(home=tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def encoder(settings):
    return SentenceEncoder(settings)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_vectors_are_those_of_sentence_transformers(encoder):
    from sentence_transformers import SentenceTransformer

    reference = SentenceTransformer(str(bundled_model()), device="cpu").encode(TEXTS)
    vectors = encoder.encode(TEXTS)
    assert encoder.runtime == "onnx"
    assert vectors.shape == (5, 384)
    assert np.abs(vectors - reference).max() < 1e-5
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_token_states_cover_their_characters(settings):
    encoder = SentenceEncoder(settings.model_copy(update={"question_precision": "fp32"}))
    vectors, tokens = encoder.encode_questions(TEXTS)
    assert np.abs(vectors - encoder.encode(TEXTS)).max() < 1e-5
    third = TEXTS[2]
    words = [third[start:end] for start, end in tokens[2].offsets]
    assert words[:3] == ["A", "β", "-"]
    assert tokens[2].states.shape == (len(words), 384)
    assert len(tokens[1].offsets) == 0
    assert len(tokens[3].offsets) == 254  # 256 with the two special tokens


def test_int8_vectors_are_near_and_rank_texts_alike(settings, encoder):
    asked = [
        "Which drug is a potassium-sparing diuretic that acts on epithelial sodium channels?",
        "Which protein is inhibited by a second-generation antihistamine given as a nasal spray?",
        "Which compound with a thiazole ring and a guanidine group reduces gastric acid?",
        "Which anticonvulsant binds voltage-gated sodium channels?",
    ]
    texts = ["A diuretic that spares potassium", "An antihistamine", "An antacid drug", "A drug for epilepsy"]
    exact, near = encoder.encode(asked), encoder.encode_questions(asked)[0]
    cosines = (exact * near).sum(axis=1)
    assert cosines.min() > 0.97
    assert not np.array_equal(exact, near), "questions were encoded with the exact weights"
    known = encoder.encode(texts)
    assert (
        (near @ known.T).argmax(axis=1).tolist() == (exact @ known.T).argmax(axis=1).tolist() == [0, 1, 2, 3]
    )


def test_a_question_is_encoded_alike_alone_and_in_company(encoder):
    together = encoder.encode_questions(TEXTS)[0]
    alone = [encoder.encode_questions([text])[0][0] for text in TEXTS]
    assert np.array_equal(together, np.stack(alone))


def test_only_the_stretches_that_are_asked_for_are_read(encoder):
    question = "Which β-blocker, then, is a tranquilliser?"
    spans = tuple(
        (question.index(word), question.index(word) + len(word)) for word in ("β", "blocker", "tranquilliser")
    )
    (vector, whole), (tokens, _) = encoder.encode_questions([question] * 2, [spans, ((0, len(question)),)])
    assert np.array_equal(vector, encoder.encode_questions(["β blocker tranquilliser"])[0][0])
    assert np.array_equal(whole, encoder.encode_questions([question])[0][0])
    read = [question[start:end] for start, end in tokens.offsets]
    assert "".join(read) == "βblockertranquilliser"
    (nothing,), (none,) = encoder.encode_questions([question], [()])
    assert np.array_equal(nothing, encoder.encode_questions([""])[0][0])
    assert len(none.states) == 0


def test_damaged_int8_weights_are_made_again(settings, encoder):
    (kept,) = (settings.home / "models").glob("encoder-*-int8.onnx")
    size = kept.stat().st_size
    kept.write_bytes(b"damaged")
    vectors, _ = SentenceEncoder(settings).encode_questions(TEXTS)
    assert np.array_equal(vectors, encoder.encode_questions(TEXTS)[0])
    assert kept.stat().st_size == size


def test_encoding_never_imports_torch(settings):
    script = (
        "import sys; from biomolkg.encoder import SentenceEncoder; "
        "from biomolkg.settings import load_settings; "
        f"SentenceEncoder(load_settings(home={str(settings.home)!r})).encode(['x']); "
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 0


@pytest.mark.parametrize("fault", ["other numbers", "refused"])
def test_where_onnx_runtime_is_wrong_numpy_computes_the_same_vectors(settings, encoder, monkeypatch, fault):
    def broken(graph, threads, *, output="states"):
        if fault == "refused":
            raise RuntimeError("this processor is not supported")
        right = graph_forward(graph, threads, output=output)
        return lambda ids, mask: right(ids, mask) * np.float32(1.001) + np.float32(0.001)

    monkeypatch.setattr(encoder_runtime, "graph_forward", broken)
    by_numpy = SentenceEncoder(settings)
    assert by_numpy.runtime == "numpy"
    assert np.abs(by_numpy.encode(TEXTS) - encoder.encode(TEXTS)).max() < 1e-5
    assert np.abs(by_numpy.encode_questions(TEXTS)[0] - encoder.encode(TEXTS)).max() < 1e-5


def test_the_error_function_is_that_of_the_standard_library():
    values = np.linspace(-6, 6, 20_001, dtype=np.float32)
    exact = np.array([math.erf(value) for value in values.tolist()])
    assert np.abs(erf(values) - exact).max() < 2e-7


def test_a_model_of_another_architecture_needs_torch_and_says_so(tmp_path, monkeypatch):
    folder = tmp_path / "model"
    shutil.copytree(bundled_model(), folder)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    (folder / "config.json").write_text(json.dumps(config | {"hidden_act": "relu"}), encoding="utf-8")
    settings = load_settings(home=tmp_path, encoder_path=folder)
    assert SentenceEncoder(settings).runtime == "torch"
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ModelError, match=re.escape("pip install 'biomolkg[train]'")):
        SentenceEncoder(settings)


def test_a_missing_model_folder_names_the_remedy(tmp_path):
    with pytest.raises(ModelError, match="BIOMOLKG_ENCODER_PATH") as caught:
        SentenceEncoder(load_settings(home=tmp_path, encoder_path=tmp_path / "absent"))
    assert caught.value.exit_code == 2


def test_questions_are_remembered_and_stay_the_same(encoder: SentenceEncoder) -> None:
    questions = [f"Which proteins does compound {number} inhibit?" for number in range(80)]
    first, states = encoder.encode_questions(questions)
    again, _ = encoder.encode_questions([questions[0], questions[-1], questions[-1]])
    assert np.array_equal(again, first[[0, 79, 79]])
    assert np.array_equal(encoder.encode_questions([questions[79]])[1][0].states, states[79].states)
