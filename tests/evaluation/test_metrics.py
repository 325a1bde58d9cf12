"""The measures against cases worked out by hand."""

import math

import ir_measures
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.benchmark import group_rows
from evaluation.metrics import Ranking, estimate, gold_ranks, judged_order, measure_names, percentile, score
from evaluation.questions import Gold, Question


def ranking(*keys: str) -> Ranking:
    return Ranking(keys, tuple(1 / rank for rank in range(1, len(keys) + 1)))


def measured(gold: set[str], given: Ranking | None, depth: int = 100) -> dict[str, float]:
    rankings = {} if given is None else {"q": given}
    return dict(zip(measure_names(depth), score({"q": gold}, rankings, depth=depth)[0], strict=True))


def test_one_gold_triple_at_rank_three() -> None:
    found = measured({"c"}, ranking("a", "b", "c", "d"))
    assert found["hard@5"] == found["soft@5"] == found["recall@5"] == 1.0
    assert found["mrr"] == pytest.approx(1 / 3)
    assert found["precision@5"] == pytest.approx(1 / 5)


def test_two_gold_triples_at_ranks_two_and_seven() -> None:
    found = measured({"b", "g"}, ranking(*"abcdefgh"))
    assert (found["hard@5"], found["soft@5"], found["recall@5"]) == (0.0, 1.0, 0.5)
    assert (found["hard@10"], found["soft@10"], found["recall@100"]) == (1.0, 1.0, 1.0)
    assert found["mrr"] == pytest.approx(1 / 2)


def test_three_gold_triples_of_which_one_is_not_in_the_graph() -> None:
    found = measured({"a", "b", "nowhere"}, ranking("a", "b", "c"))
    assert found["recall@5"] == pytest.approx(2 / 3)
    assert found["precision@5"] == pytest.approx(2 / 5)
    assert (found["hard@15"], found["soft@5"], found["mrr"]) == (0.0, 1.0, 1.0)


def test_cutoffs_count_the_rank_itself() -> None:
    for k in (5, 10, 15):
        inside = ranking(*(f"x{n}" for n in range(k - 1)), "gold")
        outside = ranking(*(f"x{n}" for n in range(k)), "gold")
        assert measured({"gold"}, inside)[f"hard@{k}"] == measured({"gold"}, inside)[f"soft@{k}"] == 1.0
        assert measured({"gold"}, outside)[f"hard@{k}"] == measured({"gold"}, outside)[f"soft@{k}"] == 0.0


@pytest.mark.parametrize("given", [None, Ranking((), ()), ranking("other")])
def test_a_question_without_an_answer_counts_zero(given: Ranking | None) -> None:
    assert set(measured({"a"}, given).values()) == {0.0}


def test_a_missing_question_stays_in_the_mean() -> None:
    values = score({"q": {"a"}, "z": {"b"}}, {"q": ranking("a")}, depth=100)
    means = dict(zip(measure_names(100), estimate(values), strict=True))
    assert means["mrr"].mean == means["hard@5"].mean == 0.5


def test_a_constant_scorer_gains_nothing_by_ties() -> None:
    keys = tuple(f"t{n}" for n in range(20))
    constant = Ranking(keys, (1.0,) * 20)
    for gold in ("t0", "t19"):
        found = measured({gold}, constant)
        assert found["mrr"] == pytest.approx(1 / 20)
        assert found["soft@15"] == 0.0
    assert constant.ties == 19


def test_a_tie_above_the_gold_costs_nothing_below_it() -> None:
    tied = Ranking(("gold", "a", "b", "c"), (2.0, 2.0, 1.0, 0.5))
    assert measured({"gold"}, tied)["mrr"] == pytest.approx(1 / 2)


def test_a_repeated_hit_takes_its_rank_and_is_not_gold_again() -> None:
    found = measured({"a", "b"}, ranking("a", "a", "a", "a", "a", "b"))
    assert (found["recall@5"], found["precision@5"]) == (0.5, pytest.approx(1 / 5))
    assert (found["hard@5"], found["hard@10"]) == (0.0, 1.0)
    assert gold_ranks(ranking("a", "a", "b"), {"a", "b", "c"}) == {"a": 1, "b": 3, "c": None}


def test_scores_that_differ_less_than_single_precision_keep_their_order() -> None:
    # trec_eval keeps scores in single precision, where these two would tie and "z" would win.
    close = Ranking(("a", "z"), (1.0 + 1e-12, 1.0))
    assert measured({"a"}, close)["mrr"] == 1.0


def test_a_ranking_whose_scores_rise_or_are_no_numbers_is_refused() -> None:
    for scores in ((1.0, 2.0), (1.0, math.nan)):
        with pytest.raises(ValueError, match="rises"):
            Ranking(("a", "b"), scores)


def test_a_question_without_gold_cannot_be_scored() -> None:
    with pytest.raises(ValueError, match="q2"):
        score({"q1": {"a"}, "q2": set()}, {}, depth=100)


@given(
    st.lists(st.tuples(st.sampled_from("abcdefgh"), st.integers(0, 3)), max_size=25),
    st.sets(st.sampled_from("abcdefghi"), min_size=1, max_size=4),
)
def test_measures_agree_with_a_plain_reading_of_the_judged_order(
    hits: list[tuple[str, int]], gold: set[str]
) -> None:
    hits.sort(key=lambda hit: -hit[1])
    given_ranking = Ranking(tuple(key for key, _ in hits), tuple(float(value) for _, value in hits))
    order = judged_order(given_ranking, gold)
    assert len(set(order)) == len(hits)
    found = measured(gold, given_ranking)
    for k in (5, 10, 15):
        assert found[f"hard@{k}"] == float(gold <= set(order[:k]))
        assert found[f"soft@{k}"] == float(bool(gold & set(order[:k])))
    assert found["recall@5"] == pytest.approx(len(gold & set(order[:5])) / len(gold))
    assert found["precision@5"] == pytest.approx(len(gold & set(order[:5])) / 5)
    first = next((rank for rank, key in enumerate(order, start=1) if key in gold), None)
    assert found["mrr"] == pytest.approx(1 / first if first else 0.0)


def test_ir_measures_itself_would_be_fooled_by_a_constant_scorer() -> None:
    # The reason for judged_order: by document id, descending, "z" comes first although nothing says so.
    fooled = ir_measures.calc_aggregate(
        [ir_measures.RR], {"q": {"z": 1}}, {"q": dict.fromkeys("abcxyz", 1.0)}
    )
    assert fooled[ir_measures.RR] == 1.0
    assert measured({"z"}, Ranking(tuple("abcxyz"), (1.0,) * 6))["mrr"] == pytest.approx(1 / 6)


def test_the_interval_holds_the_mean_repeats_itself_and_narrows() -> None:
    few, many = np.tile([[0.0], [1.0]], (10, 1)), np.tile([[0.0], [1.0]], (500, 1))
    (narrow,), (wide,) = estimate(many), estimate(few)
    assert estimate(few) == [wide]
    assert wide.low < wide.mean == 0.5 < wide.high
    # The normal approximation of a mean of 20 coin flips: 0.5 ± 1.96 · 0.5 / √20.
    assert wide.high - wide.low == pytest.approx(2 * 1.96 * 0.5 / math.sqrt(20), rel=0.2)
    assert narrow.high - narrow.low < (wide.high - wide.low) / 4
    assert estimate(np.ones((7, 1)))[0].low == 1.0
    with pytest.raises(ValueError, match="no questions"):
        estimate(np.empty((0, 1)))


def test_percentiles_are_values_that_were_measured() -> None:
    values = [float(n) for n in range(1, 101)]
    assert (percentile(values, 0.5), percentile(values, 0.99)) == (50.0, 99.0)
    assert percentile([7.0], 0.99) == 7.0


def test_groups_hold_the_questions_they_name() -> None:
    questions = [
        Question("q1", "?", (Gold.of("A", "r", "B"),), 1, "molecule"),
        Question("q2", "?", (Gold.of("A", "r", "C"), Gold.of("C", "r", "D")), 2, "protein text"),
        Question("q3", "?", (Gold.of("E", "r", "F"),), 1, "drug text"),
        Question(
            "q4",
            "?",
            (
                Gold(
                    "joined",
                ),
            ),
            None,
            None,
        ),
    ]
    assert group_rows(questions, seen=frozenset("ABC")) == {
        "all": [0, 1, 2, 3],
        "1 hop": [0, 2],
        "2 hops": [1],
        "text": [1, 2],
        "text, drugs only": [2],
        "text, protein": [1],
        "molecule": [0],
        "seen entities": [0],
        "partly seen": [1],
        "unseen entities": [2],
    }
