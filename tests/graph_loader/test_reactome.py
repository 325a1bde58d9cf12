"""The Reactome files at hand: counts that were found without this code, and what joins to them."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from graph_loader.sources.reactome import (
    Edge,
    Part,
    Participants,
    Reach,
    Reactome,
    edges,
    gene_to_uniprot,
    match_gene,
    pathway_reach,
    protein_xrefs,
    read_reactome,
)


@pytest.fixture(scope="module")
def reactome(whole_reactome: Reactome) -> Reactome:
    return whole_reactome


@pytest.fixture(scope="module")
def all_edges(reactome: Reactome) -> list[Edge]:
    return list(edges(reactome, Participants(reactome)))


@pytest.fixture(scope="module")
def drawn(shared_data: Path) -> list[dict[str, Any]]:
    """The diagrams as plain JSON, in the order of their names."""
    return [
        json.loads(path.read_bytes())
        for path in sorted((shared_data / "reactome/graph").glob("*.graph.json"))
    ]


def test_counts_are_those_of_the_files(reactome: Reactome, drawn: list[dict[str, Any]]) -> None:
    nodes = {node["stId"]: node["schemaClass"] for content in drawn for node in content["nodes"]}
    reactions = {edge["stId"] for content in drawn for edge in content["edges"]}
    assert (len(nodes), len(reactions)) == (23_386, 5_265)
    assert reactome.reactions.keys() == reactions
    pathways = {key for key, schema_class in nodes.items() if schema_class in {"Pathway", "TopLevelPathway"}}
    assert reactome.entities.keys() == nodes.keys() - pathways
    assert len(reactome.entities) == 22_989
    assert pathways <= reactome.pathways.keys()
    species = Counter(item.species for item in reactome.pathways.values())
    assert species["Homo sapiens"] == 2_325 + 24
    assert reactome.tally.skipped == {"step to a reaction outside the files": 242}
    assert reactome.tally.noted == {"pathway without a name": 1}


def test_reactions_whose_participants_resolve(reactome: Reactome) -> None:
    resolution = Participants(reactome).resolution
    found = [resolution(reaction) for reaction in reactome.reactions.values()]
    assert sum(item.whole for item in found) == 5_034
    assert sum(item.strict for item in found) == 4_756
    assert sum(item.complete for item in found) == 4_410


def test_edges_hold_what_the_first_diagram_with_a_reaction_says(
    all_edges: list[Edge], drawn: list[dict[str, Any]]
) -> None:
    expected: dict[str, set[tuple[str, str]]] = {"INPUT": set(), "OUTPUT": set()}
    seen: set[int] = set()
    for content in drawn:
        names = {node["dbId"]: f"reactome:{node['stId']}" for node in content["nodes"]}
        for edge in content["edges"]:
            if edge["dbId"] not in seen:
                seen.add(edge["dbId"])
                for kind, field in (("INPUT", "inputs"), ("OUTPUT", "outputs")):
                    expected[kind] |= {
                        (f"reactome:{edge['stId']}", names[entity]) for entity in edge.get(field, [])
                    }
    for kind, pairs in expected.items():
        assert {(edge.head, edge.tail) for edge in all_edges if edge.kind == kind} == pairs


def test_every_edge_is_traced_and_every_reaction_happens_somewhere(
    reactome: Reactome, all_edges: list[Edge]
) -> None:
    assert all(edge.source.startswith("reactome:") for edge in all_edges)
    assert len({(edge.kind, edge.head, edge.tail, edge.regulation) for edge in all_edges}) == len(all_edges)
    placed = {edge.tail for edge in all_edges if edge.kind == "HAS_EVENT"}
    assert all(f"reactome:{key}" in placed for key in reactome.reactions)


def test_inherited_memberships_are_the_direct_ones_lifted(all_edges: list[Edge]) -> None:
    upper: dict[str, set[str]] = {}
    for edge in all_edges:
        if edge.kind == "HAS_EVENT":
            upper.setdefault(edge.tail, set()).add(edge.head)
    rows = [edge for edge in all_edges if edge.kind == "PARTICIPATES_IN"]
    pairs = {(edge.head, edge.tail) for edge in rows}
    lifted = {(head, above) for head, tail in pairs for above in upper.get(tail, ())}
    assert lifted <= pairs
    assert {(edge.head, edge.tail) for edge in rows if not edge.direct} <= lifted
    assert {edge.direct for edge in rows} == {True, False}


def test_contradictions_between_diagrams_are_reported(reactome: Reactome) -> None:
    assert reactome.tally.repeated["entities"] == 33_511 - 22_989 + 10
    assert reactome.tally.contradictions["classes differ"] == 7
    assert reactome.tally.contradictions["parts differ"] == 10
    kept = reactome.entities["R-HSA-202074"]
    assert {kept.name, *kept.synonyms} >= {"p-T,p-S-AKT", "Active AKT"}


def test_biopax_of_one_pathway(shared_data: Path) -> None:
    reactome = read_reactome(shared_data / "reactome/biopax")
    first, second = reactome.reactions["R-HSA-139908"], reactome.reactions["R-HSA-139909"]
    assert first.inputs == (Part("R-HSA-140528"), Part("R-ALL-113592"))
    assert first.catalysts == ("R-HSA-168141",)
    assert second.preceding == ("R-HSA-139908",)
    complex_ = reactome.entities["R-HSA-140530"]
    assert complex_.parts == (Part("R-HSA-140523", 1), Part("R-HSA-140527", 1))
    kinase = reactome.entities["R-HSA-168141"]
    assert (kinase.compartment, kinase.species) == ("cytosol", "Homo sapiens")
    assert kinase.reference is not None
    assert kinase.reference.curie == "uniprot:P45983"
    assert kinase.gene_names[0] == "MAPK8"
    listed = {edge.tail for edge in edges(reactome, Participants(reactome)) if edge.kind == "HAS_EVENT"}
    assert listed == {"reactome:R-HSA-139908", "reactome:R-HSA-139909"}
    assert not reactome.tally.skipped


@pytest.fixture(scope="module")
def targets(shared_data: Path) -> dict[str, dict[str, str]]:
    """One row of the drug-protein table for each protein, by the protein's name."""
    path = shared_data / "biomolmqa/data/mined_data/DPI_subset.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        return {row["Protein_Name"]: row for row in csv.DictReader(stream)}


@pytest.fixture(scope="module")
def reached(
    reactome: Reactome, all_edges: list[Edge], targets: dict[str, dict[str, str]]
) -> dict[str, Reach]:
    pairs = [(row["Protein ID"], row["Gene_Name"]) for row in targets.values()]
    return {item.protein: item for item in pathway_reach(pairs, gene_to_uniprot(reactome), all_edges)}


def test_proteins_of_the_drug_protein_table_reach_pathways(reached: dict[str, Reach]) -> None:
    reasons = Counter(item.reason for item in reached.values())
    assert reasons == {
        None: 161,
        "gene not in Reactome's files": 36,
        "ambiguous gene symbol: P54289, Q9UIU0": 1,
    }
    assert all(bool(item.direct) == (item.reason is None) for item in reached.values())
    serotonin = next(item for item in reached.values() if item.symbol == "HTR1B")
    assert (serotonin.accession, serotonin.evidence) == ("P28222", "gene symbol HTR1B")
    assert {"R-HSA-372790", "R-HSA-162582"} <= set(serotonin.inherited)


def test_labelled_drug_protein_pairs_reach_pathways(
    shared_data: Path, targets: dict[str, dict[str, str]], reached: dict[str, Reach]
) -> None:
    path = shared_data / "biomolmqa/data/mined_data/DPI_subset_with_rel.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        labelled = [targets[row["protein_name"]]["Protein ID"] for row in csv.DictReader(stream)]
    assert len(labelled) == 314
    assert sum(reached[protein].reason is None for protein in labelled) == 311
    assert {reached[protein].symbol for protein in labelled if reached[protein].reason} == {
        "GUCY2D",
        "GUCY2F",
        "NANP",
    }


def test_gene_symbols_and_cross_references(reactome: Reactome) -> None:
    accessions = gene_to_uniprot(reactome)
    assert match_gene("TP53", accessions).accession == "P04637"
    assert match_gene("CACNA2D1", accessions).accession is None
    # P25100 lists ADRA1A among its further names; the gene's own protein is the one that names it first.
    assert accessions["ADRA1A"] == ("P35348",)
    source = protein_xrefs(reactome)["P12931"]
    assert (source.symbol, source.ensembl) == ("SRC", ())
    assert source.isoforms
    assert all(isoform.startswith("P12931-") for isoform in source.isoforms)
    assert any(facts.ensembl for facts in protein_xrefs(reactome).values())
