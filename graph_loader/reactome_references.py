"""Proteins, chemicals and sequences that Reactome's entities refer to, as nodes, each once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from graph_loader.graph_tables import Node
from graph_loader.identity.reactome_joins import Join, Joins
from graph_loader.ledger import APART, Omissions
from graph_loader.sources.reactome import Reactome, gene_to_uniprot, protein_xrefs

_LABELS = {"uniprot": "Protein", "chebi": "Chemical", "iuphar.ligand": "Chemical", "ncbigene": "Gene"}
_ENSEMBL = {"G": "Gene", "T": "Transcript", "P": "Protein"}


@dataclass(slots=True)
class _Met:
    """What entities say of one reference."""

    names: Counter[str] = field(default_factory=Counter)
    genes: dict[str, None] = field(default_factory=dict)


def references(
    reactome: Reactome, joins: Joins, omissions: Omissions
) -> tuple[dict[str, Node], dict[str, str]]:
    """The nodes by id, and the node's id of every reference that is another data set's node."""
    xrefs = protein_xrefs(reactome)
    symbols = gene_to_uniprot(reactome)
    nodes: dict[str, Node] = {}
    joined: dict[str, str] = {}
    takers: dict[str, list[str]] = {}
    found: dict[str, tuple[Node, Join]] = {}
    for curie, met in sorted(_met(reactome).items()):
        label = _label(curie)
        known = xrefs.get(curie.partition(":")[2]) if label == "Protein" else None
        symbol = next(iter(met.genes), None)
        name, others = _names(curie, label, met)
        properties = {
            "name": name,
            "gene": symbol if label == "Protein" else None,
            "synonyms": others,
            "xrefs": [f"ensembl:{gene}" for gene in known.ensembl] if known else [],
            "source": f"reactome:{curie}",
        }
        join = Join(None)
        if label == "Protein":
            # The symbol of a gene that Reactome knows by several accessions tells nothing.
            single = symbol if symbol and len(symbols.get(symbol, ())) == 1 else None
            join = joins.protein(curie, single if known else None)
        elif label == "Chemical":
            join = joins.chemical(curie, [name, *others])
        found[curie] = (
            Node(
                curie,
                {key: value for key, value in properties.items() if value is not None},
                ("Entity", label),
            ),
            join,
        )
        if join.id:
            takers.setdefault(join.id, []).append(curie)
    for curie, (node, join) in found.items():
        target, doubt, reason = join.id, join.doubt, join.reason
        if target is not None and len(takers[target]) > 1:
            doubt = f"{target} could be {', '.join(takers[target])}"
            target, reason = None, APART
        if doubt:
            omissions.add("joins", f"{node.labels[1].lower()} {reason}", f"{curie}: {doubt}", taken=True)
        shared = {
            "reactome_name": node.properties["name"],
            "reactome_reference": curie,
            "reactome_join": join.evidence,
        }
        if target:
            joined[curie] = target
        nodes[target or curie] = Node(target, node.properties, node.labels, shared=shared) if target else node
    return nodes, joined


def _met(reactome: Reactome) -> dict[str, _Met]:
    found: dict[str, _Met] = {}
    for entity in reactome.entities.values():
        if entity.reference is not None:
            met = found.setdefault(entity.reference.curie, _Met())
            met.names.update((entity.name, *entity.synonyms))
            met.genes.update(dict.fromkeys(entity.gene_names))
    for head, _ in reactome.tables:
        found.setdefault(head, _Met())
    return found


def _names(curie: str, label: str, met: _Met) -> tuple[str, list[str]]:
    """The display name, and the other names: of a sequence its genes, of a chemical what entities call it."""
    if label != "Chemical" and met.genes:
        first, *others = met.genes
        return first, others
    ranked = sorted(met.names, key=lambda name: (-met.names[name], len(name), name))
    if not ranked:
        return curie.partition(":")[2], []
    return ranked[0], ranked[1:] if label == "Chemical" else []


def _label(curie: str) -> str:
    database, _, identifier = curie.partition(":")
    if database == "ensembl":
        return _ENSEMBL.get(identifier.rstrip("0123456789.")[-1:], "Gene")
    return _LABELS.get(database, "Transcript")
