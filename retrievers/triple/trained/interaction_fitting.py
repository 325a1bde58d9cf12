"""Fitting of an interaction of tokens and structures with torch: AdamW, softmax over sampled candidates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrievers.triple.evidence import Floats
from retrievers.triple.trained.features import FEATURES
from retrievers.triple.trained.fitting import Example
from retrievers.triple.trained.interaction import RELATION_SCALE, Interaction

EPOCHS = 10
BATCH = 32
RATE = 3e-3
DECAY = 1e-2
WIDTH = 64
RELATION_WIDTH = 64
# Share of a structure's features that are left out at each step, lest structures be learned by heart.
DROPPED = 0.3
# Candidates of a question: the untrained score's best, and some of the others.
BEST, OTHERS = 80, 30
# How much each earlier triple of the gold path counts beside its last.
EARLIER = 0.3
_STRUCTURE_SPREAD = 0.05
# Questions of nearly the same length share a batch, so that little is spent on padding.
_JITTER = 12
_NEVER = -1e4


@dataclass(frozen=True, slots=True, eq=False)
class Structures:
    """What an interaction is fitted with, besides examples.

    features: float32 [H, n]; rows: int32 [E], the one of each entity; relations: float32 [R, d], vectors of
    their names; heads, tails, relation_of: int32 [T]; encoder: identity of the model of the token states.
    """

    features: Floats
    rows: NDArray[np.int32]
    relations: Floats
    heads: NDArray[np.int32]
    tails: NDArray[np.int32]
    relation_of: NDArray[np.int32]
    encoder: str


def fit_interaction(
    structures: Structures, examples: Sequence[Example], *, seed: int, epochs: int = EPOCHS
) -> Interaction:
    """Fitted to `examples`, questions about structures; deterministic on one machine."""
    import torch  # noqa: PLC0415 - the service scores without it

    torch.manual_seed(seed)
    random = np.random.default_rng(seed)
    centre = np.stack(
        [
            np.concatenate([example.inputs.tokens for example in examples]).mean(axis=0),
            np.mean([example.inputs.tokens.mean(axis=0) for example in examples], axis=0),
        ]
    )
    weights = _initial(torch, structures)
    steps = epochs * math.ceil(len(examples) / BATCH)
    optimizer = torch.optim.AdamW(weights.values(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    features, relations = torch.from_numpy(structures.features), torch.from_numpy(structures.relations)
    for _ in range(epochs):
        for chosen in _batches(examples, random):
            batch = _Batch(torch, structures, chosen, centre, random)
            kept = torch.nn.functional.dropout(features[batch.rows], DROPPED)
            scores = _scores(torch, weights, kept @ weights["structure"], relations, batch)
            chances = torch.log_softmax(scores.masked_fill(~batch.present, _NEVER), dim=1)
            loss = -(chances * batch.wanted).sum(dim=1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    found = {name: value.detach().numpy().astype(np.float32) for name, value in weights.items()}
    return Interaction(
        structures=structures.features @ found.pop("structure"),
        rows=structures.rows,
        relations=structures.relations @ found.pop("relation") + found.pop("relation_bias"),
        centre=centre.astype(np.float32),
        encoder=np.frombuffer(bytes.fromhex(structures.encoder), dtype=np.uint8),
        **found,
    )


def _initial(torch: Any, structures: Structures) -> dict[str, Any]:
    size = structures.relations.shape[1]
    edge = 1 / math.sqrt(size)

    def spread(*shape: int) -> Any:
        return torch.empty(*shape).uniform_(-edge, edge)

    weights = {
        "structure": torch.randn(structures.features.shape[1], WIDTH) * _STRUCTURE_SPREAD,
        "token": spread(size, WIDTH),
        "token_bias": spread(WIDTH),
        "emphasis": spread(size),
        "relation": spread(size, RELATION_WIDTH),
        "relation_bias": spread(RELATION_WIDTH),
        "asked": spread(size, RELATION_WIDTH),
        "asked_bias": spread(RELATION_WIDTH),
        "worded": spread(size, RELATION_WIDTH),
        "worded_bias": spread(RELATION_WIDTH),
        "mix": torch.tensor([0.3, 0.1, 5.0]),
    }
    return {name: value.requires_grad_() for name, value in weights.items()}


def _batches(examples: Sequence[Example], random: np.random.Generator) -> Iterator[list[Example]]:
    lengths = np.array([len(example.inputs.tokens) for example in examples])
    order = np.argsort(lengths + random.integers(0, _JITTER, len(examples)) + random.random(len(examples)))
    starts = np.arange(0, len(order), BATCH)
    random.shuffle(starts)
    for at in starts:
        yield [examples[index] for index in order[at : at + BATCH]]


class _Batch:
    """Questions padded to rectangles: B questions of up to W tokens, N ends and C candidates.

    tokens: [B, W, d] centred, spoken: [B, W]; questions: [B, d] centred; rows: [n], structures that occur;
    ends: [B, N], places in rows; heads, tails: [B, C], places in ends; kinds: [m], relations that occur;
    relations: [B, C], places in kinds; present, wanted: [B, C], wanted sums to 1.
    """

    def __init__(
        self,
        torch: Any,
        structures: Structures,
        examples: Sequence[Example],
        centre: Floats,
        random: np.random.Generator,
    ) -> None:
        chosen = [_sampled(example, random) for example in examples]
        triples = [
            example.inputs.candidates[places] for example, places in zip(examples, chosen, strict=True)
        ]
        found = [
            np.unique(np.concatenate([structures.heads[own], structures.tails[own]]), return_inverse=True)
            for own in triples
        ]
        count, longest = len(examples), max(len(example.inputs.tokens) for example in examples)
        shape = (count, max(map(len, triples)))
        tokens = np.zeros((count, longest, centre.shape[1]), dtype=np.float32)
        spoken = np.zeros((count, longest), dtype=bool)
        ends = np.zeros((count, max(len(entities) for entities, _ in found)), dtype=np.int64)
        heads, tails, relations = (np.zeros(shape, dtype=np.int64) for _ in range(3))
        present, wanted = np.zeros(shape, dtype=bool), np.zeros(shape, dtype=np.float32)
        for row, (example, places, own, (entities, where)) in enumerate(
            zip(examples, chosen, triples, found, strict=True)
        ):
            size, words = len(own), len(example.inputs.tokens)
            tokens[row, :words] = example.inputs.tokens - centre[0]
            spoken[row, :words] = True
            ends[row, : len(entities)] = structures.rows[entities]
            heads[row, :size], tails[row, :size] = where[:size], where[size:]
            relations[row, :size] = structures.relation_of[own]
            present[row, :size] = True
            gold = example.inputs.paths[example.gold]
            shares = np.where(np.isin(places, gold[gold >= 0]), EARLIER, 0.0)
            shares[places == gold[2]] = 1.0
            wanted[row, :size] = shares / shares.sum()
        means = np.stack([example.inputs.tokens.mean(axis=0) for example in examples]) - centre[1]
        self.tokens, self.spoken = torch.from_numpy(tokens), torch.from_numpy(spoken)
        rows, places = np.unique(ends, return_inverse=True)
        self.rows, self.ends = torch.from_numpy(rows), torch.from_numpy(places.reshape(ends.shape))
        self.questions = torch.from_numpy(means.astype(np.float32))
        self.heads, self.tails = torch.from_numpy(heads), torch.from_numpy(tails)
        kinds, of_kind = np.unique(relations, return_inverse=True)
        self.kinds, self.relations = torch.from_numpy(kinds), torch.from_numpy(of_kind.reshape(shape))
        self.present, self.wanted = torch.from_numpy(present), torch.from_numpy(wanted)


def _sampled(example: Example, random: np.random.Generator) -> NDArray[np.int64]:
    """Places of the candidates that a step looks at, ascending: the best, some others, the gold."""
    untrained = example.inputs.features[:, FEATURES.index("untrained")]
    best = np.argsort(-untrained, kind="stable")[:BEST]
    others = random.choice(len(untrained), min(OTHERS, len(untrained)), replace=False)
    gold = example.inputs.paths[example.gold]
    return np.unique(np.concatenate([best, others, gold[gold >= 0]]))


def _scores(torch: Any, weights: dict[str, Any], states: Any, relations: Any, batch: _Batch) -> Any:
    """What `Interaction` computes, for a batch: [B, C]. states: [n, k], of the structures `batch.rows`."""
    spoken = batch.spoken
    logits = (batch.tokens @ weights["emphasis"]).masked_fill(~spoken, _NEVER)
    emphasis = torch.softmax(logits, dim=1) * spoken.sum(dim=1, keepdim=True).sqrt()
    spent = (batch.tokens @ weights["token"] + weights["token_bias"]) * emphasis[..., None]
    fit = torch.bmm(states[batch.ends], spent.transpose(1, 2)) * spoken[:, None]
    count, ends, longest = fit.shape
    flat, first = fit.reshape(-1, longest), (torch.arange(count) * ends)[:, None]
    better = torch.maximum(
        flat.index_select(0, (batch.heads + first).reshape(-1)),
        flat.index_select(0, (batch.tails + first).reshape(-1)),
    )
    candidates = batch.heads.shape[1]
    silent = ~spoken.repeat_interleave(candidates, 0)
    best = torch.logsumexp(better.masked_fill(silent, _NEVER), dim=1).view(count, candidates)
    sums = fit.sum(dim=2)
    lesser = torch.minimum(sums.gather(1, batch.heads), sums.gather(1, batch.tails))
    related = relations[batch.kinds] @ weights["relation"] + weights["relation_bias"]
    asked = batch.questions @ weights["asked"] + weights["asked_bias"]
    normal = torch.nn.functional.normalize
    by_question = normal(asked, dim=1) @ normal(related, dim=1).T
    by_token = (batch.tokens @ weights["worded"] + weights["worded_bias"]) @ related.T
    by_token = by_token.masked_fill(~spoken[..., None], _NEVER).amax(dim=1)
    relation = weights["mix"][2] * by_question + by_token / RELATION_SCALE
    pair = better.sum(dim=1).view(count, candidates)
    total = pair + weights["mix"][0] * best + weights["mix"][1] * lesser
    return total + relation.gather(1, batch.relations)
