"""The relation types of the graph, as the facts of all data sets say."""

from __future__ import annotations

from typing import Any

from cypher.client import Client
from graph_loader.graph_records import EDGE_KINDS
from graph_loader.plan import Encoding

Row = dict[str, Any]


def relation_rows(client: Client, encoding: Encoding) -> tuple[list[Row], list[Row], int]:
    """Rows to write and to remove so that relation types say what edges do, and how many there are."""
    wanted = {
        f"{row['kind']}:{row['name']}": row
        for row in client.stream("load/count_relations")
        if row["name"] is not None
    }
    known = {row["id"]: row for row in client.stream("load/read_relation_types", kinds=list(EDGE_KINDS))}
    write: list[Row] = []
    for identifier, row in sorted(wanted.items()):
        properties = {name: row[name] for name in ("name", "kind", "count")}
        found = known.pop(identifier, None)
        encoded = found is not None and (found["encoder"], found["dimension"]) == (
            encoding.identity,
            encoding.dimension,
        )
        if encoded and found is not None and all(found[key] == properties[key] for key in properties):
            continue
        written: Row = {"id": identifier, "properties": properties}
        write.append(written if encoded else written | {"embed": row["name"]})
    return write, [{"id": identifier} for identifier in sorted(known)], len(wanted)
