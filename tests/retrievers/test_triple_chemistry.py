import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from biomolkg.molecules import parse_smiles
from retrievers.triple.fragments import ISOMER, Structures
from retrievers.triple.opsin import Opsin
from retrievers.triple.phrases import find_phrases, spellings
from retrievers.triple.words import split_words


@pytest.fixture(scope="module")
def opsin():
    reader = Opsin(cache_size=100)
    yield reader
    reader.close()


def child_of(reader):
    return reader._child.pid


def test_names_are_read_and_other_words_are_not(opsin):
    named = opsin.read(["pyridine", "benzyl", "acetic acid", "nonsense word", "the"])
    assert named["pyridine"] is not None
    assert named["benzyl"] is not None
    assert named["acetic acid"] == "C(C)(=O)O"
    assert named["nonsense word"] is None
    assert named["the"] is None


def test_lines_and_odd_characters_never_reach_the_child(opsin):
    odd = ["ethane\nbenzene", "pyridine\0", "x" * 5_000, "(" * 80, "", "β-lactam", "ethane\r\n", "🙂"]
    assert all(answer is None for answer in opsin.read(odd).values())
    assert opsin.read(["propane", "butane"]) == {"propane": "CCC", "butane": "CCCC"}


def test_a_dead_child_is_replaced(opsin):
    opsin.read(["hexane"])
    os.kill(child_of(opsin), signal.SIGKILL)
    assert opsin.read(["heptane"]) == {"heptane": "CCCCCCC"}
    assert opsin.available


def test_without_java_remembered_phrases_still_answer(tmp_path):
    reader = Opsin(cache_size=10, java=tmp_path / "absent")
    assert reader.read(["pyridine"]) == {"pyridine": None}
    assert not reader.available


def test_the_cache_is_bounded(opsin):
    reader = Opsin(cache_size=2)
    try:
        reader.read(["ethane", "propane", "butane"])
        assert len(reader._cache) == 2
    finally:
        reader.close()


def test_the_child_ends_with_a_parent_that_is_killed():
    script = (
        "import sys, time; from retrievers.triple.opsin import Opsin; o = Opsin(cache_size=9);"
        "o.read(['ethane']); print(o._child.pid, flush=True); time.sleep(60)"
    )
    root = Path(__file__).parents[2]
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, cwd=root)
    child = int(parent.stdout.readline())
    assert psutil.pid_exists(child)
    parent.kill()
    parent.communicate()
    until = time.monotonic() + 30
    while psutil.pid_exists(child) and time.monotonic() < until:
        time.sleep(0.1)
    assert not psutil.pid_exists(child)


def test_fragments_are_found_whatever_the_bond_orders_or_places():
    smiles = ["CC1CCC2=C(C1)SC(=N2)N", "c1ccc2scnc2c1", "Clc1ccc(cc1)C(=O)O", "CCO", "c1cnc2ccnn2c1"]
    structures = Structures([parse_smiles(text) for text in smiles])
    thiazole = structures.search("S1C=NC=C1")
    assert thiazole.molecules.tolist() == [0, 1]
    assert thiazole.quality.tolist() == [1, 1]
    ortho = structures.search("ClC1=C(C=CC=C1)C(=O)O")  # the para isomer has the same pieces
    assert ortho.molecules.tolist() == [2]
    assert ortho.quality.tolist() == pytest.approx([ISOMER])
    other_fusion = structures.search("N1N=CC2=C1C=NC=N2")
    assert other_fusion.molecules.tolist() == [4]
    assert other_fusion.quality.tolist() == pytest.approx([ISOMER])
    assert not len(structures.search("C").molecules)
    assert not len(structures.search("not a smiles").molecules)


def test_phrases_cover_their_words_and_know_how_many_are_meant():
    question = "Which drug has two 1,3-thiazole rings, a bis-carboxylate and a 4-chlorophenyl group?"
    words = split_words(question)
    phrases = {phrase.text: phrase for phrase in find_phrases(question, words)}
    assert phrases["1,3-thiazole rings"].count == 2
    assert phrases["carboxylate"].count == 2
    assert [words[unit].folded for unit in phrases["4-chlorophenyl"].units] == ["4", "chlorophenyl"]
    assert "rings, a bis" not in phrases
    assert {"chloro"} <= set(spellings("chlorinated"))
    assert "phosphonic acid" in set(spellings("phosphonate"))


@pytest.mark.parametrize("question", ["", "(" * 10_000, "🙂" * 4_000, "\n\r\t", "a-" * 2_000, "," * 4_000])
def test_no_question_breaks_the_phrases(question):
    words = split_words(question, limit=256)
    assert len(find_phrases(question, words)) <= 3 * 2_000


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "smiles",
    [
        "O.O.O.O.O.O.[Cl-].[Ca+2].[Cl-]",
        ".".join(["C"] * 30 + ["[Na+]"]),
        ".".join(["CC"] * 20),
        ".".join(["c1ccccc1"] * 10),
        "C" * 60,
        "CC(C)(C)C(C(C)(C)C)(C(C)(C)C)C(C)(C)C" * 3,
        "C12C3C4C1C5C2C3C45" * 6,
        "N" + "CC(=O)N" * 18,
    ],
)
def test_no_fragment_takes_long(smiles):
    proteins = "NCC(=O)" * 12 + "O"
    starburst = "C(CCCCCCCC)(CCCCCCCC)(CCCCCCCC)CCCCCCCCC(CCCCCCC)(CCCCCCC)CCCCCCCC"
    structures = Structures(
        [parse_smiles(text) for text in [proteins, starburst, "C1CC2CCC1CC2", "[Ca+2].[Cl-].[Cl-]"]]
    )
    structures.search(smiles)


def test_a_salt_is_its_parts_and_its_largest_part_is_near_it():
    smiles = ["[Ca+2].[Cl-].[Cl-]", "[Na+].[Cl-]", "CCN(CC)CCO.Cl", "CCN(CC)CCO", "CCO"]
    structures = Structures([parse_smiles(text) for text in smiles])
    hydrate = structures.search("O.O.O.O.O.O.[Cl-].[Ca+2].[Cl-]")
    assert dict(zip(hydrate.molecules.tolist(), hydrate.quality.tolist(), strict=True))[0] == 1
    assert 1 not in [
        index for index, quality in zip(hydrate.molecules, hydrate.quality, strict=True) if quality == 1
    ]
    salt = structures.search("CCN(CC)CCO.Cl")
    assert salt.molecules.tolist() == [2, 3]
    assert salt.quality.tolist() == pytest.approx([1, ISOMER])


def test_searches_at_the_same_time_leave_ctrl_c_alone():
    script = (
        "import os, signal, sys\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "from rdkit import Chem\n"
        "from retrievers.triple.fragments import Structures\n"
        "s = Structures([Chem.MolFromSmiles('C' * n + 'c1ccccc1C(=O)O') for n in range(1, 60)])\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "with ThreadPoolExecutor(4) as pool:\n"
        "    list(pool.map(s.search, ['C' * n + 'O' * (n % 3) for n in range(2, 40)] * 3))\n"
        "    list(pool.map(s._search, ['C' * n for n in range(2, 30)] * 20))\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.exit(0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "KeyboardInterrupt" in done.stderr
