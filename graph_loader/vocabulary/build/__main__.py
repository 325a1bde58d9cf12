"""python -m graph_loader.vocabulary.build: make the tables of biomolkg/lexicon again."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from biomolkg.errors import BioMolKGError
from biomolkg.lexicon.tables import TABLES
from graph_loader.vocabulary.build.command import build_tables, write_tables


def main(arguments: list[str]) -> int:
    """The command; 1 when the data cannot be read."""
    parser = argparse.ArgumentParser(
        prog="python -m graph_loader.vocabulary.build",
        description="Make the bundled tables of names, classes and identifiers from the vocabularies.",
        epilog="example: python -m graph_loader.vocabulary.build --data ../shared/data",
    )
    parser.add_argument(
        "--data", type=Path, required=True, help="folder that holds vocabularies/ and drugcentral/"
    )
    parser.add_argument("--out", type=Path, default=TABLES, help="where to write (the package's own tables)")
    given = parser.parse_args(arguments)
    try:
        tables = build_tables(given.data)
    except BioMolKGError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    for path in write_tables(tables, given.out):
        rows = len(tables[path.name.split(".")[0]])
        sys.stdout.write(f"{path.name}\t{rows} rows\t{path.stat().st_size} bytes\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
