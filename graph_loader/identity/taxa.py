"""The species that a record is of, as an NCBI taxon, from whatever says it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

HUMAN = "9606"
# Names of properties that say a species.
PROPERTIES = (
    "taxon", "taxon_id", "taxonid", "tax_id", "taxid", "taxonomy", "taxonomy_id", "ncbitaxon", "ncbi_taxon",
    "ncbi_taxon_id", "ncbi_taxid", "in_taxon", "in_taxon_label", "organism", "organism_id",
    "organism_taxon", "species", "species_taxon", "host_organism",
)  # fmt: skip
_SPECIES = {
    "9606": ("homo sapiens", "human", "h. sapiens", "hsa", "h.sapiens"),
    "10090": ("mus musculus", "mouse", "m. musculus", "mmu", "house mouse"),
    "10116": ("rattus norvegicus", "rat", "r. norvegicus", "rno", "norway rat"),
    "9913": ("bos taurus", "bovine", "cattle", "cow", "bta", "bovin"),
    "9823": ("sus scrofa", "pig", "ssc"),
    "9031": ("gallus gallus", "chicken", "gga", "chick"),
    "7955": ("danio rerio", "zebrafish", "dre", "danre"),
    "7227": ("drosophila melanogaster", "fruit fly", "dme", "drome"),
    "6239": ("caenorhabditis elegans", "c. elegans", "cel", "caeel"),
    "559292": ("saccharomyces cerevisiae s288c", "saccharomyces cerevisiae", "yeast", "sce"),
    "9615": ("canis lupus familiaris", "canis familiaris", "dog", "cfa", "canlf"),
    "9986": ("oryctolagus cuniculus", "rabbit", "rabit", "ocu"),
    "9544": ("macaca mulatta", "rhesus macaque", "macmu", "mcc"),
    "9598": ("pan troglodytes", "chimpanzee", "pantr", "ptr"),
    "9940": ("ovis aries", "sheep", "oas"),
    "9796": ("equus caballus", "horse", "ecb"),
    "10141": ("cavia porcellus", "guinea pig", "cavpo"),
    "10029": ("cricetulus griseus", "chinese hamster", "crigr"),
    "8364": ("xenopus tropicalis", "xentr", "xtr"),
    "8355": ("xenopus laevis", "xenla", "xla"),
    "83333": ("escherichia coli k-12", "escherichia coli", "e. coli", "ecoli", "eco"),
    "3702": ("arabidopsis thaliana", "thale cress", "arath", "ath"),
}
_BY_NAME = {name: taxon for taxon, names in _SPECIES.items() for name in names}
_ENSEMBL = {
    "": HUMAN, "MUS": "10090", "RNO": "10116", "BTA": "9913", "SSC": "9823", "GAL": "9031", "DAR": "7955",
    "CAF": "9615", "OCU": "9986", "MMU": "9544", "PTR": "9598", "OAR": "9940", "ECA": "9796", "CPO": "10141",
}  # fmt: skip
_NUMBER = re.compile(r"(?:.*[:_/])?(\d{2,8})(?:\.0)?")
_ENSEMBL_ID = re.compile(r"ensembl:ENS(?P<species>[A-Z]{0,4}?)[EGPRT]\d{11}")
_STRING_ID = re.compile(r"string:(\d+)\.")
_BRACKETED = re.compile(r"[(\[]([^()\[\]]+)[)\]]")
_MNEMONIC = re.compile(r"[A-Z0-9]{1,10}_([A-Z0-9]{3,5})")


def taxon_of_text(text: str) -> str | None:
    """The taxon of `9606`, `NCBITaxon:9606`, `Homo sapiens` or `human`; another text stands for itself.

    >>> [taxon_of_text(text) for text in ("NCBITaxon:10090", "Human", "Felis catus", "")]
    ['10090', '9606', 'felis catus', None]
    """
    word = " ".join(text.split()).lower()
    number = _NUMBER.fullmatch(word)
    if number is not None:
        return number[1]
    return _BY_NAME.get(word, word) or None


def taxon_of(
    properties: Mapping[str, Any], curies: Iterable[str], names: Iterable[str | None] = ()
) -> str | None:
    """The one species that properties, identifiers or names say; None where they say none, or several."""
    found: set[str] = set()
    for key, value in properties.items():
        if key.lower() in PROPERTIES and value is not None:
            for one in value if isinstance(value, tuple | list) else (value,):
                found |= {taxon} if (taxon := taxon_of_text(str(one))) else set()
    if not found:
        found = {taxon for one in curies if (taxon := _of_curie(one))}
    if not found:
        found = {taxon for name in names if name and (taxon := _of_name(name))}
    return next(iter(found)) if len(found) == 1 else None


def _of_curie(curie: str) -> str | None:
    prefix = curie.partition(":")[0]
    if prefix == "ensembl":
        match = _ENSEMBL_ID.fullmatch(curie)
        return None if match is None else _ENSEMBL.get(match["species"], f"ensembl {match['species']}")
    if prefix == "string":
        match = _STRING_ID.match(curie)
        return None if match is None else match[1]
    if prefix in {"hgnc", "hgnc.symbol"}:
        return HUMAN
    if prefix == "ncbitaxon":
        return taxon_of_text(curie)
    return {"mgi": "10090", "rgd": "10116"}.get(prefix)


def _of_name(name: str) -> str | None:
    """The species in brackets, at an end of a name, or of an entry of UniProt (`HRH1_MOUSE`)."""
    mnemonic = _MNEMONIC.fullmatch(name)
    said = [mnemonic[1]] if mnemonic else _BRACKETED.findall(name)
    words = name.split()
    if len(words) > 1:
        said += [words[0], words[-1]]
    return next((_BY_NAME[word.lower()] for word in said if word.lower() in _BY_NAME), None)
