"""Drug labels as passages know them: what each is called, its date, and the drugs that it is about."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from biomolkg.names import name_key
from cypher.client import Client

# A kit of many substances does not fill each of its passages with their names.
_MOST_NAMES = 12


@dataclass(frozen=True, slots=True)
class LabelRecord:
    """A drug label: `product` is what to show, `names` are all that it calls its products and substances.

    `drugs` are ids of entities, ascending; `effective` is an ISO date of the precision given.
    """

    id: str
    product: str
    names: tuple[str, ...]
    drugs: tuple[str, ...]
    effective: str | None


def read_label_records(client: Client, entities: Collection[str]) -> dict[str, LabelRecord]:
    """By id, the labels that have passages; of their drugs those among `entities`."""
    found = {}
    for row in client.stream("read/snapshot_labels"):
        called = [row["name"], *(row["products"] or ()), *(row["generics"] or ()), *(row["substances"] or ())]
        names: dict[str, str] = {}
        for name in filter(None, called):
            names.setdefault(name_key(name), name)
        found[row["id"]] = LabelRecord(
            id=row["id"],
            product=row["name"] or row["id"],
            names=tuple(names.values())[:_MOST_NAMES],
            drugs=tuple(sorted(drug for drug in row["drugs"] if drug in entities)),
            effective=row["effective"],
        )
    return found
