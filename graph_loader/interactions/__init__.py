"""Molecular edges: what could happen between the molecules of two drugs, by rules or by a language model."""
