"""Classes of drugs: ChEBI's roles and structural classes, put right where a pharmacist would.

A role of a drug is a role of one of its ChEBI ids, of a neighbour that is the same
medicine (enantiomer, tautomer, conjugate, racemate), or of a structural class above
these. Only direct facts are written; what is above a class is in its `parents`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from biomolkg.names import name_key
from graph_loader.vocabulary.build.drugs import Compound
from graph_loader.vocabulary.build.reviewed import reviewed
from graph_loader.vocabulary.build.sources import Chebi, Mesh

_FEWEST, _MOST = 2, 150  # drugs of a structural class that says something
_ROLE = "chebi:50906"
_SAYS_LITTLE = re.compile(r"^EC [\d.]*\*|molecular entity$|metabolite$|cyclic compound$")
_CODED = re.compile(r"EC [\d.*-]+ [(\[](.*)[)\]] (inhibitor|activator)")
_NOUN = re.compile(
    r"(anti\w+( \w+)?|non-narcotic analgesic|vasodilator|vasoconstrictor|bronchodilator|anxiolytic"
    r"|cardiotonic|sympatholytic|sympathomimetic|uricosuric|keratolytic|mydriatic|nootropic|contraceptive"
    r"|female contraceptive|anthelminthic|parasympatholytic|chemotherapeutic) (agent|drug)"
)


@dataclass(slots=True)
class Membership:
    """Why a drug is in a class."""

    relation: str
    via: str
    source: str


@dataclass(slots=True)
class Classes:
    """Classes with their parents and direct members, while they are built."""

    names: dict[str, str] = field(default_factory=dict)
    parents: dict[str, list[str]] = field(default_factory=dict)
    hidden: set[str] = field(default_factory=set)
    facts: dict[tuple[str, str], Membership] = field(default_factory=dict)
    said: list[tuple[str, str, str]] = field(default_factory=list)
    corrections: list[tuple[str, str, str, str, str]] = field(default_factory=list)

    def above(self, one: str) -> list[str]:
        """The class and all classes above it."""
        found = [one]
        known = {one}
        for at in found:  # grows while it is read
            new = [other for other in self.parents.get(at, ()) if other not in known]
            known.update(new)
            found += new
        return found

    def members(self, one: str) -> set[str]:
        """The drugs of a class, directly or through a class below it."""
        return {drug for drug, other in self.facts if one in self.above(other)}


def build_classes(drugs: list[Compound], chebi: Chebi, mesh: Iterable[Mesh]) -> Classes:
    """All classes of the drugs, after review."""
    classes = Classes()
    for drug in drugs:
        carriers = _carriers(drug, chebi)
        for carrier in dict.fromkeys(up for one in carriers for up in chebi.above(one)):
            for role in chebi.targets(carrier, "has_role"):
                classes.facts.setdefault((drug.id, role), Membership("has role", carrier, "ChEBI"))
    for role in {role for _, role in classes.facts}:
        for one in chebi.above(role):
            classes.names[one] = chebi.names[one]
            classes.parents[one] = chebi.targets(one, "is_a")
    _add_structural(classes, drugs, chebi)
    hidden = {row["name"] for row in reviewed("hidden_classes")}
    classes.hidden = {
        one for one, name in classes.names.items() if name in hidden or _SAYS_LITTLE.search(name)
    }
    _review(classes, drugs, chebi)
    classes.said = sorted(set(_names(classes, mesh)))
    return classes


def _carriers(drug: Compound, chebi: Chebi) -> list[str]:
    return list(
        dict.fromkeys([*drug.chebi, *(near for one in drug.chebi for near in chebi.same_compound(one))])
    )


def _add_structural(classes: Classes, drugs: list[Compound], chebi: Chebi) -> None:
    above: dict[str, dict[str, str]] = {}
    holders: dict[str, set[str]] = defaultdict(set)
    for drug in drugs:
        found: dict[str, str] = {}
        for one in drug.chebi:
            for up in chebi.above(one)[1:]:
                found.setdefault(up, one)
        above[drug.id] = found
        for up in found:
            holders[up].add(drug.id)
    kept = {one for one, who in holders.items() if _FEWEST <= len(who) <= _MOST}
    for one in kept:
        classes.names[one] = chebi.names[one]
        classes.parents.setdefault(one, _nearest(one, kept, chebi))
    for drug in drugs:
        mine = {up: via for up, via in above[drug.id].items() if up in kept}
        covered = {far for up in mine for far in chebi.above(up)[1:]}
        for up in sorted(set(mine) - covered):
            classes.facts.setdefault((drug.id, up), Membership("is a", mine[up], "ChEBI"))


def _nearest(one: str, kept: set[str], chebi: Chebi) -> list[str]:
    """The nearest kept classes above `one`."""
    found: list[str] = []
    todo = chebi.targets(one, "is_a")
    known = set(todo)
    for at in todo:  # grows while it is read
        if at in kept:
            found.append(at)
        else:
            new = [other for other in chebi.targets(at, "is_a") if other not in known]
            known.update(new)
            todo += new
    covered = {far for at in found for far in chebi.above(at)[1:]}
    return [at for at in found if at not in covered]


def _review(classes: Classes, drugs: list[Compound], chebi: Chebi) -> None:
    """Make the members of each reviewed class what the list says, and note what that changed.

    A list is closed: exactly these drugs, `-` alone for none. Where its items begin with
    `+` or `-`, they are added to what ChEBI says or taken from it.
    """
    by_name = {name_key(drug.preferred): drug.id for drug in drugs}
    name_of = {drug.id: drug.preferred for drug in drugs}
    rows = reviewed("classes")
    for row in rows:
        _declare(classes, row, chebi)
    closed: dict[str, set[str]] = {}
    for row in rows:
        members = classes.members(row["id"])
        items = [item for item in row["members"].split("|") if item]
        if not items:
            continue
        listed = {by_name[name_key(item.lstrip("+-"))] for item in items if item != "-"}
        if all(item[0] in "+-" for item in items) and items != ["-"]:
            taken = {by_name[name_key(item[1:])] for item in items if item[0] == "-"}
            listed = (members | listed) - taken
        else:
            closed[row["id"]] = listed
        _settle(classes, row, listed, name_of, chebi)
    differing = {
        classes.names[one]: sorted(name_of[drug] for drug in stray)
        for one, listed in closed.items()
        if (stray := classes.members(one) ^ listed)
    }
    if differing:
        raise ValueError(f"classes.tsv: these lists and those of their subclasses differ: {differing}")


def _declare(classes: Classes, row: dict[str, str], chebi: Chebi) -> None:
    one = row["id"]
    if one in chebi.names and one not in classes.names:
        for up in chebi.above(one) if _is_role(one, chebi) else [one]:
            classes.names.setdefault(up, chebi.names[up])
            classes.parents.setdefault(up, chebi.targets(up, "is_a") if _is_role(one, chebi) else [])
    classes.names[one] = row["name"] or classes.names[one]
    classes.hidden.discard(one)
    parents = [parent for parent in row["parents"].split("|") if parent]
    classes.parents[one] = list(dict.fromkeys([*classes.parents.get(one, ()), *parents]))
    classes.said += [(one, name, "everyday") for name in row["names"].split("|") if name]


def _is_role(one: str, chebi: Chebi) -> bool:
    return one in chebi.names and _ROLE in chebi.above(one)


def _settle(
    classes: Classes, row: dict[str, str], listed: set[str], name_of: dict[str, str], chebi: Chebi
) -> None:
    one = row["id"]
    name = classes.names[one]
    reasons = {
        (given["class"], given["drug"]): (given["reason"], given["reference"])
        for given in reviewed("class_reasons")
    }
    for drug in sorted(classes.members(one) - listed, key=name_of.__getitem__):
        for key in [key for key in classes.facts if key[0] == drug and one in classes.above(key[1])]:
            fact = classes.facts.pop(key)
            if fact.relation == "is a":  # the structure stays what it is, only this name of it goes
                for up in _outside(classes, key[1], one):
                    classes.facts.setdefault((drug, up), fact)
        reason, reference = reasons.get((name, name_of[drug]), (row["against"], ""))
        classes.corrections.append((name, name_of[drug], "remove", reason, reference))
    for drug in sorted(listed - classes.members(one), key=name_of.__getitem__):
        classes.facts[drug, one] = Membership("has role" if _is_role(one, chebi) else "is a", "", "reviewed")
        if one.startswith("chebi:"):
            reason, reference = reasons.get((name, name_of[drug]), (row["basis"], ""))
            classes.corrections.append((name, name_of[drug], "add", reason, reference))


def _outside(classes: Classes, direct: str, one: str) -> list[str]:
    """The nearest classes above `direct` that are not in the class `one`."""
    found = []
    for parent in classes.parents.get(direct, ()):
        if one in classes.above(parent):
            found += _outside(classes, parent, one)
        else:
            found.append(parent)
    return found


def _names(classes: Classes, mesh: Iterable[Mesh]) -> Iterator[tuple[str, str, str]]:
    actions = [term for term in mesh if any(tree.startswith("D27") for tree in term.trees)]
    by_key = {name_key(name): term for term in actions for name in term.names}
    by_id = {f"mesh:{term.id}": term for term in actions}
    taken: set[str] = set()
    rows = [row for row in classes.said if row[0] not in classes.hidden]
    for one, name in classes.names.items():
        if one in classes.hidden:
            continue
        source = "ChEBI" if one.startswith("chebi:") else "reviewed"
        rows += [(one, said, source) for said in _variants(name)]
        for term in {
            id(t): t for t in (by_key.get(name_key(v)) for v in (*_variants(name), f"{name}s")) if t
        }.values():
            rows += [(one, said, "MeSH") for said in _plain(term)]
        if one in by_id:
            rows += [(one, said, "MeSH") for said in _plain(by_id[one])]
    rows += [(one, _american(said), source) for one, said, source in rows if _american(said) != said]
    order = {"everyday": 0, "ChEBI": 1, "reviewed": 1, "MeSH": 2}
    for one, said, source in sorted(rows, key=lambda row: (order[row[2]], row)):
        key = name_key(said)
        if key not in taken:
            taken.add(key)
            yield one, said, source


def _american(name: str) -> str:
    return name.replace("naesth", "nesth").replace("oestro", "estro").replace("haem", "hem")


def _variants(name: str) -> list[str]:
    found = [name]
    coded = _CODED.fullmatch(name)
    if coded:
        found += [f"{part.strip()} {coded[2]}" for part in re.split(r" or ", coded[1]) if len(part) > 3]
    if name.endswith((" agent", " drug")):
        stem, noun = name.rsplit(" ", 1)
        found.append(f"{stem} {'drug' if noun == 'agent' else 'agent'}")
        if _NOUN.fullmatch(name):
            found.append(stem)
    found += [bare for bare in [re.sub(r" \(role\)$", "", name)] if bare != name]
    return found


def _plain(term: Mesh) -> Iterator[str]:
    for name in term.names:
        if ", " not in name:
            yield name
