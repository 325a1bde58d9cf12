"""Identifier tables: UniProt2Reactome.txt and its sisters for ChEBI, Ensembl, NCBI genes, miRBase and GtoP.

Tab-separated, without a header: identifier, pathway, URL, pathway name, evidence code, species; in the `_PE_`
tables the physical entity's stable id and name stand after the identifier. `<Source>2Reactome.txt` and
`_PE_Pathway` name the lowest pathways; `_All_Levels` names every pathway above as well.
Layout: the page "Download data" of Reactome, section Identifier mapping files.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.sources.reactome.files import lines
from graph_loader.sources.reactome.hierarchy import columns
from graph_loader.sources.reactome.identifiers import curie, parse_stable_id, reference_by_database
from graph_loader.sources.reactome.records import Edge, Pathway
from graph_loader.sources.reactome.store import Reactome

TABLE_NAME = re.compile(
    r"(UniProt|ChEBI|Ensembl|NCBI|miRBase|GtoP)2Reactome"
    r"(_All_Levels|_PE_Pathway|_PE_All_Levels|_PE_Reactions|Reactions)?\.txt(?:\.gz)?"
)


def read_table(path: Path, reactome: Reactome, species: Collection[str] | None = None) -> None:
    """Add one identifier table; pathways that no other file knows are added with the name given here.

    Raises SourceError when the name tells no identifier table or the columns are others. Tables of reactions
    are left out: diagrams and BioPAX say the same with more detail.
    """
    match = TABLE_NAME.fullmatch(path.name)
    if match is None:
        raise SourceError(
            f"{path.name} is no identifier table of Reactome: the file's name tells what its ids are.",
            remedy="Keep Reactome's names, such as UniProt2Reactome.txt or ChEBI2Reactome_All_Levels.txt.",
        )
    database, level = match[1], match[2] or ""
    if level.endswith("Reactions"):
        reactome.tally.skip("table of reactions", path.name)
        return
    width = 8 if "_PE_" in level else 6
    direct = not level.endswith("All_Levels")
    for number, text in lines(path, reactome.tally):
        cells = columns(path, number, text, {width}, reactome)
        if cells is None:
            continue
        place = f"{path.name}:{number}"
        reference = reference_by_database(database, cells[0])
        parsed = parse_stable_id(cells[width - 5])
        if reference is None or parsed is None:
            reactome.tally.skip("table row without an identifier or a stable id", place)
            continue
        if species is not None and cells[-1] not in species:
            reactome.tally.skip("table row of another species", place)
            continue
        if parsed[0] not in reactome.pathways:
            name = cells[-3] or parsed[0]
            reactome.add_pathway(Pathway(parsed[0], name, cells[-1] or None, place, version=parsed[1]))
        reactome.add_table_edge(
            Edge(
                kind="PARTICIPATES_IN",
                head=reference.curie,
                tail=curie(parsed[0]),
                source=f"reactome:{place}",
                direct=direct,
                identifier=reference.identifier,
                evidence=cells[-2] or None,
            )
        )
