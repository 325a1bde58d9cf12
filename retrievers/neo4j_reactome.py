"""Reactome's triples in the `neo4j` retriever: names by Lucene, the relation by words and vector."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from biomolkg.names import name_words
from cypher.client import Client
from retrievers.hits import Filters
from retrievers.mentions import tokens
from retrievers.question_words import QuestionWords
from retrievers.reactome_words import asked_relations

_DEPTH = 60
_AROUND = 40
# A name that stands in the question as it is counts for more than any words of one.
_NAMED, _RELATED, _ASKED = 3.0, 1.0, 2.0

Row = Mapping[str, Any]


def reactome_rows(
    client: Client, words: QuestionWords, vector: NDArray[np.float32], filters: Filters, k: int
) -> list[Row]:
    """At most `k` rows of Reactome's triples, best first, with the columns of `retrieve/triples`.

    vector: float32 [384], that of the question. Raises DatabaseError when Neo4j fails.
    """
    query = " ".join(f'"{word}"' for word in dict.fromkeys(name_words(words.text)) if word != "+")
    if not query:
        return []
    found = client.read("retrieve/reactome_names", query=query, depth=_DEPTH)
    evidence, spans = _evidence(words.text, found)
    asked = asked_relations(words.text, spans)
    around = sorted(evidence, key=lambda id_: (-evidence[id_], id_))[:_AROUND]
    related = {
        row["name"]: _RELATED * float(np.dot(vector, np.array(row["embedding"], dtype=np.float32)))
        for row in client.read("read/reactome_relations")
    }
    return list(
        client.read(
            "retrieve/reactome_triples",
            around=sorted(filters.entities) or around,
            evidence=evidence,
            related=related,
            asked=dict.fromkeys(sorted(asked), _ASKED),
            sources=sorted(filters.sources),
            entities=sorted(filters.entities),
            k=k,
        )
    )


def _evidence(question: str, found: Sequence[Row]) -> tuple[dict[str, float], list[tuple[int, int]]]:
    """What the words say of each node found, and the characters of the names that stand in the question.

    Of names inside each other the longest is meant.
    """
    best = {
        event: max((row["score"] for row in found if row["event"] is event), default=1.0)
        for event in (True, False)
    }
    written = [token for token in tokens(question) if token.text != "+"]
    evidence: dict[str, float] = {}
    places: dict[str, list[tuple[int, int]]] = {}
    for row in found:
        evidence[row["id"]] = row["score"] / best[row["event"]]
        name = [word for word in name_words(row["name"]) if word != "+"]
        places[row["id"]] = _places([token.text for token in written], name)
    spans = sorted({span for each in places.values() for span in each})
    whole = [
        span
        for span in spans
        if not any(other != span and other[0] <= span[0] and span[1] <= other[1] for other in spans)
    ]
    for id_, each in places.items():
        if set(each) & set(whole):
            evidence[id_] += _NAMED
    return evidence, [(written[start].start, written[end - 1].end) for start, end in whole]


def _places(words: Sequence[str], name: Sequence[str]) -> list[tuple[int, int]]:
    """Where `name` stands among `words`: [start, end) each."""
    length = len(name)
    return [
        (at, at + length)
        for at in range(len(words) - length + 1)
        if length and list(words[at : at + length]) == list(name)
    ]
