"""Entities by name, by identifier, and by what they are joined to: single look-ups in the database."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from biomolkg.errors import NotFound
from biomolkg.names import name_words
from cypher.client import Client
from retrievers.hits import (
    DEFAULT_TRIPLE_KINDS,
    TRIPLE_KINDS,
    EntityRef,
    entity_label,
    entity_ref,
    shown_name,
)

Direction = Literal["out", "in", "both"]

_SEARCH_DEPTH = 1_000
_MAX_WORDS = 32
_RUN = re.compile(r"\d+|[^\W\d_]+")
_MAX_RUNS = 6
_HYPHENS = re.compile(r"[-‐-―−]")
EVENT_LABELS = ("Pathway", "Reaction")


@dataclass(frozen=True, slots=True)
class FoundEntity:
    """An entity that a search found; `exact` if a name of it is written just so, whatever the case."""

    entity: EntityRef
    score: float
    exact: bool


@dataclass(frozen=True, slots=True)
class EntityPage:
    """A page of a listing or search; `total` counts all that match, of a search at most 1,000."""

    total: int
    items: tuple[FoundEntity, ...]


@dataclass(frozen=True, slots=True)
class EntityRecord:
    """Everything known of an entity; `facts` counts its fact edges by kind.

    `weight` is in g/mol, `tpsa` in Å². `logp`, `tpsa` and `scaffold` are of the
    parent, which is the structure without counter-ions and solvents;
    `composition_note` says what is beside it.
    """

    id: str
    name: str
    preferred_name: str
    label: str
    labels: tuple[str, ...]
    synonyms: tuple[str, ...]
    aliases: tuple[str, ...]
    gene: str | None
    smiles: str | None
    inchikey: str | None
    formula: str | None
    weight: float | None
    canonical_smiles: str | None
    charge: int | None
    logp: float | None
    tpsa: float | None
    scaffold: str | None
    composition: str | None
    composition_note: str | None
    parent_smiles: str | None
    groups: Mapping[str, int]
    xrefs: tuple[str, ...]
    passages: int
    facts: Mapping[str, int]

    @property
    def reference(self) -> EntityRef:
        """The entity in short."""
        return EntityRef(self.id, self.name, self.label, self.preferred_name)


@dataclass(frozen=True, slots=True)
class Neighbor:
    """A fact edge seen from one end: `out` if that end is the head."""

    entity: EntityRef
    kind: str
    relation: str
    direction: str
    source: str


@dataclass(frozen=True, slots=True)
class NeighborPage:
    """A page of the fact edges of the entity `of`; `total` counts all that pass the filters."""

    of: EntityRef
    total: int
    items: tuple[Neighbor, ...]


def search_entities(
    client: Client, name: str | None, label: str | None = None, limit: int = 20, offset: int = 0
) -> EntityPage:
    """Entities with every word of `name` in a name, synonym, alias or gene symbol, exact matches first.

    Pathways and reactions, which are no entities, are found where `label` says so. The last word may be
    the beginning of one. Without a name all entities are listed by id; a name without a letter or digit
    matches nothing.
    """
    if name is None:
        if label in EVENT_LABELS:
            rows = client.read(f"read/{label.lower()}_list", limit=limit, offset=offset)
        else:
            rows = client.read("read/entity_list", label=label, limit=limit, offset=offset)
    else:
        query = names_query(name)
        if query is None:
            return EntityPage(0, ())
        rows = client.read(
            "read/event_search" if label in EVENT_LABELS else "read/entity_search",
            query=query,
            written=written_forms(name),
            label=label,
            depth=_SEARCH_DEPTH,
            limit=limit,
            offset=offset,
        )
    return EntityPage(
        rows[0]["total"],
        tuple(FoundEntity(entity_ref(row), float(row["score"]), row["exact"]) for row in rows[0]["page"]),
    )


def get_entity(client: Client, id: str) -> EntityRecord:  # noqa: A002 - the field's name everywhere else
    """The entity with this id or, if there is none, with this identifier of another database.

    The case of a CURIE's prefix does not count, nor that of an accession. Raises NotFound that names the id.
    """
    forms = id_forms(id)
    rows = client.read("read/entity", ids=forms, xref=" OR ".join(map(quoted, forms)))
    if not rows:
        raise NotFound(f"There is no entity {id!r}.", remedy="Search for it by name.")
    row = rows[0]
    label = entity_label(row["labels"])
    return EntityRecord(
        id=row["id"],
        name=row["name"],
        preferred_name=shown_name(row["name"], label, row["preferred_name"], row["synonyms"] or ()),
        label=label,
        labels=tuple(sorted(it for it in row["labels"] if it != "Entity")),
        synonyms=tuple(row["synonyms"] or ()),
        aliases=tuple(row["aliases"] or ()),
        gene=row["gene"],
        smiles=row["smiles"],
        inchikey=row["inchikey"],
        formula=row["formula"],
        weight=row["weight"],
        canonical_smiles=row["canonical_smiles"],
        charge=row["charge"],
        logp=row["logp"],
        tpsa=row["tpsa"],
        scaffold=row["scaffold"],
        composition=row["composition"],
        composition_note=row["composition_note"],
        parent_smiles=row["parent_smiles"],
        groups=dict(zip(row["groups"] or (), row["group_counts"] or (), strict=False)),
        xrefs=tuple(dict.fromkeys(row["xrefs"])),
        passages=row["passages"],
        facts={kind: row[kind.lower()] for kind in TRIPLE_KINDS if row[kind.lower()]},
    )


def neighbors(
    client: Client,
    id: str,  # noqa: A002 - as in get_entity
    *,
    kinds: Iterable[str] = (),
    relation: str | None = None,
    direction: Direction = "both",
    limit: int = 20,
    offset: int = 0,
) -> NeighborPage:
    """The fact edges of an entity, ordered by kind, relation and neighbor id; no kinds: the default ones.

    Raises NotFound as `get_entity` does.
    """
    record = get_entity(client, id)
    (row,) = client.read(
        "read/entity_neighbors",
        id=record.id,
        kinds=sorted(set(kinds) or DEFAULT_TRIPLE_KINDS),
        relation=relation,
        direction=direction,
        limit=limit,
        offset=offset,
    )
    items = tuple(
        Neighbor(entity_ref(item), item["kind"], item["relation"], item["direction"], item["source"])
        for item in row["page"]
    )
    return NeighborPage(record.reference, row["total"], items)


def names_query(name: str) -> str | None:
    """A Lucene query for every word of `name`, the last one as a beginning; None if it has no word.

    It is made of folded runs of letters and digits alone, so that nothing a person types is an
    operator. "beta1" is also tried as "beta 1", "PDE-4B" as "PDE4B", and "5HT2A" as "5 HT2A", "5HT 2A".
    """
    words = [word for word in name_words(name) if word != "+"][:_MAX_WORDS]
    if not words:
        return None
    glued = ["".join(each for each in name_words(piece) if each != "+") for piece in name.split()]
    runs = [_RUN.findall(word) for word in glued if word]
    divided = [_divided(runs, at) for at in range(1, min(_MAX_RUNS, max(map(len, runs), default=0)))]
    forms = (words, [run for word in words for run in _RUN.findall(word)], _divided(runs, 0), *divided)
    each = dict.fromkeys(tuple(form[:_MAX_WORDS]) for form in forms if form)
    return " OR ".join(f"({_all_of(form)})" for form in each)


def _divided(runs: Sequence[Sequence[str]], at: int) -> list[str]:
    """The words of these runs, each in two after `at` of them: of "5ht2a" `5ht2a`, `5 ht2a`, `5ht 2a`."""
    return [part for word in runs for part in ("".join(word[:at]), "".join(word[at:])) if part]


def written_forms(name: str) -> list[str]:
    """How a name may be written that is the same but for case and hyphens: `cox-2`, `cox2`, `cox 2`."""
    lower = name.strip().lower()
    glued = " ".join("".join(_HYPHENS.split(word)) for word in lower.split())
    runs = _RUN.findall(glued)
    forms = [lower, glued]
    if 1 < len(runs) <= _MAX_RUNS and "".join(runs) == glued:
        forms += [
            runs[0] + "".join(mark + run for mark, run in zip(marks, runs[1:], strict=True))
            for marks in product(("", "-"), repeat=len(runs) - 1)
        ]
        forms.append(" ".join(runs))
    return list(dict.fromkeys(forms))


def id_forms(identifier: str) -> list[str]:
    """The forms of a CURIE that are tried: as written, then the prefix in small letters, the rest any way."""
    prefix, colon, local = identifier.partition(":")
    lower = prefix.lower()
    forms = (identifier, f"{lower}:{local}", f"{lower}:{local.upper()}", f"{lower}:{local.lower()}")
    return list(dict.fromkeys(forms)) if colon else [identifier]


def quoted(text: str) -> str:
    """`text` as one Lucene phrase, in which nothing is an operator."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _all_of(words: Sequence[str]) -> str:
    *firsts, last = words
    return " ".join([*(f'+"{word}"' for word in firsts), f"+{last}*"])
