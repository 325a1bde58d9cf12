"""Graph neural networks over the snapshot: training with PyTorch, serving with numpy alone.

Only `gnn.model`, `gnn.training` and `gnn.comparison` import torch; a service
imports `gnn.retriever`, which reads what they wrote.
"""
