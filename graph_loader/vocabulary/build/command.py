"""All tables from the raw files."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Sequence
from pathlib import Path

from biomolkg.lexicon.tables import COLUMNS, PLAIN, table_file
from biomolkg.names import name_key
from graph_loader.bundled import read_names, read_starter
from graph_loader.reading import Reading
from graph_loader.sources.names import read_drugcentral_terms
from graph_loader.vocabulary.build.absent import absent_rows
from graph_loader.vocabulary.build.classes import build_classes
from graph_loader.vocabulary.build.drugs import Joins, gather, name_rows
from graph_loader.vocabulary.build.effects import condition_rows, effect_rows
from graph_loader.vocabulary.build.proteins import family_rows, protein_name_rows, protein_rows
from graph_loader.vocabulary.build.sources import Chebi, Vocabularies

Rows = Sequence[Sequence[str]]


def build_tables(data: Path) -> dict[str, Rows]:
    """The rows of every table by its name; `data` holds vocabularies/ and drugcentral/.

    Raises SourceError when a file is missing or cannot be read.
    """
    vocabularies = Vocabularies(data / "vocabularies")
    chebi = Chebi(vocabularies.json("chebi"))
    joins = Joins(vocabularies, chebi)
    mesh, mondo = list(joins.mesh.values()), vocabularies.json("mondo")
    drugcentral = read_drugcentral_terms(data / "drugcentral", Reading())
    starter = read_starter()
    matched = {
        str(cid): name
        for cid, names in read_names("xrefs").items()
        for name in names
        if name.startswith("drugcentral:")
    }
    graph = [(str(drug.cid), tuple(dict.fromkeys((drug.name, *drug.aliases)))) for drug in starter.drugs]
    drugs = gather(graph, drugcentral, matched, joins)
    genes = vocabularies.genes()
    classes = build_classes(drugs, chebi, mesh)
    spoken = {name_key(name) for _, name, source in classes.said if source == "everyday"}
    names = [row for row in name_rows(drugs) if row[2] == "preferred" or name_key(row[1]) not in spoken]
    relations = {fact.relation: str(fact.details["umls"]) for fact in starter.facts if fact.kind == "DDI"}
    effects = list(effect_rows(relations, mesh, mondo))
    used = set(matched.values())
    others = [term for one, term in drugcentral.items() if one not in used]
    present = [row[1] for row in names] + [row[1] for row in classes.said] + [row[1] for row in effects]
    return {
        "drugs": [(drug.id, drug.preferred, drug.source, "|".join(drug.xrefs), drug.note) for drug in drugs],
        "drug_names": names,
        "proteins": list(protein_rows(genes)),
        "protein_names": list(
            protein_name_rows(genes, {protein.gene: protein.name for protein in starter.proteins})
        ),
        "families": list(family_rows(genes, vocabularies)),
        "classes": [
            (one, name, "|".join(classes.parents.get(one, ())), str(int(one in classes.hidden)))
            for one, name in classes.names.items()
        ],
        "class_names": classes.said,
        "roles": [
            (drug, one, fact.relation, fact.via, fact.source) for (drug, one), fact in classes.facts.items()
        ],
        "class_corrections": classes.corrections,
        "effects": effects,
        "conditions": list(condition_rows([row[1] for row in effects], mesh, mondo)),
        "absent": list(absent_rows(others, joins.drugbank, mesh, present)),
    }


def write_tables(tables: dict[str, Rows], folder: Path) -> list[Path]:
    """Write each table, sorted, the same bytes for the same rows; the files written."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for name in sorted(tables):
        path = folder / table_file(name)
        content = _text(name, tables[name]).encode()
        path.write_bytes(content if name in PLAIN else gzip.compress(content, 9, mtime=0))
        written.append(path)
    return written


def _text(name: str, rows: Iterable[Sequence[str]]) -> str:
    columns = COLUMNS[name]
    lines = set()
    for row in rows:
        cells = [" ".join(cell.split()) for cell in row]
        if len(cells) != len(columns):
            raise ValueError(f"{name}: {row!r} has not the columns {columns}")
        lines.add("\t".join(cells))
    return "\n".join(["\t".join(columns), *sorted(lines)]) + "\n"
