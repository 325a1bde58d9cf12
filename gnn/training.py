"""Training a graph retriever: full-batch messages, sampled negatives, and held-out questions to stop by."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import ModelError
from biomolkg.settings import Settings
from gnn.graph_features import graph_features
from gnn.model import Batch, LateInteraction, PooledQuestion, stack_words
from gnn.node_words import NodeWords
from gnn.retriever import NETWORKS
from retrievers.artifacts import Artifact, Training
from retrievers.hits import DEFAULT_TRIPLE_KINDS
from retrievers.snapshot import Snapshot
from retrievers.training_questions import PlacedQuestion, TrainingSet, place_questions
from retrievers.triple.evidence import Ends, Floats, Rows

# The same model without messages between nodes: what the graph adds is measured against it.
NO_GRAPH = "none"
_RANKED = 20_000  # triples that held-out questions are ranked among, at most
_ENCODED = 64
_RANKED_QUESTIONS = 8

# A step by name, how much of it is done, and of how much.
Report = Callable[[str, int, int], None]
Model = LateInteraction | PooledQuestion


@dataclass(frozen=True, slots=True)
class Schedule:
    """How long and how a model is trained. `held_out`: the share of questions that only decide when to stop.

    near, random, of_kind: triples a step takes as negatives from the neighbours of each question's gold,
    from all, and from each kind of fact; averaging: of weights from step to step.
    """

    epochs: int = 3
    patience: int = 2
    held_out: float = 0.1
    batch: int = 16
    rate: float = 2e-3
    decay: float = 0.02
    averaging: float = 0.98
    width: int = 128
    drop: float = 0.3
    near: int = 40
    random: int = 400
    of_kind: int = 150


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """A training question as the network reads it. gold: int64 [g], indexes of triples."""

    tokens: Tensor
    vector: Tensor
    text: Rows
    groups: Rows
    gold: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Graph:
    """The triples that are ranked, int64 [T] each, and for each entity those that it is an end of."""

    entities: int
    heads: NDArray[np.int64]
    tails: NDArray[np.int64]
    relations: NDArray[np.int64]
    triples: NDArray[np.int64]
    kinds: tuple[NDArray[np.int64], ...]
    incident: tuple[NDArray[np.int64], ...]


def train(
    snapshot: Snapshot,
    questions: TrainingSet,
    settings: Settings,
    *,
    architecture: str,
    seed: int = 0,
    report: Report = lambda _step, _done, _total: None,
    schedule: Schedule | None = None,
    encoder: SentenceEncoder | None = None,
) -> Artifact:
    """Train one architecture (gcn, sage, gat; none: without messages) on questions with known triples.

    The same snapshot, questions, settings and seed give the same arrays. Of the
    questions a share is held out, and the weights that rank those best are kept.
    Raises ModelError when none of the questions' triples is in the graph.
    """
    if architecture not in (*NETWORKS, NO_GRAPH):
        raise ModelError(
            f"There is no graph network {architecture!r}.", remedy=f"There are: {', '.join(NETWORKS)}."
        )
    schedule = schedule or Schedule()
    encoder = encoder or SentenceEncoder(settings)
    graph = _graph(snapshot)
    placed, _ = place_questions(questions.questions, snapshot)
    placed = [item for item in placed if np.isin(item.gold, graph.triples).all()]
    if not placed:
        raise ModelError(
            f"None of the {len(questions.questions)} questions can be trained on: their triples are not in "
            "the graph.",
            remedy="Load the graph that the questions are about, or give no questions: then some are made.",
        )
    report("features", 0, 1)
    words = NodeWords(snapshot)
    features = graph_features(snapshot, words, encoder, settings.home / "cache")
    report("features", 1, 1)
    asked, centres = _read(placed, words, encoder, report)
    with _one_thread(seed):
        variant = LateInteraction if settings.gnn_variant == "late" else PooledQuestion
        model = variant(
            features,
            snapshot.relation_embeddings,
            architecture=architecture,
            width=schedule.width,
            drop=schedule.drop,
        )
        arrays, figures = _fit(model, asked, graph, schedule, seed, report=report)
    figures["questions_left_out"] = float(len(questions.questions) - len(asked))
    return Artifact(
        name=architecture,
        training=Training(
            graph_version=snapshot.graph_version,
            questions=len(asked),
            origin=questions.origin,
            sha256=questions.sha256,
            seed=seed,
            figures=figures,
            options={
                "variant": settings.gnn_variant,
                "encoder": encoder.identity,
                "nodes": features.nodes,
                "edges": features.edges.shape[1] // 2,
            },
        ),
        arrays=arrays | centres,
    )


@contextmanager
def _one_thread(seed: int) -> Iterator[None]:
    """One thread and a random state of its own: two threads would add in another order each time."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            yield
    finally:
        torch.set_num_threads(threads)


def _graph(snapshot: Snapshot) -> _Graph:
    allowed = np.array([relation.kind in DEFAULT_TRIPLE_KINDS for relation in snapshot.relations], dtype=bool)
    triples = np.flatnonzero(allowed[snapshot.relation_of])
    heads, tails = snapshot.heads.astype(np.int64), snapshot.tails.astype(np.int64)
    ends = np.concatenate([heads[triples], tails[triples]])
    order = np.argsort(ends, kind="stable")
    counts = np.bincount(ends, minlength=len(snapshot.entities))
    kind_of = np.array([relation.kind for relation in snapshot.relations])[snapshot.relation_of[triples]]
    return _Graph(
        entities=len(snapshot.entities),
        heads=heads,
        tails=tails,
        relations=snapshot.relation_of.astype(np.int64),
        triples=triples,
        kinds=tuple(triples[kind_of == kind] for kind in np.unique(kind_of)),
        incident=tuple(np.split(np.concatenate([triples, triples])[order], np.cumsum(counts)[:-1])),
    )


def _read(
    placed: Sequence[PlacedQuestion],
    words: NodeWords,
    encoder: SentenceEncoder,
    report: Report,
) -> tuple[list[_Asked], dict[str, Floats]]:
    """The questions, centred, and the centres: float32 [d] each, the mean token and question vector."""
    vectors, states = [], []
    for start in range(0, len(placed), _ENCODED):
        some, tokens = encoder.encode_questions([item.question for item in placed[start : start + _ENCODED]])
        vectors.append(some)
        states += [item.states for item in tokens]
        report("questions", min(start + _ENCODED, len(placed)), len(placed))
    stacked = np.concatenate(vectors)
    centres = {"token_centre": np.concatenate(states).mean(axis=0), "question_centre": stacked.mean(axis=0)}
    asked = [
        _Asked(
            tokens=torch.from_numpy(state - centres["token_centre"]),
            vector=torch.from_numpy(vector - centres["question_centre"]),
            text=words.text_rows(item.question),
            groups=words.group_rows(item.question),
            gold=item.gold,
        )
        for item, state, vector in zip(placed, states, stacked, strict=True)
        if len(state)
    ]
    return asked, centres


def _fit(
    model: Model, asked: Sequence[_Asked], graph: _Graph, schedule: Schedule, seed: int, *, report: Report
) -> tuple[dict[str, Floats], dict[str, float]]:
    """The arrays of the best epoch, and its figures."""
    random = np.random.default_rng(seed)
    shuffled = random.permutation(len(asked))
    count = int(len(asked) * schedule.held_out)
    held_out, learned = [asked[at] for at in shuffled[:count]], [asked[at] for at in shuffled[count:]]
    optimiser = torch.optim.AdamW(model.parameters(), lr=schedule.rate, weight_decay=schedule.decay)
    steps = schedule.epochs * -(-len(learned) // schedule.batch)
    rates = torch.optim.lr_scheduler.OneCycleLR(optimiser, schedule.rate, total_steps=steps + 1)
    averaged = copy.deepcopy(model)
    best, figures = -1.0, {}
    arrays: dict[str, Floats] = averaged.arrays()
    step = 0
    for epoch in range(1, schedule.epochs + 1):
        model.train()
        order, total = random.permutation(len(learned)), 0.0
        for start in range(0, len(order), schedule.batch):
            batch = [learned[at] for at in order[start : start + schedule.batch]]
            loss = _loss(model, batch, _candidates(batch, graph, schedule, random), graph)
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            rates.step()
            step += 1
            _average(averaged, model, min(schedule.averaging, step / (step + 9)))
            total += loss.item() * len(batch)
        mean = total / len(learned)
        figure = _mean_reciprocal_rank(averaged, held_out, graph, random) if held_out else -mean
        report("epochs", epoch, schedule.epochs)
        if epoch == 1 or figure > best:
            best, arrays = figure, averaged.arrays()
            figures = {"epoch": float(epoch), "loss": mean}
            if held_out:
                figures |= {"held_out_mrr": figure, "held_out": float(len(held_out))}
        elif epoch - figures["epoch"] >= schedule.patience:
            report("epochs", schedule.epochs, schedule.epochs)
            break
    return arrays, figures


@torch.no_grad()
def _average(averaged: Model, model: Model, kept: float) -> None:
    for mean, value in zip(averaged.parameters(), model.parameters(), strict=True):
        mean.lerp_(value, 1 - kept)


def _candidates(
    batch: Sequence[_Asked], graph: _Graph, schedule: Schedule, random: np.random.Generator
) -> NDArray[np.int64]:
    """The triples of one step: each is a negative of every question that it is no gold of."""
    parts = [asked.gold for asked in batch] + [_sample(graph.triples, schedule.random, random)]
    parts += [_sample(of_kind, schedule.of_kind, random) for of_kind in graph.kinds]
    for asked in batch:
        share = -(-schedule.near // len(asked.gold))
        for triple in asked.gold:
            for end in (graph.heads[triple], graph.tails[triple]):
                parts.append(_sample(graph.incident[end], share, random))
    return np.unique(np.concatenate(parts))


def _sample(pool: NDArray[np.int64], count: int, random: np.random.Generator) -> NDArray[np.int64]:
    return pool[random.integers(len(pool), size=min(count, len(pool)))]


def _loss(model: Model, asked: Sequence[_Asked], candidates: NDArray[np.int64], graph: _Graph) -> Tensor:
    """Half: some gold triple among all candidates; half: each gold triple against what is not gold."""
    scores = model.score(model.nodes(), model.relations(), _batch(asked, candidates, graph))
    gold = torch.from_numpy(np.stack([np.isin(candidates, item.gold) for item in asked], axis=1))
    any_gold = torch.logsumexp(functional.log_softmax(scores, 0).masked_fill(~gold, -torch.inf), 0)
    others = torch.logsumexp(scores.masked_fill(gold, -1e9), 0)
    each = (functional.softplus(others - scores) * gold).sum(0) / gold.sum(0)
    loss: Tensor = (0.5 * each - 0.5 * any_gold).mean()
    return loss


def _batch(asked: Sequence[_Asked], candidates: NDArray[np.int64], graph: _Graph) -> Batch:
    ends = Ends.of(graph.heads[candidates], graph.tails[candidates], graph.entities)
    lengths = torch.tensor([len(item.tokens) for item in asked])
    return Batch(
        tokens=torch.cat([item.tokens for item in asked]),
        of_token=torch.repeat_interleave(torch.arange(len(asked)), lengths),
        vectors=torch.stack([item.vector for item in asked]),
        words=(
            stack_words([ends.dense(item.text).T for item in asked]),
            stack_words([ends.dense(item.groups).T for item in asked]),
        ),
        entities=torch.from_numpy(ends.entities),
        heads=torch.from_numpy(ends.heads),
        tails=torch.from_numpy(ends.tails),
        relations=torch.from_numpy(graph.relations[candidates]),
    )


@torch.no_grad()
def _mean_reciprocal_rank(
    model: Model, asked: Sequence[_Asked], graph: _Graph, random: np.random.Generator
) -> float:
    """Of the first gold triple among all triples, or 20,000 of them on a larger graph."""
    model.eval()
    nodes, relations = model.nodes(), model.relations()
    pool = graph.triples
    if len(pool) > _RANKED:
        pool = np.union1d(
            random.choice(pool, _RANKED, replace=False), np.concatenate([i.gold for i in asked])
        )
    total = 0.0
    for start in range(0, len(asked), _RANKED_QUESTIONS):
        some = asked[start : start + _RANKED_QUESTIONS]
        scores = model.score(nodes, relations, _batch(some, pool, graph)).numpy()
        for column, item in zip(scores.T, some, strict=True):
            best = column[np.isin(pool, item.gold)].max()
            total += 1 / (1 + int((column > best).sum()))
    return total / len(asked)
