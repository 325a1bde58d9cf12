"""Reactome's edges read as triples: which relation an edge stands for, and how many there are of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from graph_loader.graph_tables import Edge, Node, OwnedNodes

KIND = "REACTOME"
# An edge's type, and of REGULATED_BY its regulation, to the relation of its triple.
RELATIONS: Mapping[tuple[str, str | None], str] = {
    ("CATALYZED_BY", None): "catalyzes",
    ("INPUT", None): "consumes",
    ("OUTPUT", None): "produces",
    ("PARTICIPATES_IN", None): "participates in",
    ("REGULATED_BY", "activation"): "regulates by activation",
    ("REGULATED_BY", "inhibition"): "regulates by inhibition",
    ("REGULATED_BY", "requirement"): "regulates as a requirement",
    ("REGULATED_BY", "regulation"): "regulates",
}


def reactome_relations(edges: Iterable[Edge]) -> OwnedNodes:
    """The relation types of the triples that `edges` are read as; participation counts where it is direct."""
    counts = Counter(
        RELATIONS[edge.type, edge.part]
        for edge in edges
        if (edge.type, edge.part) in RELATIONS
        and (edge.type != "PARTICIPATES_IN" or edge.properties.get("direct"))
    )
    nodes = {
        f"{KIND}:{name}": Node(
            f"{KIND}:{name}", {"name": name, "kind": KIND, "count": count}, ("RelationType",), text=name
        )
        for name, count in sorted(counts.items())
    }
    return OwnedNodes("reactome_relations", "RelationType", nodes)
