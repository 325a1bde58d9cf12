"""What a load has to change: the graph as it is, compared row by row with what it shall be.

Nothing is taken on trust from the ledger, so a graph that was damaged, or left
half-written by a load that was killed, is seen and mended.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from cypher.client import Client
from graph_loader.records import FACT_KINDS, Drug, GraphContent, Interaction, Passage, Protein

Row = dict[str, Any]
Key = tuple[Any, ...]
ENTITY_TABLES = ("drugs", "proteins")
FACT_TABLES = tuple(kind.lower() for kind in FACT_KINDS)
_LABELS = {"drugs": "Drug", "proteins": "Protein"}


@dataclass(slots=True)
class Difference:
    """One table: rows to write and to remove, and how many agree already. `read` counts the source's."""

    table: str
    read: int
    write: list[Row] = field(default_factory=list)
    remove: list[Row] = field(default_factory=list)

    @property
    def unchanged(self) -> int:
        """Rows that the graph has as the source has them."""
        return self.read - len(self.write)

    def __bool__(self) -> bool:
        return bool(self.write or self.remove)


@dataclass(frozen=True, slots=True)
class Plan:
    """The differences of all tables."""

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


def make_plan(client: Client, content: GraphContent, encoding: Encoding) -> Plan:
    """Compare the graph with the content of a data set. Reads only."""
    entities = _compare_entities(client, content)
    stated: Counter[tuple[str, str]] = Counter()
    held: Counter[tuple[str, str]] = Counter()
    facts = []
    for kind in FACT_KINDS:
        rows = {
            _fact_key(fact): _fact_row(content.dataset, fact)
            for fact in content.interactions
            if fact.kind == kind
        }
        stated.update((kind, row["relation"]) for row in rows.values())
        facts.append(_compare_facts(client, content.dataset, kind, rows, held))
    relations = _compare_relations(client, stated, held, encoding)
    passages = _compare_passages(client, content, encoding)
    return Plan((*entities, *facts, relations, passages))


def canonical_rows(content: GraphContent) -> Iterable[tuple[str, Row]]:
    """Every row that the graph shall hold, by table: what a content hash is made over."""
    for table, entities in _entity_tables(content):
        for entity in sorted(entities, key=lambda entity: entity.id):
            yield table, _entity_row(entity)
    for fact in sorted(content.interactions, key=lambda fact: (fact.kind, *map(str, _fact_key(fact)))):
        yield fact.kind, _fact_row(content.dataset, fact)
    for passage in sorted(content.passages, key=lambda passage: passage.id):
        yield "passages", {"id": passage.id, "title": passage.title}


def _compare_entities(client: Client, content: GraphContent) -> list[Difference]:
    held = {row["id"]: row for row in client.stream("load/read_entities", dataset=content.dataset)}
    differences = []
    for table, entities in _entity_tables(content):
        difference = Difference(table, len(entities))
        for entity in entities:
            row = _entity_row(entity)
            found = held.pop(entity.id, None)
            if found is None or _LABELS[table] not in found["labels"] or not _holds(found, row):
                difference.write.append(row)
        differences.append(difference)
    for row in held.values():
        place = 1 if "Protein" in row["labels"] else 0
        differences[place].remove.append({"id": row["id"]})
    return differences


def _entity_tables(content: GraphContent) -> tuple[tuple[str, Sequence[Drug | Protein]], ...]:
    return ("drugs", content.drugs), ("proteins", content.proteins)


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
            "smiles": entity.smiles,
            "inchikey": entity.inchikey,
            "formula": entity.formula,
            "weight": entity.weight,
            "groups": [name for name, _ in entity.groups],
            "group_counts": [count for _, count in entity.groups],
        }
    else:
        properties["gene"] = entity.gene
    return {"id": entity.id, "properties": properties}


def _fact_key(fact: Interaction) -> Key:
    """What makes a fact of one kind the same fact, within a data set."""
    if fact.kind == "ACTION":
        details = fact.details
        return fact.head, fact.relation, fact.tail, details["mode"], details["action"], details["score"]
    return fact.head, fact.relation, fact.tail


def _fact_row(dataset: str, fact: Interaction) -> Row:
    properties = {"dataset": dataset, "relation": fact.relation, "source": fact.source, **fact.details}
    return {"head": fact.head, "tail": fact.tail, "properties": properties} | _key_values(properties)


def _key_values(properties: Mapping[str, Any]) -> Row:
    names = ("relation", "mode", "action", "score")
    return {name: properties[name] for name in names if name in properties}


def _compare_facts(
    client: Client, dataset: str, kind: str, rows: Mapping[Key, Row], counts: Counter[tuple[str, str]]
) -> Difference:
    """Compare one kind; `counts` takes off what the graph holds of the data set, by relation."""
    table = kind.lower()
    difference = Difference(table, len(rows))
    missing = dict(rows)
    for held in client.stream(f"load/read_{table}", dataset=dataset):
        properties = held["properties"]
        counts[kind, properties.get("relation")] += 1
        key: Key = (held["head"], properties.get("relation"), held["tail"])
        if kind == "ACTION":
            key = (*key, properties.get("mode"), properties.get("action"), properties.get("score"))
        row = rows.get(key)
        if row is None or key not in missing:
            difference.remove.append(
                {"head": held["head"], "tail": held["tail"]} | _removal(kind, properties)
            )
            if row is not None:
                # A second edge for one fact: all of them go, and one is written.
                missing[key] = row
        elif properties == row["properties"]:
            del missing[key]
    difference.write.extend(missing.values())
    return difference


def _removal(kind: str, properties: Mapping[str, Any]) -> Row:
    names = ("relation", "mode", "action", "score") if kind == "ACTION" else ("relation",)
    return {name: properties.get(name) for name in names}


def _compare_relations(
    client: Client,
    stated: Mapping[tuple[str, str], int],
    held: Mapping[tuple[str, str], int],
    encoding: Encoding,
) -> Difference:
    """Counts are over all data sets: the graph's, less what it holds of this one, plus what it shall."""
    counts: Counter[tuple[str, str]] = Counter()
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


def _compare_passages(client: Client, content: GraphContent, encoding: Encoding) -> Difference:
    difference = Difference("passages", len(content.passages))
    held = {row["id"]: row for row in client.stream("load/read_passages", dataset=content.dataset)}
    for passage in content.passages:
        row = _passage_row(content.dataset, passage, encoding)
        found = held.pop(passage.id, None)
        if found is None:
            difference.write.append(row)
        elif (
            found["properties"] != row["properties"]
            or found["entities"] != [passage.entity]
            or found["dimension"] != encoding.dimension
        ):
            difference.remove.append({"id": passage.id})
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
