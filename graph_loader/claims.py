"""What a data set says of a thing that others may speak of as well, so that it can be taken back.

The data set that had a thing first, its holder, has its words in the plain
properties: `name`, `synonyms`, `xrefs` and so on. What the others say stands in
properties of their own, `dataset:name`, beside `dataset:join`, how the thing
was recognised; their names are also in `other_names`, where they are found.
BioMol-MQA holds whatever it has: the names of a benchmark do not change
because another source was loaded before it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from biomolkg.names import name_key
from cypher.values import parse_value
from graph_loader.graph_records import RESERVED_NODE, Literal, Value
from graph_loader.graph_tables import ADDED_PROPERTIES
from graph_loader.staging import StagedNode
from graph_loader.structures import structure_properties

Row = dict[str, Any]

BENCHMARK = "biomolmqa"
REACTOME = "reactome"
VOCABULARY = "vocabulary"
INHERITED = "inherited"  # in place of a digest, which it equals never
# The data set that gave a name, or a kind, to what its holder had without one.
NAMED_BY = "named_by"
TYPED_BY = "typed_by"
# The labels of a node by its kind. Reactome's loader owns Pathway, Reaction and PhysicalEntity.
LABELS: Mapping[str, str] = {
    "Drug": "Drug",
    "Protein": "Protein",
    "Chemical": "Chemical",
    "Gene": "Gene",
    "Transcript": "Transcript",
    "Pathway": "Thing",
    "Reaction": "Thing",
    "PhysicalEntity": "Thing",
    "Thing": "Thing",
}
_SHARED = frozenset(("id", "datasets", "other_names", NAMED_BY, TYPED_BY)) | ADDED_PROPERTIES
# Loaders of ours whose properties on things of others begin with their name.
_OWN_PREFIX = (f"{REACTOME}_", f"{VOCABULARY}_")
_BENCHMARK_KEYS = frozenset(("name", "synonyms", "xrefs", "gene", *structure_properties(None, None)))
_encode = json.JSONEncoder(sort_keys=True, default=str).encode


def holder(datasets: Sequence[str]) -> str | None:
    """The data set whose words are in the plain properties."""
    if BENCHMARK in datasets:
        return BENCHMARK
    return datasets[0] if datasets else None


def graph_value(value: Value) -> Any:
    """A value as Neo4j takes it; a date, time, duration or point that cannot be read stays text."""
    if not isinstance(value, Literal | tuple | list):
        return value
    try:
        if isinstance(value, Literal):
            return parse_value(value.kind, value.text)
        return [parse_value(one.kind, one.text) if isinstance(one, Literal) else one for one in value]
    except ValueError:
        return value.text if isinstance(value, Literal) else [getattr(one, "text", one) for one in value]


def stated(node: StagedNode) -> Row:
    """Everything that a source says of a node, by property; what it does not say is not there."""
    own: Row = {_own_name(key): graph_value(value) for key, value in node.properties.items()}
    own |= {
        "name": node.name or node.id,
        "synonyms": list(node.synonyms),
        "labels": list(node.labels),
        "xrefs": list(node.xrefs),
        "gene": node.gene,
        "inchikey": node.inchikey,
        "source": node.source,
        **node.structure,
    }
    return {key: value for key, value in own.items() if value is not None and value != []}


def _own_name(key: str) -> str:
    """The name of a source's own property: none of those that the graph or Reactome's loader uses."""
    name = key.replace(":", "_")
    if name.startswith(_OWN_PREFIX):
        return f"_{name}"
    return f"{name}_" if name in RESERVED_NODE else name


def digest(parts: object) -> str:
    """Identity of what is written, 24 characters."""
    return text_digest(_encode(parts))


def text_digest(text: str) -> str:
    """Identity of a text, 24 characters."""
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def place(datasets: Sequence[str], dataset: str) -> str:
    """What a data set is to a thing that these data sets have: `alone`, `holder` or `guest`."""
    if not [name for name in datasets if name != dataset]:
        return "alone"
    return "holder" if holder(datasets) == dataset else "guest"


def node_digest(node: StagedNode, standing: str, evidence: str | None, synonyms: Iterable[str]) -> str:
    """Identity of a node as it shall be; the graph has it in `dataset:digest`."""
    return digest((node.id, standing, evidence, list(synonyms), stated(node), node.kind, node.texts))


def claim(
    node: StagedNode,
    found: Row | None,
    dataset: str,
    *,
    target: str,
    evidence: str | None,
    synonyms: list[str],
) -> Row:
    """The row that makes a node what it shall be, given what the graph has of it.

    `synonyms` stand for the node's own: those that are names of something else are not among them.
    """
    held: Row = {} if found is None else found["properties"]
    labels: list[str] = [] if found is None else found["labels"]
    datasets = list(held.get("datasets") or ())
    standing = place(datasets, dataset)
    if dataset not in datasets:
        datasets.append(dataset)
    own = stated(node)
    if "synonyms" in own:
        own["synonyms"] = synonyms
    prefix = f"{dataset}:"
    properties: Row
    stale: list[str] = []
    if standing == "guest":
        own = {key: value for key, value in own.items() if key not in node.structure} | {
            "id": node.id,
            "kind": node.kind,
            "smiles": node.structure.get("smiles"),
            "join": evidence,
        }
        if node.name is None:
            del own["name"]
        properties = {f"{prefix}{key}": value for key, value in own.items()}
        gone = [key for key in held if key.startswith(prefix) and key not in properties]
        gone += _left_over(held, holder(datasets))
        added = ["Entity"]
        if LABELS[node.kind] != "Thing" and ("Thing" in labels or held.get(TYPED_BY) == dataset):
            added, stale = ["Entity", LABELS[node.kind]], ["Thing"]
            properties[TYPED_BY] = dataset
    else:
        properties = own
        typed = held.get(TYPED_BY) if node.kind == "Thing" and standing == "holder" else None
        added = ["Entity", LABELS[held[f"{typed}:kind"] if typed else node.kind]]
        properties[TYPED_BY] = typed
        gone = [key for key in held if _is_plain(key) and key not in properties]
        gone += [key for key in held if key.startswith(prefix)]
        if standing == "alone":
            gone += [key for key in held if ":" in key and not key.startswith(prefix)]
            stale = [label for label in labels if label in LABELS.values() and label not in added]
    properties = dict.fromkeys(gone) | properties
    properties |= _given_name({**held, **properties}, datasets, target)
    properties[f"{prefix}digest"] = node_digest(node, standing, evidence, synonyms)
    properties["datasets"] = datasets
    properties["other_names"] = other_names({**held, **properties}, datasets)
    return {"id": target, "properties": properties, "labels": added, "stale": stale}


def _given_name(said: Mapping[str, Any], datasets: Sequence[str], target: str) -> Row:
    """The name of what its holder does not name, from the first data set that does."""
    if said.get("name") not in {None, target} and said.get(NAMED_BY) is None:
        return {}
    for dataset in datasets:
        name = said.get(f"{dataset}:name")
        if name is not None and name != target:
            return {"name": name, NAMED_BY: dataset}
    return {"name": target, NAMED_BY: None}


def withdrawal(found: Row, dataset: str) -> Row:
    """The row that takes back what a data set says of a thing that others have too.

    Where it was the holder, the next one is.
    """
    held: Row = found["properties"]
    before = list(held.get("datasets") or ())
    datasets = [name for name in before if name != dataset]
    prefix = f"{dataset}:"
    properties: Row = dict.fromkeys(
        key
        for key in held
        if key.startswith(prefix) or (f"{dataset}_" in _OWN_PREFIX and key.startswith(f"{dataset}_"))
    )
    labels: list[str] = []
    # Reactome's loader calls a drug that it refers to a chemical as well.
    stale = ["Chemical"] if dataset == REACTOME and "Drug" in found["labels"] else []
    if dataset == VOCABULARY:
        stale = ["DrugClass"]
    heir = holder(datasets)
    properties |= dict.fromkeys(_left_over(held, heir))
    if heir is not None and heir != holder(before):
        properties |= dict.fromkeys(key for key in held if _is_plain(key))
        properties |= _inherited(held, heir)
        # Its next load writes it anew, though the one that is gone may have come back by then.
        properties[f"{heir}:digest"] = INHERITED
        kind = str(held.get(f"{heir}:kind"))
        if kind in LABELS:
            labels = [LABELS[kind]]
            stale += [label for label in found["labels"] if label in LABELS.values() and label not in labels]
    elif held.get(TYPED_BY) == dataset:
        labels = ["Thing"]
        stale += [label for label in found["labels"] if label in LABELS.values()]
        properties[TYPED_BY] = None
    if heir is not None:
        left = {**held, **properties}
        if heir != holder(before):
            left[NAMED_BY] = None
        properties |= _given_name(left, datasets, held["id"])
    properties["datasets"] = datasets
    after = {key: value for key, value in {**held, **properties}.items() if value is not None}
    properties["other_names"] = other_names(after, datasets)
    return {
        "id": found["id"],
        "properties": properties,
        "labels": labels,
        "stale": stale,
    }


def _inherited(held: Row, heir: str) -> Row:
    """The plain properties once `heir` is the holder, from those that are its own."""
    prefix = f"{heir}:"
    own: Row = {
        key.removeprefix(prefix): value
        for key, value in held.items()
        if key.startswith(prefix) and not key.endswith((":id", ":join", ":kind", ":digest"))
    }
    given = dict.fromkeys(key for key in held if key.startswith(prefix) and not key.endswith(":digest"))
    if heir == REACTOME:
        # Its loader keeps little beside the first source's words; loaded again, it says the rest.
        own = {"name": held.get("reactome_name"), "gene": held.get("gene"), "source": REACTOME}
        own |= {"xrefs": [held["reactome_reference"]] if held.get("reactome_reference") else None}
    own["name"] = own.get("name") or held.get("id")
    return given | own


def other_names(held: Mapping[str, Any], datasets: Sequence[str]) -> list[str] | None:
    """The names that data sets other than the holder give, each once, those of the holder left out."""
    first = holder(datasets)
    taken = {name_key(name) for name in (held.get("name"), *(held.get("synonyms") or ())) if name}
    found: dict[str, str] = {}
    for dataset in sorted(datasets):
        if dataset == first:
            continue
        for name in (held.get(f"{dataset}:name"), *(held.get(f"{dataset}:synonyms") or ())):
            key = name_key(name) if name else ""
            # A thing without a name is called by its id, which is no name to be found by.
            if key and key not in taken and not str(name).startswith(f"{dataset}:"):
                found.setdefault(key, str(name))
    return sorted(found.values()) or None


def _left_over(held: Row, first: str | None) -> list[str]:
    """The plain properties that are no words of BioMol-MQA: another had the thing before it was loaded."""
    return (
        [key for key in held if _is_plain(key) and key not in _BENCHMARK_KEYS] if first == BENCHMARK else []
    )


def _is_plain(key: str) -> bool:
    return ":" not in key and key not in _SHARED and not key.startswith(_OWN_PREFIX)
