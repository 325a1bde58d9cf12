"""What the ablation table measures, on the small graph."""

import numpy as np
import pytest

from biomolkg.settings import load_settings
from retrievers.hits import Filters
from retrievers.training_questions import TrainingQuestion, place_questions
from retrievers.triple import TripleRetriever
from retrievers.triple.ablation import (
    EVIDENCE,
    NOTHING,
    SHARES,
    TERMS,
    ablate,
    changed_stage,
    figures,
    table,
)
from tests.retrievers.small import small_snapshot

ABOUT_TEXTS = TrainingQuestion(
    "Which side effect has what slows the loss of bone with what calms anxiety?",
    (("Alendronic acid", "Back Ache", "Diazepam"),),
)
ABOUT_STRUCTURES = TrainingQuestion(
    "A naphthalene with a carboxylic acid stacks its rings on a benzodiazepine: by what?",
    (("Naproxen", "π-π Stacking", "Diazepam"),),
)


@pytest.fixture(scope="module")
def small(tmp_path_factory, encoder):
    snapshot = small_snapshot(encoder)
    retriever = TripleRetriever(snapshot, encoder, load_settings(home=tmp_path_factory.mktemp("home")))
    yield snapshot, retriever
    retriever.close()


def test_each_part_is_missed_where_it_is_all_there_is(small):
    snapshot, retriever = small
    placed, missing = place_questions([ABOUT_TEXTS, ABOUT_STRUCTURES], snapshot)
    assert not missing
    found = ablate(retriever, snapshot, placed, None)
    assert set(found) == {("untrained", part) for part in (NOTHING, *EVIDENCE, *TERMS, *SHARES)}
    whole = found["untrained", NOTHING]
    assert (whole.mrr, whole.text, whole.molecular, whole.soft) == (1, 1, 1, 1)
    assert found["untrained", "words of texts and names"].molecular == 1
    lines = table(found).splitlines()
    assert len(lines) == 2 + len(found)
    assert lines[2] == "| untrained | nothing | 1.000 | 1.000 | 1.000 | 1.00/1.00 |"


def test_the_rows_leave_out_all_evidence_there_is(small):
    snapshot, retriever = small
    for item in (ABOUT_TEXTS, ABOUT_STRUCTURES):
        (stage,) = retriever.first_stages([item.question], Filters())
        (result,) = retriever.retrieve([item.question], k=20, filters=Filters())
        assert len(retriever.ranking.untrained(changed_stage(snapshot, stage)).triples) == len(result.hits)
        bare = stage.evidence
        for without in EVIDENCE.values():
            bare = without(bare)
        stage = changed_stage(snapshot, stage, change=lambda _, bare=bare: bare)
        assert len(retriever.ranking.untrained(stage).triples) == 0


def test_figures_by_hand(small):
    snapshot, _ = small
    path = TrainingQuestion(
        "?", (("Alendronic acid", "Back Ache", "Diazepam"), ("Diazepam", "erythema", "Trazodone"))
    )
    placed, _ = place_questions([path, ABOUT_STRUCTURES, ABOUT_TEXTS], snapshot)
    first, second = (int(step[0]) for step in placed[0].steps)
    (gold,) = placed[1].gold
    others = [at for at in range(8) if at not in {first, second, gold}]
    orders = [
        np.array([others[0], second, first]),
        np.array([*others, gold]),
        np.array([], dtype=np.int64),
    ]
    found = figures(snapshot, placed, orders)
    assert found.mrr == pytest.approx((1 / 2 + 1 / 6 + 0) / 3)
    assert (found.text, found.molecular) == pytest.approx((1 / 4, 1 / 6))
    assert (found.hard, found.soft) == pytest.approx((1 / 3, 1 / 3))
