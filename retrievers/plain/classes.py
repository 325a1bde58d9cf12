"""Members of classes and classes of drugs, closed over `parents`."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache

from retrievers.evidence_types import evidence_type
from retrievers.hits import EntityRef
from retrievers.plain.records import Fact
from retrievers.snapshot import Snapshot

KIND = "HAS_ROLE"
LABEL = "DrugClass"


class Classes:
    """The classes of a snapshot. Safe to share."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._entities = snapshot.entities
        self.all = snapshot.classes
        self._roles = snapshot.roles
        self._below: dict[int, list[int]] = defaultdict(list)
        for at, one in enumerate(self.all):
            for parent in one.parents:
                self._below[parent].append(at)
        self._of_drug: dict[int, list[int]] = defaultdict(list)
        self._of_class: dict[int, list[int]] = defaultdict(list)
        for at, role in enumerate(self._roles):
            self._of_drug[role.drug].append(at)
            self._of_class[role.drug_class].append(at)
        self.below = lru_cache(maxsize=1024)(self._closure)

    def members(self, drug_class: int) -> dict[int, int]:
        """Drugs that have the class or one below it, each with the place of the role that says so."""
        found: dict[int, int] = {}
        for one in self.below(drug_class):
            for role in self._of_class.get(one, ()):
                found.setdefault(self._roles[role].drug, role)
        return found

    def role(self, drug: int, drug_class: int) -> int | None:
        """The role by which a drug belongs to a class, the direct one first."""
        below = self.below(drug_class)
        mine = [role for role in self._of_drug.get(drug, ()) if self._roles[role].drug_class in below]
        return min(mine, key=lambda role: self._roles[role].drug_class != drug_class, default=None)

    def of_drug(self, drug: int) -> list[int]:
        """The places of the roles of a drug whose classes are worth telling."""
        return [
            role for role in self._of_drug.get(drug, ()) if not self.all[self._roles[role].drug_class].hidden
        ]

    def role_class(self, role: int) -> int:
        """The class that a role is of."""
        return self._roles[role].drug_class

    def fact(self, role: int) -> Fact:
        """A role as a fact."""
        found = self._roles[role]
        return Fact(
            head=self._entities[found.drug].reference,
            relation=found.relation,
            tail=self.reference(found.drug_class),
            kind=KIND,
            evidence_type=evidence_type(KIND),
            sources=(found.source,),
            via=found.via,
        )

    def reference(self, drug_class: int) -> EntityRef:
        """The class as an entity is shown."""
        one = self.all[drug_class]
        return EntityRef(one.id, one.name, LABEL, one.name)

    def _closure(self, drug_class: int) -> frozenset[int]:
        found, waiting = {drug_class}, [drug_class]
        while waiting:
            fresh = [one for one in self._below.get(waiting.pop(), ()) if one not in found]
            found.update(fresh)
            waiting.extend(fresh)
        return frozenset(found)
