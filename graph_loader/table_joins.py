"""Which things of a staged source the graph has already, and by what evidence."""

from __future__ import annotations

import hashlib
from collections import Counter
from functools import lru_cache

from biomolkg.names import name_key
from cypher.client import Client
from graph_loader.entity_joins import EVIDENCE, JOINABLE, EntityJoins, index
from graph_loader.ledger import APART, JoinCount, Omissions
from graph_loader.staging import StagedNode, Staging
from graph_loader.table_sources import TableSource

_EXAMPLES = 5
_TARGETS_HELD = 100_000


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
        index(
            staging,
            self._client.stream("load/joinable_entities", own=f"{self._dataset}:"),
            self._dataset,
        )
        joins = EntityJoins(staging)
        for node in staging.read_nodes(kinds=sorted(JOINABLE)):
            match = joins.find(node)
            if match.target is not None:
                staging.join(node.id, match.target, match.rank, match.evidence)
                continue
            if match.doubt:
                self.notes.add(
                    "joins", f"{node.kind.lower()} {APART}", f"{node.id}: {match.doubt}", taken=True
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
        return whole.hexdigest()

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
            key = name_key(name)
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
        # "name" begins no other kind of evidence.
        kind = next(one for one in EVIDENCE if evidence.startswith(one))
        self._counts[kind] += 1
        shown = self._examples.setdefault(kind, [])
        if len(shown) < _EXAMPLES:
            shown.append(f"{example} by {evidence}")
