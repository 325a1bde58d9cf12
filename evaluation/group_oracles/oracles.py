"""What each oracle says of a molecule: which of the terms asked for it has."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

from rdkit import Chem
from rdkit.Chem import Fragments, rdMolDescriptors

from biomolkg.errors import BioMolKGError
from biomolkg.lexicon import drugs
from biomolkg.molecules import MATCHING, parse_smarts
from evaluation.group_oracles.molecules import Molecule
from evaluation.group_oracles.opsin import opsin_queries
from evaluation.group_oracles.table import OracleName, OracleRow

CHEBI = Path("vocabularies") / "chebi.json.gz"
_ACCFG_TABLES = ("fgs_common.csv", "fgs_heterocycle.csv")

# Whether a molecule has a term; None: the oracle says nothing of this molecule.
Says = Callable[[Molecule, str], bool | None]


def has_accfg() -> bool:
    """Whether the extra `oracle` is installed."""
    return find_spec("accfg") is not None


def make_oracles(rows: Iterable[OracleRow], *, data: Path | None) -> dict[OracleName, Says]:
    """The oracles that can be asked: AccFG where it is installed, ChEBI where there is a data folder."""
    terms: dict[OracleName, set[str]] = {}
    for row in rows:
        terms.setdefault(row.oracle, set()).update(row.terms)
    oracles: dict[OracleName, Says] = {
        "opsin": _by_query(opsin_queries(terms.get("opsin", ()))),
        "rdkit": _by_fragments(),
    }
    if has_accfg():
        oracles["accfg"] = _by_query(_accfg_queries(terms.get("accfg", set())))
    if data is not None:
        oracles["chebi"] = _by_classes(data / CHEBI, terms.get("chebi", set()))
    return oracles


def _by_query(queries: Mapping[str, Chem.Mol]) -> Says:
    def says(molecule: Molecule, term: str) -> bool:
        return bool(molecule.parent.HasSubstructMatch(queries[term]))

    return says


def _by_fragments() -> Says:
    def says(molecule: Molecule, term: str) -> bool:
        counter = getattr(Fragments, term, None) or getattr(rdMolDescriptors, term)
        return int(counter(molecule.parent)) > 0

    return says


def _accfg_queries(terms: set[str]) -> dict[str, Chem.Mol]:
    """AccFG's patterns, read from its own tables; its code, which needs more packages, is not imported."""
    spec = find_spec("accfg")
    assert spec is not None
    assert spec.submodule_search_locations is not None
    folder = Path(spec.submodule_search_locations[0])
    patterns: dict[str, str] = {}
    for table in _ACCFG_TABLES:
        lines = [
            line for line in (folder / table).read_text(encoding="utf-8").splitlines() if line[:1] != "%"
        ]
        for row in csv.DictReader(lines):
            patterns[row["Functional Group"].lstrip("#").strip()] = row["SMARTS Pattern"].strip()
    unknown = terms - patterns.keys()
    if unknown:
        raise BioMolKGError(f"AccFG has no {', '.join(sorted(unknown))}.")
    return {term: parse_smarts(patterns[term]) for term in terms}


def _by_classes(path: Path, terms: set[str]) -> Says:
    """ChEBI's classes of the drugs that have a ChEBI id; it says nothing of other molecules.

    Nor does it deny a class: what nobody has entered is missing.
    """
    members = _members(path, terms)
    known = _chebi_ids()

    def says(molecule: Molecule, term: str) -> bool | None:
        ids = known.get(molecule.id)
        if not ids:
            return None
        return not members[term].isdisjoint(ids)

    return says


def _chebi_ids() -> Mapping[str, Sequence[str]]:
    return {drug.id: [xref for xref in drug.xrefs if xref.startswith("chebi:")] for drug in drugs()}


def _members(path: Path, names: set[str]) -> dict[str, set[str]]:
    """The graph drugs' ids below each named class, by `is_a` alone."""
    terms = json.loads(gzip.decompress(path.read_bytes()))
    parents = {term["id"].lower(): term.get("relations", {}).get("is_a", ()) for term in terms}
    by_name = {term["name"]: term["id"].lower() for term in terms}
    unknown = names - by_name.keys()
    if unknown:
        raise BioMolKGError(f"ChEBI has no class {', '.join(sorted(unknown))}.")
    named = {by_name[name]: name for name in names}
    members: dict[str, set[str]] = {name: set() for name in names}
    for start in {xref for xrefs in _chebi_ids().values() for xref in xrefs}:
        above, waiting = {start}, [start]
        while waiting:
            for parent in parents.get(waiting.pop(), ()):
                if parent.lower() not in above:
                    above.add(parent.lower())
                    waiting.append(parent.lower())
        for identifier in above & named.keys():
            members[named[identifier]].add(start)
    return members


def asked(oracle: Says, molecules: Sequence[Molecule], terms: Sequence[str]) -> tuple[set[str], set[str]]:
    """The ids of the molecules of which the oracle speaks, and of those that have one of the terms."""
    spoken, has = set(), set()
    with MATCHING:
        for molecule in molecules:
            answers = [oracle(molecule, term) for term in terms]
            if any(answer is not None for answer in answers):
                spoken.add(molecule.id)
            if any(answers):
                has.add(molecule.id)
    return spoken, has
