"""What the structures of drugs say: formula, weight, InChIKey, functional groups and rings.

Looking for every group of the vocabulary in a few hundred structures takes
seconds, so what was found is kept in a file under the home, under a key that
changes with the vocabulary, the code that applies it, and RDKit.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import structlog
from rdkit import __version__ as rdkit_version

from biomolkg.errors import InvalidMolecule
from biomolkg.molecules import describe, find_groups, group_vocabulary, parse_smiles
from biomolkg.settings import Settings

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Structure:
    """What follows from one SMILES. `groups` is ordered by name; `weight` is in g/mol."""

    inchikey: str
    formula: str
    weight: float
    groups: tuple[tuple[str, int], ...]


class Structures:
    """Structures by SMILES, remembered between runs."""

    def __init__(self, settings: Settings) -> None:
        self._max_chars = settings.max_smiles_chars
        self._file = settings.home / "cache" / f"structures-{_key()}.json"
        self._known = _read(self._file)
        self._grown = False

    def of(self, smiles: str) -> Structure:
        """What the SMILES says. Raises InvalidMolecule when it cannot be read."""
        known = self._known.get(smiles)
        if known is None:
            molecule = parse_smiles(smiles, max_chars=self._max_chars)
            said = describe(molecule)
            groups = tuple(sorted(find_groups(molecule).items()))
            known = self._known[smiles] = Structure(said.inchikey, said.formula, said.weight, groups)
            self._grown = True
        elif len(smiles) > self._max_chars:
            raise InvalidMolecule(f"The SMILES has {len(smiles)} characters, more than {self._max_chars}.")
        return known

    def keep(self) -> None:
        """Write what is new to the file; a folder that cannot be written costs time later, nothing else."""
        if not self._grown:
            return
        rows = {
            smiles: [found.inchikey, found.formula, found.weight, found.groups]
            for smiles, found in self._known.items()
        }
        scratch = self._file.with_suffix(f".{os.getpid()}.tmp")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            scratch.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
            scratch.replace(self._file)
        except OSError as error:
            _log.warning("structures_not_kept", path=str(self._file), reason=str(error))
        self._grown = False


@cache
def _key() -> str:
    digest = hashlib.sha256(rdkit_version.encode())
    for name in ("groups.tsv", "molecules.py"):
        digest.update((files("biomolkg") / name).read_bytes())
    return digest.hexdigest()[:16]


def _read(path: Path) -> dict[str, Structure]:
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {smiles: _structure(row) for smiles, row in rows.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError) as error:
        _log.warning("structures_recomputed", path=str(path), reason=str(error))
        return {}


def _structure(row: list[object]) -> Structure:
    inchikey, formula, weight, groups = row
    if not (isinstance(inchikey, str) and isinstance(formula, str) and isinstance(weight, float)):
        raise TypeError(f"not a structure: {row}")
    if not isinstance(groups, list) or not all(_is_count(pair) for pair in groups):
        raise TypeError(f"not counts of groups: {groups}")
    return Structure(inchikey, formula, weight, tuple((name, count) for name, count in groups))


def _is_count(pair: object) -> bool:
    return isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and isinstance(pair[1], int)


def group_kinds() -> Mapping[str, str]:
    """The kind (`group`, `ring` or `skeleton`) of each name of the vocabulary."""
    return {group.name: group.kind for group in group_vocabulary()}
