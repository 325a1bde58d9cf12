"""The trained ranking: each fast path against a slow, obvious one, and what training is worth."""

import itertools
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import InputError, ModelError
from biomolkg.settings import load_settings
from retrievers.artifacts import Artifact, Training, load_artifact, save_artifact
from retrievers.hits import Filters
from retrievers.training_questions import (
    TrainingQuestion,
    TrainingSet,
    place_questions,
    read_training_questions,
)
from retrievers.triple import TripleRetriever
from retrievers.triple.evidence import Ends
from retrievers.triple.scores import Totals
from retrievers.triple.trained import training
from retrievers.triple.trained.cross_fitting import CrossFitted
from retrievers.triple.trained.features import FEATURES, GAINS, LEARNED, path_gains
from retrievers.triple.trained.interaction import Interaction
from retrievers.triple.trained.interaction_fitting import fit_interaction
from retrievers.triple.trained.paths import Arrivals, find_paths, path_marginals
from retrievers.triple.trained.stack import ASKED, HOPS, ROLES, Inputs, Stack, asked_features
from retrievers.triple.trained.training import (
    averaged,
    best_rank,
    described_structures,
    ranks_by,
    read_samples,
    reciprocal,
    split_by_entities,
    train,
)
from retrievers.triple.trained.wording import BUCKETS, Wording
from tests.retrievers.published import published_snapshot
from tests.retrievers.small import small_snapshot


@st.composite
def graphs(draw):
    """Heads, tails, families and scores of up to 12 triples between 5 entities; some are not allowed."""
    size = draw(st.integers(1, 12))
    column = st.lists(st.integers(0, 4), min_size=size, max_size=size)
    heads, tails = (np.array(draw(column), dtype=np.int32) for _ in range(2))
    family = np.array(draw(st.lists(st.integers(0, 1), min_size=size, max_size=size)), dtype=np.int8)
    levels = st.sampled_from([-np.inf, 0.0, 0.5, 1.0, 2.0])
    scores = np.array(draw(st.lists(levels, min_size=size, max_size=size)), dtype=np.float32)
    return heads, tails, family, scores


def all_paths(heads, tails, family, scores, lasts, beam, crowd):
    """The definition, written as loops."""

    def before(triple, barred, width):
        ending = [other for other in range(len(heads)) if tails[other] == heads[triple]]
        fit = [
            other
            for other in sorted(ending, key=lambda other: (-scores[other], other))[:crowd]
            if family[other] == family[triple] and scores[other] > -np.inf and heads[other] not in barred
        ]
        return sorted(fit, key=lambda other: (-scores[other], other))[:width]

    two, three = [], []
    for last in lasts[: beam[0]]:
        if heads[last] == tails[last]:
            continue
        for middle in before(last, (tails[last], heads[last]), beam[1]):
            two.append((-1, middle, last))
            barred = (tails[last], heads[last], heads[middle])
            three += [(first, middle, last) for first in before(middle, barred, beam[2])]
    return sorted(two + three)


@given(
    graphs(), st.tuples(st.integers(1, 12), st.integers(1, 4), st.integers(1, 4)), st.sampled_from([2, 50])
)
def test_paths_are_those_of_the_definition(graph, beam, crowd):
    heads, tails, family, scores = graph
    lasts = np.lexsort((np.arange(len(heads)), -scores))
    lasts = lasts[scores[lasts] > -np.inf]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("retrievers.triple.trained.paths.CROWD", crowd)
        found = find_paths(Arrivals.of(heads, tails, family, 5), lasts, scores, beam)
    expected = all_paths(heads, tails, family, scores, lasts.tolist(), beam, crowd)
    assert sorted(map(tuple, found.tolist())) == expected


@given(
    st.lists(
        st.tuples(st.integers(-1, 4), st.integers(-1, 4), st.integers(0, 4), st.floats(-30, 30)), max_size=9
    )
)
def test_marginals_are_sums_over_paths(rows):
    paths = np.array([row[:3] for row in rows], dtype=np.int64).reshape(-1, 3)
    logits = np.array([row[3] for row in rows], dtype=np.float64)
    found = path_marginals(logits, paths, 5)
    total = sum(math.exp(value) for value in logits)
    for triple in range(5):
        # A triple that is twice on a path counts twice; real paths meet no entity twice.
        share = sum(math.exp(z) * row.tolist().count(triple) for z, row in zip(logits, paths, strict=True))
        if share:
            assert found[triple] == pytest.approx(math.log(share / total), abs=1e-6)
        else:
            assert found[triple] < -700


def random_stack(seed, width=5):
    random = np.random.default_rng(seed)

    def normal(*shape):
        return random.normal(0, 0.3, shape).astype(np.float32)

    return Stack(
        linear=normal(2, len(FEATURES), 4),
        inner=normal(2, len(FEATURES) + len(ASKED), width),
        inner_bias=normal(2, width),
        outer=normal(2, width, 4),
        gains=normal(2, len(GAINS)),
        hops=normal(BUCKETS, HOPS),
        hops_bias=normal(HOPS),
        kinds=normal(BUCKETS),
        kinds_bias=normal(1),
        hop_scale=normal(1),
        hop_bias=normal(HOPS),
    )


def random_inputs(seed, count=7):
    random = np.random.default_rng(seed)
    single = np.stack([np.full(count, -1), np.full(count, -1), np.arange(count)], axis=1)
    longer = np.array([[-1, 2, 0], [3, 2, 0], [4, 1, 5]])
    paths = np.concatenate([single, longer])
    return Inputs(
        candidates=np.arange(count) * 3,
        features=random.normal(0, 1, (count, len(FEATURES))).astype(np.float32),
        paths=paths,
        gains=random.uniform(0, 1, (len(paths), len(GAINS))).astype(np.float32),
        wording=Wording.of("Which drug, used for sleep, is linked with one for pain?"),
        share=float(random.uniform(0.05, 0.95)),
        words=11,
    )


def slow_logits(stack, inputs):
    """One path at a time."""
    gate, worded = stack.structure_share(inputs)
    logs = stack.hop_logs(inputs.wording)
    asked = asked_features(gate, inputs.words, logs, worded)
    roles = []
    for row in inputs.features:
        score = np.zeros(4)
        for kind, weight in ((0, 1 - gate), (1, gate)):
            hidden = np.maximum(np.concatenate([row, asked]) @ stack.inner[kind] + stack.inner_bias[kind], 0)
            score += weight * (row @ stack.linear[kind] + hidden @ stack.outer[kind])
        roles.append(dict(zip(ROLES, score, strict=True)))
    logits = []
    for (first, middle, last), gains in zip(inputs.paths.tolist(), inputs.gains, strict=True):
        hops = 1 + (middle >= 0) + (first >= 0)
        if hops == 1:
            worth = roles[last]["only"]
        elif hops == 2:
            worth = roles[last]["last"] + roles[middle]["first"]
        else:
            worth = roles[last]["last"] + roles[middle]["middle"] + roles[first]["first"]
        worth += gains @ ((1 - gate) * stack.gains[0] + gate * stack.gains[1])
        logits.append(worth + stack.hop_scale[0] * logs[hops - 1] + stack.hop_bias[hops - 1])
    return np.array(logits)


@pytest.mark.parametrize("seed", range(3))
def test_a_stack_scores_paths_one_by_one_and_its_parts_sum_to_the_score(seed):
    stack, inputs = random_stack(seed), random_inputs(seed)
    expected = path_marginals(slow_logits(stack, inputs), inputs.paths, len(inputs.candidates))
    ranked = stack.rank(inputs, explain=True)
    assert np.allclose(ranked.scores, expected, atol=1e-4)
    assert np.allclose(np.sum(list(ranked.parts.values()), axis=0), ranked.scores, atol=1e-9)
    assert np.array_equal(stack.rank(inputs).scores, ranked.scores)


def test_averaged_stacks_score_a_path_with_the_mean():
    inputs = random_inputs(3)
    # What wording says is averaged before it is read, so only stacks that agree on it average exactly.
    names = ("hops", "hops_bias", "kinds", "kinds_bias", "hop_scale", "hop_bias")
    common = {name: getattr(random_stack(0), name) for name in names}
    plain = [replace(random_stack(seed), **common) for seed in (1, 2, 3)]
    mean = np.mean([slow_logits(stack, inputs) for stack in plain], axis=0)
    assert np.allclose(slow_logits(averaged(plain), inputs), mean, atol=1e-4)


def test_gains_count_each_word_once():
    random = np.random.default_rng(5)
    matrices = {
        view: random.uniform(0, 1, (3, 4)).astype(np.float32)
        for view in ("text", "structure", "caption", "clause")
    }
    ends = Ends.of(np.array([1, 0, 2], np.int32), np.array([2, 1, 3], np.int32), 4)
    shares = np.zeros(4, dtype=np.float32)
    totals = Totals(shares, shares, shares, {"text": 2.0, "structure": 4.0, "caption": 0.0})
    paths = np.array([[-1, -1, 2], [-1, 0, 2], [1, 0, 2]])
    found = path_gains(matrices, totals, ends, paths)
    assert not found[0].any()
    for column, (view, best) in enumerate({"text": 2, "structure": 4, "caption": 1, "clause": 1}.items()):
        rows = matrices[view].T
        groups = ([2, 3], [1, 2, 3], [0, 1, 2, 3])
        cover = [sum(max(rows[entity][w] for entity in group) for w in range(3)) for group in groups]
        assert found[1, column] == pytest.approx((cover[1] - cover[0]) / best, abs=1e-5)
        assert found[2, 4 + column] == pytest.approx((cover[2] - cover[1]) / best, abs=1e-5)
        assert found[1, 4 + column] == 0


@given(st.text(alphabet="ab ?Z", max_size=30))
def test_wording_is_its_dense_vector(question):
    wording = Wording.of(question)
    dense = np.zeros(BUCKETS, dtype=np.float32)
    dense[wording.buckets] = wording.weights
    matrix = np.random.default_rng(0).normal(size=(BUCKETS, 2)).astype(np.float32)
    assert np.allclose(wording.times(matrix), dense @ matrix, atol=1e-4)
    assert np.linalg.norm(dense) == pytest.approx(1.0 if wording.buckets.size else 0.0, abs=1e-4)


@given(st.lists(st.frozensets(st.integers(0, 9), min_size=1, max_size=3), min_size=1, max_size=20))
def test_no_entity_of_a_tested_question_is_trained_on(entities):
    seen, unseen = split_by_entities(entities, seed=3, share=0.4)
    trained_on = set().union(*(entities[at] for at in seen))
    assert all(not entities[at] & trained_on for at in unseen)
    assert not set(seen) & set(unseen)


def test_ranks_and_their_mean():
    candidates = np.array([4, 7, 9])
    assert best_rank(candidates, np.array([1.0, 3.0, 3.0]), np.array([9])) == 2
    assert best_rank(candidates, np.array([1.0, 3.0, 3.0]), np.array([5])) == 0
    assert reciprocal([2, 0, 1, 4]) == round((0.5 + 0 + 1 + 0.25) / 4, 4)


@pytest.mark.parametrize("broken", [{"linear": None}, {"gains": (2, 3)}, {"inner_bias": (2, 9)}])
def test_a_stack_of_another_shape_is_refused(broken):
    arrays = random_stack(0).arrays()
    for name, shape in broken.items():
        if shape is None:
            del arrays[name]
        else:
            arrays[name] = np.zeros(shape, dtype=np.float32)
    with pytest.raises(ModelError, match="biomolkg train"):
        Stack.of(arrays)


def random_interaction(seed, entities=5, relations=3, width=6):
    random = np.random.default_rng(seed)

    def normal(*shape):
        return random.normal(0, 0.5, shape).astype(np.float32)

    return Interaction(
        structures=normal(4, 4),
        rows=(np.arange(entities, dtype=np.int32) * 3) % 4,
        relations=normal(relations, 3),
        token=normal(width, 4),
        token_bias=normal(4),
        emphasis=normal(width),
        asked=normal(width, 3),
        asked_bias=normal(3),
        worded=normal(width, 3),
        worded_bias=normal(3),
        mix=np.array([0.4, 0.2, 5.0], dtype=np.float32),
        centre=normal(2, width),
        encoder=np.arange(32, dtype=np.uint8),
    )


def slow_columns(fitted, tokens, triples):
    """One triple and one token at a time."""
    centred = [token - fitted.centre[0] for token in tokens]
    weights = [math.exp(token @ fitted.emphasis) for token in centred]
    question = np.mean(tokens, axis=0) - fitted.centre[1]
    asked = question @ fitted.asked + fitted.asked_bias
    rows = []
    for head, relation, tail in triples:
        at_head, at_tail = (
            [
                float(fitted.structures[fitted.rows[end]] @ (token @ fitted.token + fitted.token_bias))
                * weight * math.sqrt(len(tokens)) / sum(weights)
                for token, weight in zip(centred, weights, strict=True)
            ]
            for end in (head, tail)
        )  # fmt: skip
        better = [max(pair) for pair in zip(at_head, at_tail, strict=True)]
        state = fitted.relations[relation]
        related = 5.0 * (state @ asked) / (np.linalg.norm(state) * np.linalg.norm(asked))
        related += max(state @ (token @ fitted.worded + fitted.worded_bias) for token in centred) / 8
        total = sum(better) + related + 0.4 * math.log(sum(map(math.exp, better)))
        total += 0.2 * min(sum(at_head), sum(at_tail))
        rows.append([total, related, sum(at_head), sum(at_tail)])
    best = np.max(rows, axis=0)
    return np.array([[max(-1, (x - top) / 15) for x, top in zip(row, best, strict=True)] for row in rows])


@pytest.mark.parametrize("words", [1, 7])
def test_an_interaction_spends_each_token_on_the_better_end(words):
    fitted = random_interaction(words)
    tokens = np.random.default_rng(9).normal(0, 1, (words, 6)).astype(np.float32)
    triples = np.array([[0, 0, 1], [1, 2, 0], [4, 1, 3], [2, 2, 4]], dtype=np.int32)
    heads, relations, tails = triples.T
    found = fitted.columns(tokens, heads, tails, relations)
    assert np.allclose(found, slow_columns(fitted, tokens, triples.tolist()), atol=1e-5)
    assert not fitted.columns(tokens[:0], heads, tails, relations).any()


def test_an_interaction_comes_back_from_a_model_file(tmp_path):
    stack = replace(random_stack(2), interaction=random_interaction(2))
    save_artifact(tmp_path, Artifact("triple", Training("v1", 20, "made", "0" * 64, 0), stack.arrays()))
    arrays = dict(load_artifact(tmp_path, "triple").arrays)
    back = Stack.of(arrays).arrays()
    assert back.keys() == stack.arrays().keys()
    assert all(np.array_equal(back[name], array) for name, array in stack.arrays().items())
    assert Stack.of(random_stack(2).arrays()).interaction is None
    for name, broken in (
        ("interaction_token", None),
        ("interaction_mix", np.zeros(4, np.float32)),
        ("interaction_structures", np.zeros((4, 3), np.float32)),
        ("interaction_structures", np.zeros((2, 4), np.float32)),
        ("interaction_encoder", np.zeros(32, np.float32)),
    ):
        other = {key: array for key, array in arrays.items() if key != name}
        with pytest.raises(ModelError, match="biomolkg train"):
            Stack.of(other if broken is None else other | {name: broken})


@pytest.fixture(scope="module")
def own_settings(tmp_path_factory):
    return load_settings(home=tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def minilm(own_settings):
    return SentenceEncoder(own_settings)


def test_a_trained_ranking_explains_itself_and_obeys_filters(own_settings, minilm):
    untrained = TripleRetriever(small_snapshot(minilm), minilm, own_settings)
    try:
        trained = untrained.ranked_by(random_stack(1))
        question = "Which drug for osteoporosis forms a hydrogen bond with one that calms anxiety?"
        result = trained.retrieve([question], k=10, filters=Filters(), explain=True)[0]
        scores = [hit.score for hit in result.hits]
        assert scores
        assert all(one > other for one, other in itertools.pairwise(scores))
        for hit in result.hits:
            assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-6)
            assert hit.score <= 1e-9
        read_tokens = random_interaction(1, 7, 7, minilm.dimension)
        read_tokens = replace(read_tokens, encoder=np.frombuffer(bytes.fromhex(minilm.identity), np.uint8))
        both = untrained.ranked_by(replace(random_stack(1), interaction=read_tokens))
        structures = "Which compound with two phosphonic acid groups stacks on a benzodiazepine ring?"
        learned = both.retrieve([structures], k=10, filters=Filters(), explain=True)[0]
        assert any("learned" in hit.parts for hit in learned.hits)
        for hit in learned.hits:
            assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-6)
        for unfit in (random_interaction(1, 7, 7), replace(read_tokens, rows=read_tokens.rows[1:])):
            with pytest.raises(ModelError, match="biomolkg train"):
                untrained.ranked_by(replace(random_stack(1), interaction=unfit))
        only = trained.retrieve([question], k=10, filters=Filters(kinds=frozenset({"MOLECULAR"})))[0]
        assert {hit.triple.kind for hit in only.hits} == {"MOLECULAR"}
        nothing = trained.retrieve([""], k=5, filters=Filters())[0]
        assert not nothing.hits
        _one, two = trained.retrieve(["Trazodone", question], k=3, filters=Filters())
        assert [hit.score for hit in two.hits] == pytest.approx(scores[:3])
        other = TrainingSet("other.csv", (TrainingQuestion("Who?", (("A", "b", "C"),)),))
        with pytest.raises(InputError, match="0 have all their gold triples"):
            train(untrained, small_snapshot(minilm), other)
    finally:
        untrained.close()


def test_serving_does_not_import_torch():
    code = (
        "import sys; import retrievers.triple.with_reactome; import retrievers.artifacts; "
        "sys.exit('torch' in sys.modules)"
    )
    root = Path(__file__).parents[2]
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0


@pytest.mark.timeout(900)
def test_training_is_repeatable_and_beats_no_training_on_questions_held_out(
    own_settings, minilm, shared_data
):
    snapshot = published_snapshot(shared_data / "biomolmqa", minilm)
    questions = read_training_questions([shared_data / "biomolmqa/data/mined_data/train_gold.parquet"])
    placed, missing = place_questions(questions.questions[::4], snapshot)
    assert len(placed) == 337
    assert not missing
    retriever = TripleRetriever(snapshot, minilm, own_settings)
    try:
        samples = read_samples(retriever, snapshot, placed)
        structures = described_structures(retriever, snapshot)
    finally:
        retriever.close()
    held, kept = samples[::3], [sample for at, sample in enumerate(samples) if at % 3]
    stack = training.fit_stack([sample.example for sample in kept], seed=0)
    again = training.fit_stack([sample.example for sample in kept], seed=0)
    assert all(np.array_equal(stack.arrays()[name], again.arrays()[name]) for name in stack.arrays())
    assert reciprocal(ranks_by(stack, held)) > reciprocal([sample.untrained for sample in held])

    about = [sample.example for sample in kept if sample.example.molecular]
    assert all(len(example.inputs.tokens) for example in about)
    first, second = (fit_interaction(structures, about, seed=0, epochs=2) for _ in range(2))
    assert all(np.array_equal(first.arrays()[name], second.arrays()[name]) for name in first.arrays())
    asked = [sample for sample in held if sample.example.molecular]
    by_tokens, by_chance = [], []
    for sample in asked:
        inputs = retriever.ranking.inputs.with_learned(sample.asked, first)
        column = inputs.features[:, FEATURES.index(LEARNED[0])]
        by_tokens.append(best_rank(inputs.candidates, column, sample.gold))
        by_chance.append(best_rank(inputs.candidates, np.zeros(len(column)), sample.gold))
    assert reciprocal(by_tokens) > 2 * reciprocal(by_chance)
    few = CrossFitted(asked[:20], retriever.ranking.inputs, structures, seed=0, nested=True)
    assert few.interaction() is None
    assert len(few.examples(0)) == 16
