"""How the terminal shows an answer, and what a retriever ranked."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

_COLOURS = {"yes": "bold green", "no": "bold red", "unknown": "bold yellow"}
_EVIDENCE = {
    "report_signal": "signal of reports",
    "model_written": "written by a model",
    "text_mined": "text-mined",
}
_SOURCES = 3


def show_answer(console: Console, answer: dict[str, Any]) -> None:
    """The first result of `/v1/answer`: how the question was read, what is answered, and by which facts."""
    result = answer["results"][0]
    console.print(Text.assemble(("Read as:  ", "dim"), _reading(result["understood"])))
    console.print(Text.assemble(("Answer:   ", "dim"), _said(result)))
    if not result["abstained"]:
        shown = len(result["items"])
        of_all = f", {shown} of {result['total']} shown" if shown < result["total"] else ""
        console.print(Text(f"Confidence {result['confidence']:.2f}{of_all}", "dim"))
    _print_facts(console, result)
    for note in result["notes"]:
        console.print(Text(f"· {note}", "dim"))
    console.print(Text(f"graph version {answer['graph_version']}, {answer['took_ms']:.1f} ms", "dim"))


def show_hits(console: Console, answer: dict[str, Any], *, explain: bool) -> None:
    """The first result of a retriever as a table."""
    result = answer["results"][0]
    for note in result["notes"]:
        console.print(note, markup=False)
    if not result["hits"]:
        console.print("No evidence was found.")
        return
    names = ("#", "head", "relation", "tail", "kind", "score", "source", *(("parts",) if explain else ()))
    table = _table(names)
    for hit in result["hits"]:
        table.add_row(*_hit_cells(hit, explain=explain))
    console.print(table)
    console.print(
        f"{answer['retriever']}, graph version {answer['graph_version']}, {answer['took_ms']:.0f} ms",
        markup=False,
    )


def _reading(understood: dict[str, Any]) -> Text:
    """How a question was read, in one line."""
    if understood["intent"] == "description":
        return Text("a description: the best triples answer it")
    parts = [understood["intent"].replace("_", " ")]
    parts += [_named(named) for named in understood["subjects"]]
    parts += [f"{understood['relation']}"] if understood["relation"] else []
    parts += [_named(named) for named in understood["objects"]]
    parts += [f"not {_named(named)}" for named in understood["excluded"]]
    if understood["wanted"]:
        parts.append(f"asked for: {understood['wanted']}")
    if understood["polarity"] == "negative":
        parts.append("negated")
    return Text(" · ".join(parts))


def _named(named: dict[str, Any]) -> str:
    names = ", ".join(dict.fromkeys(entity["preferred_name"] for entity in named["entities"][:_SOURCES]))
    more = ", …" if len(named["entities"]) > _SOURCES else ""
    return f"{names or named['text']}{more} ({named['kind'].replace('_', ' ')})"


def _said(result: dict[str, Any]) -> Text:
    if result["abstained"]:
        reason = str(result["reason"] or "nothing").replace("_", " ")
        verdict = "unknown" if result["verdict"] == "unknown" else "none"
        return Text(f"{verdict} ({reason})", "bold yellow")
    return Text(str(result["answer"]), _COLOURS.get(result["verdict"], "bold"))


def _print_facts(console: Console, result: dict[str, Any]) -> None:
    facts = result["because"]
    if not facts and result["related"]:
        console.print(Text("Related facts:", "dim"))
        facts = result["related"]
    if facts:
        table = _table(("#", "head", "relation", "tail", "kind", "evidence", "source"))
        for number, fact in enumerate(facts, start=1):
            table.add_row(*_fact_cells(number, fact))
        console.print(table)
    for item in result["items"]:
        if item["passage"] is not None:
            console.print(Text(f"passage {item['passage']}"))


def _fact_cells(number: int, fact: dict[str, Any]) -> list[Text]:
    evidence = _EVIDENCE.get(fact["evidence_type"], fact["evidence_type"])
    if fact["disputed"]:
        evidence += ", disputed"
    sources = ", ".join(fact["sources"][:_SOURCES]) + (", …" if len(fact["sources"]) > _SOURCES else "")
    ends = [fact["head"]["preferred_name"], fact["relation"], fact["tail"]["preferred_name"]]
    return [Text(cell) for cell in (str(number), *ends, fact["kind"], evidence, sources)]


def _hit_cells(hit: dict[str, Any], *, explain: bool) -> list[Text]:
    if hit["kind"] == "triple":
        triple = hit["triple"]
        ends = [triple["head"]["preferred_name"], triple["relation"], triple["tail"]["preferred_name"]]
        middle = [*ends, triple["kind"]]
    else:
        middle = [hit["passage"]["title"], "", hit["passage"]["text"], "passage"]
    cells = [str(hit["rank"]), *middle, f"{hit['score']:.3f}", hit["source"]]
    if explain:
        cells.append(", ".join(f"{name} {value:.2f}" for name, value in (hit.get("parts") or {}).items()))
    return [Text(cell) for cell in cells]


def _table(columns: tuple[str, ...]) -> Table:
    table = Table(header_style="bold", box=None, pad_edge=False)
    for column in columns:
        # A name may hold square brackets, which are markup otherwise: cells are given as Text.
        table.add_column(column, justify="right" if column in {"#", "score"} else "left", overflow="fold")
    return table
