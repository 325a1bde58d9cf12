import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from biomolkg.errors import SourceError
from biomolkg.settings import Settings
from graph_loader.labels import Label, Substance
from graph_loader.ledger import Omissions
from graph_loader.sources.openfda import read_openfda

RESULT = {
    "set_id": "11111111-AAAA-3333-4444-555555555555",
    "id": "99999999-2222-3333-4444-555555555555",
    "version": "7",
    "effective_time": "20200131",
    "spl_product_data_elements": ["Exemplin exemplinol EXEMPLINOL SODIUM STARCH"],
    "boxed_warning": ["WARNING: deaths"],
    "warnings": ["Old warnings"],
    "warnings_and_cautions": ["New warnings"],
    "warnings_and_cautions_table": ["<table><tr><td>New</td></tr></table>"],
    "spl_unclassified_section": ["First\n\n  part", "Second part"],
    "novel_section": ["Something new"],
    "openfda": {
        "brand_name": ["Exemplin"],
        "generic_name": ["EXEMPLINOL"],
        "substance_name": ["EXEMPLINOL SODIUM"],
        "unii": ["AAAAAAAAA1"],
        "route": ["ORAL"],
        "manufacturer_name": ["Maker"],
        "product_type": ["HUMAN PRESCRIPTION DRUG"],
    },
}


def read(path: Path, **limits: int) -> tuple[list[Label], dict[str, int]]:
    omissions = Omissions()
    labels = list(read_openfda(path, Settings(**limits), omissions))
    return labels, {each.reason: each.count for each in omissions.listed()}


def written(folder: Path, name: str, value: object) -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_a_label_of_openfda(tmp_path: Path) -> None:
    (label,), skipped = read(written(tmp_path, "label.json", {"meta": {"x": 1}, "results": [RESULT]}))
    assert not skipped
    assert (label.id, label.version, label.effective) == (
        "dailymed:11111111-aaaa-3333-4444-555555555555",
        7,
        "2020-01-31",
    )
    assert (label.name, label.generic_names, label.maker) == ("Exemplin", ("EXEMPLINOL",), "Maker")
    assert label.substances == (Substance("EXEMPLINOL SODIUM", "AAAAAAAAA1"),)
    assert [(each.code, each.topic, each.text, each.boxed) for each in label.sections] == [
        ("34066-1", "Boxed warning", "WARNING: deaths", True),
        ("34071-1", "Warnings", "Old warnings", False),
        ("43685-7", "Warnings", "New warnings", False),
        ("42229-5", "Unclassified", "First\npart", False),
        ("42229-5", "Unclassified", "Second part", False),
        (None, None, "Something new", False),
    ]
    titles = [passage.title for passage in label.passages()]
    assert titles == [
        "Boxed warning",
        "Warnings",
        "Warnings",
        "Unclassified",
        "Unclassified",
        "Novel section",
    ]


@pytest.mark.parametrize("form", ["results", "list", "lines", "zip", "zip mark", "mark", "gz", "gz mark"])
def test_every_form_of_the_same_labels(tmp_path: Path, form: str) -> None:
    results = [{**RESULT, "set_id": f"set-{at}"} for at in range(3)]
    bulk = json.dumps({"results": results})
    marked = ("\ufeff" if "mark" in form else "") + bulk
    if form.startswith("zip"):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            archive.writestr("drug-label-0001.json", marked)
        path = tmp_path / "bulk.json.zip"
        path.write_bytes(out.getvalue())
    elif form.startswith("gz"):
        path = tmp_path / "bulk.json.gz"
        path.write_bytes(gzip.compress(marked.encode()))
    else:
        texts = {
            "results": bulk,
            "list": json.dumps(results),
            "lines": "\n".join(map(json.dumps, results)),
            "mark": marked,
        }
        path = written(tmp_path, "labels.json", texts[form])
    labels, skipped = read(path)
    assert [each.set_id for each in labels] == ["set-0", "set-1", "set-2"]
    assert not skipped


def test_without_harmonised_names_the_product_data_name_it(tmp_path: Path) -> None:
    bare = {key: value for key, value in RESULT.items() if key != "openfda"}
    (label,), _ = read(written(tmp_path, "label.json", {"results": [bare]}))
    assert label.name == "Exemplin exemplinol"
    assert label.set_id == "11111111-aaaa-3333-4444-555555555555"


def test_several_substances_are_not_paired_with_uniis(tmp_path: Path) -> None:
    openfda = {**RESULT["openfda"], "substance_name": ["A", "B"], "unii": ["AAAAAAAAA2", "AAAAAAAAA1"]}  # type: ignore[dict-item]
    (label,), _ = read(written(tmp_path, "label.json", {"results": [{**RESULT, "openfda": openfda}]}))
    assert [each.unii for each in label.substances if each.name in {"A", "B"}] == [None, None]
    assert {each.unii for each in label.substances} == {None, "AAAAAAAAA1", "AAAAAAAAA2"}


def test_what_cannot_be_taken_is_counted(tmp_path: Path) -> None:
    results = [
        RESULT,
        RESULT,
        7,
        {**RESULT, "set_id": None, "id": "x y"},
        {"set_id": "silent"},
        {
            "set_id": "odd",
            "openfda": [],
            "version": {},
            "effective_time": 5,
            "warnings": [["nested"], 3, "Kept\x00 \ud800text"],
        },
    ]
    labels, skipped = read(written(tmp_path, "label.json", {"results": results}))
    assert skipped == {
        "a set id again": 1,
        "no label object": 1,
        "no set id": 1,
        "a label that says nothing": 1,
    }
    (section,) = labels[1].sections
    assert section.text.encode().split() == [b"Kept", *section.text.encode().split()[1:]]
    assert "\x00" not in section.text


def test_rows_of_drug_section_and_text(tmp_path: Path) -> None:
    rows = [
        {"drug": "Exemplin", "section": "Drug Interactions", "text": "One."},
        {"drug": "Other", "section": "Warnings and Precautions", "text": "Two."},
        {"drug": "EXEMPLIN", "section": "My own heading", "text": "Three."},
        {"drug": "Exemplin", "section": "Uses"},
    ]
    labels, skipped = read(written(tmp_path, "any.json", rows))
    found = [(label.id, each.code, each.title, each.text) for label in labels for each in label.sections]
    assert found == [
        ("label.text:exemplin", "34073-7", "Drug Interactions", "One."),
        ("label.text:exemplin", None, "My own heading", "Three."),
        ("label.text:other", "43685-7", "Warnings and Precautions", "Two."),
    ]
    assert skipped == {"a row without drug, section or text": 1}


def test_texts_by_name_of_the_section_in_the_file_name(tmp_path: Path) -> None:
    texts = (
        '{"Exemplin": "Pain.", "exemplin": "Pain.", "EXEMPLIN": "Rash.", "Empty": " ", "List": ["a", "b"]}'
    )
    labels, skipped = read(written(tmp_path, "adverse_reactions.json", texts))
    assert [(label.set_id, label.sections[0].code, label.sections[0].text) for label in labels] == [
        ("adverse_reactions-exemplin", "34084-4", "Pain."),
        ("adverse_reactions-exemplin-2", "34084-4", "Rash."),
        ("adverse_reactions-list", "34084-4", "a"),
    ]
    assert skipped == {"a name and text again": 1, "a label that says nothing": 1}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "", "no readable JSON"),
        ("a.json", "no json", "no readable JSON"),
        ("a.json", json.dumps({"results": [RESULT]})[:-40], "no readable JSON"),
        ("a.json", '{"results": []}', "holds no label"),
        ("a.json", '{"results": ' + "[" * 100_000, "120 deep"),
        ("a.json", '{"x": "y"}', "none of the layouts"),
        ("a.json", '"text"', "none of the layouts"),
        ("a.json.zip", "PK no zip", "cannot be read"),
        ("a.csv", "a,b", "holds no label"),
        (None, None, "does not exist"),
    ],
)
def test_what_holds_no_label_is_an_error(
    tmp_path: Path, name: str | None, content: str | None, message: str
) -> None:
    path = tmp_path / "missing.json" if name is None or content is None else written(tmp_path, name, content)
    with pytest.raises(SourceError, match=message) as error:
        read(path)
    assert "\n" not in str(error.value)


def test_a_zip_that_grows_too_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", json.dumps({"results": [{**RESULT, "warnings": "a" * 2_000_000}]}))
    with pytest.raises(SourceError, match="unpacks to too much"):
        read(path)


def test_a_gzipped_file_that_grows_too_much_or_is_cut_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.json.gz"
    path.write_bytes(
        gzip.compress(json.dumps({"results": [{**RESULT, "warnings": "a" * 2_000_000}]}).encode())
    )
    with pytest.raises(SourceError, match="unpacks to too much"):
        read(path)
    whole = gzip.compress(json.dumps({"results": [RESULT]}).encode())
    for cut in (1, 5, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(SourceError):
            read(path)


def test_every_cut_and_damage_of_a_zip_is_an_error_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "bulk.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", json.dumps({"results": [RESULT]}))
    whole = path.read_bytes()
    damaged = [whole[:-at] for at in range(1, 100, 7)]
    damaged += [whole[:at] + b"\xff\xff" + whole[at + 2 :] for at in range(30, len(whole) - 200, 37)]
    for content in damaged:
        path.write_bytes(content)
        with pytest.raises(SourceError, match=r"bulk\.zip"):
            read(path)


def test_a_broken_file_of_a_folder_is_counted(tmp_path: Path) -> None:
    written(tmp_path, "a.json", {"results": [RESULT]})
    written(tmp_path, "b.json", "{")
    written(tmp_path, "c.txt", "text")
    labels, skipped = read(tmp_path)
    assert len(labels) == 1
    assert skipped == {"unreadable from some place on": 1, "a file of another kind": 1}


def test_rows_are_held_within_a_limit(tmp_path: Path) -> None:
    rows = [{"drug": f"d{at}", "section": "Uses", "text": "word " * 100} for at in range(10)]
    with pytest.raises(SourceError, match="more than 2,048 characters"):
        read(written(tmp_path, "rows.json", rows), label_max_bytes=2_048)
