"""The trained ranking of the triple retriever: features, paths, a small network, and its training."""
