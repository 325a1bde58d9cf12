"""Human proteins: HGNC's names, forms by pattern, forms by hand; families of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from biomolkg.names import name_key
from graph_loader.vocabulary.build.english import english_words
from graph_loader.vocabulary.build.protein_forms import forms_of, forms_of_name
from graph_loader.vocabulary.build.reviewed import reviewed
from graph_loader.vocabulary.build.sources import Gene, Vocabularies

_SHORT_WORD = 5  # letters; families such as BEST, CAN and TOP are words first


def protein_rows(genes: Iterable[Gene]) -> Iterator[tuple[str, str, str, str]]:
    """The rows of `proteins`; of two genes with one accession the first by symbol."""
    for gene in _by_accession(genes).values():
        yield f"uniprot:{gene.uniprot}", gene.symbol, gene.name, "|".join(gene.xrefs)


def protein_name_rows(
    genes: Iterable[Gene], graph_names: Mapping[str, str]
) -> Iterator[tuple[str, str, str, str]]:
    """The rows of `protein_names`; `graph_names` are UniProt's names by symbol, where the graph has them."""
    by_hand: dict[str, list[str]] = defaultdict(list)
    for row in reviewed("protein_names"):
        by_hand[row["symbol"]] += [name for name in row["names"].split("|") if name]
    for gene in _by_accession(genes).values():
        rows = [(name, "previous", "HGNC") for name in gene.previous]
        rows = [(name, "alias", "HGNC") for name in gene.aliases] + rows
        if gene.symbol in graph_names:
            rows.append((graph_names[gene.symbol], "alias", "UniProt"))
            rows += [(name, "generated", "rule") for name in forms_of_name(graph_names[gene.symbol])]
            rows += [(name, "generated", "rule") for name in forms_of_name(gene.name)]
        rows = [(name, "everyday", "reviewed") for name in by_hand.get(gene.symbol, ())] + rows
        rows += [(name, "generated", "rule") for name in forms_of(gene.symbol)]
        seen = {gene.symbol, gene.name}
        for name, kind, source in rows:
            if name not in seen:
                seen.add(name)
                yield f"uniprot:{gene.uniprot}", name, kind, source


def _by_accession(genes: Iterable[Gene]) -> dict[str, Gene]:
    found: dict[str, Gene] = {}
    for gene in genes:
        found.setdefault(gene.uniprot, gene)
    return found


def family_rows(genes: list[Gene], vocabularies: Vocabularies) -> Iterator[tuple[str, str, str]]:
    """The rows of `families`: FamPlex's of 2 to 60 members, and families by pattern of the symbol."""
    accession = {gene.symbol: f"uniprot:{gene.uniprot}" for gene in genes}
    own: dict[str, tuple[str, tuple[str, ...], str]] = {}
    for row in reviewed("families"):
        pattern = re.compile(row["symbols"])
        members = tuple(sorted({accession[one] for one in accession if pattern.fullmatch(one)}))
        for name in row["names"].split("|"):
            own[name_key(name)] = (name, members, "reviewed")
    for name, members in _famplex(vocabularies, accession):
        if 1 < len(members) <= 60:
            own.setdefault(name_key(name), (name, members, "FamPlex"))
    barred = {name_key(gene.symbol) for gene in genes}
    barred |= {word for word in english_words() if len(word) <= _SHORT_WORD}
    for key, (name, members, source) in own.items():
        if len(key) > 2 and not (source == "FamPlex" and key in barred):
            yield name, "|".join(members), source


def _famplex(
    vocabularies: Vocabularies, accession: Mapping[str, str]
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Names and members of FamPlex's families and complexes."""
    below: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for kind, one, _, other_kind, family in vocabularies.famplex("relations"):
        if other_kind == "FPLX":
            below[family].append((kind, one))
    texts: dict[str, list[str]] = defaultdict(list)
    for row in vocabularies.famplex("grounding_map"):
        for kind, one in zip(row[1::2], row[2::2], strict=False):
            if kind == "FPLX":
                texts[one].append(row[0])
    for family in sorted(below):
        found = tuple(sorted(set(_members(family, below, accession))))
        for name in dict.fromkeys((family.replace("_", " "), *sorted(texts.get(family, ())))):
            if len(name) > 2:
                yield name, found


def _members(
    family: str, below: Mapping[str, list[tuple[str, str]]], accession: Mapping[str, str]
) -> Iterator[str]:
    """The accessions of a family's genes, through families within it."""
    todo = [family]
    known = {family}
    for at in todo:  # grows while it is read
        for kind, one in below.get(at, ()):
            if kind == "HGNC" and one in accession:
                yield accession[one]
            elif kind == "FPLX" and one not in known:
                known.add(one)
                todo.append(one)
