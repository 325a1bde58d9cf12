"""What identity needs to know of a thing, the same for a record of a source and for a node of the graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from biomolkg.identifiers import as_curie, identifying, sort_of
from graph_loader.identity.known import mapped_to
from graph_loader.identity.names import identity_key, identity_keys
from graph_loader.identity.structure import keys_of_parts
from graph_loader.identity.taxa import HUMAN, taxon_of

if TYPE_CHECKING:
    from graph_loader.staging import StagedNode

SORT_OF_KIND: Mapping[str, str] = {
    "Drug": "small",
    "Chemical": "small",
    "Protein": "protein",
    "Gene": "gene",
    "Transcript": "transcript",
}
SMALL = frozenset(("Drug", "Chemical"))
JOINABLE = frozenset(SORT_OF_KIND)
BENCHMARK = "biomolmqa"  # whose proteins are human
# The sorts of identifiers that tell which one a thing is. A protein has its gene's numbers too.
_OWN_SORTS: Mapping[str, tuple[Any, ...]] = {
    "small": ("small",),
    "protein": ("protein", "gene"),
    "gene": ("gene",),
    "transcript": ("transcript",),
}
_BLOCK = 14  # characters of an InChIKey that stand for the bonds between atoms
FLAT = "UHFFFAOYSA"  # the second block of an InChIKey without stereo and isotopes


@dataclass(frozen=True, slots=True)
class Thing:
    """One record. `identifiers` are those that tell which one it is, its own among them.

    `inchikeys` are of the whole, `parents` of it without counter-ions, `parts` of each
    organic part of a mixture. `mapped` are ChEBI's numbers by a vocabulary's mapping.
    """

    id: str
    sort: str
    name: str | None = None
    names: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    mapped: tuple[str, ...] = ()
    inchikeys: tuple[str, ...] = ()
    parents: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    composition: str | None = None
    formula: str | None = None
    smiles: str | None = None
    symbol: str | None = None
    taxon: str | None = None

    @property
    def genes(self) -> list[str]:
        """The numbers of its gene."""
        return [one for one in self.identifiers if sort_of(one) == "gene"]

    @property
    def all_names(self) -> tuple[str, ...]:
        """Name and synonyms."""
        return (self.name, *self.names) if self.name else self.names


def of_node(node: StagedNode) -> Thing:
    """A record of a source, as it was staged."""
    sort = SORT_OF_KIND[node.kind]
    known = mapped_to(node.id) if sort != "small" else ()
    curies = (node.id, *node.xrefs, *known)
    structure = node.structure
    symbols = [one.partition(":")[2] for one in curies if one.startswith("hgnc.symbol:")]
    return Thing(
        node.id,
        sort,
        node.name,
        tuple(node.synonyms),
        tuple(identifying(curies, *_OWN_SORTS[sort])),
        (),
        node.inchikeys,
        node.parents,
        node.parts,
        structure.get("composition"),
        structure.get("formula"),
        structure.get("canonical_smiles"),
        node.gene or next(iter(symbols), None) or (node.name if node.kind == "Gene" else None),
        node.taxon or (HUMAN if sort != "small" and mapped_to(node.id) else None),
    )


def of_row(row: Mapping[str, Any]) -> Thing | None:
    """A node of the graph, as `load/joinable_entities` has it; None for one of a kind that is not joined."""
    kind = next((label for label in SORT_OF_KIND if label in row["labels"]), None)
    if kind is None:
        return None
    sort = SORT_OF_KIND[kind]
    said = row.get
    node_id = row["id"]
    written = (node_id, *(said("xrefs") or ()), *(said("other_xrefs") or ()))
    known = mapped_to(node_id)
    curies = dict.fromkeys((*(as_curie(one) or one for one in written), *known))
    name = row["name"] if row["name"] != node_id else None
    others = tuple(dict.fromkeys((*(said("synonyms") or ()), *(said("other_names") or ()))))
    keys = {one.partition(":")[2] for one in curies if one.startswith("inchikey:")}
    keys |= {said("inchikey") or ""}
    parents, parts = keys_of_parts(said("composition"), said("canonical_smiles"), said("parent_smiles"))
    return Thing(
        node_id,
        sort,
        name,
        others,
        tuple(identifying(curies, *_OWN_SORTS[sort])),
        tuple(one for one in known if one.startswith("chebi:")),
        tuple(sorted(keys - {""})),
        parents,
        parts,
        said("composition"),
        said("formula"),
        said("canonical_smiles"),
        said("gene") or (name if sort == "gene" else None),
        _taxon(row, curies, (name, *others)) if sort != "small" else None,
    )


def _taxon(row: Mapping[str, Any], curies: Iterable[str], names: Iterable[str | None]) -> str | None:
    if BENCHMARK in (row["datasets"] or ()) or mapped_to(row["id"]):
        return HUMAN
    return taxon_of(dict(row.get("species") or ()), curies, names)


class Index(Protocol):
    """Things by keys."""

    def add_keys(self, keys: Iterable[tuple[str, str]]) -> None:
        """Add (key, id) pairs."""

    def add_thing(self, thing: Thing) -> None:
        """Keep a thing under its id."""

    def ids_of(self, key: str) -> set[str]:
        """The ids of the things that have a key."""

    def thing_of(self, thing_id: str) -> Thing | None:
        """The thing of an id."""


class HeldIndex:
    """Things by keys, in memory."""

    def __init__(self) -> None:
        self._ids: dict[str, set[str]] = {}
        self._things: dict[str, Thing] = {}

    def add_keys(self, keys: Iterable[tuple[str, str]]) -> None:
        """Add (key, id) pairs."""
        for key, thing_id in keys:
            self._ids.setdefault(key, set()).add(thing_id)

    def add_thing(self, thing: Thing) -> None:
        """Keep a thing under its id."""
        self._things[thing.id] = thing

    def ids_of(self, key: str) -> set[str]:
        """The ids of the things that have a key."""
        return self._ids.get(key, set())

    def thing_of(self, thing_id: str) -> Thing | None:
        """The thing of an id."""
        return self._things.get(thing_id)


def add(index: Index, thing: Thing) -> None:
    """Put a thing of the graph under all its keys."""
    index.add_thing(thing)
    index.add_keys((key, thing.id) for key in keys_of(thing))


def keys_of(thing: Thing) -> Iterator[str]:
    """Everything by which a thing is found."""
    yield f"id:{thing.id}"
    for one in thing.identifiers:
        yield f"xref:{one}"
    for one in thing.mapped:
        yield f"mapped:{one}"
    if thing.sort != "small":
        if thing.symbol:
            yield f"gene:{thing.symbol}"
        return
    yield from structure_keys(thing)
    if thing.formula:
        yield f"formula:{thing.formula}"
    if thing.name and (key := identity_key(thing.name)):
        yield f"name:{key}"
    for key in identity_keys(thing.names):
        yield f"synonym:{key}"


def structure_keys(thing: Thing) -> Iterator[str]:
    """The keys that follow from the structure of a small molecule."""
    for one in thing.inchikeys:
        yield f"inchikey:{one}"
        yield f"block:{one[:_BLOCK]}"
    for one in thing.parents:
        yield f"parent:{one[:_BLOCK]}"
    for one in thing.parts:
        yield f"part:{one}"
