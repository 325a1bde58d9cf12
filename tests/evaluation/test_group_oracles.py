"""The vocabulary of groups against what others say of the same molecules."""

import subprocess
import sys
from pathlib import Path

import pytest

from biomolkg.errors import BioMolKGError
from biomolkg.molecules import find_groups, group_vocabulary, parent_of, parse_smarts, parse_smiles
from evaluation.group_oracles.agreement import Agreement, measure, totals, without_oracle
from evaluation.group_oracles.molecules import (
    Molecule,
    choose_varied,
    starter_molecules,
    varied_molecules,
)
from evaluation.group_oracles.opsin import opsin_queries, query_of
from evaluation.group_oracles.oracles import has_accfg, make_oracles
from evaluation.group_oracles.table import OracleRow, negatives, oracle_rows, varied_ids

FREE = tuple(row for row in oracle_rows() if row.oracle in {"opsin", "rdkit"})


def molecule(smiles: str, name: str = "") -> Molecule:
    whole = parse_smiles(smiles)
    return Molecule(smiles, name or smiles, whole, parent_of(whole))


@pytest.fixture(scope="module")
def free_oracles():
    return make_oracles(FREE, data=None)


def check(found: list[Agreement]) -> None:
    """The thresholds, and nothing that differs without a reason; what a judgement claims holds."""
    summary = totals(found)
    assert summary.precision >= 0.98
    assert summary.recall >= 0.95
    for one in found:
        if one.extra or one.missing:
            assert one.row.reason, one
        if one.row.judgement != "same":
            assert not one.wrong, one


def test_each_entry_lacks_its_negative_example():
    assert negatives().keys() == {group.name for group in group_vocabulary()}
    for name, smiles in negatives().items():
        assert name not in find_groups(parse_smiles(smiles)), name


def test_no_oracle_finds_an_entry_in_its_negative_example(free_oracles):
    ions = {group.name for group in group_vocabulary() if group.kind == "ion"}
    for row in FREE:
        if row.judgement in {"same", "narrower"} and row.entry not in ions:
            lacking = molecule(negatives()[row.entry])
            assert not any(free_oracles[row.oracle](lacking, term) for term in row.terms), row


def test_the_table_of_oracles_is_sound():
    rows = oracle_rows()
    names = {group.name for group in group_vocabulary()}
    assert len({(row.entry, row.oracle) for row in rows}) == len(rows)
    for row in rows:
        assert row.entry in names
        assert row.oracle in {"opsin", "rdkit", "accfg", "chebi"}
        assert row.judgement in {"same", "narrower", "wider", "overlaps"}
        assert row.reason or row.judgement == "same", row
    assert len(without_oracle(rows)) <= 40
    assert len({row.entry for row in rows if row.judgement == "same"}) >= 350


def test_opsin_and_rdkit_agree_on_the_starter_graph_and_the_examples(free_oracles):
    examples = [molecule(group.example, group.name) for group in group_vocabulary()]
    unique = {one.id: one for one in (*starter_molecules(), *examples)}
    assert len(unique) > 900
    check(measure(FREE, list(unique.values()), free_oracles))


def test_all_oracles_agree_on_varied_molecules(shared_data):
    molecules = varied_molecules(shared_data)
    assert len(molecules) == len(varied_ids()) == 1_000
    rows = [row for row in oracle_rows() if row.oracle != "chebi"]
    found = measure(rows, molecules, make_oracles(rows, data=None))
    assert has_accfg() == any(one.row.oracle == "accfg" for one in found)
    check(found)


def test_what_chebi_classes_is_found(shared_data):
    rows = [row for row in oracle_rows() if row.oracle == "chebi"]
    found = measure(rows, starter_molecules(), make_oracles(rows, data=shared_data))
    claimed = [one for one in found if one.row.judgement == "narrower"]
    assert len(claimed) >= 50
    for one in claimed:
        assert one.oracle == one.both, one


def test_the_varied_molecules_are_those_that_the_rule_chooses(shared_data):
    assert tuple(choose_varied(shared_data)) == varied_ids()


@pytest.mark.parametrize(
    ("name", "has", "lacks"),
    [
        ("[H] toluene", "Cc1ccccc1", "CCc1ccccc1"),
        ("toluene", "CCc1ccccc1", "c1ccccc1"),
        ("[H] methoxy", "COc1ccccc1", "CCOc1ccccc1"),
        ("[H] methylsulfanyl", "CSC", "CS(C)(=O)=O"),
        ("[H] nitro", "C[N+](=O)[O-]", "CN=O"),
        ("piperidine", "O=C1CCCCN1", "c1ccncc1"),
        ("2-phenylethan-1-amine", "NCCc1ccccc1", "NC(=O)Cc1ccccc1"),
        ("2,4-dihydro-3H-1,2,4-triazol-3-one", "O=c1[nH]ncn1C", "c1nnc[nH]1"),
    ],
)
def test_a_name_is_read_as_a_query(name, has, lacks):
    query = opsin_queries([name])[name]
    assert parse_smiles(has).HasSubstructMatch(query)
    assert not parse_smiles(lacks).HasSubstructMatch(query)


def test_a_name_that_opsin_cannot_read_is_named():
    with pytest.raises(BioMolKGError, match="foobaric acid"):
        opsin_queries(["foobaric acid", "benzene"])


def test_a_wrong_pattern_is_noticed(free_oracles, monkeypatch):
    row = OracleRow("ketone", "opsin", ("benzene",), "same", "")
    found = measure([row], [molecule("CC(C)=O"), molecule("c1ccccc1")], make_oracles([row], data=None))
    assert found[0].wrong
    assert found[0].extra == ("CC(C)=O",)
    assert found[0].missing == ("c1ccccc1",)
    assert query_of("*C", hydrogens=True).HasSubstructMatch(parse_smarts("C"))


def test_the_command_measures_a_file_of_molecules(tmp_path):
    file = tmp_path / "molecules.tsv"
    file.write_text("CC(=O)Oc1ccccc1C(=O)O\taspirin\nO=C1CCCCN1\n", encoding="utf-8")
    command = [sys.executable, "-m", "evaluation.group_oracles", "--molecules", str(file)]
    command += ["--entry", "piperidine", "--json", str(tmp_path / "found.json")]
    done = subprocess.run(
        command, cwd=Path(__file__).parents[2], capture_output=True, text=True, check=True, timeout=120
    )
    assert "piperidine\topsin\tsame\t1\t1\t1\t1.000\t1.000" in done.stdout
    assert '"oracle_n": 1' in (tmp_path / "found.json").read_text(encoding="utf-8")
