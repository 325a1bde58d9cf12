"""Names of drugs and chemicals that the starter graph does not have."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from biomolkg.names import name_key
from graph_loader.sources.names import NameEntry
from graph_loader.vocabulary.build.english import english_words
from graph_loader.vocabulary.build.reviewed import reviewed
from graph_loader.vocabulary.build.sources import Mesh
from graph_loader.vocabulary.build.spelling import is_usual, kind_of, without_salt

_TREES = ("D02", "D03", "D04", "D05", "D06", "D07", "D09", "D10", "D20", "D26")
_SHORTEST = 4
_PROTEIN = re.compile(
    r"\b(receptor|kinase|enzyme|protein|factor|hormone|antigen|antibod|toxin|vaccine)", re.IGNORECASE
)


def absent_rows(
    drugcentral: Iterable[NameEntry],
    drugbank: Mapping[str, Mapping[str, list[str]]],
    mesh: list[Mesh],
    present: Iterable[str],
) -> Iterator[tuple[str, str, str]]:
    """The rows of `absent`: a name, the preferred name of what it means, and the source.

    `present` are all names that mean something in the graph; these, English words,
    systematic names, codes, and names of groups are left out.
    """
    taken = {name_key(name) for name in present}
    barred = english_words() | {name_key(row["name"]) for row in reviewed("general_words")}
    bank_names = {name_key(name) for said in drugbank.values() for name in said["NAME"]}
    things = [*_reviewed(), *_things(drugcentral, drugbank, mesh, bank_names, taken)]
    for preferred, names, source in things:
        sure = {"DrugCentral": {name_key(preferred)}, "reviewed": {name_key(name) for name in names}}.get(
            source, ()
        )
        for name in dict.fromkeys((preferred, *names)):
            for form in dict.fromkeys((name, without_salt(name))):
                key = name_key(form)
                if key in taken or len(key) < _SHORTEST or (key in barred and key not in sure):
                    continue
                if kind_of(form) == "synonym":
                    taken.add(key)
                    yield form, preferred, source


def _reviewed() -> Iterator[tuple[str, list[str], str]]:
    """Brands that the sources lack, of drugs that many people take and the graph does not have."""
    for row in reviewed("absent"):
        yield row["preferred"], row["names"].split("|"), "reviewed"


def _things(
    drugcentral: Iterable[NameEntry],
    drugbank: Mapping[str, Mapping[str, list[str]]],
    mesh: list[Mesh],
    bank_names: set[str],
    taken: set[str],
) -> Iterator[tuple[str, list[str], str]]:
    """Preferred name, other names and source of each thing that has none of the names in `taken`."""
    yield from _of_drugcentral(drugcentral, bank_names, frozenset(taken))
    known: dict[str, str] = {}
    for one in sorted(drugbank):
        for name in drugbank[one]["NAME"]:
            if is_usual(name) and not name.endswith("s"):
                yield _lower(name), [], "DrugBank"
                known[name_key(name)] = _lower(name)
    nodes = {tree for term in mesh for tree in term.trees}
    inner = {tree.rsplit(".", 1)[0] for tree in nodes if "." in tree}
    for term in sorted(mesh, key=lambda one: one.id):
        trees = [tree for tree in term.trees if tree.startswith("D")]
        leaf = trees and not any(tree in inner for tree in trees)
        if leaf and all(tree.startswith(_TREES) for tree in trees) and not _is_group(term.label):
            yield (
                known.get(name_key(term.label), _lower(term.label)),
                [name for name in term.synonyms if ", " not in name and not _is_group(name)],
                "MeSH",
            )


def _of_drugcentral(
    terms: Iterable[NameEntry], bank_names: set[str], present: frozenset[str]
) -> Iterator[tuple[str, list[str], str]]:
    for term in sorted(terms, key=lambda one: one.id):
        if present & {name_key(name) for name in term.names}:
            continue
        usual = [name for name in term.synonyms if is_usual(name)]
        if term.name:
            yield term.name, list(term.synonyms), "DrugCentral"
        elif usual:
            # Biologics have no structure and so no term of the ontology: DrugBank's name for them is taken.
            named = [name for name in usual if name_key(name) in bank_names] or usual
            yield min(named, key=lambda name: (len(name.split()), usual.index(name))), usual, "DrugCentral"


def _lower(name: str) -> str:
    return name.lower() if name.istitle() else name


def _is_group(name: str) -> bool:
    """Whether a name of MeSH means many things: a plural, a group, a protein."""
    last = name.rsplit(maxsplit=1)[-1].lower()
    return bool(
        re.search(r"(?<![aious])s$", last)
        or re.search(r"(ins|ides|ases|ols|ids|ates|ines|ones|enes|anes|amines|agents|compounds)$", last)
        or _PROTEIN.search(name)
        or last.endswith("ase")
    )
