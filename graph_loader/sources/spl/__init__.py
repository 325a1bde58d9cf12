"""FDA Structured Product Labeling (SPL) XML, as DailyMed publishes it, to label records."""

from graph_loader.sources.spl.label import parse_label
from graph_loader.sources.spl.reader import read_labels

__all__ = ["parse_label", "read_labels"]
