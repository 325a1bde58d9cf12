"""The drugs of the starter graph: one name that a pharmacist knows, all other names, identifiers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from biomolkg.names import name_key
from graph_loader.sources.names import NameEntry
from graph_loader.vocabulary.build.reviewed import reviewed
from graph_loader.vocabulary.build.sources import Chebi, Mesh, Vocabularies, by_first
from graph_loader.vocabulary.build.spelling import is_usual, kind_of, without_salt

_NOT_PREFERRED = {
    "acetylsalicylic acid": "aspirin"
}  # more people say so, and the INN list has no name for it


@dataclass(slots=True)
class Compound:
    """A drug while its parts are gathered; `names` are (name, kind, source), first come first kept."""

    cid: str
    graph_names: tuple[str, ...]
    drugcentral: NameEntry | None = None
    preferred: str = ""
    source: str = ""
    note: str = ""
    chebi: list[str] = field(default_factory=list)
    mesh: list[str] = field(default_factory=list)
    drugbank: list[str] = field(default_factory=list)
    chembl: list[str] = field(default_factory=list)
    names: list[tuple[str, str, str]] = field(default_factory=list)

    @property
    def id(self) -> str:
        """The CURIE that the graph uses."""
        return f"pubchem.compound:{self.cid}"

    @property
    def xrefs(self) -> tuple[str, ...]:
        """CURIEs elsewhere, in a fixed order."""
        found = [*self.chebi]
        found += [f"chembl.compound:{one}" for one in self.chembl]
        found += [f"drugbank:{one}" for one in self.drugbank]
        if self.drugcentral:
            found.append(self.drugcentral.id)
            if self.drugcentral.cas:
                found.append(f"cas:{self.drugcentral.cas}")
        found += [f"mesh:{one}" for one in self.mesh]
        return tuple(dict.fromkeys(found))


class Joins:
    """How a drug finds its terms: by identifier, else by exact name."""

    def __init__(self, vocabularies: Vocabularies, chebi: Chebi) -> None:
        self.chebi = chebi
        self.mesh = vocabularies.mesh()
        self.drugbank = vocabularies.drugbank()
        self.chebi_of_cid = by_first([(cid, one) for one, cid in vocabularies.pairs("chebi_to_pubchem")])
        self.chebi_of_cas = by_first(vocabularies.pairs("cas_to_chebi"))
        self.chembl_of_chebi = by_first(vocabularies.pairs("chebi_to_chembl"))
        self.mesh_of_cid = by_first(vocabularies.pairs("pubchem_mesh_map"))
        self.chebi_of_name = by_first([(name_key(name), one) for one, name in chebi.names.items()])
        self.drugbank_of_name = by_first(
            [(name_key(name), one) for one, said in self.drugbank.items() for name in said["NAME"]]
        )
        chemicals = [one for one in self.mesh.values() if any(tree.startswith("D") for tree in one.trees)]
        self.mesh_of_label = by_first([(name_key(one.label), one.id) for one in chemicals])
        self.mesh_of_synonym = by_first(
            [(name_key(name), one.id) for one in chemicals for name in one.synonyms]
        )

    def join(self, drug: Compound) -> None:
        """Add the drug's ids in ChEBI, MeSH, DrugBank and ChEMBL."""
        spoken = [name_key(drug.preferred)]
        if drug.drugcentral:
            spoken.append(name_key(drug.drugcentral.name))
        others = [name_key(name) for name, _, source in drug.names if source == "reviewed"]
        found = [f"chebi:{one}" for one in self.chebi_of_cid.get(drug.cid, ())]
        found += [one for name in [*spoken, *others] for one in self.chebi_of_name.get(name, ())]
        if not found and drug.drugcentral and drug.drugcentral.cas:
            found += [f"chebi:{one}" for one in self.chebi_of_cas.get(drug.drugcentral.cas, ())]
        drug.chebi = list(dict.fromkeys(self.chebi.current.get(one, one) for one in found))
        mesh = [one for one in self.mesh_of_cid.get(drug.cid, ()) if one in self.mesh]
        mesh = mesh or [one for name in spoken for one in self.mesh_of_label.get(name, ())]
        mesh = mesh or [one for name in spoken for one in self.mesh_of_synonym.get(name, ())]
        drug.mesh = list(dict.fromkeys(mesh))[:1]
        drug.drugbank = list(
            dict.fromkeys(one for name in spoken for one in self.drugbank_of_name.get(name, ()))
        )[:1]
        chembl = [one for bank in drug.drugbank for one in self.drugbank[bank]["CHEMBL"]]
        numbers = [one.removeprefix("chebi:") for one in drug.chebi]
        chembl += [one for number in numbers for one in self.chembl_of_chebi.get(number, ())]
        drug.chembl = list(dict.fromkeys(chembl))[:1]


def gather(
    graph: Iterable[tuple[str, tuple[str, ...]]],
    drugcentral: Mapping[str, NameEntry],
    matched: Mapping[str, str],
    joins: Joins,
) -> list[Compound]:
    """All drugs with their names and ids; `matched` says which term of DrugCentral a CID is."""
    by_hand = {row["cid"]: row for row in reviewed("drugs")}
    drugs = []
    for cid, names in graph:
        drug = Compound(cid, names, drugcentral.get(matched.get(cid, "")))
        row = by_hand.get(cid)
        if row:
            drug.preferred, drug.source, drug.note = row["name"], "reviewed", row["note"]
            drug.names += [(name, "synonym", "reviewed") for name in row["also"].split("|") if name]
        else:
            drug.preferred, drug.source = _preferred(drug, joins)
        joins.join(drug)
        drug.names += _names(drug, joins)
        drugs.append(drug)
    _add_reviewed(drugs)
    return drugs


def _preferred(drug: Compound, joins: Joins) -> tuple[str, str]:
    """The first source with a usual name; of several the one of fewest words, then the shortest."""
    candidates = [
        ("DrugCentral", [drug.drugcentral.name] if drug.drugcentral else []),
        ("ChEBI", [joins.chebi.names[f"chebi:{one}"] for one in joins.chebi_of_cid.get(drug.cid, ())]),
        ("MeSH", [joins.mesh[one].label for one in joins.mesh_of_cid.get(drug.cid, ()) if one in joins.mesh]),
        ("BioMol-MQA", list(drug.graph_names)),
    ]
    for source, names in candidates:
        usual = [name for name in names if is_usual(name)]
        if usual:
            best = min(usual, key=lambda name: (len(name.split()), len(name), name))
            return _NOT_PREFERRED.get(best, best), source
    return min(drug.graph_names, key=len), "BioMol-MQA"


def _names(drug: Compound, joins: Joins) -> Iterator[tuple[str, str, str]]:
    said: list[tuple[str, str]] = []
    if drug.drugcentral:
        said += [(name, "DrugCentral") for name in drug.drugcentral.names]
    said += [(joins.chebi.names[one], "ChEBI") for one in drug.chebi]
    said += [(name, "DrugBank") for one in drug.drugbank for name in joins.drugbank[one]["NAME"]]
    said += [(name, "MeSH") for one in drug.mesh for name in _singular_names(joins.mesh[one])]
    said += [(name, "BioMol-MQA") for name in drug.graph_names]
    yield drug.preferred, "preferred", drug.source
    for name, source in said:
        yield name, kind_of(name), source
    for name, source in said:
        bare = without_salt(name)
        if bare != name and kind_of(bare) == "synonym":
            yield bare, "salt_free", source


def _singular_names(term: Mesh) -> Iterator[str]:
    """Names of a MeSH concept; inverted ones in plain order."""
    for name in term.names:
        parts = name.split(", ")
        yield (
            " ".join(reversed(parts)) if len(parts) == 2 and re.fullmatch(r"[A-Za-z -]+", parts[1]) else name
        )


def _add_reviewed(drugs: list[Compound]) -> None:
    by_name = {name_key(drug.preferred): drug for drug in drugs}
    for row in reviewed("drug_names"):
        drug = by_name[name_key(row["drug"])]
        for kind in ("brand", "abbreviation", "synonym"):
            drug.names += [(name, kind, "reviewed") for name in row[kind].split("|") if name]


def name_rows(drugs: list[Compound]) -> Iterator[tuple[str, str, str, str]]:
    """The rows of `drug_names`: one spelling of each, and none that is the preferred one of another drug."""
    preferred = {name_key(drug.preferred): drug.cid for drug in drugs}
    order = {"preferred": 0, "brand": 1, "abbreviation": 2}
    for drug in drugs:
        kept: dict[str, tuple[str, str, str]] = {}
        for name, kind, source in sorted(drug.names, key=lambda row: order.get(row[1], 3)):
            key = name_key(name)
            if len(key) > 1 and preferred.get(key, drug.cid) == drug.cid:
                kept.setdefault(key, (name, kind, source))
        for name, kind, source in kept.values():
            yield drug.id, name, kind, source


def shared_names(rows: Iterable[tuple[str, str, str, str]]) -> dict[str, list[str]]:
    """Names that more than one drug has."""
    owners: dict[str, list[str]] = defaultdict(list)
    for one, name, _, _ in rows:
        owners[name_key(name)].append(one)
    return {name: ids for name, ids in owners.items() if len(ids) > 1}
