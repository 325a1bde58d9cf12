"""Drawings of molecules as SVG, with a fragment highlighted on request."""

from __future__ import annotations

import re

from rdkit import Chem
from rdkit.Chem import rdDepictor
from rdkit.Chem.Draw import rdMolDraw2D

from biomolkg.errors import InvalidMolecule, InvalidRequest
from biomolkg.molecules import MAX_SMILES_CHARS, parse_smiles, silent_rdkit
from retrievers.patterns import MAX_SMARTS_CHARS, SUBSTRUCTURE_SECONDS, Deadline, read_pattern

MIN_SIZE, MAX_SIZE = 50, 2_000
_MAX_ATOMS = 500
_DECLARATION = re.compile(r"^\s*<\?xml[^>]*\?>\s*")
_HIGHLIGHT = (1.0, 0.80, 0.35)


def draw_molecule(
    smiles: str,
    *,
    highlight: str | None = None,
    width: int = 400,
    height: int = 300,
    max_chars: int = MAX_SMILES_CHARS,
    max_smarts_chars: int = MAX_SMARTS_CHARS,
    seconds: float = SUBSTRUCTURE_SECONDS,
) -> str:
    """The SVG of one molecule, `width` × `height` pixels, each place of `highlight` coloured.

    `highlight` is the name of a group (`sulfonamide`) or a SMARTS; one that the
    molecule does not have changes nothing. The background is transparent, and the
    SVG holds no text of the caller. Raises InvalidMolecule when the SMILES or the
    pattern cannot be read or is too large, InvalidRequest for a size outside of
    50–2,000, RequestTimeout when the pattern is not found or refuted in `seconds`.
    """
    for field, size in (("width", width), ("height", height)):
        if not MIN_SIZE <= size <= MAX_SIZE:
            raise InvalidRequest(
                f"The {field} of {size} pixels is not between {MIN_SIZE} and {MAX_SIZE}.", field=field
            )
    molecule = parse_smiles(smiles, max_chars=max_chars)
    if molecule.GetNumAtoms() > _MAX_ATOMS:
        raise InvalidMolecule(
            f"The molecule has {molecule.GetNumAtoms()} atoms, more than the {_MAX_ATOMS} that can be drawn.",
            remedy="Draw a part of it.",
        )
    atoms: list[int] = []
    bonds: list[int] = []
    if highlight is not None:
        pattern = read_pattern(highlight, max_chars=max_smarts_chars)
        for place in Deadline(seconds).places(molecule, pattern):
            atoms += place
            bonds += _bonds(molecule, pattern.query, place)
    return _draw(molecule, sorted(set(atoms)), sorted(set(bonds)), width, height)


def _bonds(molecule: Chem.Mol, query: Chem.Mol, place: tuple[int, ...]) -> list[int]:
    """The bonds of `molecule` that those of `query` lie on; others between its atoms are not the fragment."""
    pairs = ((place[bond.GetBeginAtomIdx()], place[bond.GetEndAtomIdx()]) for bond in query.GetBonds())
    return [molecule.GetBondBetweenAtoms(*pair).GetIdx() for pair in pairs]


def _draw(molecule: Chem.Mol, atoms: list[int], bonds: list[int], width: int, height: int) -> str:
    canvas = rdMolDraw2D.MolDraw2DSVG(width, height)
    options = canvas.drawOptions()
    options.clearBackground = False  # type: ignore[assignment]
    options.fillHighlights = True  # type: ignore[assignment]
    options.setHighlightColour(_HIGHLIGHT)
    with silent_rdkit():
        rdDepictor.Compute2DCoords(molecule)
        rdMolDraw2D.PrepareAndDrawMolecule(canvas, molecule, highlightAtoms=atoms, highlightBonds=bonds)
    canvas.FinishDrawing()
    # Without the XML declaration, which names an encoding that the service does not use.
    return _DECLARATION.sub("", str(canvas.GetDrawingText()))
