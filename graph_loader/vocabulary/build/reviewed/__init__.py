"""Tables written and reviewed by hand, from general knowledge of pharmacy and medicine."""

from __future__ import annotations

import csv
from pathlib import Path

_FOLDER = Path(__file__).parent


def reviewed(name: str) -> list[dict[str, str]]:
    """The rows of a reviewed table by column; cells that a short row lacks are empty."""
    with (_FOLDER / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE, restval="")
        return [{column: (cell or "").strip() for column, cell in row.items()} for row in rows]
