"""What bundled vocabularies say of a thing: its identifiers elsewhere, and the symbol of a human gene."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from biomolkg import lexicon
from biomolkg.identifiers import sort_of

# MeSH's headings and CAS's numbers are several things' each.
_TELLING = ("chebi:", "chembl.compound:", "drugbank:", "drugcentral:", "unii:", "rxnorm:")


@cache
def _mappings() -> Mapping[str, tuple[str, ...]]:
    drugs = {
        drug.id: tuple(one for one in drug.xrefs if one.startswith(_TELLING)) for drug in lexicon.drugs()
    }
    return drugs | {protein.id: protein.xrefs for protein in lexicon.proteins()}


@cache
def _symbols() -> Mapping[str, str]:
    return {
        one: protein.symbol
        for protein in lexicon.proteins()
        for one in protein.xrefs
        if sort_of(one) == "gene"
    }


def mapped_to(node_id: str) -> tuple[str, ...]:
    """The identifiers that vocabularies map an identifier to."""
    return _mappings().get(node_id, ())


@cache
def _classes() -> frozenset[str]:
    return frozenset(one.id for one in lexicon.classes())


def is_class(node_id: str) -> bool:
    """Whether ChEBI knows an identifier as a class that drugs are of, such as alcohol."""
    return node_id in _classes()


def symbol_of_gene(node_id: str) -> str | None:
    """The symbol of a human gene by its number; None for one that no vocabulary knows."""
    return _symbols().get(node_id)
