"""Drug labels as the tables of a graph: labels, their passages, and the drugs that they name."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from biomolkg.names import name_key
from biomolkg.settings import Settings
from graph_loader.drug_names import DrugNames
from graph_loader.graph_tables import Edge, GraphTables, Node, OwnedNodes, SharedNodes, edges_of
from graph_loader.labels import Label, LabelPassage
from graph_loader.ledger import Omissions
from graph_loader.plan import Encoding

UNMATCHED = "no drug of the graph has a name of it, label without a drug"
_NAMED_SUBSTANCES = 3
AMBIGUOUS = "a name that several drugs have, not joined by it"


def label_tables(
    dataset: str,
    labels: Iterable[Label],
    drugs: DrugNames,
    settings: Settings,
    encoding: Encoding,
    omissions: Omissions,
) -> GraphTables:
    """What the graph shall hold of these labels; of a set id that comes again the last one counts.

    Labels that no name joins to a drug are kept and counted, and so are names that
    several drugs have. Memory holds the passages of all labels.
    """
    nodes: dict[str, Node] = {}
    passages: dict[str, list[Node]] = {}
    found: dict[str, list[Edge]] = {}
    notes: dict[str, list[tuple[str, str]]] = {}
    for label in labels:
        nodes[label.id] = _label(label)
        passages[label.id] = list(_passages(dataset, label, settings))
        found[label.id], notes[label.id] = _drugs(dataset, label, drugs)
    for noted in notes.values():
        for reason, offender in noted:
            omissions.add("drug names", reason, offender, taken=True)
    return GraphTables(
        dataset=dataset,
        origin=dataset,
        selection="all labels",
        tables=(
            SharedNodes("drug_labels", nodes, prefix=f"{dataset}_", words=True),
            OwnedNodes(
                "label_passages",
                "Passage",
                {node.id: node for whole in passages.values() for node in whole},
            ),
            edges_of(
                "label_sections",
                (
                    Edge("HAS_SECTION", key, node.id, {"dataset": dataset})
                    for key, whole in passages.items()
                    for node in whole
                ),
            ),
            edges_of("label_drugs", (edge for joined in found.values() for edge in joined)),
        ),
        encoding=encoding,
    )


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


def _drugs(dataset: str, label: Label, drugs: DrugNames) -> tuple[list[Edge], list[tuple[str, str]]]:
    """The drugs that a label names, each by the first name that leads to it alone; and what was noted."""
    joined: dict[str, Edge] = {}
    notes: list[tuple[str, str]] = []
    named = [
        *(("substance", substance.name) for substance in label.substances),
        *(("generic name", name) for name in label.generic_names),
        *(("product name", name) for name in label.product_names),
    ]
    for kind, name in named:
        match = drugs.find(name)
        if len(match.ids) > 1:
            notes.append((AMBIGUOUS, f"{label.id} {name}: {', '.join(match.ids)}"))
        for drug in match.ids if len(match.ids) == 1 else ():
            properties = {
                "dataset": dataset,
                "source": f"{label.reader}:{label.set_id}:{label.version or 0}",
                "named": name,
                "evidence": f"{kind} is a {match.evidence} of the drug",
            }
            joined.setdefault(drug, Edge("LABELS", label.id, drug, properties))
    if not joined:
        notes.append((UNMATCHED, f"{label.id} {label.name}"))
    return list(joined.values()), notes
