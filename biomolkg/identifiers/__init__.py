"""Identifiers: one spelling for each, and which of them tell two things apart."""

from biomolkg.identifiers.curies import Identifier, as_curie, curie, identified, identify, no_identifier
from biomolkg.identifiers.namespaces import by_namespace, identifying, sort_of
from biomolkg.identifiers.placeholders import is_placeholder

__all__ = [
    "Identifier",
    "as_curie",
    "by_namespace",
    "curie",
    "identified",
    "identify",
    "identifying",
    "is_placeholder",
    "no_identifier",
    "sort_of",
]
