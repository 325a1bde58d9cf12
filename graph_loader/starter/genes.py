"""Which UniProt accession a human gene has, and its other symbols, from Reactome's diagrams."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from biomolkg.errors import SourceError
from graph_loader.tables import read_text

_HUMAN = 48887  # Reactome's number of Homo sapiens
_ACCESSION = re.compile(r"([OPQ][0-9][A-Z0-9]{3}[0-9]|[A-NR-Z][0-9](?:[A-Z][A-Z0-9]{2}[0-9]){1,2})(?:-\d+)?")


@dataclass(frozen=True, slots=True)
class Gene:
    """A human gene: the accession of its protein, and its symbols, the approved one first."""

    accession: str
    symbols: tuple[str, ...]


def read_genes(folder: Path) -> Mapping[str, Gene]:
    """Genes by their approved symbol, where one accession can be told.

    Isoforms count as their accession and nucleic acids do not count. Of several
    accessions the one with the most symbols is taken, if there is one: fragments
    and unreviewed entries carry the approved symbol alone.
    """
    symbols: dict[str, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for path in sorted(folder.glob("*.graph.json")):
        try:
            nodes = json.loads(read_text(path))["nodes"]
        except (ValueError, KeyError, TypeError) as error:
            raise SourceError(f"{path} is no Reactome diagram: {error}.") from error
        for node in nodes:
            match = _ACCESSION.fullmatch(node.get("identifier") or "")
            names = tuple(node.get("geneNames") or ())
            if match and names and node.get("speciesId") == _HUMAN:
                symbols[names[0]][match[1]] = names
    genes = {}
    for symbol, entries in symbols.items():
        most = max(len(names) for names in entries.values())
        best = [accession for accession, names in entries.items() if len(names) == most]
        if len(best) == 1:
            genes[symbol] = Gene(best[0], entries[best[0]])
    return genes
