"""Graphs in neo4j-admin's CSV files: round trips, layouts as published, and files that are broken."""

from __future__ import annotations

import gzip
import math
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from biomolkg.errors import InputError, SourceError
from graph_loader.checks import Seen
from graph_loader.delimited import Dialect, read_rows, separator, split_line
from graph_loader.export import Form, group_arguments, write_edges, write_nodes
from graph_loader.graph_records import GraphEdge, GraphNode, Literal, Record
from graph_loader.reading import Reading
from graph_loader.sources.csv_graph import (
    Column,
    CsvEdge,
    CsvNode,
    Mapping,
    find_layout,
    parse_header,
    read_csv_graph,
    read_group,
    read_mapping,
)
from graph_loader.sources.csv_graph.layout import Written, match_files
from graph_loader.sources.csv_graph.source import dataset_name
from graph_loader.table_sources import csv_source
from graph_loader.tables import read_text

COLUMNS = (
    Column("text"),
    Column("odd:na,me\"'"),
    Column("whole", kind="long"),
    Column("small", kind="byte"),
    Column("real", kind="double"),
    Column("yes", kind="boolean"),
    Column("day", kind="date"),
    Column("words", array=True),
    Column("numbers", kind="int", array=True),
)
# What quoting must survive comes up often enough to meet itself.
HOSTILE = st.text(
    st.one_of(
        st.sampled_from(list(",;|\t\"'\n\r\\ :[]{}\u2028\x85\ufeff€𝔘")),
        st.characters(blacklist_characters="\0\x1f", blacklist_categories=("Cs",)),
    ),
    max_size=8,
)
FULL = HOSTILE.filter(lambda text: bool(text.strip()))
INT32 = st.integers(-(2**31), 2**31 - 1)
VALUES: dict[str, st.SearchStrategy[object]] = {
    "text": HOSTILE,
    "odd:na,me\"'": HOSTILE,
    "whole": st.integers(-(2**63), 2**63 - 1),
    "small": st.integers(-128, 127),
    "real": st.floats(allow_nan=False),
    "yes": st.booleans(),
    "day": st.dates().map(lambda day: Literal("date", day.isoformat())),
    "words": st.lists(HOSTILE, max_size=3).map(tuple).filter(lambda words: words != ("",)),
    "numbers": st.lists(INT32, max_size=3).map(tuple),
}
PROPERTIES = st.fixed_dictionaries({}, optional=VALUES)
NODES = st.lists(
    st.builds(CsvNode, FULL, st.just("Space"), st.lists(FULL, max_size=3).map(tuple), PROPERTIES), max_size=4
)
EDGES = st.lists(st.builds(CsvEdge, FULL, FULL, FULL, st.just("A"), st.just(""), PROPERTIES), max_size=4)
FORMS = st.builds(
    Form,
    st.builds(Dialect, st.sampled_from([",", ";", "\t", "€"]), st.sampled_from(['"', "'"])),
    st.just("\x1f"),
)
IN_ONE_FOLDER = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def records(path: Path, mapping: Mapping | None = None) -> tuple[list[Record], Reading]:
    reading = Reading()
    return list(read_csv_graph(path, reading, mapping)), reading


def nodes_of(found: list[Record]) -> list[GraphNode]:
    return [item for item in found if isinstance(item, GraphNode)]


def edges_of(found: list[Record]) -> list[GraphEdge]:
    return [item for item in found if isinstance(item, GraphEdge)]


def reasons(reading: Reading) -> dict[str, int]:
    return {item.reason: item.count for item in reading.skipped.listed()}


def notes(reading: Reading) -> dict[str, int]:
    return {item.reason: item.count for item in reading.noted.listed()}


def save(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8", newline="")
    return folder


@IN_ONE_FOLDER
@given(nodes=NODES, form=FORMS, rows_per_file=st.integers(1, 3))
def test_nodes_come_back_as_they_were(
    tmp_path: Path, nodes: list[CsvNode], form: Form, rows_per_file: int
) -> None:
    group = write_nodes(tmp_path, "n", COLUMNS, nodes, space="Space", form=form, rows_per_file=rows_per_file)
    reading = Reading()
    found = [item.record for item in read_group(group, form.dialect, form.array_delimiter, reading)]
    assert found == nodes
    assert [type(value) for node in found for value in node.properties.values()] == [
        type(node.properties[name]) for node in nodes for name in node_order(node)
    ]
    assert not reading.skipped.listed()
    assert not reading.noted.listed()


def node_order(node: CsvNode) -> list[str]:
    return [column.name for column in COLUMNS if column.name in node.properties]


@IN_ONE_FOLDER
@given(edges=EDGES, form=FORMS)
def test_relationships_come_back_as_they_were(tmp_path: Path, edges: list[CsvEdge], form: Form) -> None:
    group = write_edges(tmp_path, "e", COLUMNS, edges, start_space="A", form=form)
    found = [item.record for item in read_group(group, form.dialect, form.array_delimiter, Reading())]
    assert found == edges


def test_a_number_that_is_none_comes_back(tmp_path: Path) -> None:
    nodes = [CsvNode("a", properties={"real": value}) for value in (math.nan, math.inf, -math.inf)]
    group = write_nodes(tmp_path, "n", COLUMNS, nodes)
    found = [item.record.properties["real"] for item in read_group(group, Dialect(), "\x1f", Reading())]
    assert repr(found) == "[nan, inf, -inf]"


@IN_ONE_FOLDER
@given(text=HOSTILE, place=st.integers(0, 8), damage=st.sampled_from(["\0", "\ud800"]))
def test_what_cannot_be_written_is_refused(tmp_path: Path, text: str, place: int, damage: str) -> None:
    broken = text[:place] + damage + text[place:]
    for properties in ({"text": broken}, {"words": (broken, "")}):
        with pytest.raises(InputError):
            write_nodes(tmp_path, "n", COLUMNS, [CsvNode("a", properties=properties)])
    with pytest.raises(InputError):
        write_nodes(tmp_path, "n", COLUMNS, [CsvNode("a", labels=(broken,))])
    with pytest.raises(InputError):
        write_edges(tmp_path, "e", (), [CsvEdge("a", "b", broken)])


@pytest.mark.parametrize(
    ("properties", "said"),
    [
        ({"words": ("",)}, "empty list"),
        ({"words": ("a\x1fb",)}, "array delimiter"),
        ({"whole": 2**63}, "no long"),
        ({"whole": True}, "no long"),
        ({"real": 1}, "no double"),
        ({"text": ("a",)}, "no string"),
        ({"other": "x"}, "without a column: other"),
    ],
)
def test_values_that_do_not_fit_their_column_are_refused(
    tmp_path: Path, properties: dict[str, object], said: str
) -> None:
    with pytest.raises(InputError, match=said):
        write_nodes(tmp_path, "n", COLUMNS, [CsvNode("a1", properties=properties)])  # type: ignore[arg-type]


def test_the_options_for_neo4j_admin_say_how_files_are_written(tmp_path: Path) -> None:
    group = write_nodes(tmp_path, "n", (), [CsvNode("a", labels=("Drug",))])
    assert group_arguments(group, edges=False) == f"--nodes={tmp_path}/n-header.csv,{tmp_path}/n-part000.csv"
    assert Form().arguments()[:2] == ["--delimiter=,", "--array-delimiter=U+001F"]


@IN_ONE_FOLDER
@given(cells=st.lists(st.one_of(st.none(), HOSTILE), min_size=2, max_size=5), form=FORMS)
def test_a_line_splits_into_what_was_joined(cells: list[str | None], form: Form) -> None:
    quote = form.dialect.quote or ""
    line = form.dialect.delimiter.join(
        "" if cell is None else quote + cell.replace(quote, quote * 2) + quote for cell in cells
    )
    assert split_line(line, form.dialect) == cells


@pytest.mark.parametrize(
    ("written", "character"),
    [(";", ";"), ("TAB", "\t"), ("\\t", "\t"), ("\\9", "\t"), ("\\44", ","), ("U+20AC", "€"), ("€", "€")],
)
def test_a_separator_is_written_as_neo4j_admin_takes_it(written: str, character: str) -> None:
    assert separator(written, "delimiter") == character


@pytest.mark.parametrize("written", ["", "||", "€€", "𝔘", "\n", "U+D800", "U+000A", "\\0", "\\99999"])
def test_what_is_not_one_character_of_16_bits_is_no_separator(written: str) -> None:
    with pytest.raises(SourceError, match="delimiter"):
        separator(written, "delimiter")


def test_headers_are_read_as_the_manual_has_them() -> None:
    header = parse_header(
        [
            "movieId:ID(Movie){label:Movie}",
            "title",
            "year:int",
            "tags:string[]",
            "at:point{crs:WGS-84}",
            "a:b:long",
            "x:IGNORE",
            "",
            ":LABEL",
        ],
        "movies.csv",
    )
    assert [(one.name, one.role, one.kind, one.array, one.space) for one in header.columns] == [
        ("movieId", "ID", "string", False, "Movie"),
        ("title", None, "string", False, ""),
        ("year", None, "int", False, ""),
        ("tags", None, "string", True, ""),
        ("at", None, "point", False, ""),
        ("a:b", None, "long", False, ""),
        ("x", "IGNORE", "string", False, ""),
        ("", "IGNORE", "string", False, ""),
        ("", "LABEL", "string", False, ""),
    ]
    ends = parse_header([":START_ID(A):int", ":END_ID", ":TYPE"], "e.csv")
    assert ends.is_edges
    assert ends.columns[0].space == "A"


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["name"], "neither a file of nodes nor of relationships"),
        ([], "neither a file of nodes nor of relationships"),
        ([":ID", "age:years"], "'age:years' has no type"),
        ([":ID", ":ID"], "more than one column :ID"),
        ([":ID", "a", "a:int"], "property 'a' twice"),
        ([":START_ID", ":TYPE"], "no :END_ID"),
        ([":ID", ":int"], "a type but no name"),
        ([":ID", ":START_ID", ":END_ID"], "neither"),
    ],
)
def test_headers_that_cannot_be_used_are_refused(cells: list[str], said: str) -> None:
    with pytest.raises(SourceError, match=said):
        parse_header(cells, "x.csv")


def biocypher(folder: Path) -> Path:
    """A small graph as BioCypher lays it out: delimiter `;`, arrays by `|`, quote `'`."""
    files = {
        "Drug-header.csv": ":ID;name;synonyms:string[];smiles;:LABEL",
        "Drug-part000.csv": "'CHEBI:17489';'3'',5''-cyclic AMP';'cAMP|3,5-AMP';'O=P';'Drug|Entity'\n",
        "Drug-part001.csv": "'CHEBI:1';'Crohn;s \"x\"';'';'';'Drug'\n",
        "Drug-part010.csv": "'CHEBI:2';'ten';;;'Drug'\n",
        "Protein-header.csv": ":ID;name;length:long;:LABEL",
        "Protein-part000.csv": "'UniProtKB:P35367';'Histamine H1 receptor';487;'Protein'\n",
        "Targets-header.csv": ":START_ID;score:double;:END_ID;:TYPE",
        "Targets-part000.csv": "'CHEBI:17489';0.5;'UniProtKB:P35367';'TARGETS_PROTEIN'\n",
    }
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    call = (
        "bin/neo4j-admin database import full neo4j "
        '--delimiter=";" --array-delimiter="|" --quote="\'" --overwrite-destination=true '
        '--nodes="/elsewhere/out/Drug-header.csv,/elsewhere/out/Drug-part.*" '
        '--nodes="/elsewhere/out/Protein-header.csv,/elsewhere/out/Protein-part.*" '
        '--relationships="/elsewhere/out/Targets-header.csv,/elsewhere/out/Targets-part.*" '
    )
    older = call.replace("database import full", "import")
    script = (
        "#!/bin/bash\nversion=$(bin/neo4j-admin --version | cut -d '.' -f 1)\n"
        f"if [[ $version -ge 5 ]]; then\n\t{call}\nelse\n\t{older}\nfi"
    )
    (folder / "neo4j-admin-import-call.sh").write_text(script, encoding="utf-8")
    return folder


def test_a_folder_of_biocypher_is_read_by_its_import_script(tmp_path: Path) -> None:
    found, reading = records(biocypher(tmp_path))
    amp, crohn, ten, receptor = nodes_of(found)
    assert (amp.id, amp.kind, amp.name) == ("chebi:17489", "Drug", "3',5'-cyclic AMP")
    assert (amp.synonyms, amp.smiles, amp.labels) == (("cAMP", "3,5-AMP"), "O=P", ("Drug", "Entity"))
    assert (crohn.name, crohn.smiles, ten.id) == ('Crohn;s "x"', None, "chebi:2")
    assert (receptor.id, receptor.properties) == ("uniprot:P35367", {"length": 487})
    (edge,) = edges_of(found)
    assert (edge.head, edge.relation, edge.tail) == ("chebi:17489", "targets protein", "uniprot:P35367")
    assert (edge.kind, edge.type, edge.properties) == ("FACT", "TARGETS_PROTEIN", {"score": 0.5})
    assert edge.source.endswith(":Targets-part000.csv:1")
    assert reading.rows["Drug-part000.csv"] == 1
    assert not reading.skipped.listed()


def test_without_the_script_groups_follow_from_names_and_the_delimiter_from_the_header(
    tmp_path: Path,
) -> None:
    biocypher(tmp_path)
    (tmp_path / "neo4j-admin-import-call.sh").unlink()
    layout = find_layout(tmp_path, Written(quote="'"))
    assert [[file.name for file in group.files] for group in layout.groups] == [
        ["Drug-header.csv", "Drug-part000.csv", "Drug-part001.csv", "Drug-part010.csv"],
        ["Protein-header.csv", "Protein-part000.csv"],
        ["Targets-header.csv", "Targets-part000.csv"],
    ]
    assert (layout.dialect.delimiter, layout.array_delimiter) == (";", "|")


def test_an_import_script_names_only_files_beside_it(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "secret.csv").write_text(":ID\nx\n")
    script = tmp_path / "inner" / "neo4j-admin-import-call.sh"
    script.write_text("neo4j-admin database import full --nodes=../secret.csv")
    with pytest.raises(SourceError, match=r"secret\.csv"):
        records(tmp_path / "inner")
    script.write_text("echo 'unclosed")
    with pytest.raises(SourceError, match="import command"):
        records(tmp_path / "inner")


def test_expressions_find_files_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for name in ("p10.csv", "p2.csv", "p1.csv", "q.csv"):
        (tmp_path / name).touch()
    assert [file.name for file in match_files(tmp_path, ["q.csv", r"p\d*.csv"])] == [
        "q.csv", "p1.csv", "p2.csv", "p10.csv",
    ]  # fmt: skip
    for unusable in ("(a+)+b", "nothing.*", "[", ""):
        with pytest.raises(SourceError):
            match_files(tmp_path, [unusable])


MAPPING = """
dataset = "mine"
[format]
delimiter = "TAB"
array_delimiter = "|"
[[groups]]
files = ["things.csv"]
labels = ["Imported"]
[[groups]]
files = ["says.csv"]
type = "SAYS"
[nodes.Compound]
kind = "Drug"
prefix = "pubchem.compound"
name = "title"
synonyms = ["brands", "codes"]
smiles = "structure"
xrefs = ["refs"]
texts = { about = "description" }
[nodes."*"]
name = "title"
[edges.SAYS]
kind = "DDI"
relation = "effect"
undirected = true
"""


def test_a_mapping_says_what_columns_and_labels_mean(tmp_path: Path) -> None:
    save(
        tmp_path,
        things=":ID\ttitle\tbrands:string[]\tcodes\tstructure\trefs:string[]\tabout\tname\t:LABEL\n"
        "2519\tcaffeine\tA|B\tC\tCN1C\tCHEBI:27732|CAS:58-08-2\tA stimulant.\tn\tCompound\n"
        "5\tother\t\t\t\t\t\t\tElse\n",
        says=":START_ID\t:END_ID\teffect\n2519\t5\theadache\n5\t2519\theadache\n",
    )
    (tmp_path / "map.toml").write_text(MAPPING)
    found, reading = records(tmp_path, read_mapping(tmp_path / "map.toml"))
    caffeine, other = nodes_of(found)
    assert caffeine == GraphNode(
        id="pubchem.compound:2519",
        kind="Drug",
        source="mine:things.csv:1",
        name="caffeine",
        labels=("Imported", "Compound"),
        synonyms=("A", "B", "C"),
        smiles="CN1C",
        xrefs=("chebi:27732", "cas:58-08-2"),
        texts=caffeine.texts,
        properties={"name_": "n"},
    )
    assert [(text.section, text.text) for text in caffeine.texts] == [("description", "A stimulant.")]
    assert (other.id, other.kind) == ("mine:5", "Thing")
    (edge,) = edges_of(found)
    assert (edge.kind, edge.head, edge.relation, edge.tail) == (
        "DDI", "pubchem.compound:2519", "headache", "mine:5",
    )  # fmt: skip
    assert reasons(reading) == {"edge again": 1}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[nodes.A]\nkind = 'Foo'", "nodes.A.kind"),
        ("colour = 1", "colour"),
        ("not toml", "no TOML"),
        ("dataset = 'A b'", "dataset"),
        ("[nodes.A]\nname = 'nowhere'", "'nowhere'"),
        ("[format]\ndelimiter = '||'", "16 bits"),
        ("[format]\nencoding = 'klingon'", "klingon"),
        ("[[groups]]\nfiles = ['gone.csv']", "gone.csv"),
    ],
)
def test_mappings_that_cannot_be_used_say_why(tmp_path: Path, text: str, said: str) -> None:
    save(tmp_path, n=":ID,name\na,b\n")
    (tmp_path / "map.toml").write_text(text)
    with pytest.raises(SourceError, match=said):
        records(tmp_path, read_mapping(tmp_path / "map.toml"))


HOSTILE_TYPES = [
    "Foo]->(x) DETACH DELETE x //",
    "has method",
    "AN-EDGE",
    "a\tb",
    "`",
    "a`b",
    "\\u0060",
    "(x)",
]


def test_names_that_would_be_code_are_data(tmp_path: Path) -> None:
    lines = [f'a,b,"{name}"' for name in HOSTILE_TYPES]
    save(
        tmp_path,
        n=':ID,:LABEL\na,"' + ";".join(HOSTILE_TYPES) + '"\nb,Plain\n',
        e=":START_ID,:END_ID,:TYPE\n" + "\n".join(lines),
    )
    found, reading = records(tmp_path)
    assert nodes_of(found)[0].labels == tuple(HOSTILE_TYPES)
    assert nodes_of(found)[0].kind == "Thing"
    assert [edge.type for edge in edges_of(found)] == HOSTILE_TYPES
    assert {edge.kind for edge in edges_of(found)} == {"FACT"}
    assert notes(reading) == {"label that is no plain word, kept as data": len(HOSTILE_TYPES)}
    assert reading.relations["has method"] == 1


def test_a_column_of_ids_taken_for_labels_is_refused(tmp_path: Path) -> None:
    save(tmp_path, n=":ID,:LABEL\n" + "".join(f"n{row},L{row}\n" for row in range(1_001)))
    with pytest.raises(SourceError, match="'L1000' is one label more than the 1,000"):
        records(tmp_path)
    save(
        tmp_path,
        n=":ID\na\nb\n",
        e=":START_ID,:END_ID,:TYPE\n" + "".join(f"a,b,T{row}\n" for row in range(12)),
    )
    with pytest.raises(SourceError, match="relation name more than the 10"):
        records(tmp_path, Mapping.model_validate({"limits": {"max_relations": 10}}))


def test_what_is_left_out_is_counted_with_its_row(tmp_path: Path) -> None:
    save(
        tmp_path,
        n=":ID,name,age:int,on:boolean,born:date,:LABEL\n"
        "a,first,12,true,2020-02-29,X\n"
        "a,second,1,true,,X\n"
        "a,first,1,true,,X\n"
        "b,,old,yes,2021-02-29,X\n"
        ",nobody,1,true,,X\n"
        "c,short,1\n"
        "d,ok,1,,,\n"
        "e,ok,1,,,X\n"
        "f,ok,99999999999,FALSE,,X\n",
        e=":START_ID,:END_ID,:TYPE,w:double\n"
        "a,b,R,1\na,b,R,1\na,b,R,2\na,a,R,1\na,z,R,1\n,b,R,1\na,,R,1\na,b,,1\nb,a,R,x\nd,e,R,1\nd,f,R,1\n",
    )
    found, reading = records(tmp_path)
    assert [node.id.rpartition(":")[2] for node in nodes_of(found)] == ["a", "b", "d", "e", "f"]
    assert nodes_of(found)[0].properties["born"] == Literal("date", "2020-02-29")
    assert nodes_of(found)[4].properties == {"on": False}
    assert len(edges_of(found)) == 5
    assert reasons(reading) == {
        "id again with another name": 1,
        "id again": 1,
        "no id": 1,
        "another number of columns than the header": 1,
        "edge again": 1,
        "edge from a node to itself": 1,
        "endpoint that no node has": 1,
        "no start": 1,
        "no end": 1,
        "no type": 1,
    }
    assert notes(reading) == {
        "age is no int, left out": 2,
        "on is no boolean, left out": 1,
        "born is no date, left out": 1,
        "w is no double, left out": 1,
    }
    (twice,) = [item for item in reading.skipped.listed() if item.reason == "id again with another name"]
    assert "row 2" in twice.offenders[0]
    assert "'first' and 'second'" in twice.offenders[0]
    assert reading.rows == {"n.csv": 9, "e.csv": 11}


def test_ids_of_two_spaces_are_two_nodes(tmp_path: Path) -> None:
    save(
        tmp_path,
        a=":ID(A),name\n1,one\n",
        b=":ID(B),name\n1,uno\nCHEBI:1,x\n",
        c=":ID(C)\nchebi:1\n",
        e=":START_ID(A),:END_ID(B),:TYPE\n1,1,R\n",
        f=":START_ID(C),:END_ID(A),:TYPE\nchebi:1,1,R\n",
    )
    found, reading = records(tmp_path)
    dataset = dataset_name(tmp_path)
    assert [node.id.removeprefix(f"{dataset}:") for node in nodes_of(found)] == ["A/1", "B/1", "chebi:1"]
    assert [edge.head.removeprefix(f"{dataset}:") for edge in edges_of(found)] == ["A/1", "chebi:1"]
    assert reasons(reading) == {"id again": 1}


def test_edges_that_no_node_file_fits_are_an_error(tmp_path: Path) -> None:
    save(tmp_path, n=":ID(A)\n1\n2\n", e=":START_ID(B),:END_ID(B),:TYPE\n1,2,R\n")
    with pytest.raises(SourceError, match="id spaces"):
        records(tmp_path)


Damage = Callable[[str], bytes]
TABLE = ':ID,name,:LABEL\na,"Crohn\'s, ""it"" and\nμ",X\nb,two,X\n'


@pytest.mark.parametrize(
    "damage",
    [
        str.encode,
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: gzip.compress(text.encode()),
        lambda text: text.replace("X\n", "X\r\n").encode(),
        lambda text: text.rstrip("\n").encode(),
        lambda text: text.replace("X\n", "X\n\n\r\n").encode(),
        lambda text: text.encode("utf-16"),
        lambda text: gzip.compress(b"\xef\xbb\xbf" + text.replace("X\n", "X\r\n").encode()),
    ],
)
def test_the_same_table_in_any_wrapping(tmp_path: Path, damage: Damage) -> None:
    (tmp_path / "n.csv").write_bytes(damage(TABLE))
    found, reading = records(tmp_path)
    assert [node.name for node in nodes_of(found)] == ['Crohn\'s, "it" and\nμ', "two"]
    assert not reading.skipped.listed()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (gzip.compress((":ID,name\n" + "a,b\n" * 9_000).encode())[:-12], "cannot be read to its end"),
        (b"\x1f\x8b\x08\x00garbage", "cannot be read to its end"),
        (b':ID,name\na,"never closed\nb,c\n', "not closed"),
        (b":ID,name\n" + b"x" * (17 * 1024 * 1024), "longer than"),
        (b':ID,name\na,"' + b"x\n" * 200_000, "not closed"),
        (b"", "n.csv is neither"),
        (b"id,name\na,b\n", "neither a file of nodes"),
        (b":ID,na\0me\na,b\n", "NUL"),
        (b":ID,name\na\nb\nc,d\n", "2 of 3 rows cannot be used"),
        (b"\xff\xfe:\0I\0D", "utf-16|neither"),
    ],
)
def test_broken_files_are_an_error_that_names_them(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "n.csv").write_bytes(content)
    with pytest.raises(SourceError, match=said):
        records(tmp_path)


def test_single_rows_that_are_damaged_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_bytes(
        b':ID,name\na,fine\nb,caf\xe9\nc,n\0l\nd,caf\xc3\xa9\ne,"x"y\nf,fine\ng,fine\n'
    )
    found, reading = records(tmp_path)
    assert [node.name for node in nodes_of(found)] == ["fine", "café", "fine", "fine"]
    assert reasons(reading) == {
        "bytes of another encoding": 1,
        "NUL character": 1,
        "text after a closing quote": 1,
    }
    assert [item.offenders for item in reading.skipped.listed()] == [("row 2",), ("row 3",), ("row 5",)]
    latin = Mapping.model_validate({"format": {"encoding": "cp1252"}})
    assert nodes_of(records(tmp_path, latin)[0])[1].name == "café"


def test_pipes_and_devices_are_refused_at_once(tmp_path: Path) -> None:
    """A pipe would be waited for without end, a device may have none."""
    os.mkfifo(tmp_path / "nodes.csv")
    for attempt in (
        lambda: records(tmp_path),
        lambda: csv_source(Path(os.devnull)),
        lambda: read_mapping(tmp_path / "nodes.csv"),
        lambda: read_text(tmp_path / "nodes.csv"),
    ):
        with pytest.raises(SourceError, match="is a pipe or device"):
            attempt()
    (tmp_path / "edges.csv").mkdir()
    with pytest.raises(SourceError, match="is a folder, no file"):
        records(tmp_path)


def test_missing_paths_and_folders_without_tables_say_so(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        records(tmp_path / "nowhere")
    with pytest.raises(SourceError, match=r"no \.csv"):
        records(tmp_path)


@IN_ONE_FOLDER
@given(st.lists(st.tuples(st.text(max_size=3), st.text(max_size=3)), max_size=30), st.integers(0, 10))
def test_what_was_seen_is_the_same_in_memory_and_in_the_file(pairs: list[tuple[str, str]], held: int) -> None:
    pairs = [(f"k{key}".encode("utf-8", "replace").decode(), name) for key, name in pairs]
    pairs = [(key, name.encode("utf-8", "replace").decode()) for key, name in pairs]
    seen = Seen(held)
    first: dict[str, str] = {}
    said: set[str] = set()
    for key, name in pairs:
        assert seen.add_node(key, f"id:{key}", name) == (key not in first)
        assert seen.add_fact(name) == (name not in said)
        first.setdefault(key, name)
        said.add(name)
        assert seen.id_of(key) == f"id:{key}"
        assert seen.name_of(f"id:{key}") == first[key]
    assert seen.id_of("absent") is None
    assert not seen.has_fact("said by nobody")
    assert all(seen.has_fact(name) for name in said)
    seen.close()


def test_rows_are_numbered_below_the_header(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text('h,i\n\n1,2\n3,""\n')
    assert list(read_rows(tmp_path / "t.csv", Dialect(), Reading())) == [(1, ["1", "2"]), (2, ["3", ""])]


def test_a_mapping_without_a_kind_leaves_it_to_label_and_type(tmp_path: Path) -> None:
    (tmp_path / "drugs.csv").write_text(
        ":ID,name,about,:LABEL\na,A,x,Drug\nb,B,y,Drug\nc,C,z,Herb\n", encoding="utf-8"
    )
    (tmp_path / "facts.csv").write_text(
        ":START_ID,:END_ID,:TYPE,relation\na,c,EASES,\na,b,DDI,rash\n", encoding="utf-8"
    )

    def kinds(**mapping: object) -> tuple[list[str], list[tuple[str, str]]]:
        records = list(read_csv_graph(tmp_path, Reading(), Mapping.model_validate(mapping)))
        nodes = [record.kind for record in records if isinstance(record, GraphNode)]
        return nodes, [(record.kind, record.relation) for record in records if isinstance(record, GraphEdge)]

    own = ["Drug", "Drug", "Thing"], [("FACT", "eases"), ("DDI", "rash")]
    texts = {"texts": {"about": "description"}}
    assert kinds() == own
    assert kinds(nodes={"*": texts}) == own
    assert kinds(nodes={"Drug": texts}, edges={"DDI": {"undirected": True}}) == own
    assert kinds(nodes={"Drug": {"kind": "Thing"}})[0] == ["Thing"] * 3
    assert kinds(nodes={"*": {"kind": "Chemical"}})[0] == ["Chemical"] * 3
    assert kinds(edges={"*": {"kind": "FACT"}})[1] == [("FACT", "eases"), ("FACT", "ddi")]
