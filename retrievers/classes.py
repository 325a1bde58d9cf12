"""The classes that drugs have as roles, and which drug has which: facts beside the snapshot's triples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cypher.client import Client


@dataclass(frozen=True, slots=True)
class DrugClass:
    """A class that drugs have as a role, such as the NSAIDs of ChEBI; `parents` are places in the snapshot's.

    hidden: too bare to be what a question means, as "inhibitor". names: what else it is called.
    """

    id: str
    name: str
    parents: tuple[int, ...] = ()
    hidden: bool = False
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RoleFact:
    """That a drug (its place among the entities) has a class (its place among the classes) as a role.

    relation: `has role` or `is a`; via: the entry of ChEBI that carries it.
    """

    drug: int
    drug_class: int
    relation: str
    source: str
    via: str | None = None


def read_classes(
    client: Client, entities: Mapping[str, int]
) -> tuple[tuple[DrugClass, ...], tuple[RoleFact, ...]]:
    """The graph's classes by id, and the roles by (drug, class, relation); both empty where it has none.

    entities: the place of each entity by id. Raises KeyError for a role of a drug that is not among them.
    """
    rows = sorted(client.stream("read/snapshot_classes"), key=lambda row: str(row["id"]))
    places = {row["id"]: at for at, row in enumerate(rows)}
    classes = tuple(
        DrugClass(
            row["id"],
            row["name"],
            tuple(sorted(places[parent] for parent in row["parents"])),
            row["hidden"],
            tuple(row["names"]),
        )
        for row in rows
    )
    roles = (
        RoleFact(entities[row["drug"]], places[row["class"]], row["relation"], row["source"], row["via"])
        for row in client.stream("read/snapshot_roles")
        if row["drug"] in entities
    )
    return classes, tuple(sorted(roles, key=lambda it: (it.drug, it.drug_class, it.relation, it.source)))
