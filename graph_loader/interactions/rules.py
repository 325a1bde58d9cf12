"""Proposes molecular edges for a pair of drugs from the features of their structures.

A score says how well the two molecules complement each other in one category,
from the strengths of the features on both sides. The weights between categories
were chosen on one half of the published edges; docs/molecular-edges.md has the
agreement with the other half. No shapes are docked: the rules say what could
form a contact, not that it forms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from biomolkg.molecules import MAX_SMILES_CHARS
from graph_loader.interactions.categories import Category
from graph_loader.interactions.edges import Proposal, Proposals, Role, Severity, Site
from graph_loader.interactions.features import Feature, Features, features_of

_SITES_SHOWN = 3
# Below its least score a category is not proposed.
_LEAST = {
    Category.HYDROGEN_BONDING: 0.15,
    Category.STACKING: 0.15,
    Category.STERIC: 0.3,
    Category.IONIC: 0.1,
    Category.ELECTROSTATIC: 0.1,
}
_DONOR: Role = "hydrogen bond donor"
_ACCEPTOR: Role = "hydrogen bond acceptor"
_RING: Role = "aromatic ring"


def propose(first: str, second: str, *, max_chars: int = MAX_SMILES_CHARS) -> Proposals:
    """What could happen between the molecules of two SMILES, the main category first.

    Deterministic, and the same with the sides exchanged. Raises InvalidMolecule,
    as `parse_smiles` does.
    """
    one, other = features_of(first, max_chars=max_chars), features_of(second, max_chars=max_chars)
    found = [
        proposal
        for rule in (_hydrogen_bonding, _stacking, _ionic, _electrostatic, _steric)
        for proposal in rule(one, other)
        if proposal.score >= _LEAST[proposal.category]
    ]
    order = list(Category)
    found.sort(key=lambda it: (-it.score, order.index(it.category)))
    return Proposals(proposals=tuple(found))


def _hydrogen_bonding(one: Features, other: Features) -> Iterator[Proposal]:
    forth, back = _bonding(one, other), _bonding(other, one)
    score = max(forth, back)
    if not score:
        return
    both = min(forth, back) >= 0.3
    # The better direction first; the other one is shown when it counts.
    forward = _goes(forth, back, one, other)
    first = _sites(one, *((_DONOR, _ACCEPTOR) if both else ((_DONOR,) if forward else (_ACCEPTOR,))))
    second = _sites(other, *((_ACCEPTOR, _DONOR) if both else ((_ACCEPTOR,) if forward else (_DONOR,))))
    giver, taker = (one, other) if forward else (other, one)
    donor, acceptor = giver.of(_DONOR)[0].site.group, taker.of(_ACCEPTOR)[0].site.group
    side = ("first", "second") if forward else ("second", "first")
    mechanism = (
        f"The {donor} of the {side[0]} molecule can share its hydrogen with a lone pair of the {acceptor} "
        f"of the {side[1]}."
    )
    if both:
        mechanism += " Hydrogen bonds in the other direction are possible as well."
    severity: Severity = "high" if min(forth, back) >= 0.75 else "moderate" if score >= 0.4 else "low"
    reason = {
        "high": "Both molecules give and accept hydrogen bonds well, so that a cooperative contact can form.",
        "moderate": "At least one good donor meets a good acceptor; water competes for both.",
        "low": "The donor or the acceptor is weak, so that water will mostly take its place.",
    }[severity]
    yield _proposal(Category.HYDROGEN_BONDING, mechanism, first, second, severity, reason, score)


def _bonding(giver: Features, taker: Features) -> float:
    return _saturated(1.2 * giver.total(_DONOR)) * _saturated(taker.total(_ACCEPTOR))


def _stacking(one: Features, other: Features) -> Iterator[Proposal]:
    rings = one.of(_RING), other.of(_RING)
    if not all(rings):
        return
    areas = _saturated(one.total(_RING) / 2) * _saturated(other.total(_RING) / 2)
    score = 1.56 * math.sqrt(areas * one.aromatic_share * other.aromatic_share)
    left, right = rings[0][0], rings[1][0]
    mechanism = (
        f"The {left.site.group} of the first molecule and the {right.site.group} of the second are flat and "
        "aromatic; their π clouds can lie over each other, offset or edge to face."
    )
    large = min(left.strength, right.strength)
    severity: Severity = "high" if large >= 0.8 else "moderate" if large >= 0.5 else "low"
    reason = {
        "high": "Both aromatic systems are of two or more fused rings, with a large surface of contact.",
        "moderate": "Whole aromatic rings face each other, at a few kilojoules per mole a pair of rings.",
        "low": "At least one of the aromatic rings is small, and so is the surface of contact.",
    }[severity]
    yield _proposal(
        Category.STACKING, mechanism, _sites(one, _RING), _sites(other, _RING), severity, reason, score
    )


def _ionic(one: Features, other: Features) -> Iterator[Proposal]:
    score, here, there = _oriented(one, other, "cation", "anion")
    if not score:
        return
    first, second = one.of(here)[0], other.of(there)[0]
    mechanism = (
        f"The {first.site.group} of the first molecule ({here}) and the {second.site.group} of the second "
        f"({there}) carry opposite charges at the pH of blood and attract each other."
    )
    severity: Severity = "high" if score >= 0.65 else "moderate" if score >= 0.3 else "low"
    reason = {
        "high": "A charge that no pH takes away meets an ionised group; such pairs can precipitate.",
        "moderate": "Both groups are mostly ionised at the pH of blood; salts in it screen the attraction.",
        "low": "Only a part of the molecules is ionised at the pH of blood.",
    }[severity]
    yield _proposal(
        Category.IONIC, mechanism, _sites(one, here), _sites(other, there), severity, reason, 0.6 * score
    )


_CONTACTS: tuple[tuple[Role, Role], ...] = (("cation", _RING), ("cation", "dipole"), ("dipole", "dipole"))


def _electrostatic(one: Features, other: Features) -> Iterator[Proposal]:
    score, here, there = max(
        (_oriented(one, other, *roles) for roles in _CONTACTS), key=lambda contact: contact[0]
    )
    if not score:
        return
    first, second = one.of(here)[0], other.of(there)[0]
    if _RING in {here, there}:
        how = "a positive charge can rest on the negative face of a π system (cation-π)"
    elif "cation" in {here, there}:
        how = "a positive charge can turn towards the negative end of a dipole"
    else:
        how = "two strong dipoles can align with opposite ends together"
    mechanism = (
        f"Between the {first.site.group} of the first molecule and the {second.site.group} of the second, "
        f"{how}."
    )
    severity: Severity = "moderate" if score >= 0.5 else "low"
    reason = {
        "moderate": "The charge is permanent or the partner large, which outlasts the screening by water.",
        "low": "The charge is partial or partly there, and water screens it.",
    }[severity]
    yield _proposal(
        Category.ELECTROSTATIC,
        mechanism,
        _sites(one, here),
        _sites(other, there),
        severity,
        reason,
        0.36 * score,
    )


def _steric(one: Features, other: Features) -> Iterator[Proposal]:
    if not one.of("bulk") or not other.of("bulk"):
        return
    bulks = sorted((_saturated(one.total("bulk")), _saturated(other.total("bulk"))))
    score = 0.5 * bulks[1] + 0.3 * bulks[0]
    first, second = one.of("bulk")[0], other.of("bulk")[0]
    mechanism = (
        f"The {first.site.group} of the first molecule and the {second.site.group} of the second are "
        "rigid and cannot give way where both come close, so that they keep each other out."
    )
    severity: Severity = "moderate" if bulks[0] >= 0.4 else "low"
    reason = {
        "moderate": "Both molecules are bulky in three dimensions.",
        "low": "One of the molecules is slim and can mostly evade the other.",
    }[severity]
    yield _proposal(
        Category.STERIC, mechanism, _sites(one, "bulk"), _sites(other, "bulk"), severity, reason, score
    )


def _oriented(one: Features, other: Features, here: Role, there: Role) -> tuple[float, Role, Role]:
    """The score of two roles that meet, with the role of each side, the better way round."""
    forth = _best(one, here) * _best(other, there)
    back = _best(one, there) * _best(other, here)
    return (forth, here, there) if _goes(forth, back, one, other) else (back, there, here)


def _goes(forth: float, back: float, one: Features, other: Features) -> bool:
    """Whether a contact goes from `one` to `other`; of equal ones the structures decide, not their order."""
    return forth > back or (forth == back and one.smiles <= other.smiles)


def _saturated(total: float) -> float:
    """From 0 to 1: the second feature of a kind adds less than the first."""
    return 1 - math.exp(-total)


def _best(features: Features, role: Role) -> float:
    return features.of(role)[0].strength if features.of(role) else 0.0


def _sites(features: Features, *roles: Role) -> tuple[Site, ...]:
    shown: list[Feature] = [feature for role in roles for feature in features.of(role)[:_SITES_SHOWN]]
    return tuple(feature.site for feature in shown)


def _proposal(
    category: Category,
    mechanism: str,
    first: tuple[Site, ...],
    second: tuple[Site, ...],
    severity: Severity,
    reason: str,
    score: float,
) -> Proposal:
    return Proposal(
        category=category,
        mechanism=mechanism,
        first=first,
        second=second,
        severity=severity,
        reason=reason,
        score=round(min(score, 1.0), 4),
    )
