"""A benchmark as one HTML page: tables and bars, nothing fetched from elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from biomolkg.errors import SourceError
from evaluation.answering import MEASURES
from evaluation.metrics import CUTOFFS, Estimate
from evaluation.published import BIOMOLMQA
from evaluation.report import Report

_STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
table { border-collapse: collapse; margin: .5rem 0 2rem; width: 100% }
th, td { padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #dde3ea; white-space: nowrap }
th:first-child, td:first-child { text-align: left }
th { background: #f2f5f8 } .paper td { color: #66717d } svg { vertical-align: middle }
.scroll { overflow-x: auto } .meta, .note { color: #55606c; font-size: 13px }
"""
_WIDTH, _HEIGHT = 220, 14


def write_html(report: Report, path: Path) -> None:
    """Write the page. Raises SourceError when the file cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(report), encoding="utf-8")
    except OSError as error:
        raise SourceError(f"{path} cannot be written: {error.strerror or error}.") from error


def page(report: Report) -> str:
    """The page: what was measured of what, a table a group of questions, answers, speed, notes."""
    title = f"BioMol-MQA, {report.setup.gold} of {report.questions.name}"
    return "\n".join(
        [
            "<!DOCTYPE html>",
            f'<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>',
            f"<style>{_STYLE}</style></head><body>",
            f"<h1>{escape(title)}</h1>",
            f'<p class="meta">{escape(report.date)}. {escape(report.service.describe())}.</p>',
            *_quality(report),
            *_answers(report),
            *_speed(report),
            *(f'<p class="note">{escape(note)}</p>' for note in report.notes()),
            *(
                f'<p class="note">{escape(name)} failed: {escape(why)}</p>'
                for name, why in report.failures.items()
            ),
            "</body></html>",
            "",
        ]
    )


def bar(estimate: Estimate) -> str:
    """A bar from 0 to 1 with its interval, as SVG."""
    full, low, high = (_WIDTH * value for value in (estimate.mean, estimate.low, estimate.high))
    middle = _HEIGHT / 2
    return (
        f'<svg width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-label="{estimate.mean:.3f}">'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#eef2f6"/>'
        f'<rect width="{full:.1f}" height="{_HEIGHT}" fill="#3d7ea6"/>'
        f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}" stroke="#123" stroke-width="2"/>'
        "</svg>"
    )


def _quality(report: Report) -> Iterable[str]:
    names = list(dict.fromkeys(group.name for outcome in report.outcomes for group in outcome.groups))
    head = ("retriever", "n", *(f"hard/soft@{k}" for k in CUTOFFS), "recall@5", "MRR", "")
    for name in names:
        rows = []
        for outcome in report.outcomes:
            for group in outcome.groups:
                if group.name == name:
                    found = group.measures
                    rows.append(
                        [
                            outcome.retriever,
                            str(group.questions),
                            *(
                                f"{found[f'hard@{k}'].mean:.2f} / {found[f'soft@{k}'].mean:.2f}"
                                for k in CUTOFFS
                            ),
                            f"{found['recall@5'].mean:.2f}",
                            _interval(found["mrr"]),
                            bar(found["mrr"]),
                        ]
                    )
        paper = []
        if name == names[0]:
            paper = [
                [
                    f"paper: {row.system}, {row.over}",
                    "168",
                    *(
                        "" if it is None else f"{it[0]:.2f} / {it[1]:.2f}"
                        for it in (row.at5, row.at10, row.at15)
                    ),
                    "",
                    f"{row.mrr:.2f}",
                    bar(Estimate(row.mrr, row.mrr, row.mrr)),
                ]
                for row in BIOMOLMQA
            ]
        yield f"<h2>{escape(name)}</h2>"
        yield _table(head, rows, paper)


def _answers(report: Report) -> Iterable[str]:
    if report.answers:
        yield "<h2>Answers</h2>"
        rows = [
            [
                f"{outcome.name}: {group.name}",
                str(group.questions),
                _interval(group.measures[MEASURES[0]]),
                *(f"{group.measures[name].mean:.3f}" for name in MEASURES[1:]),
                bar(group.measures[MEASURES[0]]),
            ]
            for outcome in report.answers
            for group in outcome.groups
        ]
        yield _table(("questions", "n", *MEASURES, ""), rows)


def _speed(report: Report) -> Iterable[str]:
    rows = [
        [
            outcome.retriever,
            *(f"{value:.1f}" for it in (speed.first, speed.again) for value in (it.p50, it.p99)),
            f"{speed.single_rate:.1f}",
            f"{speed.batch_rate:.1f}",
        ]
        for outcome in report.outcomes
        if (speed := outcome.speed)
    ]
    if rows:
        yield "<h2>Speed over HTTP</h2>"
        yield _table(
            ("retriever", "first p50, ms", "first p99", "again p50", "again p99", "single/s", "batched/s"),
            rows,
        )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]], paper: Sequence[Sequence[str]] = ()) -> str:
    def line(cells: Sequence[str], tag: str, kind: str = "") -> str:
        shown = "".join(f"<{tag}>{it if it.startswith('<svg') else escape(it)}</{tag}>" for it in cells)
        return f"<tr{kind}>{shown}</tr>"

    body = [line(row, "td") for row in rows] + [line(row, "td", ' class="paper"') for row in paper]
    return f'<div class="scroll"><table>{line(head, "th")}{"".join(body)}</table></div>'


def _interval(estimate: Estimate) -> str:
    return f"{estimate.mean:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"
