"""Proposed molecular edges: known pairs, the laws of proposals, agreement with published edges."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biomolkg.errors import InvalidMolecule, SourceError
from biomolkg.settings import Settings
from graph_loader.interactions.agreement import Agreement, PublishedEdge, measure, read_published
from graph_loader.interactions.asked import propose_all, proposer
from graph_loader.interactions.categories import Category, category_of
from graph_loader.interactions.edges import Proposals, evidence_text, wrong_with
from graph_loader.interactions.features import features_of
from graph_loader.interactions.rules import propose
from graph_loader.ledger import Omissions

PAGE = Path(__file__).resolve().parents[2] / "docs" / "molecular-edges.md"
PUBLISHED = Path("biomolmqa/data/OAI/molecular_interactions/molecular_interactions_df.csv")
DRUGS = {
    "alendronic acid": "C(CC(O)(P(=O)(O)O)P(=O)(O)O)CN",
    "pyridostigmine": "C[N+]1=CC=CC(=C1)OC(=O)N(C)C",
    "naproxen": "CC(C1=CC2=C(C=C1)C=C(C=C2)OC)C(=O)O",
    "ticlopidine": "C1CN(CC2=C1SC=C2)CC3=CC=CC=C3Cl",
    "fenofibrate": "CC(C)OC(=O)C(C)(C)OC1=CC=C(C=C1)C(=O)C2=CC=C(C=C2)Cl",
    "exemestane": "CC12CCC3C(C1CCC2=O)CC(=C)C4=CC(=O)C=CC34C",
    "megestrol": "CC1=CC2C(CCC3(C2CCC3(C(=O)C)O)C)C4(C1=CC(=O)CC4)C",
    "celecoxib": "CC1=CC=C(C=C1)C2=CC(=NN2C3=CC=C(C=C3)S(=O)(=O)N)C(F)(F)F",
    "metformin": "CN(C)C(=N)N=C(N)N",
    "losartan": "CCCCC1=NC(=C(N1CC2=CC=C(C=C2)C3=CC=CC=C3C4=NNN=N4)CO)Cl",
    "tacrolimus": (
        "CC1CC(C2C(CC(C(O2)(C(=O)C(=O)N3CCCCC3C(=O)OC(C(C(CC(=O)C(C=C(C1)C)CC=C)O)C)C(=CC4CCC(C(C4)OC)O)C)O)C)OC)OC"
    ),
    "lithium": "[Li+]",
    "gadoversetamide": ("COCCNC(=O)CN(CCN(CCN(CC(=O)NCCOC)CC(=O)[O-])CC(=O)[O-])CC(=O)[O-].[Gd+3]"),
    "hexane": "CCCCCC",
}


def main(first: str, second: str) -> Category:
    return propose(DRUGS[first], DRUGS[second]).proposals[0].category


def found(first: str, second: str) -> dict[Category, tuple[str, str]]:
    """The strongest group on each side, by category."""
    return {
        proposal.category: (proposal.first[0].group, proposal.second[0].group)
        for proposal in propose(DRUGS[first], DRUGS[second]).proposals
    }


def test_main_category_of_known_pairs() -> None:
    assert main("alendronic acid", "celecoxib") is Category.HYDROGEN_BONDING
    assert main("ticlopidine", "fenofibrate") is Category.STACKING
    assert main("naproxen", "pyridostigmine") is Category.IONIC
    assert main("exemestane", "exemestane") is Category.STERIC


def test_evidence_names_the_groups() -> None:
    assert found("naproxen", "pyridostigmine")[Category.IONIC] == (
        "carboxylic acid, mostly ionised",
        "cationic ring nitrogen",
    )
    assert found("naproxen", "ticlopidine")[Category.STACKING] == ("naphthalene", "benzene ring")
    assert found("losartan", "metformin")[Category.IONIC][0] == "tetrazole, mostly ionised"
    assert found("pyridostigmine", "celecoxib")[Category.ELECTROSTATIC][0] == "cationic ring nitrogen"


def test_nothing_is_proposed_for_molecules_that_have_nothing() -> None:
    assert propose("CCCCCC", "CCCC").proposals == ()
    assert propose("[He]", "[Ne]").proposals == ()
    assert propose("[Na+]", "[Cl-]").proposals[0].category is Category.IONIC


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(DRUGS)), st.sampled_from(sorted(DRUGS)))
def test_laws_of_proposals(first: str, second: str) -> None:
    """Exchanging the sides exchanges the evidence; proposals pass the checks that a model's answer must."""
    one, other = features_of(DRUGS[first]).molecule, features_of(DRUGS[second]).molecule
    answer = propose(DRUGS[first], DRUGS[second])
    assert wrong_with(answer, one, other) == []
    assert Proposals.model_validate_json(answer.model_dump_json()) == answer
    turned = propose(DRUGS[second], DRUGS[first])
    assert [(it.category, it.score, it.severity) for it in answer.proposals] == [
        (it.category, it.score, it.severity) for it in turned.proposals
    ]
    assert first == second or [(set(it.first), set(it.second)) for it in answer.proposals] == [
        (set(it.second), set(it.first)) for it in turned.proposals
    ]
    for proposal in answer.proposals:
        text = evidence_text(proposal, one, other, (first, second))
        assert text.startswith(f"{first}: ")
        assert f". {second}: " in text


def test_atoms_of_the_evidence_are_those_of_the_groups() -> None:
    bonding = propose(DRUGS["celecoxib"], DRUGS["metformin"]).proposals[0]
    molecule = features_of(DRUGS["celecoxib"]).molecule
    donors = [site for site in bonding.first if site.role == "hydrogen bond donor"]
    assert donors
    for site in donors:
        assert molecule.GetAtomWithIdx(site.atoms[0]).GetSymbol() == "N"
        assert molecule.GetAtomWithIdx(site.atoms[0]).GetTotalNumHs() == 2


@pytest.mark.parametrize("bad", ["", "C1CC", "C" * 2_001, "c1cccc1"])
def test_a_bad_structure_is_refused_on_either_side(bad: str) -> None:
    with pytest.raises(InvalidMolecule):
        propose(bad, "CCO")
    with pytest.raises(InvalidMolecule):
        propose("CCO", bad)


def test_pairs_that_give_nothing_are_counted() -> None:
    omissions = Omissions()
    pairs = [("1", "CCO", "CCN"), ("2", "C1CC", "CCO"), ("3", "CCCC", "CCC"), ("4", "CCO", "")]
    with proposer(Settings(_env_file=None)) as proposing:
        kept = [identity for identity, _ in propose_all(pairs, proposing, omissions, file="pairs")]
    assert kept == ["1"]
    assert {(it.reason, it.count) for it in omissions.listed()} == {
        ("a structure cannot be read", 2),
        ("no interaction is proposed", 1),
    }


@pytest.mark.parametrize(
    ("spelling", "category"),
    [
        ("Hydrogen Bond (Potential donor-acceptor pair)", Category.HYDROGEN_BONDING),
        ("H-bond", Category.HYDROGEN_BONDING),
        ("π–π Stacking", Category.STACKING),
        ("Aromatic stacking (π-π interaction)", Category.STACKING),
        ("Electrostatic Interaction (Potential π-cation interaction)", Category.ELECTROSTATIC),
        ("  STERIC   clash ", Category.STERIC),
        ("Ionic Interaction", Category.IONIC),
        ("salt_bridge", Category.IONIC),
        ("covalent bond", None),
        ("", None),
    ],
)
def test_spellings(spelling: str, category: Category | None) -> None:
    assert category_of(spelling) is category
    assert all(category_of(own) is own for own in Category)


@pytest.fixture(scope="module")
def published(shared_data: Path) -> list[PublishedEdge]:
    return read_published(shared_data / PUBLISHED)


def test_agreement_with_published_edges(published: list[PublishedEdge]) -> None:
    """The floor, and the table of docs/molecular-edges.md."""
    everything = measure(published)
    held_out = measure(edge for edge in published if not edge.tuned)
    tuned = measure(edge for edge in published if edge.tuned)
    assert everything.edges == 499
    assert held_out.top1 > held_out.baseline + 0.03
    assert everything.top1 > everything.baseline + 0.03
    assert everything.among > 0.95
    assert everything.mean_proposed < 3
    assert len(everything.by_category) == 5
    page = PAGE.read_text(encoding="utf-8")
    for name, agreement in (("all", everything), ("tuned on", tuned), ("held out", held_out)):
        assert summary(name, agreement) in page
    for category, counts in everything.by_category.items():
        assert f"| {category} | {counts.published} | {counts.first} | {counts.proposed} |" in page


def summary(name: str, agreement: Agreement) -> str:
    shares = (agreement.baseline, agreement.top1, agreement.among, agreement.balanced)
    percent = " | ".join(f"{100 * share:.1f} %" for share in shares)
    return f"| {name} | {agreement.edges} | {percent} | {agreement.mean_proposed:.2f} |"


def test_a_proposer_that_knows_nothing_reaches_the_baseline(published: list[PublishedEdge]) -> None:
    always = propose("CCO", "CCO")
    assert [it.category for it in always.proposals] == [Category.HYDROGEN_BONDING]
    ignorant = measure(published, lambda _first, _second: always)
    assert ignorant.top1 == ignorant.among == ignorant.baseline
    assert ignorant.balanced == pytest.approx(0.2)


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "edges.csv"
    with pytest.raises(SourceError, match="cannot be read"):
        read_published(path)
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with pytest.raises(SourceError, match="drug_1_SMILES"):
        read_published(path)
    header = "drug_1_name,drug_2_name,drug_1_SMILES,drug_2_SMILES,molecular_interaction\n"
    path.write_text(header + "a,b,C,C,covalent\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"Row 1 .*'covalent'"):
        read_published(path)
    with pytest.raises(SourceError, match="no edges"):
        measure([])


def test_the_example_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(
        r"^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    (shown,) = re.findall(r"^```text\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    exec(compile(example, str(PAGE), "exec"), {})
    assert capsys.readouterr().out == shown
