"""Which records are one thing: evidence, what speaks against it, and what close things are to one another."""

from collections.abc import Callable
from pathlib import Path

import pytest

from biomolkg.settings import Settings
from graph_loader.graph_records import GraphNode, Value
from graph_loader.identity.drug_names import DrugNames
from graph_loader.identity.links import Link, Links
from graph_loader.identity.matching import Match, Matcher
from graph_loader.identity.names import identity_key
from graph_loader.identity.taxa import taxon_of
from graph_loader.identity.things import HeldIndex, add, of_node
from graph_loader.reading import Reading
from graph_loader.staging import StagedNode, Staging
from graph_loader.table_loading import stage_node

Stage = Callable[..., StagedNode]
Find = Callable[..., Match]
LinksOf = Callable[..., list[Link]]

QUININE = "COc1ccc2nccc([C@@H](O)[C@@H]3CC4CCN3C[C@@H]4C=C)c2c1"
QUINIDINE = "COc1ccc2nccc([C@H](O)[C@H]3CC4CCN3C[C@@H]4C=C)c2c1"
CITALOPRAM = "CN(C)CCCC1(c2ccc(F)cc2)OCc2cc(C#N)ccc12"
ESCITALOPRAM = "CN(C)CCC[C@]1(c2ccc(F)cc2)OCc2cc(C#N)ccc12"
CAFFEINE = "Cn1cnc2c1c(=O)n(C)c(=O)n2C"
CAFFEINE_D3 = "[2H]C([2H])([2H])n1cnc2c1c(=O)n(C)c(=O)n2C"
WARFARIN = "CC(=O)CC(c1ccccc1)C1=C(O)c2ccccc2OC1=O"
WARFARINS_OTHER_FORMS = (
    "CC(=O)CC(c1ccccc1)C1=C(O)Oc2ccccc2C1=O",
    "CC(=O)CC(c1ccccc1)C1C(=O)Oc2ccccc2C1=O",
)
TRIMETHOPRIM = "COc1cc(Cc2cnc(N)nc2N)cc(OC)c1OC"
SULFAMETHOXAZOLE = "Cc1cc(NS(=O)(=O)c2ccc(N)cc2)no1"
METFORMIN = "CN(C)C(=N)N=C(N)N"


@pytest.fixture
def node(tmp_path: Path) -> Stage:
    """A staged node, as a load would make it."""
    settings = Settings(home=tmp_path)

    def make(node_id: str, kind: str = "Drug", **said: object) -> StagedNode:
        properties: dict[str, Value] = {
            key: said.pop(key) for key in ("taxon", "organism", "symbol", "in_taxon") if key in said
        }  # type: ignore[assignment]
        record = GraphNode(node_id, kind, "test:nodes.csv:1", properties=properties, **said)  # type: ignore[arg-type]
        with Staging() as staging:
            stage_node(record, staging, Reading(), settings, optional=False)
            (staged,) = staging.read_nodes()
        return staged

    return make


@pytest.fixture
def find(node: Stage) -> Find:
    """What a node is among the things of the graph; `named` are other nodes of its own source."""

    def look(mine: StagedNode, *graph: StagedNode, named: tuple[StagedNode, ...] = ()) -> Match:
        index = HeldIndex()
        for one in graph:
            add(index, of_node(one))

        def times(key: str) -> int:
            return 1 + sum(
                key in {identity_key(name) for name in (one.name or "", *one.synonyms)} for one in named
            )

        return Matcher(index, named=times).find(of_node(mine))

    return look


@pytest.fixture
def links() -> LinksOf:
    """What a node is to things of the graph that it is not."""

    def look(mine: StagedNode, *graph: StagedNode) -> list[Link]:
        index = HeldIndex()
        for one in graph:
            add(index, of_node(one))
        return list(Links(index).of(of_node(mine), known_as=mine.id))

    return look


@pytest.mark.parametrize(
    "said",
    [
        {"inchikey": "N/A", "xrefs": ("CAS:N/A",)},
        {"name": "nan", "inchikey": "nan", "xrefs": ("nan",), "synonyms": ("n/a",)},
        {"name": "-", "xrefs": ("-", "DRUGBANK:-"), "synonyms": ("unknown", "?")},
        {"name": "None", "xrefs": ("CHEBI:0", "UNII:null"), "inchikey": "0"},
    ],
)
def test_placeholders_join_nothing(node: Stage, find: Find, said: dict[str, object]) -> None:
    assert find(node("b:1", **said), node("a:1", **said)) == Match(None)


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("Protein", "EC:2.7.11.1"),
        ("Protein", "InterPro:IPR000719"),
        ("Protein", "GO:0004672"),
        ("Protein", "Pfam:PF00069"),
        ("Protein", "NCBITaxon:9606"),
        ("Drug", "ATC:C10AA05"),
        ("Drug", "PMID:11111"),
        ("Drug", "MESH:D019161"),
        ("Drug", "Rhea:12345"),
    ],
)
def test_a_class_code_joins_nothing(node: Stage, find: Find, kind: str, code: str) -> None:
    mine, theirs = (node(one, kind, name=f"thing {one}", xrefs=(code,)) for one in ("b:1", "a:1"))
    assert find(mine, theirs).target is None


@pytest.mark.parametrize(
    "xref",
    [
        "CAS:58-08-2",
        "DRUGBANK:DB00201",
        "CHEMBL:CHEMBL113",
        "UNII:3G6A5W338E",
        "RXCUI:1886",
        "KEGG:C07481",
        "INCHIKEY:RYYVLZVUVIJVGH-UHFFFAOYSA-N",
        "HMDB:HMDB0001847",
        "PUBCHEM.COMPOUND:CID2519",
    ],
)
def test_a_number_of_one_thing_joins_it(node: Stage, find: Find, xref: str) -> None:
    found = find(node("b:1", name="mine", xrefs=(xref,)), node("a:1", name="theirs", xrefs=(xref,)))
    assert found.target == "a:1"


def test_an_inchikey_may_be_the_id(node: Stage, find: Find) -> None:
    caffeine = node("pubchem.compound:2519", name="Caffeine", smiles=CAFFEINE)
    assert find(node("inchikey:RYYVLZVUVIJVGH-UHFFFAOYSA-N"), caffeine).target == "pubchem.compound:2519"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("DRUGBANK:DB90001", "DRUGBANK:DB90002"),
        ("CHEBI:900001", "CHEBI:900002"),
        ("UNII:AAAAAAAAA1", "UNII:AAAAAAAAA2"),
        ("RXCUI:900001", "RXCUI:900002"),
        ("CHEMBL:CHEMBL900001", "CHEMBL:CHEMBL900002"),
        ("PUBCHEM.COMPOUND:99000001", "PUBCHEM.COMPOUND:99000002"),
    ],
)
def test_two_numbers_of_one_namespace_contradict_names_and_keys(
    node: Stage, find: Find, one: str, other: str
) -> None:
    theirs = node("a:1", name="Elixir", xrefs=(one, "CAS:58-08-2"))
    found = find(node("b:1", name="Elixir", xrefs=(other, "CAS:58-08-2")), theirs)
    assert found.target is None
    assert found.reason.startswith("another identifier of")


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (QUINIDINE, QUININE),
        (ESCITALOPRAM, CITALOPRAM),
        (CAFFEINE_D3, CAFFEINE),
        ("C[C@H](N)C(=O)O", "C[C@@H](N)C(=O)O"),
    ],
)
def test_mirror_images_and_isotopes_are_linked_and_not_joined(
    node: Stage, find: Find, links: LinksOf, mine: str, theirs: str
) -> None:
    graph = node("a:1", name="theirs", smiles=theirs)
    own = node("b:1", name="mine", smiles=mine)
    assert find(own, graph).target is None
    kind = "ISOTOPOLOGUE_OF" if "2H" in mine else "STEREOISOMER_OF"
    assert links(own, graph) == [Link("a:1", kind, "b:1")]


def test_a_name_does_not_join_mirror_images(node: Stage, find: Find) -> None:
    found = find(node("b:1", name="the bark", smiles=QUINIDINE), node("a:1", name="the bark", smiles=QUININE))
    assert (found.target, found.reason) == (None, "other stereo or isotopes, left apart")


def test_a_flat_structure_joins_by_its_bonds_and_a_name(node: Stage, find: Find) -> None:
    flat = node("a:1", name="Escitalopram", smiles=CITALOPRAM)
    assert find(node("b:1", name="escitalopram", smiles=ESCITALOPRAM), flat).target == "a:1"
    assert find(node("b:1", name="another", smiles=ESCITALOPRAM), flat).target is None


@pytest.mark.parametrize("drawn", WARFARINS_OTHER_FORMS)
def test_tautomers_that_are_drawn_otherwise_are_one(node: Stage, find: Find, drawn: str) -> None:
    warfarin = node("a:1", name="Warfarin", smiles=WARFARIN)
    found = find(node("b:1", name="a blood thinner", smiles=drawn), warfarin)
    assert (found.target, found.evidence.partition(" of")[0]) == ("a:1", "tautomer")


def test_isomers_that_are_no_tautomers_stay_apart(node: Stage, find: Find) -> None:
    assert find(node("b:1", smiles="CCC(C)=O"), node("a:1", smiles="CCCC=O")).target is None


@pytest.mark.parametrize("name", ["Co-trimoxazole", "Trimethoprim", "Septrin"])
def test_a_combination_is_linked_to_its_parts_and_joined_to_none(
    node: Stage, find: Find, links: LinksOf, name: str
) -> None:
    graph = [
        node("pubchem.compound:5578", name="Trimethoprim", smiles=TRIMETHOPRIM),
        node("pubchem.compound:5329", name="Sulfamethoxazole", smiles=SULFAMETHOXAZOLE),
    ]
    both = node("b:1", name=name, smiles=f"{TRIMETHOPRIM}.{SULFAMETHOXAZOLE}")
    assert find(both, *graph).target is None
    assert {(link.kind, link.tail) for link in links(both, *graph)} == {
        ("HAS_COMPONENT", "pubchem.compound:5578"),
        ("HAS_COMPONENT", "pubchem.compound:5329"),
    }


@pytest.mark.parametrize(
    "name",
    [
        "Valsartan / hydrochlorothiazide",
        "valsartan and amlodipine",
        "Amlodipine + Valsartan",
        "Amlodipine-Valsartan",
        "valsartan with sacubitril",
    ],
)
def test_a_product_that_is_named_by_its_parts_is_none_of_them(node: Stage, find: Find, name: str) -> None:
    valsartan = node("a:1", name="Valsartan", xrefs=("CAS:137862-53-4",))
    found = find(node("b:1", name=name, xrefs=("CAS:137862-53-4",)), valsartan)
    assert (found.target, found.reason.partition(",")[0]) == (
        None,
        "a combination product and its ingredient",
    )


def test_a_salt_is_linked_to_its_drug(node: Stage, find: Find, links: LinksOf) -> None:
    drug = node("pubchem.compound:4091", name="Metformin", smiles=METFORMIN)
    salt = node("b:1", name="Metformin HCl", smiles=f"Cl.{METFORMIN}")
    assert find(salt, drug).target is None
    assert links(salt, drug) == [Link("b:1", "SALT_OF", "pubchem.compound:4091")]
    assert links(drug, salt) == [Link("b:1", "SALT_OF", "pubchem.compound:4091")]


def test_a_name_joins_where_it_is_one_things_on_both_sides(node: Stage, find: Find) -> None:
    mine = node("b:1", name="Alphacalcid", synonyms=("Vitamin Q",))
    other = node("b:2", name="Betacalcid", synonyms=("Vitamin Q",))
    one = node("a:1", name="Vitamin Q")
    assert find(mine, one).target == "a:1"
    assert find(mine, one, named=(other,)).reason == "ambiguous, left apart"
    assert (
        find(mine, one, node("a:2", name="else", synonyms=("vitamin q",))).reason == "ambiguous, left apart"
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [("a|b", "a'b"), ("(+)-menthol", "(-)-menthol"), ("x*y", "x/y"), ("a+b", "a b"), ("5'-A", "5-A")],
)
def test_names_that_differ_in_signs_are_two(one: str, other: str) -> None:
    assert identity_key(one) != identity_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pamidronic-Acid", "pamidronic acid"),
        ("β-Carotene", "beta carotene"),
        ("Foo®", "foo"),
        ("5′-A", "5'-a"),
    ],
)
def test_names_that_differ_in_writing_are_one(one: str, other: str) -> None:
    assert identity_key(one) == identity_key(other)


@pytest.mark.parametrize(
    "said",
    [
        {"taxon": "10090"},
        {"taxon": "NCBITaxon:10116"},
        {"organism": "Bos taurus"},
        {"in_taxon": ("NCBITaxon:9031",)},
        {"xrefs": ("ENSEMBL:ENSMUSG00000053004",)},
        {"xrefs": ("NCBITaxon:9913",)},
        {"name": "Histamine receptor H1 (mouse)"},
        {"name": "HRH1_BOVIN"},
        {"xrefs": ("NCBIGene:15465",)},
    ],
)
def test_another_species_is_another_protein(node: Stage, find: Find, said: dict[str, object]) -> None:
    human = node("uniprot:P35367", "Protein", name="H1", symbol="HRH1")
    assert find(node("b:1", "Protein", **{"symbol": "HRH1", **said}), human).target is None


def test_a_human_symbol_joins_a_protein(node: Stage, find: Find) -> None:
    human = node("uniprot:P35367", "Protein", name="H1", symbol="HRH1")
    assert find(node("b:1", "Protein", symbol="HRH1"), human).target == "uniprot:P35367"
    assert find(node("b:1", "Protein", symbol="HRH1", organism="human"), human).target == "uniprot:P35367"


@pytest.mark.parametrize(
    ("gene", "said"),
    [
        ("ncbigene:3269", {}),
        ("hgnc:5182", {}),
        ("ensembl:ENSG00000196639", {}),
        ("b:1", {"symbol": "HRH1"}),
        ("b:2", {"name": "HRH1"}),
        ("b:3", {"xrefs": ("NCBIGene:3269",)}),
    ],
)
def test_a_gene_encodes_its_protein_and_is_not_it(
    node: Stage, find: Find, links: LinksOf, gene: str, said: dict[str, object]
) -> None:
    protein = node("uniprot:P35367", "Protein", name="H1", symbol="HRH1")
    own = node(gene, "Gene", **said)
    assert find(own, protein).target is None
    assert links(own, protein) == [Link(gene, "ENCODES", "uniprot:P35367")]
    assert links(protein, own) == [Link(gene, "ENCODES", "uniprot:P35367")]


def test_a_gene_of_another_species_encodes_no_human_protein(node: Stage, links: LinksOf) -> None:
    protein = node("uniprot:P35367", "Protein", name="H1", symbol="HRH1")
    assert links(node("ncbigene:15465", "Gene", name="HRH1", taxon="10090"), protein) == []
    assert links(node("b:1", "Gene", name="HRH1", organism="chicken"), protein) == []


@pytest.mark.parametrize(
    ("said", "taxon"),
    [
        ({"Organism": "Homo sapiens"}, "9606"),
        ({"tax_id": 10090}, "10090"),
        ({"species": "Felis catus"}, "felis catus"),
        ({}, None),
    ],
)
def test_the_species_of_properties(said: dict[str, object], taxon: str | None) -> None:
    assert taxon_of(said, ()) == taxon


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("metformin hydrochloride", "metformin"),
        ("Sodium valproate", "valproate"),
        ("valproate sodium", "valproate"),
        ("leuprolide acetate", "leuprolide"),
        ("medroxyprogesterone acetate", None),
        ("sodium chloride", None),
        ("calcium carbonate", None),
    ],
)
def test_names_of_salts_lead_to_the_drug_and_those_of_esters_do_not(name: str, found: str | None) -> None:
    words = ("metformin", "valproate", "leuprolide", "medroxyprogesterone", "carbonate", "chloride")
    drugs = DrugNames({"id": word, "name": word, "synonyms": [], "xrefs": []} for word in words)
    assert drugs.find(name).ids == (() if found is None else (found,))


def test_a_class_of_chebi_is_none_of_its_members(node: Stage, find: Find) -> None:
    alcohol = node("chebi:30879", "Chemical", name="alcohol")
    found = find(node("b:1", name="Ethanol", synonyms=("alcohol",), smiles="CCO"), alcohol)
    assert (found.target, found.reason) == (None, "a class and one of its members, left apart")


@pytest.mark.parametrize(("mine", "theirs"), [("NAD", "NAd"), ("E3810", "E-3810"), ("GSH", "GSH")])
def test_abbreviations_and_codes_join_nothing_as_synonyms(
    node: Stage, find: Find, mine: str, theirs: str
) -> None:
    reactomes = node("chebi:18357", "Chemical", name="noradrenaline", synonyms=(theirs,))
    assert find(node("b:1", name="nadide", synonyms=(mine,)), reactomes).target is None


@pytest.mark.parametrize("labelled", [{"smiles": CAFFEINE_D3}, {"inchikey": "RYYVLZVUVIJVGH-FIBGUPNXSA-N"}])
def test_isotopes_that_one_side_alone_states_are_told_apart(
    node: Stage, find: Find, links: LinksOf, labelled: dict[str, object]
) -> None:
    caffeine = node("a:1", name="Caffeine", smiles=CAFFEINE)
    own = node("b:1", name="caffeine", **labelled)
    assert find(own, caffeine).reason == "other isotopes, left apart"
    assert links(own, caffeine) == [Link("a:1", "ISOTOPOLOGUE_OF", "b:1")]
