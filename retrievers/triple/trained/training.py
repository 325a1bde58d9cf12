"""Training of the triple retriever's stack: listwise over paths, cross-validated, seeds averaged.

torch is imported only here; the weights go into a file of arrays that numpy scores with.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from biomolkg.errors import InputError
from retrievers.artifacts import Artifact, Training
from retrievers.hits import Filters
from retrievers.snapshot import Snapshot
from retrievers.training_questions import PlacedQuestion, TrainingSet, place_questions
from retrievers.triple.retriever import TripleRetriever
from retrievers.triple.trained.cross_fitting import FOLDS, CrossFitted, Report, Sample
from retrievers.triple.trained.features import FEATURES
from retrievers.triple.trained.fitting import Example, fit_stack
from retrievers.triple.trained.interaction_fitting import Structures
from retrievers.triple.trained.ranker import FirstStage
from retrievers.triple.trained.stack import Stack
from retrievers.triple.trained.structure_features import structure_features

NAME = "triple"
NETWORKS = 3
# Of the entities of all gold triples, for questions about unseen ones.
HELD_OUT_ENTITIES = 0.3
FEWEST_QUESTIONS = 20
_PIECE = 16


def train(
    retriever: TripleRetriever,
    snapshot: Snapshot,
    questions: TrainingSet,
    *,
    seed: int = 0,
    networks: int = NETWORKS,
    report: Report = lambda _step, _done, _total: None,
) -> Artifact:
    """Train a stack for the triples of `snapshot`, and say how good it is on questions it was not trained on.

    Deterministic for the same graph, questions and seed on one machine. Raises InputError when fewer than
    20 questions have all their gold triples in the graph.
    """
    began = time.perf_counter()
    placed, missing = place_questions(questions.questions, snapshot)
    if len(placed) < FEWEST_QUESTIONS:
        raise InputError(
            f"{questions.origin}: of {len(questions.questions)} questions only {len(placed)} have all their "
            f"gold triples in the graph; {FEWEST_QUESTIONS} are needed.",
            remedy="Load the graph that the questions are about, or train without --questions.",
        )
    samples = read_samples(retriever, snapshot, placed, report)
    figures: dict[str, float] = {"questions_left_out": float(len(missing))}
    structures = described_structures(retriever, snapshot)
    fitted = CrossFitted(samples, retriever.ranking.inputs, structures, seed=seed, nested=True, report=report)
    figures |= _cross_validated(fitted, seed, report)
    figures |= _unseen(samples, retriever, structures, seed, report)
    stacks, examples = [], fitted.examples()
    for network in range(networks):
        report("networks", network, networks)
        stacks.append(fit_stack(examples, seed=seed + network))
    report("networks", networks, networks)
    figures["seconds"] = round(time.perf_counter() - began, 1)
    training = Training(
        graph_version=snapshot.graph_version,
        questions=len(placed),
        origin=questions.origin,
        sha256=questions.sha256,
        seed=seed,
        figures=figures,
    )
    stack = replace(averaged(stacks), interaction=fitted.interaction())
    return Artifact(NAME, training, stack.arrays())


def described_structures(retriever: TripleRetriever, snapshot: Snapshot) -> Structures:
    """What interactions of tokens with the structures of `snapshot` are fitted with."""
    features, rows = structure_features(snapshot, retriever.encoder, None)
    relations = snapshot.relation_embeddings
    return Structures(
        features=features,
        rows=rows,
        relations=(relations - relations.mean(axis=0)).astype(np.float32),
        heads=snapshot.heads,
        tails=snapshot.tails,
        relation_of=snapshot.relation_of,
        encoder=retriever.encoder.identity,
    )


def read_samples(
    retriever: TripleRetriever,
    snapshot: Snapshot,
    placed: Sequence[PlacedQuestion],
    report: Report = lambda _step, _done, _total: None,
) -> list[Sample]:
    """Each question as the retriever reads it, in the order given."""
    samples = []
    for at in range(0, len(placed), _PIECE):
        report("questions", at, len(placed))
        piece = placed[at : at + _PIECE]
        stages = retriever.first_stages([item.question for item in piece], Filters(), tokens=True)
        samples += [
            _sample(retriever, snapshot, item, stage) for item, stage in zip(piece, stages, strict=True)
        ]
    report("questions", len(placed), len(placed))
    return samples


def _sample(
    retriever: TripleRetriever, snapshot: Snapshot, item: PlacedQuestion, stage: FirstStage
) -> Sample:
    asked, _ = retriever.ranking.inputs.make(stage)
    path = np.full((1, 3), -1, dtype=np.int64)
    # Of a longer question the last three hops.
    last = [int(step[0]) for step in item.steps][-3:]
    path[0, 3 - len(last) :] = last
    inputs, _ = retriever.ranking.inputs.make(stage, required=path)
    local = np.where(path >= 0, np.searchsorted(inputs.candidates, path), -1)
    gold = int(np.flatnonzero((inputs.paths == local).all(axis=1))[0])
    molecular = snapshot.relations[snapshot.relation_of[last[-1]]].kind == "MOLECULAR"
    ends = {int(end) for triple in item.gold for end in (snapshot.heads[triple], snapshot.tails[triple])}
    untrained = asked.features[:, FEATURES.index("untrained")]
    return Sample(
        example=Example(inputs, gold, len(last), molecular=molecular),
        asked=asked,
        gold=item.gold,
        entities=frozenset(ends),
        untrained=best_rank(asked.candidates, untrained, item.gold),
    )


def best_rank(candidates: NDArray[np.int64], scores: NDArray[np.floating], gold: NDArray[np.int64]) -> int:
    """The rank, from 1, of the first gold triple, ties by index; 0 when none is a candidate."""
    order = candidates[np.lexsort((candidates, -scores))]
    found = np.flatnonzero(np.isin(order, gold))
    return int(found[0]) + 1 if len(found) else 0


def reciprocal(ranks: Sequence[int]) -> float:
    """The mean of 1 / rank, 0 for rank 0."""
    return round(float(np.mean([1 / rank if rank else 0.0 for rank in ranks])), 4) if ranks else 0.0


def ranks_by(stack: Stack, samples: Sequence[Sample]) -> list[int]:
    """The rank of each question's first gold triple by `stack`."""
    return [
        best_rank(sample.asked.candidates, stack.rank(sample.asked).scores, sample.gold) for sample in samples
    ]


def averaged(stacks: Sequence[Stack]) -> Stack:
    """One stack whose scores of paths are the means of those of `stacks`: their networks side by side."""
    count = len(stacks)
    mean = {
        name: np.mean([getattr(stack, name) for stack in stacks], axis=0).astype(np.float32)
        for name in ("linear", "gains", "hops", "hops_bias", "kinds", "kinds_bias", "hop_scale", "hop_bias")
    }
    return replace(
        stacks[0],
        inner=np.concatenate([stack.inner for stack in stacks], axis=2),
        inner_bias=np.concatenate([stack.inner_bias for stack in stacks], axis=1),
        outer=(np.concatenate([stack.outer for stack in stacks], axis=1) / count).astype(np.float32),
        **mean,
    )


def _cross_validated(fitted: CrossFitted, seed: int, report: Report) -> dict[str, float]:
    ranks = [0] * len(fitted.samples)
    for fold in range(FOLDS):
        report("cross-validation", fold, FOLDS)
        stack = fit_stack(fitted.examples(fold), seed=seed)
        tested = np.flatnonzero(fitted.fold_of == fold).tolist()
        asked = fitted.asked([fitted.samples[at] for at in tested], fold)
        for at, rank in zip(tested, ranks_by(stack, asked), strict=True):
            ranks[at] = rank
    report("cross-validation", FOLDS, FOLDS)
    return {
        "cross_validated_mrr": reciprocal(ranks),
        "untrained_mrr": reciprocal([sample.untrained for sample in fitted.samples]),
    }


def split_by_entities(
    entities: Sequence[frozenset[int]], seed: int, share: float = HELD_OUT_ENTITIES
) -> tuple[list[int], list[int]]:
    """Indexes of questions without any held-out entity, and of those with none but held-out ones.

    A question with entities of both kinds is in neither.
    """
    every = np.array(sorted(set().union(*entities)), dtype=np.int64)
    held = set(np.random.default_rng(seed).permutation(every)[: int(share * len(every))].tolist())
    seen = [at for at, ends in enumerate(entities) if not ends & held]
    unseen = [at for at, ends in enumerate(entities) if ends <= held]
    return seen, unseen


def _unseen(
    samples: Sequence[Sample], retriever: TripleRetriever, structures: Structures, seed: int, report: Report
) -> dict[str, float]:
    """Questions none of whose gold entities occurs in the gold of any question trained on."""
    seen, unseen = split_by_entities([sample.entities for sample in samples], seed)
    if len(seen) < FEWEST_QUESTIONS or not unseen:
        return {}
    report("unseen entities", 0, 1)
    fitted = CrossFitted(
        [samples[at] for at in seen], retriever.ranking.inputs, structures, seed=seed, nested=False
    )
    stack = fit_stack(fitted.examples(), seed=seed)
    tested = fitted.asked([samples[at] for at in unseen])
    report("unseen entities", 1, 1)
    return {
        "unseen_questions": float(len(unseen)),
        "unseen_mrr": reciprocal(ranks_by(stack, tested)),
        "unseen_untrained_mrr": reciprocal([sample.untrained for sample in tested]),
    }
