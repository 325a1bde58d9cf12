"""Training, serving and keeping of the graph networks, on a graph made for it."""

from __future__ import annotations

import itertools
import subprocess
import sys

import numpy as np
import pytest
import torch

from biomolkg.encoder import SentenceEncoder
from biomolkg.errors import ModelError
from biomolkg.settings import load_settings
from gnn import training
from gnn.graph_features import graph_features, neighbour_edges
from gnn.model import LateInteraction
from gnn.node_words import NodeWords
from gnn.retriever import GraphRetriever, untrained_networks
from gnn.scores import AskedQuestion, LateStates
from gnn.training import Schedule, train
from retrievers.artifacts import load_artifact, save_artifact
from retrievers.hits import Filters
from retrievers.training_questions import TrainingQuestion, TrainingSet, place_questions
from tests.gnn.colours import colour_graph, colour_questions
from tests.retrievers.small import small_snapshot

SHORT = Schedule(epochs=1, batch=32, width=16, near=8, random=50, of_kind=20)
LONG = Schedule(epochs=10, batch=8, width=32, rate=1e-2, patience=10, drop=0.1, averaging=0.9)


@pytest.fixture(scope="module")
def settings(tmp_path_factory):
    return load_settings(home=tmp_path_factory.mktemp("home"))


@pytest.fixture(scope="module")
def encoder(settings):
    return SentenceEncoder(settings)


@pytest.fixture(scope="module")
def graph(encoder):
    return colour_graph(encoder)


@pytest.fixture(scope="module")
def questions(graph):
    return colour_questions(graph)


def trained(graph, questions, settings, encoder, schedule, *, architecture="gcn", seed=0):
    return train(
        graph,
        questions,
        settings,
        architecture=architecture,
        seed=seed,
        schedule=schedule,
        encoder=encoder,
    )


def mean_reciprocal_rank(retriever, graph, questions):
    placed, missing = place_questions(questions.questions, graph)
    assert not missing
    results = retriever.retrieve([item.question for item in placed], k=len(graph.heads), filters=Filters())
    total = 0.0
    for item, result in zip(placed, results, strict=True):
        gold = {graph.sources[at] for at in item.gold}
        total += 1 / next(hit.rank for hit in result.hits if hit.source in gold)
    return total / len(placed)


def test_training_teaches_what_words_alone_do_not_say(graph, questions, settings, encoder):
    before = trained(graph, questions[0], settings, encoder, Schedule(epochs=0))
    after = trained(graph, questions[0], settings, encoder, LONG)
    figures = [
        mean_reciprocal_rank(GraphRetriever(model, graph, encoder), graph, questions[1])
        for model in (before, after)
    ]
    chance = np.mean(1 / np.arange(1, len(graph.heads) + 1))
    assert figures[1] > figures[0] + 0.2
    assert figures[1] > 5 * chance
    assert after.training.figures["held_out_mrr"] > 5 * chance
    assert after.training.questions == len(questions[0].questions)


@pytest.mark.parametrize("architecture", ["gcn", "sage", "gat", "none"])
@pytest.mark.parametrize("variant", ["late", "published"])
def test_every_network_is_the_same_for_the_same_seed(
    graph, questions, settings, encoder, architecture, variant
):
    chosen = settings.model_copy(update={"gnn_variant": variant})
    first, again, other = (
        trained(graph, questions[0], chosen, encoder, SHORT, architecture=architecture, seed=seed)
        for seed in (1, 1, 2)
    )
    states = "nodes" if variant == "late" else "heads"
    assert all(np.array_equal(first.arrays[name], again.arrays[name]) for name in first.arrays)
    assert not np.array_equal(first.arrays[states], other.arrays[states])
    # The last thing has neither text nor neighbours.
    assert np.isfinite(first.arrays[states]).all()
    result = GraphRetriever(first, graph, encoder).retrieve(["a mirror and a lemon"], k=3, filters=Filters())
    assert len(result[0].hits) == 3


def test_a_model_is_kept_and_refused_for_another_graph(graph, questions, settings, encoder):
    made = trained(graph, questions[0], settings, encoder, SHORT)
    save_artifact(settings.home, made)
    read = load_artifact(settings.home, "gcn", graph_version="colours")
    asked = [item.question for item in questions[1].questions[:5]]
    found = [
        GraphRetriever(model, graph, encoder).retrieve(asked, k=10, filters=Filters())
        for model in (made, read)
    ]
    assert found[0] == found[1]
    with pytest.raises(ModelError, match="graph version"):
        load_artifact(settings.home, "gcn", graph_version="another")
    with pytest.raises(ModelError, match="does not fit the graph"):
        GraphRetriever(read, small_snapshot(encoder), encoder)


def test_questions_of_another_graph_are_refused(graph, settings, encoder):
    unknown = TrainingSet("made", (TrainingQuestion("Which?", (("nobody", "erythema", "Q001"),)),))
    with pytest.raises(ModelError, match="not in the graph"):
        trained(graph, unknown, settings, encoder, SHORT)
    with pytest.raises(ModelError, match="gcn, sage, gat"):
        trained(graph, unknown, settings, encoder, SHORT, architecture="transformer")


def test_an_untrained_network_says_what_to_do(graph, encoder):
    networks = untrained_networks(graph, encoder)
    assert [network.name for network in networks] == ["gcn", "sage", "gat"]
    with pytest.raises(ModelError) as refused:
        networks[1].retrieve(["anything"], k=1, filters=Filters())
    assert "biomolkg train --retriever sage" in str(refused.value)


def test_neighbours_are_joined_once_in_both_directions(graph):
    edges = {tuple(pair) for pair in neighbour_edges(graph).T.tolist()}
    assert len(edges) == neighbour_edges(graph).shape[1]
    expected = {(int(h), int(t)) for h, t in zip(graph.heads, graph.tails, strict=True) if h != t}
    assert edges == expected | {(tail, head) for head, tail in expected}


@pytest.fixture(scope="module")
def small(settings, encoder):
    """A graph of drugs with texts and structures, a network of it, and its states as they are served."""
    snapshot = small_snapshot(encoder)
    words = NodeWords(snapshot)
    features = graph_features(snapshot, words, encoder, None)
    with torch.random.fork_rng():
        torch.manual_seed(4)
        model = LateInteraction(
            features, snapshot.relation_embeddings, architecture="gat", width=16, drop=0.5
        )
        torch.nn.init.normal_(model.mix.weight)
    centres = {
        name: np.full(encoder.dimension, value, np.float32)
        for name, value in (("token_centre", 0.02), ("question_centre", -0.01))
    }
    return snapshot, words, model, model.arrays() | centres


@pytest.mark.parametrize(
    "question", ["Which drug against arthritis pain has a carboxylic acid?", "benzodiazepine", "it is"]
)
def test_late_interaction_is_what_a_slow_loop_computes(small, encoder, question):
    snapshot, words, model, arrays = small
    (vector,), (tokens,) = encoder.encode_questions([question])
    asked = AskedQuestion(tokens.states, vector, words.text_rows(question), words.group_rows(question))
    heads, tails = snapshot.heads.astype(np.int64), snapshot.tails.astype(np.int64)
    relations = snapshot.relation_of.astype(np.int64)
    parts = LateStates(arrays).parts(asked, heads, tails, relations)
    served = np.sum(list(parts.values()), axis=0)
    assert served == pytest.approx(slow_scores(arrays, asked, snapshot), abs=1e-4)

    placed = training._Asked(
        torch.from_numpy(tokens.states - arrays["token_centre"]),
        torch.from_numpy(vector - arrays["question_centre"]),
        asked.texts,
        asked.groups,
        np.array([0]),
    )
    graph = training._graph(snapshot)
    batch = training._batch([placed, placed], np.arange(len(heads)), graph)
    with torch.no_grad():
        learned = model.score(model.nodes(), model.relations(), batch).numpy()
    assert learned[:, 0] == pytest.approx(served, abs=1e-4)
    assert learned[:, 1] == pytest.approx(served, abs=1e-4)


def slow_scores(arrays, asked, snapshot):
    """The score as its definition reads, one triple and one token at a time."""

    def layer(name, row):
        return arrays[f"{name}.weight"].astype(float) @ row + arrays[f"{name}.bias"]

    def unit(row):
        return row / np.linalg.norm(row)

    tokens = [token - arrays["token_centre"].astype(float) for token in asked.tokens]
    vector = asked.vector - arrays["question_centre"].astype(float)
    mix = [np.log1p(np.exp(value)) for value in layer("mix", vector)]
    weights = [np.exp(layer("weight", token)[0]) for token in tokens]
    emphasis = [weight / sum(weights) * len(tokens) ** 0.5 for weight in weights]

    def words(rows):
        return [
            dict(zip(rows.entities[start:end].tolist(), rows.weights[start:end].tolist(), strict=True))
            for start, end in itertools.pairwise(rows.starts)
        ]

    states = [
        {
            entity: weight * float(layer("token", token) @ arrays["nodes"][entity]) / 16
            for entity in range(len(snapshot.entities))
        }
        for token, weight in zip(tokens, emphasis, strict=True)
    ]
    scores = []
    for head, relation, tail in zip(snapshot.heads, snapshot.relation_of, snapshot.tails, strict=True):
        state = arrays["relations"][relation].astype(float)
        score = arrays["relation_share"][0] * float(unit(state) @ unit(layer("question", vector)))
        score += max(float(state @ layer("relation_token", token)) / 11 for token in tokens)
        for kind, rows in enumerate((states, words(asked.texts), words(asked.groups))):
            pair = sum(max(row.get(head, 0.0), row.get(tail, 0.0)) for row in rows)
            ends = [sum(row.get(end, 0.0) for row in rows) for end in (head, tail)]
            score += mix[kind] * (pair + arrays["shared"][kind] * min(ends))
        scores.append(score)
    return scores


def test_hits_keep_the_promises_of_every_retriever(graph, questions, settings, encoder):
    retriever = GraphRetriever(trained(graph, questions[0], settings, encoder, SHORT), graph, encoder)
    question = "Which glove with a mirror reddens the skin next to a pencil with a lemon?"

    def ask(k=1000, **filters):
        chosen = Filters(**{name: frozenset(values) for name, values in filters.items()})
        return retriever.retrieve([question], k=k, filters=chosen, explain=True)[0].hits

    hits = ask()
    assert len(hits) == len(graph.heads)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert all(above.score > below.score for above, below in itertools.pairwise(hits))
    assert all(sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-6) for hit in hits)
    assert [hit.source for hit in ask(k=7)] == [hit.source for hit in hits[:7]]
    assert {hit.triple.kind for hit in ask(kinds=["MOLECULAR"])} == {"MOLECULAR"}
    assert {hit.source for hit in ask(sources=["made:facts.csv:12"])} == {
        hit.source for hit in hits if hit.source.startswith("made:facts.csv:12")
    }
    assert all("test:004" in (hit.triple.head.id, hit.triple.tail.id) for hit in ask(entities=["test:004"]))
    nothing = retriever.retrieve(["What is it?", ""], k=5, filters=Filters())
    assert [(result.hits, bool(result.notes)) for result in nothing] == [((), True), ((), True)]


def test_of_a_larger_graph_the_best_first_scores_are_ranked(graph, questions, settings, encoder, monkeypatch):
    retriever = GraphRetriever(trained(graph, questions[0], settings, encoder, SHORT), graph, encoder)
    asked = [item.question for item in questions[1].questions[:8]]
    whole = retriever.retrieve(asked, k=3, filters=Filters())
    monkeypatch.setattr("gnn.retriever.CANDIDATES", 80)
    cut = retriever.retrieve(asked, k=3, filters=Filters())
    kept = [hit.source for result in cut for hit in result.hits]
    shared = sum(hit.source in kept for result in whole for hit in result.hits)
    assert shared >= len(kept) * 0.8


def test_a_service_never_imports_torch():
    code = "import sys, app.view, app.models, gnn.retriever; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
