"""The bundled starter graph as a snapshot, read from its tables without a database."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np

import graph_loader.starter
from biomolkg import lexicon
from retrievers.classes import DrugClass, RoleFact
from retrievers.snapshot import Entity, Passage, Relation, Snapshot

TABLES = Path(graph_loader.starter.__file__).parent / "tables"
_FILES = {"ddi": "DDI", "dpi": "DPI", "action": "ACTION", "molecular": "MOLECULAR"}


def rows(table: str) -> Iterator[dict[str, str]]:
    with gzip.open(TABLES / f"{table}.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def snapshot_of(
    entities: list[Entity],
    triples: list[tuple[str, str, str, str, str]],
    passages: tuple[Passage, ...] = (),
) -> Snapshot:
    """A snapshot of (head id, kind, relation, tail id, source), with the bundled classes of its drugs."""
    entities = sorted(entities, key=lambda it: it.id)
    places = {entity.id: at for at, entity in enumerate(entities)}
    relations = sorted({(kind, name) for _, kind, name, *_ in triples})
    index = {relation: at for at, relation in enumerate(relations)}
    triples = sorted(triples, key=lambda it: (it[0], it[1], it[2], it[3]))
    classes = lexicon.classes()
    class_at = {one.id: at for at, one in enumerate(classes)}
    return Snapshot(
        graph_version="test",
        entities=tuple(entities),
        relations=tuple(Relation(name, kind) for kind, name in relations),
        passages=passages,
        heads=np.array([places[head] for head, *_ in triples], dtype=np.int32),
        relation_of=np.array([index[kind, name] for _, kind, name, *_ in triples], dtype=np.int32),
        tails=np.array([places[tail] for *_, tail, _ in triples], dtype=np.int32),
        sources=[source for *_, source in triples],
        relation_embeddings=np.zeros((len(relations), 384), np.float32),
        passage_embeddings=np.zeros((len(passages), 384), np.float32),
        classes=tuple(
            DrugClass(one.id, one.name, tuple(class_at[it] for it in one.parents), one.hidden)
            for one in classes
        ),
        roles=tuple(
            RoleFact(places[role.drug], class_at[role.drug_class], role.relation, role.source, role.via)
            for role in lexicon.roles()
            if role.drug in places
        ),
    )


@lru_cache(maxsize=1)
def starter_snapshot() -> Snapshot:
    """The drugs, the proteins and their four kinds of facts."""
    names = {drug.id: drug.preferred_name for drug in lexicon.drugs()}
    proteins = {protein.symbol: protein for protein in lexicon.proteins()}
    synonyms = defaultdict(list)
    for row in rows("synonyms"):
        synonyms[row["entity"]].append(row["name"])
    entities, ids = [], {}
    for row in rows("drugs"):
        ids[row["cid"]] = f"pubchem.compound:{row['cid']}"
        entities.append(
            Entity(
                ids[row["cid"]],
                row["name"],
                "Drug",
                tuple(synonyms[row["cid"]]),
                smiles=row["smiles"],
                preferred_name=names.get(ids[row["cid"]], ""),
            )
        )
    for row in rows("proteins"):
        known = proteins.get(row["gene"])
        ids[row["ensp"]] = known.id if known else f"ensembl:{row['ensp']}"
        if ids[row["ensp"]] not in {it.id for it in entities}:
            entities.append(
                Entity(
                    ids[row["ensp"]],
                    row["name"],
                    "Protein",
                    gene=row["gene"],
                    preferred_name=known.name if known else row["name"],
                )
            )
    triples = [
        (ids[row["head"]], kind, row["relation"], ids[row["tail"]], f"{table}.csv:{row['row']}")
        for table, kind in _FILES.items()
        for row in rows(table)
    ]
    return snapshot_of(entities, triples)
