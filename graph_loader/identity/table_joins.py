"""Which things of a staged source the graph has already, and by what evidence."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import replace
from functools import lru_cache

from cypher.client import Client
from graph_loader.graph_records import GraphEdge
from graph_loader.identity import taxa
from graph_loader.identity.evidence import EVIDENCE, evidence_of
from graph_loader.identity.links import RELATIONS, Link, Links, link_keys
from graph_loader.identity.matching import Matcher, index_rows
from graph_loader.identity.names import identity_key
from graph_loader.identity.things import JOINABLE, of_node
from graph_loader.ledger import APART, JoinCount, Omissions
from graph_loader.staging import StagedNode, Staging
from graph_loader.table_sources import TableSource

_EXAMPLES = 5
_TARGETS_HELD = 100_000
_OWN = "own "  # before the keys of the source's own things


class TableJoins:
    """The joins of one source. Call `find` first; `notes` then tells what was left apart or out."""

    def __init__(self, client: Client, source: TableSource, staging: Staging) -> None:
        self._client = client
        self._dataset = source.dataset
        self._optional = source.optional
        self._staging = staging
        self._counts: Counter[str] = Counter()
        self._examples: dict[str, list[str]] = {}
        self._target = lru_cache(_TARGETS_HELD)(staging.target_of)
        self.notes = Omissions()

    def find(self) -> str:
        """Find out which nodes the graph has already; returns a hash over who was joined to what."""
        staging = self._staging
        rows = self._client.stream(
            "load/joinable_entities", own=f"{self._dataset}:", species=list(taxa.PROPERTIES)
        )
        index_rows(staging, rows, self._dataset)
        matcher = Matcher(staging, named=staging.times_named)
        for node in staging.read_nodes(kinds=sorted(JOINABLE)):
            match = matcher.find(of_node(node))
            if match.target is not None:
                staging.join(node.id, match.target, match.rank, match.evidence)
                continue
            if match.doubt:
                self.notes.add(
                    "joins", f"{node.kind.lower()} {match.reason}", f"{node.id}: {match.doubt}", taken=True
                )
            if node.optional:
                staging.leave_out(node.id)
                if not match.doubt:
                    self.notes.add("joins", "no thing of the graph, left out", f"{node.id} {node.name}")
        self._part_crowded()
        whole = hashlib.sha256()
        for node_id, target, evidence in staging.joined():
            whole.update(f"{node_id}\0{target}\0{evidence}\n".encode())
            self._count(evidence, f"{node_id} is {target}")
        for link in self._links():
            source = f"{self._dataset}:identity"
            staging.add_edge(GraphEdge(link.kind, link.head, RELATIONS[link.kind], link.tail, source))
            whole.update("\0".join(link).encode())
        return whole.hexdigest()

    def _links(self) -> list[Link]:
        """What the things of the source are to others of it and of the graph, without being one."""
        staging, links = self._staging, Links(self._staging)
        for node in staging.read_nodes(kinds=sorted(JOINABLE)):
            thing = of_node(node)
            keys = list(link_keys(thing))
            if keys and not staging.is_left_out(node.id):
                target = staging.target_of(node.id)
                staging.add_thing(replace(thing, id=target), under=f"{_OWN}{target}")
                staging.add_keys((f"{_OWN}{key}", target) for key in keys)
        found: dict[Link, None] = {}
        for node in staging.read_nodes(kinds=sorted(JOINABLE)):
            if not staging.is_left_out(node.id):
                thing, target = of_node(node), staging.target_of(node.id)
                for space in ("", _OWN):
                    found |= dict.fromkeys(links.of(thing, known_as=target, space=space))
        return list(found)

    def _part_crowded(self) -> None:
        """Of several nodes that one thing could be, take the one with the best evidence, if there is one."""
        staging = self._staging
        for target, takers in staging.crowded():
            best = [node_id for rank, node_id in takers if rank == takers[0][0]]
            for _, node_id in takers:
                if best == [node_id]:
                    continue
                staging.part(node_id)
                if self._optional:
                    staging.leave_out(node_id)
                others = ", ".join(one for _, one in takers[:5])
                self.notes.add("joins", APART, f"{node_id}: {target} could be {others}", taken=True)

    def target(self, node_id: str) -> str:
        """The id of the thing in the graph that a node of the source is, or will be."""
        return self._target(node_id)

    def evidence(self, node: StagedNode, target: str, standing: str, *, counted: bool) -> str | None:
        """How a node was joined to what another data set has; None where none other has it.

        `counted`: it was asked of this node before.
        """
        if standing != "guest":
            return None
        known = self._staging.evidence_of(node.id)
        if known is None:
            known = f"identifier {target}"
            if not counted:
                self._count(known, f"{node.id} is {target}")
        return known

    def synonyms(self, node: StagedNode) -> list[str]:
        """The synonyms; of a table of names without those that are a name of something else."""
        if not node.optional:
            return list(node.synonyms)
        target = self._target(node.id)
        kept = []
        for name in node.synonyms:
            key = identity_key(name)
            found = self._staging.ids_of(f"name:{key}") | self._staging.ids_of(f"synonym:{key}")
            if found <= {target}:
                kept.append(name)
        return kept

    def counts(self) -> tuple[JoinCount, ...]:
        """How many joins there are by each kind of evidence, with the first few."""
        return tuple(
            JoinCount(evidence, self._counts[evidence], tuple(self._examples[evidence]))
            for evidence in EVIDENCE
            if self._counts[evidence]
        )

    def _count(self, evidence: str, example: str) -> None:
        kind = evidence_of(evidence)
        self._counts[kind] += 1
        shown = self._examples.setdefault(kind, [])
        if len(shown) < _EXAMPLES:
            shown.append(f"{example} by {evidence}")
