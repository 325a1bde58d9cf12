"""Passages and drug labels by id, by entity and by name: single look-ups in the database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from biomolkg.errors import NotFound
from biomolkg.names import name_words
from cypher.client import Client
from retrievers.entities import get_entity
from retrievers.hits import EntityRef, PassageHit, entity_ref

_MAX_WORDS = 32


@dataclass(frozen=True, slots=True)
class PassageRecord:
    """A passage, where it comes from, and its place in its document, from 0."""

    passage: PassageHit
    source: str
    document: str
    position: int


@dataclass(frozen=True, slots=True)
class PassagePage:
    """A page of the passages of the entity `of`; `total` counts all."""

    of: EntityRef
    total: int
    items: tuple[PassageRecord, ...]


@dataclass(frozen=True, slots=True)
class LabelSection:
    """A section of a label, with its passages in order."""

    section: str | None
    section_title: str | None
    topic: str | None
    title: str
    boxed: bool
    passages: tuple[PassageRecord, ...]


@dataclass(frozen=True, slots=True)
class DrugLabel:
    """What a label says of itself, and the drugs that it is about; `product` is what to call it.

    `sections` are empty in a listing.
    """

    id: str
    product: str
    stated: Mapping[str, Any]
    drugs: tuple[EntityRef, ...]
    sections: tuple[LabelSection, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelPage:
    """A page of labels; `exact` says of each whether a name is written just so; `total` counts all."""

    total: int
    items: tuple[tuple[DrugLabel, bool], ...]


def get_passage(client: Client, passage_id: str) -> PassageRecord:
    """The passage with this id. Raises NotFound."""
    rows = client.read("read/passage", id=passage_id)
    if not rows:
        raise NotFound(
            f"There is no passage {passage_id!r}.",
            remedy="Ids of passages change with their text: ask again, or read the passages of the entity.",
        )
    return _record(rows[0])


def entity_passages(
    client: Client, entity_id: str, *, section: str | None = None, limit: int = 20, offset: int = 0
) -> PassagePage:
    """The passages that describe an entity, then those of its labels; `section` as in a hit.

    Raises NotFound as `get_entity` does.
    """
    record = get_entity(client, entity_id)
    of = EntityRef(record.id, record.name, record.label, record.preferred_name)
    rows = client.read("read/entity_passages", id=record.id, section=section, limit=limit, offset=offset)
    (row,) = rows or [{"total": 0, "page": []}]
    return PassagePage(of, row["total"], tuple(_record(item) for item in row["page"]))


def get_label(client: Client, label_id: str, *, section: str | None = None) -> DrugLabel:
    """The label with this id (`dailymed:` may be left out), with the sections of that code, or all.

    Raises NotFound.
    """
    rows = client.read("read/label", id=label_id, section=section)
    if not rows:
        raise NotFound(f"There is no drug label {label_id!r}.", remedy="Search for it by product or drug.")
    (row,) = rows
    label = _label(row)
    records = [
        (
            passage["dataset"] or "",
            _place(passage["source"]),
            _record({"passage": passage, "entity": None, "label": row["label"], "drugs": row["drugs"]}),
        )
        for passage in row["passages"]
    ]
    records.sort(key=lambda it: (it[0], it[1], it[2].source, it[2].position))
    sections = []
    for _, whole in groupby(records, key=lambda it: (it[0], it[2].source)):
        passages = tuple(record for _, _, record in whole)
        one = passages[0].passage
        sections.append(
            LabelSection(one.section, one.section_title, one.topic, one.title, one.boxed, passages)
        )
    return DrugLabel(label.id, label.product, label.stated, label.drugs, tuple(sections))


def search_labels(client: Client, name: str, *, limit: int = 20, offset: int = 0) -> LabelPage:
    """The labels with every word of `name` in a name of a product, substance or drug, exact ones first.

    All labels without a name; none for a name without a letter or digit.
    """
    words = name_words(name)[:_MAX_WORDS]
    if name.strip() and not words:
        return LabelPage(0, ())
    (row,) = client.read(
        "read/label_list", words=words, written=name.strip().lower(), limit=limit, offset=offset
    )
    items = (
        (_label({"label": label, "drugs": label.pop("drugs")}), bool(label.pop("exact")))
        for label in row["page"]
    )
    return LabelPage(row["total"], tuple(items))


def _label(row: Mapping[str, Any]) -> DrugLabel:
    stated = {name: value for name, value in row["label"].items() if value is not None}
    label_id, product = stated.pop("id"), stated.pop("name", "")
    return DrugLabel(label_id, product or label_id, stated, _drugs(row["drugs"]))


def _drugs(rows: Sequence[Mapping[str, Any]]) -> tuple[EntityRef, ...]:
    return tuple(sorted((entity_ref(row) for row in rows), key=lambda drug: drug.id))


def _record(row: Mapping[str, Any]) -> PassageRecord:
    passage, label, entity = row["passage"], row["label"], row["entity"]
    title = passage["title"] or ""
    of_label: dict[str, Any] = {}
    if label is not None:
        of_label = {
            "label": label["id"],
            "product": label["name"] or label["id"],
            "drugs": _drugs(row["drugs"]),
            "section_title": passage["section_title"] or title.rpartition(" > ")[2] or None,
            "topic": passage["topic"],
            "boxed": bool(passage["boxed"]),
            "effective": label["effective"],
        }
    return PassageRecord(
        PassageHit(
            id=passage["id"],
            text=passage["text"],
            title=title,
            section=passage["section"],
            entity=None if entity is None else entity_ref(entity),
            **of_label,
        ),
        source=passage["source"],
        document=passage["document"] or passage["id"],
        position=passage["position"] or 0,
    )


def _place(source: str) -> int:
    """The position of a section in its label: what its source ends in."""
    last = source.rpartition(":")[2]
    return int(last) if last.isdecimal() else 0
