"""The factored triple retriever: each fact scored as a whole against the question."""

from retrievers.triple.retriever import TripleRetriever

__all__ = ["TripleRetriever"]
