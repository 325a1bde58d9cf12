"""`make bench`: how fast a running service answers, without any question file.

    python -m evaluation.speed --url http://127.0.0.1:8000 [--questions FILE] [--json FILE]

The questions are of the length and kind that people ask: a paragraph that
describes what it does not name. Rates of loading are measured by
`python -m graph_loader.speed`.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from evaluation.client import Patience, ServiceClient
from evaluation.naive import NaiveSpeed, naive_speed, sample_triples
from evaluation.questions import read_questions
from evaluation.report import Service, speed_json, speed_table
from evaluation.scripts import run_script
from evaluation.timing import BATCH_SIZE, Speed, measure_speed

NAIVE_QUESTIONS = 2
DESCRIBED = (
    "a phenothiazine antipsychotic that is prescribed for schizophrenia",
    "a loop diuretic given for the oedema of heart failure",
    "a bisphosphonate that slows the loss of bone after the menopause",
    "a proton pump inhibitor that lowers the acid of the stomach",
    "an opioid analgesic that is worn as a patch on the skin",
    "a selective serotonin reuptake inhibitor against depression",
    "an antiviral nucleoside analogue with a thiazole ring",
    "a statin that lowers cholesterol by inhibiting HMG-CoA reductase",
    "a dihydropyridine calcium channel blocker with an ester side chain",
    "a beta blocker with an aryloxypropanolamine and an isopropylamino group",
    "a fluoroquinolone antibiotic with a piperazine ring",
    "a sulfonylurea that makes the pancreas release insulin",
    "a macrolide antibiotic used for infections of the airways",
    "a tetracyclic compound with a tertiary amine and a chlorinated aromatic ring",
    "a corticosteroid with a fluorinated steroid core",
    "a platinum complex that binds to the DNA of tumour cells",
)
ASKED = (
    """Which medication, when it is taken together with {}, has been reported to cause loss of weight
    in patients who are treated for more than one condition at the same time?""",
    """A patient takes {}. Which second drug, an anticonvulsant that is also used for the pain of nerves,
    is associated with an inflammation of the stomach when the two are combined?""",
    """Which compound forms a hydrogen bond with {}, and which of the two acts as the acceptor
    through a carboxylic acid in their interaction?""",
    """Which receptor is bound and inhibited by {}, and through which G protein does it signal
    in the smooth muscle of the airways?""",
)
QUESTIONS = tuple(
    " ".join(template.format(described).split()) for described, template in product(DESCRIBED, ASKED)
)


def measure(
    url: Annotated[str, typer.Option(help="Address of the service.")] = "http://127.0.0.1:8000",
    retriever: Annotated[str, typer.Option(help="Names, separated by commas.")] = "triple,neo4j",
    questions: Annotated[
        Path | None, typer.Option(help="Question file (csv or parquet) to ask instead of our own.")
    ] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="File for the figures.")] = None,
    batch_size: Annotated[int, typer.Option(min=1, help="Questions in one request.")] = BATCH_SIZE,
    naive: Annotated[bool, typer.Option(help="Compare with encoding every triple anew.")] = True,  # noqa: FBT002
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds one answer may take.")] = 120.0,
) -> None:
    """Print p50 and p99 of single questions, the rate of batches, and the ratio of both rates."""
    texts = [question.text for question in read_questions(questions).questions] if questions else QUESTIONS
    console = Console()
    found: dict[str, Speed] = {}
    baseline: NaiveSpeed | None = None
    with ServiceClient(url, Patience(timeout=timeout)) as client:
        service = Service.of(client)
        console.print(f"{service.describe()}.", soft_wrap=True, highlight=False)
        for name in filter(None, (part.strip() for part in retriever.split(","))):
            found[name], _ = measure_speed(client, name, texts, batch_size=batch_size)
        if naive:
            sample = sample_triples(client)
            baseline = naive_speed(texts[:NAIVE_QUESTIONS], sample, triples=sum(service.triples.values()))
    console.print(speed_table(found.items(), baseline))
    if baseline is not None:
        console.print(
            f"Naive baseline: {baseline.seconds:.1f} s a question, encoding all {baseline.triples:,} triples "
            f"for each (scaled up from {baseline.sample}) and looping over the cosines.",
            soft_wrap=True,
            highlight=False,
        )
    if json_file is not None:
        figures = {
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
            "service": asdict(service),
            "questions": len(texts),
            "retrievers": {name: speed_json(speed) for name, speed in found.items()},
            "naive": asdict(baseline) if baseline else None,
        }
        json_file.write_text(json.dumps(figures, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    run_script(measure)
