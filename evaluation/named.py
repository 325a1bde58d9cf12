"""Plain questions that name their entities: made from the graph that a service has, and asked of it.

Triples are drawn with a fixed seed in equal shares of their kinds; ends are called by
their name or a synonym, relations in the words of the graph or in others. A question is
right when its first hit is a triple that answers it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode

import numpy as np

from biomolkg.errors import RequestFailed
from biomolkg.question_files import triple_key
from evaluation.client import ServiceClient
from evaluation.metrics import Estimate, estimate

COUNT = 500
PAGE = 200
# Of larger graphs, five entities a question are drawn and described, within these bounds.
LEAST_ENTITIES, MAX_ENTITIES = 150, 1_500
_LONGEST_NAME = 40
_WORDY = re.compile(r"[^\W\d_]{3}")
_KINDS = ("DDI", "DPI", "MOLECULAR")

Triple = tuple[str, str, str]

# By kind and form; {r} is the relation in some words. "asked" leaves the relation open.
_TEMPLATES: Mapping[str, Mapping[str, Sequence[str]]] = {
    "DDI": {
        "both ends and relation": (
            "Is {r} reported when {a} and {b} are taken together?",
            "Can taking {a} with {b} cause {r}?",
            "Does the combination of {a} and {b} lead to {r}?",
        ),
        "relation asked": (
            "What happens when {a} and {b} are combined?",
            "What is the interaction between {a} and {b}?",
            "Which side effect do {a} and {b} have together?",
        ),
        "end asked": (
            "Which drug causes {r} in combination with {a}?",
            "What should not be taken with {a} because of {r}?",
        ),
    },
    "DPI": {
        "both ends and relation": ("Does {a} {v} {b}?", "Is {b} {p} by {a}?"),
        "relation asked": ("How does {a} act on {b}?", "What does {a} do to {b}?"),
        "end asked": ("Which proteins does {a} {v}?", "What is {p} by {a}?"),
    },
    "MOLECULAR": {
        "both ends and relation": (
            "Is there {r} between {a} and {b}?",
            "Do {a} and {b} interact through {r}?",
        ),
        "relation asked": (
            "How do the molecules of {a} and {b} interact?",
            "What is the molecular interaction of {a} with {b}?",
        ),
        "end asked": ("With which compound does {a} show {r}?",),
    },
}
_VERBS = {
    "binding and inhibition": (("inhibit", "inhibited"), ("block", "blocked"), ("antagonise", "antagonised")),
    "binding and activation": (("activate", "activated"), ("stimulate", "stimulated")),
}
_SENSES = {"hydrogen": "hydrogen bond", "h-bond": "hydrogen bond", "pi-pi": "stacking", "stack": "stacking"}
_OF = re.compile(r"(\w+) of (\w+)")


@dataclass(frozen=True, slots=True)
class NamedQuestion:
    """A question and the keys of the triples that answer it."""

    text: str
    form: str
    kind: str
    right: frozenset[str]


@dataclass(frozen=True, slots=True)
class NamedOutcome:
    """How often the first hit of a retriever is right, by form and kind of the question; failures told."""

    retriever: str
    shares: Mapping[str, tuple[int, Estimate]]
    failures: Sequence[Mapping[str, Any]] = field(default=())


class GraphReader:
    """The entities and facts of a service, read over HTTP and kept."""

    def __init__(self, client: ServiceClient) -> None:
        self._client = client
        self._facts: dict[str, list[tuple[str, Triple]]] = {}

    def entities(self, random: np.random.Generator, most: int) -> list[str]:
        """Ids of drugs and proteins, in the order of the service; of more than `most`, a random part."""
        ids: list[str] = []
        for label in ("Drug", "Protein"):
            offset, total = 0, 1
            while offset < total:
                query = urlencode({"label": label, "limit": PAGE, "offset": offset})
                page = self._client.get(f"/v1/entities?{query}")
                ids += [str(row["id"]) for row in page["entities"]]
                total, offset = int(page["total"]), offset + PAGE
        if len(ids) > most:
            ids = [ids[at] for at in sorted(random.choice(len(ids), most, replace=False))]
        return ids

    def names(self, id_: str) -> list[str]:
        """The names of an entity that a person could say."""
        entity = self._client.get(f"/v1/entities/{quote(id_, safe=':')}")["entity"]
        names = [str(entity["name"]), *map(str, entity.get("synonyms", ()))]
        return [name for name in dict.fromkeys(names) if len(name) <= _LONGEST_NAME and _WORDY.search(name)]

    def facts(self, id_: str) -> list[tuple[str, Triple]]:
        """Kind and (head id, relation, tail id) of each fact of an entity that is ranked by default."""
        if id_ not in self._facts:
            found: list[tuple[str, Triple]] = []
            offset, total = 0, 1
            while offset < total:
                query = urlencode({"limit": PAGE, "offset": offset, "kinds": list(_KINDS)}, doseq=True)
                page = self._client.get(f"/v1/entities/{quote(id_, safe=':')}/neighbors?{query}")
                for row in page["neighbors"]:
                    triple = row["triple"]
                    ids = (str(triple["head"]["id"]), str(triple["relation"]), str(triple["tail"]["id"]))
                    found.append((str(triple["kind"]), ids))
                total, offset = int(page["total"]), offset + PAGE
            self._facts[id_] = found
        return self._facts[id_]


def make_named_questions(
    client: ServiceClient, *, count: int = COUNT, seed: int = 0, tell: Callable[[str], None] = lambda _: None
) -> list[NamedQuestion]:
    """At most `count` questions about the graph of the service, the same for the same graph and seed.

    Raises RequestFailed, also when the graph has no facts to ask about.
    """
    random = np.random.default_rng(seed)
    reader = GraphReader(client)
    ids = reader.entities(random, min(MAX_ENTITIES, max(LEAST_ENTITIES, 5 * count)))
    tell(f"reading the names of {len(ids)} entities")
    names = {id_: reader.names(id_) for id_ in ids}
    owners: dict[str, set[str]] = defaultdict(set)
    for id_, own in names.items():
        for name in own:
            owners[name.casefold()].add(id_)
    # A name of two things asks about neither.
    spoken = {id_: [name for name in own if len(owners[name.casefold()]) == 1] for id_, own in names.items()}
    tell("reading their facts")
    pools: dict[str, set[Triple]] = defaultdict(set)
    for id_ in ids:
        for kind, triple in reader.facts(id_):
            if spoken.get(triple[0]) and spoken.get(triple[2]):
                pools[kind].add(triple)
    if not pools:
        raise RequestFailed("The graph has no facts of named entities to ask about.")
    queues = {kind: random.permutation(np.array(sorted(pool), dtype=object)) for kind, pool in pools.items()}
    writer = _Writer(reader, spoken, random)
    drawn = [
        (kind, tuple(queues[kind][turn]))
        for turn in range(max(map(len, queues.values())))
        for kind in sorted(queues)
        if turn < len(queues[kind])
    ]
    return [writer.write(kind, triple) for kind, triple in drawn[:count]]


class _Writer:
    def __init__(
        self, reader: GraphReader, names: Mapping[str, Sequence[str]], random: np.random.Generator
    ) -> None:
        self._reader, self._names, self._random = reader, names, random

    def write(self, kind: str, triple: Triple) -> NamedQuestion:
        head, relation, tail = triple
        forms = _TEMPLATES[kind]
        form = self._pick(list(forms))
        verb, participle = self._pick(_VERBS.get(relation, ((relation, relation),)))
        turned = kind != "DPI" and self._random.random() < 0.5
        first, second = (tail, head) if turned else (head, tail)
        text = self._pick(forms[form]).format(
            a=self._pick(self._names[first]),
            b=self._pick(self._names[second]),
            r=self._words(relation),
            v=verb,
            p=participle,
        )
        return NamedQuestion(text, form, kind, self._right(form, kind, triple, first))

    def _right(self, form: str, kind: str, triple: Triple, first: str) -> frozenset[str]:
        head, relation, tail = triple
        right = {triple}
        for other_kind, other in self._reader.facts(first):
            same_ends = form == "relation asked" and {other[0], other[2]} == {head, tail}
            same_relation = form == "end asked" and other_kind == kind and _alike(other[1], relation)
            if same_ends or same_relation:
                right.add(other)
        return frozenset(triple_key("-".join(it)) for it in right)

    def _words(self, relation: str) -> str:
        turned = _OF.fullmatch(relation)
        options = [relation, relation.lower(), *([f"{turned[2]} {turned[1]}"] if turned else [])]
        return str(self._pick(options))

    def _pick(self, options: Sequence[Any]) -> Any:
        return options[int(self._random.integers(len(options)))]


def _alike(one: str, other: str) -> bool:
    """Whether two relations are one: sources write Pi-Pi and π-π, Hydrogen Bond and H-bond formation."""
    return _sense(one) == _sense(other)


def _sense(relation: str) -> str:
    text = relation.casefold().replace("π", "pi")
    return next((sense for word, sense in _SENSES.items() if word in text), text)


def run_named(
    client: ServiceClient,
    retriever: str,
    questions: Sequence[NamedQuestion],
    *,
    batch_size: int,
    options: Mapping[str, Any] | None = None,
) -> NamedOutcome:
    """Ask all questions; `client` reads hits by the ids of their ends. Raises RequestFailed."""
    texts = [question.text for question in questions]
    answers = client.batches(retriever, texts, k=1, size=batch_size, options=options)
    firsts = [ranking.keys[0] if ranking.keys else None for answer in answers for ranking in answer.rankings]
    right = np.array([first in question.right for first, question in zip(firsts, questions, strict=True)])
    shares: dict[str, tuple[int, Estimate]] = {}
    groups = ["all", *sorted({it.form for it in questions}), *sorted({it.kind for it in questions})]
    for name in groups:
        rows = [row for row, it in enumerate(questions) if name in {"all", it.form, it.kind}]
        shares[name] = len(rows), estimate(right[rows].astype(np.float64)[:, None])[0]
    failures = [
        {"question": question.text, "form": question.form, "kind": question.kind, "first": first,
         "right": sorted(question.right)[:5]}
        for question, first, good in zip(questions, firsts, right, strict=True)
        if not good
    ]  # fmt: skip
    return NamedOutcome(retriever, shares, failures)
