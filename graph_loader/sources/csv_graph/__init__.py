"""Any graph as CSV files with the headers of neo4j-admin import, which BioCypher writes as well."""

from __future__ import annotations

from graph_loader.sources.csv_graph.headers import Column, Header, parse_header
from graph_loader.sources.csv_graph.layout import Layout, Written, find_layout
from graph_loader.sources.csv_graph.mapping import Mapping, read_mapping
from graph_loader.sources.csv_graph.rows import CsvEdge, CsvNode, Group, Placed, read_group
from graph_loader.sources.csv_graph.source import read_csv_graph

__all__ = [
    "Column",
    "CsvEdge",
    "CsvNode",
    "Group",
    "Header",
    "Layout",
    "Mapping",
    "Placed",
    "Written",
    "find_layout",
    "parse_header",
    "read_csv_graph",
    "read_group",
    "read_mapping",
]
