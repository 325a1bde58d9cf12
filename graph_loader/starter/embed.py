"""Embed the texts of the starter graph and bundle the vectors: python -m graph_loader.starter.embed.

Run it after `build`, or when the vocabulary of groups or the wording of
descriptions has changed. Vectors that are bundled already stay as they are.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save

from biomolkg.encoder import SentenceEncoder, encoder_identity
from biomolkg.settings import Settings, load_settings
from graph_loader.assemble import assemble
from graph_loader.bundled import read_starter
from graph_loader.embeddings import VECTORS, read_vectors, text_key
from graph_loader.ledger import Omissions
from graph_loader.reactome_relations import RELATIONS


def starter_texts(settings: Settings) -> list[str]:
    """Every text of the starter graph that has an embedding, sorted."""
    content = assemble(read_starter(), settings, Omissions())
    texts = {passage.text for passage in content.passages}
    return sorted(texts | {fact.relation for fact in content.interactions} | set(RELATIONS.values()))


def embed(settings: Settings, path: Path) -> tuple[int, int]:
    """Write the vectors; returns how many there are, and how many were computed."""
    identity, dimension = encoder_identity(settings)
    known = read_vectors(identity)
    texts = starter_texts(settings)
    unseen = [text for text in texts if text_key(text) not in known]
    if unseen:
        known |= dict(zip(map(text_key, unseen), SentenceEncoder(settings).encode(unseen), strict=True))
    keys = sorted(text_key(text) for text in texts)
    tensors: dict[str, NDArray[Any]] = {
        "keys": np.stack([np.frombuffer(key, dtype=np.uint8) for key in keys]),
        "vectors": np.stack([known[key] for key in keys]).reshape(-1, dimension),
    }
    path.write_bytes(save(tensors, metadata={"encoder": identity}))
    return len(keys), len(unseen)


def main() -> int:
    """The script."""
    total, computed = embed(load_settings(), Path(__file__).parent / "tables" / VECTORS)
    sys.stdout.write(f"{VECTORS}: {total} vectors, {computed} of them new\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
