"""Which of Reactome's proteins and chemicals other data sets have already, and how that is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from biomolkg.identifiers import identifying
from graph_loader.identity.evidence import REACTOME, Evidence
from graph_loader.identity.known import mapped_to
from graph_loader.identity.matching import Matcher
from graph_loader.identity.things import HeldIndex, Thing, add, of_row

NAME_ALONE = "a name and nothing more, left apart"


@dataclass(frozen=True, slots=True)
class Join:
    """The node that something is, or None; `evidence` says how it was found.

    `reason` is why it was not taken, in words that are fit for counting, `doubt` the same with its case.
    """

    id: str | None
    evidence: str = ""
    reason: str = ""
    doubt: str = ""


class Joins:
    """Proteins and drugs of other data sets, by the evidence that Reactome's policy allows."""

    def __init__(self, held: Iterable[Mapping[str, Any]], dataset: str) -> None:
        """`held` are rows of `load/joinable_entities`; those of `dataset` alone are passed over."""
        index = HeldIndex()
        for row in held:
            thing = None if set(row["datasets"] or ()) <= {dataset} else of_row(row)
            if thing is not None:
                add(index, thing)
        self._matcher = Matcher(index, REACTOME)
        self._named = Matcher(index, (Evidence.NAME, Evidence.SYNONYM))

    def protein(self, accession: str, gene: str | None) -> Join:
        """By accession, else cross-reference, else gene symbol; `gene` only if it is one accession's."""
        known = identifying((accession, *mapped_to(accession)), "protein", "gene")
        return self._join(Thing(accession, "protein", identifiers=tuple(known), symbol=gene))

    def chemical(self, identifier: str, names: Iterable[str]) -> Join:
        """By a number that is one drug's; by ChEBI's only where a vocabulary or a name agrees."""
        called = tuple(names)
        thing = Thing(identifier, "small", called[0] if called else None, called[1:], (identifier,))
        join = self._join(thing)
        if join.id is None and not join.reason:
            named = self._named.find(thing)
            if named.target is not None:
                return Join(None, reason=NAME_ALONE, doubt=f"{named.evidence} of {named.target}")
        return join

    def _join(self, thing: Thing) -> Join:
        match = self._matcher.find(thing)
        return Join(match.target, match.evidence, match.reason, match.doubt)
