"""How well a running service finds names: typed tokens of held-out texts, and misspelt names of its graph.

    python -m evaluation.mentions --tokens CDR_dev.txt --url http://127.0.0.1:8000

Everything is asked of `POST /v1/mentions`, with the trained tagger and without it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import httpx
import typer
from pydantic import BaseModel
from rich.console import Console
from rich.table import Table

from biomolkg.errors import InputError, RequestFailed
from biomolkg.misspellings import misspelt
from biomolkg.tagged_text import TaggedSentence
from biomolkg.token_files import read_token_files
from evaluation.scripts import run_script

# What an entity's label is among the types of BC5CDR.
TYPES = {"Drug": "Chemical", "Chemical": "Chemical", "Protein": "Protein", "Gene": "Protein"}
MODELS = ("untrained", "trained")
SALT = ("hydrochloride", "sodium", "acetate", "sulfate")
FRAMES = (
    "Which side effects does {} have?",
    "What happens when {} is taken every morning?",
    "The patient was given {} for two weeks.",
)
_PAGE = 200
_NAME_LENGTHS = range(7, 31)


class _Entity(BaseModel):
    id: str
    name: str
    label: str


class _Mention(BaseModel):
    start: int
    end: int
    entity: _Entity | None
    label: str | None = None
    score: float


class _Mentions(BaseModel):
    mentions: list[_Mention]


class _Page(BaseModel):
    entities: list[_Entity]


@dataclass(frozen=True, slots=True)
class Scores:
    """Precision, recall and F1 of spans whose places and type are exactly right; `spans`: how many are."""

    precision: float
    recall: float
    f1: float
    spans: int


@dataclass(frozen=True, slots=True)
class Linked:
    """Of `names`, the shares linked to the right entity alone or first, and to a wrong one first."""

    names: int
    right: float
    wrong: float


Ask = Callable[[str, str], list[_Mention]]


def span_scores(sentences: Sequence[TaggedSentence], ask: Ask, model: str) -> dict[str, Scores]:
    """Scores by type, and `all`, on the sentences as texts whose words are parted by spaces."""
    types = sorted({span.label for sentence in sentences for span in sentence.spans})
    counts = {type_: [0, 0, 0] for type_ in types}
    for sentence in sentences:
        text, gold = _written(sentence)
        found = {
            (mention.start, mention.end, type_)
            for mention in ask(text, model)
            if (type_ := _type(mention)) in counts
        }
        for type_, count in counts.items():
            wanted = {span for span in gold if span[2] == type_}
            given = {span for span in found if span[2] == type_}
            for at, spans in enumerate((wanted & given, given, wanted)):
                count[at] += len(spans)
    counts["all"] = [sum(each) for each in zip(*counts.values(), strict=True)]
    return {
        type_: Scores(
            right / max(1, given), right / max(1, wanted), 2 * right / max(1, given + wanted), wanted
        )
        for type_, (right, given, wanted) in counts.items()
    }


def spellings(names: Iterable[_Entity], chance: random.Random) -> Iterator[tuple[str, str, _Entity]]:
    """Names as they may be written: (kind, spelling, entity), the kinds that a name allows."""
    for entity in names:
        name = entity.name
        wrong = misspelt(name, chance)
        if wrong != name:
            yield "misspelt", wrong, entity
            twice = misspelt(wrong, chance)
            if len(name) > 11 and twice not in {name, wrong}:
                yield "misspelt twice", twice, entity
        if name.isalpha():
            at = chance.randrange(3, len(name) - 3)
            yield "hyphen", f"{name[:at]}-{name[at:]}", entity
            if entity.label == "Drug":
                yield "salt added", f"{wrong} {chance.choice(SALT)}", entity


def linking(asked: Sequence[tuple[str, str, _Entity]], ask: Ask, model: str) -> dict[str, Linked]:
    """How many spellings, each in a sentence, are linked to the entity whose name they are of."""
    outcomes: dict[str, list[str]] = {}
    for number, (kind, spelling, entity) in enumerate(asked):
        before, _, after = FRAMES[number % len(FRAMES)].partition("{}")
        start, end = len(before), len(before) + len(spelling)
        inside = [
            mention.entity.id
            for mention in sorted(ask(before + spelling + after, model), key=lambda it: -it.score)
            if mention.entity is not None and mention.start < end and start < mention.end
        ]
        outcome = "none" if not inside else "right" if inside[0] == entity.id else "wrong"
        outcomes.setdefault(kind, []).append(outcome)
    return {
        kind: Linked(len(each), each.count("right") / len(each), each.count("wrong") / len(each))
        for kind, each in outcomes.items()
    }


def _written(sentence: TaggedSentence) -> tuple[str, set[tuple[int, int, str]]]:
    starts, at = [], 0
    for word in sentence.words:
        starts.append(at)
        at += len(word) + 1
    ends = [start + len(word) for start, word in zip(starts, sentence.words, strict=True)]
    return " ".join(sentence.words), {
        (starts[span.start], ends[span.end - 1], span.label) for span in sentence.spans
    }


def _type(mention: _Mention) -> str | None:
    return mention.label if mention.entity is None else TYPES.get(mention.entity.label)


class _Service:
    def __init__(self, url: str, timeout: float) -> None:
        self._http = httpx.Client(base_url=url, timeout=timeout)

    def ask(self, text: str, model: str) -> list[_Mention]:
        response = self._sent("POST", "/v1/mentions", json={"text": text, "model": model})
        return _Mentions.model_validate_json(response.content).mentions

    def names(self, label: str) -> list[_Entity]:
        """Entities of that label whose name can be misspelt."""
        found: list[_Entity] = []
        while True:
            query: dict[str, str | int] = {"label": label, "limit": _PAGE, "offset": len(found)}
            response = self._sent("GET", "/v1/entities", params=query)
            page = _Page.model_validate_json(response.content).entities
            found += page
            if len(page) < _PAGE:
                return [entity for entity in found if len(entity.name) in _NAME_LENGTHS]

    def _sent(self, method: str, path: str, **fields: object) -> httpx.Response:
        try:
            response = self._http.request(method, path, **fields)  # type: ignore[arg-type]
        except httpx.HTTPError as error:
            raise RequestFailed(
                f"{self._http.base_url}{path} does not answer: {error}.", remedy="Start `biomolkg serve`."
            ) from error
        if response.is_error:
            raise RequestFailed(f"{path} answers {response.status_code}: {response.text[:300]}")
        return response


def measure(
    tokens: Annotated[
        list[Path] | None, typer.Option(help="A file of typed tokens that nothing was trained on.")
    ] = None,
    url: Annotated[str, typer.Option(help="Address of the service.")] = "http://127.0.0.1:8000",
    names: Annotated[int, typer.Option(min=0, help="Names of each kind to misspell.")] = 200,
    limit: Annotated[int | None, typer.Option(min=1, help="Only so many sentences, drawn.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is drawn.")] = 1,
    json_file: Annotated[Path | None, typer.Option("--json", help="File for the figures.")] = None,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds one answer may take.")] = 60.0,
) -> None:
    """Print precision, recall and F1 of exact spans, and how many misspelt names are linked rightly."""
    if not tokens and not names:
        raise InputError("There is nothing to measure.", remedy="Give --tokens FILE, or --names above 0.")
    chance = random.Random(seed)  # noqa: S311 - drawn to be repeatable, not to be secret
    sentences = [sentence for sentence in read_token_files(tokens or ()) if sentence.words]
    if limit is not None and limit < len(sentences):
        sentences = chance.sample(sentences, limit)
    service = _Service(url, timeout)
    figures: dict[str, dict[str, object]] = {}
    console = Console()
    chosen: list[_Entity] = []
    for label in ("Drug", "Protein") if names else ():
        named = service.names(label)
        chosen += chance.sample(named, min(names, len(named)))
    asked = list(spellings(chosen, chance))
    for model in MODELS:
        spans = span_scores(sentences, service.ask, model) if sentences else {}
        links = linking(asked, service.ask, model)
        figures[model] = {
            "spans": {type_: asdict(scores) for type_, scores in spans.items()},
            "linking": {kind: asdict(linked) for kind, linked in links.items()},
        }
        table = Table("spans", "number", "precision", "recall", "F1", title=model, title_justify="left")
        for type_, scores in spans.items():
            shares = (scores.precision, scores.recall, scores.f1)
            table.add_row(type_, f"{scores.spans:,}", *(f"{share:.3f}" for share in shares))
        if spans:
            console.print(table)
        table = Table("names", "number", "right", "wrong", title=model, title_justify="left")
        for kind, linked in links.items():
            table.add_row(kind, f"{linked.names:,}", f"{linked.right:.3f}", f"{linked.wrong:.3f}")
        if links:
            console.print(table)
    if json_file is not None:
        json_file.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run_script(measure)
