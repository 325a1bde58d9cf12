"""What the graph shall have of the bundled vocabulary: names and identifiers of things, and their classes.

What that is follows from the vocabulary and from what else is in the graph, so it is read from the graph
whenever it is compared. Its identity is that of the vocabulary alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from biomolkg import lexicon
from biomolkg.lexicon.tables import TABLES, table_file
from cypher.client import Client
from graph_loader.claims import VOCABULARY
from graph_loader.graph_tables import Edge, Edges, Node, SharedNodes, edges_of
from graph_loader.plan import Difference, Encoding, Plan, Row
from graph_loader.vocabulary.matching import Known, vocabulary

DATASET = VOCABULARY
ORIGIN = "bundled"
FORMAT = 1  # raise when the same tables give another graph
LABEL = "DrugClass"
_TABLES = ("drugs", "drug_names", "proteins", "protein_names", "classes", "class_names", "roles")
_PREFIX = f"{DATASET}_"
# No text of the vocabulary has an embedding.
_NOT_ENCODED = Encoding("none", 0)


@dataclass(frozen=True, slots=True)
class VocabularyAgreement:
    """The vocabulary as a content that a graph is made to agree with."""

    dataset: str = DATASET
    origin: str = ORIGIN
    selection: str = "names and classes"

    def content_hash(self) -> str:
        """Identity of the bundled tables."""
        return _identity()

    def plan(self, client: Client) -> Plan:
        """What the graph lacks of this, and has beyond it. Reads only."""
        things = [
            (row, vocabulary().find(row))
            for record in client.stream("load/vocabulary_entities")
            for row in record["rows"]
        ]
        classes, parents, roles = _classes(things)
        return Plan(
            (
                _names(things),
                *(table.compare(client, DATASET, _NOT_ENCODED) for table in (classes, parents, roles)),
            )
        )


@lru_cache(maxsize=1)
def _identity() -> str:
    digest = hashlib.sha256(f"{FORMAT} {DATASET}\n".encode())
    for name in _TABLES:
        digest.update((TABLES / table_file(name)).read_bytes())
    return digest.hexdigest()


def _names(things: Iterable[tuple[Row, Known | None]]) -> Difference:
    difference = Difference("preferred_names", 0)
    for row, known in things:
        held = row["properties"]
        if known is None:
            if any(value is not None for value in held.values()):
                difference.remove.append({"id": row["id"]})
            continue
        difference.read += 1
        properties = known.properties(row["id"])
        if properties != held:
            difference.write.append({"id": row["id"], "properties": properties})
    return difference


def _classes(things: Iterable[tuple[Row, Known | None]]) -> tuple[SharedNodes, Edges, Edges]:
    """The classes that drugs of the graph have and all above them, with both kinds of edges."""
    drugs: dict[str, list[str]] = {}
    for row, known in things:
        if known is not None and row["drug"]:
            drugs.setdefault(known.id, []).append(row["id"])
    held = [role for role in lexicon.roles() if role.drug in drugs]
    every = {one.id: one for one in lexicon.classes()}
    wanted: dict[str, lexicon.DrugClass] = {}
    above = [role.drug_class for role in held]
    while above:
        one = every.get(above.pop())
        if one is not None and one.id not in wanted:
            wanted[one.id] = one
            above += one.parents
    names = _class_names()
    nodes = {one.id: _node(one, names.get(one.id, ())) for one in wanted.values()}
    parents = (
        Edge("IS_A", one.id, parent, {"dataset": DATASET, "source": f"{DATASET}:classes:{one.id}"})
        for one in wanted.values()
        for parent in one.parents
        if parent in wanted
    )
    return (
        SharedNodes("drug_classes", nodes, prefix=_PREFIX, added=(LABEL,)),
        edges_of("class_parents", parents),
        edges_of(
            "drug_roles",
            (edge for role in held if role.drug_class in wanted for edge in _roles(role, drugs[role.drug])),
        ),
    )


def _node(one: lexicon.DrugClass, names: Iterable[str]) -> Node:
    others = [name for name in names if name != one.name]
    stated: Row = {"name": one.name, "synonyms": others}
    return Node(
        one.id,
        {name: value for name, value in stated.items() if value},
        ("Entity", LABEL),
        shared={
            f"{_PREFIX}{name}": value
            for name, value in (stated | {"hidden": one.hidden or None}).items()
            if value
        },
    )


def _roles(role: lexicon.Role, drugs: Iterable[str]) -> Iterator[Edge]:
    properties = {
        "dataset": DATASET,
        "relation": role.relation,
        "source": f"{DATASET}:roles:{role.source}",
        "via": role.via or None,
    }
    stated = {name: value for name, value in properties.items() if value is not None}
    for drug in drugs:
        yield Edge("HAS_ROLE", drug, role.drug_class, stated, part=role.relation)


@lru_cache(maxsize=1)
def _class_names() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, dict[str, None]] = {}
    for row in lexicon.class_names():
        found.setdefault(row.id, {})[row.name] = None
    return {id_: tuple(names) for id_, names in found.items()}
