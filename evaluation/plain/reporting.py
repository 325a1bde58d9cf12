"""Tables and records of a run of plain questions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.table import Table

from evaluation.plain.making import ABSENT, WITHOUT_FACT
from evaluation.plain.running import Judged
from evaluation.plain.scoring import BINS, OUTCOMES, SURE, Share, bin_of


def right_share(judged: Iterable[Judged]) -> Share:
    """The share that is right."""
    found = [it.outcome == "right" for it in judged]
    return Share(sum(found), len(found))


def sure_and_wrong(judged: Iterable[Judged]) -> Share:
    """The share of all answers that is wrong at a confidence of .8 or more."""
    found = [it.outcome == "wrong" and (it.confidence or 0.0) >= SURE for it in judged]
    return Share(sum(found), len(found))


def declined_share(judged: Iterable[Judged], kinds: Sequence[str]) -> Share:
    """The share of the questions of those kinds in which nothing is claimed."""
    return right_share(it for it in judged if it.question.kind in kinds)


def kind_table(name: str, judged: Sequence[Judged]) -> Table:
    """Outcomes by kind, the sum last."""
    table = Table(title=f"{name}: plain questions by kind", title_justify="left")
    table.add_column("kind", no_wrap=True)
    for column in ("questions", *OUTCOMES, f"wrong at ≥ {SURE:g}", "share right", "95 %"):
        table.add_column(column, justify="right", no_wrap=True)
    for kind in dict.fromkeys(it.question.kind for it in judged):
        table.add_row(kind, *_cells([it for it in judged if it.question.kind == kind]))
    table.add_section()
    table.add_row("all", *_cells(judged))
    return table


def confidence_table(name: str, judged: Sequence[Judged]) -> Table:
    """What is right by confidence, of the answers that claim something or rightly do not."""
    table = Table(title=f"{name}: by confidence", title_justify="left")
    for column in ("confidence", "answers", *OUTCOMES, "right"):
        table.add_column(column, justify="right", no_wrap=True)
    for row in _bins(judged):
        table.add_row(
            f"≥ {row['from']:.2f}",
            str(row["answers"]),
            *(str(row[outcome]) for outcome in OUTCOMES),
            f"{row['right_share']:.3f}",
        )
    return table


def summary(judged: Sequence[Judged]) -> str:
    """The figures that count most, in a line."""
    parts = [f"right {_interval(right_share(judged))}"]
    if any(it.confidence is not None for it in judged):
        parts.append(f"wrong at ≥ {SURE:g}: {_interval(sure_and_wrong(judged))}")
    for words, kinds in (("pairs without facts declined", WITHOUT_FACT), ("absent things declined", ABSENT)):
        if (share := declined_share(judged, kinds)).of:
            parts.append(f"{words} {_interval(share)}")
    return "; ".join(parts)


def as_record(judged: Sequence[Judged]) -> dict[str, Any]:
    """Everything for `--json`."""
    kinds = dict.fromkeys(it.question.kind for it in judged)
    return {
        "all": _record(judged),
        "pairs_without_facts_declined": _share(declined_share(judged, WITHOUT_FACT)),
        "absent_declined": _share(declined_share(judged, ABSENT)),
        "kinds": {kind: _record([it for it in judged if it.question.kind == kind]) for kind in kinds},
        "confidence": _bins(judged),
    }


def errors(judged: Iterable[Judged]) -> list[dict[str, Any]]:
    """What is not right: question, what was expected, what came."""
    return [
        {
            "id": it.question.id,
            "kind": it.question.kind,
            "question": it.question.question,
            "outcome": it.outcome,
            "expected": it.question.gold.describe(),
            "got": it.said,
            "confidence": it.confidence,
        }
        for it in judged
        if it.outcome != "right"
    ]


def _bins(judged: Sequence[Judged]) -> list[dict[str, Any]]:
    rows = []
    for low in BINS:
        own = [it for it in judged if it.confidence is not None and bin_of(it.confidence) == low]
        if own:
            counts = _counts(own)
            rows.append({"from": low, "answers": len(own), **counts, "right_share": right_share(own).mean})
    return rows


def _record(judged: Sequence[Judged]) -> dict[str, Any]:
    counts = _counts(judged)
    return {
        "questions": len(judged),
        **counts,
        "right_share": _share(right_share(judged)),
        "sure_and_wrong": _share(sure_and_wrong(judged)),
    }


def _counts(judged: Sequence[Judged]) -> dict[str, int]:
    return {str(outcome): sum(it.outcome == outcome for it in judged) for outcome in OUTCOMES}


def _share(share: Share) -> dict[str, float]:
    low, high = share.bounds
    return {"share": share.mean, "low": low, "high": high, "of": share.of}


def _cells(judged: Sequence[Judged]) -> list[str]:
    share, sure = right_share(judged), sure_and_wrong(judged)
    counts = [str(sum(it.outcome == outcome for it in judged)) for outcome in OUTCOMES]
    low, high = share.bounds
    return [str(len(judged)), *counts, str(sure.hits), f"{share.mean:.3f}", f"{low:.2f}–{high:.2f}"]


def _interval(share: Share) -> str:
    low, high = share.bounds
    return f"{share.mean:.3f} [{low:.3f}, {high:.3f}] of {share.of}"
