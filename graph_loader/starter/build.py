"""Build the bundled tables from the data sets: python -m graph_loader.starter.build DATA_FOLDER.

The folder holds biomolmqa/, drugcentral/ and reactome/. Of BioMol-MQA only facts are
taken: identifiers, names, structures, relation names and which entities they join; of
Reactome everything human. docs/loading.md names the sources and their licences.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from rdkit import rdBase

from biomolkg.names import name_key
from graph_loader.bundled import write_names, write_starter
from graph_loader.bundled_reactome import SPECIES, write_bundled_reactome
from graph_loader.records import SourceFacts
from graph_loader.sources.biomolmqa import read_biomolmqa
from graph_loader.sources.reactome import read_reactome
from graph_loader.starter.drugcentral import DrugCentral, read_drugcentral
from graph_loader.starter.genes import Gene, read_genes

_SHORTEST = 3  # characters; shorter names are found in too many words
Name = tuple[int | str, str, str]


def build(data: Path, folder: Path) -> SourceFacts:
    """Write all tables into `folder` and return what they were made from."""
    source = replace(read_biomolmqa(data / "biomolmqa"), texts=())
    synonyms, xrefs = _resolve(
        source, read_drugcentral(data / "drugcentral"), read_genes(data / "reactome" / "graph")
    )
    write_starter(folder, source)
    write_names(folder, "synonyms", _unambiguous(source, synonyms))
    write_names(folder, "xrefs", xrefs)
    write_bundled_reactome(folder, read_reactome(data / "reactome", {SPECIES}))
    return source


def _resolve(
    source: SourceFacts, drugcentral: DrugCentral, genes: Mapping[str, Gene]
) -> tuple[list[Name], list[Name]]:
    synonyms: list[Name] = []
    xrefs: list[Name] = []
    for drug in source.drugs:
        term = drugcentral.match(drug.name, drug.smiles)
        if term is not None:
            synonyms += [(drug.cid, name, "drugcentral") for name in term.names]
            xrefs.append((drug.cid, term.id, "drugcentral"))
            if term.cas:
                xrefs.append((drug.cid, f"cas:{term.cas}", "drugcentral"))
    for protein in source.proteins:
        gene = genes.get(protein.gene)
        if gene is not None:
            synonyms += [(protein.ensp, symbol, "reactome") for symbol in gene.symbols]
            xrefs.append((protein.ensp, f"uniprot:{gene.accession}", "reactome"))
    return synonyms, xrefs


def _unambiguous(source: SourceFacts, synonyms: Iterable[Name]) -> Iterator[Name]:
    """Synonyms that say something new and mean one entity; one spelling of each, ordered."""
    own: dict[int | str, set[str]] = {}
    for drug in source.drugs:
        own[drug.cid] = {name_key(drug.name)}
    for protein in source.proteins:
        own[protein.ensp] = {name_key(protein.name), name_key(protein.gene)}
    spelt: dict[tuple[int | str, str], Name] = {}
    for entity, name, origin in sorted(synonyms, key=lambda row: (str(row[0]), row[1], row[2])):
        key = name_key(name)
        if len(key) >= _SHORTEST:
            spelt.setdefault((entity, key), (entity, name, origin))
    claims = Counter(key for keys in own.values() for key in keys)
    claims.update(key for entity, key in spelt if key not in own[entity])
    for (entity, key), row in spelt.items():
        if key not in own[entity] and claims[key] == 1:
            yield row


def main(arguments: list[str]) -> int:
    """The script: one argument, the data folder."""
    if len(arguments) != 1:
        sys.stderr.write("usage: python -m graph_loader.starter.build DATA_FOLDER\n")
        return 2
    folder = Path(__file__).parent / "tables"
    with rdBase.BlockLogs():
        build(Path(arguments[0]), folder)
    for path in sorted(folder.glob("*.tsv.gz")):
        sys.stdout.write(f"{path.name}\t{path.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
