"""Files in the forms that people bring: spellings, damage and conventions, each read as it is meant."""

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from biomolkg.errors import SourceError
from graph_loader.checks import Rules
from graph_loader.graph_records import GraphEdge, GraphNode, Record
from graph_loader.reading import Reading
from graph_loader.relations import qualified_relation, relation_words
from graph_loader.sources.csv_graph import Mapping, read_csv_graph, read_mapping
from graph_loader.sources.kgx import read_kgx
from graph_loader.sources.names import read_names

Facts = list[tuple[str, str, str]]


def csv(folder: Path, mapping: str = "", *, reading: Reading | None = None, **files: str) -> list[Record]:
    """The records of CSV files that are written here."""
    for name, text in files.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    said = Mapping()
    if mapping:
        (folder / "mapping.toml").write_text(mapping, encoding="utf-8")
        said = read_mapping(folder / "mapping.toml")
    used = said.model_copy(update={"dataset": said.dataset or "g"})
    return list(read_csv_graph(folder, Reading() if reading is None else reading, used))


def kgx(folder: Path, nodes: str, edges: str, **options: object) -> list[Record]:
    """The records of KGX tables that are written here."""
    (folder / "g_nodes.tsv").write_text(nodes, encoding="utf-8")
    (folder / "g_edges.tsv").write_text(edges, encoding="utf-8")
    return list(read_kgx(folder, Reading(), dataset="g", **options))  # type: ignore[arg-type]


def nodes_of(records: Iterable[Record]) -> dict[str, GraphNode]:
    return {one.id: one for one in records if isinstance(one, GraphNode)}


def facts_of(records: Iterable[Record]) -> Facts:
    return [(one.head, one.relation, one.tail) for one in records if isinstance(one, GraphEdge)]


def reasons(reading: Reading) -> set[str]:
    return {item.reason for item in (*reading.skipped.listed(), *reading.noted.listed())}


def test_undirected_under_the_star_holds_for_all_types_but_those_that_say_otherwise(tmp_path: Path) -> None:
    edges = ":START_ID,:END_ID,:TYPE\n" + "".join(f"u:1,u:2,{kind}\nu:2,u:1,{kind}\n" for kind in ("A", "B"))
    mapping = '[limits]\ndangling="keep"\n[edges."*"]\nundirected = true\n[edges.B]\nundirected = false\n'
    assert facts_of(csv(tmp_path, mapping, e=edges)) == [
        ("u:1", "a", "u:2"),
        ("u:1", "b", "u:2"),
        ("u:2", "b", "u:1"),
    ]


def test_nodes_and_edges_spell_identifiers_each_in_their_way(tmp_path: Path) -> None:
    nodes = (
        ":ID,name,:LABEL\nCHEBI:9654,drug,Chemical\nMONDO:1 ,sick,Disease\nUniProtKB:P23219,one,Protein\n"
        "http://purl.obolibrary.org/obo/HP_0001250,fits,Symptom\nHGNC:HGNC:9604,PTGS1,Gene\n"
    )
    edges = (
        ":START_ID,:END_ID,:TYPE\nchebi:9654,MONDO:1,A\nCHEBI:CHEBI:9654, MONDO:1,B\n"
        "CHEBI_9654,uniprot:P23219,C\nCHEBI:9654,UniProt:P23219-2,D\nhp:0001250,hgnc:9604,E\n"
    )
    reading = Reading()
    records = csv(tmp_path, reading=reading, n=nodes, e=edges)
    assert set(nodes_of(records)) == {"chebi:9654", "mondo:1", "uniprot:P23219", "hp:0001250", "hgnc:9604"}
    assert [relation for _, relation, _ in facts_of(records)] == ["a", "b", "c", "d", "e"]
    assert not reading.skipped.listed()


def test_versions_and_isoforms_become_properties(tmp_path: Path) -> None:
    nodes = ":ID,:LABEL\nENSEMBL:ENSP00000354612.4,Protein\nUniProtKB:P35354-2,Protein\n"
    found = nodes_of(csv(tmp_path, n=nodes))
    assert found["ensembl:ENSP00000354612"].properties == {"identifier_version": "4"}
    assert found["uniprot:P35354"].properties == {"isoform": "P35354-2"}


@pytest.mark.parametrize(
    ("label", "kind"),
    [
        ("Gene", "Gene"),
        ("biolink:Gene", "Gene"),
        ("transcript", "Transcript"),
        ("biolink:Drug", "Drug"),
        ("biolink:SmallMolecule", "Chemical"),
        ("ChemicalSubstance", "Chemical"),
        ("chemical_entity", "Chemical"),
        ("biolink:Protein", "Protein"),
        ("Disease", "Thing"),
    ],
)
def test_labels_say_kinds(tmp_path: Path, label: str, kind: str) -> None:
    (node,) = nodes_of(csv(tmp_path, n=f":ID,name,:LABEL\nx:1,one,{label}\n")).values()
    assert (node.kind, node.labels) == (kind, (label.removeprefix("biolink:"),))


def test_a_mapping_can_say_gene_and_name_a_biolink_label(tmp_path: Path) -> None:
    mapping = '[nodes."biolink:Locus"]\nkind = "Gene"\n'
    (node,) = nodes_of(csv(tmp_path, mapping, n=":ID,name,:LABEL\nx:1,one,biolink:Locus\n")).values()
    assert node.kind == "Gene"


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("treatsDisease", "treats disease"),
        ("DrugInhibitsProtein", "drug inhibits protein"),
        ("LigandReceptorInteraction", "ligand receptor interaction"),
        ("isA", "is a"),
        ("inhibitsCYP3A4", "inhibits CYP3A4"),
        ("hasRNATarget", "has RNA target"),
        ("CbG", "CbG"),
        ("PPI", "ppi"),
        ("GENE_ASSOCIATED", "gene associated"),
        ("RO:0002331", "RO:0002331"),
        ("http://purl.obolibrary.org/obo/RO_0002331", "RO:0002331"),
        ("biolink:gene_associated_with", "gene associated with"),
    ],
)
def test_types_of_all_conventions_become_words(written: str, words: str) -> None:
    assert relation_words(written) == words


def test_qualifiers_tell_relations_apart() -> None:
    said = {"qualified_predicate": "biolink:causes", "object_aspect_qualifier": "activity"}
    relations = {
        direction: qualified_relation("biolink:affects", {**said, "object_direction_qualifier": direction})
        for direction in ("decreased", "increased")
    }
    assert relations == {
        "decreased": "causes decreased activity",
        "increased": "causes increased activity",
    }
    subject = {"subject_aspect_qualifier": "expression", "subject_direction_qualifier": "increased"}
    assert qualified_relation("biolink:affects", subject) == "increased expression affects"


def test_qualified_edges_of_kgx_and_csv_are_two_facts(tmp_path: Path) -> None:
    row = "CHEBI:1\tbiolink:affects\tHGNC:2\t{}\tactivity\n"
    header = "subject\tpredicate\tobject\tobject_direction_qualifier\tobject_aspect_qualifier\n"
    edges = header + row.format("decreased") + row.format("increased")
    nodes = "id\tcategory\tname\nCHEBI:1\tbiolink:Drug\td\nHGNC:2\tbiolink:Gene\tg\n"
    expected = ["affects decreased activity", "affects increased activity"]
    (tmp_path / "kgx").mkdir()
    assert [one[1] for one in facts_of(kgx(tmp_path / "kgx", nodes, edges))] == expected
    (tmp_path / "csv").mkdir()
    table = edges.replace("\t", ",").replace("subject,predicate,object,", ":START_ID,:TYPE,:END_ID,")
    records = csv(tmp_path / "csv", '[limits]\ndangling="keep"\n', e=table)
    assert [one[1] for one in facts_of(records)] == expected


@pytest.mark.parametrize(
    ("predicate", "column", "value"),
    [
        ("SEMMEDDB:NEG_TREATS", "score", "1"),
        ("NEG_CAUSES", "score", "1"),
        ("biolink:treats", "negated", "true"),
        ("biolink:part_of", "qualifiers", "NOT"),
    ],
)
def test_what_is_negated_is_no_fact(tmp_path: Path, predicate: str, column: str, value: str) -> None:
    edges = f":START_ID,:TYPE,:END_ID,{column}\nx:1,{predicate},x:2,{value}\nx:1,TREATS,x:2,\n"
    records = csv(tmp_path, '[limits]\ndangling="keep"\n', e=edges)
    assert facts_of(records) == [("x:1", "treats", "x:2")]
    (tmp_path / "kgx").mkdir()
    table = edges.replace(",", "\t").replace(":START_ID\t:TYPE\t:END_ID", "subject\tpredicate\tobject")
    (tmp_path / "kgx" / "edges.tsv").write_text(table)
    found = list(read_kgx(tmp_path / "kgx", Reading(), dataset="g"))
    assert facts_of(found) == [("x:1", "treats", "x:2")]


def test_edges_of_kgx_to_nodes_elsewhere_are_kept_where_asked(tmp_path: Path) -> None:
    nodes = "id\tcategory\tname\nCHEBI:1\tbiolink:Drug\td\n"
    edges = (
        "subject\tpredicate\tobject\nCHEBI:1\tbiolink:treats\tMONDO:1\nCHEBI:1\tbiolink:affects\tCHEBI:1\n"
    )
    assert facts_of(kgx(tmp_path, nodes, edges, rules=Rules(dangling="keep")))[0] == (
        "chebi:1",
        "treats",
        "mondo:1",
    )


def test_an_empty_nodes_file_of_kgx_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as refusal:
        kgx(tmp_path, "id\tname\tcategory\n", "subject\tpredicate\tobject\nHGNC:1\tbiolink:x\tHGNC:2\n")
    assert "--dangling keep" in str(refusal.value.remedy)


def test_kgx_as_lines_of_json(tmp_path: Path) -> None:
    nodes = [
        {"id": "CHEBI:9654", "category": ["biolink:SmallMolecule"], "name": "t", "xref": ["DRUGBANK:DB1"]},
        {"id": "UniProtKB:P28223", "category": ["biolink:Protein"], "name": "r", "score": 0.5, "none": None},
    ]
    edges = [
        {"id": "e", "subject": "CHEBI:9654", "predicate": "biolink:affects", "object": "UniProtKB:P28223"}
    ]
    for name, rows in (("kg_nodes.jsonl", nodes), ("kg_edges.jsonl", edges)):
        (tmp_path / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    found = list(read_kgx(tmp_path, Reading(), dataset="g"))
    drug, receptor = nodes_of(found).values()
    assert (drug.kind, drug.xrefs, receptor.properties) == ("Chemical", ("drugbank:DB1",), {"score": 0.5})
    assert facts_of(found) == [("chebi:9654", "affects", "uniprot:P28223")]


def test_what_pandas_writes_is_read(tmp_path: Path) -> None:
    nodes = "Unnamed: 0,:ID,name,score:int,:LABEL\n0,5533.0,Trazodone,1,Drug\n1,5090.0,NaN,2,Drug\n"
    edges = "Unnamed: 0,:START_ID,:END_ID,:TYPE\n0,5533.0,5090.0,DDI\n1,5533,5090,DPI\n"
    reading = Reading()
    mapping = '[nodes.Drug]\nprefix = "pubchem.compound"\n'
    records = csv(tmp_path, mapping, reading=reading, n=nodes, e=edges)
    assert set(nodes_of(records)) == {"pubchem.compound:5533", "pubchem.compound:5090"}
    assert len(facts_of(records)) == 2
    assert "id written as a decimal number, read as a whole one" in reasons(reading)


@pytest.mark.parametrize("none", ["Gene::", "nan", "N/A", "NCBIGene:", "CHEBI:0"])
def test_what_is_no_identifier_is_left_out(tmp_path: Path, none: str) -> None:
    edges = f":START_ID,:END_ID,:TYPE\nGene::3356,Gene::2157,A\n{none},Gene::3356,B\nGene::3356,{none},C\n"
    edges += "Gene::1,Gene::2,D\nGene::3,Gene::4,E\n"
    reading = Reading()
    records = csv(tmp_path, '[limits]\ndangling="keep"\n', reading=reading, e=edges)
    assert [one[1] for one in facts_of(records)] == ["a", "d", "e"]
    assert facts_of(records)[0][0] == "ncbigene:3356"
    assert reasons(reading) == {"an identifier that is none"}


def test_an_import_script_says_the_encoding_and_that_more_cells_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text(":ID,name\n")
    (tmp_path / "n1.csv").write_bytes("q:1,Sjögren\nq:2,b,extra\nq:3,c\n".encode("iso-8859-1"))
    (tmp_path / "neo4j-admin-import-call.sh").write_text(
        'neo4j-admin database import full --input-encoding=ISO-8859-1 --nodes=Drug="h.csv,n1.csv" \\\n'
        " --ignore-extra-columns=true neo4j\n"
    )
    reading = Reading()
    found = nodes_of(read_csv_graph(tmp_path, reading, Mapping(dataset="g")))
    assert [node.name for node in found.values()] == ["Sjögren", "b", "c"]
    assert reasons(reading) == {"cells beyond the header, passed over"}


def test_an_encoding_that_nobody_knows_is_told(tmp_path: Path) -> None:
    (tmp_path / "n.csv").write_text(":ID,name\n")
    (tmp_path / "neo4j-admin-import-call.sh").write_text("x --input-encoding=NOPE-8 --nodes=A=n.csv\n")
    with pytest.raises(SourceError, match="NOPE-8"):
        list(read_csv_graph(tmp_path, Reading(), Mapping(dataset="g")))


def test_rows_that_carry_both_their_nodes(tmp_path: Path) -> None:
    header = (
        "relation,display_relation,x_index,x_id,x_type,x_name,x_source,y_index,y_id,y_type,y_name,y_source\n"
    )
    drug, gene = "14015,DB00656,drug,Trazodone,DrugBank", "1500,3356,gene/protein,HTR2A,NCBI"
    sick, group = "27158,1816,disease,gout,MONDO", "28001,13924_12592,disease,some,MONDO_grouped"
    rows = [
        ("drug_protein,target", drug, gene),
        ("indication,indication", drug, sick),
        ("dd,parent", sick, group),
    ]
    text = "".join(f"{kind},{x},{y}\n{kind},{y},{x}\n" for kind, x, y in rows)
    records = csv(tmp_path, kg=header + text)
    assert {(one.id, one.kind, one.name) for one in nodes_of(records).values()} == {
        ("drugbank:DB00656", "Drug", "Trazodone"),
        ("ncbigene:3356", "Gene", "HTR2A"),
        ("mondo:0001816", "Thing", "gout"),
        ("g:MONDO_grouped/13924_12592", "Thing", "some"),
    }
    assert facts_of(records) == [
        ("drugbank:DB00656", "target", "ncbigene:3356"),
        ("drugbank:DB00656", "indication", "mondo:0001816"),
        ("mondo:0001816", "parent", "g:MONDO_grouped/13924_12592"),
    ]


@pytest.mark.parametrize(
    ("header", "command"),
    [
        ("subject,predicate,object", "load kgx"),
        ("item_id_a,item_id_b,mode,action", "load stitch"),
        ("STITCH 1,STITCH 2,Polypharmacy Side Effect", "load decagon"),
        ("name,inchikey", "load names"),
        ("a,b,c", "-header.csv"),
    ],
)
def test_a_refusal_says_which_command_reads_the_file(tmp_path: Path, header: str, command: str) -> None:
    (tmp_path / "t.csv").write_text(f"{header}\n")
    with pytest.raises(SourceError) as refusal:
        list(read_csv_graph(tmp_path, Reading(), Mapping(dataset="g")))
    assert command in str(refusal.value.remedy)


@pytest.mark.parametrize(
    ("name", "command"), [("kg_nodes.jsonl", "load kgx"), ("x.tar.gz", "Unpack"), ("a.smi", "smiles")]
)
def test_files_of_another_form_are_told(tmp_path: Path, name: str, command: str) -> None:
    (tmp_path / name).write_text("x\n")
    with pytest.raises(SourceError) as refusal:
        list(read_csv_graph(tmp_path, Reading(), Mapping(dataset="g")))
    assert command in str(refusal.value.remedy)


def test_drugbanks_vocabulary_is_a_table_of_names(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.csv"
    path.write_text(
        "DrugBank ID,Accession Numbers,Common name,CAS,UNII,Synonyms,Standard InChI Key\n"
        "DB00201,APRD00673,Caffeine,58-08-2,3G6A5W338E,Coffein | Theine,RYYVLZVUVIJVGH-UHFFFAOYSA-N\n"
    )
    (entry,) = read_names(path, Reading(), dataset="mine")
    assert (entry.id, entry.names) == ("drugbank:DB00201", ("Caffeine", "Coffein", "Theine"))
    assert (entry.inchikey, entry.cas, entry.unii) == ("RYYVLZVUVIJVGH-UHFFFAOYSA-N", "58-08-2", "3G6A5W338E")
