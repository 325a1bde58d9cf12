"""KGX, Decagon, STITCH and tables of names: made files in the published layouts, and the files at hand."""

from __future__ import annotations

import csv
import gzip
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from biomolkg.errors import SourceError
from biomolkg.identifiers import as_curie, curie
from graph_loader.checks import Rules
from graph_loader.graph_records import GraphEdge, GraphNode, Record
from graph_loader.reading import Reading
from graph_loader.relations import relation_words
from graph_loader.sources.csv_graph import read_mapping
from graph_loader.sources.decagon import read_decagon
from graph_loader.sources.kgx import read_kgx
from graph_loader.sources.names import NameEntry, is_cas, read_drugcentral_terms, read_names
from graph_loader.sources.stitch import read_stitch
from graph_loader.sources.stitch_ids import Chemical, Protein, parse_chemical, parse_protein

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tables.md"
NODES = (
    "id\tcategory\tname\tsynonym\txref\tdescription\tprovided_by\tin_taxon_label\n"
    'CHEBI:27732\tbiolink:SmallMolecule|biolink:Drug\tcaf"fe|ine\tguaranine|theine\t'
    'CAS:58-08-2\tA "text.\ta|b\t\n'
    "UniProtKB:P29274\tbiolink:Protein\tA2A\t\t\t\t\thuman\n"
    "MONDO:1\t\tnobody's\t\t\t\t\t\n"
)
EDGES = (
    "id\tsubject\tpredicate\tobject\tpublications\tscore\n"
    "e1\tCHEBI:27732\tbiolink:physically_interacts_with\tUniProtKB:P29274\tPMID:1|PMID:2\t0.5\n"
    "e2\tCHEBI:27732\tbiolink:physically_interacts_with\tUniProtKB:P29274\tPMID:1|PMID:2\t0.5\n"
    "e3\tCHEBI:27732\t\tMONDO:1\t\t\n"
    "e4\tCHEBI:27732\tbiolink:treats\tMONDO:9\t\t\n"
    "e5\tCHEBI:27732\tbiolink:treats\tMONDO:1\t\t\n"
    "e6\tMONDO:1\tbiolink:treats\tCHEBI:27732\t\t\n"
)


def reasons(reading: Reading) -> dict[str, int]:
    return {item.reason: item.count for item in reading.skipped.listed()}


def edges_of(records: Iterator[Record]) -> list[GraphEdge]:
    return [item for item in records if isinstance(item, GraphEdge)]


def test_kgx_becomes_nodes_and_facts(tmp_path: Path) -> None:
    (tmp_path / "my_nodes.tsv").write_text(NODES, encoding="utf-8")
    (tmp_path / "my_edges.tsv.gz").write_bytes(gzip.compress(EDGES.encode()))
    reading = Reading()
    found = list(read_kgx(tmp_path, reading, dataset="kg"))
    caffeine, receptor, nobody = (item for item in found if isinstance(item, GraphNode))
    assert (caffeine.id, caffeine.kind, caffeine.name) == ("chebi:27732", "Chemical", 'caf"fe|ine')
    assert caffeine.labels == ("SmallMolecule", "Drug")
    assert (caffeine.synonyms, caffeine.xrefs) == (("guaranine", "theine"), ("cas:58-08-2",))
    assert [text.text for text in caffeine.texts] == ['A "text.']
    assert caffeine.properties == {"provided_by": ("a", "b")}
    assert (receptor.id, receptor.kind) == ("uniprot:P29274", "Protein")
    assert (nobody.labels, nobody.kind) == ((), "Thing")
    facts = edges_of(iter(found))
    assert [(fact.head, fact.relation, fact.tail) for fact in facts] == [
        ("chebi:27732", "physically interacts with", "uniprot:P29274"),
        ("chebi:27732", "treats", "mondo:1"),
        ("mondo:1", "treats", "chebi:27732"),
    ]
    assert facts[0].type == "biolink:physically_interacts_with"
    assert facts[0].properties == {"publications": ("PMID:1", "PMID:2"), "score": "0.5"}
    assert facts[0].source == "kg:my_edges.tsv.gz:1"
    assert reasons(reading) == {"edge again": 1, "no predicate": 1, "endpoint that no node has": 1}
    undirected = Rules(undirected=frozenset({"biolink:treats"}))
    assert len(edges_of(read_kgx(tmp_path, Reading(), dataset="kg", rules=undirected))) == 2


def test_kgx_edges_alone_are_not_checked_against_nodes(tmp_path: Path) -> None:
    (tmp_path / "edges.tsv").write_text(EDGES, encoding="utf-8")
    assert len(edges_of(read_kgx(tmp_path, Reading(), dataset="kg"))) == 4


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("nodes.tsv", "id\tname\nA:1\tx\n", "lacks the column category"),
        (
            "edges.tsv",
            "subject,predicate,object\nA:1,p,A:2\n",
            "lacks the columns subject, predicate, object",
        ),
        ("nodes.tsv", "", "lacks the columns id, category"),
        ("other.tsv", NODES, "no nodes.tsv"),
    ],
)
def test_kgx_without_its_columns_is_refused(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=said):
        list(read_kgx(tmp_path, Reading(), dataset="kg"))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("CIDm00002173", Chemical(2173, flat=True)),
        ("CIDs00002173", Chemical(2173, flat=False)),
        ("CID000002173", Chemical(2173, flat=False)),
        ("CID100002173", Chemical(2173, flat=True)),
        ("CID103052762", Chemical(3052762, flat=True)),
        ("CID2173", Chemical(2173, flat=False)),
        ("CID000000000", None),
        ("CID100000000", None),
        ("CIDx1", None),
        ("DB00001", None),
        ("9606.ENSP00000358963", None),
    ],
)
def test_chemicals_of_stitch_in_all_their_forms(written: str, meant: Chemical | None) -> None:
    assert parse_chemical(written) == meant


def test_proteins_of_stitch() -> None:
    assert parse_protein("9606.ENSP00000358963") == Protein("ENSP00000358963", 9606)
    assert parse_protein("ENSP00000358963") == Protein("ENSP00000358963", None)
    other = parse_protein("511145.b0001")
    assert other is not None
    assert other.curie == "string:511145.b0001"
    assert [parse_protein(text) for text in ("CIDm00002173", "b0001", "")] == [None, None, None]


def test_decagon_at_hand_is_read_whole(shared_data: Path) -> None:
    folder = shared_data / "decagon"
    reading = Reading()
    found = Counter(type(item).__name__ for item in read_decagon(folder, reading))
    pairs = set()
    for name in ("bio-decagon-targets-all.csv", "bio-decagon-targets.csv"):
        for line in (folder / name).read_bytes().decode("latin-1").splitlines()[1:]:
            compound, gene = line.strip().split(",")
            number = int(compound.removeprefix("CID")) % 100_000_000
            pairs.add((number, gene))
    assert found == {"GraphNode": 561, "GraphEdge": len(pairs)}
    assert reading.rows == {
        "bio-decagon-effectcategories.csv": 561,
        "bio-decagon-targets-all.csv": 131_034,
        "bio-decagon-targets.csv": 18_690,
    }
    assert reasons(reading).keys() == {"edge again"}


def test_pairs_in_decagons_layout_are_read_whole(shared_data: Path) -> None:
    path = shared_data / "biomolmqa/data/mined_data/sampled_ddi.csv"
    with path.open(encoding="utf-8", newline="") as stream:
        rows = [tuple(row) for row in csv.reader(stream)][1:]
    reading = Reading()
    found = edges_of(read_decagon(path, reading))
    assert [(edge.relation, edge.properties["umls"]) for edge in found] == [(row[3], row[2]) for row in rows]
    assert {edge.kind for edge in found} == {"DDI"}
    assert not reading.skipped.listed()


def test_decagon_with_stray_bytes_and_rows_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "mono.csv").write_bytes(
        b"# STITCH,Individual Side Effect,Side Effect Name\xb8\xf7\n"
        b'CID000000001,C0000001,"pain, ""sharp"""\nCID000000002,C0000001,ache\n'
        b"CID000000003,C1,ache\nCID000000004,,x\n"
        b"CID000000005,C0000002,nausea\nCID000000006,C0000002,nausea\n"
    )
    (tmp_path / "combo.csv").write_text(
        "STITCH 1,STITCH 2,Polypharmacy Side Effect,Side Effect Name\n"
        "CID000000001,CID000000002,C0000001,pain\nCID000000002,CID000000001,C0000001,pain\n"
        "CID000000001,CID100000001,C0000001,pain\nCID000000001,CID000000003,C0000002,nausea\n"
    )
    (tmp_path / "readme.txt").write_text("nothing\n")
    reading = Reading()
    found = list(read_decagon(tmp_path, reading))
    assert [(item.id, item.name) for item in found if isinstance(item, GraphNode)] == [
        ("umls:C0000001", 'pain, "sharp"'),
        ("umls:C0000002", "nausea"),
    ]
    facts = edges_of(iter(found))
    assert Counter(fact.kind for fact in facts) == {"DDI": 2, "FACT": 4}
    assert reasons(reading) == {
        "edge again": 1,
        "edge from a node to itself": 1,
        "no UMLS concept": 1,
        "empty cell": 1,
    }
    assert [item.reason for item in reading.noted.listed()] == ["side effect with another name"]


ACTIONS = """item_id_a item_id_b mode action a_is_acting score
CIDm00000001 9606.ENSP00000000001 binding  f 900
9606.ENSP00000000001 CIDm00000001 binding  f 900
CIDm00000001 9606.ENSP00000000001 inhibition inhibition t 950
9606.ENSP00000000001 CIDm00000001 inhibition inhibition f 950
CIDs00000002 9606.ENSP00000000001 activation inhibition f 400
9606.ENSP00000000001 CIDs00000002 activation inhibition t 400
CIDm00000001 CIDm00000002 binding  f 900
CIDm00000001 10090.ENSMUSP00000000001 binding  f 900
CIDm00000001 9606.ENSP00000000002 binding  f 9000
CIDm00000001 9606.ENSP00000000002 binding  x 900
CIDm00000001 9606.ENSP00000000003 binding  f 100
"""


@pytest.mark.parametrize("separator", ["\t", " "])
def test_actions_of_stitch_come_once_whichever_side_stands_first(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "actions.tsv"
    path.write_text(ACTIONS.replace(" ", separator))
    reading = Reading()
    found = edges_of(read_stitch(path, reading, min_score=400))
    assert [(edge.head, edge.relation, edge.tail, edge.properties) for edge in found] == [
        (
            "pubchem.compound:1",
            "binding",
            "ensembl:ENSP00000000001",
            {"mode": "binding", "score": 900, "stereoisomers_merged": True},
        ),
        (
            "pubchem.compound:1",
            "inhibition",
            "ensembl:ENSP00000000001",
            {"mode": "inhibition", "score": 950, "action": "inhibition", "acting": "chemical",
             "stereoisomers_merged": True},
        ),
        (
            "pubchem.compound:2",
            "activation and inhibition",
            "ensembl:ENSP00000000001",
            {"mode": "activation", "score": 400, "action": "inhibition", "acting": "protein"},
        ),
    ]  # fmt: skip
    assert reasons(reading) == {
        "the same action from the other side, or again": 3,
        "not a chemical and a protein": 1,
        "another species": 1,
        "no score of 0 to 1000": 1,
        "a_is_acting is not t or f": 1,
        "score below 400": 1,
    }
    assert reading.rows == {"actions.tsv": 11}


def test_links_of_stitch_with_swapped_sides(tmp_path: Path) -> None:
    path = tmp_path / "links.tsv.gz"
    text = (
        "chemical\tprotein\texperimental\tcombined_score\n"
        "CIDm00000001\t9606.ENSP00000000001\t0\t900\n"
        "9606.ENSP00000000002\tCIDs00000003\t300\t700\n"
        "CIDm00000001\tCIDm00000002\t0\t900\n"
    )
    path.write_bytes(gzip.compress(text.encode()))
    reading = Reading()
    found = edges_of(read_stitch(path, reading))
    assert [(edge.head, edge.tail, edge.properties["score"]) for edge in found] == [
        ("pubchem.compound:1", "ensembl:ENSP00000000001", 900),
        ("pubchem.compound:3", "ensembl:ENSP00000000002", 700),
    ]
    assert found[1].properties["experimental"] == 300
    assert reasons(reading) == {"not a chemical and a protein": 1}
    assert [item.reason for item in reading.noted.listed()] == ["protein in the chemical's column"]


def test_tables_that_are_none_of_these_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(SourceError, match="neither the columns"):
        list(read_stitch(path, Reading()))
    with pytest.raises(SourceError, match="no table with columns"):
        list(read_decagon(path, Reading()))
    with pytest.raises(SourceError, match="no column named name"):
        list(read_names(path, Reading()))
    path.write_text("STITCH,Gene\nDB01,1\nDB02,2\n")
    with pytest.raises(SourceError, match="2 of 2 rows cannot be used: no STITCH compound"):
        list(read_decagon(path, Reading()))
    for read in (read_decagon, read_names):
        with pytest.raises(SourceError, match="does not exist"):
            list(read(tmp_path / "gone", Reading()))


def test_drugcentral_at_hand(shared_data: Path) -> None:
    folder = shared_data / "drugcentral"
    reading = Reading()
    terms = list(read_names(folder, reading))
    assert len(terms) == 4_098
    with (folder / "drugcentral.synonyms.tsv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))
    known = {term.id for term in terms}
    related = [row for row in rows if row["predicate"] == "oboInOwl:hasRelatedSynonym"]
    assert sum(len(term.synonyms) for term in terms) == sum(row["curie"] in known for row in related)
    ajmaline = next(term for term in terms if term.id == "drugcentral:100")
    assert (ajmaline.name, ajmaline.cas) == ("ajmaline", "4360-12-7")
    assert "methyl nicotinate" not in ajmaline.names
    assert is_cas(ajmaline.cas)


def test_drugcentrals_table_without_its_ontology_has_no_names(tmp_path: Path) -> None:
    (tmp_path / "drugcentral.tsv").write_text("identifier\tname\tsynonyms\n100\tother\tajmalin|ajmaline\n")
    assert read_drugcentral_terms(tmp_path, Reading()) == {
        "drugcentral:100": NameEntry(
            "drugcentral:100", "drugcentral:drugcentral.tsv:1", synonyms=("ajmalin", "ajmaline")
        )
    }


def test_any_table_of_names(tmp_path: Path) -> None:
    path = tmp_path / "drugs.csv"
    path.write_text(
        "id,Name,Synonyms,InChIKey,CAS,SMILES\n"
        'd1,caffeine,"guaranine|theine",RYYVLZVUVIJVGH-UHFFFAOYSA-N,58-08-2,CN1C\n'
        "d2,wrong,,nokey,58-08-3,\nd1,again,,,,\n,unnamed id,,,,\nd5,,,,,\n",
        encoding="utf-8",
    )
    reading = Reading()
    caffeine, wrong, own = read_names(path, reading, dataset="mine")
    assert caffeine.names == ("caffeine", "guaranine", "theine")
    assert (caffeine.inchikey, caffeine.cas) == ("RYYVLZVUVIJVGH-UHFFFAOYSA-N", "58-08-2")
    assert (wrong.inchikey, wrong.cas) == ("", "")
    assert own.id == "mine:unnamed id"
    assert reasons(reading) == {"id again with another name": 1, "no name": 1}


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_whose_first_column_is_the_name(tmp_path: Path, separator: str) -> None:
    path = tmp_path / "drugs.tsv"
    path.write_text(f"name{separator}synonyms\ncaffeine{separator}guaranine\n")
    (caffeine,) = read_names(path, Reading())
    assert caffeine.names == ("caffeine", "guaranine")


def test_what_kgx_negates_is_no_fact(tmp_path: Path) -> None:
    rows = [
        f"A:1\tbiolink:treats\tA:{number}\t{said}\n" for number, said in enumerate(("True", "false", ""), 2)
    ]
    (tmp_path / "edges.tsv").write_text("subject\tpredicate\tobject\tnegated\n" + "".join(rows))
    reading = Reading()
    assert [edge.tail for edge in read_kgx(tmp_path, reading, dataset="mine")] == ["a:3", "a:4"]
    assert reasons(reading) == {"negated: says that it is not so": 1}


def test_curies_have_bioregistrys_prefixes() -> None:
    assert as_curie("UniProtKB:P1") == "uniprot:P1"
    assert as_curie("HGNC:11603") == "hgnc:11603"
    assert [as_curie(text) for text in ("P1", "a: b", "http://x/y", ":x")] == [None, None, None, None]
    assert curie("2173", prefix="pubchem.compound", dataset="d") == "pubchem.compound:2173"
    assert curie("CID:2173", prefix="pubchem.compound", dataset="d") == "pubchem.compound:2173"
    assert curie("x 1", prefix=None, dataset="d", space="S") == "d:S/x 1"


def test_types_become_words_and_others_stay() -> None:
    spelt = {
        "biolink:treats": "treats",
        "HAS_PART": "has part",
        "has_Part": "has Part",
        "INHIBITS": "inhibits",
    }
    spelt |= {"π-π": "π-π", "a b": "a b"}
    assert {name: relation_words(name) for name in spelt} == spelt


def test_the_examples_of_the_documentation_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = PAGE.read_text(encoding="utf-8")
    executed = 0
    monkeypatch.chdir(tmp_path)
    for part in page.split("\n```")[1:]:
        kind, _, text = part.partition("\n")
        language, _, name = kind.partition(" ")
        if name:
            target = tmp_path / name
            target.parent.mkdir(parents=True, exist_ok=True)
            content = text.replace("→", "\t") if name.endswith("tsv") else text
            target.write_text(content + "\n", encoding="utf-8")
        elif language == "python":
            exec(compile(text, str(PAGE), "exec"), {})
            executed += 1
    assert executed == page.count("```python") == 6
    assert read_mapping(tmp_path / "mygraph/mapping.toml").dataset == "mygraph"
