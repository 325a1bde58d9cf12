"""What each part of the triple score is worth: questions ranked again and again, each time without one part.

    python -m retrievers.triple.ablation --questions validation.csv

Reads the loaded graph and the trained ranking, where there is one, and changes nothing. Nothing is
trained anew without a part: the table says what the model as it is owes to each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import BioMolKGError, InputError
from biomolkg.settings import load_settings
from cypher.client import connect
from retrievers.artifacts import load_artifact
from retrievers.hits import Filters
from retrievers.snapshot import Snapshot, read_snapshot
from retrievers.training_questions import PlacedQuestion, place_questions, read_training_questions
from retrievers.triple.evidence import Rows
from retrievers.triple.relations import RelationMatch
from retrievers.triple.retriever import MOLECULAR, PLAIN, TripleRetriever
from retrievers.triple.scores import (
    Evidence,
    Totals,
    additive_scores,
)
from retrievers.triple.trained.ranker import FirstStage
from retrievers.triple.trained.stack import Stack

NOTHING = "nothing"
Order = NDArray[np.int64]


def _no_text(evidence: Evidence) -> Evidence:
    return replace(evidence, text=_no_rows(evidence.text))


def _no_sentence(evidence: Evidence) -> Evidence:
    return replace(evidence, sentence=np.zeros_like(evidence.sentence))


def _no_clauses(evidence: Evidence) -> Evidence:
    return replace(evidence, clauses=evidence.clauses[:0], shares=evidence.shares[:0])


def _no_structure(evidence: Evidence) -> Evidence:
    return replace(evidence, structure=_no_rows(evidence.structure))


def _no_caption(evidence: Evidence) -> Evidence:
    return replace(evidence, caption=_no_rows(evidence.caption))


def _no_relation(evidence: Evidence) -> Evidence:
    match = evidence.relation
    nothing = [np.zeros_like(view) for view in (match.words, match.closeness, match.exact, match.kind)]
    return replace(evidence, relation=RelationMatch(*nothing))


def _no_rows(rows: Rows) -> Rows:
    return Rows(np.zeros_like(rows.starts), rows.entities[:0], rows.weights[:0])


EVIDENCE: Mapping[str, Callable[[Evidence], Evidence]] = {
    "words of texts and names": _no_text,
    "nearest sentence": _no_sentence,
    "clauses": _no_clauses,
    "fragments of structures": _no_structure,
    "captions": _no_caption,
    "relation": _no_relation,
}
TERMS: Mapping[str, frozenset[str]] = {
    "cuts": frozenset({"text_split", "structure_split"}),
    "pairs": frozenset({"text_pair", "structure_pair", "caption_pair", "clause_pair"}),
}
# In place of the choice between texts and structures.
SHARES: Mapping[str, float] = {"choice: all are about texts": 0.0, "choice: all are about structures": 1.0}


def _no_longer_paths(stack: Stack) -> Stack:
    hop_bias = stack.hop_bias.copy()
    hop_bias[1:] = -60
    return replace(stack, hop_bias=hop_bias)


def _without(*names: str) -> Callable[[Stack], Stack]:
    return lambda stack: replace(stack, **{name: np.zeros_like(getattr(stack, name)) for name in names})


STACK: Mapping[str, Callable[[Stack], Stack]] = {
    "tokens against structures": lambda stack: replace(stack, interaction=None),
    "longer paths": _no_longer_paths,
    "what a path covers": _without("gains"),
    "network": _without("outer"),
    "wording: hops": _without("hops", "hops_bias"),
    "wording: structures or texts": _without("kinds", "kinds_bias"),
}


@dataclass(frozen=True, slots=True)
class Figures:
    """MRR of the first gold triple: of all questions, of those about texts and about structures; hits at 5.

    hard: all gold triples are among the first five; soft: any is.
    """

    mrr: float
    text: float
    molecular: float
    hard: float
    soft: float


def changed_stage(
    snapshot: Snapshot,
    stage: FirstStage,
    *,
    change: Callable[[Evidence], Evidence] | None = None,
    share: float | None = None,
) -> FirstStage:
    """The first stage as it is with other evidence, or another share of structures than the question's."""
    evidence = change(stage.evidence) if change else stage.evidence
    totals, share = Totals.of(evidence), stage.share if share is None else share
    ends = snapshot.heads[stage.allowed], snapshot.tails[stage.allowed]
    scores = additive_scores(evidence, totals, share, ends, snapshot.relation_of[stage.allowed])
    return replace(stage, evidence=evidence, totals=totals, share=share, scores=scores)


def figures(snapshot: Snapshot, placed: Sequence[PlacedQuestion], orders: Sequence[Order]) -> Figures:
    """What the rankings of questions reach; 0 for a gold triple that is no hit."""
    reciprocal, hard, soft, molecular = [], [], [], []
    for item, order in zip(placed, orders, strict=True):
        ranks = [np.flatnonzero(np.isin(order, step)) for step in item.steps]
        firsts = [int(found[0]) + 1 if len(found) else 0 for found in ranks]
        best = min((rank for rank in firsts if rank), default=0)
        reciprocal.append(1 / best if best else 0.0)
        hard.append(all(0 < rank <= 5 for rank in firsts))
        soft.append(0 < best <= 5)
        relation = snapshot.relations[snapshot.relation_of[item.gold[0]]]
        molecular.append(relation.kind == MOLECULAR)
    values, about = np.array(reciprocal), np.array(molecular)
    return Figures(
        mrr=float(values.mean()),
        text=float(values[~about].mean()) if not about.all() else float("nan"),
        molecular=float(values[about].mean()) if about.any() else float("nan"),
        hard=float(np.mean(hard)),
        soft=float(np.mean(soft)),
    )


def ablate(
    retriever: TripleRetriever, snapshot: Snapshot, placed: Sequence[PlacedQuestion], stack: Stack | None
) -> dict[tuple[str, str], Figures]:
    """(`untrained` or `trained`, what is left out) -> figures."""
    found: dict[tuple[str, str], Figures] = {}

    def add(
        model: str, stages: Sequence[FirstStage], orders: Mapping[str, Callable[[FirstStage], Order]]
    ) -> None:
        for part, order in orders.items():
            found[model, part] = figures(snapshot, placed, [order(stage) for stage in stages])
            sys.stderr.write(f"{model}: without {part}\n")

    ranking, other = retriever.ranking, partial(changed_stage, snapshot)

    def untrained(stage: FirstStage, *, without: frozenset[str] = frozenset()) -> Order:
        return ranking.untrained(stage, without=without).triples

    def trained(stage: FirstStage, *, stack: Stack) -> Order:
        if stage.evidence.directness >= PLAIN:
            return untrained(stage)
        return ranking.trained(stage, stack).triples

    def composed(**changed: Any) -> Callable[[FirstStage], Order]:
        return lambda stage: untrained(other(stage, **changed))

    orders: dict[str, Callable[[FirstStage], Order]] = {NOTHING: untrained}
    orders |= {part: composed(change=change) for part, change in EVIDENCE.items()}
    orders |= {part: partial(untrained, without=terms) for part, terms in TERMS.items()}
    orders |= {part: composed(share=share) for part, share in SHARES.items()}
    add("untrained", _read(retriever, placed, tokens=False), orders)
    if stack is not None:
        changed = {part: partial(trained, stack=change(stack)) for part, change in STACK.items()}
        # A trained ranking reads more of some questions.
        stages = _read(retriever, placed, tokens=stack.interaction is not None)
        add("trained", stages, {NOTHING: partial(trained, stack=stack), **changed})
    return found


def _read(retriever: TripleRetriever, placed: Sequence[PlacedQuestion], *, tokens: bool) -> list[FirstStage]:
    stages = []
    for at, item in enumerate(placed, 1):
        stages += retriever.first_stages([item.question], Filters(), tokens=tokens)
        sys.stderr.write(f"\rReading questions: {at} of {len(placed)}")
    sys.stderr.write("\n")
    return stages


def table(found: Mapping[tuple[str, str], Figures]) -> str:
    """The figures as a table in Markdown."""
    lines = ["| model | left out | MRR | text | molecular | hard/soft@5 |", "|---|---|---|---|---|---|"]
    for (model, part), row in found.items():
        cells = (f"{value:.3f}" for value in (row.mrr, row.text, row.molecular))
        lines.append(f"| {model} | {part} | {' | '.join(cells)} | {row.hard:.2f}/{row.soft:.2f} |")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table for the loaded graph."""
    parser = argparse.ArgumentParser(
        prog="python -m retrievers.triple.ablation",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--questions", type=Path, required=True, help="question file with gold triples")
    given = parser.parse_args(arguments)
    try:
        settings = load_settings()
        asked = read_training_questions([given.questions])
        with connect(settings) as client:
            snapshot = read_snapshot(client)
        placed, missing = place_questions(asked.questions, snapshot)
        if not placed:
            raise InputError(
                f"{given.questions}: the graph has the whole gold of no question of {len(asked.questions)}.",
                remedy="Load the graph that they are about.",
            )
        retriever = TripleRetriever(snapshot, SentenceEncoder(settings), settings)
        try:
            model = load_artifact(settings.home, retriever.name, graph_version=snapshot.graph_version)
            stack = None if model is None else Stack.of(model.arrays)
            found = ablate(retriever, snapshot, placed, stack)
        finally:
            retriever.close()
    except BioMolKGError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    sys.stdout.write(
        f"{len(placed)} questions; {len(missing)} whose gold is not all in the graph left out.\n\n"
    )
    sys.stdout.write(table(found) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
