"""The graph as arrays: read once from Neo4j, then shared by every retriever and never changed."""

from __future__ import annotations

import time
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from biomolkg.errors import DatabaseError, NotReady
from cypher.client import Client
from retrievers.classes import DrugClass, RoleFact, read_classes
from retrievers.evidence_types import EVIDENCE_TYPES, evidence_type, stated_evidence
from retrievers.hits import EntityRef, entity_label, shown_name
from retrievers.label_records import LabelRecord, read_label_records

_TRIES = 3
_PAUSE = 0.5  # seconds between tries
_WIDTH = 384


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing of the graph. `groups` counts the functional groups and rings of its structure.

    preferred_name: what people call it, never empty. aliases: further names by which a question may mean
    it; unlike `synonyms` they are no words that it is described by. labels: all of its node.
    reference: as hits and mentions show it, made once, since long lists show it again and again.
    """

    id: str
    name: str
    label: str
    synonyms: tuple[str, ...] = ()
    smiles: str | None = None
    gene: str | None = None
    groups: Mapping[str, int] = field(default_factory=dict)
    preferred_name: str = ""
    aliases: tuple[str, ...] = ()
    xrefs: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    reference: EntityRef = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        shown = shown_name(self.name, self.label, self.preferred_name, self.synonyms)
        object.__setattr__(self, "preferred_name", shown)
        object.__setattr__(self, "reference", EntityRef(self.id, self.name, self.label, shown))


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of text about the entity with index `entity` (-1: about none).

    `document` names the text it is a part of, `position` its place there, from 0.
    A composed passage was written by the loader from an entity's own facts.
    One of a drug label knows it: `label` is its id, `product` what it is called, `names` all its names
    of products and substances, `drugs` the ids of the entities that it is about, `boxed` whether it is of
    a boxed warning, `topic` what its section code stands for, `effective` the label's date.
    """

    id: str
    entity: int
    text: str
    title: str
    section: str | None
    source: str
    document: str
    position: int
    composed: bool
    label: str | None = None
    product: str | None = None
    names: tuple[str, ...] = ()
    drugs: tuple[str, ...] = ()
    boxed: bool = False
    topic: str | None = None
    section_title: str | None = None
    effective: str | None = None


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation type: its name as in the source, and the kind of triple that carries it."""

    name: str
    kind: str


class Sources(Sequence[str]):
    """The sources of triples, kept as file and row: 1M strings would take more room than the triples."""

    __slots__ = ("file_of", "files", "rows")

    def __init__(self, files: Sequence[str], file_of: NDArray[np.int32], rows: NDArray[np.int32]) -> None:
        """`file_of`, `rows`: int32 [T]; a row below 0 means that the source has none."""
        self.files, self.file_of, self.rows = tuple(files), file_of, rows

    def __len__(self) -> int:
        return len(self.file_of)

    @overload
    def __getitem__(self, at: int) -> str: ...
    @overload
    def __getitem__(self, at: slice) -> Sources: ...
    def __getitem__(self, at: int | slice) -> str | Sources:
        if isinstance(at, slice):
            return Sources(self.files, self.file_of[at], self.rows[at])
        file, row = self.files[self.file_of[at]], int(self.rows[at])
        return f"{file}:{row}" if row >= 0 else file


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """E entities, R relations, P passages and T triples of one graph version.

    heads, relation_of, tails: int32 [T], indexes into `entities` and `relations`;
    triples are ordered by (head id, relation kind, relation name, tail id).
    relation_embeddings: float32 [R, 384]; passage_embeddings: float32 [P, 384]; unit length.
    sources: one string a triple, as on the edge. Entities are ordered by id,
    relations by (kind, name), passages by (entity, document, position), classes by id.
    stated_evidence: int8 [T], the place in EVIDENCE_TYPES of what an edge says of itself, -1 where it says
    nothing; None where no edge says anything.
    Roles are ordered by (drug, class, relation) and say what holds directly, not by `parents`.
    """

    graph_version: str
    entities: tuple[Entity, ...]
    relations: tuple[Relation, ...]
    passages: tuple[Passage, ...]
    heads: NDArray[np.int32]
    relation_of: NDArray[np.int32]
    tails: NDArray[np.int32]
    sources: Sequence[str]
    relation_embeddings: NDArray[np.float32]
    passage_embeddings: NDArray[np.float32]
    classes: tuple[DrugClass, ...] = ()
    roles: tuple[RoleFact, ...] = ()
    stated_evidence: NDArray[np.int8] | None = None

    def evidence_codes(self) -> NDArray[np.int8]:
        """What each triple is worth, int8 [T]: places in EVIDENCE_TYPES."""
        of_relation = np.array(
            [EVIDENCE_TYPES.index(evidence_type(relation.kind)) for relation in self.relations], dtype=np.int8
        )
        codes: NDArray[np.int8] = of_relation[self.relation_of]
        stated = self.stated_evidence
        return codes if stated is None else np.where(stated >= 0, stated, codes)


def read_snapshot(client: Client) -> Snapshot:
    """The whole graph as arrays.

    Raises NotReady when no graph is loaded, while one is being loaded, and when
    it changed during each of three readings; DatabaseError when Neo4j fails.
    """
    for attempt in range(_TRIES):
        if attempt:
            time.sleep(_PAUSE)
        version = read_version(client)
        try:
            snapshot = _read(client, version)
        except KeyError as missing:
            # A fact whose end or relation was not read: a load began in between, or the graph is not whole.
            if read_version(client) == version:
                raise DatabaseError(
                    f"A fact of the graph refers to {missing}, which is not in it.",
                    remedy="Load the source again.",
                ) from missing
            continue
        if read_version(client) == version:
            return snapshot
    raise NotReady("The graph changed each time it was read.", remedy="Try again when the load has ended.")


def read_version(client: Client) -> str:
    """The version that the database has. Raises NotReady when it has none or a load is under way."""
    rows = client.read("service/graph_state")
    if not rows or rows[0]["version"] is None:
        if rows and rows[0]["loading"]:
            raise NotReady("The first graph is being loaded.", remedy="Try again when the load has ended.")
        raise NotReady("No graph is loaded.", remedy="Load one with `biomolkg load`.")
    if rows[0]["loading"]:
        raise NotReady("A graph is being loaded.", remedy="Try again when the load has ended.")
    return str(rows[0]["version"])


def _read(client: Client, version: str) -> Snapshot:
    entities = tuple(
        sorted((_entity(row) for row in client.stream("read/snapshot_entities")), key=lambda it: it.id)
    )
    index = {entity.id: at for at, entity in enumerate(entities)}
    relations, relation_vectors = _relations(client)
    passages, passage_vectors = _passages(client, index)
    relation_index = {(relation.kind, relation.name): at for at, relation in enumerate(relations)}
    columns, files = _triples(client, index, relation_index)
    classes, roles = read_classes(client, index)
    heads, relation_of, tails, file_of, rows, stated = columns
    order = np.lexsort((rows, file_of, tails, relation_of, heads))
    return Snapshot(
        graph_version=version,
        entities=entities,
        relations=relations,
        passages=passages,
        heads=heads[order],
        relation_of=relation_of[order],
        tails=tails[order],
        sources=Sources(files, file_of[order], rows[order]),
        relation_embeddings=relation_vectors,
        passage_embeddings=passage_vectors,
        classes=classes,
        roles=roles,
        stated_evidence=stated[order].astype(np.int8) if (stated >= 0).any() else None,
    )


def _entity(row: dict[str, Any]) -> Entity:
    return Entity(
        id=row["id"],
        name=row["name"],
        label=entity_label(row["labels"]),
        synonyms=tuple(row["synonyms"] or ()),
        smiles=row["smiles"],
        gene=row["gene"],
        groups=dict(zip(row["groups"] or (), row["counts"] or (), strict=False)),
        preferred_name=row["preferred_name"] or "",
        aliases=tuple(row["aliases"] or ()),
        xrefs=tuple(dict.fromkeys(row["xrefs"])),
        labels=tuple(sorted(label for label in row["labels"] if label != "Entity")),
    )


def _relations(client: Client) -> tuple[tuple[Relation, ...], NDArray[np.float32]]:
    found = sorted(
        (
            (row["kind"], row["name"], vector_of(row["embedding"]))
            for row in client.stream("read/snapshot_relations")
        ),
        key=lambda it: it[:2],
    )
    return tuple(Relation(name, kind) for kind, name, _ in found), stacked([vector for *_, vector in found])


def _passages(client: Client, index: dict[str, int]) -> tuple[tuple[Passage, ...], NDArray[np.float32]]:
    found: list[tuple[Passage, NDArray[np.float32]]] = []
    labels = read_label_records(client, index)
    for row in client.stream("read/snapshot_passages"):
        label = labels.get(row["label"])
        of_label = {} if label is None else _of_label(label, row)
        passage = Passage(
            id=row["id"],
            entity=index.get(row["entity"], -1),
            text=row["text"],
            title=row["title"] or "",
            section=row["section"],
            source=row["source"],
            document=row["document"] or row["id"],
            position=row["position"] or 0,
            composed=row["composed"],
            **of_label,
        )
        found.append((passage, vector_of(row["embedding"])))
    found.sort(key=lambda it: (it[0].entity, it[0].document, it[0].position, it[0].id))
    return tuple(passage for passage, _ in found), stacked([vector for _, vector in found])


def _of_label(label: LabelRecord, row: dict[str, Any]) -> dict[str, Any]:
    return {
        "label": label.id,
        "product": label.product,
        "names": label.names,
        "drugs": label.drugs,
        "boxed": row["boxed"],
        "topic": row["topic"],
        "section_title": row["section_title"] or (row["title"] or "").rpartition(" > ")[2] or None,
        "effective": label.effective,
    }


def _triples(
    client: Client, entities: dict[str, int], relations: dict[tuple[str, str], int]
) -> tuple[list[NDArray[np.int32]], Sequence[str]]:
    """int32 [T] each: head, relation, tail, file and row of the source, evidence; and the files, sorted."""
    columns = [array("i") for _ in range(6)]
    heads, relation_of, tails, file_of, rows, evidence = columns
    files: dict[str, int] = {}
    for row in client.stream("read/snapshot_triples"):
        head, kind = entities[row["head"]], row["kind"]
        for relation, tail, source, agent in row["facts"]:
            file, _, number = source.rpartition(":")
            numbered = number.isdecimal() and str(int(number)) == number and len(number) < 10
            heads.append(head)
            relation_of.append(relations[kind, relation])
            tails.append(entities[tail])
            file_of.append(files.setdefault(file if numbered else source, len(files)))
            rows.append(int(number) if numbered else -1)
            said = stated_evidence(agent)
            evidence.append(-1 if said is None else EVIDENCE_TYPES.index(said))
    head_of, relation, tail_of, file, numbers, stated = (
        np.array(column, dtype=np.int32) for column in columns
    )
    # The order in which files were met is Neo4j's; sorted, the same graph gives the same snapshot.
    names = sorted(files)
    place = np.empty(len(names), dtype=np.int32)
    place[[files[name] for name in names]] = np.arange(len(names), dtype=np.int32)
    return [head_of, relation, tail_of, place[file] if len(file) else file, numbers, stated], names


def vector_of(values: Sequence[float] | None) -> NDArray[np.float32]:
    """An embedding as the database gives it, float32 [384]; zeros where there is none."""
    return np.zeros(_WIDTH, np.float32) if values is None else np.array(values, dtype=np.float32)


def stacked(vectors: list[NDArray[np.float32]]) -> NDArray[np.float32]:
    """The vectors as rows, float32 [n, 384]."""
    return np.stack(vectors) if vectors else np.zeros((0, _WIDTH), dtype=np.float32)
