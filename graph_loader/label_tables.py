"""Drug labels as the tables of a graph: labels, their passages, and the drugs that they name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from biomolkg.names import name_key
from biomolkg.settings import Settings
from graph_loader.graph_tables import Edge, GraphTables, Node, OwnedNodes, SharedNodes, edges_of
from graph_loader.identity.drug_names import DrugNames
from graph_loader.label_drugs import NamedDrugs, join_label, substance_nodes
from graph_loader.labels import Label, LabelPassage
from graph_loader.ledger import Omissions
from graph_loader.plan import Encoding

_NAMED_SUBSTANCES = 3


@dataclass(frozen=True, slots=True)
class ReadLabels:
    """Labels as the graph shall hold them, not yet joined to its drugs; memory holds all their passages."""

    dataset: str
    nodes: Mapping[str, Node]
    passages: Mapping[str, Sequence[Node]]
    named: Mapping[str, NamedDrugs]
    encoding: Encoding

    def joined(self, drugs: DrugNames, omissions: Omissions) -> GraphTables:
        """The tables of the graph, joined to `drugs`.

        A substance with a UNII that is none of them becomes a drug of its own. Labels that lead to
        no drug are kept and counted, and so are names that several drugs have.
        """
        joins = {key: join_label(self.dataset, named, drugs) for key, named in self.named.items()}
        for join in joins.values():
            for reason, offender in join.notes:
                omissions.add("drug names", reason, offender, taken=True)
        substances = substance_nodes(
            self.dataset, [substance for join in joins.values() for substance in join.substances]
        )
        return GraphTables(
            dataset=self.dataset,
            origin=self.dataset,
            selection="all labels",
            tables=(
                SharedNodes("drug_labels", self.nodes, prefix=f"{self.dataset}_", words=True),
                SharedNodes("label_substances", substances, prefix=f"{self.dataset}:"),
                OwnedNodes(
                    "label_passages",
                    "Passage",
                    {node.id: node for whole in self.passages.values() for node in whole},
                ),
                edges_of(
                    "label_sections",
                    (
                        Edge("HAS_SECTION", key, node.id, {"dataset": self.dataset})
                        for key, whole in self.passages.items()
                        for node in whole
                    ),
                ),
                edges_of("label_drugs", (edge for join in joins.values() for edge in join.edges)),
            ),
            encoding=self.encoding,
        )


def read_label_tables(
    dataset: str, labels: Iterable[Label], settings: Settings, encoding: Encoding
) -> ReadLabels:
    """What the graph shall hold of these labels; of a set id that comes again the last one counts."""
    nodes: dict[str, Node] = {}
    passages: dict[str, list[Node]] = {}
    named: dict[str, NamedDrugs] = {}
    for label in labels:
        nodes[label.id] = _label(label)
        passages[label.id] = list(_passages(dataset, label, settings))
        named[label.id] = NamedDrugs.of(label)
    return ReadLabels(dataset, nodes, passages, named, encoding)


def _label(label: Label) -> Node:
    properties = {
        "name": label.name,
        "title": label.title,
        "version": label.version,
        "effective": label.effective,
        "document_type": label.kind,
        "maker": label.maker,
        "products": list(label.product_names),
        "generics": list(label.generic_names),
        "substances": [substance.name for substance in label.substances],
        "uniis": [substance.unii for substance in label.substances if substance.unii],
        "classes": sorted({f"{one.kind or 'class'}: {one.name}" for one in label.classes}),
        "source": f"{label.reader}:{label.set_id}:{label.version or 0}",
    }
    return Node(label.id, {name: value for name, value in properties.items() if value is not None})


def _passages(dataset: str, label: Label, settings: Settings) -> Iterator[Node]:
    for passage in label.passages(limit=settings.passage_chars, overlap=settings.passage_overlap):
        parts = (dataset, passage.source, str(passage.position), passage.text)
        digest = hashlib.sha256("\x00".join(parts).encode()).hexdigest()
        properties = {
            "text": passage.text,
            "title": passage.title,
            "section_title": passage.section_title,
            "section": passage.code,
            "own_section": passage.own_code,
            "topic": passage.topic,
            "boxed": passage.boxed,
            "source": passage.source,
            "document": passage.document,
            "position": passage.position,
            "composed": False,
        }
        stated = {name: value for name, value in properties.items() if value is not None}
        yield Node(f"passage:{digest[:24]}", stated, text=embedded_text(label, passage))


def embedded_text(label: Label, passage: LabelPassage) -> str:
    """What the embedding of a passage is made of: product, substances and section before its own text.

    A section seldom repeats which drug it speaks of.
    """
    substances = dict.fromkeys(substance.name for substance in label.substances)
    others = [name for name in substances if name_key(name) != name_key(label.name)][:_NAMED_SUBSTANCES]
    drug = f"{label.name} ({', '.join(others)})" if others else label.name
    headings = dict.fromkeys(filter(None, (drug, passage.topic, passage.section_title)))
    return ". ".join((*headings, passage.text))
