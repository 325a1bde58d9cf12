"""Chemicals, diseases and proteins in running text: a Flair tagger, served by ONNX Runtime, and its links."""
