"""Drawings of molecules: well-formed, the fragment highlighted and nothing else, hostile input refused."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from biomolkg.errors import InvalidMolecule, InvalidRequest
from retrievers.depiction import draw_molecule

CELECOXIB = "CC1=CC=C(C=C1)C2=CC(=NN2C3=CC=C(C=C3)S(=O)(=O)N)C(F)(F)F"
COLOUR = "#FFCC59"


def highlighted(svg: str) -> set[int]:
    """Atoms whose ellipse or bond has the colour of the highlight."""
    root = etree.fromstring(svg.encode(), etree.XMLParser(resolve_entities=False))
    classes = [
        element.get("class", "") for element in root.iter() if COLOUR in (element.get("style") or "").upper()
    ]
    return {int(atom) for name in classes for atom in re.findall(r"atom-(\d+)", name)}


def test_a_drawing_is_an_svg_of_the_size_asked_for() -> None:
    root = etree.fromstring(draw_molecule(CELECOXIB, width=250, height=120).encode())
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert (root.get("width"), root.get("height")) == ("250px", "120px")
    assert draw_molecule(CELECOXIB) == draw_molecule(CELECOXIB)
    assert highlighted(draw_molecule(CELECOXIB)) == set()


def test_the_fragment_alone_is_highlighted() -> None:
    assert highlighted(draw_molecule(CELECOXIB, highlight="sulfonamide")) == {18, 19, 20, 21}
    assert highlighted(draw_molecule(CELECOXIB, highlight="C(F)(F)F")) == {22, 23, 24, 25}
    assert highlighted(draw_molecule(CELECOXIB, highlight="pyrazole")) == {7, 8, 9, 10, 11}
    assert highlighted(draw_molecule(CELECOXIB, highlight="benzene ring")) == {*range(1, 7), *range(12, 18)}
    assert highlighted(draw_molecule("[Na+].[Cl-]", highlight="[Na+]")) == {0}
    assert draw_molecule(CELECOXIB, highlight="purine") == draw_molecule(CELECOXIB)


@pytest.mark.parametrize(
    ("smiles", "highlight"),
    [
        ("", None),
        ("C" * 2_001, None),
        ("C" * 501, None),
        ("c1cccc1", None),
        ("CCO <script>", None),
        (CELECOXIB, ""),
        (CELECOXIB, "not a group"),
        (CELECOXIB, "C" * 401),
        (CELECOXIB, "[$([$([$([$(C)])])])]"),
    ],
)
def test_what_cannot_be_drawn_is_refused(smiles: str, highlight: str | None) -> None:
    with pytest.raises(InvalidMolecule):
        draw_molecule(smiles, highlight=highlight)


@pytest.mark.parametrize("size", [{"width": 49}, {"height": 2_001}, {"width": -1}, {"height": 0}])
def test_sizes_are_bounded(size: dict[str, int]) -> None:
    with pytest.raises(InvalidRequest) as caught:
        draw_molecule("CCO", **size)
    assert caught.value.field in size


@pytest.mark.parametrize(
    "smiles", ["C" * 500, "C1" + "C" * 400 + "1", "[Na+].[Cl-]", "*", "[2H]C", "N#N", "[Gd+3]"]
)
def test_odd_molecules_can_be_drawn(smiles: str) -> None:
    etree.fromstring(draw_molecule(smiles, highlight="[#6]").encode())


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="CNOcno123()[]=#+-@/\\.*:$<>&'\"%Hl ", max_size=40))
def test_any_text_is_drawn_or_refused(text: str) -> None:
    try:
        svg = draw_molecule(text)
    except InvalidMolecule:
        return
    root = etree.fromstring(svg.encode())
    assert {etree.QName(element).localname for element in root.iter(tag=etree.Element)} <= {
        "svg", "rect", "path", "ellipse", "text", "tspan"
    }  # fmt: skip
