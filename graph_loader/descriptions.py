"""Short descriptions of entities, composed from their own facts, so that every entity has a text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from biomolkg.molecules import implied_by
from graph_loader.records import Drug, Protein

_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six",
    "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip
_NAMES_SHOWN = 12
# Openings of the sentences about the parts of a structure, by their kind.
_OPENINGS = {
    "skeleton": "Its skeletons are",
    "ring": "Its rings are",
    "group": "It contains",
    "ion": "Its salt form has",
}


def describe_structure(drug: Drug, kinds: Mapping[str, str]) -> str:
    """A drug's other names, formula, weight, rings and groups; empty when it has no structure."""
    if drug.structure is None:
        return ""
    mass = f"a molecular weight of {drug.structure.weight:.1f} g/mol"
    sentences = [f"{drug.name} is a drug with the molecular formula {drug.structure.formula} and {mass}."]
    if drug.synonyms:
        sentences.append(f"It is also known as {_list(drug.synonyms[:_NAMES_SHOWN])}.")
    implied = implied_by(name for name, _ in drug.structure.groups)
    for kind, opening in _OPENINGS.items():
        parts = [
            (name, count)
            for name, count in drug.structure.groups
            if kinds.get(name, "group") == kind and name not in implied
        ]
        if parts:
            counted = _list(_counted(name, count) for name, count in parts)
            single = len(parts) == 1 and parts[0][1] == 1
            sentences.append(f"{opening.replace('s are', ' is') if single else opening} {counted}.")
    return " ".join(sentences)


def describe_targets(drug: Drug, inhibited: Sequence[Protein], activated: Sequence[Protein]) -> str:
    """Which proteins a drug acts on; a plain sentence when nothing at all is known of it."""
    sentences = []
    if inhibited:
        sentences.append(f"{drug.name} inhibits {_list(map(_with_gene, inhibited))}.")
    if activated:
        sentences.append(f"{drug.name} activates {_list(map(_with_gene, activated))}.")
    if not sentences and drug.structure is None:
        names = f", also known as {_list(drug.synonyms[:_NAMES_SHOWN])}" if drug.synonyms else ""
        sentences.append(f"{drug.name} is a drug{names}.")
    return " ".join(sentences)


def describe_protein(protein: Protein, inhibitors: Sequence[Drug], activators: Sequence[Drug]) -> str:
    """A protein's gene and other symbols, and the drugs that act on it."""
    sentences = [f"{protein.name} is a human protein, the product of the gene {protein.gene}."]
    if protein.synonyms:
        sentences.append(f"The gene is also known as {_list(protein.synonyms[:_NAMES_SHOWN])}.")
    if inhibitors:
        sentences.append(f"{protein.name} is inhibited by {_list(drug.name for drug in inhibitors)}.")
    if activators:
        sentences.append(f"{protein.name} is activated by {_list(drug.name for drug in activators)}.")
    return " ".join(sentences)


def _with_gene(protein: Protein) -> str:
    return f"{protein.name} ({protein.gene})"


def _counted(name: str, count: int) -> str:
    if count == 1:
        return f"{'an' if name[0].lower() in 'aeiou' or name.startswith('N-') else 'a'} {name}"
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    return f"{number} {name}" if name.endswith("s") else f"{number} {name}s"


def _list(words: Iterable[str]) -> str:
    listed = list(words)
    if len(listed) < 2:
        return "".join(listed)
    return f"{', '.join(listed[:-1])} and {listed[-1]}"
