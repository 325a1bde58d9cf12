"""What the structures of drugs say, remembered between runs, and how the graph keeps it.

Describing a few hundred structures takes seconds, most of them for the groups of
the vocabulary, so what was found is kept in a file under the home, under a key
that changes with the vocabulary, the code that applies it, and RDKit.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import structlog
from pydantic import TypeAdapter, ValidationError
from rdkit import __version__ as rdkit_version

from biomolkg.errors import InvalidMolecule
from biomolkg.molecules import group_vocabulary
from biomolkg.settings import Settings
from graph_loader.chemistry import MoleculeDescription, describe_molecule

_log = structlog.get_logger(__name__)
_FORM = TypeAdapter(dict[str, MoleculeDescription])
_CODE = (
    ("biomolkg", "groups.tsv"),
    ("biomolkg", "molecules.py"),
    ("biomolkg", "fingerprints.py"),
    ("graph_loader", "chemistry.py"),
)


class Structures:
    """Structures by SMILES, remembered between runs."""

    def __init__(self, settings: Settings) -> None:
        self.max_chars = settings.max_smiles_chars
        self._file = settings.home / "cache" / f"structures-{_key()}.json"
        self._known = _read(self._file)
        self._grown = False

    def of(self, smiles: str) -> MoleculeDescription:
        """What the SMILES says. Raises InvalidMolecule when it cannot be read."""
        known = self._known.get(smiles)
        if known is None:
            known = self._known[smiles] = describe_molecule(smiles, max_chars=self.max_chars)
            self._grown = True
        elif len(smiles) > self.max_chars:
            raise InvalidMolecule(f"The SMILES has {len(smiles)} characters, more than {self.max_chars}.")
        return known

    def keep(self) -> None:
        """Write what is new to the file; a folder that cannot be written costs time later, nothing else."""
        if not self._grown:
            return
        scratch = self._file.with_suffix(f".{os.getpid()}.tmp")
        try:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            scratch.write_bytes(_FORM.dump_json(self._known))
            scratch.replace(self._file)
        except OSError as error:
            _log.warning("structures_not_kept", path=str(self._file), reason=str(error))
        self._grown = False


def structure_properties(smiles: str | None, structure: MoleculeDescription | None) -> dict[str, Any]:
    """The properties of a node with this structure, all of them None without one.

    `smiles` is as the source writes it. Where no structure follows from it, the
    node has none: what reads it back need not fear a SMILES that cannot be read.
    """
    found = structure
    return {
        "smiles": None if found is None else smiles,
        "canonical_smiles": None if found is None else found.smiles,
        "inchikey": None if found is None else found.inchikey or None,
        "formula": None if found is None else found.formula,
        "weight": None if found is None else found.weight,
        "charge": None if found is None else found.charge,
        "logp": None if found is None else found.logp,
        "tpsa": None if found is None else found.tpsa,
        "scaffold": None if found is None else found.scaffold or None,
        "composition": None if found is None else found.composition,
        "composition_note": None if found is None else found.note or None,
        "parent_smiles": None if found is None else found.parent_smiles,
        "fingerprint": None if found is None else found.fingerprint,
        "groups": [] if found is None else [name for name, _ in found.groups],
        "group_counts": [] if found is None else [count for _, count in found.groups],
    }


def group_kinds() -> Mapping[str, str]:
    """The kind (`group`, `ring`, `skeleton` or `ion`) of each name of the vocabulary."""
    return {group.name: group.kind for group in group_vocabulary()}


@cache
def _key() -> str:
    digest = hashlib.sha256(rdkit_version.encode())
    for package, name in _CODE:
        digest.update((files(package) / name).read_bytes())
    return digest.hexdigest()[:16]


def _read(path: Path) -> dict[str, MoleculeDescription]:
    try:
        return _FORM.validate_json(path.read_bytes())
    except FileNotFoundError:
        return {}
    except (OSError, ValidationError) as error:
        _log.warning("structures_recomputed", path=str(path), reason=str(error))
        return {}
