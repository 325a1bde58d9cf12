"""The vocabulary of groups against its oracles: python -m evaluation.group_oracles --data ../shared/data.

Example: python -m evaluation.group_oracles --data ../shared/data --json agreement.json
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from biomolkg.errors import RequestFailed
from biomolkg.molecules import group_vocabulary, parent_of, parse_smiles
from evaluation.group_oracles.agreement import SHOWN, Agreement, Totals, measure, totals, without_oracle
from evaluation.group_oracles.molecules import DRUGCENTRAL, Molecule, starter_molecules, varied_molecules
from evaluation.group_oracles.oracles import CHEBI, has_accfg, make_oracles
from evaluation.group_oracles.table import oracle_rows
from evaluation.scripts import run_script


def main(
    data: Annotated[
        Path | None,
        typer.Option(help=f"Folder with {DRUGCENTRAL} and {CHEBI}; without it neither is used."),
    ] = None,
    molecules: Annotated[
        Path | None,
        typer.Option(help="Molecules to use instead: lines of a SMILES and, after a tab, a name."),
    ] = None,
    entry: Annotated[str | None, typer.Option(help="Only this entry of the vocabulary.")] = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write every row to this file too.")
    ] = None,
) -> None:
    """Hold every entry of the vocabulary of groups against its oracles, and print where they differ.

    Example: python -m evaluation.group_oracles --data ../shared/data
    """
    rows = [row for row in oracle_rows() if entry in {None, row.entry}]
    if not rows:
        raise RequestFailed(
            f"No oracle speaks of {entry!r}.", remedy="Give the name of an entry of groups.tsv."
        )
    if not has_accfg():
        print("AccFG is not installed (pip install 'biomolkg[oracle]'), so its rows are left out.\n")
    used = _molecules(data, molecules)
    found = measure(rows, used, make_oracles(rows, data=data))
    _print(found, totals(found), len(used))
    if json_file is not None:
        json_file.write_text(json.dumps(_as_json(found, len(used)), indent=1) + "\n", encoding="utf-8")


def _molecules(data: Path | None, file: Path | None) -> list[Molecule]:
    if file is not None:
        return [_molecule(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return starter_molecules() + (varied_molecules(data) if data is not None else [])


def _molecule(line: str) -> Molecule:
    smiles, _, name = line.partition("\t")
    whole = parse_smiles(smiles)
    return Molecule(smiles, name.strip() or smiles, whole, parent_of(whole))


def _print(found: Sequence[Agreement], summary: Totals, molecules: int) -> None:
    print("entry\toracle\tjudgement\tentry n\toracle n\tboth\tprecision\trecall")
    for one in found:
        row = one.row
        print(
            row.entry,
            row.oracle,
            row.judgement,
            one.entry,
            one.oracle,
            one.both,
            _shown(one.precision),
            _shown(one.recall),
            sep="\t",
        )
    print("\nWhere they differ:")
    for one in found:
        for side, names in (("only the entry", one.extra), ("only the oracle", one.missing)):
            if names and (one.row.judgement == "same" or one.wrong):
                shown = "; ".join(names[:SHOWN])
                print(
                    f"{one.row.entry} ({one.row.oracle}): {side} finds {len(names)}: {shown}. "
                    f"{one.row.oracle} {one.row.reason}."
                )
    alone = without_oracle(oracle_rows())
    print(f"\n{len(alone)} of {len(group_vocabulary())} entries have no oracle: {', '.join(alone)}")
    print(f"Rows: {_counts(found)}")
    print(
        f"{molecules} molecules, {summary.rows} rows judged the same of {summary.entries} entries: "
        f"precision {summary.precision:.4f}, recall {summary.recall:.4f}; {summary.both} occurrences in both"
    )


def _counts(found: Sequence[Agreement]) -> str:
    counted = Counter((one.row.oracle, one.row.judgement) for one in found)
    return ", ".join(f"{oracle} {judgement} {n}" for (oracle, judgement), n in sorted(counted.items()))


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _as_json(found: Sequence[Agreement], molecules: int) -> dict[str, Any]:
    summary = totals(found)
    return {
        "molecules": molecules,
        "rows_same": summary.rows,
        "entries_same": summary.entries,
        "precision": summary.precision,
        "recall": summary.recall,
        "without_oracle": without_oracle(oracle_rows()),
        "rows": [
            {
                "entry": one.row.entry,
                "oracle": one.row.oracle,
                "terms": one.row.terms,
                "judgement": one.row.judgement,
                "reason": one.row.reason,
                "entry_n": one.entry,
                "oracle_n": one.oracle,
                "both": one.both,
                "precision": one.precision,
                "recall": one.recall,
                "extra": one.extra[:SHOWN],
                "missing": one.missing[:SHOWN],
            }
            for one in found
        ],
    }


if __name__ == "__main__":
    run_script(main)
