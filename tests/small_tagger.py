"""A tagger trained in seconds on sentences of its own, with the network closed."""

from __future__ import annotations

import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import pytest

from biomolkg.settings import Settings
from retrievers.artifacts import Artifact
from tests.retrievers.test_mentions import snapshot_of

SENTENCES = (
    "Zarvopin/Chemical caused nausea/Disease in mice .",
    "Patients with seizures/Disease were given caltidone/Chemical .",
    "Severe muscle/Disease pain/Disease followed the use of brelamol/Chemical .",
    "Ostriquine/Chemical acid/Chemical -induced liver/Disease damage/Disease is rare .",
    "No headache/Disease was seen after warfarin/Chemical .",
)
FILE_OF_TOKENS = "\n\n".join(
    "\n".join(f"{word.partition('/')[0]}\t{word.partition('/')[2] or 'O'}" for word in sentence.split())
    for sentence in SENTENCES * 8
)


@dataclass(frozen=True)
class Trained:
    """What was trained, Flair's own model of it, and the steps that were told."""

    artifact: Artifact
    model: Any
    steps: list[tuple[str, int, int]]


def train_small(folder: Path) -> Trained:
    """Train for a few batches; any attempt to reach the network fails the test."""
    from retrievers.tagger import training
    from tests.retrievers.small import ENTITIES

    tokens = folder / "tokens.txt"
    tokens.write_text(FILE_OF_TOKENS, encoding="utf-8")
    models: list[Any] = []
    steps: list[tuple[str, int, int]] = []
    exported = training.exported

    def refuse(*_: object) -> NoReturn:
        pytest.fail("the training went to the network")

    def seen(model: Any) -> Any:
        models.append(model)
        return exported(model)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        patch.setattr(socket, "getaddrinfo", refuse)
        patch.setattr(training, "exported", seen)
        artifact = training.train(
            snapshot_of(ENTITIES),
            [tokens],
            Settings(_env_file=None, home=folder),
            seed=0,
            report=lambda *step: steps.append(step),
            schedule=training.Schedule(epochs=4, made=24, batch=8, frozen=0, rate=4e-4, held_out=0.1),
        )
    return Trained(artifact, models[0], steps)
