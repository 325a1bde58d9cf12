"""Identifiers of all spellings, placeholders, and which namespaces tell two things apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biomolkg.identifiers import as_curie, by_namespace, identified, identify, is_placeholder, sort_of
from biomolkg.identifiers import no_identifier as is_none
from biomolkg.identifiers.registry import known_prefix

# What the text means, and how it is written.
SPELLINGS = {
    "hgnc:11600": (
        "HGNC:11600",
        "HGNC:HGNC:11600",
        "hgnc:11600",
        "HGNC: 11600",
        "HGNC_11600",
        " HGNC:11600 ",
    ),
    "chebi:15365": (
        "CHEBI:15365",
        "ChEBI:CHEBI:15365",
        "CHEBI:CHEBI:15365",
        "CHEBI_15365",
        "http://purl.obolibrary.org/obo/CHEBI_15365",
        "https://identifiers.org/chebi/CHEBI:15365",
        "https://identifiers.org/CHEBI:15365",
        "CHEBI%3A15365",
    ),
    "pubchem.compound:5090": (
        "PUBCHEM.COMPOUND:5090",
        "PUBCHEM.COMPOUND:CID5090",
        "PubChem:5090",
        "CID:5090",
        "CID5090",
        "CID000005090",
        "CID100005090",
        "CIDm00005090",
        "CIDs00005090",
        "pubchem.compound:5090.0",
        "https://pubchem.ncbi.nlm.nih.gov/compound/5090",
        "stitch:CIDm00005090",
    ),
    "mondo:0004979": ("MONDO:0004979", "MONDO_0004979", "http://purl.obolibrary.org/obo/MONDO_0004979"),
    "hp:0001250": ("HP:0001250", "HPO:HP:0001250", "HP%3A0001250", "HPO:HP%3A0001250", "HP_0001250"),
    "ncbigene:1576": ("NCBIGene:1576", "Entrez Gene:1576", "ENTREZ:1576", "GeneID:1576", "Gene::1576"),
    "uniprot:P08684": (
        "UniProtKB:P08684",
        "UniProt:P08684",
        "uniprotkb:P08684-2",
        "sp|P08684|CP3A4_HUMAN",
        "https://www.uniprot.org/uniprot/P08684",
        "http://purl.uniprot.org/uniprot/P08684",
    ),
    "ensembl:ENSG00000160868": ("ENSEMBL:ENSG00000160868.15", "ENSG00000160868", "ensembl:ENSG00000160868"),
    "chembl.compound:CHEMBL521": ("CHEMBL.COMPOUND:CHEMBL521", "chembl:521", "CHEMBL521", "ChEMBL:CHEMBL521"),
    "drugbank:DB01050": ("DRUGBANK:DB01050", "DB01050", "DrugBank:db01050", "Compound::DB01050"),
    "rxnorm:5640": ("RXCUI:5640", "RXNORM:5640"),
    "kegg.compound:C01588": ("KEGG:C01588", "KEGG.COMPOUND:C01588"),
    "inchikey:HEFNNWSXXWATRW-UHFFFAOYSA-N": (
        "INCHIKEY:HEFNNWSXXWATRW-UHFFFAOYSA-N",
        "HEFNNWSXXWATRW-UHFFFAOYSA-N",
    ),
    "doid:2841": ("DOID:2841", "Disease::DOID:2841", "DOID_2841"),
    "umls:C0004096": ("UMLS:C0004096", "Side Effect::C0004096"),
    "hmdb:HMDB0001925": ("HMDB:HMDB0001925", "HMDB:HMDB01925"),
}


@pytest.mark.parametrize(
    ("meant", "written"), [(curie, one) for curie, all_ in SPELLINGS.items() for one in all_]
)
def test_every_spelling_of_an_identifier_is_the_same(meant: str, written: str) -> None:
    assert as_curie(written) == meant
    assert as_curie(meant) == meant


def test_versions_and_isoforms_stand_beside_the_identifier() -> None:
    assert identify("ENSEMBL:ENSP00000337915.3") == ("ensembl:ENSP00000337915", "3", "")
    assert identify("UniProtKB:P08684-2") == ("uniprot:P08684", "", "P08684-2")
    assert identify("RefSeq:NM_017460.6") == ("refseq:NM_017460", "6", "")


@pytest.mark.parametrize("written", ["pc:1", "do:7", "up:x", "MyGraph:a/b", "x.y:O'Neil", "zz:CHEBI_1"])
def test_a_users_own_prefix_stays(written: str) -> None:
    prefix, _, local = written.partition(":")
    assert as_curie(written) == f"{prefix.lower()}:{local}"


@pytest.mark.parametrize("written", ["", "a b", "P08684 x", ":x", "http://nowhere.example/x", "just words"])
def test_what_carries_no_namespace_is_no_curie(written: str) -> None:
    assert as_curie(written) is None


def test_whole_numbers_that_were_written_as_decimals_are_whole() -> None:
    assert identified("5090.0", prefix="pubchem.compound", dataset="d").curie == "pubchem.compound:5090"
    assert identified("17.0", prefix=None, dataset="d").curie == "d:17"
    assert identified("1.10", prefix=None, dataset="d").curie == "d:1.10"


@pytest.mark.parametrize(
    "written", ["N/A", "n/a", "-", "nan", "NaN", "None", "null", "unknown", "?", "0", "", "<NA>"]
)
def test_placeholders_are_no_values(written: str) -> None:
    assert is_placeholder(written)
    assert is_none(f"CAS:{written}") or written == "0"


@pytest.mark.parametrize("written", ["Na", "Nantes", "0.5", "Nonane", "O", "I-", "unknown receptor"])
def test_names_that_look_like_placeholders_are_values(written: str) -> None:
    assert not is_placeholder(written)


@pytest.mark.parametrize(
    "code",
    [
        "ec:1.1.1.1",
        "atc:N02BA01",
        "go:0005886",
        "interpro:IPR001128",
        "ncbitaxon:9606",
        "pubmed:1",
        "pfam:PF00067",
        "mesh:D001241",
        "umls:C0004057",
        "rhea:10000",
        "omim:103390",
        "reactome:R-HSA-1",
        "ensembl:MGP1",
    ],
)
def test_class_codes_identify_nothing(code: str) -> None:
    assert sort_of(code) is None


def test_two_numbers_of_one_namespace_can_contradict_but_not_two_cas_numbers() -> None:
    assert by_namespace(
        ["drugbank:DB1", "cas:50-78-2", "ensembl:ENSG00000000001", "ensembl:ENSP00000000001"]
    ) == {
        "drugbank": {"drugbank:DB1"},
        "ensembl.gene": {"ensembl:ENSG00000000001"},
    }


@given(st.text(max_size=40))
def test_any_text_is_an_identifier_or_none_and_normal_ones_stay(text: str) -> None:
    found = identify(text)
    if found is not None and known_prefix(found.curie.partition(":")[0]):
        again = identify(found.curie)
        assert again is not None
        assert again.curie == found.curie
