"""Which command reads a file that another one was given, by its columns or its name."""

from __future__ import annotations

from collections.abc import Iterable

# What tells a format, by the columns that it has: (all of these, the command).
_COLUMNS = (
    ({"subject", "predicate", "object"}, "It looks like KGX, which `biomolkg load kgx` reads."),
    ({"id", "category"}, "It looks like KGX, which `biomolkg load kgx` reads."),
    ({"item_id_a", "item_id_b", "mode"}, "It looks like STITCH, which `biomolkg load stitch` reads."),
    ({"chemical", "protein", "combined_score"}, "It looks like STITCH, which `biomolkg load stitch` reads."),
    ({"stitch 1", "stitch 2"}, "It looks like Decagon, which `biomolkg load decagon` reads."),
    ({"stitch", "gene"}, "It looks like Decagon, which `biomolkg load decagon` reads."),
    ({"name", "inchikey"}, "Names of drugs that the graph has are read by `biomolkg load names`."),
    ({"name", "synonyms"}, "Names of drugs that the graph has are read by `biomolkg load names`."),
)
_HEADER_FILE = (
    "Is the header missing? Write it, such as :START_ID,:TYPE,:END_ID, as NAME-header.csv, "
    "and call the data NAME-part000.csv without a first line of other names."
)
_ENDINGS = (
    ((".tar.gz", ".tgz", ".tar", ".zip", ".7z", ".bz2", ".xz"), "Unpack the archive and give its folder."),
    ((".jsonl", ".jsonl.gz", ".ndjson"), "KGX as JSON Lines is read by `biomolkg load kgx`."),
    (
        (".json", ".json.gz"),
        "JSON of labels is read by `biomolkg load openfda`, of diagrams by `load reactome`.",
    ),
    ((".xml", ".xml.gz"), "Labels in XML are read by `biomolkg load spl`."),
    ((".obo", ".obo.gz"), "DrugCentral's ontology is read by `biomolkg load names`."),
    (
        (".smi", ".sdf", ".mol"),
        "Write the structures as CSV with the columns :ID, name, smiles, :LABEL.",
    ),
    ((".parquet",), "Write Parquet as CSV first."),
)


def hint_of_columns(columns: Iterable[str], *, otherwise: str = _HEADER_FILE) -> str:
    """Which command reads a table that has these columns; `otherwise` where none is known."""
    known = {column.strip().lower() for column in columns}
    return next((hint for wanted, hint in _COLUMNS if wanted <= known), otherwise)


def hint_of_files(names: Iterable[str]) -> str:
    """What to do with files of these names; empty when nothing is known of them."""
    written = [name.lower() for name in names]
    return next((hint for endings, hint in _ENDINGS if any(name.endswith(endings) for name in written)), "")
