"""Delimited sources in a real Neo4j: written, not written again, resumed, joined, taken out."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from datetime import date
from itertools import count as numbers
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from neo4j import Session

from app.cli import run
from biomolkg.errors import NotFound, SourceError
from biomolkg.settings import Settings
from cypher.client import Client
from graph_loader.export import write_edges, write_nodes
from graph_loader.identity.account import read_joins
from graph_loader.ledger import Ledger
from graph_loader.loading import load_biomolmqa
from graph_loader.removal import remove_dataset
from graph_loader.sources.csv_graph import Column, CsvEdge, CsvNode, read_mapping
from graph_loader.table_loading import load_tables
from graph_loader.table_sources import (
    TableSource,
    csv_source,
    decagon_source,
    kgx_source,
    names_source,
    stitch_source,
)
from retrievers.entities import neighbors
from tests.conftest import empty_database

from .conftest import HOSTILE_RELATION, dump, last_transaction, write_published

Count = Callable[[str], int]
Load = Callable[..., Ledger]

THINGS = (
    "id:ID,name,aka:string[],about,height:double,found:date,:LABEL\n"
    'h1,"O\'Brien\'s ""odd"", herb",wonderwort;marvel leaf,'
    '"Grows on walls. Farmers chew it, against hay fever.",0.5,2020-01-02,Herb\n'
    'h2,Plain root,,,,,"Herb;Foo`) DETACH DELETE n //"\n'
    "h2,Second name,,,,,Herb\n"
    "d1,hay fever,pollinosis,,,,Disease\n"
)
SAYS = (
    ":START_ID,:END_ID,:TYPE,score:double,places:string[]\n"
    "h1,d1,RELIEVES,0.9,Bonn;Oslo\n"
    f"h2,d1,{HOSTILE_RELATION},,\n"
    "h2,h1,GROWS_BESIDE,,\n"
    "h2,nowhere,GROWS_BESIDE,,\n"
)
MAPPING = '[nodes."*"]\nsynonyms = ["aka"]\ntexts = { about = "description" }\n'


def write_herbs(folder: Path, *, things: str = THINGS, says: str = SAYS) -> TableSource:
    """The same graph whatever the wrapping: a byte order mark and CRLF here, gzip there."""
    folder.mkdir(exist_ok=True)
    (folder / "Thing.csv").write_bytes(b"\xef\xbb\xbf" + things.replace("\n", "\r\n").encode())
    (folder / "Says.csv.gz").write_bytes(gzip.compress(says.encode(), mtime=0))
    mapping = folder.parent / "mapping.toml"
    mapping.write_text(MAPPING)
    return csv_source(folder, read_mapping(mapping), name="herbs")


def small_table(folder: Path, text: str, **kinds: str) -> TableSource:
    """One file of nodes, whose labels have the given kinds."""
    folder.mkdir()
    (folder / "Node.csv").write_text(text, encoding="utf-8")
    mapping = folder.parent / f"{folder.name}.toml"
    mapping.write_text("".join(f'[nodes.{label}]\nkind = "{kind}"\n' for label, kind in kinds.items()))
    return csv_source(folder, read_mapping(mapping))


@pytest.fixture(scope="module")
def base(client: Client, neo4j_server: Settings, tmp_path_factory: pytest.TempPathFactory) -> Client:
    """A graph with the made BioMol-MQA in it."""
    load_biomolmqa(client, write_published(tmp_path_factory.mktemp("base") / "biomolmqa"), neo4j_server)
    return client


@pytest.fixture
def load(base: Client, neo4j_server: Settings) -> Load:
    return lambda source, **options: load_tables(base, source, neo4j_server, **options)


@pytest.fixture(autouse=True)
def only_base(base: Client, neo4j_server: Settings, session: Session) -> Callable[[], None]:
    """What a test loaded is taken out before the next one."""

    def clean() -> None:
        for row in session.run("MATCH (l:Load) RETURN DISTINCT l.dataset AS dataset").data():
            if row["dataset"] != "biomolmqa":
                remove_dataset(base, row["dataset"], neo4j_server)

    clean()
    return clean


def entity(session: Session, node_id: str) -> dict[str, object]:
    row = session.run("MATCH (e:Entity {id: $id}) RETURN properties(e) AS e", id=node_id).single(strict=True)
    return dict(row["e"])


def reasons(ledger: Ledger) -> dict[str, int]:
    return {item.reason: item.count for item in ledger.omissions}


def joined(ledger: Ledger) -> dict[str, int]:
    return {item.evidence: item.count for item in ledger.joins}


def test_a_graph_of_ones_own_is_written_as_it_says(load: Load, session: Session, tmp_path: Path) -> None:
    ledger = load(write_herbs(tmp_path / "herbs"))
    assert {row.table: row.written for row in ledger.tables if row.table != "relation_types"} == {
        "nodes": 3,
        "fact": 3,
        "passages": 1,
    }
    assert reasons(ledger) == {
        "id again with another name": 1,
        "endpoint that no node has": 1,
        "label that is no plain word, kept as data": 1,
    }
    herb = entity(session, "herbs:h1")
    assert herb.pop("found").to_native() == date(2020, 1, 2)  # type: ignore[attr-defined]
    assert herb.pop("herbs:digest")
    assert herb == {
        "id": "herbs:h1",
        "id_": "h1",
        "name": "O'Brien's \"odd\", herb",
        "synonyms": ["wonderwort", "marvel leaf"],
        "labels": ["Herb"],
        "height": 0.5,
        "source": "herbs:Thing.csv:1",
        "datasets": ["herbs"],
    }
    facts = session.run(
        "MATCH (h)-[f:FACT {dataset: 'herbs'}]->(t) RETURN h.id AS head, properties(f) AS f, t.id AS tail "
        "ORDER BY f.source"
    ).data()
    assert facts[0]["f"].pop("digest")
    assert facts[0] == {
        "head": "herbs:h1",
        "f": {
            "dataset": "herbs",
            "source": "herbs:Says.csv.gz:1",
            "type": "RELIEVES",
            "relation": "relieves",
            "score": 0.9,
            "places": ["Bonn", "Oslo"],
        },
        "tail": "herbs:d1",
    }
    assert facts[1]["f"]["relation"] == HOSTILE_RELATION
    labels = {row["label"] for row in session.run("CALL db.labels() YIELD label").data()}
    assert not {label for label in labels if "DELETE" in label or label == "Herb"}
    types = session.run(
        "MATCH (r:RelationType {kind: 'FACT'}) RETURN r.name AS name, r.count AS n, size(r.embedding) AS d"
    ).data()
    assert {(row["name"], row["n"], row["d"]) for row in types} == {
        ("relieves", 1, 384),
        ("grows beside", 1, 384),
        (HOSTILE_RELATION, 1, 384),
    }
    passage = session.run(
        "MATCH (:Entity {id: 'herbs:h1'})-[:DESCRIBED_BY]->(p:Passage) RETURN p.text AS text, p.section AS s"
    ).single(strict=True)
    assert passage["text"].startswith("Grows on walls.")
    assert passage["s"] == "description"


def test_a_second_load_writes_nothing(load: Load, session: Session, tmp_path: Path) -> None:
    herbs = write_herbs(tmp_path / "herbs")
    load(herbs)
    before, graph = last_transaction(session), dump(session)
    again = load(herbs)
    assert last_transaction(session) == before
    assert not again.changed
    assert {row.table: row.unchanged for row in again.tables}["fact"] == 3
    # Beside another load everything is compared again, and still nothing is written.
    load(small_table(tmp_path / "others", "id:ID,name,:LABEL\no1,quartz,Rock\n"))
    before = last_transaction(session)
    assert not load(herbs).changed
    assert last_transaction(session) == before
    assert graph[0] != dump(session)[0]


def test_two_folders_of_one_name_do_not_take_each_others_place(
    load: Load, session: Session, tmp_path: Path
) -> None:
    mine, yours = tmp_path / "mine" / "kg", tmp_path / "yours" / "kg"
    for folder, row in ((mine, "a1,Aconite"), (yours, "b1,Bindweed")):
        folder.mkdir(parents=True)
        (folder / "Thing.csv").write_text(f"id:ID,name\n{row}\n")
    load(csv_source(mine))
    before = dump(session)
    for dry_run in (True, False):
        with pytest.raises(SourceError, match=str(mine)) as refused:
            load(csv_source(yours), dry_run=dry_run)
        assert refused.value.remedy is not None
        assert "--name kg" in refused.value.remedy
    assert dump(session) == before
    (mine / "Thing.csv").write_text("id:ID,name\na1,Wolfsbane\n")
    assert load(csv_source(mine)).changed, "a folder may be loaded again"
    load(csv_source(yours, name="theirs"))
    load(csv_source(yours, name="kg"))
    names = [row["name"] for row in session.run("MATCH (t:Thing) RETURN t.name AS name ORDER BY name").data()]
    assert names == ["Bindweed", "Bindweed"], "one of each data set, and no Wolfsbane"
    assert len(load(csv_source(yours)).writes) == 0, "a name that was given stays"


def test_a_changed_file_gives_the_graph_of_a_first_load_of_it(
    load: Load, session: Session, only_base: Callable[[], None], tmp_path: Path
) -> None:
    changed = {
        "things": THINGS.replace("d1,hay fever,pollinosis", "d2,itching,").replace("marvel leaf", "leaf"),
        "says": SAYS.replace("h1,d1,RELIEVES,0.9", "h1,d2,RELIEVES,0.8").replace("h2,d1", "h2,d2"),
    }
    load(write_herbs(tmp_path / "herbs"))
    ledger = load(write_herbs(tmp_path / "herbs", **changed))
    tables = {row.table: (row.written, row.unchanged, row.removed) for row in ledger.tables}
    assert (tables["nodes"], tables["fact"]) == ((2, 1, 1), (2, 1, 2))
    after = dump(session)
    only_base()
    load(write_herbs(tmp_path / "herbs", **changed))
    assert dump(session) == after


def test_an_interrupted_load_goes_on_where_it_stopped(
    base: Client,
    neo4j_server: Settings,
    load: Load,
    session: Session,
    count: Count,
    only_base: Callable[[], None],
    tmp_path: Path,
) -> None:
    herbs = write_herbs(tmp_path / "herbs")
    load(herbs)
    whole = dump(session)
    steps = 0
    for stop in numbers(1):
        only_base()
        told = numbers(1)

        def report(table: str, done: int, total: int, stop: int = stop, told: numbers = told) -> None:  # type: ignore[type-arg]
            if next(told) == stop:
                raise KeyboardInterrupt

        small = neo4j_server.model_copy(update={"load_batch_rows": 1})
        try:
            load_tables(base, herbs, small, report=report)
        except KeyboardInterrupt:
            steps += 1
            assert count("MATCH (g:Graph {loading: true}) RETURN count(g)") == 1
            load(herbs)
            assert dump(session) == whole
        else:
            break
    assert steps == 7, "three nodes, three facts, one passage"


def test_an_error_in_the_last_row_leaves_the_graph_as_before(
    load: Load, session: Session, tmp_path: Path
) -> None:
    herbs = write_herbs(tmp_path / "herbs")
    load(herbs)
    before = dump(session)
    with pytest.raises(SourceError, match="not closed"):
        load(write_herbs(tmp_path / "herbs", says=SAYS + 'h1,d1,"never closed,1,\n'))
    assert dump(session) == before


def test_a_dry_run_says_it_all_and_writes_nothing(load: Load, session: Session, tmp_path: Path) -> None:
    before, graph = last_transaction(session), dump(session)
    source = small_table(
        tmp_path / "mine", "id:ID,name,:LABEL\nm1,fentanyl,Med\nm2,unheard of,Med\n", Med="Drug"
    )
    ledger = load(source, dry_run=True)
    assert last_transaction(session) == before
    assert dump(session) == graph
    assert ledger.dry_run
    assert {row.table: row.written for row in ledger.tables if row.written} == {"nodes": 2}
    assert ledger.joins[0].examples == ("mine:m1 is pubchem.compound:3345 by name fentanyl",)
    assert not any(ledger.writes.values())


DRUGS = (
    "id:ID,name,smiles,inchikey,xrefs:string[],:LABEL\n"
    "pubchem.compound:3345,a patch,,,,Med\n"
    "i1,brufen,,HEFNNWSXXWATRW-UHFFFAOYSA-N,,Med\n"
    "s1,Trittico,Cl.C1CN(CCN1CCCN2C(=O)N3C=CC=CC3=N2)C4=CC(=CC=C4)Cl,,,Med\n"
    "x1,cyclic messenger,,,stitch:CID000002173,Med\n"
    "c1,nobody,,,chebi:17489,Med\n"
    'n1,"Drug, ""quoted""",CCCC,,,Med\n'
    "p1,some receptor,,,ensembl:ENSP00000358963,Gen\n"
    "p2,other receptor,,,hgnc.symbol:ADRB1,Gen\n"
    "p3,third receptor,,,hgnc.symbol:ADRB1,Gen\n"
    "bad,broken,C1CC(,,,Med\n"
    f"long,{'x' * 5_000},,,stitch:{'9' * 5_000},Med\n"
    f"{'i' * 5_000},no id can be so long,,,,Med\n"
)


def test_the_same_thing_from_two_sources_is_one_node(load: Load, session: Session, tmp_path: Path) -> None:
    ledger = load(small_table(tmp_path / "meds", DRUGS, Med="Drug", Gen="Protein"))
    assert joined(ledger) == {
        "identifier": 1,
        "InChIKey": 1,
        "accession": 1,
        "cross-reference": 1,
    }
    told = reasons(ledger)
    assert told["ambiguous, left apart"] == 2, "two proteins that could be one, neither of them better"
    assert told["drug another structure, left apart"] == 1, "the same name with another structure"
    assert told["SMILES that cannot be read, left out"] == 1
    assert told["cross-reference of more than 1,000 characters, left out"] == 1
    assert told["id of more than 1,000 characters"] == 1
    ibuprofen = entity(session, "pubchem.compound:3672")
    assert ibuprofen["name"] == "Ibuprofen"
    assert ibuprofen["other_names"] == ["brufen"]
    assert ibuprofen["datasets"] == ["biomolmqa", "meds"]
    assert str(ibuprofen["meds:join"]).startswith("InChIKey HEFNNWSXXWATRW")
    salt = session.run("MATCH (s)-[:SALT_OF]->(d) RETURN s.name AS salt, d.name AS drug").data()
    assert salt == [{"salt": "Trittico", "drug": "Trazodone"}]
    found = session.run(
        "CALL db.index.fulltext.queryNodes('entity_names', 'brufen') YIELD node RETURN node.name AS name"
    ).data()
    assert [row["name"] for row in found] == ["Ibuprofen"]
    assert entity(session, "meds:n1")["datasets"] == ["meds"]
    assert "smiles" not in entity(session, "meds:bad")


def test_a_small_molecule_is_not_joined_by_its_chebi_number_alone(
    load: Load, session: Session, tmp_path: Path
) -> None:
    first = "id:ID,name,xrefs:string[],:LABEL\nf1,neutral form,chebi:17489,Med\n"
    second = first.replace("f1,neutral form", "g1,charged form") + "g2,Neutral  form,chebi:17489,Med\n"
    load(small_table(tmp_path / "first", first, Med="Drug"))
    ledger = load(small_table(tmp_path / "second", second, Med="Chemical"))
    assert joined(ledger) == {"ChEBI number and name": 1}
    assert entity(session, "first:f1")["datasets"] == ["first", "second"]
    assert entity(session, "second:g1")["datasets"] == ["second"]


def test_a_removal_leaves_what_others_say(
    base: Client, neo4j_server: Settings, load: Load, session: Session, tmp_path: Path
) -> None:
    clean = dump(session)
    meds = small_table(tmp_path / "meds", DRUGS, Med="Drug", Gen="Protein")
    load(meds)
    with_meds = dump(session)
    load(write_herbs(tmp_path / "herbs"))
    remove_dataset(base, "herbs", neo4j_server)
    assert dump(session) == with_meds
    ledger = remove_dataset(base, "meds", neo4j_server)
    assert dump(session) == clean
    assert {row.table: row.removed for row in ledger.tables}["entities"] == 11
    with pytest.raises(NotFound, match=r"no data set 'meds'.*biomolmqa"):
        remove_dataset(base, "meds", neo4j_server)


def test_no_name_of_a_column_or_data_set_reaches_what_others_say(
    base: Client, neo4j_server: Settings, load: Load, session: Session, tmp_path: Path
) -> None:
    clean = dump(session)
    (tmp_path / "nodes.tsv").write_text(
        "id\tcategory\tname\treactome_id\tother:names\tbiomolmqa:name\n"
        "PUBCHEM.COMPOUND:5533\tbiolink:Drug\ttrazodone\tR-1\tx\ty\n"
        "mesh:1\tbiolink:Disease\thay fever\tR-2\tz\ty\n",
        encoding="utf-8",
    )
    # Properties of the benchmark's drugs begin with this name.
    load(kgx_source(tmp_path, name="canonical"))
    assert (alone := entity(session, "mesh:1"))["_reactome_id"] == "R-2"
    assert (alone["other_names_"], alone["biomolmqa_name"]) == ("z", "y")
    assert "other_names" not in alone
    assert entity(session, "pubchem.compound:5533")["canonical:_reactome_id"] == "R-1"
    remove_dataset(base, "canonical", neo4j_server)
    assert dump(session) == clean


def test_who_comes_second_holds_the_thing_when_the_first_is_gone(
    base: Client, neo4j_server: Settings, load: Load, session: Session, tmp_path: Path
) -> None:
    text = "id:ID,name,aka:string[],size:int,:LABEL\nmesh:1,{name},{aka},{size},Thing\n"
    one = small_table(tmp_path / "one", text.format(name="first", aka="uno", size=1))
    two = small_table(tmp_path / "two", text.format(name="second", aka="due", size=2))
    load(two)
    alone = entity(session, "mesh:1")
    remove_dataset(base, "two", neo4j_server)
    load(one)
    load(two)
    both = entity(session, "mesh:1")
    assert (both["name"], both["size"], both["two:size"]) == ("first", 1, 2)
    assert both["other_names"] == ["second"]
    remove_dataset(base, "one", neo4j_server)
    left = entity(session, "mesh:1")
    assert {**left, "two:digest": ""} == {**alone, "two:digest": ""}
    load(two)
    assert entity(session, "mesh:1") == alone


def test_the_benchmark_itself_can_be_removed_and_loaded_again(
    base: Client, neo4j_server: Settings, load: Load, session: Session, count: Count, tmp_path: Path
) -> None:
    clean = dump(session)
    load(small_table(tmp_path / "meds", DRUGS, Med="Drug", Gen="Protein"))
    remove_dataset(base, "biomolmqa", neo4j_server)
    assert count("MATCH (e:Entity) WHERE 'biomolmqa' IN e.datasets RETURN count(e)") == 0
    assert count("MATCH ()-[f {dataset: 'biomolmqa'}]->() RETURN count(f)") == 0
    assert count("MATCH (n:Passage|RelationType) RETURN count(n)") == 0
    assert entity(session, "pubchem.compound:3672")["name"] == "brufen"
    remove_dataset(base, "meds", neo4j_server)
    assert count("MATCH (n) WHERE NOT n:Graph RETURN count(n)") == 0
    load_biomolmqa(base, write_published(tmp_path / "biomolmqa"), neo4j_server)
    assert dump(session) == clean


def test_the_benchmark_says_what_a_thing_is_whoever_had_it_before(
    base: Client, neo4j_server: Settings, load: Load, session: Session, count: Count, tmp_path: Path
) -> None:
    labels = "MATCH (e:Entity {id: $id}) RETURN labels(e)"
    known = session.run("MATCH (p:Protein) RETURN p.id ORDER BY p.id LIMIT 1").single(strict=True).value()
    before = {node: session.run(labels, id=node).value() for node in (known, "pubchem.compound:5533")}
    text = f"id:ID,name,:LABEL\n{known},its gene,Gene\nPUBCHEM.COMPOUND:5533,substance,Sub\n"
    meds = small_table(tmp_path / "meds", text, Sub="Chemical")
    load(meds)
    both = {node: {**entity(session, node), "datasets": 2} for node in before}
    remove_dataset(base, "biomolmqa", neo4j_server)
    load_biomolmqa(base, write_published(tmp_path / "biomolmqa"), neo4j_server)
    for node, were in before.items():
        assert sorted(session.run(labels, id=node).value()[0]) == sorted(were[0])
    # What the other says of it comes back with its own load, though its files are the same.
    load(meds)
    assert {node: {**entity(session, node), "datasets": 2} for node in before} == both


def test_kgx_and_stitch_reach_the_things_of_the_graph(load: Load, session: Session, tmp_path: Path) -> None:
    kg = tmp_path / "kg"
    kg.mkdir()
    (kg / "nodes.tsv").write_text(
        "id\tcategory\tname\tgene_symbol\nCHEBI:5855\tbiolink:SmallMolecule\tIbuprofen\t\n"
        "HGNC:285\tbiolink:Protein\tbeta one\tADRB1\nMONDO:1\tbiolink:Disease\tgout\t\n"
    )
    (kg / "edges.tsv").write_text(
        "subject\tpredicate\tobject\nCHEBI:5855\tbiolink:treats\tMONDO:1\nHGNC:285\tbiolink:causes\tMONDO:1\n"
    )
    assert joined(load(kgx_source(kg))) == {"cross-reference": 1, "a vocabulary's own mapping": 1}
    actions = tmp_path / "actions.tsv"
    actions.write_text(
        "item_id_a\titem_id_b\tmode\taction\ta_is_acting\tscore\n"
        "CIDm00003672\t9606.ENSP00000358301\tinhibition\tinhibition\tt\t900\n"
        "CIDs00000012\t9606.ENSP00000000012\tbinding\t\tf\t300\n"
    )
    ledger = load(stitch_source(actions))
    assert joined(ledger) == {"identifier": 1, "accession": 1}
    way = session.run(
        "MATCH (d:Drug {name: 'Ibuprofen'})-[a:ACTION {dataset: 'stitch'}]->(p:Protein)-[:FACT]->(t) "
        "RETURN p.gene AS gene, a.score AS score, t.name AS thing"
    ).data()
    assert way == [{"gene": "ADRB1", "score": 900, "thing": "gout"}]
    assert entity(session, "pubchem.compound:12")["datasets"] == ["stitch"]


def test_targets_of_decagon_and_names_of_drugcentral(
    load: Load, session: Session, count: Count, shared_data: Path
) -> None:
    path = shared_data / "decagon" / "bio-decagon-targets.csv"
    rows = {
        (int(compound.removeprefix("CID")) % 100_000_000, gene)
        for line in path.read_bytes().decode("latin-1").splitlines()[1:]
        for compound, gene in [line.strip().split(",")]
    }
    ledger = load(decagon_source(path))
    assert count(
        "MATCH (:Drug)-[f:FACT {relation: 'targets', dataset: 'decagon'}]->() RETURN count(f)"
    ) == len(rows)
    encoded = count("MATCH (:Gene)-[f:ENCODES {dataset: 'decagon'}]->(:Protein) RETURN count(f)")
    assert encoded == 2, "by gene number, the two proteins of the graph"
    assert not load(decagon_source(path)).changed
    before = entity(session, "pubchem.compound:3672")
    ledger = load(names_source(shared_data / "drugcentral"))
    ibuprofen = entity(session, "pubchem.compound:3672")
    assert ibuprofen["name"] == before["name"] == "Ibuprofen"
    assert str(ibuprofen["drugcentral:join"]).startswith("InChIKey HEFNNWSXXWATRW")
    assert reasons(ledger)["no thing of the graph, left out"] > 3_500
    assert count("MATCH (e:Entity) WHERE e.datasets = ['drugcentral'] RETURN count(e)") == 0


@given(
    values=st.lists(
        st.tuples(
            st.text(st.characters(codec="utf-8", exclude_characters="\0\x1f")).filter(
                lambda text: text.strip()
            ),
            st.lists(
                st.text(st.characters(codec="utf-8", exclude_characters="\0\x1f"), min_size=1), max_size=3
            ),
            st.integers(-(2**63), 2**63 - 1),
        ),
        min_size=1,
        max_size=12,
    )
)
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_exported_comes_back_from_neo4j(
    values: list[tuple[str, list[str], int]],
    base: Client,
    neo4j_server: Settings,
    load: Load,
    session: Session,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    columns = [Column("said"), Column("parts", array=True), Column("size", kind="long")]
    nodes = [
        CsvNode(f"n{at}", labels=("T",), properties={"said": said, "parts": tuple(parts), "size": size})
        for at, (said, parts, size) in enumerate(values)
    ]
    write_nodes(folder, "Node", columns, nodes)
    ring = [CsvEdge(f"n{at}", f"n{(at + 1) % len(nodes)}", "NEXT") for at in range(len(nodes))]
    write_edges(folder, "Edge", [], [edge for edge in ring if edge.start != edge.end])
    mapping = folder.parent / "trip.toml"
    mapping.write_text('[format]\narray_delimiter = "U+001F"\n[limits]\nself_loops = true\n')
    load(csv_source(folder, read_mapping(mapping), name="trip"))
    rows = session.run(
        "MATCH (e:Entity) WHERE 'trip' IN e.datasets "
        "RETURN e.said AS said, coalesce(e.parts, []) AS parts, e.size AS size "
        "ORDER BY toInteger(substring(e.id, 6))"
    ).data()
    assert [(row["said"], row["parts"], row["size"]) for row in rows] == values


def test_the_command_line_loads_and_removes(
    base: Client, neo4j_server: Settings, count: Count, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_herbs(tmp_path / "herbs")
    flags = ["--home", str(neo4j_server.home)]
    command = [*flags, "load", "csv", str(tmp_path / "herbs"), "--mapping", str(tmp_path / "mapping.toml")]
    assert run([*command, "--dry-run"]) == 0
    assert "A dry run: nothing was written." in capsys.readouterr().out
    assert count("MATCH ()-[f:FACT]->() RETURN count(f)") == 0
    assert run(command) == 0
    assert count("MATCH ()-[f:FACT]->() RETURN count(f)") == 3
    assert run([*flags, "graph", "remove", "herbs"]) == 0
    assert "herbs is removed" in capsys.readouterr().out
    assert count("MATCH ()-[f:FACT]->() RETURN count(f)") == 0
    assert run([*flags, "load", "csv", str(tmp_path / "nowhere")]) == 2
    said = capsys.readouterr().err
    assert "does not exist" in said
    for taken in ("reactome", "decagon"):
        assert run([*command, "--name", taken]) == 2
        assert f"'{taken}' is one that" in capsys.readouterr().err
    assert run([*flags, "graph", "remove", "nothing"]) == 2


def test_an_empty_database_takes_a_graph_of_ones_own(
    base: Client, neo4j_server: Settings, load: Load, session: Session, tmp_path: Path
) -> None:
    before = dump(session)
    herbs = write_herbs(tmp_path / "herbs")
    load(herbs)
    beside = {row for row in dump(session)[0] if row not in before[0]}  # type: ignore[attr-defined, union-attr]
    empty_database(base)
    load(herbs)
    assert set(dump(session)[0]) == beside  # type: ignore[call-overload]
    # Nothing plain stays of the source that had a drug before, once that one is loaded again or gone.
    meds = small_table(
        tmp_path / "meds", "id:ID,name,dose:int,:LABEL\npubchem.compound:5533,pill,5,Med\n", Med="Drug"
    )
    load(meds)
    load_biomolmqa(base, write_published(tmp_path / "biomolmqa"), neo4j_server)
    load(meds)
    assert entity(session, "pubchem.compound:5533")["meds:dose"] == 5
    assert entity(session, "pubchem.compound:5533")["other_names"] == ["pill"]
    for dataset in ("meds", "herbs"):
        remove_dataset(base, dataset, neo4j_server)
    assert dump(session) == before


def test_the_first_source_with_a_name_names_what_edges_alone_brought(
    base: Client, neo4j_server: Settings, load: Load, session: Session, tmp_path: Path
) -> None:
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / "says.csv").write_text(":START_ID,:END_ID,:TYPE\nown:1,own:2,HELPS\n")
    (tmp_path / "bare.toml").write_text('[limits]\ndangling = "keep"\n')
    bare = csv_source(tmp_path / "bare", read_mapping(tmp_path / "bare.toml"))
    load(bare)
    labels = "MATCH (e:Entity {id: 'own:1'}) RETURN [label IN labels(e) WHERE label <> 'Entity'] AS found"
    alone = entity(session, "own:1")
    assert (alone["name"], session.run(labels).single(strict=True)["found"]) == ("own:1", ["Thing"])
    named = small_table(tmp_path / "named", "id:ID,name,:LABEL\nown:1,Zorblaxin,Med\n", Med="Drug")
    load(named)
    both = entity(session, "own:1")
    assert (both["name"], both["datasets"]) == ("Zorblaxin", ["bare", "named"])
    assert session.run(labels).single(strict=True)["found"] == ["Drug"]
    assert not load(named).changed
    load(bare)
    assert entity(session, "own:1")["name"] == "Zorblaxin"
    remove_dataset(base, "named", neo4j_server)
    # The digest says that another data set had it as well when it was written last.
    assert {**entity(session, "own:1"), "bare:digest": ""} == {**alone, "bare:digest": ""}
    assert session.run(labels).single(strict=True)["found"] == ["Thing"]


def test_joins_and_refusals_are_kept_in_the_graph(
    base: Client, load: Load, session: Session, tmp_path: Path
) -> None:
    text = (
        "id:ID,name,smiles,:LABEL\nb:1,ibuprofen,,Med\nb:2,Trazodone,CCCCCCO,Med\n"
        "b:3,S-ibuprofen,CC(C)CC1=CC=C(C=C1)[C@H](C)C(=O)O,Med\n"
    )
    load(small_table(tmp_path / "meds", text, Med="Drug"))
    (kept,) = [one for one in read_joins(base) if one.dataset == "meds"]
    assert [(row["evidence"], row["count"]) for row in kept.made] == [("name", 1)]
    assert [(row["reason"], row["first"]) for row in kept.refused] == [
        (
            "drug another structure, left apart",
            ["b:2: name Trazodone of pubchem.compound:5533: another structure"],
        )
    ]
    linked = session.run("MATCH (a)-[:STEREOISOMER_OF]->(b) RETURN a.id AS one, b.id AS other").data()
    assert linked == [{"one": "b:3", "other": "pubchem.compound:3672"}]
    page = neighbors(base, "pubchem.compound:3672", relation="is a stereoisomer of")
    assert [(item.kind, item.direction, item.entity.id) for item in page.items] == [("FACT", "in", "b:3")]
