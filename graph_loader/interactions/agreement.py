"""How far proposed edges agree with published ones, beside always saying the commonest category."""

from __future__ import annotations

import csv
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.interactions.categories import Category, category_of
from graph_loader.interactions.edges import Proposals
from graph_loader.interactions.rules import propose

_COLUMNS = ("drug_1_name", "drug_2_name", "drug_1_SMILES", "drug_2_SMILES", "molecular_interaction")


@dataclass(frozen=True, slots=True)
class PublishedEdge:
    """A pair of structures and the category that was published for it.

    `tuned` tells the half of the edges that the weights of the rules were chosen
    on, by a hash of the two names, from the half that they were not.
    """

    first: str
    second: str
    category: Category
    tuned: bool


@dataclass(frozen=True, slots=True)
class CategoryAgreement:
    """Edges published in one category: how many, how often it was proposed first, and how often at all."""

    published: int
    first: int
    proposed: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """Shares of all edges, in [0, 1], except `mean_proposed`: categories proposed for a pair.

    `by_category` leaves out categories that no edge was published in. `balanced`
    is the mean over categories of the share proposed first.
    """

    edges: int
    top1: float
    among: float
    baseline: float
    balanced: float
    mean_proposed: float
    by_category: dict[Category, CategoryAgreement]


def read_published(path: Path) -> list[PublishedEdge]:
    """The edges of `molecular_interactions_df.csv`. Raises SourceError when it is another file."""
    edges = []
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file)
            missing = set(_COLUMNS) - set(rows.fieldnames or ())
            if missing:
                raise SourceError(f"{path.name} lacks the columns {', '.join(sorted(missing))}.")
            for number, row in enumerate(rows, start=1):
                category = category_of(row["molecular_interaction"])
                if category is None:
                    raise SourceError(
                        f"Row {number} of {path.name} names no known category: "
                        f"{row['molecular_interaction'][:80]!r}."
                    )
                pair = "|".join(sorted((row["drug_1_name"], row["drug_2_name"])))
                tuned = zlib.crc32(pair.encode()) % 2 == 0
                edges.append(PublishedEdge(row["drug_1_SMILES"], row["drug_2_SMILES"], category, tuned))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from error
    return edges


def measure(edges: Iterable[PublishedEdge], proposer: Callable[[str, str], Proposals] = propose) -> Agreement:
    """Agreement of a proposer with published edges. Raises SourceError when there are none."""
    published: Counter[Category] = Counter()
    first: Counter[Category] = Counter()
    among: Counter[Category] = Counter()
    proposed = 0
    for edge in edges:
        found = [proposal.category for proposal in proposer(edge.first, edge.second).proposals]
        published[edge.category] += 1
        first[edge.category] += found[:1] == [edge.category]
        among[edge.category] += edge.category in found
        proposed += len(found)
    total = published.total()
    if not total:
        raise SourceError("There are no edges to compare with.")
    return Agreement(
        edges=total,
        top1=first.total() / total,
        among=among.total() / total,
        baseline=max(published.values()) / total,
        balanced=sum(first[category] / count for category, count in published.items()) / len(published),
        mean_proposed=proposed / total,
        by_category={
            category: CategoryAgreement(published[category], first[category], among[category])
            for category in Category
            if published[category]
        },
    )
