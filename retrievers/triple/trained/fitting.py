"""Fitting of one stack with torch: AdamW on the loss of the gold path among all paths of its question."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrievers.triple.evidence import Floats
from retrievers.triple.trained.features import FEATURES, GAINS
from retrievers.triple.trained.stack import ASKED, HOPS, ROLES, Inputs, Stack, asked_features, mixed_share
from retrievers.triple.trained.wording import BUCKETS, Wording

EPOCHS = 12
BATCH = 32
RATE = 3e-3
DECAY = 1e-2
HIDDEN = 24
# Candidates of a question beside those on longer paths: the untrained score's best.
TRAINED_CANDIDATES = 120
# How much the last triple alone counts beside the whole path.
LAST_SHARE = 0.5
LEAST_SPREAD = 0.05
_INNER_FOLDS = 5
# Wording: logistic regression with this ridge; its vectors have unit length, hence the scale.
_RIDGE, _SCALE, _STEPS = 3e-3, 10.0, 30
# Where the training starts: the untrained score, weighted as a logit.
_UNTRAINED_WEIGHT, _EARLIER_SHARE, _GAIN_WEIGHT = 6.0, 0.5, 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One question to train on: `gold` is the index of its path in `inputs.paths`."""

    inputs: Inputs
    gold: int
    hops: int
    molecular: bool


@dataclass(frozen=True, slots=True, eq=False)
class _Worded:
    """Wording weights: hops float32 [BUCKETS, 3], its bias [3]; kinds float32 [BUCKETS], its bias [1]."""

    hops: Floats
    hops_bias: Floats
    kinds: Floats
    kinds_bias: Floats

    def read(self, inputs: Inputs) -> tuple[float, Floats, Floats]:
        """Share of structures, log-probabilities of hops, and what the network sees of the question."""
        logits = inputs.wording.times(self.hops) + self.hops_bias
        top = logits.max()
        logs = (logits - top - np.log(np.exp(logits - top).sum())).astype(np.float32)
        worded = float(inputs.wording.times(self.kinds[:, None])[0] + self.kinds_bias[0])
        share = mixed_share(worded, inputs.share)
        return share, logs, asked_features(share, inputs.words, logs, worded)


@dataclass(frozen=True, slots=True, eq=False)
class _Item:
    """An example reduced to the candidates that training looks at."""

    features: Floats
    paths: NDArray[np.int64]
    gains: Floats
    gold: int
    share: float
    hop_logs: Floats
    asked: Floats


def fit_stack(examples: Sequence[Example], *, seed: int) -> Stack:
    """A stack fitted to `examples`; the same for the same examples and seed on one machine."""
    import torch  # noqa: PLC0415 - the service scores without it

    torch.manual_seed(seed)
    wording = _WordingFit([example.inputs.wording for example in examples])
    hops = np.array([example.hops - 1 for example in examples])
    kinds = np.array([int(example.molecular) for example in examples])
    # What wording says of a question must not come from that question itself.
    fold_of = np.random.default_rng(seed).permutation(len(examples)) % _INNER_FOLDS
    items: list[_Item] = [None] * len(examples)  # type: ignore[list-item]
    for fold in range(_INNER_FOLDS):
        worded = wording.fit(np.flatnonzero(fold_of != fold), hops, kinds)
        for at in np.flatnonzero(fold_of == fold).tolist():
            items[at] = _reduced(examples[at], worded)
    scale = np.concatenate([item.features for item in items]).std(axis=0)
    # What is hardly ever there in training must not count for much where it is.
    scale = np.maximum(scale, LEAST_SPREAD).astype(np.float32)
    weights = _initial(torch, scale, seed)
    _descend(torch, weights, items, scale, seed)
    arrays = {name: value.detach().numpy().astype(np.float32) for name, value in weights.items()}
    arrays["linear"] = (arrays["linear"] / scale[:, None]).astype(np.float32)
    arrays["inner"][:, : len(FEATURES)] /= scale[:, None]
    worded = wording.fit(np.arange(len(examples)), hops, kinds)
    return Stack(
        hops=worded.hops,
        hops_bias=worded.hops_bias,
        kinds=worded.kinds,
        kinds_bias=worded.kinds_bias,
        **arrays,
    )


class _WordingFit:
    """Ridge logistic regressions on questions' wording.

    They are fitted in the span of the questions, which the weights never leave: n numbers a question
    in place of BUCKETS, with the same result.
    """

    def __init__(self, wordings: Sequence[Wording]) -> None:
        dense = np.zeros((len(wordings), BUCKETS), dtype=np.float32)
        for row, wording in enumerate(wordings):
            dense[row, wording.buckets] = wording.weights * _SCALE
        values, vectors = np.linalg.eigh((dense @ dense.T).astype(np.float64))
        kept = values > 1e-6 * max(float(values.max(initial=0.0)), 1.0)
        roots = np.sqrt(values[kept])
        self._rows = (vectors[:, kept] * roots).astype(np.float32)
        self._back = (dense.T @ (vectors[:, kept] / roots) * _SCALE).astype(np.float32)

    def fit(self, chosen: NDArray[np.int64], hops: NDArray[np.int64], kinds: NDArray[np.int64]) -> _Worded:
        """Weights from the questions `chosen`, int64 [m]; hops, kinds: int64 [n], classes of all."""
        weights, bias = self._logistic(chosen, hops, HOPS)
        sides, lean = self._logistic(chosen, kinds, 2)
        return _Worded(weights, bias, sides[:, 1] - sides[:, 0], lean[1:] - lean[:1])

    def _logistic(
        self, chosen: NDArray[np.int64], classes: NDArray[np.int64], count: int
    ) -> tuple[Floats, Floats]:
        """float32 [BUCKETS, count] and [count]."""
        import torch  # noqa: PLC0415

        matrix, target = torch.from_numpy(self._rows[chosen]), torch.from_numpy(classes[chosen])
        weights = torch.zeros(matrix.shape[1], count, requires_grad=True)
        bias = torch.zeros(count, requires_grad=True)
        optimizer = torch.optim.LBFGS([weights, bias], max_iter=_STEPS, line_search_fn="strong_wolfe")

        def closure() -> Any:
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(matrix @ weights + bias, target)
            loss = loss + _RIDGE * (weights**2).sum()
            loss.backward()  # type: ignore[no-untyped-call]
            return loss

        optimizer.step(closure)  # type: ignore[no-untyped-call]
        return self._back @ weights.detach().numpy(), bias.detach().numpy()


def _reduced(example: Example, worded: _Worded) -> _Item:
    """The candidates on longer paths, the gold, and the untrained score's best."""
    inputs = example.inputs
    untrained = inputs.features[:, FEATURES.index("untrained")]
    longer = inputs.paths[inputs.paths[:, 1] >= 0]
    gold = inputs.paths[example.gold]
    best = np.argsort(-untrained, kind="stable")[:TRAINED_CANDIDATES]
    used = np.unique(np.concatenate([best, longer[longer >= 0], gold[gold >= 0]]))
    places = np.full(len(untrained) + 1, -1, dtype=np.int64)
    places[used] = np.arange(len(used))
    kept = np.flatnonzero((inputs.paths[:, 1] >= 0) | (places[inputs.paths[:, 2]] >= 0))
    share, logs, asked = worded.read(inputs)
    return _Item(
        features=inputs.features[used],
        paths=places[inputs.paths[kept]],
        gains=inputs.gains[kept],
        gold=int(np.searchsorted(kept, example.gold)),
        share=share,
        hop_logs=logs,
        asked=asked,
    )


def _initial(torch: Any, scale: Floats, seed: int) -> dict[str, Any]:
    random = torch.Generator().manual_seed(seed)
    features = len(FEATURES)
    linear = torch.zeros(2, features, len(ROLES))
    column = FEATURES.index("untrained")
    shares = torch.tensor([1.0, 1.0, _EARLIER_SHARE, _EARLIER_SHARE])
    linear[:, column] = _UNTRAINED_WEIGHT * float(scale[column]) * shares
    inner = torch.randn(2, features + len(ASKED), HIDDEN, generator=random) / math.sqrt(features)
    weights = {
        "linear": linear,
        "inner": inner,
        "inner_bias": torch.zeros(2, HIDDEN),
        "outer": torch.zeros(2, HIDDEN, len(ROLES)),
        "gains": torch.full((2, len(GAINS)), _GAIN_WEIGHT),
        "hop_scale": torch.ones(1),
        "hop_bias": torch.zeros(HOPS),
    }
    return {name: value.requires_grad_() for name, value in weights.items()}


def _descend(torch: Any, weights: dict[str, Any], items: Sequence[_Item], scale: Floats, seed: int) -> None:
    steps = EPOCHS * math.ceil(len(items) / BATCH)
    optimizer = torch.optim.AdamW(weights.values(), lr=RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    random = np.random.default_rng(seed)
    for _ in range(EPOCHS):
        for batch in _batches(items, random):
            loss = _loss(torch, weights, batch, scale)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()


def _batches(items: Sequence[_Item], random: np.random.Generator) -> Iterator[list[_Item]]:
    order = random.permutation(len(items))
    for at in range(0, len(order), BATCH):
        yield [items[index] for index in order[at : at + BATCH]]


def _loss(torch: Any, weights: dict[str, Any], batch: Sequence[_Item], scale: Floats) -> Any:
    """Mean over questions of -log p(gold path) - LAST_SHARE x log p(its last triple is the last)."""
    sizes = [len(item.features) for item in batch]
    starts = np.cumsum([0, *sizes[:-1]])
    longest = max(len(item.paths) for item in batch)
    # All candidates of the batch in one matrix; paths padded to rectangles of indexes into it.
    features = torch.from_numpy(np.concatenate([item.features for item in batch]) / scale)
    owner = torch.from_numpy(np.repeat(np.arange(len(batch)), sizes))
    paths = np.full((len(batch), longest, 3), -1, dtype=np.int64)
    gains = np.zeros((len(batch), longest, len(GAINS)), dtype=np.float32)
    present = np.zeros((len(batch), longest), dtype=bool)
    for row, (item, start) in enumerate(zip(batch, starts, strict=True)):
        size = len(item.paths)
        paths[row, :size] = np.where(item.paths >= 0, item.paths + start, -1)
        gains[row, :size] = item.gains
        present[row, :size] = True
    share = torch.tensor([item.share for item in batch], dtype=torch.float32)
    shares = torch.stack([1 - share, share])
    asked = torch.from_numpy(np.stack([item.asked for item in batch]))
    logs = torch.from_numpy(np.stack([item.hop_logs for item in batch]))
    roles = torch.zeros(len(features), len(ROLES))
    for kind in (0, 1):
        constant = asked @ weights["inner"][kind, len(FEATURES) :] + weights["inner_bias"][kind]
        hidden = torch.relu(features @ weights["inner"][kind, : len(FEATURES)] + constant[owner])
        scored = features @ weights["linear"][kind] + hidden @ weights["outer"][kind]
        roles = roles + shares[kind][owner, None] * scored
    first, middle, last = torch.from_numpy(paths).unbind(2)
    hops = (middle >= 0).long() + (first >= 0).long()
    flat = roles.reshape(-1)

    def worth(triples: Any, role: int) -> Any:
        return flat[triples.clamp(min=0) * len(ROLES) + role]

    before = torch.where(hops == 1, worth(middle, 3), worth(middle, 2) + worth(first, 3))
    logits = torch.where(hops == 0, worth(last, 0), worth(last, 1) + before)
    blend = shares[0][:, None] * weights["gains"][0] + shares[1][:, None] * weights["gains"][1]
    logits = logits + (torch.from_numpy(gains) * blend[:, None]).sum(2)
    logits = logits + torch.gather(weights["hop_scale"] * logs + weights["hop_bias"], 1, hops)
    logits = logits.masked_fill(~torch.from_numpy(present), -1e9)
    chances = torch.log_softmax(logits, dim=1)
    gold = torch.tensor([item.gold for item in batch])[:, None]
    whole = chances.gather(1, gold)[:, 0]
    same_last = last == last.gather(1, gold)
    ending = torch.logsumexp(chances.masked_fill(~same_last, -1e9), dim=1)
    return -(whole + LAST_SHARE * ending).mean()
