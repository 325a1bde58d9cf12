"""The bundled starter graph: facts only, in compressed tables, and the script that builds them."""

from graph_loader.loading import load_starter, load_starter_pathways

__all__ = ["load_starter", "load_starter_pathways"]
