"""What every room of BioMolKG stands on: errors, settings, names, the sentence encoder, molecules.

Nothing in this package imports another room, so `retrievers`, `graph_loader`
and `cypher` can each be used from a notebook without the service.
"""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("biomolkg")
except PackageNotFoundError:  # a source tree that was never installed
    __version__ = "0+unknown"

__all__ = ["__version__"]
