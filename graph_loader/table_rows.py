"""What the graph shall have of a staged source, as rows of its statements."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from biomolkg.settings import Settings
from graph_loader.claims import graph_value, text_digest
from graph_loader.identity.table_joins import TableJoins
from graph_loader.passages import split_passages
from graph_loader.staging import StagedEdge, StagedNode, Staging

Row = dict[str, Any]


class TableRows:
    """The rows of one data set; each reading of them reads the staged source anew."""

    def __init__(self, dataset: str, staging: Staging, joins: TableJoins, settings: Settings) -> None:
        self._dataset = dataset
        self._staging = staging
        self._joins = joins
        self._settings = settings

    def nodes(self, *, pending: bool = False) -> Iterator[StagedNode]:
        """The nodes that are not left out; `pending`: those that have to be written."""
        for node in self._staging.read_nodes(pending=pending):
            if not node.optional or not self._staging.is_left_out(node.id):
                yield node

    def edge(self, edge: StagedEdge) -> Row:
        """A fact between things of the graph; its digest is over all that it says."""
        head, tail = self._joins.target(edge.head), self._joins.target(edge.tail)
        own = edge.properties
        properties = {key: graph_value(value) for key, value in own.items()} if own else {}
        properties |= {"relation": edge.relation, "dataset": self._dataset, "source": edge.source}
        if edge.type:
            properties["type"] = edge.type
        properties["digest"] = text_digest(f"{edge.said}\n{head}\n{tail}")
        return {"head": head, "tail": tail, "kind": edge.kind, "properties": properties}

    def passages(self) -> Iterator[Row]:
        """The texts of the nodes in passages, each once; its id is a hash over all that it says."""
        for node in self._staging.read_nodes(texts=True):
            entity = self._joins.target(node.id)
            seen: set[str] = set()
            for section, text in node.texts:
                document = f"{node.source}:{section}"
                for chunk in split_passages(
                    text, limit=self._settings.passage_chars, overlap=self._settings.passage_overlap
                ):
                    parts = (entity, self._dataset, section, document, str(chunk.position), chunk.text)
                    name = f"passage:{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:24]}"
                    if name in seen:
                        continue
                    seen.add(name)
                    yield {
                        "id": name,
                        "entity": entity,
                        "embed": chunk.text,
                        "properties": {
                            "text": chunk.text,
                            "title": node.name or node.id,
                            "section": section,
                            "source": node.source,
                            "document": document,
                            "position": chunk.position,
                            "composed": False,
                            "dataset": self._dataset,
                        },
                    }
