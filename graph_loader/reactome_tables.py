"""Reactome as the tables of a graph: pathways, reactions, entities, what they refer to, all edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from graph_loader.graph_tables import Edge, GraphTables, Node, OwnedNodes, SharedNodes, edges_of
from graph_loader.identity.reactome_joins import Joins
from graph_loader.ledger import Omissions
from graph_loader.plan import Encoding
from graph_loader.reactome_references import references
from graph_loader.reactome_relations import reactome_relations
from graph_loader.sources.reactome import Edge as Statement
from graph_loader.sources.reactome import Participants, Pathway, PhysicalEntity, Reaction, Reactome, edges
from graph_loader.sources.reactome.identifiers import curie

DATASET = "reactome"
PREFIX = "reactome_"
# The labels that a class of Reactome's schema stands for, beside PhysicalEntity.
_CLASSES: Mapping[str, tuple[str, ...]] = {
    "Complex": ("Complex",),
    "DefinedSet": ("EntitySet", "DefinedSet"),
    "CandidateSet": ("EntitySet", "CandidateSet"),
    "OpenSet": ("EntitySet", "OpenSet"),
    "EntitySet": ("EntitySet",),
    "EntityWithAccessionedSequence": ("GenomeEncodedEntity", "EntityWithAccessionedSequence"),
    "GenomeEncodedEntity": ("GenomeEncodedEntity",),
    "SimpleEntity": ("SimpleEntity",),
    "Polymer": ("Polymer",),
    "ChemicalDrug": ("DrugEntity", "ChemicalDrug"),
    "ProteinDrug": ("DrugEntity", "ProteinDrug"),
    "RNADrug": ("DrugEntity", "RNADrug"),
    "OtherEntity": ("OtherEntity",),
    "Cell": ("Cell",),
}
# The table of an edge: by its kind, and for events by what it ends at.
_TABLES = {
    "INPUT": "participants",
    "OUTPUT": "participants",
    "CATALYZED_BY": "participants",
    "REGULATED_BY": "participants",
    "PRECEDES": "preceding",
    "HAS_COMPONENT": "parts",
    "HAS_MEMBER": "parts",
    "REFERS_TO": "referrals",
    "PARTICIPATES_IN": "participations",
}
_EDGE_TABLES = ("subpathways", "events", *dict.fromkeys(_TABLES.values()))


def reactome_tables(
    reactome: Reactome,
    selection: str,
    held: Iterable[Mapping[str, Any]],
    encoding: Encoding,
    omissions: Omissions,
    *,
    origin: str = DATASET,
) -> GraphTables:
    """What the graph shall hold of Reactome; `held` are rows of `load/joinable_entities`.

    What cannot be joined for certain is left apart and counted.
    """
    nodes, joins = references(reactome, Joins(held, DATASET), omissions)
    sorted_edges: dict[str, list[Edge]] = {name: [] for name in _EDGE_TABLES}
    for statement in edges(reactome, Participants(reactome)):
        table = _table(statement, reactome)
        if table is None:
            omissions.add(DATASET, f"{statement.kind}: end of another kind", f"{statement.source}")
            continue
        sorted_edges[table].append(_edge(statement, joins))
    _account(reactome, omissions)
    tables = [edges_of(name, found) for name, found in sorted_edges.items()]
    return GraphTables(
        dataset=DATASET,
        origin=origin,
        selection=selection,
        tables=(
            OwnedNodes("pathways", "Pathway", _by_id(map(_pathway, reactome.pathways.values()))),
            OwnedNodes("reactions", "Reaction", _by_id(map(_reaction, reactome.reactions.values()))),
            OwnedNodes(
                "physical_entities", "PhysicalEntity", _by_id(map(_entity, reactome.entities.values()))
            ),
            SharedNodes("references", nodes, prefix=PREFIX, added=("Chemical",)),
            *tables,
            reactome_relations(edge for table in tables for edge in table.edges.values()),
        ),
        encoding=encoding,
    )


def _pathway(pathway: Pathway) -> Node:
    return _node(pathway, {"disease": pathway.disease})


def _reaction(reaction: Reaction) -> Node:
    return _node(reaction, {"disease": reaction.disease, "reaction_class": reaction.reaction_class})


def _entity(entity: PhysicalEntity) -> Node:
    stated = {"schema_class": entity.schema_class, "compartment": entity.compartment}
    return _node(entity, stated, _CLASSES.get(entity.schema_class, ()))


def _node(
    record: Pathway | Reaction | PhysicalEntity, stated: Mapping[str, Any], labels: tuple[str, ...] = ()
) -> Node:
    properties = {
        "name": record.name,
        "synonyms": list(record.synonyms),
        "species": record.species,
        "version": record.version,
        "source": f"{DATASET}:{record.source}",
        **stated,
    }
    kept = {name: value for name, value in properties.items() if value is not None}
    return Node(curie(record.id), kept, labels)


def _by_id(nodes: Iterator[Node]) -> dict[str, Node]:
    return {node.id: node for node in nodes}


def _table(statement: Statement, reactome: Reactome) -> str | None:
    """Where an edge belongs; None when its end is of a kind that the edge cannot have."""
    tail = statement.tail.partition(":")[2]
    if statement.kind == "HAS_EVENT":
        return "subpathways" if tail in reactome.pathways else "events"
    table = _TABLES[statement.kind]
    if table in {"participants", "parts"} and tail not in reactome.entities:
        return None
    if table == "preceding" and statement.head.partition(":")[2] not in reactome.reactions:
        return None
    return table


def _edge(statement: Statement, joins: Mapping[str, str]) -> Edge:
    properties = {
        "dataset": DATASET,
        "source": statement.source,
        "stoichiometry": statement.count,
        "regulation": statement.regulation,
        "direct": statement.direct,
        "identifier": statement.identifier,
        "evidence": statement.evidence,
        "candidate": statement.candidate,
    }
    return Edge(
        statement.kind,
        joins.get(statement.head, statement.head),
        joins.get(statement.tail, statement.tail),
        {name: value for name, value in properties.items() if value is not None},
        part=statement.regulation,
    )


def _account(reactome: Reactome, omissions: Omissions) -> None:
    """What the reading left out or met, in the words of the ledger."""
    tally = reactome.tally
    for counter, taken in ((tally.skipped, False), (tally.contradictions, True), (tally.noted, True)):
        for reason, count in counter.items():
            places = tally.first.get(reason, [])
            for number in range(count):
                place = places[number] if number < len(places) else ""
                omissions.add(DATASET, reason, place, taken=taken)
