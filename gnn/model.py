"""The networks: node states from messages between neighbours, and how a question meets them.

GCN: Kipf and Welling, ICLR 2017. GraphSAGE: Hamilton, Ying and Leskovec, NeurIPS 2017.
GAT: Veličković et al., ICLR 2018. Late interaction: Khattab and Zaharia, ColBERT, SIGIR 2020.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional
from torch_geometric.nn import GATConv, GCNConv, SAGEConv

from gnn.graph_features import GraphFeatures
from retrievers.triple.evidence import Floats

RELATION_WIDTH = 128
# Of products of token and node states, so that training begins at scores near those of words.
STATE_SCALE = 16.0
RELATION_SCALE = 11.0
HEADS = 4
_MESSAGE_DROPOUT = 0.1


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """B questions and C candidate triples.

    tokens: float32 [N, d], the centred token states of all questions, N in all; of_token: int64 [N], the
    question of each. vectors: float32 [B, d], centred. words: for texts and for groups, float32 [V, n],
    columns that belong to questions `of_word` int64 [n], for the V entities that are an end of a candidate.
    entities: int64 [V]; heads, tails: int64 [C], places in `entities`; relations: int64 [C].
    """

    tokens: Tensor
    of_token: Tensor
    vectors: Tensor
    words: tuple[tuple[Tensor, Tensor], tuple[Tensor, Tensor]]
    entities: Tensor
    heads: Tensor
    tails: Tensor
    relations: Tensor


def convolution(architecture: str, width: int) -> nn.Module:
    """One layer of messages, [E, width] to [E, width]. SAGE keeps a node's own state apart by itself."""
    if architecture == "gcn":
        return GCNConv(width, width)  # type: ignore[no-any-return]
    if architecture == "sage":
        return SAGEConv(width, width)  # type: ignore[no-any-return]
    return GATConv(width, width // HEADS, heads=HEADS)  # type: ignore[no-any-return]


class LateInteraction(nn.Module):
    """Token states x node states: each token is spent on the end of a triple that it fits better.

    score = dense * sum_w max(A[w, h], A[w, t]) + shared * min(sum_w A[w, h], sum_w A[w, t])
    + the same over words of texts and of groups + relation by the question and by its best token.
    How much each kind counts is decided by the question's vector.
    """

    def __init__(
        self, features: GraphFeatures, relation_vectors: Floats, *, architecture: str, width: int, drop: float
    ) -> None:
        """`architecture`: gcn, sage, gat, or none for the same model without messages."""
        super().__init__()
        size = relation_vectors.shape[1]
        self._drop = drop
        self._places = torch.from_numpy(features.places)
        self._starts = torch.from_numpy(np.searchsorted(features.rows, np.arange(features.nodes)))
        self._values = torch.from_numpy(features.values)
        self._dense = torch.from_numpy(features.dense)
        self._edges = torch.from_numpy(features.edges)
        self._relations = torch.from_numpy(relation_vectors)
        self.sparse = nn.Parameter(torch.randn(features.columns, width) * 0.02)
        self.dense = nn.Linear(features.dense.shape[1], width)
        layers = 0 if architecture == "none" else 2
        self.layers = nn.ModuleList([convolution(architecture, width) for _ in range(layers)])
        self.messages = nn.Parameter(torch.full((2,), 0.1))
        self.token = nn.Linear(size, width)
        self.weight = nn.Linear(size, 1)
        self.relation = nn.Linear(size, RELATION_WIDTH)
        self.question = nn.Linear(size, RELATION_WIDTH)
        self.relation_token = nn.Linear(size, RELATION_WIDTH)
        self.mix = nn.Linear(size, 3)
        nn.init.zeros_(self.mix.weight)
        nn.init.constant_(self.mix.bias, 0.54)  # softplus(0.54) is 1
        self.shared = nn.Parameter(torch.full((3,), 0.1))
        self.relation_share = nn.Parameter(torch.tensor(5.0))

    def nodes(self) -> Tensor:
        """Node states, float32 [E, width]."""
        values = functional.dropout(self._values, self._drop, self.training)
        state: Tensor = functional.embedding_bag(
            self._places, self.sparse, self._starts, mode="sum", per_sample_weights=values
        )
        state = state + self.dense(functional.dropout(self._dense, self._drop, self.training))
        for layer, share in zip(self.layers, self.messages, strict=False):
            read = functional.dropout(state, _MESSAGE_DROPOUT, self.training)
            state = state + share * functional.gelu(layer(read, self._edges))
        return state

    def relations(self) -> Tensor:
        """Relation states, float32 [R, 128]."""
        states: Tensor = self.relation(self._relations)
        return states

    def score(self, nodes: Tensor, relations: Tensor, batch: Batch) -> Tensor:
        """float32 [C, B]: every candidate for every question."""
        count = len(batch.vectors)
        owners = _indicator(batch.of_token, count)
        logits = self.weight(batch.tokens)[:, 0]
        emphasis = torch.exp(logits - logits.max())
        lengths = owners.sum(0)
        emphasis = emphasis / (owners @ (emphasis @ owners)) * (owners @ lengths.sqrt())
        states = self.token(batch.tokens) * emphasis[:, None] / STATE_SCALE
        mix = functional.softplus(self.mix(batch.vectors))
        kinds = [
            (nodes.index_select(0, batch.entities) @ states.T, owners),
            *((columns, _indicator(of_word, count)) for columns, of_word in batch.words),
        ]
        total = self._relation_scores(relations, batch, owners).index_select(0, batch.relations)
        for kind, (columns, owned) in enumerate(kinds):
            if columns.shape[1]:
                sums = columns @ owned
                pair = torch.maximum(_pick(columns, batch.heads), _pick(columns, batch.tails)) @ owned
                both = torch.minimum(_pick(sums, batch.heads), _pick(sums, batch.tails))
                total = total + mix[:, kind] * (pair + self.shared[kind] * both)
        return total

    def _relation_scores(self, relations: Tensor, batch: Batch, owners: Tensor) -> Tensor:
        """float32 [R, B]."""
        asked = functional.normalize(self.question(batch.vectors), dim=1)
        by_question = functional.normalize(relations, dim=1) @ asked.T
        by_token = relations @ self.relation_token(batch.tokens).T / RELATION_SCALE
        best = torch.stack(
            [part.max(1).values for part in by_token.split(owners.sum(0).long().tolist(), dim=1)], dim=1
        )
        return self.relation_share * by_question + best

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """What serving needs: states computed once, and the small layers that a question goes through."""
        self.eval()
        layers: dict[str, nn.Linear] = {
            "token": self.token,
            "weight": self.weight,
            "question": self.question,
            "relation_token": self.relation_token,
            "mix": self.mix,
        }
        with torch.no_grad():
            found = {"nodes": self.nodes(), "relations": self.relations(), "shared": self.shared}
            found["relation_share"] = self.relation_share.reshape(1)
            found |= {f"{name}.weight": layer.weight for name, layer in layers.items()}
            found |= {f"{name}.bias": layer.bias for name, layer in layers.items()}
        return {name: tensor.detach().numpy().copy() for name, tensor in found.items()}


class PooledQuestion(nn.Module):
    """The published form: two layers over text vectors and a pooled question vector.

    score = <q, H z_h + R r + T z_t>: every triple has one vector, every question has one.
    """

    def __init__(
        self, features: GraphFeatures, relation_vectors: Floats, *, architecture: str, width: int, drop: float
    ) -> None:
        """`architecture`: gcn, sage, gat, or none for the same model without messages."""
        super().__init__()
        size = relation_vectors.shape[1]
        self._drop = drop
        self._text = torch.from_numpy(features.dense[:, :size].copy())
        self._edges = torch.from_numpy(features.edges)
        self._relations = torch.from_numpy(relation_vectors)
        self.dense = nn.Linear(size, width)
        layers = 0 if architecture == "none" else 2
        self.layers = nn.ModuleList([convolution(architecture, width) for _ in range(layers)])
        self.question = nn.Linear(size, width)
        self.head = nn.Linear(width, width, bias=False)
        self.tail = nn.Linear(width, width, bias=False)
        self.relation = nn.Linear(size, width, bias=False)

    def nodes(self) -> Tensor:
        """Node states, float32 [E, width]."""
        state: Tensor = self.dense(self._text)
        for layer in self.layers:
            state = functional.dropout(functional.relu(state), self._drop, self.training)
            state = layer(state, self._edges)
        return state

    def relations(self) -> Tensor:
        """Relation states, float32 [R, width]."""
        states: Tensor = self.relation(self._relations)
        return states

    def score(self, nodes: Tensor, relations: Tensor, batch: Batch) -> Tensor:
        """float32 [C, B]: every candidate for every question."""
        asked = self.question(batch.vectors).T
        chosen = nodes.index_select(0, batch.entities)
        scores: Tensor = (
            _pick(self.head(chosen) @ asked, batch.heads)
            + _pick(self.tail(chosen) @ asked, batch.tails)
            + _pick(relations @ asked, batch.relations)
        )
        return scores

    def arrays(self) -> dict[str, NDArray[np.float32]]:
        """What serving needs."""
        self.eval()
        with torch.no_grad():
            nodes = self.nodes()
            found = {
                "heads": self.head(nodes),
                "tails": self.tail(nodes),
                "relations": self.relations(),
                "question.weight": self.question.weight,
                "question.bias": self.question.bias,
            }
        return {name: tensor.detach().numpy().copy() for name, tensor in found.items()}


def _indicator(owners: Tensor, count: int) -> Tensor:
    """float32 [n, count]: 1 where column is the owner of row."""
    return functional.one_hot(owners, count).float()


def _pick(rows: Tensor, indexes: Tensor) -> Tensor:
    # index_select: the gradient of plain indexing sorts its indexes, which takes most of a step.
    return rows.index_select(0, indexes)


def stack_words(parts: Sequence[NDArray[np.float32]]) -> tuple[Tensor, Tensor]:
    """Columns of several questions side by side, and the question of each. parts: float32 [V, n_i]."""
    owners = np.repeat(np.arange(len(parts)), [part.shape[1] for part in parts])
    return torch.from_numpy(np.concatenate(parts, axis=1)), torch.from_numpy(owners)
