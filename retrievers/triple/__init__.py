"""The factored triple retriever: each fact scored as a whole against the question."""
