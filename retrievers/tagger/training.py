"""Training of the tagger with Flair: MiniLM, fine-tuned, and one linear layer over BIOES tags.

After Schweter and Akbik 2020 (FLERT) without document context. There is neither
a recurrent layer nor a CRF, so that what was trained is served without Flair.
The word vectors and the lowest layers of the encoder stay as they are: on so
little text they would only learn the names that they see.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import random
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder_files import model_folder
from biomolkg.errors import NotReady
from biomolkg.settings import Settings
from biomolkg.tagged_text import TaggedSentence
from biomolkg.token_files import read_token_files
from retrievers.artifacts import Artifact, Training
from retrievers.snapshot import Snapshot
from retrievers.tagger.made_sentences import made_sentences
from retrievers.tagger.tagger import HEAD, NAME, TOKENIZER, Tagger

Report = Callable[[str, int, int], None]
_TYPE = "ner"
_CONFIG = (
    "model_type", "hidden_act", "num_hidden_layers", "num_attention_heads", "hidden_size", "layer_norm_eps",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how fast the tagger learns.

    made: sentences of the graph's names beside typed tokens; made_alone: without any. sentences: at most so
    many of the token files, none with more than `words` words. frozen: layers that are kept as they are.
    held_out: the share of all sentences that is not learned.
    """

    epochs: int = 2
    made: int = 1_200
    made_alone: int = 4_000
    sentences: int = 4_500
    words: int = 48
    batch: int = 16
    frozen: int = 2
    rate: float = 1.5e-4
    head_rate: float = 2e-3
    held_out: float = 0.05


def train(
    snapshot: Snapshot,
    tokens: Sequence[Path],
    settings: Settings,
    *,
    seed: int,
    report: Report,
    schedule: Schedule | None = None,
) -> Artifact:
    """A tagger from typed tokens and the graph's names, or from the names alone where `tokens` is empty.

    The same input and seed give the same weights. Raises InputError for a token file of another form,
    NotReady when there is nothing to make sentences of, ModelError when the encoder is incomplete.
    """
    plan = schedule or Schedule()
    given = read_token_files(tokens)
    made, _ = made_sentences(snapshot, plan.made if given else plan.made_alone, seed=seed)
    sentences = (
        _drawn([one for one in given if 0 < len(one.words) <= plan.words], plan.sentences, seed) + made
    )
    if not any(sentence.spans for sentence in sentences):
        raise NotReady(
            "The graph names no drug, chemical or protein to make sentences of.",
            remedy="Load a source that does, or give `--tokens FILE`.",
        )
    random.Random(seed).shuffle(sentences)  # noqa: S311 - drawn to be repeatable, not to be secret
    size = int(len(sentences) * plan.held_out)
    held_out, learned = sentences[:size], sentences[size:]
    arrays, options = exported(_fine_tuned(learned, settings, plan, seed, report))
    training = Training(
        graph_version=snapshot.graph_version,
        questions=len(learned),
        origin=" and ".join([*(path.name for path in tokens), "the names of the graph"]),
        sha256=_digest(sentences),
        seed=seed,
        options={"examples": "sentences", **options},
    )
    artifact = Artifact(NAME, training, arrays)
    if not held_out:
        return artifact
    tagger = Tagger(artifact, threads=settings.threads)
    precision, recall, f1 = span_scores(
        [sentence.spans for sentence in held_out],
        tagger.tag_words([sentence.words for sentence in held_out]),
    )
    figures = {
        "held_out_sentences": float(len(held_out)),
        "held_out_precision": precision,
        "held_out_recall": recall,
        "held_out_f1": f1,
    }
    return Artifact(NAME, replace(training, figures=figures), arrays)


def span_scores(gold: Sequence[Sequence[Any]], found: Sequence[Sequence[Any]]) -> tuple[float, float, float]:
    """Precision, recall and F1 of spans with exactly the same places and label."""
    right = many = total = 0
    for expected, tagged in zip(gold, found, strict=True):
        wanted = {(span.start, span.end, span.label) for span in expected}
        given = {(span.start, span.end, span.label) for span in tagged}
        right += len(wanted & given)
        many += len(given)
        total += len(wanted)
    return right / max(1, many), right / max(1, total), 2 * right / max(1, many + total)


def _drawn(sentences: list[TaggedSentence], limit: int, seed: int) -> list[TaggedSentence]:
    if len(sentences) <= limit:
        return sentences
    return random.Random(seed).sample(sentences, limit)  # noqa: S311 - as above


def _digest(sentences: Sequence[TaggedSentence]) -> str:
    digest = hashlib.sha256()
    for sentence in sentences:
        spans = [(span.start, span.end, span.label) for span in sentence.spans]
        digest.update(json.dumps([sentence.words, spans], ensure_ascii=False).encode())
    return digest.hexdigest()


def _fine_tuned(
    sentences: Sequence[TaggedSentence], settings: Settings, plan: Schedule, seed: int, report: Report
) -> Any:
    """A Flair `SequenceTagger` that has learned `sentences`."""
    # Read by the hub's client when it is imported: nothing may be looked up outside.
    os.environ["HF_HUB_OFFLINE"] = "1"
    import flair  # noqa: PLC0415 - takes many seconds, and only training needs it
    import torch  # noqa: PLC0415
    from flair.data import Corpus  # noqa: PLC0415
    from flair.datasets import FlairDatapointDataset  # noqa: PLC0415
    from flair.samplers import FlairSampler  # noqa: PLC0415
    from flair.trainers import ModelTrainer  # noqa: PLC0415
    from flair.trainers.plugins import TrainerPlugin  # noqa: PLC0415

    logging.getLogger("flair").setLevel(logging.WARNING)
    torch.set_num_threads(settings.threads)
    flair.device = torch.device("cpu")
    flair.set_seed(seed)
    labels = sorted({span.label for sentence in sentences for span in sentence.spans})
    model = new_model(model_folder(settings), labels, frozen=plan.frozen)
    steps = plan.epochs * -(-len(sentences) // plan.batch)

    class Progress(TrainerPlugin):  # type: ignore[misc]
        done = 0

        @TrainerPlugin.hook  # type: ignore[untyped-decorator]
        def after_training_batch(self, **_: object) -> None:
            self.done += 1
            report("batches", self.done, steps)

    class ByLength(FlairSampler):  # type: ignore[misc]
        """Sentences of like length in one batch: little is spent on padding."""

        def __iter__(self) -> Iterator[int]:
            return iter(_by_length([len(each.words) for each in sentences], plan.batch, chance))

    chance = random.Random(seed)  # noqa: S311 - as above
    corpus = Corpus(
        train=FlairDatapointDataset([flair_sentence(sentence) for sentence in sentences]),
        sample_missing_splits=False,
    )
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        # Flair 0.15 asks torch for what has another name by now.
        warnings.filterwarnings("ignore", category=FutureWarning, message=".*GradScaler")
        ModelTrainer(model, corpus).fine_tune(
            folder,
            learning_rate=plan.rate,
            decoder_learning_rate=plan.head_rate,
            mini_batch_size=plan.batch,
            max_epochs=plan.epochs,
            save_final_model=False,
            create_file_logs=False,
            create_loss_file=False,
            sampler=ByLength(),
            plugins=[Progress()],
        )
    return model.eval()


def _by_length(lengths: Sequence[int], batch: int, chance: random.Random) -> list[int]:
    """All places, drawn anew: in runs of `batch` of like length, the runs in any order."""
    order = sorted(range(len(lengths)), key=lambda at: (lengths[at] + chance.uniform(-2, 2), at))
    runs = [order[start : start + batch] for start in range(0, len(order), batch)]
    # A short run stays last, so that the others are whole batches.
    last = [runs.pop()] if runs and len(runs[-1]) < batch else []
    chance.shuffle(runs)
    return [at for run in (*runs, *last) for at in run]


def new_model(folder: Path, labels: Sequence[str], *, frozen: int) -> Any:
    """A Flair `SequenceTagger` on the encoder in `folder`, not trained yet."""
    from flair.data import Dictionary  # noqa: PLC0415 - as in training
    from flair.embeddings import TransformerWordEmbeddings  # noqa: PLC0415
    from flair.models import SequenceTagger  # noqa: PLC0415

    embeddings = TransformerWordEmbeddings(
        str(folder), layers="-1", subtoken_pooling="first", fine_tune=True, allow_long_sentences=False
    )
    encoder = embeddings.model
    for part in (encoder.embeddings, *encoder.encoder.layer[:frozen]):
        part.requires_grad_(False)  # noqa: FBT003 - torch's own name
    dictionary = Dictionary(add_unk=False)
    dictionary.span_labels = True
    for label in labels:
        dictionary.add_item(label)
    return SequenceTagger(
        embeddings=embeddings,
        tag_dictionary=dictionary,
        tag_type=_TYPE,
        use_rnn=False,
        use_crf=False,
        reproject_embeddings=False,
        word_dropout=0.0,
        locked_dropout=0.0,
        dropout=0.1,
    )


def flair_sentence(sentence: TaggedSentence) -> Any:
    """The same sentence as Flair's."""
    from flair.data import Sentence  # noqa: PLC0415 - as in training

    made = Sentence(list(sentence.words))
    for span in sentence.spans:
        made[span.start : span.end].add_label(_TYPE, span.label)
    return made


def exported(model: Any) -> tuple[dict[str, NDArray[np.generic]], dict[str, str | int | float | bool | None]]:
    """The arrays and options from which `Tagger` computes what `model` does."""
    encoder = model.embeddings.model
    arrays: dict[str, NDArray[np.generic]] = {
        name: value.detach().cpu().numpy().astype(np.float32)
        for name, value in encoder.state_dict().items()
        if value.is_floating_point() and not name.startswith("pooler.")
    }
    arrays[f"{HEAD}.weight"] = model.linear.weight.detach().cpu().numpy()
    arrays[f"{HEAD}.bias"] = model.linear.bias.detach().cpu().numpy()
    written = model.embeddings.tokenizer.backend_tokenizer.to_str()
    arrays[TOKENIZER] = np.frombuffer(written.encode(), dtype=np.uint8)
    config = encoder.config.to_dict()
    return arrays, {
        "tags": json.dumps(model.label_dictionary.get_items()),
        "config": json.dumps({key: config[key] for key in _CONFIG}),
        "flair": version("flair"),
    }
