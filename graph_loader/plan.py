"""What a load has to change: the graph as it is, compared row by row with what it shall be.

Nothing is taken on trust from the ledger, so a graph that was damaged, or left
half-written by a load that was killed, is seen and mended.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from cypher.client import Client
from graph_loader.functional_groups import group_links, group_rows
from graph_loader.records import FACT_KINDS, Drug, GraphContent, Interaction, Passage, Protein
from graph_loader.structures import structure_properties

Row = dict[str, Any]
Key = tuple[Any, ...]
FORMAT = 4  # raise when the same source gives another graph
_LABELS = {"drugs": "Drug", "proteins": "Protein"}
_KINDS = frozenset(("Drug", "Protein", "Chemical", "Gene", "Transcript", "Thing"))


@dataclass(slots=True)
class Difference:
    """One table: rows to write and to remove, and how many agree already. `read` counts the source's.

    `removal` names the statement that removes (default: the table's own); nodes that
    facts end at are removed last, after the facts of all tables.
    """

    table: str
    read: int
    write: list[Row] = field(default_factory=list)
    remove: list[Row] = field(default_factory=list)
    removal: str = ""
    removed_last: bool = False

    @property
    def unchanged(self) -> int:
        """Rows that the graph has as the source has them."""
        return self.read - len(self.write)

    def __bool__(self) -> bool:
        return bool(self.write or self.remove)


@dataclass(frozen=True, slots=True)
class Plan:
    """The differences of all tables, in the order in which they are written."""

    tables: tuple[Difference, ...]

    def table(self, name: str) -> Difference:
        """The difference of one table."""
        return next(table for table in self.tables if table.table == name)

    def __bool__(self) -> bool:
        return any(self.tables)


@dataclass(frozen=True, slots=True)
class Encoding:
    """Which encoder makes embeddings, and how long they are."""

    identity: str
    dimension: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """The rows that the graph shall hold of one data set, by table, made once for a load.

    `groups` are the functional groups of its structures, by name, `links` which
    entity has which, by (entity id, name of the group).
    """

    dataset: str
    origin: str
    selection: str
    entities: Mapping[str, Sequence[Row]]
    groups: Mapping[str, Row]
    links: Mapping[Key, Row]
    facts: Mapping[str, Mapping[Key, Row]]
    passages: Sequence[Row]
    encoding: Encoding

    @classmethod
    def of(cls, content: GraphContent, encoding: Encoding) -> Wanted:
        """The rows of a content, whose embeddings are made by that encoder."""
        facts: dict[str, dict[Key, Row]] = {kind: {} for kind in FACT_KINDS}
        for fact in content.interactions:
            row = _fact_row(content.dataset, fact)
            facts[fact.kind][fact_key(fact.kind, fact.head, fact.tail, row["properties"])] = row
        structures = {drug.id: drug.structure for drug in content.drugs if drug.structure is not None}
        links = group_links(structures, content.dataset)
        return cls(
            dataset=content.dataset,
            origin=content.origin,
            selection=content.selection,
            entities={
                "drugs": [_entity_row(drug) for drug in content.drugs],
                "proteins": [_entity_row(protein) for protein in content.proteins],
            },
            groups=group_rows({name for _, name in links}),
            links=links,
            facts=facts,
            passages=[_passage_row(content.dataset, passage, encoding) for passage in content.passages],
            encoding=encoding,
        )

    def content_hash(self) -> str:
        """Identity of everything that a load leaves in the graph: the same source gives the same, always."""
        digest = hashlib.sha256(f"{FORMAT} {self.dataset} {self.encoding.identity}".encode())
        tables: dict[str, list[Any]] = {
            name: sorted(rows, key=itemgetter("id")) for name, rows in self.entities.items()
        }
        tables["groups"] = [self.groups[name] for name in sorted(self.groups)]
        for kind, facts in (("links", self.links), *self.facts.items()):
            tables[kind] = [facts[key] for key in sorted(facts)]
        # A passage's id is a hash over its text.
        tables["passages"] = sorted([row["id"], row["properties"]["title"]] for row in self.passages)
        digest.update(json.dumps(tables, ensure_ascii=False).encode())
        return digest.hexdigest()

    def plan(self, client: Client) -> Plan:
        """What the graph lacks of this, and has beyond it. Reads only."""
        return make_plan(client, self)


def make_plan(client: Client, wanted: Wanted) -> Plan:
    """Compare the graph with what it shall hold of a data set. Reads only."""
    entities = _compare_entities(client, wanted)
    stated: Counter[tuple[str, str]] = Counter()
    held: Counter[tuple[str, str]] = Counter()
    facts = []
    for kind, rows in wanted.facts.items():
        stated.update((kind, row["properties"]["relation"]) for row in rows.values())
        facts.append(_compare_facts(client, wanted.dataset, kind, rows, held))
    relations = _compare_relations(client, stated, held, wanted.encoding)
    groups = compare_groups(client, wanted.dataset, wanted.groups)
    links = compare_links(client, wanted.dataset, wanted.links)
    return Plan((*entities, groups, links, *facts, relations, _compare_passages(client, wanted)))


def fact_key(kind: str, head: str, tail: str, properties: Mapping[str, Any]) -> Key:
    """What makes a fact of one kind the same fact, within a data set."""
    if kind == "ACTION":
        told = properties.get("mode"), properties.get("action"), properties.get("score")
        return head, properties.get("relation"), tail, *told
    return head, properties.get("relation"), tail


def _compare_entities(client: Client, wanted: Wanted) -> list[Difference]:
    held = {row["id"]: row for row in client.stream("load/read_entities", dataset=wanted.dataset)}
    differences = []
    for table, rows in wanted.entities.items():
        difference = Difference(table, len(rows), removal="entities", removed_last=True)
        for row in rows:
            found = held.pop(row["id"], None)
            if found is None or not _is_called(found, _LABELS[table]) or not _holds(found, row):
                difference.write.append(row)
        differences.append(difference)
    for row in held.values():
        place = 1 if "Protein" in row["labels"] else 0
        differences[place].remove.append({"id": row["id"]})
    return differences


def _is_called(found: Row, label: str) -> bool:
    """Whether a node has this label and none that another data set gave it as the first one."""
    labels = _KINDS.intersection(found["labels"])
    # Reactome's loader calls a drug that it refers to a chemical as well.
    if label == "Drug" and "reactome" in found["properties"]["datasets"]:
        labels -= {"Chemical"}
    return labels == {label}


def _holds(found: Row, row: Row) -> bool:
    """Whether a node has these properties; what other data sets say of it is left alone."""
    properties = found["properties"]
    return all(properties.get(name) == value for name, value in row["properties"].items())


def _entity_row(entity: Drug | Protein) -> Row:
    properties: Row = {
        "name": entity.name,
        "synonyms": list(entity.synonyms),
        "xrefs": list(entity.xrefs),
    }
    if isinstance(entity, Drug):
        properties |= {
            **structure_properties(entity.smiles, entity.structure),
        }
    else:
        properties["gene"] = entity.gene
    return {"id": entity.id, "properties": properties}


def compare_groups(client: Client, dataset: str, rows: Mapping[str, Row]) -> Difference:
    """Functional groups, which data sets share: what no structure of any of them has is removed."""
    difference = Difference("functional_groups", len(rows), removed_last=True)
    held = {row["name"]: row for row in client.stream("load/read_functional_groups", dataset=dataset)}
    for name, row in rows.items():
        found = held.pop(name, None)
        if found is None or found["properties"] != row["properties"]:
            difference.write.append(row)
    difference.remove.extend({"name": name} for name, row in sorted(held.items()) if not row["elsewhere"])
    return difference


def compare_links(client: Client, dataset: str, rows: Mapping[Key, Row]) -> Difference:
    """Which entity has which functional group, by (entity id, name of the group)."""
    difference = Difference("has_group", len(rows))
    missing = dict(rows)
    for found in client.stream("load/read_has_group", dataset=dataset):
        for name, properties, element in found["groups"]:
            key = (found["head"], name)
            row = missing.get(key)
            if row is not None and properties == row["properties"]:
                del missing[key]
            else:
                difference.remove.append({"element": element, "gone": key not in rows})
    difference.write.extend(missing.values())
    return difference


def _fact_row(dataset: str, fact: Interaction) -> Row:
    properties = {"dataset": dataset, "relation": fact.relation, "source": fact.source, **fact.details}
    return {"head": fact.head, "tail": fact.tail, "properties": properties}


def _compare_facts(
    client: Client, dataset: str, kind: str, rows: Mapping[Key, Row], counts: Counter[tuple[str, str]]
) -> Difference:
    """Compare one kind; `counts` collects what the graph holds of the data set, by relation."""
    table = kind.lower()
    difference = Difference(table, len(rows))
    missing = dict(rows)
    for found in client.stream(f"load/read_{table}", dataset=dataset):
        head = found["head"]
        for tail, properties, element in found["facts"]:
            counts[kind, properties.get("relation")] += 1
            key = fact_key(kind, head, tail, properties)
            row = missing.get(key)
            if row is not None and properties == row["properties"]:
                del missing[key]
            else:
                # Not stated, stated otherwise, or there already: where it is stated, it is written anew.
                difference.remove.append({"element": element, "gone": key not in rows})
    difference.write.extend(missing.values())
    return difference


def _compare_relations(
    client: Client,
    stated: Mapping[tuple[str, str], int],
    held: Mapping[tuple[str, str], int],
    encoding: Encoding,
) -> Difference:
    """Counts are over all data sets: the graph's, less what it holds of this one, plus what it shall."""
    counts: Counter[tuple[str, str]] = Counter()
    # The number of all edges is known without looking at one: where it is this data set's, no other has any.
    if client.read("load/fact_count")[0]["count"] != sum(held.values()):
        for row in client.stream("load/relation_counts"):
            counts[row["kind"], row["name"]] += row["count"]
        counts.subtract(held)
    counts.update(stated)
    wanted = {key: count for key, count in counts.items() if count > 0}
    difference = Difference("relation_types", len(wanted))
    known = {row["id"]: row for row in client.stream("load/read_relation_types", kinds=list(FACT_KINDS))}
    for (kind, name), count in sorted(wanted.items()):
        found = known.pop(f"{kind}:{name}", None)
        properties = {"name": name, "kind": kind, "count": count}
        embedded = (
            found is not None and _embedded(found, found["encoder"], encoding) and found["name"] == name
        )
        if embedded and found is not None and all(found[key] == value for key, value in properties.items()):
            continue
        row = {"id": f"{kind}:{name}", "properties": properties}
        difference.write.append(row if embedded else row | {"embed": name})
    difference.remove.extend({"id": identifier} for identifier in sorted(known))
    return difference


def _embedded(found: Row, encoder: str | None, encoding: Encoding) -> bool:
    return encoder == encoding.identity and found["dimension"] == encoding.dimension


def _compare_passages(client: Client, wanted: Wanted) -> Difference:
    difference = Difference("passages", len(wanted.passages))
    held = {row["id"]: row for row in client.stream("load/read_passages", dataset=wanted.dataset)}
    for row in wanted.passages:
        found = held.pop(row["id"], None)
        if found is None:
            difference.write.append(row)
        elif (
            found["properties"] != row["properties"]
            or found["entities"] != [row["entity"]]
            or found["dimension"] != wanted.encoding.dimension
        ):
            difference.remove.append({"id": row["id"], "gone": False})
            difference.write.append(row)
    difference.remove.extend({"id": identifier} for identifier in sorted(held))
    return difference


def _passage_row(dataset: str, passage: Passage, encoding: Encoding) -> Row:
    properties = {
        "text": passage.text,
        "title": passage.title,
        "section": passage.section,
        "source": passage.source,
        "document": passage.document,
        "position": passage.position,
        "composed": passage.composed,
        "dataset": dataset,
        "encoder": encoding.identity,
    }
    return {"id": passage.id, "entity": passage.entity, "properties": properties, "embed": passage.text}
