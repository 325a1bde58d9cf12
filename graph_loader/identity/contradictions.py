"""What speaks against two records being one thing, stronger than any evidence but the same identifier."""

from __future__ import annotations

from biomolkg.identifiers import by_namespace
from graph_loader.identity.known import is_class
from graph_loader.identity.names import identity_key, identity_keys, names_of_parts
from graph_loader.identity.structure import isotopes_differ
from graph_loader.identity.things import FLAT, Thing

STRUCTURE = "another structure"


def contradiction(one: Thing, other: Thing, *, tautomer: bool = False) -> str:
    """Why two things are not one, empty where nothing says so.

    `tautomer`: their structures are known to differ by tautomery alone.
    """
    theirs = by_namespace(other.identifiers)
    for namespace, mine in by_namespace(one.identifiers).items():
        if namespace in theirs and mine.isdisjoint(theirs[namespace]):
            return f"another identifier of {namespace}"
    if one.taxon and other.taxon and one.taxon != other.taxon:
        return "another species"
    if one.sort != "small":
        return ""
    return _of_small(one, other, tautomer=tautomer)


def _of_small(one: Thing, other: Thing, *, tautomer: bool) -> str:
    if _is_combination(one, other) or _is_combination(other, one):
        return "a combination product and its ingredient"
    if is_class(one.id) or is_class(other.id):
        return "a class and one of its members"
    return "" if tautomer else _structures(one, other)


def _is_combination(product: Thing, part: Thing) -> bool:
    """Whether one is a product of several drugs, and the other one of them or not known to be several."""
    if product.composition == "mixture" and part.composition not in {None, "mixture"}:
        return True
    names = identity_keys(part.all_names)
    for name in product.all_names:
        joined = names_of_parts(name)
        if joined and identity_key(name) not in names:
            met = [identity_key(one) in names for one in joined]
            if any(met) and not all(met):
                return True
    return False


def _structures(one: Thing, other: Thing) -> str:
    mine, theirs = (one.inchikeys, other.inchikeys)
    if not mine or not theirs or set(mine) & set(theirs):
        return ""
    pairs = [
        (first, second)
        for first in (*mine, *one.parents)
        for second in (*theirs, *other.parents)
        if first[:14] == second[:14]
    ]
    if not pairs:
        return STRUCTURE
    if all(_stereo_differs(first, second) for first, second in pairs):
        return "other stereo or isotopes"
    layers = all(first[15:25] != second[15:25] for first, second in pairs)
    return "other isotopes" if layers and isotopes_differ(one.smiles, other.smiles) else ""


def _stereo_differs(first: str, second: str) -> bool:
    """Whether two InChIKeys both state stereo or isotopes, and not the same."""
    return FLAT not in (first[15:25], second[15:25]) and first[15:25] != second[15:25]
