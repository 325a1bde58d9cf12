"""Reactome: diagram graphs, pathway hierarchy, identifier tables and BioPAX level 3, merged by stable id."""

from graph_loader.sources.reactome.edges import edges
from graph_loader.sources.reactome.participants import Participants, Resolution
from graph_loader.sources.reactome.proteins import (
    GeneMatch,
    ProteinXrefs,
    Reach,
    gene_to_uniprot,
    match_gene,
    pathway_reach,
    protein_xrefs,
)
from graph_loader.sources.reactome.records import (
    Edge,
    Part,
    Pathway,
    PhysicalEntity,
    Reaction,
    Reference,
    Regulator,
)
from graph_loader.sources.reactome.source import ReactomeFiles, find_files, read_reactome
from graph_loader.sources.reactome.store import Reactome
from graph_loader.sources.reactome.tally import Tally

__all__ = [
    "Edge",
    "GeneMatch",
    "Part",
    "Participants",
    "Pathway",
    "PhysicalEntity",
    "ProteinXrefs",
    "Reach",
    "Reaction",
    "Reactome",
    "ReactomeFiles",
    "Reference",
    "Regulator",
    "Resolution",
    "Tally",
    "edges",
    "find_files",
    "gene_to_uniprot",
    "match_gene",
    "pathway_reach",
    "protein_xrefs",
    "read_reactome",
]
