"""The kind of a node by what sources call it."""

from __future__ import annotations

from collections.abc import Iterable

from graph_loader.graph_records import NODE_KINDS

BIOLINK = "biolink:"
# Categories of the Biolink model, of today and of before, and what other graphs call the same.
_OTHERS = {
    "smallmolecule": "Chemical",
    "chemicalentity": "Chemical",
    "chemicalsubstance": "Chemical",
    "molecularentity": "Chemical",
    "molecularmixture": "Chemical",
    "chemicalmixture": "Chemical",
    "complexmolecularmixture": "Chemical",
    "metabolite": "Chemical",
    "compound": "Chemical",
    "chemicalcompound": "Chemical",
    "polypeptide": "Protein",
    "proteinisoform": "Protein",
    "geneproduct": "Protein",
    "geneprotein": "Gene",
    "rnaproduct": "Transcript",
    "rnaproductisoform": "Transcript",
    "mrna": "Transcript",
    "microrna": "Transcript",
    "noncodingrnaproduct": "Transcript",
}
_KINDS = {kind.lower(): kind for kind in NODE_KINDS} | _OTHERS


def kind_of_labels(labels: Iterable[str]) -> str:
    """The kind that the first telling label says, whatever its case and signs; `Thing` where none does."""
    return next((kind for label in labels if (kind := _KINDS.get(_folded(label))) is not None), "Thing")


def _folded(label: str) -> str:
    return "".join(sign for sign in label.removeprefix(BIOLINK).lower() if sign.isalnum())
