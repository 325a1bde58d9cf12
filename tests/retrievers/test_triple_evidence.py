"""The numeric core against slow, obvious references."""

from collections import Counter
from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from retrievers.score_order import strictly_decreasing
from retrievers.triple.chemistry import SUM_SHARE, Claim, claim_rows
from retrievers.triple.evidence import Ends, Rows, crossed_scores, cut_scores, pair_scores, top_candidates
from retrievers.triple.lexical import TermIndex
from retrievers.triple.relations import RelationMatch
from retrievers.triple.scores import Evidence, Totals, candidate_terms, weighted_parts

weights = st.floats(0, 8, width=32)


@given(
    arrays(np.float32, st.tuples(st.integers(0, 7), st.just(6)), elements=weights),
    st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8)), min_size=1, max_size=5),
)
def test_pairs_and_cuts_are_what_they_say(spoken, triples):
    every = np.zeros((len(spoken), 9), dtype=np.float32)
    every[:, 2:8] = spoken
    heads, tails = np.array(triples, dtype=np.int32).T
    ends = Ends.of(heads, tails, 9)
    assert ends.entities.tolist() == sorted({end for triple in triples for end in triple})
    matrix = every[:, ends.entities]
    pairs, (head_first, tail_first) = pair_scores(matrix, ends), cut_scores(matrix, ends)
    for row, ends_of in enumerate(triples):
        head, tail = every[:, ends_of].T.tolist()
        assert pairs[row] == pytest.approx(sum(map(max, head, tail)), abs=1e-3)
        cuts = range(len(head) + 1)
        assert head_first[row] == pytest.approx(max(sum(head[:c]) + sum(tail[c:]) for c in cuts), abs=1e-3)
        assert tail_first[row] == pytest.approx(max(sum(tail[:c]) + sum(head[c:]) for c in cuts), abs=1e-3)


@given(
    arrays(np.float32, st.tuples(st.integers(0, 7), st.just(12)), elements=weights),
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=5),
)
def test_a_crossed_cut_gives_one_end_its_text_and_the_other_its_structure(spoken, triples):
    told, built = spoken[:, :6], spoken[:, 6:]
    ends = Ends.of(*np.array(triples, dtype=np.int32).T, 6)
    found = crossed_scores(told[:, ends.entities], built[:, ends.entities], ends)
    for row, pair in enumerate(triples):
        cuts = [
            first[:cut].sum() + second[cut:].sum()
            for one, other in (pair, pair[::-1])
            for first, second in ((told[:, one], built[:, other]), (built[:, other], told[:, one]))
            for cut in range(len(spoken) + 1)
        ]
        assert found[row] == pytest.approx(max(cuts), abs=1e-3)


@given(st.lists(st.dictionaries(st.integers(0, 5), st.floats(0.125, 8, width=32), max_size=6), max_size=6))
def test_every_unit_has_a_row(units):
    rows = Rows.of(
        [
            (np.array(sorted(unit), np.int32), np.array([unit[e] for e in sorted(unit)], np.float32))
            for unit in units
        ]
    )
    ends = Ends.of(np.array([0, 2], np.int32), np.array([5, 2], np.int32), 6)
    expected = [[unit.get(entity, 0.0) for entity in (0, 2, 5)] for unit in units]
    assert ends.every_unit(rows).tolist() == expected


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_a_named_pair_outweighs_a_relation_that_fits_other_facts(share):
    """How do the molecules of A and B interact? A has a "stacking interaction", but not with B."""
    nothing = Rows.of([])
    ones, fits_second = np.ones(2, np.float32), np.array([0, 1], np.float32)
    evidence = Evidence(
        text=nothing,
        structure=nothing,
        caption=nothing,
        sentence=np.zeros(3, np.float32),
        clauses=np.zeros((0, 3), np.float32),
        shares=np.zeros(0, np.float32),
        relation=RelationMatch(words=fits_second, closeness=fits_second, exact=fits_second, kind=ones),
        named=np.array([0.9, 0.9, 0], np.float32),
        directness=1.0,
        units=6,
    )
    heads, tails = np.array([0, 0], np.int32), np.array([1, 2], np.int32)
    terms = candidate_terms(evidence, Totals.of(evidence), heads, tails, np.array([0, 1], np.int32))
    pair, other = np.sum(list(weighted_parts(terms, share).values()), axis=0)
    assert pair > other


@given(st.lists(st.dictionaries(st.integers(0, 5), st.floats(0.125, 8, width=32), max_size=6), max_size=6))
def test_rows_are_their_dense_matrix(units):
    rows = Rows.of(
        [(np.array(list(unit), dtype=np.int32), np.array(list(unit.values()), np.float32)) for unit in units]
    )
    full = np.zeros((6, len(units)), dtype=np.float32)
    for column, unit in enumerate(units):
        for entity, weight in unit.items():
            full[entity, column] = weight
    assert np.allclose(rows.totals(6), full.sum(axis=1), atol=1e-3)
    places = np.array([1, -1, 0, -1, 2, -1], dtype=np.int32)
    filled = [column for column, unit in enumerate(units) if unit]
    assert np.array_equal(rows.dense(places, 3), full[[2, 0, 4]][:, filled].T)


@given(
    st.lists(st.sampled_from("abcde"), max_size=8),
    st.lists(st.lists(st.sampled_from("abcde"), max_size=9), min_size=1, max_size=6),
)
def test_bm25_is_the_formula(query, documents):
    k1, b = 1.2, 0.75
    filled = [document for document in documents if document] or [["x"]]
    mean = sum(map(len, filled)) / len(filled)
    scores = TermIndex(documents, k1=k1, b=b).scores(query)
    for document, score in zip(documents, scores, strict=True):
        counts, expected = Counter(document), 0.0
        for term in query:
            holders = sum(term in other for other in documents)
            rarity = log(1 + (len(filled) - holders + 0.5) / (holders + 0.5))
            norm = k1 * (1 - b + b * len(document) / mean)
            expected += rarity * counts[term] * (k1 + 1) / (counts[term] + norm) if counts[term] else 0
        assert score == pytest.approx(expected, abs=1e-4)


@given(
    st.lists(
        st.tuples(
            st.sets(st.integers(0, 3), min_size=1), st.dictionaries(st.integers(0, 4), weights, min_size=1)
        ),
        max_size=5,
    )
)
def test_claims_give_the_best_and_a_fifth_of_the_sum(claims):
    rows = claim_rows(
        [
            Claim(tuple(units), np.array(list(held), np.int32), np.array(list(held.values()), np.float32))
            for units, held in claims
        ],
        4,
    )
    places = np.arange(5, dtype=np.int32)
    filled = [unit for unit in range(4) if any(unit in units for units, _ in claims)]
    dense = rows.dense(places, 5).T
    for column, unit in enumerate(filled):
        for entity in range(5):
            found = [held[entity] for units, held in claims if unit in units and entity in held]
            expected = max(found) + SUM_SHARE * sum(found) if found else 0
            assert dense[entity, column] == pytest.approx(expected, abs=1e-3)


@given(
    arrays(np.float32, st.integers(1, 30), elements=st.sampled_from([0.0, 0.5, 1.0, 2.0])), st.integers(1, 35)
)
def test_top_candidates_are_the_best_with_ties_by_index(scores, count):
    chosen = sorted(top_candidates(scores, count))
    assert chosen == sorted(sorted(range(len(scores)), key=lambda at: (-scores[at], at))[:count])


@given(st.lists(st.sampled_from([3.0, 2.0, 2.0, 1.5, 0.0, -1.0]), min_size=1))
def test_scores_decrease_strictly_and_hardly_move(values):
    given_scores = np.array(sorted(values, reverse=True))
    scores = strictly_decreasing(given_scores)
    assert (np.diff(scores) < 0).all()
    assert np.allclose(scores, given_scores)
