"""Which things of a source the graph has already, and how that is known.

Drugs and chemicals are recognised by InChIKey, cross-reference (CID, CAS and
others), the first block of the InChIKey of the drug without its counter-ions,
and name or synonym; proteins and genes by UniProt accession, Ensembl protein,
other cross-references and gene symbol. Better evidence is looked at first. What
could be several is left apart, and so is what a structure or an accession
speaks against. ChEBI numbers charged and neutral forms apart, and sources choose
differently: its number joins a small molecule only where a name agrees.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from biomolkg.names import name_key
from graph_loader.claims import holder
from graph_loader.staging import StagedNode, Staging

SMALL = frozenset(("Drug", "Chemical"))
SEQUENCES = frozenset(("Protein", "Gene", "Transcript"))
JOINABLE = SMALL | SEQUENCES
# The evidence by rank, the best first.
EVIDENCE = (
    "identifier",
    "InChIKey",
    "accession",
    "cross-reference",
    "first block of the InChIKey",
    "ChEBI number and name",
    "gene symbol",
    "name",
    "synonym",
)
_ACCESSIONS = ("uniprot:", "ensembl:ENSP")
_IS = "is:"


@dataclass(frozen=True, slots=True)
class Match:
    """What a node is among the things of the graph: `target`, or None with the `doubt` why it is not."""

    target: str | None
    rank: int = 0
    evidence: str = ""
    doubt: str = ""


def keys_of(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The keys under which a thing of the graph is found, and what speaks against a join with it."""
    node_id, labels = row["id"], set(row["labels"])
    xrefs = {node_id, *(row["xrefs"] or ()), *(row["other_xrefs"] or ())}
    yield f"id:{node_id}", node_id
    for label in labels & JOINABLE:
        yield f"{_IS}{node_id}", label
    for xref in xrefs:
        yield f"xref:{xref}", node_id
        if xref.startswith("uniprot:"):
            yield f"{_IS}{node_id}", xref
    inchikeys = {row["inchikey"], *(xref[9:] for xref in xrefs if xref.startswith("inchikey:"))} - {None}
    for inchikey in inchikeys:
        yield f"inchikey:{inchikey}", node_id
        block = f"block:{inchikey[:14]}"
        yield block, node_id
        yield f"{_IS}{node_id}", block
    if labels & SEQUENCES:
        if row["gene"]:
            yield f"gene:{row['gene']}", node_id
        return
    if row["name"]:
        yield f"name:{name_key(row['name'])}", node_id
    for name in (*(row["synonyms"] or ()), *(row["other_names"] or ())):
        yield f"synonym:{name_key(name)}", node_id


def index(staging: Staging, rows: Iterable[Mapping[str, Any]], dataset: str) -> None:
    """Keep the keys of the things of other data sets; what `dataset` holds itself is no other's."""
    for row in rows:
        if holder([name for name in row["datasets"] or () if name != dataset]) is None:
            continue
        if holder(row["datasets"]) != dataset:
            staging.add_keys(keys_of(row))


class EntityJoins:
    """Recognises nodes among the things that were indexed."""

    def __init__(self, staging: Staging) -> None:
        self._staging = staging

    def find(self, node: StagedNode) -> Match:
        """The thing that a node is, by the best evidence there is."""
        doubt = ""
        for rank, shown, keys in _looked_up(node):
            if rank == EVIDENCE.index("ChEBI number and name"):
                found = self._ids(keys[:1]) & self._ids(keys[1:])
            else:
                found = self._ids(keys)
            fitting = {one for one in found if self._same_sort(node, one, rank)}
            agreeing = {one for one in fitting if rank < 2 or not self._contradicted(node, one)}
            if len(agreeing) == 1:
                return Match(next(iter(agreeing)), rank, f"{EVIDENCE[rank]} {shown}".strip())
            if agreeing:
                several = ", ".join(sorted(agreeing)[:5])
                return Match(None, doubt=f"{EVIDENCE[rank]} {shown} of {several}")
            if fitting and not doubt:
                apart = ", ".join(sorted(fitting)[:5])
                doubt = f"{EVIDENCE[rank]} {shown} of {apart}, which is another structure or accession"
        return Match(None, doubt=doubt)

    def _ids(self, keys: Iterable[str]) -> set[str]:
        return {one for key in keys for one in self._staging.ids_of(key)}

    def _same_sort(self, node: StagedNode, target: str, rank: int) -> bool:
        if rank == 0:
            return True
        labels = self._staging.ids_of(f"{_IS}{target}") & JOINABLE
        return bool(labels & (SMALL if node.kind in SMALL else SEQUENCES))

    def _contradicted(self, node: StagedNode, target: str) -> bool:
        said = self._staging.ids_of(f"{_IS}{target}")
        for prefix, own in (
            ("block:", {f"block:{block}" for block in node.blocks}),
            ("uniprot:", {xref for xref in (node.id, *node.xrefs) if xref.startswith("uniprot:")}),
        ):
            known = {one for one in said if one.startswith(prefix)}
            if own and known and not own & known:
                return True
        return False


def _looked_up(node: StagedNode) -> Iterator[tuple[int, str, list[str]]]:
    """By rank: what the evidence is, and the keys to look for."""
    yield _rank("identifier"), node.id, [f"id:{node.id}"]
    xrefs = [one for one in dict.fromkeys((node.id, *node.xrefs)) if not one.startswith("inchikey:")]
    if node.kind in SMALL:
        yield from _of_small(node, xrefs)
    else:
        yield from _of_sequence(node, xrefs)


def _of_small(node: StagedNode, xrefs: list[str]) -> Iterator[tuple[int, str, list[str]]]:
    if node.inchikey:
        yield _rank("InChIKey"), node.inchikey, [f"inchikey:{node.inchikey}"]
    for one in xrefs:
        if not one.startswith("chebi:"):
            yield _rank("cross-reference"), one, [f"xref:{one}"]
    for block in node.blocks:
        yield _rank("first block of the InChIKey"), block, [f"block:{block}"]
    names = [name for name in (node.name, *node.synonyms) if name and name_key(name)]
    for one in xrefs:
        for name in names if one.startswith("chebi:") else ():
            keys = [f"{form}:{name_key(name)}" for form in ("name", "synonym")]
            yield _rank("ChEBI number and name"), f"{one}, {name}", [f"xref:{one}", *keys]
    for form in ("name", "synonym"):
        for name in names:
            yield _rank(form), name, [f"{form}:{name_key(name)}"]


def _of_sequence(node: StagedNode, xrefs: list[str]) -> Iterator[tuple[int, str, list[str]]]:
    accessions = [one for one in xrefs if one.startswith(_ACCESSIONS)]
    for one in accessions:
        yield _rank("accession"), one, [f"xref:{one}"]
    for one in xrefs:
        if one not in accessions:
            yield _rank("cross-reference"), one, [f"xref:{one}"]
    symbols = [node.gene, *(one[12:] for one in xrefs if one.startswith("hgnc.symbol:"))]
    for symbol in dict.fromkeys(filter(None, symbols)):
        yield _rank("gene symbol"), symbol, [f"gene:{symbol}", f"xref:hgnc.symbol:{symbol}"]


def _rank(evidence: str) -> int:
    return EVIDENCE.index(evidence)
