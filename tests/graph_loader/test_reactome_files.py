"""Reading Reactome's layouts from made files: what is taken, what is counted, what is refused."""

from __future__ import annotations

import gzip
import io
import json
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from biomolkg.errors import SourceError
from graph_loader.sources.reactome import Edge, Part, Participants, Reactome, Regulator, edges, read_reactome
from graph_loader.sources.reactome.files import clean
from graph_loader.sources.reactome.identifiers import (
    parse_stable_id,
    reference_by_database,
    reference_by_pattern,
)
from graph_loader.sources.reactome.store import closing_edges, reachable


def node(number: int, schema_class: str = "Complex", **fields: object) -> dict[str, object]:
    return {
        "dbId": number,
        "stId": f"R-HSA-{number}",
        "displayName": f"thing {number} [cytosol]",
        "schemaClass": schema_class,
        **fields,
    }


def protein(number: int, accession: str, *genes: str, **fields: object) -> dict[str, object]:
    return node(
        number, "EntityWithAccessionedSequence", identifier=accession, geneNames=list(genes), **fields
    )


def diagram(number: int, nodes: object, edges: object = (), **fields: object) -> dict[str, object]:
    return {"dbId": number, "stId": f"R-HSA-{number}", "nodes": nodes, "edges": list(edges), **fields}  # type: ignore[call-overload]


def save(folder: Path, *contents: dict[str, object]) -> Path:
    for content in contents:
        (folder / f"{content['stId']}.graph.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def found(reactome: Reactome, kind: str) -> set[tuple[str, str]]:
    return {
        (edge.head.partition(":")[2], edge.tail.partition(":")[2])
        for edge in edges(reactome, Participants(reactome))
        if edge.kind == kind
    }


def memberships(reactome: Reactome) -> dict[tuple[str, str], Edge]:
    rows = list(Participants(reactome).memberships())
    assert len({(edge.head, edge.tail) for edge in rows}) == len(rows)
    return {(edge.head, edge.tail.partition(":")[2]): edge for edge in rows}


HIERARCHY = "R-HSA-1\tUpper\tHomo sapiens\nR-HSA-2\tMiddle\tHomo sapiens\nR-HSA-3\tLower\tHomo sapiens\n"
RELATIONS = "R-HSA-1\tR-HSA-2\nR-HSA-2\tR-HSA-3\n"


def hierarchy(folder: Path, pathways: str = HIERARCHY, relations: str = RELATIONS) -> Path:
    (folder / "ReactomePathways.txt").write_text(pathways, encoding="utf-8")
    (folder / "ReactomePathwaysRelation.txt").write_text(relations, encoding="utf-8")
    return folder


def test_a_diagram_becomes_records_and_edges(tmp_path: Path) -> None:
    nodes = [
        node(10, children=[11, 12], displayName="A:B [plasma membrane]"),
        protein(11, "P11111-2", "AAA", "BBB"),
        node(12, "SimpleEntity", identifier="15377", displayName="water"),
        node(13, "DefinedSet", children=[11]),
        node(14, "GenomeEncodedEntity"),
    ]
    reactions = [
        node(
            20, "Reaction", inputs=[11, 12], outputs=[10], catalysts=[13], inhibitors=[12], requirements=[14]
        ),
        node(21, "FailedReaction", inputs=[10], outputs=[], preceding=[20, 99], efs=[10]),
    ]
    reactome = read_reactome(save(tmp_path, diagram(1, nodes, reactions)))
    reaction = reactome.reactions["R-HSA-20"]
    assert reaction.inputs == (Part("R-HSA-11"), Part("R-HSA-12"))
    assert reaction.regulators == (Regulator("R-HSA-12", "inhibition"), Regulator("R-HSA-14", "requirement"))
    assert (reaction.disease, reactome.reactions["R-HSA-21"].disease) == (False, True)
    complex_ = reactome.entities["R-HSA-10"]
    assert (complex_.name, complex_.compartment) == ("A:B", "plasma membrane")
    assert reactome.entities["R-HSA-12"].compartment is None
    assert found(reactome, "HAS_COMPONENT") == {("R-HSA-10", "R-HSA-11"), ("R-HSA-10", "R-HSA-12")}
    assert found(reactome, "HAS_MEMBER") == {("R-HSA-13", "R-HSA-11")}
    assert found(reactome, "PRECEDES") == {("R-HSA-20", "R-HSA-21")}
    assert found(reactome, "REFERS_TO") == {("R-HSA-11", "P11111"), ("R-HSA-12", "15377")}
    assert reactome.tally.skipped == {"step to a reaction outside the files": 1}
    resolve = Participants(reactome).resolution
    assert resolve(reaction).complete
    assert not resolve(reactome.reactions["R-HSA-21"]).whole


def test_leaves_without_reference_and_other_databases_lower_the_resolution(tmp_path: Path) -> None:
    nodes = [
        node(10, children=[11, 12]),
        protein(11, "P11111", "AAA"),
        node(12, "OtherEntity"),
        protein(13, "ENSG00000123456", "CCC"),
    ]
    pairs = {20: (10, 11), 21: (13, 11), 22: (12, 11)}
    reactions = [node(key, "Reaction", inputs=[a], outputs=[b]) for key, (a, b) in pairs.items()]
    reactome = read_reactome(save(tmp_path, diagram(1, nodes, reactions)))
    resolve = Participants(reactome).resolution
    seen = [resolve(reactome.reactions[f"R-HSA-{key}"]) for key in pairs]
    assert [(item.whole, item.strict, item.complete) for item in seen] == [
        (True, True, False),
        (True, False, False),
        (False, False, False),
    ]


def test_cycles_of_complexes_and_pathways_end_and_are_counted(tmp_path: Path) -> None:
    nodes = [
        node(10, children=[11, 13]),
        node(11, "CandidateSet", children=[12, 11]),
        node(12, children=[10]),
        protein(13, "P11111", "AAA"),
    ]
    content = diagram(3, nodes, [node(20, "Reaction", inputs=[12], outputs=[13])])
    hierarchy(tmp_path, relations=RELATIONS + "R-HSA-3\tR-HSA-1\nR-HSA-2\tR-HSA-2\n")
    reactome = read_reactome(save(tmp_path, content))
    assert reactome.tally.noted["cycle of complexes or sets"] == 1
    assert reactome.tally.noted["cycle of pathways"] == 1
    assert reactome.tally.skipped["entity that is a part of itself"] == 1
    assert reactome.tally.skipped["pathway below itself"] == 1
    assert [item.curie for item in Participants(reactome).references("R-HSA-12")] == ["uniprot:P11111"]
    rows = memberships(reactome)
    assert {key[1]: edge.direct for key, edge in rows.items()} == {
        "R-HSA-3": True,
        "R-HSA-1": False,
        "R-HSA-2": False,
    }


def test_a_reaction_belongs_to_the_lowest_pathway_that_lists_it(tmp_path: Path) -> None:
    nodes = [protein(11, "P11111", "AAA"), protein(12, "P22222", "BBB"), protein(13, "P33333", "CCC")]
    reactions = [node(20 + shift, "Reaction", inputs=[11 + shift], outputs=[]) for shift in range(3)]
    parts = [
        {"dbId": 2, "stId": "R-HSA-2", "displayName": "Middle", "events": [20, 21]},
        {"dbId": 3, "stId": "R-HSA-3", "displayName": "Lower", "events": [20]},
        {"dbId": 4, "stId": "R-HSA-4.2", "displayName": "Only drawn", "events": [77]},
    ]
    reactome = read_reactome(save(hierarchy(tmp_path), diagram(1, nodes, reactions, subpathways=parts)))
    assert found(reactome, "HAS_EVENT") == {
        ("R-HSA-1", "R-HSA-2"),
        ("R-HSA-2", "R-HSA-3"),
        ("R-HSA-1", "R-HSA-4"),
        ("R-HSA-3", "R-HSA-20"),
        ("R-HSA-2", "R-HSA-21"),
        ("R-HSA-1", "R-HSA-22"),
    }
    assert reactome.pathways["R-HSA-4"].version == 2
    assert reactome.entities["R-HSA-11"].species == "Homo sapiens"
    assert reactome.tally.skipped == {"event that is not in the diagram": 1}
    rows = memberships(reactome)
    assert [rows["uniprot:P22222", f"R-HSA-{key}"].direct for key in (2, 1)] == [True, False]
    assert ("uniprot:P22222", "R-HSA-3") not in rows


def test_repeated_things_are_merged_and_contradictions_reported(tmp_path: Path) -> None:
    first = [node(10, children=[11]), protein(11, "P11111", "AAA"), node(12, "SimpleEntity")]
    second = [
        node(10, children=[12], displayName="other name [nucleus]"),
        protein(11, "P99999", "AAA", "ZZZ"),
        node(12, "ChemicalDrug", identifier="15377"),
    ]
    one = diagram(1, first, [node(20, "Reaction", inputs=[10], outputs=[11], following=[21])])
    two = diagram(
        2,
        second,
        [node(20, "Reaction", inputs=[11], outputs=[11], catalysts=[12]), node(21, "Reaction", inputs=[12])],
    )
    reactome = read_reactome(save(tmp_path, one, two))
    assert reactome.tally.repeated == {"entities": 3, "reactions": 1}
    assert reactome.tally.contradictions == {
        "names differ": 1,
        "compartments differ": 1,
        "parts differ": 1,
        "identifiers differ": 1,
        "gene names differ": 1,
        "classes differ": 1,
        "inputs differ": 1,
    }
    assert reactome.tally.first["inputs differ"] == [
        "R-HSA-20: R-HSA-1.graph.json against R-HSA-2.graph.json"
    ]
    kept = reactome.entities["R-HSA-10"]
    assert (kept.name, kept.synonyms, kept.parts) == ("thing 10", ("other name",), (Part("R-HSA-11"),))
    assert reactome.entities["R-HSA-12"].reference is not None
    assert reactome.reactions["R-HSA-20"].catalysts == ("R-HSA-12",)
    assert reactome.reactions["R-HSA-21"].preceding == ("R-HSA-20",)


def test_items_that_cannot_be_used_are_counted(tmp_path: Path) -> None:
    nodes: list[object] = [
        "text",
        {"displayName": "no id"},
        node(10, "NewClass"),
        node(11, children=[10, 999]),
        node(12, "EntityWithAccessionedSequence", identifier="what?"),
        node(13, displayName="a\x00b\ud800  c\td [cytosol]"),
    ]
    reactome = read_reactome(save(tmp_path, diagram(1, nodes, [node(20, "NewReaction")])))
    assert reactome.tally.skipped == {
        "node that is no object": 1,
        "node without a stable id and a dbId": 1,
        "node of unknown class 'NewClass'": 1,
        "children: entity that is not in the diagram": 2,
        "identifier of an unknown database": 1,
        "edge of unknown class 'NewReaction'": 1,
    }
    assert reactome.entities["R-HSA-13"].name == "ab c d"
    assert reactome.tally.first["node of unknown class 'NewClass'"] == [
        "R-HSA-1.graph.json: node 2, R-HSA-10"
    ]


WHOLE = json.dumps(diagram(1, [node(10)])).encode()


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("R-HSA-1.graph.json", WHOLE[:-9], "line 1, column"),
        ("R-HSA-1.graph.json.gz", gzip.compress(WHOLE)[:-12], "end"),
        ("R-HSA-1.graph.json.gz", b"\x1f\x8b" + b"\x00" * 40, "end"),
        ("R-HSA-1.graph.json", b"[1, 2]", "list where an object"),
        ("R-HSA-1.graph.json", b"[" * 200_000, "cannot be read as JSON"),
        ("R-HSA-1.graph.json", b'{"a": ' + b"9" * 5_000 + b"}", "cannot be read as JSON"),
        ("R-HSA-1.graph.json", WHOLE.replace(b"thing", b"th\x00ing"), "line 1, column"),
        ("R-HSA-1.graph.json", WHOLE.replace(b"thing", b"th\xffing"), "cannot be read as JSON"),
        ("R-HSA-1.graph.json", b'{"stId": "R-HSA-1", "nodes": []}', "nodes and edges"),
        ("R-HSA-1.graph.json", b'{"stId": "apoptosis", "nodes": [], "edges": []}', "stable id"),
        ("R-HSA-1.graph.json", b"", "line 1, column"),
        ("diagram.tgz", b"no archive", "end"),
        ("ReactomePathways.txt", b"R-HSA-1\tonly two\n", "line 1: 2 tab-separated columns where 3"),
        ("ReactomePathways.txt", b"x" * 2_000_000, "longer than"),
        ("ReactomePathways.txt.gz", gzip.compress(HIERARCHY.encode() * 999)[:-20], "Read up to line"),
        ("ReactomePathwaysRelation.txt", RELATIONS.encode(), "without ReactomePathways.txt"),
        ("UniProt2Reactome.txt", b"P11111\tR-HSA-1\n", "line 1: 2 tab-separated columns where 6"),
        ("notes.md", b"nothing", "no file of Reactome"),
    ],
)
def test_broken_files_are_named_with_the_place(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError) as caught:
        read_reactome(tmp_path)
    assert message in str(caught.value)
    assert (name if name != "notes.md" else str(tmp_path)) in str(caught.value)


def test_files_that_hold_nothing_are_an_error_and_no_empty_graph(tmp_path: Path) -> None:
    table = tmp_path / "ReactomePathways.txt"
    for content, said in (
        (b"", "holds no pathway"),
        (b"no id\tname\tspecies\n", "holds no pathway"),
        (b"R-HSA-1\tA\tHomo sapiens\n" + b"\x81\x8d\n" * 2, "2 of 3 lines are no text"),
    ):
        table.write_bytes(content)
        with pytest.raises(SourceError, match=said):
            read_reactome(tmp_path)
    table.write_bytes(b"R-HSA-1\tA\tHomo sapiens\n")
    with pytest.raises(SourceError, match=r"species 'Nobody'\. It has: Homo sapiens"):
        read_reactome(tmp_path, species={"Homo sapiens", "Nobody"})
    table.unlink()
    (tmp_path / "UniProt2Reactome.txt").write_bytes(b"")
    with pytest.raises(SourceError, match="holds no pathway, reaction or molecule"):
        read_reactome(tmp_path)


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="does not exist"):
        read_reactome(tmp_path / "nowhere")


@pytest.mark.parametrize("packed", ["tgz", "gz", "bom", "versioned"])
def test_the_same_diagram_in_every_wrapping(tmp_path: Path, packed: str) -> None:
    if packed == "tgz":
        with tarfile.open(tmp_path / "diagram.tgz", "w:gz") as archive:
            for name in ("diagram/R-HSA-1.graph.json", "diagram/R-HSA-1.json"):
                entry = tarfile.TarInfo(name)
                entry.size = len(WHOLE)
                archive.addfile(entry, io.BytesIO(WHOLE))
    elif packed == "gz":
        (tmp_path / "R-HSA-1.graph.json.gz").write_bytes(gzip.compress(WHOLE))
    elif packed == "bom":
        (tmp_path / "R-HSA-1.graph.json").write_bytes(b"\xef\xbb\xbf" + WHOLE)
    else:
        (tmp_path / "R-HSA-1.graph.json").write_bytes(WHOLE.replace(b'"R-HSA-10"', b'"R-HSA-10.7"'))
    reactome = read_reactome(tmp_path)
    assert reactome.entities.keys() == {"R-HSA-10"}
    assert reactome.tally.read["diagrams"] == 1
    assert reactome.entities["R-HSA-10"].version == (7 if packed == "versioned" else None)


def test_text_tables_bear_bom_crlf_other_encodings_and_count_the_rest(tmp_path: Path) -> None:
    rows = [
        b"\xef\xbb\xbfR-HSA-1\t Upper \tHomo sapiens",
        b"R-HSA-2.4\tCrohn's d\xe9faut\tHomo sapiens",
        "R-MMU-3\tLöwer\tMus musculus".encode(),
        b"R-HSA-4\twith\x00NUL\tHomo sapiens",
        b"R-HSA-5\ttoo\tmany\tcolumns",
        b"R-HSA-6\t\tHomo sapiens",
        b"R-HSA-7\t\x81\tHomo sapiens",
        b"R-HSA-1\tAnother name\tHomo sapiens",
        b"",
    ]
    (tmp_path / "ReactomePathways.txt").write_bytes(b"\r\n".join(rows))
    relations = b"R-HSA-1\tR-HSA-2\r\nR-HSA-1\tR-HSA-9\r\nR-HSA-1\tApoptosis\r\n"
    (tmp_path / "ReactomePathwaysRelation.txt").write_bytes(relations)
    reactome = read_reactome(tmp_path)
    assert {key: item.name for key, item in reactome.pathways.items()} == {
        "R-HSA-1": "Upper",
        "R-HSA-2": "Crohn's défaut",
        "R-MMU-3": "Löwer",
    }
    assert reactome.pathways["R-HSA-1"].synonyms == ("Another name",)
    assert reactome.tally.noted == {"line read as Windows-1252": 1}
    assert reactome.tally.skipped == {
        "line with a NUL character": 1,
        "line with the wrong number of columns": 1,
        "pathway without a stable id or a name": 1,
        "line in no known encoding": 1,
        "relation to a pathway that is not listed or of another species": 1,
        "relation without two stable ids": 1,
    }
    assert read_reactome(tmp_path, species={"Mus musculus"}).pathways.keys() == {"R-MMU-3"}


def test_disease_is_everything_below_the_top_level_pathway(tmp_path: Path) -> None:
    pathways = "R-HSA-1643685\tDisease\tHomo sapiens\n" + HIERARCHY
    hierarchy(tmp_path, pathways, "R-HSA-1643685\tR-HSA-2\nR-HSA-2\tR-HSA-3\n")
    save(tmp_path, diagram(3, [node(10)], [node(20, "Reaction", inputs=[10], outputs=[10])]))
    reactome = read_reactome(tmp_path)
    assert {key for key, item in reactome.pathways.items() if item.disease} == {
        "R-HSA-1643685",
        "R-HSA-2",
        "R-HSA-3",
    }
    assert reactome.reactions["R-HSA-20"].disease


def table(*rows: Iterable[str]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def test_identifier_tables_of_both_widths(tmp_path: Path) -> None:
    url = "https://reactome.org/PathwayBrowser/#/R-HSA-3"
    hierarchy(tmp_path)
    (tmp_path / "UniProt2Reactome.txt").write_text(
        table(
            ("P11111-2", "R-HSA-3", url, "Lower", "TAS", "Homo sapiens"),
            ("nonsense", "R-HSA-3", url, "Lower", "TAS", "Homo sapiens"),
            ("P22222", "R-MMU-9", url, "Only here", "IEA", "Mus musculus"),
        )
    )
    (tmp_path / "UniProt2Reactome_All_Levels.txt").write_text(
        table(
            ("P11111", "R-HSA-2", url, "Middle", "TAS", "Homo sapiens"),
            ("P11111", "R-HSA-3", url, "Lower", "TAS", "Homo sapiens"),
        )
    )
    (tmp_path / "ChEBI2Reactome_PE_Pathway.txt").write_text(
        table(("15377", "R-ALL-5", "H2O [cytosol]", "R-HSA-2", url, "Middle", "IEA", "Homo sapiens"))
    )
    (tmp_path / "Ensembl2Reactome.txt").write_text(
        table(("FBgn0000042", "R-HSA-3", url, "Lower", "IEA", "Homo sapiens"))
    )
    (tmp_path / "UniProt2ReactomeReactions.txt").write_text("not read")
    reactome = read_reactome(tmp_path)
    rows = memberships(reactome)
    assert {(*key, edge.direct) for key, edge in rows.items() if key[0] == "uniprot:P11111"} == {
        ("uniprot:P11111", "R-HSA-3", True),
        ("uniprot:P11111", "R-HSA-2", False),
        ("uniprot:P11111", "R-HSA-1", False),
    }
    assert rows["chebi:15377", "R-HSA-2"].direct
    assert rows["chebi:15377", "R-HSA-2"].evidence == "IEA"
    assert ("ensembl:FBgn0000042", "R-HSA-1") in rows
    assert reactome.pathways["R-MMU-9"].species == "Mus musculus"
    assert reactome.tally.skipped == {
        "table row without an identifier or a stable id": 1,
        "table of reactions": 1,
    }
    human = read_reactome(tmp_path, species={"Homo sapiens"})
    assert "R-MMU-9" not in human.pathways


BIOPAX_HEAD = (
    '<?xml version="1.0"?>{doctype}<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:bp="http://www.biopax.org/release/biopax-level3.owl#">'
)


def identified(tag: str, key: str, stable_id: str, inner: str = "") -> str:
    """A BioPAX individual whose cross-reference is written inside it, as some tools do."""
    return (
        f'<bp:{tag} rdf:ID="{key}"><bp:displayName>{key}</bp:displayName>{inner}<bp:xref>'
        f'<bp:UnificationXref rdf:ID="x{key}"><bp:db>Reactome</bp:db><bp:id>{stable_id}</bp:id>'
        f"</bp:UnificationXref></bp:xref></bp:{tag}>"
    )


def link(prop: str, key: str) -> str:
    return f'<bp:{prop} rdf:resource="#{key}"/>'


def stoichiometry(key: str, entity: str, count: str) -> str:
    number = f"<bp:stoichiometricCoefficient>{count}</bp:stoichiometricCoefficient>"
    return f'<bp:Stoichiometry rdf:ID="{key}">{number}{link("physicalEntity", entity)}</bp:Stoichiometry>'


BIOPAX = "".join(
    [
        BIOPAX_HEAD.format(doctype=""),
        identified(
            "BiochemicalReaction",
            "R",
            "R-HSA-20.3",
            "<bp:conversionDirection>RIGHT-TO-LEFT</bp:conversionDirection>"
            + "".join(link("left", key) for key in "SW")
            + link("right", "A")
            + link("participantStoichiometry", "n1")
            + link("participantStoichiometry", "n2"),
        ),
        identified("TemplateReaction", "T", "R-HSA-21", link("product", "A") + link("left", "missing")),
        stoichiometry("n1", "W", "2.0"),
        stoichiometry("n2", "A", "half"),
        identified("PhysicalEntity", "S", "R-HSA-10", link("memberPhysicalEntity", "A")),
        identified("SmallMolecule", "W", "R-ALL-12", link("entityReference", "WR")),
        identified("Protein", "A", "R-HSA-11", link("entityReference", "AR")),
        (
            '<bp:ProteinReference rdf:about="#AR"><bp:name>UniProt:P11111 AAA</bp:name><bp:name>AAA</bp:name>'
            "<bp:xref><bp:UnificationXref><bp:db>UniProt</bp:db><bp:id>P11111</bp:id></bp:UnificationXref></bp:xref>"
            "</bp:ProteinReference>"
        ),
        (
            '<bp:SmallMoleculeReference rdf:ID="WR"><bp:xref><bp:UnificationXref rdf:ID="wx">'
            "<bp:db>ChEBI</bp:db><bp:id>CHEBI:15377</bp:id></bp:UnificationXref></bp:xref></bp:SmallMoleculeReference>"
        ),
        f'<bp:Catalysis rdf:ID="c">{link("controller", "A")}{link("controlled", "R")}</bp:Catalysis>',
        (
            f'<bp:Modulation rdf:ID="m">{link("controller", "W")}{link("controlled", "c")}'
            "<bp:controlType>INHIBITION-ALLOSTERIC</bp:controlType></bp:Modulation>"
        ),
        f'<bp:PathwayStep rdf:ID="s1">{link("stepProcess", "R")}{link("nextStep", "s2")}</bp:PathwayStep>',
        f'<bp:PathwayStep rdf:ID="s2">{link("stepProcess", "T")}</bp:PathwayStep>',
        identified(
            "Pathway", "P", "R-HSA-1", link("pathwayComponent", "R") + link("pathwayComponent", "gone")
        ),
        '<bp:Complex rdf:ID="nameless"/>',
        "</rdf:RDF>",
    ]
)


def test_biopax_in_any_order_nested_or_linked(tmp_path: Path) -> None:
    (tmp_path / "Homo_sapiens.owl").write_text(BIOPAX)
    reactome = read_reactome(tmp_path)
    reaction = reactome.reactions["R-HSA-20"]
    assert (reaction.version, reaction.inputs) == (3, (Part("R-HSA-11"),))
    assert reaction.outputs == (Part("R-HSA-10"), Part("R-ALL-12", 2))
    assert reaction.catalysts == ("R-HSA-11",)
    assert reaction.regulators == (Regulator("R-ALL-12", "inhibition"),)
    assert reactome.reactions["R-HSA-21"].preceding == ("R-HSA-20",)
    assert reactome.entities["R-HSA-11"].gene_names == ("AAA",)
    assert found(reactome, "HAS_MEMBER") == {("R-HSA-10", "R-HSA-11")}
    assert found(reactome, "REFERS_TO") == {("R-HSA-11", "P11111"), ("R-ALL-12", "15377")}
    assert reactome.tally.skipped == {
        "BioPAX element without a stable id of Reactome": 1,
        "left: entity that is not in the BioPAX file": 1,
        "event that is not in the BioPAX file": 1,
        "stoichiometry that is no whole number": 1,
    }
    (tmp_path / "zipped").mkdir()
    with zipfile.ZipFile(tmp_path / "zipped" / "biopax.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Homo_sapiens.owl", BIOPAX)
    assert read_reactome(tmp_path / "zipped").reactions.keys() == reactome.reactions.keys()


BOMB = '<!DOCTYPE r [<!ENTITY a0 "ha">' + "".join(
    f'<!ENTITY a{level} "{f"&a{level - 1};" * 10}">' for level in range(1, 12)
)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.owl", BIOPAX[:-40], "not valid XML at line 1"),
        ("a.owl.gz", gzip.compress(BIOPAX.encode())[:-30], "a.owl.gz"),
        ("a.owl", BIOPAX.replace("Reactome</bp:db>", "\x00</bp:db>"), "not valid XML"),
        ("a.owl", "<html/>", "its root is html"),
        ("a.owl", BIOPAX.replace("biopax-level3", "biopax-level2"), "another level than 3"),
        ("a.owl", BIOPAX_HEAD.format(doctype="") + "</rdf:RDF>", "no element of BioPAX"),
        ("a.owl", BIOPAX_HEAD.format(doctype="") + "<bp:Pathway><bp:xref>" * 400, "not valid XML"),
        ("biopax.zip", "no archive", "biopax.zip cannot be read"),
    ],
)
def test_broken_biopax_is_named_with_the_place(
    tmp_path: Path, name: str, content: str | bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.raises(SourceError) as caught:
        read_reactome(tmp_path)
    assert message in str(caught.value)


def test_external_entities_are_not_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("top secret")
    doctype = f'<!DOCTYPE r [<!ENTITY outside SYSTEM "{secret.as_uri()}">]>'
    text = BIOPAX_HEAD.format(doctype=doctype) + identified("Protein", "A", "R-HSA-11") + "</rdf:RDF>"
    (tmp_path / "a.owl").write_text(text.replace("<bp:displayName>A<", "<bp:displayName>A&outside;<"))
    reactome = read_reactome(tmp_path)
    assert reactome.entities["R-HSA-11"].name == "A"


@pytest.mark.parametrize("place", ['rdf:ID="{}"/>', "><bp:displayName>{}</bp:displayName></bp:Protein>"])
def test_entity_bombs_are_refused(tmp_path: Path, place: str) -> None:
    bomb = "<bp:Protein " + place.format("&a11;")
    (tmp_path / "a.owl").write_text(BIOPAX_HEAD.format(doctype=BOMB + "]>") + bomb + "</rdf:RDF>")
    with pytest.raises(SourceError, match="amplification"):
        read_reactome(tmp_path)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("R-HSA-109581.3", ("R-HSA-109581", 3)),
        (" reactome:R-ALL-113592 ", ("R-ALL-113592", None)),
        ("r-hsa-5-2", ("R-HSA-5-2", None)),
        ("REACT_578.8", None),
        ("R-HSA-1.", None),
        ("R-HSA-１", None),
    ],
)
def test_stable_ids(text: str, expected: tuple[str, int | None] | None) -> None:
    assert parse_stable_id(text) == expected


@pytest.mark.parametrize(
    ("schema_class", "identifier", "expected"),
    [
        ("EntityWithAccessionedSequence", "A0A023GPK8", "uniprot:A0A023GPK8"),
        ("EntityWithAccessionedSequence", "P12931-1", "uniprot:P12931"),
        ("EntityWithAccessionedSequence", "ENSG00000141510.4", "ensembl:ENSG00000141510"),
        ("EntityWithAccessionedSequence", "MI0000743", "mirbase:MI0000743"),
        ("EntityWithAccessionedSequence", "AF033819", "ena.embl:AF033819"),
        ("EntityWithAccessionedSequence", "7157", None),
        ("SimpleEntity", "15377", "chebi:15377"),
    ],
)
def test_references_by_pattern(schema_class: str, identifier: str, expected: str | None) -> None:
    reference = reference_by_pattern(schema_class, identifier)
    assert (reference.curie if reference else None) == expected


@given(st.text())
def test_cleaned_text_can_be_stored_and_stays_as_it_is(text: str) -> None:
    cleaned = clean(text)
    cleaned.encode("utf-8")
    assert "\0" not in cleaned
    assert clean(cleaned) == cleaned


@given(st.sampled_from(["UniProt", "ChEBI", "Ensembl", "NCBI", "GtoP", "DOID", ""]), st.text(max_size=12))
@example("Ensembl", ".4")
def test_a_reference_by_database_is_never_blank(database: str, identifier: str) -> None:
    reference = reference_by_database(database, identifier)
    assert reference is None or (reference.stem.strip() and " " not in reference.curie)


graphs: Any = st.dictionaries(
    st.sampled_from("abcdefg"), st.lists(st.sampled_from("abcdefg"), max_size=4, unique=True), max_size=7
)


@given(graphs)
def test_reachable_agrees_with_a_fixed_point_and_without_closing_edges_there_is_no_cycle(
    onward: dict[str, list[str]],
) -> None:
    for start in "abcdefg":
        slow = set(onward.get(start, ()))
        while not slow >= (wider := {end for key in slow for end in onward.get(key, ())}):
            slow |= wider
        assert set(reachable(start, onward)) == slow - {start}
    closing = closing_edges(onward)
    kept = {key: [end for end in ends if (key, end) not in closing] for key, ends in onward.items()}
    assert closing_edges(kept) == []
    has_cycle = any(start in set(reachable(end, onward)) | {end} for start in onward for end in onward[start])
    assert bool(closing) == has_cycle


def test_the_example_of_the_documentation_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "reactome.md").read_text(encoding="utf-8")
    example = page.partition("```python\n")[2].partition("```")[0]
    (tmp_path / "reactome").mkdir()
    reactions = [node(20, "Reaction", inputs=[10], catalysts=[10])]
    save(tmp_path / "reactome", diagram(1, [node(10)], reactions))
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(example, "docs/reactome.md", "exec"), names)
    assert (names["found"], names["catalysed"], names["left_out"]) == ((1, 1, 1), 1, {})
