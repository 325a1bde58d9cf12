"""Where a molecule can interact: donors, acceptors, aromatic systems, charges, dipoles and bulk.

The strengths follow the order of hydrogen bond acidity and basicity that Abraham
measured (Chem. Soc. Rev. 22 (1993) 73), in four coarse steps, at a pH of 7.4.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rdkit import Chem

from biomolkg.molecules import MATCHING, MAX_SMILES_CHARS, group_atoms, parse_smarts, parse_smiles
from graph_loader.interactions.edges import Role, Site

_GENERIC_RINGS = frozenset(("aromatic ring", "aromatic heterocycle", "fused aromatic bicycle", "carbocycle"))
_GENERIC_ENDINGS = (
    "heterocycle",
    "membered ring",
    "bicyclic aromatic heterocycle",
    "ring system",
    "tricyclic ring",
)

# Nitrogens whose lone pair is not drawn away by a neighbour.
_BASIC_IMINE = "NX2;!$(*[#7,S,C]=[O,S]);!$(*C#N);!$(*-[O,N])"
_BASIC_AMINE = "NX3;+0;!$(N[C,S,P]=[O,S,N]);!$(N-a);!$(N[#7,O]);!$(N-C=C);!$(N-C#N)"

# Role, name, SMARTS, strength. An atom counts once in a role, by the first line that matches it; the
# atom that the role is about is the first of the SMARTS, and the atoms shown are all that it matches.
_LINES: tuple[tuple[Role, str, str, float], ...] = (
    ("hydrogen bond donor", "carboxylic acid O–H", "[OX2;H1]C=O", 0.4),
    ("hydrogen bond donor", "phosphorus or sulfur acid O–H", "[OX2;H1][P,S]=O", 0.9),
    ("hydrogen bond donor", "phenol O–H", "[OX2;H1]c", 1.0),
    ("hydrogen bond donor", "alcohol O–H", "[OX2;H1][CX4]", 1.0),
    ("hydrogen bond donor", "hydroxyl O–H", "[OX2;H1,H2]", 0.8),
    ("hydrogen bond donor", "ammonium N–H", "[#7;+;!H0]", 0.9),
    ("hydrogen bond donor", "guanidine or amidine N–H", "[NX3;!H0][CX3]=[NX2,NX3+]", 1.0),
    ("hydrogen bond donor", "urea or carbamate N–H", "[NX3;!H0]C(=[O,S])[N,O]", 0.9),
    ("hydrogen bond donor", "amide N–H", "[NX3;!H0]C=[O,S]", 0.9),
    ("hydrogen bond donor", "sulfonamide N–H", "[NX3;!H0]S(=O)=O", 0.9),
    ("hydrogen bond donor", "aromatic amine N–H", "[NX3;!H0]c", 0.7),
    ("hydrogen bond donor", "aliphatic amine N–H", "[NX3;!H0]", 0.5),
    ("hydrogen bond donor", "ring N–H", "[nX3;H1]", 0.7),
    ("hydrogen bond donor", "N–H", "[#7;!H0]", 0.5),
    ("hydrogen bond donor", "thiol S–H", "[SX2;H1]", 0.1),
    ("hydrogen bond acceptor", "phosphoryl oxygen", "[OX1]=P", 1.0),
    ("hydrogen bond acceptor", "amide carbonyl oxygen", "[OX1]=C[#7]", 1.0),
    ("hydrogen bond acceptor", "carboxyl oxygen", "[OX1]=C[OX2H1,OX1-]", 0.9),
    ("hydrogen bond acceptor", "anionic oxygen", "[O-;!$(O[*+])]", 1.0),
    ("hydrogen bond acceptor", "ester carbonyl oxygen", "[OX1]=C[OX2]", 0.7),
    ("hydrogen bond acceptor", "ketone or aldehyde oxygen", "[OX1]=[#6]", 0.8),
    ("hydrogen bond acceptor", "sulfoxide oxygen", "[OX1]=[SX3]", 0.9),
    ("hydrogen bond acceptor", "sulfonyl oxygen", "[OX1]=S", 0.6),
    ("hydrogen bond acceptor", "N-oxide or nitro oxygen", "[OX1,O-][#7]", 0.4),
    ("hydrogen bond acceptor", "hydroxyl oxygen", "[OX2;H1]", 0.7),
    ("hydrogen bond acceptor", "ether oxygen", "[OX2;H0;!$(O[C,S,P]=O)]", 0.4),
    ("hydrogen bond acceptor", "aromatic ring nitrogen", "[nX2]", 0.7),
    ("hydrogen bond acceptor", "imine nitrogen", "[NX2]=*", 0.5),
    ("hydrogen bond acceptor", "nitrile nitrogen", "[NX1]#C", 0.5),
    ("hydrogen bond acceptor", "amine nitrogen", "[NX3;+0;!$(N[C,S]=[O,S,N]);!$(N-c);!$(N-N=O)]", 0.4),
    ("hydrogen bond acceptor", "thiocarbonyl sulfur", "[SX1]=*", 0.3),
    ("cation", "metal ion", "[+,+2,+3,+4;!#1;!#5;!#6;!#7;!#8;!#15;!#16]", 1.0),
    ("cation", "quaternary ammonium", "[NX4+;H0]", 1.0),
    ("cation", "cationic ring nitrogen", "[#7;R;+;!$(*[-]);H0]", 1.0),
    ("cation", "cation", "[+,+2,+3;!$(*[-])]", 1.0),
    ("cation", "guanidine, mostly protonated", f"[CX3](=[{_BASIC_IMINE}])([NX3])[NX3]", 0.8),
    ("cation", "amine, mostly protonated", f"[{_BASIC_AMINE}][#6]", 0.5),
    ("anion", "halide or other free anion", "[-;X0]", 1.0),
    ("anion", "sulfonic acid, ionised", "[SX4](=O)(=O)[OX2H1,OX1-]", 1.0),
    ("anion", "phosphorus acid, ionised", "[PX4](=O)[OX2H1,OX1-]", 0.9),
    ("anion", "carboxylate", "[CX3](=O)[OX1-]", 1.0),
    ("anion", "carboxylic acid, mostly ionised", "[CX3](=O)[OX2H1]", 0.7),
    ("anion", "tetrazole, mostly ionised", "c1[nH]nnn1", 0.6),
    ("anion", "tetrazole, mostly ionised", "c1nn[nH]n1", 0.6),
    ("anion", "acyl sulfonamide, mostly ionised", "[NX3;H1](S(=O)=O)C=O", 0.5),
    ("anion", "anion", "[-;!$(*[+])]", 1.0),
    ("dipole", "nitrile", "C#N", 0.6),
    ("dipole", "nitro group", "[NX3+](=O)[O-]", 0.7),
    ("dipole", "sulfoxide", "[SX3]=O", 0.7),
    ("dipole", "thiophosphoryl group", "P=S", 0.6),
    ("dipole", "phosphoryl group", "P=O", 0.6),
    ("dipole", "N-oxide", "[#7+][O-]", 0.7),
    ("dipole", "trifluoromethyl group", "C(F)(F)F", 0.4),
    ("dipole", "ketone", "[CX3](=O)([#6])[#6]", 0.4),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Feature:
    """A site and how strongly it plays its role, in (0, 1]."""

    site: Site
    strength: float


@dataclass(frozen=True, slots=True)
class Features:
    """The features of one molecule by role, the strongest first.

    `smiles` is canonical; `aromatic_share` is the share of heavy atoms in aromatic rings.
    """

    molecule: Chem.Mol
    smiles: str
    by_role: dict[Role, tuple[Feature, ...]]
    aromatic_share: float

    def of(self, role: Role) -> tuple[Feature, ...]:
        """The features of one role, the strongest first; ties by their atoms."""
        return self.by_role.get(role, ())

    def total(self, role: Role) -> float:
        """The strengths of a role added up."""
        return sum(feature.strength for feature in self.of(role))


@lru_cache(maxsize=4_096)
def features_of(smiles: str, *, max_chars: int = MAX_SMILES_CHARS) -> Features:
    """The features of the molecule that `smiles` writes. Raises InvalidMolecule, as `parse_smiles` does."""
    molecule = parse_smiles(smiles, max_chars=max_chars)
    found: dict[Role, list[Feature]] = {}
    with MATCHING:
        for feature in (*_matched(molecule), *_aromatic(molecule), *_bulk(molecule)):
            found.setdefault(feature.site.role, []).append(feature)
    by_role = {
        role: tuple(sorted(features, key=lambda it: (-it.strength, it.site.atoms)))
        for role, features in found.items()
    }
    heavy = max(molecule.GetNumHeavyAtoms(), 1)
    aromatic = sum(atom.GetIsAromatic() for atom in molecule.GetAtoms())
    return Features(molecule, Chem.MolToSmiles(molecule), by_role, aromatic / heavy)


def _matched(molecule: Chem.Mol) -> Iterator[Feature]:
    taken: set[tuple[Role, int]] = set()
    for (role, name, _, strength), query in zip(_LINES, _queries(), strict=True):
        for match in molecule.GetSubstructMatches(query, uniquify=False):
            if (role, match[0]) not in taken:
                taken.add((role, match[0]))
                yield Feature(Site(role=role, group=name, atoms=match), strength)


@lru_cache(maxsize=1)
def _queries() -> tuple[Chem.Mol, ...]:
    return tuple(parse_smarts(smarts) for _, _, smarts, _ in _LINES)


def _aromatic(molecule: Chem.Mol) -> Iterator[Feature]:
    """Each system of fused aromatic rings; one ring has the strength 0.5, a larger system more."""
    rings = [
        frozenset(ring)
        for ring in molecule.GetRingInfo().AtomRings()
        if all(molecule.GetAtomWithIdx(atom).GetIsAromatic() for atom in ring)
    ]
    if not rings:
        return
    names = _ring_names(molecule)
    for system in _fused(rings):
        atoms = tuple(sorted(system))
        strength = min(1.0, 0.5 * len(system) / 6)
        yield Feature(
            Site(role="aromatic ring", group=names.get(system, "aromatic ring"), atoms=atoms), strength
        )


def _ring_names(molecule: Chem.Mol) -> dict[frozenset[int], str]:
    """The most telling name of each set of ring atoms: the first of the vocabulary that is no generic one."""
    names: dict[frozenset[int], str] = {}
    for name, places in group_atoms(molecule, "ring").items():
        if name not in _GENERIC_RINGS and not name.endswith(_GENERIC_ENDINGS):
            for place in places:
                names.setdefault(frozenset(place), name)
    return names


def _fused(rings: Sequence[frozenset[int]]) -> list[frozenset[int]]:
    """Rings that share a bond, united."""
    systems: list[frozenset[int]] = []
    for ring in rings:
        joined = [system for system in systems if len(system & ring) >= 2]
        systems = [system for system in systems if system not in joined]
        systems.append(ring.union(*joined))
    return sorted(systems, key=min)


def _bulk(molecule: Chem.Mol) -> Iterator[Feature]:
    """Rigid parts: ring systems, by their saturated atoms, which are not flat; and quaternary carbons."""
    info = molecule.GetRingInfo()
    rings = [frozenset(ring) for ring in info.AtomRings()]
    for system in _fused(rings):
        saturated = [
            atom
            for atom in sorted(system)
            if molecule.GetAtomWithIdx(atom).GetHybridization() == Chem.HybridizationType.SP3
        ]
        if len(saturated) >= 4:
            site = Site(role="bulk", group="saturated ring system", atoms=tuple(sorted(system))[:200])
            yield Feature(site, min(1.0, len(saturated) / 14))
        else:
            yield Feature(Site(role="bulk", group="flat ring system", atoms=tuple(sorted(system))[:200]), 0.1)
    for centre, *_ in molecule.GetSubstructMatches(_quaternary()):
        atom = molecule.GetAtomWithIdx(centre)
        atoms = (centre, *sorted(neighbour.GetIdx() for neighbour in atom.GetNeighbors()))
        yield Feature(Site(role="bulk", group="quaternary carbon", atoms=atoms), 0.25)


@lru_cache(maxsize=1)
def _quaternary() -> Chem.Mol:
    return parse_smarts("[CX4;H0;!$(C(F)(F)F)]([#6])([#6])([#6])[#6]")
