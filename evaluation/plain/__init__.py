"""Plain questions made from the loaded graph: what a service answers right, and what it rightly leaves open.

The facts come from Neo4j by the statements of `cypher/statements/bench`, never from the
service; the wordings are frozen sets in `wordings/`, written without sight of the code
that reads questions.
"""

from __future__ import annotations

from evaluation.plain.gold import Gold, Question, read_questions, write_questions
from evaluation.plain.graph import Graph, read_graph
from evaluation.plain.making import KINDS, Making, make_questions
from evaluation.plain.names import Names, read_names
from evaluation.plain.running import Judged, ask_answers, ask_retriever
from evaluation.plain.wordings import WordingSet, read_wordings, wording_sets

__all__ = [
    "KINDS",
    "Gold",
    "Graph",
    "Judged",
    "Making",
    "Names",
    "Question",
    "WordingSet",
    "ask_answers",
    "ask_retriever",
    "make_questions",
    "read_graph",
    "read_names",
    "read_questions",
    "read_wordings",
    "wording_sets",
    "write_questions",
]
